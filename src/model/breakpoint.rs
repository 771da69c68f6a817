//! Breakpoints at two levels: what the user asked for, and the 0…n sites it became.

use super::{Armed, Point, PointAction, ProcessSet, SourcePlace, ThreadId, VirtualAddress};
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

/// A breakpoint as the front end and the master remember it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breakpoint {
    /// What was asked.
    pub request: BreakpointRequest,
    /// For whom.
    pub ranks: ProcessSet,
    /// What it became, with the ranks that have each; no site: pending.
    pub sites: Vec<(ProcessSet, Site)>,
    /// How it waits where it is no place, with the ranks for which it does so.
    #[serde(default)]
    pub armed: Vec<(ProcessSet, Armed)>,
    /// Stops it caused, over all ranks.
    pub hits: u64,
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

impl Breakpoint {
    /// One that has just been asked for.
    pub fn asked(request: BreakpointRequest, ranks: ProcessSet) -> Self {
        Self { request, ranks, sites: Vec::new(), armed: Vec::new(), hits: 0 }
    }

    /// Whether it waits for something that is not there yet.
    pub fn is_pending(&self) -> bool {
        match &self.request.point {
            Point::Place(_) => self.sites.is_empty(),
            Point::Watch(_) | Point::Catch(_) => self.armed.iter().any(|(_, armed)| *armed == Armed::Pending),
        }
    }

    /// Takes note of how it waits on some ranks.
    pub fn arm(&mut self, ranks: &ProcessSet, armed: &Armed) {
        self.disarm(ranks);
        match self.armed.iter_mut().find(|(_, same)| same == armed) {
            Some((those, _)) => those.extend_with(ranks),
            None => self.armed.push((ranks.clone(), armed.clone())),
        }
    }

    /// Some ranks have it no longer.
    pub fn disarm(&mut self, ranks: &ProcessSet) {
        for (those, _) in &mut self.armed {
            those.remove_all(ranks);
        }
        self.armed.retain(|(those, _)| !those.is_empty());
    }
}
