//! Values that gdb shows wrong as a whole and right part by part.
//!
//! For an array of a Fortran derived type, gdb 13 shows the first element's allocated components for all elements;
//! asked for one element it shows that element's own. In a derived type it shows nothing after a component that it
//! finds too long.

use crate::compare::{Stop, printed};
use crate::tally::REFUSED;
use std::ops::RangeInclusive;

const BY_ELEMENTS: &str =
    "gdb shows what is allocated in the first element for all of an array, and each its own when asked";
const BY_COMPONENTS: &str = "gdb ends a derived type at a component whose bounds nobody has set; asked for those behind it, it says what we say";
const BY_PLACE: &str = "gdb takes an empty range for the place of a variable, as its `info scope` says";

/// Most elements asked for.
const ELEMENTS: i64 = 64;

/// The indices of a one-dimensional array of a derived type, from the answer of `whatis`.
fn indices(type_name: &str) -> Option<RangeInclusive<i64>> {
    let (name, bounds) = type_name.strip_prefix("Type ")?.strip_suffix(')')?.rsplit_once(" (")?;
    let (low, high) = bounds.split_once(':').unwrap_or(("1", bounds));
    let (low, high): (i64, i64) = (low.parse().ok()?, high.parse().ok()?);
    (!name.contains('(') && low <= high && high - low < ELEMENTS).then_some(low..=high)
}

/// True if our elements are those that gdb shows one by one, and gdb shows the array's first element as it does alone.
fn are_elements(ours: &str, gdb: &str, one_by_one: &[String]) -> bool {
    let Some(first) = one_by_one.first() else { return false };
    ours == format!("({})", one_by_one.join(", ")) && gdb.starts_with(&format!("({first}, "))
}

/// True if gdb says that a value is longer than shown.
fn is_too_long(answer: &str) -> bool {
    answer.contains("value requires ") && answer.trim_end_matches('>').ends_with("which is more than max-value-size")
}

/// If gdb has ended a derived type at a component: that component and the following ones, with our values.
fn behind_the_end<'a>(ours: &'a str, gdb: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let (before, error) = gdb.split_once("<error reading variable: ")?;
    let (name, left) = (before.strip_suffix(" = ")?.rsplit(' ').next()?, ours.strip_prefix(before)?);
    let outermost = before.starts_with("( ") && parts(before.get(2..)?).last()?.strip_prefix(name)? == " = ";
    let mut values = parts(left.strip_suffix(" )")?).into_iter();
    let first = (name, values.next()?);
    let others: Option<Vec<_>> = values.map(|part| part.split_once(" = ")).collect();
    (is_too_long(error) && outermost).then(|| std::iter::once(first).chain(others.into_iter().flatten()).collect())
}

/// Splits at commas outside strings and parentheses.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0, false);
    for (at, c) in text.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            _ if quoted => {}
            '(' | '<' => depth += 1,
            ')' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim_start());
    parts
}

/// True if a variable has an empty range at an address, in the text of `info scope`.
fn has_empty_range(scope: &str, name: &str, address: &str) -> bool {
    let mut of_name = scope.lines().skip_while(|line| !line.starts_with(&format!("Symbol {name} is multi-location")));
    let _ = of_name.next();
    let range = format!("Range {address}-{address}: ");
    of_name.take_while(|line| !line.starts_with("Symbol ")).any(|line| line.contains(&range))
}

