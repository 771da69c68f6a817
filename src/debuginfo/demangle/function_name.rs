//! Names of functions as users write them and as symbols have them, and how to match the two.

use super::canonical::canonical;
use model::QUALIFIED;
use model::aif::as_gdb_spells;

/// A function's name in parts, without insignificant blanks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FunctionName {
    /// Namespaces, classes, and the function last.
    parts: Vec<String>,
    /// `(int,char*)const`, if parameters were given.
    parameters: Option<String>,
    /// True if all scopes were given (`-qualified`).
    is_whole: bool,
}

const OPERATOR: &str = "operator";
const ANONYMOUS: &str = "(anonymous namespace)";

impl FunctionName {
    pub(crate) fn parse(text: &str) -> Self {
        let text = text.trim();
        let whole = text.strip_prefix(QUALIFIED);
        Self { is_whole: whole.is_some(), ..Self::parts_of(whole.unwrap_or(text).trim_start_matches("::")) }
    }

    fn parts_of(text: &str) -> Self {
        let (mut parts, mut current, mut depth) = (Vec::new(), String::new(), 0_u32);
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let Some(next) = rest.chars().next() else { break };
            if depth == 0 && starts_operator(&current, rest) {
                let length = operator_length(rest);
                let name = rest.get(..length).unwrap_or(rest);
                current.push_str(&operator_name(name));
                at += name.len();
                continue;
            }
            if depth == 0 && current.is_empty() && rest.starts_with(ANONYMOUS) {
                current.push_str(ANONYMOUS);
                at += ANONYMOUS.len();
                continue;
            }
            match next {
                ':' if depth == 0 && rest.starts_with("::") => {
                    parts.push(std::mem::take(&mut current));
                    at += 2;
                    continue;
                }
                '(' if depth == 0 && !current.is_empty() => {
                    let length = enclosed(rest);
                    let behind = rest.get(length..).unwrap_or_default();
                    let qualifiers = behind.find("::").and_then(|end| behind.get(..end));
                    // For a function with a declaration inside, only the name counts.
                    match qualifiers.filter(|words| words.trim().is_empty() || is_qualifier(words)) {
                        Some(words) => {
                            at += length + words.len();
                            continue;
                        }
                        None => {
                            parts.push(current);
                            return Self::new(parts, Some(parameters(rest, length)));
                        }
                    }
                }
                '<' | '{' | '[' | '(' => depth += 1,
                '>' if depth > 0 && current.ends_with('-') => {}
                '>' | '}' | ']' | ')' => depth = depth.saturating_sub(1),
                c if c.is_whitespace() && depth == 0 => {
                    let behind = rest.trim_start();
                    if !current.is_empty() && is_qualifier(behind) {
                        break;
                    }
                    // The text before a blank is the return type.
                    if !behind.is_empty() && !behind.starts_with(['(', '<', ':']) && !current.is_empty() {
                        parts.clear();
                        current.clear();
                    }
                    at += next.len_utf8();
                    continue;
                }
                _ => {}
            }
            current.push(next);
            at += next.len_utf8();
        }
        parts.push(current);
        Self::new(parts, None)
    }

    fn new(parts: Vec<String>, parameters: Option<String>) -> Self {
        let parts = parts.into_iter().map(|part| squeezed(&canonical(&part))).collect();
        Self { parts, parameters, is_whole: false }
    }

    /// Returns the name without scopes and template arguments.
    pub(crate) fn base(&self) -> &str {
        self.parts.last().map_or("", |last| without_arguments(last))
    }

    pub(crate) fn has_parameters(&self) -> bool {
        self.parameters.is_some()
    }

    /// Compares the last scopes, and template arguments only if `wanted` has some.
    pub(crate) fn is_meant_by(&self, wanted: &Self) -> bool {
        let same = |(own, wanted): (&String, &String)| own == wanted || without_arguments(own) == wanted;
        let parameters = match (&self.parameters, &wanted.parameters) {
            (Some(own), Some(wanted)) => own == wanted,
            _ => true,
        };
        parameters
            && wanted.parts.len() <= self.parts.len()
            && (!wanted.is_whole || wanted.parts.len() == self.parts.len())
            && self.parts.iter().rev().zip(wanted.parts.iter().rev()).all(same)
    }
}

