//! Commands about sets of ranks.

use crate::sets::{Scope, SetExpr};

/// Whom commands mean.
#[derive(Clone, Debug, PartialEq)]
pub enum SetCommand {
    /// Show the focus, or set it.
    Focus(Option<Scope>),
    /// Name a set.
    Group(String, SetExpr),
    /// List named sets.
    Groups,
    /// Forget a name.
    Ungroup(String),
    /// Ranks by what they do.
    Status,
}
