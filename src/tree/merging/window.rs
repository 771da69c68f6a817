//! Holds events for a moment, so that equal reports of many ranks at the same time go on as one event.
//!
//! Events of one rank keep their order. Nothing is held once all ranks that a request set in motion have reported, and
//! nothing longer than [`LONGEST`].

use super::equal_bodies::fingerprint;
use model::{Event, ProcessSet, Stream, TransactionId};
use protocol::Reply;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Maximum time that a node holds an event.
pub const LONGEST: Duration = Duration::from_millis(2);

/// Distinct events held at most: beyond this, looking for an equal event costs more than sending.
const MOST_HELD: usize = 256;

/// Requests whose ranks are still awaited; bounds the list if a front end never lets its ranks stop.
const MOST_EXPECTED: usize = 256;

/// An event with the ranks that report it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// The request that it belongs to.
    pub tid: TransactionId,
    /// The ranks that report it.
    pub ranks: ProcessSet,
    /// The common report of the ranks.
    pub event: Event,
}

impl Spoken {
    /// As it goes up.
    pub fn into_reply(self) -> Reply {
        let Self { tid, ranks, event } = self;
        Reply::Event { tid, ranks, event }
    }
}

#[derive(Debug)]
struct Held {
    spoken: Spoken,
    hash: u64,
}

/// Ranks that a request set in motion and that have not reported it, or have not stopped again.
#[derive(Debug)]
struct Expected {
    running: ProcessSet,
    stopping: ProcessSet,
}

/// The events held at a node.
#[derive(Debug, Default)]
pub struct Window {
    held: Vec<Held>,
    since: Option<Instant>,
    expected: BTreeMap<TransactionId, Expected>,
    /// Ranks that stand still until their held events have been answered.
    asking: ProcessSet,
    complete: bool,
}

impl Window {
    /// Notes that a request is about to set ranks in motion.
    pub fn expect(&mut self, tid: TransactionId, ranks: &ProcessSet) {
        if self.expected.len() >= MOST_EXPECTED {
            self.expected.pop_first();
        }
        self.expected.insert(tid, Expected { running: ranks.clone(), stopping: ranks.clone() });
    }

    /// Notes that ranks refused the request: they will not report because of it.
    pub fn excuse(&mut self, tid: TransactionId, ranks: &ProcessSet) {
        if let Some(expected) = self.expected.get_mut(&tid) {
            expected.running.remove_all(ranks);
            expected.stopping.remove_all(ranks);
        }
    }

    /// Notes that ranks will report no more.
    pub fn forget(&mut self, ranks: &ProcessSet) {
        self.expected.retain(|_, expected| {
            expected.running.remove_all(ranks);
            expected.stopping.remove_all(ranks);
            !expected.stopping.is_empty()
        });
    }

    /// Adds an event. Output is split at the ends of lines, so that equal lines of ranks that run apart still join.
    pub fn push(&mut self, now: Instant, spoken: Spoken) {
        self.since.get_or_insert(now);
        self.note_progress(&spoken);
        match &spoken.event {
            Event::Output(stream, text) if text.trim_end_matches('\n').contains('\n') => {
                let stream = *stream;
                for line in text.split_inclusive('\n') {
                    let event = Event::Output(stream, line.to_owned());
                    self.hold(Spoken { tid: spoken.tid, ranks: spoken.ranks.clone(), event });
                }
            }
            _ => self.hold(spoken),
        }
    }

    /// Returns when [`Self::take_due`] has something at the latest; `None` if nothing is held.
    pub fn deadline(&self) -> Option<Instant> {
        self.since.map(|since| since + LONGEST)
    }

    /// Returns the events that need not be held any longer.
    pub fn take_due(&mut self, now: Instant) -> Vec<Spoken> {
        let due = self.deadline().is_some_and(|deadline| now >= deadline);
        if due || self.complete || self.held.len() >= MOST_HELD { self.take_all() } else { Vec::new() }
    }

    /// Returns everything held, with adjacent lines of output of the same ranks as one text again.
    pub fn take_all(&mut self) -> Vec<Spoken> {
        self.since = None;
        self.complete = false;
        self.asking = ProcessSet::new();
        let mut taken: Vec<Spoken> = Vec::with_capacity(self.held.len());
        for Held { spoken, .. } in self.held.drain(..) {
            if let (Event::Output(stream, text), Some(before)) = (&spoken.event, taken.last_mut())
                && continue_output(before, spoken.tid, &spoken.ranks, *stream, text)
            {
                continue;
            }
            taken.push(spoken);
        }
        taken
    }

    fn note_progress(&mut self, spoken: &Spoken) {
        let Some(expected) = self.expected.get_mut(&spoken.tid) else { return };
        match spoken.event {
            Event::Running if expected.running.meets(&spoken.ranks) => {
                expected.running.remove_all(&spoken.ranks);
                self.complete |= expected.running.is_empty();
            }
            Event::Stopped(_)
            | Event::Exited(_)
            | Event::Killed(_)
            | Event::Detached
            | Event::Failed(_)
            | Event::Lost(_) => {
                if expected.stopping.meets(&spoken.ranks) {
                    expected.stopping.remove_all(&spoken.ranks);
                    self.complete |= expected.stopping.is_empty();
                }
                if expected.stopping.is_empty() {
                    self.expected.remove(&spoken.tid);
                }
            }
            // If all running ranks ask, none is left that could join them.
            Event::LibrariesChanged { .. } => {
                self.asking.extend_with(&spoken.ranks);
                self.complete |= expected.stopping.is_subset(&self.asking);
            }
            _ => {}
        }
    }

