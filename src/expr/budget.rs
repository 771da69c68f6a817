//! Limits on reading values. Debug information is untrusted: a type of a few lines may have more members than fit into
//! memory. And the values are for a person to read.

use std::cell::{Cell, OnceCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Members, elements and their own parts.
const PARTS: u32 = 1 << 17;
/// Bytes of memory beyond the value itself: what containers and pointers lead to.
const BYTES: u64 = 64 << 20;
const TIME: Duration = Duration::from_secs(3);
/// Time for everything requested of a rank before it replies: the variables of all frames of a stack, displays, views.
const TIME_TOGETHER: Duration = Duration::from_secs(6);
/// A larger value is read again with a whole budget, on another thread than the one that serves other ranks.
const QUICK_PARTS: u32 = 1 << 13;
const QUICK_TIME: Duration = Duration::from_millis(50);
/// A walk over more bytes is left to that thread before it begins: what it had read would be read again.
const QUICK_WALK: u64 = 32 << 20;
/// Everything else on the tracer thread waits for these reads.
const BRIEF_TIME: Duration = Duration::from_millis(250);
/// Parts between two checks of the clock.
const LOOK: u32 = 1 << 8;

/// The time a rank may spend on all requests together, and the switch that interrupts it.
#[derive(Clone, Debug, Default)]
pub struct Allowance {
    stopped: Arc<AtomicBool>,
    /// Microseconds spent, all requests together.
    spent: Arc<AtomicU64>,
}

impl Allowance {
    /// Interrupts the current evaluation and refuses those that have not begun.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Returns an allowance with its own time that the same switch interrupts: for what reads files, and no values.
    pub fn apart(&self) -> Self {
        Self { stopped: Arc::clone(&self.stopped), spent: Arc::default() }
    }

    /// True once it has been stopped.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn left(&self) -> Duration {
        TIME_TOGETHER.saturating_sub(Duration::from_micros(self.spent.load(Ordering::Relaxed)))
    }
}

/// Limits of a budget, or of one value's share of it.
#[derive(Clone, Copy, Debug)]
struct Limits {
    parts: u32,
    bytes: u64,
    time: Duration,
}

const WHOLE: Limits = Limits { parts: PARTS, bytes: BYTES, time: TIME };

/// The budget of one request to a rank.
#[derive(Debug)]
pub struct Budget {
    allowance: Allowance,
    /// When the first value was begun: debug information read before that takes time of its own.
    begun: OnceCell<Instant>,
    /// The limits of the value being read.
    given: Cell<Limits>,
    parts: Cell<u32>,
    bytes: Cell<u64>,
    /// Time limit, counted from `begun`.
    ends: Cell<Duration>,
    until_clock: Cell<u32>,
    is_late: Cell<bool>,
    /// Something was not read that a [`Budget::whole`] might allow.
    wants_more: Cell<bool>,
    is_whole: bool,
    /// True if other ranks wait for this request.
    holds_others_up: bool,
    /// The time spent on walks over arrays.
    walked: Cell<Duration>,
}

impl Default for Budget {
    fn default() -> Self {
        Self::whole(&Allowance::default())
    }
}

impl Budget {
    /// Returns the full budget, for a request that begins now.
    pub fn whole(allowance: &Allowance) -> Self {
        Self::new(allowance, WHOLE, true)
    }

    /// Returns a small budget, for a request that is repeated with a [`Budget::whole`] if this one is too small.
    pub fn quick(allowance: &Allowance) -> Self {
        let limits = Limits { parts: QUICK_PARTS, time: QUICK_TIME, ..WHOLE };
        // If the allowance ends sooner than the quick limit, a whole budget would give no more time.
        let is_whole = allowance.left() <= QUICK_TIME;
        let mut budget = Self::new(allowance, if is_whole { WHOLE } else { limits }, is_whole);
        budget.holds_others_up = true;
        budget
    }

    /// Returns a budget for reads on the tracer thread, which delay everything else.
    pub fn brief() -> Self {
        Self::new(&Allowance::default(), Limits { time: BRIEF_TIME, ..WHOLE }, true)
    }

    fn new(allowance: &Allowance, limits: Limits, is_whole: bool) -> Self {
        let limits = Limits { time: limits.time.min(allowance.left()), ..limits };
        Self {
            allowance: allowance.clone(),
            begun: OnceCell::new(),
            given: Cell::new(limits),
            parts: Cell::new(limits.parts),
            bytes: Cell::new(limits.bytes),
            ends: Cell::new(limits.time),
            until_clock: Cell::new(LOOK),
            is_late: Cell::new(false),
            wants_more: Cell::new(false),
            is_whole,
            holds_others_up: false,
            walked: Cell::new(Duration::ZERO),
        }
    }

