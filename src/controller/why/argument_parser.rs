//! Parses arguments as integer expressions.

use super::arithmetic::{Operator, Term};
use super::call_text::Language;

/// Longer expressions are not arguments that people write.
const LONGEST: usize = 512;

impl Term {
    pub(super) fn parse(text: &str, language: Language) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let mut parser = Parser { rest: text.trim(), language, depth: 0 };
        let term = parser.expression()?;
        parser.rest.is_empty().then_some(term)
    }
}

struct Parser<'a> {
    rest: &'a str,
    language: Language,
    depth: usize,
}

/// Binary operators of C, the weakest first.
const LEVELS: [&[(&str, Operator)]; 10] = [
    &[("||", Operator::Either)],
    &[("&&", Operator::Both)],
    &[("|", Operator::Or)],
    &[("^", Operator::Xor)],
    &[("&", Operator::And)],
    &[("==", Operator::Equal), ("!=", Operator::NotEqual)],
    &[("<=", Operator::LessOrEqual), (">=", Operator::GreaterOrEqual), ("<", Operator::Less), (">", Operator::Greater)],
    &[("<<", Operator::ShiftLeft), (">>", Operator::ShiftRight)],
    &[("+", Operator::Plus), ("-", Operator::Minus)],
    &[("*", Operator::Times), ("/", Operator::Divided), ("%", Operator::Remainder)],
];

/// The words of types of integers that arguments are cast to.
const INTEGERS: [&str; 16] = [
    "int",
    "long",
    "short",
    "char",
    "unsigned",
    "signed",
    "const",
    "size_t",
    "ssize_t",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint32_t",
    "uint64_t",
    "ptrdiff_t",
];

/// Deeper expressions are not arguments that people write.
const DEEPEST: usize = 32;

impl<'a> Parser<'a> {
    fn skip(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    /// Reads `a ? b : c`, or an expression without it.
    fn expression(&mut self) -> Option<Term> {
        let condition = self.binary(0)?;
        if self.language == Language::Fortran || !self.skip("?") {
            return Some(condition);
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let then = self.expression()?;
        if !self.skip(":") {
            return None;
        }
        let otherwise = self.expression()?;
        self.depth -= 1;
        Some(Term::Choice(Box::new(condition), Box::new(then), Box::new(otherwise)))
    }

    fn binary(&mut self, level: usize) -> Option<Term> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        loop {
            let is_c = self.language != Language::Fortran;
            let found = operators.iter().find(|(sign, operator)| {
                let fits =
                    is_c || matches!(operator, Operator::Plus | Operator::Minus | Operator::Times | Operator::Divided);
                // Not `&=`, `->`, `**` and the like, nor a part of `&&` or `<<=`.
                let behind = self.rest.strip_prefix(sign).and_then(|rest| rest.chars().next());
                let continues = match behind {
                    Some('=') => true,
                    Some(next @ ('&' | '|' | '<' | '>')) => sign.ends_with(next) || *sign == "-",
                    Some('*' | '/') => true,
                    _ => false,
                };
                fits && self.rest.starts_with(sign) && !continues
            });
            let Some((sign, operator)) = found else { return Some(left) };
            self.skip(sign);
            left = Term::Binary(*operator, Box::new(left), Box::new(self.binary(level + 1)?));
        }
    }

    fn unary(&mut self) -> Option<Term> {
        self.depth += 1;
        if self.depth > DEEPEST || self.rest.starts_with("--") || self.rest.starts_with("++") {
            return None;
        }
        let term = if self.skip("-") {
            Term::Minus(Box::new(self.unary()?))
        } else if self.skip("+") {
            self.unary()?
        } else if self.language != Language::Fortran && self.rest.starts_with(['!', '~']) {
            let is_not = self.skip("!");
            let term = if is_not || self.skip("~") { Box::new(self.unary()?) } else { return None };
            if is_not { Term::Not(term) } else { Term::Complement(term) }
        } else if self.skip_cast() {
            self.unary()?
        } else if self.skip("(") {
            let inner = self.expression()?;
            if !self.skip(")") {
                return None;
            }
            inner
        } else if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            self.number()?
        } else {
            self.name()?
        };
        self.depth -= 1;
        Some(term)
    }

    /// Skips `(int)` and other casts to types of integers; arguments that are too large for them are rare.
    fn skip_cast(&mut self) -> bool {
        let is_type = |words: &str| {
            let mut words = words.split_whitespace().peekable();
            words.peek().is_some() && words.all(|word| INTEGERS.contains(&word))
        };
        let inner = self.rest.strip_prefix('(').filter(|_| self.language != Language::Fortran);
        let Some((words, rest)) = inner.and_then(|inner| inner.split_once(')')) else { return false };
        let is_cast = is_type(words);
        if is_cast {
            self.rest = rest.trim_start();
        }
        is_cast
    }

