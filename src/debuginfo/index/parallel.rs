//! Runs the same work for many units on all processors.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The number of items that makes another thread worthwhile.
const WORTH_A_THREAD: usize = 16;
/// The limit on threads; any more would just wait for memory.
const MOST_THREADS: usize = 8;

/// Returns the results of `work` for `0..count`, in order.
pub(crate) fn map<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let threads = processors.min(MOST_THREADS).min(count / WORTH_A_THREAD);
    if threads < 2 {
        return (0..count).map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return done;
            }
            done.push((index, work(index)));
        }
    };
    let mut all = thread::scope(|scope| {
        // If another thread cannot be started, the existing ones do all the work.
        let started = (1..threads).map_while(|_| thread::Builder::new().spawn_scoped(scope, take).ok());
        let others: Vec<_> = started.collect();
        let mut all = take();
        for other in others {
            match other.join() {
                Ok(part) => all.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_unstable_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn keeps_the_order() {
        for count in [0, 1, 15, 1000] {
            let expected: Vec<usize> = (0..count).map(|index| index * 2).collect();
            assert_eq!(super::map(count, |index| index * 2), expected);
        }
    }
}
