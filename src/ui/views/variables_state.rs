//! The state of the variables view.

use crate::action::ViewId;
use crate::list::List;
use crate::row_key::RowKey;
use model::ProcessSet;
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
    /// The source of the values that these are compared with.
    pub reference: Reference,
}

/// The source of the values that those of the lead rank are compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reference {
    /// The last stop of the lead rank.
    #[default]
    LastStop,
    /// The snapshot of this name.
    Snapshot(String),
    /// These ranks at their present stops.
    Ranks(ProcessSet),
}
