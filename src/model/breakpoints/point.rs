//! The kinds of points: breakpoints at places, watchpoints on memory, catchpoints for events of the process.

use crate::{Catch, Context, LocationSpec};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A breakpoint, watchpoint or catchpoint.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Point {
    /// A breakpoint at a location.
    Place(LocationSpec),
    /// A watchpoint on an expression.
    Watch(Watch),
    /// A catchpoint.
    Catch(Catch),
}

impl Point {
    /// The location of a breakpoint; `None` for other points.
    pub fn place(&self) -> Option<&LocationSpec> {
        match self {
            Self::Place(location) => Some(location),
            Self::Watch(_) | Self::Catch(_) => None,
        }
    }

    /// The word for its kind: `breakpoint`, `watchpoint`, `catchpoint`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Place(_) => "breakpoint",
            Self::Watch(_) => "watchpoint",
            Self::Catch(_) => "catchpoint",
        }
    }
}

impl From<LocationSpec> for Point {
    fn from(location: LocationSpec) -> Self {
        Self::Place(location)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(location) => location.fmt(f),
            Self::Watch(watch) => write!(f, "{} {}", watch.access.command(), watch.expression),
            Self::Catch(catch) => write!(f, "catch {catch}"),
        }
    }
}

/// The accesses that a watchpoint stops for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum WatchAccess {
    /// Writes that change the value.
    Change,
    /// Reads.
    Read,
    /// Reads and writes.
    Any,
}

impl WatchAccess {
    /// The command that sets it: `watch`, `rwatch`, `awatch`.
    pub fn command(self) -> &'static str {
        match self {
            Self::Change => "watch",
            Self::Read => "rwatch",
            Self::Any => "awatch",
        }
    }
}

/// A watchpoint, as the user requests it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Watch {
    /// The watched expression, in the language of the frame.
    pub expression: String,
    /// The accesses it stops for.
    pub access: WatchAccess,
    /// The frame in which its names are looked up; with local variables, the watchpoint ends with that frame.
    pub context: Context,
}

/// The option to watch the address that an expression has now, independent of its names; gdb's.
const AT_PLACE: &str = "-location";

impl Watch {
    /// Completes an abbreviated `-location` before the expression.
    pub fn normalised(text: &str) -> String {
        match at_place(text) {
            Some(expression) => format!("{AT_PLACE} {expression}"),
            None => text.to_owned(),
        }
    }

    /// The expression after `-location`; `None` without that option.
    pub fn at_place(&self) -> Option<&str> {
        at_place(&self.expression)
    }

    /// The expression without the option.
    pub fn bare(&self) -> &str {
        self.at_place().unwrap_or(&self.expression)
    }
}

/// The expression after `-location`, which may be abbreviated.
fn at_place(text: &str) -> Option<&str> {
    let (option, expression) = text.split_once(' ')?;
    (option.len() > 1 && AT_PLACE.starts_with(option)).then(|| expression.trim()).filter(|rest| !rest.is_empty())
}

/// The action of a rank at a breakpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PointAction {
    /// The rank stops.
    #[default]
    Stop,
    /// The rank stops and is held until all ranks of the point have arrived.
    Barrier,
    /// The rank reports the values of these expressions and continues.
    Trace(Vec<String>),
}

/// The state of a watchpoint or catchpoint.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Armed {
    /// Debug registers of the processor watch it.
    Hardware,
    /// The engine single-steps and compares the value; holds the reason hardware cannot watch it.
    Software(String),
    /// The operating system reports the event.
    Events,
    /// Pending: it needs something that does not exist yet.
    Pending,
}
