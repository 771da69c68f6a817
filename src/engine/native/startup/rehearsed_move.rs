//! What a rank needs read that goes to another engine, or comes from one.

use super::arriving::Arriving;
use crate::native::breakpoints::points::Breakpoints;
use crate::native::inspect::snapshot::Rehearsal;
use crate::native::inspect::{StoppedThread, answer};
use model::{BreakpointRequest, Context, Operation, Point};
use std::sync::Arc;

/// What reads all that is needed on the tracer thread to go to another engine, or to come from one.
pub(in crate::native) fn rehearsed_move(
    arriving: Option<&Arriving>,
    breakpoints: &Breakpoints,
) -> Option<(Context, Rehearsal)> {
    let points: Vec<&BreakpointRequest> = match arriving {
        Some(arriving) => arriving.points.iter().collect(),
        None => breakpoints.points.values().map(|breakpoint| &breakpoint.request).collect(),
    };
    let watches = points.into_iter().filter_map(|request| match &request.point {
        Point::Watch(watch) => Some((watch.context, watch.bare().to_owned())),
        _ => None,
    });
    let mut watches: Vec<_> = watches.collect();
    if arriving.is_none() {
        // They have been looked up already; where their frames are now is looked for.
        watches.iter_mut().for_each(|(context, _)| context.frame = 0);
    }
    let context = watches.first().map(|(context, _)| *context)?;
    let evaluated = watches.into_iter().map(|(context, expression)| Operation::Evaluate { context, expression });
    let evaluated: Vec<_> = evaluated.collect();
    let rehearse = move |thread: &StoppedThread<'_>| {
        thread.stack(0, None);
        for operation in &evaluated {
            answer(operation, thread);
        }
    };
    Some((context, Arc::new(rehearse)))
}
