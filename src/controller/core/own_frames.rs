//! The frames that ranks look at, in the questions that are asked of them.

use crate::state::ChosenFrames;
use model::{Context, Operation, ProcessSet};

/// Stands in a question for the frame that each rank looks at, until the question is sent.
pub(in crate::core) const OWN: u32 = u32::MAX;

/// Where names are looked up before it is known which ranks are meant: in the frame that each rank looks at.
pub(in crate::core) fn own_context() -> Context {
    Context { thread: None, frame: OWN }
}

/// A question to ranks that look at different frames becomes one for each of these.
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
