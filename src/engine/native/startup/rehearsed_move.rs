//! The debug information needed by a rank that moves to another engine or comes from one.

use super::arriving::Arriving;
use crate::native::breakpoints::points::Breakpoints;
use crate::native::inspect::snapshot::Rehearsal;
use crate::native::inspect::{StoppedThread, answer};
use model::{BreakpointRequest, Context, Operation, Point};
use std::sync::Arc;

/// Returns the rehearsal that reads what the tracer thread needs to give a rank away or to take one over.
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
        // Their names have been resolved already; their frames must be found again.
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
