//! A stop outside the user's code says which of the user's frames led there. Its stack is unwound on a worker, as all
//! stacks are; the rank stays as it is meanwhile, and the stop is reported after that.

use super::tracee::Tracee;
use super::tracer_shared::TracerShared;
use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::snapshot::{Seen, Snapshot};
use crate::native::ptrace::Tid;
use debuginfo::Image;
use expr::budget::Budget;
use model::{Frame, MyCode, StopReason, USER_FRAME_SEARCH, UserFrame, VirtualAddress};
use std::sync::Arc;

impl Inferior {
    /// True if the innermost frame of a thread is the user's code. Its debug information has been read.
    fn is_in_user_code(&mut self, tid: Tid) -> bool {
        let Ok(pc) = self.pc(tid) else { return true };
        let Some((loaded, at)) = self.images().locate(VirtualAddress(pc)) else { return false };
        let Some(row) = loaded.image.line_at(at) else { return false };
        // As patterns may name the function, it needs a name.
        let function = loaded.image.function_at(at).map(|function| function.name);
        self.spec.settings.my_code.has_place(Some(&*loaded.name), &row.place.file, function.as_deref())
    }
}

/// True if it is known which frame of the user's code a stop has; otherwise starts the search, and the stop is reported
/// after that.
pub(super) fn is_known(tracee: &mut Tracee, shared: &mut TracerShared, tid: Tid, reason: &StopReason) -> bool {
    let inferior = &mut tracee.inferior;
    let tid = if inferior.process.thread(tid).is_some() { tid } else { inferior.process.threads().first() };
    if inferior.program.user_frame.is_done(tid) {
        return true;
    }
    if inferior.program.user_frame.is_running(tid) {
        return false;
    }
    // The frames of the stack depend on it.
    tracee.breakpoints.note_outside(inferior, tid, reason);
    if inferior.is_in_user_code(tid) {
        return true;
    }
    let Some(snapshot) = inferior.snapshots(&[tid], false).pop() else { return true };
    inferior.program.user_frame.begin(tid);
    search(tracee, shared, tid, Arc::new(snapshot), Vec::new());
    false
}

/// Searches once these files are prepared.
fn search(tracee: &mut Tracee, shared: &mut TracerShared, tid: Tid, snapshot: Arc<Snapshot>, files: Vec<Arc<Image>>) {
    let (inside, my_code) = (Arc::clone(&snapshot), tracee.inferior.spec.settings.my_code.clone());
    let find = move || user_frame(&inside, &my_code);
    tracee.find_out(shared, files, find, move |tracee, shared, found| {
        if !tracee.inferior.program.user_frame.is_running(tid) {
            return;
        }
        match found {
            Err(missing) => search(tracee, shared, tid, snapshot, missing),
            Ok(found) => {
                tracee.inferior.program.user_frame.end(tid, found.map(Box::new));
                tracee.check_halted(shared);
            }
        }
    });
}

/// Returns the frame of the user's code; fails with the files that have to be prepared first.
fn user_frame(snapshot: &Snapshot, my_code: &MyCode) -> Result<Option<UserFrame>, Vec<Arc<Image>>> {
    let stack = |frames: Vec<debuginfo::StackFrame>| frames.into_iter().map(|one| one.frame).collect::<Vec<Frame>>();
    let budget = Budget::brief();
    match snapshot.look(&budget, |thread| stack(thread.stack(0, Some(USER_FRAME_SEARCH - 1)).frames)) {
        Seen::Missing(images) => Err(images),
        Seen::Whole(frames) | Seen::Noted(frames, _) => Ok(my_code.user_frame(&frames)),
        Seen::Beyond | Seen::Long => Ok(None),
    }
}
