//! Servers that lost their parent and are moving to another one. Requests for their ranks wait until they are back.

use model::{Operation, ProcessSet, TransactionId};
use protocol::{Request, ServerIndex, WaitPolicy};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Time for a detached server to return under another parent before its ranks count as lost.
pub const ORPHAN_PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug)]
struct Away {
    until: Instant,
    ranks: ProcessSet,
    address: String,
}

/// A request for ranks whose servers are detached.
#[derive(Debug)]
struct Waiting {
    tid: TransactionId,
    ranks: ProcessSet,
    wait: WaitPolicy,
    operation: Operation,
}

/// The detached servers of a node, and the requests that wait for their ranks.
#[derive(Debug, Default)]
pub struct DetachedServers {
    away: BTreeMap<ServerIndex, Away>,
    waiting: Vec<Waiting>,
}

impl DetachedServers {
    /// Adds a server whose parent is gone. Its address is the one for its children, or for parents if parents dial.
    pub fn add(&mut self, now: Instant, server: ServerIndex, ranks: ProcessSet, address: &str) {
        self.away.insert(server, Away { until: now + ORPHAN_PATIENCE, ranks, address: address.to_owned() });
    }

    /// Returns the detached server with the lowest number: parents come before their children.
    pub fn first(&self) -> Option<(ServerIndex, &str)> {
        self.away.first_key_value().map(|(server, away)| (*server, away.address.as_str()))
    }

    /// True if the server is detached and may still return.
    pub fn expects(&self, server: ServerIndex) -> bool {
        self.away.contains_key(&server)
    }

    /// Returns the ranks of all detached servers.
    pub fn ranks(&self) -> ProcessSet {
        self.away.values().fold(ProcessSet::new(), |sum, away| sum.union(&away.ranks))
    }

    /// Keeps a request until its ranks are back.
    pub fn keep(&mut self, tid: TransactionId, ranks: ProcessSet, wait: WaitPolicy, operation: Operation) {
        if !ranks.is_empty() {
            self.waiting.push(Waiting { tid, ranks, wait, operation });
        }
    }

    /// Removes a server that is back; returns the requests kept for its ranks, oldest first.
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

    /// Removes and returns the servers that have been detached too long, with their ranks.
    pub fn over(&mut self, now: Instant) -> Vec<(ServerIndex, ProcessSet)> {
        let over: Vec<ServerIndex> = self.away.iter().filter(|(_, away)| away.until <= now).map(|(&s, _)| s).collect();
        over.into_iter().filter_map(|server| Some((server, self.lost(server)?))).collect()
    }

    /// Removes a server known to be dead; returns its ranks, or `None` if it was not detached.
    pub fn lost(&mut self, server: ServerIndex) -> Option<ProcessSet> {
        let Away { ranks, .. } = self.away.remove(&server)?;
        self.waiting.iter_mut().for_each(|waiting| waiting.ranks.remove_all(&ranks));
        self.waiting.retain(|waiting| !waiting.ranks.is_empty());
        Some(ranks)
    }

    /// Returns when [`Self::over`] will next have a server; `None` if no server is detached.
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

    /// Servers 1 and 2 are detached, with two ranks each, and two requests wait for all four.
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
