//! The same question to many threads of a rank: their registers are taken at once, and what they say is found out beside the
//! tracer thread, as far as a moment goes.

use super::snapshot::{Seen, Snapshot};
use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::snapshot::look_at_thread;
use crate::native::ptrace::Tid;
use expr::budget::Budget;
use model::{Answer, ErrorCode, Failure, Operation, ThreadAnswers, ThreadId};
use std::time::{Duration, Instant};

/// Longer than this is not looked at one go: what else the rank is asked waits meanwhile.
const MOMENT: Duration = Duration::from_millis(500);

/// A thread that is asked, or why it cannot be.
pub(in crate::native) type Chosen = (ThreadId, Result<Snapshot, Failure>);

/// What they say, one after another.
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
                // What changes something is done for a thread alone.
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
    /// Those of the threads that one answer has room for, as they are now.
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
