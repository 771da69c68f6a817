//! Breakpoints at two levels: what the user asked for, and the 0…n sites it became.

use crate::{Point, PointAction, SourcePlace, ThreadId, VirtualAddress};
use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

/// The user's number of a breakpoint, from 1, equal on every rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BreakpointId(pub u32);

impl BreakpointId {
    /// In commands: the one that was set last, `$bpnum`. None has this number, they begin with 1.
    pub const LATEST: Self = Self(0);
}

impl fmt::Display for BreakpointId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What the user asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BreakpointRequest {
    /// Given by the front end.
    pub id: BreakpointId,
    /// What it waits for.
    pub point: Point,
    /// What a rank does then.
    #[serde(default)]
    pub action: PointAction,
    /// Deleted by its first stop.
    pub temporary: bool,
    /// Stops only when this is true in the frame that arrived.
    pub condition: Option<String>,
    /// Arrivals still to be passed over, counted per rank after the condition held.
    pub ignore: u64,
    /// Only this thread.
    pub thread: Option<ThreadId>,
    /// Whether it acts.
    pub enabled: bool,
}

impl BreakpointRequest {
    /// A breakpoint at a place that always stops.
    pub fn at(id: BreakpointId, point: impl Into<Point>) -> Self {
        Self {
            id,
            point: point.into(),
            action: PointAction::Stop,
            temporary: false,
            condition: None,
            ignore: 0,
            thread: None,
            enabled: true,
        }
    }
}

/// One address a breakpoint became.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Site {
    /// The executable or library.
    pub module: Option<Arc<str>>,
    /// The address in that file.
    pub offset: u64,
    /// `None` when the ranks spoken for differ in it.
    pub address: Option<VirtualAddress>,
    /// The function it is in.
    pub function: Option<Arc<str>>,
    /// The line it is on.
    pub source: Option<SourcePlace>,
}

impl Site {
    /// The same site with nothing said of where it was loaded.
    pub fn without_address(&self) -> Self {
        Self { address: None, ..self.clone() }
    }
}
