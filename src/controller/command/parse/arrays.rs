//! Arguments of the commands that measure arrays.

use crate::command::arguments::Arguments;
use crate::command::line_error::LineError;
use crate::command::{Command, DataCommand};
use model::{Relation, ScanCondition};

/// The conditions of `scan`, for its errors.
const CONDITIONS: &str = "nan, inf, denormal, < V, > V, == V or != V";

pub(in crate::command) fn stats(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(DataCommand::Stats(arguments.required_rest("an expression")?.to_owned()).into())
}

pub(in crate::command) fn array(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(DataCommand::Array(arguments.required_rest("an expression")?.to_owned()).into())
}

pub(in crate::command) fn scan(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.required_rest("an expression")?;
    let Some((expression, condition)) = split(text) else {
        return Err(
            arguments.fault(at + text.len(), format!("expected a condition after the expression: {CONDITIONS}"))
        );
    };
    if expression.is_empty() {
        return Err(arguments.fault(at, "expected an expression before the condition"));
    }
    if let ScanCondition::Compared(relation, value) = &condition
        && value.is_empty()
    {
        return Err(arguments.fault(at + text.len(), format!("expected a value after {}", relation.sign())));
    }
    Ok(DataCommand::Scan(expression.to_owned(), condition).into())
}

/// Parses the condition of a search: `nan`, `> 1e3`.
pub fn scan_condition(text: &str) -> Result<ScanCondition, String> {
    match split(text) {
        Some((before, _)) if !before.is_empty() => Err(format!("expected only a condition: {CONDITIONS}")),
        Some((_, ScanCondition::Compared(relation, value))) if value.is_empty() => {
            Err(format!("expected a value after {}", relation.sign()))
        }
        Some((_, condition)) => Ok(condition),
        None => Err(format!("expected a condition: {CONDITIONS}")),
    }
}

/// Splits a text at its condition, which is the last word or begins with the last comparison outside of brackets.
fn split(text: &str) -> Option<(&str, ScanCondition)> {
    let (before, last) = text.rsplit_once(char::is_whitespace).unwrap_or(("", text));
    if let Some((_, condition)) = ScanCondition::WORDS.into_iter().find(|(word, _)| *word == last) {
        return Some((before.trim_end(), condition));
    }
    let (at, relation) = last_comparison(text)?;
    let (expression, rest) = text.split_at_checked(at)?;
    let value = rest.strip_prefix(relation.sign())?.trim().to_owned();
    Some((expression.trim_end(), ScanCondition::Compared(relation, value)))
}

fn last_comparison(text: &str) -> Option<(usize, Relation)> {
    let mut found = None;
    let (mut depth, mut quote) = (0_u32, None);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let at = text.len() - rest.len();
        // Shifts and arrows are no comparisons.
        let other = ["<<", ">>", "->", "=>"].into_iter().find(|sign| rest.starts_with(sign));
        let relation = Relation::ALL.into_iter().find(|relation| rest.starts_with(relation.sign()));
        let mut length = c.len_utf8();
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ => match (other, relation) {
                (Some(sign), _) => length = sign.len(),
                (None, Some(relation)) => {
                    found = Some((at, relation));
                    length = relation.sign().len();
                }
                (None, None) => {}
            },
        }
        rest = rest.get(length..)?;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_split_from_its_expression() {
        for (text, expression, condition) in [
            ("u nan", "u", "nan"),
            ("p[0]@(n << 1) inf", "p[0]@(n << 1)", "inf"),
            ("u(1:10, :) denormal", "u(1:10, :)", "denormal"),
            ("g->u<1e-3", "g->u", "< 1e-3"),
            ("g->u >= a->b", "g->u", ">= a->b"),
            ("u == n << 2", "u", "== n << 2"),
            ("u[a < b]@10 != 'x'", "u[a < b]@10", "!= 'x'"),
            ("v > -1", "v", "> -1"),
            ("nan < 3", "nan", "< 3"),
            (" nan", "", "nan"),
            ("> 3", "", "> 3"),
            ("u >", "u", "> "),
        ] {
            let (split_expression, split_condition) = split(text).unwrap();
            assert_eq!((split_expression, split_condition.to_string().as_str()), (expression, condition), "{text}");
        }
        assert_eq!(scan_condition(" nan ".trim()), Ok(ScanCondition::NotANumber));
        assert_eq!(scan_condition(">= a->b").map(|condition| condition.to_string()).as_deref(), Ok(">= a->b"));
        for text in ["u nan", "5", ">", "a < b"] {
            assert!(scan_condition(text).is_err(), "{text}");
        }
        for text in ["u", "p->u", "u(1 < 2)", "u >> 1", "'<'", "é"] {
            assert_eq!(split(text), None, "{text}");
        }
    }
}
