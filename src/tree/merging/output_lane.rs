//! Output on its way up, in a lane of its own: only a limited part of it is under way at a time, so that everything
//! else that ranks report waits behind no more than that. The receiver reports how much it has taken, which makes room
//! for more.
//!
//! Output counts by its weight, bytes times ranks, which joining equal lines and cutting texts leave unchanged.

use super::window::Spoken;
use model::{Event, ProcessSet, Severity, Stream, TransactionId};
use protocol::output_weight;
use std::collections::VecDeque;

/// Weight that may be under way, for a job of one rank.
const UNDER_WAY: u64 = 32 << 10;
/// Weight added for each further rank: many may write a line at the same moment, and equal lines are joined above.
const UNDER_WAY_PER_RANK: u64 = 1 << 10;
/// Bytes that wait at most; beyond this the oldest are dropped, and counted.
const MOST_WAITING: usize = 4 << 20;
/// Bytes up to which a text is continued: what is sent at once stays small.
const LONGEST_TEXT: usize = 4 << 10;

#[derive(Debug)]
struct Waiting {
    tid: TransactionId,
    ranks: ProcessSet,
    stream: Stream,
    text: String,
}

/// Output dropped since the last report of dropped output.
#[derive(Debug, Default)]
struct Dropped {
    ranks: ProcessSet,
    bytes: u64,
}

/// Waiting output in the order of arrival, and the weight under way.
#[derive(Debug, Default)]
pub struct OutputLane {
    waiting: VecDeque<Waiting>,
    bytes: usize,
    under_way: u64,
    dropped: Dropped,
    /// Ranks about to report that they run: their output comes after that.
    starting: ProcessSet,
}

impl OutputLane {
    /// Adds output.
    pub fn push(&mut self, tid: TransactionId, ranks: ProcessSet, stream: Stream, text: String) {
        self.bytes += text.len();
        match self.waiting.back_mut() {
            Some(last)
                if last.text.len() < LONGEST_TEXT
                    && (last.tid, last.stream) == (tid, stream)
                    && last.ranks == ranks =>
            {
                last.text.push_str(&text);
            }
            _ => self.waiting.push_back(Waiting { tid, ranks, stream, text }),
        }
        while self.bytes > MOST_WAITING
            && let Some(oldest) = self.waiting.pop_front()
        {
            self.bytes -= oldest.text.len();
            self.dropped.bytes += oldest.text.len() as u64;
            self.dropped.ranks.extend_with(&oldest.ranks);
        }
    }

    /// Returns the output that may be sent now, for a job of `job` ranks.
    pub fn let_out(&mut self, job: u32) -> Vec<Spoken> {
        let limit = UNDER_WAY + UNDER_WAY_PER_RANK * u64::from(job);
        let mut out = Vec::new();
        while self.under_way < limit && !self.is_early() && self.next(&mut out) {}
        out
    }

    /// True if the next output is of ranks that have not reported yet that they run.
    fn is_early(&self) -> bool {
        self.waiting.front().is_some_and(|next| next.ranks.meets(&self.starting))
    }

    /// Marks ranks that were asked to run and have not reported it yet.
    pub fn start(&mut self, ranks: &ProcessSet) {
        self.starting.extend_with(ranks);
    }

    /// Marks ranks that have reported their state, or that they will not run.
    pub fn started(&mut self, ranks: &ProcessSet) {
        self.starting.remove_all(ranks);
    }

    /// Returns everything up to the last output of these ranks: a report follows that must not overtake it.
    pub fn let_out_of(&mut self, ranks: &ProcessSet) -> Vec<Spoken> {
        let count = self.waiting.iter().rposition(|waiting| waiting.ranks.meets(ranks)).map_or(0, |last| last + 1);
        let mut out = Vec::new();
        for _ in 0..count {
            self.next(&mut out);
        }
        out
    }

    /// Returns all output that waits.
    pub fn let_out_all(&mut self) -> Vec<Spoken> {
        let mut out = Vec::new();
        while self.next(&mut out) {}
        out
    }

    /// The receiver has taken output of this weight.
    pub fn taken(&mut self, weight: u64) {
        self.under_way = self.under_way.saturating_sub(weight);
    }

    /// The receiver is another one: nothing is under way to it.
    pub fn start_anew(&mut self) {
        self.under_way = 0;
    }

    fn next(&mut self, out: &mut Vec<Spoken>) -> bool {
        let Some(Waiting { tid, ranks, stream, text }) = self.waiting.pop_front() else { return false };
        if self.dropped.bytes > 0 {
            let Dropped { ranks, bytes } = std::mem::take(&mut self.dropped);
            let words = format!("dropped {bytes} bytes of output: the ranks write faster than it can be shown");
            out.push(Spoken { tid, ranks, event: Event::Message(Severity::Warning, words) });
        }
        self.bytes -= text.len();
        self.under_way += output_weight(&ranks, &text);
        out.push(Spoken { tid, ranks, event: Event::Output(stream, text) });
        true
    }
}

