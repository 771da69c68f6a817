//! Answers about the numbers of an array.

use super::StoppedThread;
use expr::{FrameContext, Value, find_in_array, measure_array};
use model::{Answer, Context, ErrorCode, Failure, Operation, ScanCondition};

/// Returns statistics of an array.
pub(super) fn statistics(thread: &StoppedThread<'_>, context: &Context, expression: &str) -> Result<Answer, Failure> {
    thread.at(context.frame, |view| {
        let array = array(expression, view)?;
        Ok(Answer::Statistics(Box::new(measure_array(&array, &view.eval())?)))
    })
}

/// Finds the elements of an array that meet a condition.
pub(super) fn find(
    thread: &StoppedThread<'_>,
    context: &Context,
    expression: &str,
    condition: &ScanCondition,
) -> Result<Answer, Failure> {
    thread.at(context.frame, |view| {
        let array = array(expression, view)?;
        let limit = match condition {
            ScanCondition::Compared(_, limit) => {
                // The position of an error is one in the expression of the array.
                let without_position = |failure: Failure| Failure { position: None, ..failure };
                Some(value(limit, view).map_err(without_position)?)
            }
            _ => None,
        };
        Ok(Answer::Found(find_in_array(&array, condition, limit.as_ref(), &view.eval())?))
    })
}

fn array(expression: &str, view: &FrameContext<'_>) -> Result<Value, Failure> {
    Ok(view.parse(expression)?.evaluate_as_array(&view.eval())?)
}

fn value(expression: &str, view: &FrameContext<'_>) -> Result<Value, Failure> {
    Ok(view.parse(expression)?.evaluate(&view.eval())?)
}

/// Returns the refusal of what a snapshot of the thread does not suffice for; `None` for operations that the tracer
/// thread may perform instead. It never walks over an array.
pub(super) fn refused(operation: &Operation) -> Option<Answer> {
    let command = match operation {
        Operation::Statistics { .. } => "stats",
        Operation::Scan { .. } => "scan",
        Operation::FindBytes(..) => "find",
        _ => return None,
    };
    let why = format!("{command} only reads: assign, or use $_siginfo and vector registers, with print.");
    Some(Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, why)))
}
