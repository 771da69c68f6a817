//! A breakpoint: the request, and its sites on each rank.

use crate::{Armed, BreakpointRequest, Point, ProcessSet, Site, StopReason, Tally, Watched};
use serde::{Deserialize, Serialize};

/// A breakpoint, as the front end and the master keep it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breakpoint {
    /// The user's request.
    pub request: BreakpointRequest,
    /// The ranks that have the breakpoint.
    pub ranks: ProcessSet,
    /// Its sites, each with the ranks that have it; no site: pending.
    pub sites: Vec<(ProcessSet, Site)>,
    /// The state of a watchpoint or catchpoint, each with the ranks that have it.
    #[serde(default)]
    pub armed: Vec<(ProcessSet, Armed)>,
    /// Hits of each rank: all for which the condition held, ignored ones included.
    pub hits: Tally,
    /// The hits that each rank is still to ignore.
    pub passing: Tally,
    /// Ranks that have not replied within patience; they may have it, and say so late.
    #[serde(default)]
    pub silent: ProcessSet,
}

impl Breakpoint {
    /// A new breakpoint, without sites or hits.
    pub fn asked(request: BreakpointRequest, ranks: ProcessSet) -> Self {
        let passing = Tally::of(ranks.clone(), request.ignore);
        let (hits, silent) = (Tally::default(), ProcessSet::new());
        Self { request, ranks, sites: Vec::new(), armed: Vec::new(), hits, passing, silent }
    }

    /// The breakpoint of ranks that have ended: it is nowhere until the job starts again.
    pub fn without_places(&self) -> Self {
        Self { sites: Vec::new(), armed: Vec::new(), ..self.clone() }
    }

    /// True if it is pending: a place that no rank has, by the word of all of them, or a point that is pending on some
    /// rank.
    pub fn is_pending(&self) -> bool {
        match &self.request.point {
            Point::Place(_) => self.sites.is_empty() && self.silent.is_empty(),
            Point::Watch(_) | Point::Catch(_) => self.armed.iter().any(|(_, armed)| *armed == Armed::Pending),
        }
    }

    /// Records the state of a watchpoint or catchpoint on some ranks.
    pub fn arm(&mut self, ranks: &ProcessSet, armed: &Armed) {
        self.disarm(ranks);
        match self.armed.iter_mut().find(|(_, same)| same == armed) {
            Some((those, _)) => those.extend_with(ranks),
            None => self.armed.push((ranks.clone(), armed.clone())),
        }
    }

    /// Removes the recorded state for some ranks.
    pub fn disarm(&mut self, ranks: &ProcessSet) {
        for (those, _) in &mut self.armed {
            those.remove_all(ranks);
        }
        self.armed.retain(|(those, _)| !those.is_empty());
    }

    /// Records that ranks stopped for this reason. Removes a temporary breakpoint, or a watchpoint that has ended, from
    /// these ranks; returns true if no rank has it any more.
    pub fn stopped(&mut self, ranks: &ProcessSet, reason: &StopReason) -> bool {
        // A rank that stops has used up its ignore count, even if the engine did not report it.
        let passed: Vec<(ProcessSet, u64)> =
            self.passing.groups().iter().map(|(those, left)| (those.intersection(ranks), *left)).collect();
        for (those, left) in passed {
            self.hits.add(&those, left);
        }
        self.passing.set(ranks, 0);
        self.hits.add(ranks, 1);
        self.silent.remove_all(ranks);
        if self.request.temporary || matches!(reason, StopReason::Watchpoint(_, Watched::ScopeEnded | Watched::GivenUp))
        {
            return self.leave(ranks);
        }
        false
    }

    /// Records hits without a stop for it: they were ignored, or the stop names another point.
    pub fn counted(&mut self, ranks: &ProcessSet, arrivals: u64) {
        self.hits.add(ranks, arrivals);
        self.passing.take(ranks, arrivals);
    }

    /// Sets the ignore count on some ranks.
    pub fn ignore(&mut self, ranks: &ProcessSet, arrivals: u64) {
        self.request.ignore = arrivals;
        self.passing.set(ranks, arrivals);
    }

    /// Removes it from some ranks; returns true if no rank has it any more.
    pub fn leave(&mut self, ranks: &ProcessSet) -> bool {
        self.ranks.remove_all(ranks);
        for (those, _) in &mut self.sites {
            those.remove_all(ranks);
        }
        self.sites.retain(|(those, _)| !those.is_empty());
        self.passing.set(ranks, 0);
        self.disarm(ranks);
        self.silent.remove_all(ranks);
        self.ranks.is_empty()
    }

    /// Clears sites and hits for a restart of the job.
    pub fn begin_again(&mut self) {
        self.sites.clear();
        self.armed.clear();
        self.silent = ProcessSet::new();
        self.hits = Tally::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BreakpointId, LocationSpec};

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
        // An engine that does not report each ignored hit has still ignored them all when it stops.
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
