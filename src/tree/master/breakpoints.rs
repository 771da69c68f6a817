//! The breakpoints of the session, which the master keeps for a restart and for later front ends.

use model::{
    Answer, Armed, Breakpoint, BreakpointId, BreakpointRequest, Event, Operation, ProcessSet, Site, TransactionId,
};
use std::collections::BTreeMap;

/// All breakpoints that front ends have set and not deleted.
#[derive(Debug, Default)]
pub struct Breakpoints {
    known: BTreeMap<BreakpointId, Breakpoint>,
    /// The requests to set one, and the ranks that have not answered yet.
    asked: BTreeMap<TransactionId, (BreakpointId, ProcessSet)>,
}

impl Breakpoints {
    /// Records a request on its way to the ranks.
    pub fn requested(&mut self, tid: TransactionId, ranks: &ProcessSet, operation: &Operation) {
        match operation {
            Operation::SetBreakpoint(request) => {
                self.asked.insert(tid, (request.id, ranks.clone()));
                match self.known.get_mut(&request.id) {
                    Some(known) => {
                        known.request = request.clone();
                        known.leave(ranks);
                        known.ranks.extend_with(ranks);
                        known.passing.set(ranks, request.ignore);
                    }
                    None => {
                        let (request, ranks) = (request.clone(), ranks.clone());
                        let id = request.id;
                        self.known.insert(id, Breakpoint::asked(request, ranks));
                    }
                }
            }
            Operation::DeleteBreakpoint(id) => self.remove(*id, ranks),
            Operation::EnableBreakpoint(id, enabled) => self.change(*id, |request| request.enabled = *enabled),
            Operation::SetCondition(id, condition) => self.change(*id, |r| r.condition.clone_from(condition)),
            Operation::SetIgnore(id, ignore) => {
                if let Some(known) = self.known.get_mut(id) {
                    known.ignore(ranks, *ignore);
                }
            }
            _ => {}
        }
    }

    /// Records an answer of ranks; returns the breakpoint that they refused, if any, and the word for its kind.
    pub fn answered(
        &mut self,
        tid: TransactionId,
        ranks: &ProcessSet,
        answer: &Answer,
    ) -> Option<(BreakpointId, &'static str)> {
        let asked = self.asked.get(&tid).map(|(id, _)| *id);
        self.heard_of(tid, ranks);
        match answer {
            Answer::Breakpoint(id, sites) => self.place(*id, ranks, sites),
            Answer::Armed(id, armed) => self.arm(*id, ranks, armed),
            Answer::Failed(_) => {
                let refused = asked?;
                let word = self.known.get(&refused).map_or("breakpoint", |known| known.request.point.word());
                self.remove(refused, ranks);
                return Some((refused, word));
            }
            _ => {}
        }
        None
    }

    /// Forgets that ranks are to answer a request: they have, or later answers are not expected. Answers that differ come
    /// one after the other, when the request is closed already.
    pub fn heard_of(&mut self, tid: TransactionId, ranks: &ProcessSet) {
        if let Some((_, left)) = self.asked.get_mut(&tid) {
            left.remove_all(ranks);
            if left.is_empty() {
                self.asked.remove(&tid);
            }
        }
    }

    /// Records a report of ranks.
    pub fn reported(&mut self, ranks: &ProcessSet, event: &Event) {
        match event {
            Event::BreakpointMoved(id, sites) => self.place(*id, ranks, sites),
            Event::BreakpointArmed(id, armed) => self.arm(*id, ranks, armed),
            Event::BreakpointGone(id) => self.remove(*id, ranks),
            Event::Stopped(stop) => {
                if let Some(id) = stop.reason.point()
                    && let Some(known) = self.known.get_mut(&id)
                    && known.stopped(ranks, &stop.reason)
                {
                    self.known.remove(&id);
                }
            }
            Event::Counted(id, arrivals) => {
                if let Some(known) = self.known.get_mut(id) {
                    known.counted(ranks, *arrivals);
                }
            }
            Event::Traced(trace) => {
                if let Some(known) = self.known.get_mut(&trace.id) {
                    known.hits.add(ranks, 1);
                }
            }
            _ => {}
        }
    }

    /// Returns all breakpoints in the order of their numbers.
    pub fn list(&self) -> Vec<Breakpoint> {
        self.known.values().cloned().collect()
    }

    /// Forgets all sites, and returns the requests that set the breakpoints again in a restarted job.
    pub fn ask_again(&mut self) -> Vec<(ProcessSet, BreakpointRequest)> {
        self.asked.clear();
        let mut again = Vec::new();
        for known in self.known.values_mut() {
            known.begin_again();
            let mut rest = known.ranks.clone();
            let mut ask = |ranks: ProcessSet, ignore| {
                if !ranks.is_empty() {
                    again.push((ranks, BreakpointRequest { ignore, ..known.request.clone() }));
                }
            };
            // As in gdb, ignore counts that have run down do not start again.
            for (ranks, left) in known.passing.groups() {
                rest.remove_all(ranks);
                ask(ranks.intersection(&known.ranks), *left);
            }
            ask(rest, 0);
        }
        again
    }

    /// Forgets all breakpoints: another job starts.
    pub fn clear(&mut self) {
        self.known.clear();
        self.asked.clear();
    }