    /// True if other ranks wait for this request, which should be repeated with a [`Budget::whole`] if it takes long.
    pub fn holds_others_up(&self) -> bool {
        self.holds_others_up
    }

    /// True if a [`Budget::whole`] would read more.
    pub fn wants_more(&self) -> bool {
        self.wants_more.get() && !self.is_stopped()
    }

    fn is_stopped(&self) -> bool {
        self.allowance.is_stopped()
    }

    /// Charges one more part; fails with the reason if the limit is reached.
    pub fn part(&self) -> Result<(), String> {
        if self.parts.get() == 0 {
            return Err(self.refused(&format!("the value has more than {} parts", self.given.get().parts)));
        }
        self.parts.set(self.parts.get() - 1);
        self.read(0)
    }

    /// Charges bytes that are about to be read; fails with the reason if a limit is reached.
    pub fn read(&self, bytes: u64) -> Result<(), String> {
        self.also(bytes);
        if self.is_stopped() {
            return Err("not read: interrupted".to_owned());
        }
        if self.bytes.get() == 0 {
            let given = self.given.get().bytes;
            return Err(self.refused(&format!("the value refers to more than {} MiB", given.div_ceil(1 << 20))));
        }
        let begun = self.begun.get_or_init(Instant::now);
        self.until_clock.set(self.until_clock.get() - 1);
        if self.until_clock.get() == 0 {
            self.until_clock.set(LOOK);
            self.is_late.set(begun.elapsed() >= self.ends.get());
        }
        if self.is_late.get() {
            self.until_clock.set(1);
            return Err(self.refused(&format!("reading the value takes longer than {:?}", self.given.get().time)));
        }
        Ok(())
    }

    /// Lets a walk over an array that began at `since` go on; fails with the reason if it is interrupted, or if a
    /// [`Budget::whole`] has to repeat it. Otherwise it takes as long as it takes, and nothing else is charged for it.
    pub(crate) fn walk(&self, since: Instant) -> Result<(), String> {
        if self.is_stopped() {
            return Err("interrupted".to_owned());
        }
        self.walked.set(since.elapsed());
        if self.holds_others_up && self.walked.get() >= QUICK_TIME {
            self.wants_more.set(true);
            return Err("too long for other ranks to wait".to_owned());
        }
        Ok(())
    }

    /// Lets a walk over an array of so many bytes begin; fails with the reason if a [`Budget::whole`] has to do that.
    pub(crate) fn begin_walk(&self, bytes: u64) -> Result<(), String> {
        if self.holds_others_up && bytes > QUICK_WALK && !self.is_stopped() {
            self.wants_more.set(true);
            return Err("too long for other ranks to wait".to_owned());
        }
        Ok(())
    }

    /// Charges bytes that are sent with the value.
    pub fn also(&self, bytes: u64) {
        self.bytes.set(self.bytes.get().saturating_sub(bytes));
    }

    fn refused(&self, why: &str) -> String {
        self.wants_more.set(!self.is_whole);
        let given = self.given.get();
        if given.parts == 0 || given.bytes == 0 || given.time.is_zero() {
            return format!("not read: {BEFORE}");
        }
        format!("not read: {why}")
    }

    /// Returns the share of one of several values: half of what is left, so that a large one leaves something for the
    /// next.
    pub fn share(&self) -> Share<'_> {
        let now = self.begun.get_or_init(Instant::now).elapsed();
        let rest = self.ends.get().saturating_sub(now);
        let half = Limits {
            parts: self.parts.get().div_ceil(2),
            bytes: self.bytes.get().div_ceil(2),
            // The message names whole milliseconds.
            time: Duration::from_millis(u64::try_from(rest.as_millis() / 2).unwrap_or(u64::MAX)),
        };
        let share = Share {
            budget: self,
            given: self.given.replace(half),
            parts: self.parts.replace(half.parts) - half.parts,
            bytes: self.bytes.replace(half.bytes) - half.bytes,
            ends: self.ends.replace(now + half.time),
        };
        self.is_late.set(half.time.is_zero());
        share
    }
}

const BEFORE: &str = "the values before it used up the limit";

impl Drop for Budget {
    fn drop(&mut self) {
        let Some(begun) = self.begun.get() else { return };
        let charged = begun.elapsed().saturating_sub(self.walked.get());
        let spent = u64::try_from(charged.as_micros()).unwrap_or(u64::MAX);
        self.allowance.spent.fetch_add(spent, Ordering::Relaxed);
    }
}

