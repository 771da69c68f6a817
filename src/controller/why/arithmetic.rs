//! Arguments as integer expressions. Only names are evaluated in the program, and only those that run no code there.

use super::call_text::Language;

/// An integer expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Number(i64),
    /// A variable, such as `grid->left[i]`.
    Name(String),
    Minus(Box<Term>),
    Binary(Operator, Box<Term>, Box<Term>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Plus,
    Minus,
    Times,
    Divided,
    Remainder,
    /// Fortran's `modulo`: with the sign of the divisor.
    Modulo,
    And,
    Or,
    Xor,
}

/// Longer expressions are not arguments that people write.
const LONGEST: usize = 512;

impl Term {
    pub(super) fn parse(text: &str, language: Language) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let mut parser = Parser { rest: text.trim(), language, depth: 0 };
        let term = parser.binary(0)?;
        parser.rest.is_empty().then_some(term)
    }

    /// Adds the names that it contains.
    pub(super) fn names(&self, into: &mut Vec<String>) {
        match self {
            Self::Number(_) => {}
            Self::Name(name) => into.push(name.clone()),
            Self::Minus(term) => term.names(into),
            Self::Binary(_, left, right) => {
                left.names(into);
                right.names(into);
            }
        }
    }

    pub(super) fn value(&self, of: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Name(name) => of(name),
            Self::Minus(term) => term.value(of)?.checked_neg(),
            Self::Binary(operator, left, right) => {
                let (left, right) = (left.value(of)?, right.value(of)?);
                match operator {
                    Operator::Plus => left.checked_add(right),
                    Operator::Minus => left.checked_sub(right),
                    Operator::Times => left.checked_mul(right),
                    Operator::Divided => left.checked_div(right),
                    Operator::Remainder => left.checked_rem(right),
                    Operator::Modulo => {
                        let rest = left.checked_rem(right)?;
                        Some(if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest })
                    }
                    Operator::And => Some(left & right),
                    Operator::Or => Some(left | right),
                    Operator::Xor => Some(left ^ right),
                }
            }
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
    language: Language,
    depth: usize,
}

/// Binary operators of C, the weakest first.
const LEVELS: [&[(&str, Operator)]; 5] = [
    &[("|", Operator::Or)],
    &[("^", Operator::Xor)],
    &[("&", Operator::And)],
    &[("+", Operator::Plus), ("-", Operator::Minus)],
    &[("*", Operator::Times), ("/", Operator::Divided), ("%", Operator::Remainder)],
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

    fn binary(&mut self, level: usize) -> Option<Term> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        loop {
            let is_c = self.language != Language::Fortran;
            let found = operators.iter().find(|(sign, operator)| {
                let fits =
                    is_c || matches!(operator, Operator::Plus | Operator::Minus | Operator::Times | Operator::Divided);
                // Not `&&`, `->`, `**` and the like.
                let doubled = self.rest.get(1..2).is_some_and(|next| matches!(next, "&" | "|" | "*" | "=" | ">" | "/"));
                fits && self.rest.starts_with(sign) && !doubled
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
        } else if self.skip("(") {
            let inner = self.binary(0)?;
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
        // A call, an assignment, or an increment.
        if ["(", "[", "->", "++", "--"].iter().any(|sign| self.rest.starts_with(sign)) {
            return None;
        }
        let length = start.len() - self.rest.len();
        Some(Term::Name(start.get(..length)?.trim_end().to_owned()))
    }

    /// Skips the arrow of `this->`, once.
    fn skip_this(&mut self, start: &str) -> bool {
        start.len() - self.rest.len() == "this".len() && self.skip("->")
    }

    /// Reads `mod(a, b)` or `modulo(a, b)`; other functions, and elements of arrays that look like them, are unknown.
    fn intrinsic(&mut self, name: &str) -> Option<Term> {
        let operator = match name.to_ascii_lowercase().as_str() {
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
            "size" | "g.size" | "sizes[rank - 5]" => Some(6),
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
        ] {
            assert_eq!(value(text, Language::C), expected, "{text}");
        }
        assert_eq!(value("mod(rank + 1, size)", Language::Fortran), Some(0));
        assert_eq!(value("modulo(0 - 1, size)", Language::Fortran), Some(5));
        assert_eq!(value("g%rank - 1", Language::Fortran), Some(4));
        assert_eq!(value("this->rank + ns::rank", Language::Cpp), Some(10));
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
            "x ? 1 : 2",
            "(int)x",
            "a && b",
            "*p",
            "\"x\"",
            "",
        ] {
            assert_eq!(Term::parse(text, Language::C), None, "{text}");
        }
        for text in ["p->rank", "v[0]", "this->p->rank", "f<int>()", "std::next(i)"] {
            assert_eq!(Term::parse(text, Language::Cpp), None, "{text}");
        }
        for text in ["partner(1)", "next()", "2**3", "a%b(1)"] {
            assert_eq!(Term::parse(text, Language::Fortran), None, "{text}");
        }
    }

    #[test]
    fn endless_expressions_are_unknown() {
        for text in ["1+".repeat(500_000) + "1", "(".repeat(1_000_000), "-".repeat(1_000_000), "a[".repeat(200)] {
            assert_eq!(Term::parse(&text, Language::C), None);
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