    /// Searches from the newest held event to the oldest: a rank's share may join an equal event if no other event of
    /// that rank lies between, or in it.
    fn hold(&mut self, spoken: Spoken) {
        let hash = fingerprint(&spoken.event);
        let mut free = spoken.ranks.clone();
        let mut apart = ProcessSet::new();
        for held in self.held.iter_mut().rev() {
            if free.is_empty() {
                break;
            }
            let before = &mut held.spoken;
            if before.ranks.meets(&free) {
                apart.extend_with(&free.intersection(&before.ranks));
                free.remove_all(&before.ranks);
            }
            if !free.is_empty()
                && held.hash == hash
                && before.tid == spoken.tid
                && let Some(both) = before.event.joined(&spoken.event)
            {
                before.ranks.extend_with(&free);
                before.event = both;
                free = ProcessSet::new();
            }
        }
        apart.extend_with(&free);
        if !apart.is_empty() {
            self.held.push(Held { spoken: Spoken { ranks: apart, ..spoken }, hash });
        }
    }
}

fn continue_output(before: &mut Spoken, tid: TransactionId, ranks: &ProcessSet, stream: Stream, text: &str) -> bool {
    if before.tid != tid || before.ranks != *ranks {
        return false;
    }
    match &mut before.event {
        Event::Output(same, so_far) if *same == stream => {
            so_far.push_str(text);
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Rank;
    use proptest::prelude::*;

    const TID: TransactionId = TransactionId(7);

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    fn out(text: &str) -> Event {
        Event::Output(Stream::Stdout, text.to_owned())
    }

    fn push(window: &mut Window, now: Instant, ranks: &str, event: Event) {
        window.push(now, Spoken { tid: TID, ranks: set(ranks), event });
    }

    fn taken(spoken: Vec<Spoken>) -> Vec<(String, Event)> {
        spoken.into_iter().map(|s| (s.ranks.to_string(), s.event)).collect()
    }

    #[test]
    fn all_that_were_resumed_are_not_waited_for_longer_than_it_takes() {
        let (mut window, now) = (Window::default(), Instant::now());
        window.expect(TID, &ProcessSet::all(64));
        for rank in 0..63 {
            push(&mut window, now, &rank.to_string(), Event::Exited(0));
            assert!(window.take_due(now).is_empty());
        }
        push(&mut window, now, "63", Event::Exited(0));
        assert_eq!(taken(window.take_due(now)), [("0-63".to_owned(), Event::Exited(0))]);
        assert_eq!(window.deadline(), None);
    }

    #[test]
    fn a_lone_rank_is_not_held_and_stragglers_not_for_long() {
        let (mut window, now) = (Window::default(), Instant::now());
        window.expect(TID, &set("5"));
        push(&mut window, now, "5", Event::Running);
        assert_eq!(window.take_due(now).len(), 1);
        window.expect(TID, &set("0-1"));
        push(&mut window, now, "0", Event::Exited(1));
        assert!(window.take_due(now).is_empty());
        assert_eq!(window.take_due(now + LONGEST).len(), 1);
    }

    #[test]
    fn ranks_that_wait_for_an_answer_wait_only_for_those_that_run() {
        let (mut window, now) = (Window::default(), Instant::now());
        let changed = || Event::LibrariesChanged { loaded: vec!["libplug.so".to_owned()], unloaded: Vec::new() };
        window.expect(TID, &set("0-2"));
        push(&mut window, now, "0", Event::Exited(0));
        assert!(window.take_due(now).is_empty());
        push(&mut window, now, "2", changed());
        assert!(window.take_due(now).is_empty());
        push(&mut window, now, "1", changed());
        let expected = [("0".to_owned(), Event::Exited(0)), ("1-2".to_owned(), changed())];
        assert_eq!(taken(window.take_due(now)), expected);
        // They are expected again the next time.
        push(&mut window, now, "1", changed());
        assert!(window.take_due(now).is_empty());
    }

    #[test]
    fn a_lost_rank_holds_nobody_up() {
        let (mut window, now) = (Window::default(), Instant::now());
        window.expect(TID, &set("0-1"));
        window.forget(&set("1"));
        push(&mut window, now, "0", Event::Exited(1));
        assert_eq!(window.take_due(now).len(), 1);
    }

    #[test]
    fn equal_lines_meet_and_lines_of_one_rank_stay_in_order() {
        let (mut window, now) = (Window::default(), Instant::now());
        push(&mut window, now, "0", out("it 0\nit 1\n"));
        push(&mut window, now, "1", out("it 0\n"));
        push(&mut window, now, "2", out("other\n"));
        push(&mut window, now, "1", out("it 1\n"));
        push(&mut window, now, "0", out("it 0\n"));
        let expected = [("0-1", "it 0\nit 1\n"), ("2", "other\n"), ("0", "it 0\n")];
        assert_eq!(taken(window.take_all()), expected.map(|(ranks, text)| (ranks.to_owned(), out(text))));
    }

    proptest! {
        #[test]
        fn every_rank_is_heard_in_order(said in proptest::collection::vec((0u32..4, 0u8..3), 0..60)) {
            let (mut window, now) = (Window::default(), Instant::now());
            for &(rank, word) in &said {
                push(&mut window, now, &rank.to_string(), Event::Exited(i32::from(word)));
            }
            let taken = window.take_all();
            for rank in 0..4 {
                let heard: Vec<&Event> =
                    taken.iter().filter(|s| s.ranks.contains(Rank(rank))).map(|s| &s.event).collect();
                let expected: Vec<Event> =
                    said.iter().filter(|s| s.0 == rank).map(|s| Event::Exited(i32::from(s.1))).collect();
                prop_assert_eq!(heard, expected.iter().collect::<Vec<_>>());
            }
        }
    }
}
