//! The same operation for many threads of a rank: their registers are read at once, and the operation is performed
//! outside the tracer thread, until a time limit.

use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::snapshot::{Seen, Snapshot, look_at_thread};
use crate::native::ptrace::Tid;
use expr::budget::Budget;
use model::{Answer, ErrorCode, Failure, Operation, ThreadAnswers, ThreadId};
use std::time::{Duration, Instant};

/// The time limit of one round: other queries of the rank wait meanwhile.
const MOMENT: Duration = Duration::from_millis(500);

/// A thread to inspect, or the reason why it cannot be.
pub(in crate::native) type Chosen = (ThreadId, Result<Snapshot, Failure>);

/// Performs an operation on the threads one after another, until the time limit.
pub(in crate::native) fn look_at_each(threads: &[Chosen], operation: &Operation, budget: &Budget) -> Seen<Answer> {
    let begun = Instant::now();
    let mut answers = ThreadAnswers::default();
    let Operation::EachThread { operation, .. } = operation else { return Seen::Beyond };
    for (id, snapshot) in threads {
        let answer = match snapshot {
            Err(failure) => Answer::Failed(failure.clone()),
            Ok(snapshot) => match look_at_thread(snapshot, operation, budget) {
                Seen::Whole(answer) => answer,
                Seen::Missing(images) => return Seen::Missing(images),
                Seen::Long if answers.is_empty() => return Seen::Long,
                // An operation that changes something is performed for one thread at a time.
                Seen::Noted(..) | Seen::Beyond if answers.is_empty() => return Seen::Beyond,
                Seen::Noted(..) | Seen::Beyond | Seen::Long => break,
            },
        };
        answers.add(*id, answer);
        if answers.is_full() || begun.elapsed() >= MOMENT {
            break;
        }
    }
    Seen::Whole(answers.into_answer())
}

impl Inferior {
    /// Takes snapshots of as many of the threads as one answer has room for.
    pub(in crate::native) fn chosen(
        &mut self,
        threads: &[ThreadId],
        operation: &Operation,
    ) -> Result<Vec<Chosen>, Failure> {
        if operation.of_thread(ThreadId(1)).is_none() {
            return Err(Failure::new(ErrorCode::NOT_IMPLEMENTED, "This cannot be asked of several threads at once."));
        }
        let asked = threads.iter().take(Operation::MOST_THREADS);
        let found: Vec<(ThreadId, Result<Tid, Failure>)> = asked.map(|id| (*id, self.thread(Some(*id)))).collect();
        let there: Vec<Tid> = found.iter().filter_map(|(_, tid)| tid.as_ref().ok().copied()).collect();
        let only_stacks = matches!(operation, Operation::Stack { .. } | Operation::StackDepth(_));
        let mut snapshots = self.snapshots(&there, !only_stacks).into_iter();
        let mut snapshot = || snapshots.next().unwrap_or_else(|| self.bare_snapshot());
        Ok(found.into_iter().map(|(id, tid)| (id, tid.map(|_| snapshot()))).collect())
    }
}
