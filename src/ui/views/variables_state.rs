//! The state of the variables view.

use crate::action::ViewId;
use crate::list::List;
use crate::row_key::RowKey;
use std::collections::BTreeSet;

/// The content of the variables view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Displayed expressions, parameters, local variables.
    #[default]
    Variables,
    /// Registers of the selected frame.
    Registers,
    /// Files loaded by the lead rank.
    Libraries,
    /// Parameters and local variables, each on all ranks of the focus.
    Across,
}

impl Content {
    /// The title of the view in this mode.
    pub fn title(self) -> &'static str {
        match self {
            Self::Variables => ViewId::Variables.title(),
            Self::Registers => "registers",
            Self::Libraries => "libraries",
            Self::Across => "across ranks",
        }
    }

    /// The next mode; after the last comes the first.
    pub fn next(self) -> Self {
        match self {
            Self::Variables => Self::Registers,
            Self::Registers => Self::Libraries,
            Self::Libraries => Self::Across,
            Self::Across => Self::Variables,
        }
    }
}

/// The state of the variables view.
#[derive(Clone, Debug, Default)]
pub struct VariablesView {
    /// The current mode.
    pub content: Content,
    /// Cursor and window.
    pub list: List,
    /// The expanded values.
    pub open: BTreeSet<RowKey>,
    /// The snapshot with which the values are compared; `None`: with those at the last stop.
    pub since: Option<String>,
}
