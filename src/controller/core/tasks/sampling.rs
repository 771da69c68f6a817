//! The looks at running ranks of a `sample` between its requests.

use crate::state::SampledStacks;
use model::{Operation, ProcessSet};
use std::time::{Duration, Instant};

/// The least time between two looks.
const EVERY: Duration = Duration::from_millis(100);
/// How many times as long as a look takes the ranks run before the next one.
const RUNNING: u32 = 3;

/// An unfinished `sample`.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) struct Sampling {
    /// The ranks that have answered so far.
    pub(in crate::core) ranks: ProcessSet,
    /// Looks at them.
    pub(in crate::core) operation: Operation,
    /// True to show every call of libraries.
    pub(in crate::core) all: bool,
    pub(in crate::core) begun: Instant,
    /// No look begins after this time, but for the second one.
    pub(in crate::core) until: Instant,
    /// When the present look, or the last one, was asked for.
    pub(in crate::core) asked: Instant,
    pub(in crate::core) looks: SampledStacks,
}

impl Sampling {
    /// The time of the next look if one has just ended; `None` if that was the last one.
    pub(in crate::core) fn next(&self, now: Instant) -> Option<Instant> {
        let took = now.saturating_duration_since(self.asked);
        let next = (self.asked + EVERY).max(now + RUNNING * took);
        // One look alone does not say what moves.
        (next <= self.until || self.looks.count() < 2).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::MyCode;

    #[test]
    fn ranks_run_most_of_the_time_and_are_looked_at_twice() {
        let begun = Instant::now();
        let ms = Duration::from_millis;
        let mut sampling = Sampling {
            ranks: ProcessSet::all(2),
            operation: Operation::Threads,
            all: false,
            begun,
            until: begun + ms(1000),
            asked: begun,
            looks: SampledStacks::new(MyCode::default()),
        };
        sampling.looks.add(std::iter::empty());
        assert_eq!(sampling.next(begun + ms(5)), Some(begun + ms(100)));
        assert_eq!(sampling.next(begun + ms(200)), Some(begun + ms(800)));
        assert_eq!(sampling.next(begun + ms(900)), Some(begun + ms(3600)), "there is a second look");
        sampling.looks.add(std::iter::empty());
        assert_eq!(sampling.next(begun + ms(900)), None);
        sampling.asked = begun + ms(900);
        assert_eq!(sampling.next(begun + ms(905)), Some(begun + ms(1000)));
    }
}
