//! A stop for a fatal signal or an error is reported once its cause has been looked for, outside the tracer thread.

use super::explanation::Explanation;
use super::tracee::Tracee;
use super::tracer_shared::TracerShared;
use crate::native::breakpoints::claims::Claim;
use crate::native::causes::evidence::Evidence;
use crate::native::errors::error_call::ErrorCall;
use crate::native::inspect::snapshot::Seen;
use crate::native::ptrace::Tid;
use debuginfo::Image;
use model::StopReason;
use std::sync::Arc;

/// True if a stop can be reported with its cause; otherwise starts to look for it, and the stop is reported after that.
pub(super) fn is_explained(tracee: &mut Tracee, shared: &mut TracerShared, tid: Tid, reason: &StopReason) -> bool {
    match tracee.explanation {
        Explanation::Done(_) => return true,
        Explanation::Sought => return false,
        Explanation::Unsought => {}
    }
    let evidence = match reason {
        StopReason::Error => error_call(tracee, tid).map(|call| Evidence::of_error(&mut tracee.inferior, tid, call)),
        _ => Evidence::of_signal(&mut tracee.inferior, tid, reason),
    };
    let Some(evidence) = evidence else { return true };
    tracee.explanation = Explanation::Sought;
    explain(tracee, shared, evidence, Vec::new());
    false
}

/// Returns the function at which a thread has stopped because it reports an error.
fn error_call(tracee: &mut Tracee, tid: Tid) -> Option<ErrorCall> {
    let pc = tracee.inferior.pc(tid).ok()?;
    tracee.breakpoints.claims.at(pc).iter().find_map(|claim| match claim {
        Claim::Error(call) => Some(*call),
        _ => None,
    })
}

/// Looks for the cause once these files are prepared.
fn explain(tracee: &Tracee, shared: &mut TracerShared, evidence: Evidence, files: Vec<Arc<Image>>) {
    let look = move || {
        let seen = evidence.look();
        (evidence, seen)
    };
    tracee.find_out(shared, files, look, |tracee, shared, (evidence, seen)| {
        if !matches!(tracee.explanation, Explanation::Sought) {
            return;
        }
        let cause = match seen {
            Seen::Missing(files) => return explain(tracee, shared, evidence, files),
            Seen::Whole(cause) | Seen::Noted(cause, _) => cause,
            Seen::Beyond | Seen::Long => None,
        };
        tracee.explanation = Explanation::Done(cause.map(Box::new));
        tracee.check_halted(shared);
    });
}
