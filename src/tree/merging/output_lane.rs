//! Output on its way up, and other reports that ranks may make without end (traces, signals), in a lane of its own: only a
//! limited part of it is under way at a time, so that everything else that ranks report waits behind no more than that.
//! The receiver reports how much it has taken, which makes room for more. What waits is limited, too: beyond that the
//! oldest is dropped, which is said.
//!
//! It counts by its weight, bytes times ranks, which joining equal reports and cutting texts leave unchanged.

use super::dropped::Dropped;
use super::states::state_after;
use super::window::Spoken;
use model::{Event, ProcessSet, ProcessState, TransactionId};
use protocol::output_weight;
use std::collections::VecDeque;

/// Weight that may be under way, for a job of one rank.
const UNDER_WAY: u64 = 32 << 10;
/// Weight added for each further rank: many may write a line at the same moment, and equal lines are joined above.
const UNDER_WAY_PER_RANK: u64 = 1 << 10;
/// Bytes that may be under way, however many ranks the job has: the receiver has as many for each of its children.
const MOST_UNDER_WAY: usize = 256 << 10;
/// Bytes of memory for what waits at most; beyond this the oldest is dropped, and counted.
const MOST_WAITING: usize = 4 << 20;
/// Bytes up to which a text is continued: what is sent at once stays small.
const LONGEST_TEXT: usize = 4 << 10;

#[derive(Debug)]
struct Waiting {
    tid: TransactionId,
    ranks: ProcessSet,
    event: Event,
}

impl Waiting {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.ranks.bytes() + size(&self.event)
    }
}

fn size(event: &Event) -> usize {
    event.endless_bytes().unwrap_or(0)
}

/// What has been sent and not been taken.
#[derive(Debug, Default)]
struct UnderWay {
    weight: u64,
    bytes: usize,
    /// Weight and bytes of each report, the oldest first.
    sent: VecDeque<(u64, usize)>,
}

impl UnderWay {
    fn add(&mut self, weight: u64, bytes: usize) {
        self.weight += weight;
        self.bytes += bytes;
        self.sent.push_back((weight, bytes));
    }

    /// Reports are taken about in the order in which they were sent.
    fn taken(&mut self, mut weight: u64) {
        self.weight = self.weight.saturating_sub(weight);
        while let Some((oldest, bytes)) = self.sent.front_mut() {
            if *oldest > weight {
                *oldest -= weight;
                return;
            }
            weight -= *oldest;
            self.bytes -= *bytes;
            self.sent.pop_front();
        }
    }
}

/// Waiting output in the order of arrival, and the weight under way.
#[derive(Debug, Default)]
pub struct OutputLane {
    waiting: VecDeque<Waiting>,
    bytes: usize,
    under_way: UnderWay,
    dropped: Dropped,
    /// Ranks about to report that they run: their output comes after that.
    starting: ProcessSet,
}

impl OutputLane {
    /// Adds output, or another report that ranks may make without end.
    pub fn push(&mut self, tid: TransactionId, ranks: ProcessSet, event: Event) {
        match (self.waiting.back_mut(), &event) {
            (
                Some(Waiting { tid: same, ranks: those, event: Event::Output(of, so_far) }),
                Event::Output(stream, text),
            ) if so_far.len() < LONGEST_TEXT && (*same, *of) == (tid, *stream) && *those == ranks => {
                self.bytes += size(&event);
                so_far.push_str(text);
            }
            _ => {
                let last = Waiting { tid, ranks, event };
                self.bytes += last.bytes();
                self.waiting.push_back(last);
            }
        }
        while self.bytes > MOST_WAITING
            && let Some(oldest) = self.waiting.pop_front()
        {
            self.bytes -= oldest.bytes();
            self.dropped.add(&oldest.ranks, &oldest.event);
        }
    }

