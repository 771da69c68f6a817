//! Breakpoints at two levels: what the user asked for, and the 0…n sites it became.

use crate::{Armed, Point, PointAction, ProcessSet, SourcePlace, StopReason, Tally, ThreadId, VirtualAddress, Watched};
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
    /// Arrivals that count: all that its condition let pass, those that the ignore count passed over too.
    pub hits: Tally,
    /// Arrivals that each rank is still to pass over.
    pub passing: Tally,
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
        let passing = Tally::of(ranks.clone(), request.ignore);
        Self { request, ranks, sites: Vec::new(), armed: Vec::new(), hits: Tally::default(), passing }
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

    /// Ranks stopped for this reason. One that was there once, or whose frame is gone, is theirs no longer; whether
    /// nobody has it any more.
    pub fn stopped(&mut self, ranks: &ProcessSet, reason: &StopReason) -> bool {
        // Who stops has passed over all that it was to pass over, whether that was told or not.
        let passed: Vec<(ProcessSet, u64)> =
            self.passing.groups().iter().map(|(those, left)| (those.intersection(ranks), *left)).collect();
        for (those, left) in passed {
            self.hits.add(&those, left);
        }
        self.passing.set(ranks, 0);
        self.hits.add(ranks, 1);
        if self.request.temporary || matches!(reason, StopReason::Watchpoint(_, Watched::ScopeEnded | Watched::GivenUp))
        {
            return self.leave(ranks);
        }
        false
    }

    /// Ranks arrived so often without stopping for it: they passed over it, or another point named the reason.
    pub fn counted(&mut self, ranks: &ProcessSet, arrivals: u64) {
        self.hits.add(ranks, arrivals);
        self.passing.take(ranks, arrivals);
    }

    /// Ranks are to pass over so many arrivals from now on.
    pub fn ignore(&mut self, ranks: &ProcessSet, arrivals: u64) {
        self.request.ignore = arrivals;
        self.passing.set(ranks, arrivals);
    }

    /// Ranks have it no longer; whether nobody has.
    pub fn leave(&mut self, ranks: &ProcessSet) -> bool {
        self.ranks.remove_all(ranks);
        for (those, _) in &mut self.sites {
            those.remove_all(ranks);
        }
        self.sites.retain(|(those, _)| !those.is_empty());
        self.passing.set(ranks, 0);
        self.disarm(ranks);
        self.ranks.is_empty()
    }

    /// The job begins again: nobody has come, and it is nowhere yet.
    pub fn begin_again(&mut self) {
        self.sites.clear();
        self.armed.clear();
        self.hits = Tally::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LocationSpec;

    const ID: BreakpointId = BreakpointId(1);

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    fn breakpoint(temporary: bool, ignore: u64) -> Breakpoint {
        let request = BreakpointRequest::at(ID, LocationSpec::Function("f".into()));
        Breakpoint::asked(BreakpointRequest { temporary, ignore, ..request }, set("0-3"))
    }

    #[test]
    fn what_is_passed_over_counts_as_gdb_counts_it() {
        let mut point = breakpoint(false, 3);
        point.counted(&set("0-1"), 2);
        assert_eq!(
            (point.hits.groups(), point.passing.groups()),
            (&[(set("0-1"), 2)][..], &[(set("0-1"), 1), (set("2-3"), 3)][..])
        );
        // An engine that does not tell of each has passed over them all the same when it stops.
        assert!(!point.stopped(&set("1-2"), &StopReason::Breakpoint(ID)));
        assert_eq!(point.hits.groups(), [(set("0"), 2), (set("1-2"), 4)]);
        assert_eq!(point.passing.groups(), [(set("0"), 1), (set("3"), 3)]);
        point.ignore(&set("2"), 7);
        assert_eq!((point.passing.get(crate::Rank(2)), point.hits.total()), (7, 10));
    }

    #[test]
    fn a_temporary_one_leaves_with_the_stop() {
        let mut point = breakpoint(true, 0);
        assert!(!point.stopped(&set("0-2"), &StopReason::Breakpoint(ID)));
        assert_eq!(point.ranks, set("3"));
        assert!(point.stopped(&set("3"), &StopReason::Breakpoint(ID)), "nobody has it any more");
    }
}