    /// Reads `static_cast<int>(x)`, whose name has been read.
    fn static_cast(&mut self) -> Option<Term> {
        let (words, rest) = self.rest.strip_prefix('<')?.split_once('>')?;
        let (cast, inner) = (format!("({words})"), rest.trim_start());
        let is_cast = Parser { rest: &cast, language: self.language, depth: 0 }.skip_cast();
        self.rest = inner;
        (is_cast && inner.starts_with('(')).then(|| self.unary())?
    }

    fn number(&mut self) -> Option<Term> {
        let (digits, rest) = self.word();
        self.rest = rest.trim_start();
        let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
        let number = match (digits.strip_prefix("0x"), digits.strip_prefix('0')) {
            (Some(hex), _) => i64::from_str_radix(hex, 16).ok()?,
            (None, Some(octal)) if !octal.is_empty() && self.language != Language::Fortran => {
                i64::from_str_radix(octal, 8).ok()?
            }
            _ => digits.parse().ok()?,
        };
        Some(Term::Number(number))
    }

    fn word(&self) -> (&'a str, &'a str) {
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        self.rest.split_at(end)
    }

    fn name(&mut self) -> Option<Term> {
        let start = self.rest;
        let (word, rest) = self.word();
        if word.is_empty() {
            return None;
        }
        self.rest = rest.trim_start();
        if self.language == Language::Fortran && self.rest.starts_with('(') {
            return self.intrinsic(word);
        }
        if self.language == Language::Cpp && word == "static_cast" {
            return self.static_cast();
        }
        loop {
            let is_member = match self.language {
                Language::C => self.skip(".") || self.skip("->"),
                // Any other arrow, and any index, may be an operator of a class, which would run.
                Language::Cpp => {
                    self.skip("::") || self.skip(".") || (start.starts_with("this->") && self.skip_this(start))
                }
                Language::Fortran => self.skip("%"),
            };
            if is_member {
                let (word, rest) = self.word();
                if word.is_empty() {
                    return None;
                }
                self.rest = rest.trim_start();
            } else if self.language == Language::C && self.skip("[") {
                self.binary(0)?;
                if !self.skip("]") {
                    return None;
                }
            } else {
                break;
            }
        }
        if self.language == Language::Cpp && self.rest.starts_with('[') {
            return self.element(start);
        }
        // A call, an assignment, or an increment.
        if ["(", "[", "->", "++", "--"].iter().any(|sign| self.rest.starts_with(sign)) {
            return None;
        }
        let length = start.len() - self.rest.len();
        Some(Term::Name(start.get(..length)?.trim_end().to_owned()))
    }

    /// Reads the index of an element of a `std::vector` or `std::array`, and names its place in the memory of those of
    /// the GNU library: nothing of these names can be an operator.
    fn element(&mut self, start: &str) -> Option<Term> {
        let name = start.get(..start.len() - self.rest.len())?.trim_end();
        self.skip("[");
        let from = self.rest;
        let index = self.binary(0)?;
        let index_text = from.get(..from.len() - self.rest.len())?.trim_end();
        let mut inner = Vec::new();
        index.names(&mut inner);
        let is_plain = !inner.iter().any(|name| name.contains('[')) && !index_text.contains("static_cast");
        if !is_plain || !self.skip("]") {
            return None;
        }
        if ["(", "[", ".", "->", "++", "--"].iter().any(|sign| self.rest.starts_with(sign)) {
            return None;
        }
        Some(Term::OneOf(["_M_impl._M_start", "_M_elems"].map(|part| format!("{name}.{part}[{index_text}]")).to_vec()))
    }

    /// Skips the arrow of `this->`, once.
    fn skip_this(&mut self, start: &str) -> bool {
        start.len() - self.rest.len() == "this".len() && self.skip("->")
    }

