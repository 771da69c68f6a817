//! Conditions of `if` and `while`: an expression, and how the ranks' results are combined.

use std::fmt;

/// How the results of the ranks decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// All ranks have to agree.
    Agree,
    /// True if it is true on some rank.
    Any,
    /// True if it is true on every rank.
    All,
    /// True if the number of ranks on which it is true compares like this.
    Count(Relation, u64),
}

/// A comparison of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
}

impl Relation {
    /// Those of two signs come first: one of them begins like one of one sign.
    const ALL: [(Self, &'static str); 6] = [
        (Self::LessOrEqual, "<="),
        (Self::GreaterOrEqual, ">="),
        (Self::Equal, "=="),
        (Self::NotEqual, "!="),
        (Self::Less, "<"),
        (Self::Greater, ">"),
    ];

    /// Splits it off the start of a text.
    fn split(text: &str) -> Option<(Self, &str)> {
        Self::ALL.iter().find_map(|(relation, sign)| Some((*relation, text.strip_prefix(sign)?.trim_start())))
    }

    /// Compares two numbers.
    pub fn holds<T: PartialOrd>(self, left: T, right: T) -> bool {
        match self {
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::GreaterOrEqual => left >= right,
            Self::Greater => left > right,
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = Self::ALL.iter().find(|(relation, _)| relation == self).map_or("", |(_, sign)| sign);
        f.write_str(sign)
    }
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// How the results of the ranks decide.
    pub combine: Combine,
    /// The expression that each rank evaluates.
    pub expression: String,
}

/// A condition that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ConditionError {
    /// The fault.
    pub message: &'static str,
    /// The byte at which it is.
    pub at: usize,
}

impl Condition {
    /// Parses what [`fmt::Display`] writes. `any`, `all` and `count` mean the ranks only before a brace: a program may
    /// have variables of these names.
    pub fn parse(text: &str) -> Result<Self, ConditionError> {
        let text = text.trim_end();
        let fault = |at: usize, message| Err(ConditionError { message, at });
        let word = ["any", "all", "count"].into_iter().find_map(|word| {
            let rest = text.strip_prefix(word)?.trim_start();
            Some((word, rest.strip_prefix('{')?))
        });
        let Some((word, inside)) = word else {
            return match text {
                "" => fault(0, "expected a condition"),
                _ => Ok(Self { combine: Combine::Agree, expression: text.to_owned() }),
            };
        };
        let begin = text.len() - inside.len();
        let Some(end) = closing_brace(inside) else { return fault(text.len(), "expected \"}\"") };
        let expression = inside.get(..end).unwrap_or("").trim().to_owned();
        if expression.is_empty() {
            return fault(begin, "expected an expression");
        }
        let after = inside.get(end + 1..).unwrap_or("");
        let rest = after.trim_start();
        let place = text.len() - rest.len();
        let combine = match word {
            "count" => {
                let Some((relation, digits)) = Relation::split(rest) else {
                    return fault(place, "expected a comparison: count {EXPRESSION} > NUMBER");
                };
                match digits.parse() {
                    Ok(number) => Combine::Count(relation, number),
                    Err(_) => return fault(text.len() - digits.len(), "expected a number of ranks"),
                }
            }
            _ if !rest.is_empty() => return fault(place, "unexpected text after \"}\""),
            "any" => Combine::Any,
            _ => Combine::All,
        };
        Ok(Self { combine, expression })
    }

    /// Returns the value of a condition without names, such as `1` or `2 == 3`: no rank is needed for it.
    pub fn constant(&self) -> Option<bool> {
        if self.combine != Combine::Agree {
            return None;
        }
        let text = self.expression.as_str();
        let text = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text).trim();
        let length = text.char_indices().position(|(at, c)| !(c.is_ascii_digit() || at == 0 && c == '-'));
        let (first, rest) = text.split_at(length.unwrap_or(text.len()));
        let first: i64 = first.parse().ok()?;
        let rest = rest.trim_start();
        if rest.is_empty() {
            return Some(first != 0);
        }
        let (relation, second) = Relation::split(rest)?;
        Some(relation.holds(first, second.parse().ok()?))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expression = &self.expression;
        match self.combine {
            Combine::Agree => f.write_str(expression),
            Combine::Any => write!(f, "any {{{expression}}}"),
            Combine::All => write!(f, "all {{{expression}}}"),
            Combine::Count(relation, number) => write!(f, "count {{{expression}}} {relation} {number}"),
        }
    }
}

/// Returns the byte of the brace that closes an expression, outside quotes.
fn closing_brace(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0_u32, false, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' if !escaped => quoted = !quoted,
            '{' if !quoted => depth += 1,
            '}' if !quoted && depth == 0 => return Some(at),
            '}' if !quoted => depth -= 1,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_condition_says_how_ranks_are_combined() {
        let parsed = |text| Condition::parse(text).map(|condition| (condition.combine, condition.expression));
        assert_eq!(parsed("x > 3"), Ok((Combine::Agree, "x > 3".into())));
        assert_eq!(parsed("any(x)"), Ok((Combine::Agree, "any(x)".into())));
        assert_eq!(parsed("any {x[f{1}] == \"}\"}"), Ok((Combine::Any, "x[f{1}] == \"}\"".into())));
        assert_eq!(parsed("all{x}"), Ok((Combine::All, "x".into())));
        assert_eq!(parsed("count { x } >= 12"), Ok((Combine::Count(Relation::GreaterOrEqual, 12), "x".into())));
        let fault = |text| Condition::parse(text).map_err(|error| (error.at, error.message)).unwrap_err();
        assert_eq!(fault(""), (0, "expected a condition"));
        assert_eq!(fault("any {x"), (6, "expected \"}\""));
        assert_eq!(fault("any {x} > 3"), (8, "unexpected text after \"}\""));
        assert_eq!(fault("count {x}"), (9, "expected a comparison: count {EXPRESSION} > NUMBER"));
        assert_eq!(fault("count {x} > y"), (12, "expected a number of ranks"));
        assert_eq!(fault("all {}"), (5, "expected an expression"));
    }

    #[test]
    fn constants_need_no_rank() {
        let constant = |text| Condition::parse(text).unwrap().constant();
        assert_eq!((constant("1"), constant("0"), constant("(1)")), (Some(true), Some(false), Some(true)));
        assert_eq!(
            (constant("2 == 2"), constant("2>=3"), constant("-1 != -1")),
            (Some(true), Some(false), Some(false))
        );
        assert_eq!(
            (constant("x"), constant("1 + 1"), constant("any {1}"), constant("1 == x")),
            (None, None, None, None)
        );
    }

    proptest! {
        #[test]
        fn conditions_survive_being_written_and_read(
            kind in 0..4, relation in 0..6_usize, number: u64, expression in "[a-z][a-z0-9<>=&+]{0,10}",
        ) {
            let combine = match kind {
                0 => Combine::Agree,
                1 => Combine::Any,
                2 => Combine::All,
                _ => Combine::Count(Relation::ALL[relation].0, number),
            };
            let condition = Condition { combine, expression };
            prop_assert_eq!(Condition::parse(&condition.to_string()), Ok(condition));
        }

        #[test]
        fn no_text_is_too_strange_for_a_condition(text in "\\PC*") {
            if let Ok(condition) = Condition::parse(&text) {
                condition.constant();
                prop_assert_eq!(Condition::parse(&condition.to_string()), Ok(condition));
            }
        }
    }
}