    fn place(&mut self, id: BreakpointId, ranks: &ProcessSet, sites: &[Site]) {
        let Some(known) = self.known.get_mut(&id) else { return };
        strike(&mut known.sites, ranks);
        for site in sites {
            match known.sites.iter_mut().find(|(_, same)| same == site) {
                Some((those, _)) => those.extend_with(ranks),
                None => known.sites.push((ranks.clone(), site.clone())),
            }
        }
    }

    fn arm(&mut self, id: BreakpointId, ranks: &ProcessSet, armed: &Armed) {
        if let Some(known) = self.known.get_mut(&id) {
            known.arm(ranks, armed);
        }
    }

    fn remove(&mut self, id: BreakpointId, ranks: &ProcessSet) {
        if self.known.get_mut(&id).is_some_and(|known| known.leave(ranks)) {
            self.known.remove(&id);
        }
    }

    fn change(&mut self, id: BreakpointId, change: impl FnOnce(&mut BreakpointRequest)) {
        if let Some(known) = self.known.get_mut(&id) {
            change(&mut known.request);
        }
    }
}

fn strike(sites: &mut Vec<(ProcessSet, Site)>, ranks: &ProcessSet) {
    for (those, _) in &mut *sites {
        those.remove_all(ranks);
    }
    sites.retain(|(those, _)| !those.is_empty());
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{ErrorCode, Failure, LocationSpec};

    const ID: BreakpointId = BreakpointId(1);

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    fn site(offset: u64) -> Site {
        Site { module: None, offset, address: None, function: None, source: None }
    }

    fn asked() -> Breakpoints {
        let mut breakpoints = Breakpoints::default();
        let request = BreakpointRequest::at(ID, LocationSpec::Function("kernel".into()));
        breakpoints.requested(TransactionId(1), &set("0-3"), &Operation::SetBreakpoint(request));
        breakpoints.answered(TransactionId(1), &set("0-2"), &Answer::Breakpoint(ID, vec![site(16)]));
        let failure = Failure::new(ErrorCode::NO_FUNCTION, "no");
        let refused = breakpoints.answered(TransactionId(1), &set("3"), &Answer::Failed(failure));
        assert_eq!(refused, Some((ID, "breakpoint")));
        assert!(breakpoints.asked.is_empty());
        breakpoints
    }

    #[test]
    fn sites_follow_what_the_ranks_say() {
        let mut breakpoints = asked();
        assert_eq!(breakpoints.list()[0].ranks, set("0-2"));
        breakpoints.reported(&set("1"), &Event::BreakpointMoved(ID, vec![site(32)]));
        assert_eq!(breakpoints.list()[0].sites, [(set("0,2"), site(16)), (set("1"), site(32))]);
        breakpoints.requested(TransactionId(2), &set("0,2"), &Operation::DeleteBreakpoint(ID));
        assert_eq!(breakpoints.list()[0].sites, [(set("1"), site(32))]);
        breakpoints.reported(&set("1"), &Event::BreakpointGone(ID));
        assert!(breakpoints.list().is_empty());
    }

    #[test]
    fn a_rank_that_refuses_is_known_after_those_that_do_not() {
        let mut breakpoints = Breakpoints::default();
        let request = BreakpointRequest::at(ID, LocationSpec::Function("kernel".into()));
        breakpoints.requested(TransactionId(1), &set("0-3"), &Operation::SetBreakpoint(request));
        breakpoints.answered(TransactionId(1), &set("0-1"), &Answer::Armed(ID, Armed::Hardware));
        breakpoints.heard_of(TransactionId(1), &set("2"));
        let failure = || Answer::Failed(Failure::new(ErrorCode::RUNNING, "running"));
        assert_eq!(breakpoints.answered(TransactionId(1), &set("3"), &failure()), Some((ID, "breakpoint")));
        assert_eq!(breakpoints.list()[0].ranks, set("0-2"));
        assert_eq!(breakpoints.answered(TransactionId(1), &set("3"), &failure()), None, "all have answered");
    }

    #[test]
    fn a_restart_asks_for_what_was_asked_with_all_changes() {
        let mut breakpoints = asked();
        breakpoints.requested(TransactionId(2), &set("0-3"), &Operation::SetCondition(ID, Some("n > 1".into())));
        breakpoints.requested(TransactionId(3), &set("0-3"), &Operation::EnableBreakpoint(ID, false));
        let again = breakpoints.ask_again();
        assert_eq!(again.len(), 1);
        assert_eq!((again[0].1.condition.as_deref(), again[0].1.enabled), (Some("n > 1"), false));
        assert!(breakpoints.list()[0].sites.is_empty());
    }

    #[test]
    fn a_restart_asks_each_rank_to_pass_over_what_is_left() {
        let mut breakpoints = asked();
        breakpoints.requested(TransactionId(2), &set("0-2"), &Operation::SetIgnore(ID, 5));
        breakpoints.reported(&set("1"), &Event::Counted(ID, 2));
        breakpoints.reported(&set("2"), &Event::Counted(ID, 5));
        let again: Vec<_> =
            breakpoints.ask_again().into_iter().map(|(ranks, request)| (ranks, request.ignore)).collect();
        assert_eq!(again, [(set("0"), 5), (set("1"), 3), (set("2"), 0)]);
        assert_eq!(breakpoints.list()[0].hits.total(), 0);
    }
}
