//! A stopped thread as expressions need it, beside its memory and registers.

use crate::EvalError;
use crate::budget::Budget;
use crate::expression::Expression;
use crate::value_history::ValueHistory;
use debuginfo::ThreadAccess;
use std::sync::Arc;

/// A stopped thread of a rank: beside its memory and registers, what goes with the rank.
pub trait StoppedAccess: ThreadAccess {
    /// Values printed and named before; `None` where nothing is kept.
    fn value_history(&self) -> Option<&ValueHistory> {
        None
    }

    /// The budget that is left; `None`: each value has one of its own.
    fn budget(&self) -> Option<&Budget> {
        None
    }

    /// The expression of a text. An engine with many ranks gives what it has parsed for one to the others.
    fn parse(&self, text: &str) -> Result<Arc<Expression>, EvalError> {
        Expression::parse(text).map(Arc::new)
    }

    /// An expression wants a function of the program to be called.
    fn wants_call(&self) {}
}
