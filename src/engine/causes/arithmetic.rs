//! Arithmetic without a result.

use super::failed_thread::FailedThread;
use super::fatal_signal::FatalSignal;
use super::faulting_instruction::FaultingInstruction;
use model::{Cause, CauseKind};

/// Returns the cause of a SIGFPE.
pub(super) fn cause(signal: &FatalSignal, thread: &dyn FailedThread) -> Option<Cause> {
    // By `si_code` (sigaction(2)).
    let text = match signal.code()? {
        1 => match FaultingInstruction::at(thread).and_then(|instruction| instruction.divisor(thread.memory()))? {
            0 => "integer division by zero",
            // The smallest integer divided by -1.
            _ => "integer division whose result has too many bits",
        },
        2 => "integer overflow",
        3 => "floating-point division by zero",
        4 => "floating-point overflow",
        5 => "floating-point underflow",
        6 => "inexact floating-point result",
        7 => "invalid floating-point operation",
        _ => return None,
    };
    Some(Cause { kind: CauseKind::Fpe, text: text.to_owned(), source: None })
}
