//! Rehearsals: what an operation on the tracer thread will need of the debug information is read before it, in a
//! snapshot, by another thread.

use super::StoppedThread;
use super::answer;
use crate::native::breakpoints::evaluated;
use crate::native::breakpoints::watchpoints::NESTED;
use crate::native::calls::return_value::return_type_in;
use crate::native::inspect::snapshot::Rehearsal;
use crate::native::startup::rehearsed_move::rehearsed_move;
use crate::native::stepping::longjmp;
use crate::native::tracer::tracee::Tracee;
use expr::Expression;
use model::{BreakpointRequest, Context, Failure, LocationSpec, Operation, Point, StepKind};
use std::sync::Arc;

/// Returns the rehearsal of an operation on the tracer thread; `None` if there is nothing to read or all has been read.
pub(super) fn rehearsal(tracee: &mut Tracee, operation: &Operation) -> Option<(Context, Rehearsal)> {
    match operation {
        Operation::Step { kind: StepKind::Instruction | StepKind::InstructionOver, .. } => None,
        Operation::Step { kind, context, .. } => {
            let (context, finishes) = (*context, *kind == StepKind::Finish);
            let tid = tracee.inferior.thread(context.thread).ok()?;
            let pc = tracee.inferior.pc(tid).ok()?;
            if !finishes
                && context.frame == 0
                && tracee.inferior.is_warm(pc)
                && longjmp::is_prepared(tracee.inferior.images())
            {
                return None;
            }
            let rehearse = move |thread: &StoppedThread<'_>| {
                warm(thread);
                thread.warm_frame(context.frame);
                if finishes {
                    return_type_in(thread, context.frame);
                }
            };
            Some((context, Arc::new(rehearse)))
        }
        Operation::Until(location, context)
        | Operation::Advance(location, context)
        | Operation::Jump(location, context) => {
            let (level, location) = (context.frame, rehearsed_place(location, *context));
            let rehearse = move |thread: &StoppedThread<'_>| {
                warm(thread);
                thread.stack(0, Some(level.saturating_add(1)));
                if let Some(operation) = &location {
                    answer(operation, thread);
                }
            };
            Some((*context, Arc::new(rehearse)))
        }
        Operation::Return(expression, context) => {
            let context = *context;
            let value = expression.clone().map(|expression| Operation::Evaluate { context, expression });
            let rehearse = move |thread: &StoppedThread<'_>| {
                warm(thread);
                thread.stack(0, Some(context.frame.saturating_add(1)));
                return_type_in(thread, context.frame);
                if let Some(operation) = &value {
                    answer(operation, thread);
                }
            };
            Some((context, Arc::new(rehearse)))
        }
        Operation::SetBreakpoint(request) => rehearsed_point(request),
        Operation::UseEngine(_) => rehearsed_move(tracee.arriving.as_ref(), &tracee.breakpoints),
        Operation::EnableBreakpoint(id, true) => rehearsed_point(&tracee.breakpoints.points.get(id)?.request),
        Operation::SetCondition(id, Some(condition)) => {
            let breakpoint = tracee.breakpoints.points.get(id)?;
            let condition = tracee.inferior.expressions.parse(condition).ok()?;
            if let Point::Watch(watch) = &breakpoint.request.point {
                let level = watch.context.frame;
                return Some((watch.context, Arc::new(move |thread| drop(check_in(thread, level, &condition)))));
            }
            let refused = breakpoint.refused.iter().map(|(site, _)| site);
            let sites: Vec<_> = breakpoint.sites.iter().chain(refused).cloned().collect();
            let rehearse = move |thread: &StoppedThread<'_>| {
                drop(evaluated::place(thread.images, thread.access, &condition, sites.clone()));
            };
            Some((Context::default(), Arc::new(rehearse)))
        }
        _ => None,
    }
}

/// Reads the debug information that a step at a thread's place needs.
fn warm(thread: &StoppedThread<'_>) {
    if let Some((loaded, at)) = thread.registers.pc().and_then(|pc| thread.images.locate(pc)) {
        loaded.image.warm_at(at);
    }
    longjmp::prepare(thread.images);
}

/// Returns an operation that loads the debug information needed to resolve an address location.
fn rehearsed_place(location: &LocationSpec, context: Context) -> Option<Operation> {
    match location {
        LocationSpec::Address(expression) => Some(Operation::Evaluate { context, expression: expression.clone() }),
        LocationSpec::Line(_) => {
            Some(Operation::Stack { thread: context.thread, low: context.frame, high: Some(context.frame), most: None })
        }
        LocationSpec::Function(_) | LocationSpec::FileLine { .. } => None,
    }
}

fn rehearsed_point(request: &BreakpointRequest) -> Option<(Context, Rehearsal)> {
    let (context, operation) = match &request.point {
        Point::Watch(watch) => {
            let context = watch.context;
            (context, Operation::Evaluate { context, expression: watch.bare().to_owned() })
        }
        Point::Place(location) => (Context::default(), rehearsed_place(location, Context::default())?),
        Point::Catch(_) => return None,
    };
    let condition = match (&request.point, &request.condition) {
        (Point::Watch(_), Some(condition)) => Some(condition.clone()),
        _ => None,
    };
    let rehearse = move |thread: &StoppedThread<'_>| {
        thread.stack(context.frame, Some(context.frame.saturating_add(NESTED)));
        answer(&operation, thread);
        if let Some(Ok(condition)) = condition.as_deref().map(|text| thread.access.parse(text)) {
            drop(check_in(thread, context.frame, &condition));
        }
    };
    Some((context, Arc::new(rehearse)))
}

/// Fails if a condition cannot be evaluated in a frame.
fn check_in(thread: &StoppedThread<'_>, level: u32, condition: &Expression) -> Result<(), Failure> {
    thread.at(level, |view| Ok(condition.check(&view.eval())?))
}