/// Returns `f` for `f<int>`, `operator==` for `operator==<int>`.
pub(crate) fn without_arguments(name: &str) -> &str {
    let from = if name.starts_with(OPERATOR) { operator_length(name) } else { 1 };
    let end = name.get(from..).and_then(|rest| rest.find('<')).map(|end| end + from);
    end.and_then(|end| name.get(..end)).map_or(name, str::trim_end)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn starts_operator(current: &str, rest: &str) -> bool {
    let behind = rest.strip_prefix(OPERATOR);
    current.is_empty() && behind.is_some_and(|behind| !behind.starts_with(is_word) && !behind.is_empty())
}

const SIGNS: &[&str] = &[
    "<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "->", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=",
    "-=", "*=", "/=", "%=", "^=", "&=", "|=", "+", "-", "*", "/", "%", "^", "&", "|", "~", "!", "=", "<", ">", ",",
];

/// Returns the length in bytes of an operator's name: its sign, or the type it converts to.
fn operator_length(text: &str) -> usize {
    let behind = text.strip_prefix(OPERATOR).unwrap_or_default();
    let blanks = behind.len() - behind.trim_start().len();
    let sign = behind.get(blanks..).unwrap_or_default();
    if let Some(sign) = SIGNS.iter().find(|known| sign.starts_with(**known)) {
        return OPERATOR.len() + blanks + sign.len();
    }
    text.find('(').unwrap_or(text.len())
}

/// Normalizes `operator==` and `operator int`.
fn operator_name(text: &str) -> String {
    let behind = text.strip_prefix(OPERATOR).unwrap_or_default().trim();
    let blank = if behind.starts_with(is_word) { " " } else { "" };
    format!("{OPERATOR}{blank}{behind}")
}

/// Returns the bytes up to the parenthesis that closes the first one.
fn enclosed(text: &str) -> usize {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

fn is_qualifier(words: &str) -> bool {
    words.split_whitespace().all(|word| matches!(word, "const" | "volatile" | "&" | "&&"))
}

/// Returns `(int,char*)const` for `(int, char *) const`, and treats `()` as `(void)`.
fn parameters(text: &str, length: usize) -> String {
    let inside = text.get(1..length.saturating_sub(1)).unwrap_or_default();
    let (mut all, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, c) in inside.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if inside.get(..at).is_some_and(|before| before.ends_with('-')) => {}
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                all.push(parameter(inside.get(start..at).unwrap_or_default()));
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(parameter(inside.get(start..).unwrap_or_default()));
    let all = if all == ["void"] { String::new() } else { all.join(",") };
    let behind = text.get(length..).unwrap_or_default();
    let behind = behind.split("[clone").next().unwrap_or_default();
    format!("({all}){}", squeezed(behind))
}

/// Returns a type with its qualifiers after the type they apply to.
fn parameter(text: &str) -> String {
    let mut rest = text.trim();
    let mut words = String::new();
    while let Some((word @ ("const" | "volatile"), behind)) = rest.split_once(' ') {
        words.push_str(word);
        rest = behind.trim_start();
    }
    let mut depth = 0_u32;
    let end = rest.char_indices().find_map(|(at, c)| match c {
        '*' | '&' | '(' if depth == 0 && !rest.get(at..).unwrap_or_default().starts_with(ANONYMOUS) => Some(at),
        '<' | '(' => {
            depth += 1;
            None
        }
        '>' | ')' => {
            depth = depth.saturating_sub(1);
            None
        }
        _ => None,
    });
    let (base, signs) = rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or((rest, ""));
    let base = squeezed(&as_gdb_spells(&canonical(base.trim())));
    // The one alias that is always abbreviated.
    let base =
        base.replace("std::__cxx11::basic_string<char,std::char_traits<char>,std::allocator<char>>", "std::string");
    format!("{base}{words}{}", squeezed(signs))
}

/// Removes blanks next to punctuation.
fn squeezed(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    let mut blank = false;
    for c in text.trim().chars() {
        if c.is_whitespace() {
            blank = true;
            continue;
        }
        if blank && is_word(c) && squeezed.ends_with(is_word) {
            squeezed.push(' ');
        }
        blank = false;
        squeezed.push(c);
    }
    // Compilers differ between `char const` and `charconst`.
    squeezed.replace(" const", "const").replace(" volatile", "volatile")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> FunctionName {
        FunctionName::parse(text)
    }

    #[test]
    fn names_are_taken_apart() {
        for (text, parts, parameters) in [
            ("f", &["f"][..], None),
            ("::ns::f(int)", &["ns", "f"], Some("(int)")),
            ("f ( void )", &["f"], Some("()")),
            ("int ns::add<int>(int, int)", &["ns", "add<int>"], Some("(int,int)")),
            ("A::operator()", &["A", "operator()"], None),
            ("A::operator()(int) const", &["A", "operator()"], Some("(int)const")),
            ("Option<A>::map<fn(A) -> B>", &["Option<A>", "map<fn(A)->B>"], None),
            ("call<fn(A) -> B>(fn(A) -> B, int)", &["call<fn(A)->B>"], Some("(fn(A)->B,int)")),
            ("operator< <int>", &["operator<<int>"], None),
            ("A::operator unsigned long() const", &["A", "operator unsigned long"], Some("()const")),
            ("(anonymous namespace)::hidden(int)", &["(anonymous namespace)", "hidden"], Some("(int)")),
            (
                "main::{lambda(int)#1}::operator()(int) const",
                &["main", "{lambda(int)#1}", "operator()"],
                Some("(int)const"),
            ),
            ("main()::{lambda(int)#1}::operator()", &["main", "{lambda(int)#1}", "operator()"], None),
            ("A::m(int) const::Local::f()", &["A", "m", "Local", "f"], Some("()")),
            ("ns::Box<std::vector<int> >::~Box()", &["ns", "Box<std::vector<int>>", "~Box"], Some("()")),
            ("main::{lambda(int)#1}::operator() const", &["main", "{lambda(int)#1}", "operator()"], None),
            ("operators(int)", &["operators"], Some("(int)")),
            ("", &[""], None),
        ] {
            let found = name(text);
            assert_eq!(
                (found.parts.as_slice(), found.parameters.as_deref()),
                (parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>().as_slice(), parameters),
                "{text}"
            );
        }
    }

    #[test]
    fn parameters_are_the_same_however_they_are_written() {
        for (one, other) in [
            ("f(const char *const *)", "f(char const* const*)"),
            ("f(unsigned long, int (*)(int))", "f(long unsigned int, int (*) (int))"),
            (
                "f(const std::string &)",
                "f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)",
            ),
            ("f(const Box<const int> &)", "f(Box<int const> const&)"),
        ] {
            assert_eq!(name(one), name(other));
        }
        assert_ne!(name("m(int)"), name("m(int) const"));
    }

    #[test]
    fn the_last_scopes_are_enough() {
        let own = name("ns::Box<int>::get(char) const");
        for wanted in
            ["get", "Box::get", "Box<int>::get", "ns::Box::get", "ns::Box<int>::get(char) const", "get(char) const"]
        {
            assert!(own.is_meant_by(&name(wanted)), "{wanted}");
        }
        for wanted in ["Box", "ns::get", "Box<char>::get", "get(int)", "x::ns::Box<int>::get", "et", "get(char)", ""] {
            assert!(!own.is_meant_by(&name(wanted)), "{wanted}");
        }
        for (wanted, is_meant) in [("ns::Box::get", true), ("Box::get", false), ("get(char) const", false)] {
            assert_eq!(own.is_meant_by(&name(&format!("-qualified {wanted}"))), is_meant, "{wanted}");
        }
        assert!(name("A::operator==<int>(A const&)").is_meant_by(&name("operator==")));
        assert_eq!(without_arguments("operator==<int>"), "operator==");
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_some_name(text in "[a-z:<>(){}~ ,*&]{0,40}|operator[^a]{0,12}") {
            let found = name(&text);
            proptest::prop_assert!(found.is_meant_by(&found));
        }
    }
}
