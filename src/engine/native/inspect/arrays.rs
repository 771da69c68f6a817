//! Answers about the numbers of an array.

use super::StoppedThread;
use expr::{FrameContext, Value, find_in_array, look_at_array, measure_array, read_data_part};
use model::{
    Answer, ArrayLook, Context, DataPart, DataShape, DataSource, ErrorCode, Failure, Operation, ScanCondition,
    VirtualAddress,
};

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
        let limit = limit(condition, view)?;
        Ok(Answer::Found(find_in_array(&array, condition, limit.as_ref(), &view.eval())?))
    })
}

/// Looks at a part of an array.
pub(super) fn look(
    thread: &StoppedThread<'_>,
    context: &Context,
    expression: &str,
    look: &ArrayLook,
) -> Result<Answer, Failure> {
    thread.at(context.frame, |view| {
        let array = array(expression, view)?;
        let condition = match look {
            ArrayLook::Page { condition, .. } => condition.as_ref(),
            ArrayLook::Match { condition, .. } => Some(condition),
            ArrayLook::Picture { .. } => None,
        };
        let limit = condition.map(|condition| limit(condition, view)).transpose()?.flatten();
        Ok(Answer::Array(Box::new(look_at_array(&array, look, limit.as_ref(), &view.eval())?)))
    })
}

/// Reads a part of data for a file.
pub(super) fn read(
    thread: &StoppedThread<'_>,
    context: &Context,
    source: &DataSource,
    (from, length): (u64, u32),
) -> Result<Answer, Failure> {
    thread.at(context.frame, |view| {
        let part = match source {
            DataSource::Memory { start, end } => memory(view, (start, end), (from, length))?,
            DataSource::Value(expression) => {
                read_data_part(&value(expression, view)?, source, (from, length), &view.eval())?
            }
            DataSource::Contents(expression) | DataSource::Numbers { expression, .. } => {
                read_data_part(&array(expression, view)?, source, (from, length), &view.eval())?
            }
        };
        Ok(Answer::DataPart(Box::new(part)))
    })
}

fn memory(
    view: &FrameContext<'_>,
    (start, end): (&str, &str),
    (from, length): (u64, u32),
) -> Result<DataPart, Failure> {
    // The position of an error is one in the first expression.
    let without_position = |failure: Failure| Failure { position: None, ..failure };
    let first = value(start, view)?.as_address(&view.eval())?;
    let after = value(end, view).map_err(without_position)?.as_address(&view.eval())?;
    let shape = DataShape::of_memory(first, after)?;
    let mut bytes = vec![0; shape.part(from, length)];
    if !bytes.is_empty() {
        let fault = |fault: debuginfo::types::MemoryFault| Failure::new(ErrorCode::MEMORY, fault.to_string());
        view.read(VirtualAddress(first.0.wrapping_add(from)), &mut bytes).map_err(fault)?;
    }
    Ok(DataPart { shape, bytes })
}

/// Returns the value with which a condition compares.
fn limit(condition: &ScanCondition, view: &FrameContext<'_>) -> Result<Option<Value>, Failure> {
    let ScanCondition::Compared(_, limit) = condition else { return Ok(None) };
    // The position of an error is one in the expression of the array.
    let without_position = |failure: Failure| Failure { position: None, ..failure };
    value(limit, view).map_err(without_position).map(Some)
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
        Operation::Array { .. } => "array",
        Operation::FindBytes(..) => "find",
        Operation::ReadData { .. } => "saving",
        _ => return None,
    };
    let why = format!("{command} only reads: assign, or use $_siginfo and vector registers, with print.");
    Some(Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, why)))
}