    /// Reads `mod(a, b)`, `modulo(a, b)` or `int(a)`; other functions, and elements of arrays that look like them, are unknown.
    fn intrinsic(&mut self, name: &str) -> Option<Term> {
        let operator = match name.to_ascii_lowercase().as_str() {
            "int" => {
                self.skip("(");
                let inner = self.binary(0)?;
                return self.skip(")").then_some(inner);
            }
            "mod" => Operator::Remainder,
            "modulo" => Operator::Modulo,
            _ => return None,
        };
        let open = self.skip("(");
        let left = self.binary(0)?;
        let comma = self.skip(",");
        let right = self.binary(0)?;
        (open && comma && self.skip(")")).then(|| Term::Binary(operator, Box::new(left), Box::new(right)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(text: &str, language: Language) -> Option<i64> {
        let of = |name: &str| match name {
            "rank" | "this->rank" | "grid->rank" | "g%rank" | "ns::rank" => Some(5),
            "size" | "g.size" | "sizes[rank - 5]" | "g.sizes._M_impl._M_start[rank - 5]" => Some(6),
            _ => None,
        };
        Term::parse(text, language)?.value(&of)
    }

    #[test]
    fn arguments_are_computed_from_variables() {
        for (text, expected) in [
            ("rank", Some(5)),
            ("(rank + 1) % size", Some(0)),
            ("rank^1", Some(4)),
            ("-1", Some(-1)),
            ("0x10|1", Some(17)),
            ("010", Some(8)),
            ("2 + 3 * 4 - -1", Some(15)),
            ("grid->rank - g.size", Some(-1)),
            ("sizes[rank - 5]", Some(6)),
            ("7 / 0", None),
            ("unknown", None),
            ("rank == 5 ? 1 : unknown", Some(1)),
            ("rank > 5 ? unknown : rank < size ? 2 : 3", Some(2)),
            ("(rank & 1) != 0 && rank >= 5 || unknown", Some(1)),
            ("(int)rank + (unsigned long) 1", Some(6)),
            ("!rank + ~0 + (1 << 4 >> 1)", Some(7)),
            ("rank <= 4", Some(0)),
        ] {
            assert_eq!(value(text, Language::C), expected, "{text}");
        }
        assert_eq!(value("mod(rank + 1, size)", Language::Fortran), Some(0));
        assert_eq!(value("modulo(0 - 1, size)", Language::Fortran), Some(5));
        assert_eq!(value("int(rank) + 1", Language::Fortran), Some(6));
        assert_eq!(value("static_cast<int>(ns::rank) - 1", Language::Cpp), Some(4));
        assert_eq!(value("g%rank - 1", Language::Fortran), Some(4));
        assert_eq!(value("this->rank + ns::rank", Language::Cpp), Some(10));
        assert_eq!(value("g.sizes[rank - 5] - 1", Language::Cpp), Some(5));
    }

    #[test]
    fn nothing_that_may_run_code_is_evaluated() {
        for text in [
            "f()",
            "f(rank)",
            "rank++",
            "--rank",
            "rank = 1",
            "rank += 1",
            "a[i++]",
            "a[f()]",
            "x ? 1",
            "x ? f() : 2",
            "(Wrapper)x",
            "a <<= b",
            "*p",
            "\"x\"",
            "",
        ] {
            assert_eq!(Term::parse(text, Language::C), None, "{text}");
        }
        for text in ["p->rank", "v[f()]", "this->p->rank", "static_cast<Id>(x)", "f<int>()", "std::next(i)"] {
            assert_eq!(Term::parse(text, Language::Cpp), None, "{text}");
        }
        for text in ["partner(1)", "next()", "2**3", "a%b(1)"] {
            assert_eq!(Term::parse(text, Language::Fortran), None, "{text}");
        }
    }

    #[test]
    fn endless_expressions_are_unknown() {
        for text in [
            "1+".repeat(500_000) + "1",
            "(".repeat(1_000_000),
            "1?".repeat(200),
            "!".repeat(400),
            "-".repeat(1_000_000),
            "a[".repeat(200),
        ] {
            assert_eq!(Term::parse(&text, Language::C), None);
        }
        for text in ["a[f()]", "a[b[0]]", "a[0]->c", "a[0]()", "a[0][1]", "a[i++]", "a[static_cast<int>(b)]"] {
            assert_eq!(Term::parse(text, Language::Cpp), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "[a-b0-9+*/%&|^()\\[\\]<>:., -]{0,40}") {
            for language in [Language::C, Language::Cpp, Language::Fortran] {
                if let Some(term) = Term::parse(&text, language) {
                    term.value(&|_| Some(3));
                }
            }
        }

        #[test]
        fn what_is_evaluated_contains_no_call_and_no_assignment(text in "[ab(),=+.\\[\\]>-]{0,20}") {
            let mut names = Vec::new();
            if let Some(term) = Term::parse(&text, Language::C) {
                term.names(&mut names);
            }
            for name in names {
                prop_assert!(!name.contains(['=', ',']) && !name.contains("++") && !name.contains("--"), "{}", name);
                prop_assert!(!name.contains('(') || name.contains('['), "{}", name);
            }
        }
    }
}
