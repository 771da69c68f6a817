//! A short stop of a running rank, which its user does not see.

use super::phase::{Halt, Phase};
use super::tracee::Tracee;

/// Stops the threads of a running rank for a moment: what has changed takes effect when they resume.
pub(in crate::native) fn pause(tracee: &mut Tracee) {
    tracee.phase = Phase::Halting(Halt::Pause);
    tracee.inferior.process.threads().interrupt_all();
}
