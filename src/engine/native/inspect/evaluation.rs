//! Evaluating an expression that may call functions.

use super::StoppedThread;
use super::answer::answer_with;
use expr::Journal;
use expr::call_request::CallRequest;
use model::{Answer, Operation};

/// How far an evaluation came.
#[derive(Clone, Debug, PartialEq)]
pub enum Evaluation {
    /// To its end.
    Done(Answer),
    /// To a function that has to run before it goes on.
    Call(Box<CallRequest>),
}

/// Evaluates `Evaluate` and `Print`; what the journal has of it is not done again.
pub fn evaluate(operation: &Operation, thread: &StoppedThread<'_>, journal: &Journal) -> Evaluation {
    let answer = answer_with(operation, thread, journal);
    match journal.take_pending() {
        Some(request) => Evaluation::Call(Box::new(request)),
        None => Evaluation::Done(answer),
    }
}
