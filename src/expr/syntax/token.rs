//! A token of an expression.

use crate::EvalError;
use crate::long_double::Real;
use debuginfo::types::builtin::Builtin;
use model::ErrorCode;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    /// A name or keyword, `::` included.
    Word(Arc<str>),
    /// `$rip`, stored without the dollar.
    Register(Arc<str>),
    Integer(u64, Builtin),
    Float(Real, Builtin),
    /// A character constant; its type gives the width.
    Character(u32, Builtin),
    /// A string literal, and the type of its elements.
    Text(Vec<u32>, Builtin),
    /// An operator or bracket.
    Sign(&'static str),
}

/// Returns a syntax error in gdb's words: it quotes the text from `position` on, counted in characters.
pub(crate) fn syntax_error(text: &str, position: u32) -> EvalError {
    let rest: String = text.chars().skip(position as usize).collect();
    EvalError::new(ErrorCode::DEBUGGER, format!("A syntax error in expression, near `{rest}'.")).at(position)
}
