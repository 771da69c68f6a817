//! Puts each rank's selected frame into requests.

use crate::state::ChosenFrames;
use model::{Context, Operation, ProcessSet, ThreadId};

/// Stands for each rank's selected frame in a request until it is sent.
pub(in crate::core) const OWN: u32 = u32::MAX;

/// The context for names before the ranks are known: each rank's selected frame.
pub(in crate::core) fn own_context() -> Context {
    Context { thread: None, frame: OWN }
}

/// Splits a request by the selected frames of its ranks.
pub(in crate::core) fn at_own_frames(
    frames: &ChosenFrames,
    ranks: ProcessSet,
    mut operation: Operation,
) -> Vec<(ProcessSet, Operation)> {
    let Some(context) = operation.context_mut().filter(|context| context.frame == OWN) else {
        return vec![(ranks, operation)];
    };
    let parts = frames.parts(&ranks, context.thread).into_iter();
    let at_level = |(level, ranks): (u32, ProcessSet)| {
        let mut operation = operation.clone();
        if let Some(context) = operation.context_mut() {
            context.frame = level;
        }
        (ranks, operation)
    };
    parts.map(at_level).collect()
}

/// Returns the ranks of requests that refer to each rank's selected frame, and the thread of the stack.
pub(in crate::core) fn ranks_at_own_frames(
    questions: &mut [(ProcessSet, Operation)],
) -> (ProcessSet, Option<ThreadId>) {
    let mut looking = ProcessSet::new();
    let mut of = None;
    for (ranks, operation) in questions {
        if let Some(context) = operation.context_mut().filter(|context| context.frame == OWN) {
            looking.extend_with(ranks);
            of = context.thread;
        }
    }
    (looking, of)
}
