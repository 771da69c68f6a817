//! Servers whose parent is gone and that are on their way to another one. What is asked of their ranks meanwhile waits
//! for them.

use model::{Operation, ProcessSet, TransactionId};
use protocol::{Request, ServerIndex, WaitPolicy};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How long they may take to come back elsewhere before their ranks count as lost.
pub const ORPHAN_PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug)]
struct Away {
    until: Instant,
    ranks: ProcessSet,
    address: String,
}

/// What is to be asked of ranks that are away.
#[derive(Debug)]
struct Waiting {
    tid: TransactionId,
    ranks: ProcessSet,
    wait: WaitPolicy,
    operation: Operation,
}

/// The detached of a node.
#[derive(Debug, Default)]
pub struct DetachedServers {
    away: BTreeMap<ServerIndex, Away>,
    waiting: Vec<Waiting>,
}

impl DetachedServers {
    /// A server's parent is gone. The address is that for its children, or for parents where these dial.
    pub fn add(&mut self, now: Instant, server: ServerIndex, ranks: ProcessSet, address: &str) {
        self.away.insert(server, Away { until: now + ORPHAN_PATIENCE, ranks, address: address.to_owned() });
    }

    /// The first of those that are away, and its address. Whose parent is away too has a higher number than that one.
    pub fn first(&self) -> Option<(ServerIndex, &str)> {
        self.away.first_key_value().map(|(server, away)| (*server, away.address.as_str()))
    }

    /// Whether it is expected back.
    pub fn expects(&self, server: ServerIndex) -> bool {
        self.away.contains_key(&server)
    }

    /// Ranks that are expected back.
    pub fn ranks(&self) -> ProcessSet {
        self.away.values().fold(ProcessSet::new(), |sum, away| sum.union(&away.ranks))
    }

    /// Keeps a request until its ranks are back.
    pub fn keep(&mut self, tid: TransactionId, ranks: ProcessSet, wait: WaitPolicy, operation: Operation) {
        if !ranks.is_empty() {
            self.waiting.push(Waiting { tid, ranks, wait, operation });
        }
    }

    /// A server is back: what was kept for its ranks, in the order in which it was asked.
    pub fn back(&mut self, server: ServerIndex) -> Vec<(TransactionId, Request)> {
        let Some(Away { ranks, .. }) = self.away.remove(&server) else { return Vec::new() };
        let mut requests = Vec::new();
        for waiting in &mut self.waiting {
            let part = waiting.ranks.intersection(&ranks);
            if part.is_empty() {
                continue;
            }
            waiting.ranks.remove_all(&part);
            let Waiting { tid, wait, operation, .. } = waiting;
            let request = Request::Ranks { tid: *tid, ranks: part, wait: *wait, operation: operation.clone() };
            requests.push((*tid, request));
        }
        self.waiting.retain(|waiting| !waiting.ranks.is_empty());
        requests
    }

    /// Those that have been away too long.
    pub fn over(&mut self, now: Instant) -> Vec<(ServerIndex, ProcessSet)> {
        let over: Vec<ServerIndex> = self.away.iter().filter(|(_, away)| away.until <= now).map(|(&s, _)| s).collect();
        over.into_iter().filter_map(|server| Some((server, self.lost(server)?))).collect()
    }

    /// A server is known to be dead. Its ranks; `None` when it was not expected.
    pub fn lost(&mut self, server: ServerIndex) -> Option<ProcessSet> {
        let Away { ranks, .. } = self.away.remove(&server)?;
        self.waiting.iter_mut().for_each(|waiting| waiting.ranks.remove_all(&ranks));
        self.waiting.retain(|waiting| !waiting.ranks.is_empty());
        Some(ranks)
    }

    /// When [`Self::over`] will have somebody.
    pub fn deadline(&self) -> Option<Instant> {
        self.away.values().map(|away| away.until).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    /// Servers 1 and 2 are away, with two ranks each, and two questions wait for all four.
    fn detached(now: Instant) -> DetachedServers {
        let mut detached = DetachedServers::default();
        detached.add(now, ServerIndex(1), set("2-3"), "n1:1");
        detached.add(now, ServerIndex(2), set("4-5"), "n2:1");
        for tid in [7, 8] {
            detached.keep(TransactionId(tid), set("2-5"), WaitPolicy::All, Operation::Threads);
        }
        detached
    }

    fn asked(requests: Vec<(TransactionId, Request)>) -> Vec<(u32, String)> {
        let of = |(tid, request): (TransactionId, Request)| match request {
            Request::Ranks { ranks, .. } => (tid.0, ranks.to_string()),
            other @ Request::Session { .. } => panic!("{other:?}"),
        };
        requests.into_iter().map(of).collect()
    }

    #[test]
    fn who_comes_back_is_asked_its_part() {
        let now = Instant::now();
        let mut detached = detached(now);
        assert_eq!(detached.ranks(), set("2-5"));
        assert_eq!(asked(detached.back(ServerIndex(2))), [(7, "4-5".into()), (8, "4-5".into())]);
        assert_eq!(detached.ranks(), set("2-3"));
        assert!(detached.back(ServerIndex(2)).is_empty());
        assert_eq!(asked(detached.back(ServerIndex(1))), [(7, "2-3".into()), (8, "2-3".into())]);
        assert_eq!(detached.deadline(), None);
    }

    #[test]
    fn who_stays_away_is_given_up() {
        let now = Instant::now();
        let mut detached = detached(now);
        assert!(detached.over(now).is_empty());
        assert_eq!(detached.first(), Some((ServerIndex(1), "n1:1")));
        assert_eq!(detached.lost(ServerIndex(1)), Some(set("2-3")));
        assert_eq!((detached.expects(ServerIndex(1)), detached.first()), (false, Some((ServerIndex(2), "n2:1"))));
        assert_eq!(detached.over(now + ORPHAN_PATIENCE), [(ServerIndex(2), set("4-5"))]);
        assert!(detached.waiting.is_empty());
    }
}
