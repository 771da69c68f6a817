//! A breakpoint as it is remembered: what was asked, and what it became on which ranks.

use crate::{Armed, BreakpointRequest, Point, ProcessSet, Site, StopReason, Tally, Watched};
use serde::{Deserialize, Serialize};

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
