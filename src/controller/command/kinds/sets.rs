//! Commands about sets of ranks, parsed.

use crate::sets::{Scope, SetExpr};
use model::CartesianGrid;

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
    /// Arranges the ranks on the screen; `None` shows how.
    Layout(Option<LayoutOrder>),
    /// Colours the ranks on the screen.
    Colour(Colouring),
}

/// The colours of the ranks on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Colouring {
    /// Show by what they are coloured.
    Show,
    /// Those of their states.
    Plain,
    /// By the number that an expression has on each.
    By(String),
}

/// An order of `layout`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutOrder {
    /// This arrangement.
    To(RankLayout),
    /// The grid that a call of `MPI_Cart_create` makes, in which ranks are stopped.
    OfCall,
}

/// The arrangement of ranks on the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RankLayout {
    /// In the order of their numbers.
    #[default]
    Plain,
    /// As a grid of processes.
    Grid(CartesianGrid),
    /// By the hosts on which they run.
    Hosts,
}

impl RankLayout {
    /// The grid, if it is one of this many ranks.
    pub fn grid(&self, ranks: u32) -> Option<&CartesianGrid> {
        match self {
            Self::Grid(grid) if grid.size() == ranks => Some(grid),
            _ => None,
        }
    }

    /// True if so many ranks can be arranged so.
    pub(crate) fn fits(&self, ranks: u32) -> bool {
        !matches!(self, Self::Grid(grid) if grid.size() != ranks)
    }

    /// The layout of a word of the command.
    pub(crate) fn of_word(word: &str) -> Result<Self, String> {
        match word {
            "none" => Ok(Self::Plain),
            "hosts" | "host" => Ok(Self::Hosts),
            _ => CartesianGrid::parse(word).map(Self::Grid).map_err(|why| format!("{why}; or hosts, cart or none")),
        }
    }

    /// The word of the command.
    pub fn word(&self) -> String {
        match self {
            Self::Plain => "none".to_owned(),
            Self::Grid(grid) => grid.to_string(),
            Self::Hosts => "hosts".to_owned(),
        }
    }
}