    /// Returns the output that may be sent now, for a job of `job` ranks.
    pub fn let_out(&mut self, job: u32) -> Vec<Spoken> {
        let limit = UNDER_WAY + UNDER_WAY_PER_RANK * u64::from(job);
        let mut out = Vec::new();
        while self.under_way.weight < limit
            && self.under_way.bytes < MOST_UNDER_WAY
            && !self.is_early()
            && self.next(&mut out)
        {}
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

    /// Returns what a report of ranks must not overtake: before their end everything of them, and before every stop
    /// everything but output, with the number of hits of which the reports were dropped.
    pub fn let_out_before(&mut self, ranks: &ProcessSet, event: &Event) -> Vec<Spoken> {
        let mut out = Vec::new();
        match state_after(event) {
            Some(state) if state.is_ended() => self.let_out_of(ranks, &mut out),
            Some(ProcessState::Stopped(_)) => self.let_out_reports_of(ranks, &mut out),
            _ => return out,
        }
        self.dropped.counted(ranks, &mut out);
        out
    }

    /// The traces and signals of these ranks. Output between them stays.
    fn let_out_reports_of(&mut self, ranks: &ProcessSet, out: &mut Vec<Spoken>) {
        let is_wanted = |waiting: &Waiting| !matches!(waiting.event, Event::Output(..)) && waiting.ranks.meets(ranks);
        if !self.waiting.iter().any(is_wanted) {
            return;
        }
        for waiting in std::mem::take(&mut self.waiting) {
            if is_wanted(&waiting) {
                self.send(waiting, out);
            } else {
                self.waiting.push_back(waiting);
            }
        }
    }

    /// Everything up to the last output of these ranks.
    fn let_out_of(&mut self, ranks: &ProcessSet, out: &mut Vec<Spoken>) {
        let count = self.waiting.iter().rposition(|waiting| waiting.ranks.meets(ranks)).map_or(0, |last| last + 1);
        for _ in 0..count {
            self.next(out);
        }
    }

    /// Returns all output that waits.
    pub fn let_out_all(&mut self) -> Vec<Spoken> {
        let mut out = Vec::new();
        while self.next(&mut out) {}
        out
    }

    /// The receiver has taken output of this weight.
    pub fn taken(&mut self, weight: u64) {
        self.under_way.taken(weight);
    }

    /// The receiver is another one: nothing is under way to it.
    pub fn start_anew(&mut self) {
        self.under_way = UnderWay::default();
    }

    fn next(&mut self, out: &mut Vec<Spoken>) -> bool {
        let Some(next) = self.waiting.pop_front() else { return false };
        self.send(next, out);
        true
    }

    fn send(&mut self, next: Waiting, out: &mut Vec<Spoken>) {
        let bytes = next.bytes();
        self.bytes -= bytes;
        let Waiting { tid, ranks, event } = next;
        self.dropped.told(tid, out);
        self.under_way.add(output_weight(&ranks, &event), bytes);
        out.push(Spoken { tid, ranks, event });
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
    use model::{BreakpointId, CodePlace, Frame, Severity, Stop, StopReason, Stream, ThreadId, Trace};
    use proptest::prelude::*;

    const TID: TransactionId = TransactionId(3);

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    fn push(lane: &mut OutputLane, ranks: &str, text: &str) {
        lane.push(TID, set(ranks), Event::Output(Stream::Stdout, text.to_owned()));
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
        assert_eq!(texts(&lane.let_out_before(&set("0"), &Event::Running)), "");
        assert_eq!(texts(&lane.let_out_before(&set("0"), &Event::Exited(0))), "abc");
        assert_eq!(texts(&lane.let_out_before(&set("0"), &Event::Exited(0))), "");
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
        let fits = MOST_WAITING / (LONGEST_TEXT + size_of::<Waiting>() + set("1").bytes());
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
    fn short_texts_of_many_ranks_wait_in_little_memory() {
        let mut lane = OutputLane::default();
        for rank in 0..200_000 {
            push(&mut lane, &(rank % 100).to_string(), "\n");
        }
        assert!(lane.waiting.len() * size_of::<Waiting>() <= MOST_WAITING, "{} wait", lane.waiting.len());
    }

    #[test]
    fn programs_that_execute_others_without_end_wait_in_little_memory() {
        let mut lane = OutputLane::default();
        for rank in 0..100_000 {
            let event = Event::Executed(format!("/home/me/{}", "a".repeat(100)));
            assert!(event.endless_bytes().is_some());
            lane.push(TransactionId(0), set(&(rank % 100).to_string()), event);
        }
        assert!(lane.bytes <= MOST_WAITING && lane.waiting.len() < 30_000, "{} wait", lane.waiting.len());
        let told =
            |spoken: &Spoken| matches!(&spoken.event, Event::Message(_, words) if words.contains("new programs"));
        assert!(lane.let_out(100).iter().any(told));
    }

    #[test]
    fn a_large_job_has_no_more_under_way_than_its_receiver_can_keep() {
        let (mut lane, job) = (OutputLane::default(), 1 << 20);
        for rank in 0..10_000 {
            push(&mut lane, &rank.to_string(), &"x".repeat(100));
        }
        let first = texts(&lane.let_out(job)).len();
        assert!(first <= MOST_UNDER_WAY, "{first}");
        lane.taken(first as u64 / 2);
        let second = texts(&lane.let_out(job)).len();
        assert!(second.abs_diff(first / 2) < 1000, "{second} after {first}");
        // Where all write the same, one text counts once.
        lane.start_anew();
        lane.waiting.clear();
        lane.bytes = 0;
        for half in ["0-524287", "524288-1048575"] {
            push(&mut lane, half, &"x".repeat(100));
        }
        assert_eq!(lane.let_out(job).len(), 2);
    }

    fn traced(lane: &mut OutputLane, ranks: &str) {
        let code = CodePlace { module: None, offset: 1, address: None };
        let frame =
            Frame { level: 0, function: None, source: None, code, inlined: false, guessed: false, thread: None };
        let trace = Trace { id: BreakpointId(2), thread: ThreadId(1), frame, values: Vec::new() };
        lane.push(TID, set(ranks), Event::Traced(trace));
    }

    #[test]
    fn a_stop_overtakes_output_and_no_trace() {
        let frame = Frame {
            level: 0,
            function: None,
            source: None,
            code: CodePlace { module: None, offset: 1, address: None },
            inlined: false,
            guessed: false,
            thread: None,
        };
        let (reason, thread) = (StopReason::Step, ThreadId(1));
        let stop = Event::Stopped(Stop { reason, thread, frame, note: None, cause: None, user: None });
        let mut lane = OutputLane::default();
        lane.under_way.add(u64::MAX / 2, 0);
        push(&mut lane, "0", "a line");
        traced(&mut lane, "0");
        traced(&mut lane, "1");
        assert!(lane.let_out(2).is_empty(), "the receiver has no room");
        let before = lane.let_out_before(&set("0"), &stop);
        assert!(matches!(&before[..], [Spoken { event: Event::Traced(_), .. }]), "{before:?}");
        assert_eq!((before[0].ranks.to_string().as_str(), lane.waiting.len()), ("0", 2));
    }

    #[test]
    fn hits_of_dropped_traces_are_counted_before_the_next_stop() {
        const HITS: usize = 50_000;
        let mut lane = OutputLane::default();
        for _ in 0..HITS {
            traced(&mut lane, "0");
            traced(&mut lane, "1-2");
        }
        assert!(lane.waiting.len() * size_of::<Waiting>() <= MOST_WAITING, "{} wait", lane.waiting.len());
        let counted = lane.let_out_before(&set("0-1"), &Event::Exited(0));
        let hits_of = |said: &[Spoken], rank: &str| -> usize {
            let hits = |spoken: &Spoken| match &spoken.event {
                Event::Traced(_) => 1,
                Event::Counted(BreakpointId(2), number) => *number as usize,
                _ => 0,
            };
            said.iter().filter(|spoken| set(rank).is_subset(&spoken.ranks)).map(hits).sum()
        };
        assert_eq!((hits_of(&counted, "0"), hits_of(&counted, "1")), (HITS, HITS));
        let told = counted.iter().filter(|spoken| matches!(spoken.event, Event::Message(..))).count();
        assert_eq!(told, 1);
        // Those of the third rank are told when it stops.
        assert!(hits_of(&counted, "2") < HITS);
        let rest = lane.let_out_before(&set("2"), &Event::Exited(0));
        assert_eq!(hits_of(&counted, "2") + hits_of(&rest, "2"), HITS);
        assert!(lane.let_out_before(&set("0-2"), &Event::Exited(0)).is_empty());
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
            let mut out = lane.let_out_before(&set("1"), &Event::Exited(0));
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
