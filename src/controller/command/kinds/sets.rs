//! Commands about sets of ranks, parsed.

use crate::sets::{Scope, SetExpr};

/// A command about sets of ranks.
#[derive(Clone, Debug, PartialEq)]
pub enum SetCommand {
    /// Sets the focus; `None` shows it.
    Focus(Option<Scope>),
    /// Names a set.
    Group(String, SetExpr),
    /// Lists the named sets.
    Groups,
    /// Removes a name.
    Ungroup(String),
    /// Groups the ranks by state.
    Status,
}