impl Stop<'_> {
    /// True if gdb's own answers, asked part by part, explain the difference.
    pub fn agrees_by_parts(&mut self, level: u32, expression: &str, ours: &str, gdb: &str) -> bool {
        if ours == gdb || !self.tally.is_of_native() {
            return false;
        }
        let why = if self.fortran && self.agrees_by_elements(expression, ours, gdb) {
            BY_ELEMENTS
        } else if self.fortran && self.agrees_by_components(expression, ours, gdb) {
            BY_COMPONENTS
        } else if level == 0 && self.has_empty_range(expression.trim_start_matches('*')) {
            BY_PLACE
        } else {
            return false;
        };
        self.tally.explain(why);
        true
    }

    fn says(&mut self, expression: &str) -> String {
        printed(self.judge.command(&format!("print {expression}")))
    }

    fn agrees_by_elements(&mut self, expression: &str, ours: &str, gdb: &str) -> bool {
        let Ok(type_name) = self.judge.command(&format!("whatis {expression}")) else { return false };
        let indices = indices(type_name.strip_prefix("type = ").unwrap_or(&type_name));
        let Some(indices) = indices else { return false };
        let one_by_one: Vec<String> = indices.map(|at| self.says(&format!("{expression}({at})"))).collect();
        are_elements(ours, gdb, &one_by_one)
    }

    fn agrees_by_components(&mut self, expression: &str, ours: &str, gdb: &str) -> bool {
        let Some(components) = behind_the_end(ours, gdb) else { return false };
        components.into_iter().enumerate().all(|(index, (name, value))| {
            let alone = self.says(&format!("{expression}%{name}"));
            // gdb expresses "not there" differently here: as an error.
            let refuses = alone.strip_prefix(REFUSED).is_some_and(|_| value.starts_with('<') && value.ends_with('>'));
            index == 0 || alone == value || refuses || is_too_long(&alone)
        })
    }

    fn has_empty_range(&mut self, name: &str) -> bool {
        let Ok(address) = self.judge.command("output/x $pc") else { return false };
        let Ok(scope) = self.judge.command(&format!("info scope *{address}")) else { return false };
        has_empty_range(&scope, name, &address)
    }
}

#[test]
fn only_what_gdb_says_itself_of_elements_is_explained() {
    let own = ["( n = 1, w = (5) )".to_owned(), "( n = 2, w = (6, 7) )".to_owned()];
    let (ours, gdb) = ("(( n = 1, w = (5) ), ( n = 2, w = (6, 7) ))", "(( n = 1, w = (5) ), ( n = 2, w = (6) ))");
    assert!(are_elements(ours, gdb, &own));
    assert!(!are_elements(&ours.replace('7', "8"), gdb, &own));
    assert!(!are_elements(ours, &gdb.replace('5', "4"), &own));
    assert!(!are_elements("()", gdb, &[]));
    assert_eq!(indices("Type cell (3)"), Some(1..=3));
    assert_eq!(indices("Type cell (-1:1)"), Some(-1..=1));
    for other in ["Type cell", "integer(kind=4) (3)", "Type cell (2,3)", "PTR TO -> ( Type cell (3) )", "Type cell (*)"]
    {
        assert_eq!(indices(other), None, "{other}");
    }
}

#[test]
fn only_what_is_behind_an_end_is_asked_for() {
    let long = "<error reading variable: value requires 9 bytes, which is more than max-value-size>";
    let ours = "( a = 1, t = ( x = 2, y = 'it, (' ), b = (4, 5), c = <not associated>, d = ( e = 6, f = 7 ) )";
    let gdb = format!("( a = 1, t = ( x = 2, y = 'it, (' ), b = {long}");
    let behind = [("b", "(4, 5)"), ("c", "<not associated>"), ("d", "( e = 6, f = 7 )")];
    assert_eq!(behind_the_end(ours, &gdb), Some(behind.to_vec()));
    assert_eq!(behind_the_end(&ours.replace('1', "2"), &gdb), None);
    assert_eq!(behind_the_end(ours, &format!("( a = 1, t = ( x = {long}")), None);
    assert_eq!(behind_the_end(ours, &gdb.replace("more than", "less than")), None);
}

#[test]
fn empty_ranges_are_those_of_the_variable() {
    let scope = "Symbol q is multi-location:\n  Range 0x20-0x24: a variable in $rdi\nSymbol p is multi-location:\n  \
                 Base address 0x20  Range 0x20-0x20: a variable in $rdi\n  Range 0x20-0x24: a variable in $rax\n";
    assert!(has_empty_range(scope, "p", "0x20"));
    assert!(!has_empty_range(scope, "q", "0x20"));
    assert!(!has_empty_range(scope, "p", "0x24"));
}
