//! The stacks of all threads of a rank.

use crate::gdb::inferior::frames::DEEPEST;
use crate::gdb::inferior::state::InferiorState;
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use model::{Answer, MyCode, NamedThread, Operation, ThreadId, ThreadStackList};
use std::time::{Duration, Instant};

/// Time limit, since the rank's other queries wait meanwhile.
const MOMENT: Duration = Duration::from_millis(500);

/// Reads the stacks of all threads up to a level. Those for which there is no time are left out.
pub(super) fn thread_stacks(
    gdb: &mut Gdb,
    inferior: &mut InferiorState,
    my_code: &MyCode,
    high: Option<u32>,
) -> Result<Answer, GdbError> {
    let begun = Instant::now();
    let threads = inferior.threads(gdb, my_code)?;
    let common = threads.iter().find(|thread| thread.id == ThreadId(1)).map(|first| first.name.clone());
    let mut list = ThreadStackList::default();
    for (count, thread) in threads.into_iter().enumerate() {
        let has_common_name = common.as_ref() == Some(&thread.name);
        let name = if has_common_name { "" } else { thread.name.as_str() };
        let named = NamedThread { id: thread.id, name: name.into() };
        if count >= Operation::MOST_THREADS || list.is_full() || begun.elapsed() >= MOMENT {
            list.leave_out(named);
            continue;
        }
        if thread.frame.is_none() {
            // It runs.
            list.add(named, Vec::new());
            continue;
        }
        match inferior.frames(gdb, Some(thread.id), 0, high.unwrap_or(DEEPEST)) {
            Ok(frames) => list.add(named, frames),
            Err(GdbError::Refused(_)) => list.leave_out(named),
            Err(gone) => return Err(gone),
        }
    }
    Ok(Answer::ThreadStacks(Box::new(list.finish())))
}
