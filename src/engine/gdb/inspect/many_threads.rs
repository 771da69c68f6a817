//! One query for many threads of a rank.

use super::queries::{Inspector, declined};
use crate::gdb::session::fault::{GdbError, failure};
use model::{Answer, Operation, ThreadAnswers, ThreadId};
use std::time::{Duration, Instant};

/// Time limit, since the rank's other queries wait meanwhile.
const MOMENT: Duration = Duration::from_millis(500);

impl Inspector<'_> {
    /// Queries as many threads as the time limit allows.
    pub(super) fn each_thread(&mut self, threads: &[ThreadId], operation: &Operation) -> Result<Answer, GdbError> {
        let begun = Instant::now();
        let mut answers = ThreadAnswers::default();
        for thread in threads {
            let Some(single) = operation.of_thread(*thread) else { return Ok(declined()) };
            let answer = match self.answer(&single) {
                Ok(answer) => answer,
                Err(GdbError::Refused(why)) => Answer::Failed(failure(&why)),
                Err(gone) => return Err(gone),
            };
            answers.add(*thread, answer);
            if answers.is_full() || begun.elapsed() >= MOMENT {
                break;
            }
        }
        Ok(answers.into_answer())
    }
}
