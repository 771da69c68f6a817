//! Evaluating an expression that may call functions.

use super::StoppedThread;
use super::answer::answer_with;
use expr::Journal;
use expr::call_request::CallRequest;
use model::{Answer, Operation};

/// The outcome of an evaluation: complete, or waiting for a function call.
#[derive(Clone, Debug, PartialEq)]
pub enum Evaluation {
    /// The evaluation is complete.
    Done(Answer),
    /// A function has to run before the evaluation can continue.
    Call(Box<CallRequest>),
}

/// Performs `Evaluate` or `Print`; calls whose results are in the journal are not repeated.
pub fn evaluate(operation: &Operation, thread: &StoppedThread<'_>, journal: &Journal) -> Evaluation {
    let answer = answer_with(operation, thread, journal);
    match journal.take_pending() {
        Some(request) => Evaluation::Call(Box::new(request)),
        None => Evaluation::Done(answer),
    }
}
