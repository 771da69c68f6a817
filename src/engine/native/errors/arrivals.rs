//! Decides whether a thread that arrives at a function that reports errors stops the rank.

use super::error_call::ErrorCall;
use crate::memory_text::text_at;
use crate::native::breakpoints::claims::Claim;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;

/// Bits of the flags of a Fortran statement that reads or writes: its state, and what the program handles itself
/// (libgfortran, `io.h`).
const STATE: u64 = 3;
const FAILED: u64 = 1;
const HANDLES_ERROR: u64 = 1 << 2;
const HANDLES_END: u64 = 1 << 3;
const HANDLES_END_OF_RECORD: u64 = 1 << 4;
const HANDLES_ALL: u64 = 1 << 5;
/// The beginning of the summary of a report of undefined behaviour.
const UNDEFINED: &[u8; 35] = b"SUMMARY: UndefinedBehaviorSanitizer";
/// The beginning of the message with which MPICH ends a job, and the one after a call of `MPI_Abort`, at which the rank
/// has stopped.
const ENDS_JOB: &str = "Abort(";
const CALLED_ABORT: &str = ": application called MPI_Abort(";
/// The maximum number of bytes of a message read to tell them apart.
const BEGINNING: usize = 200;
/// Numbers of errors.
pub(in crate::native) const END_OF_RECORD: i32 = -2;
pub(in crate::native) const END_OF_FILE: i32 = -1;

/// True if one of the claims is that of a function that reports an error that the program does not handle.
pub(in crate::native) fn reports_error(inferior: &mut Inferior, tid: Tid, claims: &[Claim]) -> bool {
    if inferior.spec.settings.passes_errors {
        return false;
    }
    claims.iter().any(|claim| matches!(claim, Claim::Error(call) if is_error(*call, inferior, tid)))
}

fn is_error(call: ErrorCall, inferior: &mut Inferior, tid: Tid) -> bool {
    let Ok(registers) = inferior.process.registers(tid) else { return true };
    match call {
        ErrorCall::StopCode => registers.rdi as i32 != 0,
        ErrorCall::FortranInput => {
            let flags = inferior.process.memory().word(registers.rdi);
            flags.is_ok_and(|flags| !is_handled(flags, registers.rsi as i32))
        }
        ErrorCall::MpichOutput => {
            let text = text_at(&**inferior.process.memory(), registers.rdi, BEGINNING);
            text.starts_with(ENDS_JOB) && !text.contains(CALLED_ABORT)
        }
        // Those of undefined behaviour that ends the program have stopped the rank at their handlers.
        ErrorCall::SanitizerSummary => {
            let mut text = [0; UNDEFINED.len()];
            let is_read = inferior.process.memory().read(registers.rdi, &mut text).is_ok();
            !(is_read && text == *UNDEFINED)
        }
        _ => true,
    }
}

/// True if the program handles an error of this number, or has done so.
fn is_handled(flags: u64, number: i32) -> bool {
    let own = match number {
        END_OF_RECORD => HANDLES_END_OF_RECORD,
        END_OF_FILE => HANDLES_END,
        _ => HANDLES_ERROR,
    };
    flags & STATE == FAILED || flags & (own | HANDLES_ALL) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_may_handle_its_errors() {
        let handled = |flags| [5010, END_OF_FILE, END_OF_RECORD].map(|number| is_handled(flags, number));
        assert_eq!(handled(0), [false; 3]);
        assert_eq!(handled(FAILED), [true; 3], "the first error counts");
        assert_eq!(handled(HANDLES_ERROR), [true, false, false]);
        assert_eq!(handled(HANDLES_END), [false, true, false]);
        assert_eq!(handled(HANDLES_END_OF_RECORD), [false, false, true]);
        assert_eq!(handled(HANDLES_ALL | 2), [true; 3]);
    }
}
