//! Expressions of printers: they only look. `$` names in them are those of the printer.

use crate::EvalError;
use crate::context::EvalContext;
use crate::expression::Expression;
use crate::value::Value;

/// Begins the names that stand for those with `$`: no program has them.
pub(super) const PREFIX: &str = "__printer_";

#[derive(Debug)]
pub(super) struct CheckedExpression(Expression);

impl CheckedExpression {
    /// Parses an expression; fails if it would change something, or has a `$` name that `knows` does not know.
    pub(super) fn parse(text: &str, knows: &dyn Fn(&str) -> bool) -> Result<Self, String> {
        let text = with_names(text, knows)?;
        let expression =
            Expression::parse(&text).map_err(|error| format!("{:?}: {error}", text.replace(PREFIX, "$")))?;
        if expression.changes_something() {
            return Err(format!("{text:?} would change something; a printer only looks"));
        }
        Ok(Self(expression))
    }

    pub(super) fn evaluate(&self, context: &EvalContext<'_>) -> Result<Value, EvalError> {
        self.0.evaluate(context)
    }

    pub(super) fn is_true(&self, context: &EvalContext<'_>) -> Result<bool, EvalError> {
        self.0.evaluate(context)?.as_bool(context)
    }
}

/// Replaces the `$` of names outside literals.
fn with_names(text: &str, knows: &dyn Fn(&str) -> bool) -> Result<String, String> {
    let mut out = String::new();
    let (mut quote, mut escaped) = (None, false);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '$') => {
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
                let (name, after) = rest.split_at(end);
                if !knows(name) {
                    return Err(format!("${name} is no name of a printer here"));
                }
                out.push_str(PREFIX);
                out.push_str(name);
                rest = after;
                continue;
            }
            (None, _) => {}
        }
        out.push(c);
    }
    Ok(out)
}
