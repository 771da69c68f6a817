//! What expressions need of a stopped thread besides its memory and registers.

use crate::EvalError;
use crate::budget::Budget;
use crate::expression::Expression;
use crate::printers::rules::table::PrinterTable;
use crate::value_history::ValueHistory;
use debuginfo::ThreadAccess;
use std::sync::Arc;

/// A stopped thread of a rank: its memory and registers, and the state kept for the rank.
pub trait StoppedAccess: ThreadAccess {
    /// The rank's value history; `None` if none is kept.
    fn value_history(&self) -> Option<&ValueHistory> {
        None
    }

    /// The remaining budget; `None`: each value has its own.
    fn budget(&self) -> Option<&Budget> {
        None
    }

    /// The user's printers.
    fn printers(&self) -> Option<&PrinterTable> {
        None
    }

    /// Parses an expression. An engine with many ranks shares the result between them.
    fn parse(&self, text: &str) -> Result<Arc<Expression>, EvalError> {
        Expression::parse(text).map(Arc::new)
    }

    /// Called when an expression needs a function of the program called.
    fn wants_call(&self) {}
}