/// Counts output taken; reports it not for every line, but before the sender runs out of room.
#[derive(Debug, Default)]
pub struct Takings(u64);

/// Far less than the weight that may be under way.
const WORTH_SAYING: u64 = UNDER_WAY / 4;

impl Takings {
    /// Adds output taken; returns the weight to report now, if any.
    pub fn add(&mut self, weight: u64) -> Option<u64> {
        self.0 += weight;
        (self.0 >= WORTH_SAYING).then(|| std::mem::take(&mut self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TID: TransactionId = TransactionId(3);

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    fn push(lane: &mut OutputLane, ranks: &str, text: &str) {
        lane.push(TID, set(ranks), Stream::Stdout, text.to_owned());
    }

    fn texts(out: &[Spoken]) -> String {
        let text = |spoken: &Spoken| match &spoken.event {
            Event::Output(_, text) => text.clone(),
            other => format!("({other:?})"),
        };
        out.iter().map(text).collect()
    }

    #[test]
    fn a_limited_part_is_under_way_until_it_is_taken() {
        let mut lane = OutputLane::default();
        for _ in 0..100 {
            push(&mut lane, "0", &"x".repeat(LONGEST_TEXT));
        }
        let first = texts(&lane.let_out(1)).len();
        assert!((UNDER_WAY as usize..UNDER_WAY as usize + 2 * LONGEST_TEXT).contains(&first), "{first}");
        assert!(lane.let_out(1).is_empty());
        lane.taken(first as u64);
        assert_eq!(texts(&lane.let_out(1)).len(), first);
        assert_eq!(texts(&lane.let_out_all()).len(), 100 * LONGEST_TEXT - 2 * first);
    }

    #[test]
    fn an_end_is_preceded_by_all_output_of_its_ranks_and_no_other_order_changes() {
        let mut lane = OutputLane::default();
        for (ranks, text) in [("0-1", "a"), ("1", "b"), ("0", "c"), ("1", "d")] {
            push(&mut lane, ranks, text);
        }
        assert_eq!(texts(&lane.let_out_of(&set("0"))), "abc");
        assert_eq!(texts(&lane.let_out_of(&set("0"))), "");
        assert_eq!(texts(&lane.let_out_all()), "d");
    }

    #[test]
    fn what_ranks_write_comes_after_that_they_run() {
        let mut lane = OutputLane::default();
        push(&mut lane, "1", "before");
        lane.start(&set("0"));
        push(&mut lane, "0", "early");
        push(&mut lane, "1", "behind");
        assert_eq!(texts(&lane.let_out(2)), "before");
        lane.started(&set("0"));
        assert_eq!(texts(&lane.let_out(2)), "earlybehind");
    }

    #[test]
    fn what_is_too_much_is_dropped_from_the_front_and_counted() {
        let mut lane = OutputLane::default();
        let line = "x".repeat(LONGEST_TEXT);
        let fits = MOST_WAITING / LONGEST_TEXT;
        push(&mut lane, "3", &line);
        for _ in 0..fits {
            push(&mut lane, "1", &line);
        }
        let out = lane.let_out_all();
        let Event::Message(Severity::Warning, words) = &out[0].event else { panic!("{:?}", out[0]) };
        assert!(words.starts_with(&format!("dropped {LONGEST_TEXT} bytes")), "{words}");
        assert_eq!(out[0].ranks, set("3"));
        assert_eq!(out.len(), fits + 1);
    }

    #[test]
    fn takings_are_said_before_the_lane_runs_dry() {
        let mut takings = Takings::default();
        assert_eq!(takings.add(WORTH_SAYING - 1), None);
        assert_eq!(takings.add(2), Some(WORTH_SAYING + 1));
        assert_eq!(takings.add(1), None);
    }

    proptest! {
        #[test]
        fn each_rank_is_heard_in_order(said in proptest::collection::vec((0u32..3, "[a-z]{1,4}"), 0..60), job in 1u32..4) {
            let mut lane = OutputLane::default();
            for (rank, text) in &said {
                push(&mut lane, &rank.to_string(), text);
            }
            let mut out = lane.let_out_of(&set("1"));
            out.extend(lane.let_out(job));
            out.extend(lane.let_out_all());
            for rank in 0..3 {
                let heard: Vec<Spoken> =
                    out.iter().filter(|spoken| spoken.ranks == set(&rank.to_string())).cloned().collect();
                let wrote: String = said.iter().filter(|said| said.0 == rank).map(|said| said.1.as_str()).collect();
                prop_assert_eq!(texts(&heard), wrote);
            }
        }
    }
}