/// Lowers the limits for as long as it lives; on drop, what is left of it returns to the budget.
#[derive(Debug)]
pub struct Share<'a> {
    budget: &'a Budget,
    given: Limits,
    parts: u32,
    bytes: u64,
    ends: Duration,
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        let budget = self.budget;
        budget.given.set(self.given);
        budget.parts.set(budget.parts.get() + self.parts);
        budget.bytes.set(budget.bytes.get() + self.bytes);
        budget.ends.set(self.ends);
        budget.is_late.set(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_is_gone_and_said() {
        let budget = Budget::default();
        assert!((0..PARTS).all(|_| budget.part().is_ok()));
        assert!(budget.part().unwrap_err().contains("131072 parts"));
        let budget = Budget::default();
        assert_eq!(budget.read(BYTES - 1), Ok(()));
        assert_eq!(budget.part(), Ok(()));
        assert!(budget.read(1).unwrap_err().contains("64 MiB"));
        assert!(budget.part().is_err(), "nothing more is begun");
        let late = Budget::default();
        late.ends.set(Duration::ZERO);
        let refused = (0..2 * LOOK).find_map(|_| late.part().err()).unwrap();
        assert_eq!(refused, "not read: reading the value takes longer than 3s");
        assert!(late.part().is_err(), "without another look at the clock");
    }

    #[test]
    fn what_reads_files_does_not_use_up_the_time_of_values() {
        let values = Allowance::default();
        let names = values.apart();
        names.spent.store(60_000_000, Ordering::Relaxed);
        assert_eq!((names.left(), values.left()), (Duration::ZERO, TIME_TOGETHER));
        values.stop();
        assert!(names.is_stopped(), "one switch interrupts both");
    }

    #[test]
    fn one_of_several_values_leaves_something_to_the_others() {
        let budget = Budget::default();
        let spend = || (0..).take_while(|_| budget.part().is_ok()).count();
        let mut shares = Vec::new();
        for _ in 0..40 {
            let share = budget.share();
            shares.push(spend());
            drop(share);
        }
        assert_eq!(shares[..3], [65536, 32768, 16384]);
        assert_eq!((shares[17], shares[18]), (1, 0));
        let _share = budget.share();
        assert_eq!(budget.part().unwrap_err(), format!("not read: {BEFORE}"));
    }

    #[test]
    fn a_rank_that_is_interrupted_spends_no_more() {
        let allowance = Allowance::default();
        let (quick, whole) = (Budget::quick(&allowance), Budget::whole(&allowance));
        assert_eq!((quick.part(), whole.part()), (Ok(()), Ok(())));
        allowance.stop();
        assert_eq!(whole.part().unwrap_err(), "not read: interrupted");
        assert!(quick.part().is_err() && !quick.wants_more(), "nor does it begin again");
    }

    #[test]
    fn a_walk_over_an_array_ends_only_when_it_is_interrupted() {
        let allowance = Allowance::default();
        let (quick, whole) = (Budget::quick(&allowance), Budget::whole(&allowance));
        let long_ago = Instant::now().checked_sub(QUICK_TIME).unwrap();
        assert!(quick.walk(Instant::now()).is_ok() && !quick.wants_more());
        assert!(quick.walk(long_ago).is_err() && quick.wants_more());
        assert_eq!(whole.walk(Instant::now().checked_sub(2 * TIME_TOGETHER).unwrap()), Ok(()));
        allowance.stop();
        assert_eq!(whole.walk(Instant::now()), Err("interrupted".to_owned()));
        assert!(quick.walk(long_ago).is_err() && !quick.wants_more());
    }

    #[test]
    fn a_walk_over_a_large_array_begins_where_it_can_end() {
        let allowance = Allowance::default();
        let (quick, whole) = (Budget::quick(&allowance), Budget::whole(&allowance));
        assert!(quick.begin_walk(QUICK_WALK).is_ok() && !quick.wants_more());
        assert!(quick.begin_walk(QUICK_WALK + 1).is_err() && quick.wants_more());
        assert_eq!(whole.begin_walk(u64::MAX), Ok(()));
    }

    #[test]
    fn a_quick_look_says_that_there_is_more() {
        let quick = Budget::quick(&Allowance::default());
        assert!((0..QUICK_PARTS).all(|_| quick.part().is_ok()));
        assert!(!quick.wants_more());
        assert!(quick.part().is_err() && quick.wants_more());
    }

    #[test]
    fn all_that_a_rank_is_asked_at_once_has_an_end() {
        let allowance = Allowance::default();
        allowance.spent.store(TIME_TOGETHER.as_micros() as u64 - 1, Ordering::Relaxed);
        assert!(Budget::quick(&allowance).is_whole, "another look would not have more");
        let budget = Budget::whole(&allowance);
        assert_eq!(budget.read(0), Ok(()));
        std::thread::sleep(Duration::from_micros(2));
        drop(budget);
        let budget = Budget::whole(&allowance);
        let refused = (0..2 * LOOK).find_map(|_| budget.part().err()).unwrap();
        assert_eq!(refused, format!("not read: {BEFORE}"));
    }
}
