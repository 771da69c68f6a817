//! Evaluates `$`, `$$`, `$3` and `$name`, and records values for them.

use super::operand::converted;
use super::register::{is_register, register};
use super::stop_values::{is_of_the_stop, of_the_stop};
use super::strided::packed;
use crate::EvalError;
use crate::context::EvalContext;
use crate::types::{element_of, size_of, stripped};
use crate::value::{LONGEST, Value};
use crate::value_history::{Dollar, Note};
use debuginfo::types::builtin::pointer_to;
use debuginfo::types::{Kind, Place, TypeRef};
use model::ErrorCode;
use std::sync::Arc;

fn error(message: impl Into<String>) -> EvalError {
    EvalError::new(ErrorCode::DEBUGGER, message)
}

/// The value of `$name`: from the history, a register of the frame, or a convenience variable, which is void before its
/// first assignment.
pub(crate) fn dollar(name: &str, context: &EvalContext<'_>) -> Result<Value, EvalError> {
    let number = Dollar::parse(name);
    if let Dollar::Number(_) | Dollar::Back(_) = number {
        let value_history = context.value_history().ok_or_else(|| error("The value history is not available here."))?;
        let note = value_history.printed(number).map_err(error)?;
        return Ok(Value::new(note.ty, note.place));
    }
    if is_register(name, context) {
        return register(name, context);
    }
    if is_of_the_stop(name) {
        return of_the_stop(name, context);
    }
    Ok(match context.value_history().and_then(|value_history| value_history.variable(name)) {
        Some(note) => Value::new(note.ty, note.place),
        None => Value::known(TypeRef::Void, Vec::new()),
    })
}

/// True if an assignment to `$name` sets a convenience variable.
pub(crate) fn is_convenience(name: &str, context: &EvalContext<'_>) -> bool {
    matches!(Dollar::parse(name), Dollar::Name(_)) && !is_register(name, context) && !is_of_the_stop(name)
}

/// True for `$_rank`: the debugger sets it.
pub(crate) fn is_rank(name: &str) -> bool {
    name == "_rank"
}

/// Appends a value to the history; returns its number, `None` if there is no history.
pub fn record(value: &Value, context: &EvalContext<'_>) -> Result<Option<usize>, EvalError> {
    let Some(value_history) = context.value_history() else { return Ok(None) };
    Ok(Some(value_history.record(noted(value, context)?)))
}

/// Gives a convenience variable a copy of a value. Arrays of the program become pointers to their first element, as in
/// any C assignment.
pub(crate) fn set_convenience(name: &str, from: &Value, context: &EvalContext<'_>) -> Result<Value, EvalError> {
    let (_, ty) = stripped(from.ty(), context);
    let mut note = match (&ty.kind, from.address(), element_of(&ty, context)) {
        (Kind::Array { .. }, Some(address), Some((element, ..))) => {
            Note { ty: pointer_to(element), place: Place::Bytes(address.0.to_le_bytes().to_vec()) }
        }
        (Kind::Function { .. }, Some(address), _) => {
            Note { ty: pointer_to(from.ty().clone()), place: Place::Bytes(address.0.to_le_bytes().to_vec()) }
        }
        _ => noted(from, context)?,
    };
    note.place = match note.place {
        Place::Bytes(bytes) => Place::Convenience(name.into(), bytes.into()),
        Place::Past(bytes, _) | Place::Convenience(_, bytes) => Place::Convenience(name.into(), bytes),
        other => other,
    };
    let value = Value::new(note.ty.clone(), note.place.clone());
    let value_history =
        context.value_history().ok_or_else(|| error("Convenience variables are not available here."))?;
    if value_history.set_variable(name, note) {
        Ok(value)
    } else {
        Err(error(format!("Too many convenience variables: cannot create ${name}.")))
    }
}

/// Returns a note of the current value. One too long to copy is noted by its place.
fn noted(value: &Value, context: &EvalContext<'_>) -> Result<Note, EvalError> {
    if let Some(packed) = packed(value, context)? {
        return noted(&packed, context);
    }
    let ty = value.ty().clone();
    let kind = &stripped(&ty, context).1.kind;
    if value.bit_field().is_some() {
        let bytes = converted(value, &ty, context)?;
        return Ok(Note { ty, place: Place::Bytes(bytes) });
    }
    let size = size_of(&ty, context).filter(|size| *size <= LONGEST);
    let (Some(size), false) = (size, matches!(kind, Kind::Void | Kind::Function { .. })) else {
        return Ok(Note { ty, place: value.place().clone() });
    };
    if let Place::OptimizedOut | Place::Synthetic(..) = value.place() {
        return Ok(Note { ty, place: value.place().clone() });
    }
    let (bytes, known) = value.read_known(size, context)?;
    let place = if known.iter().all(|known| *known) {
        match value.address() {
            Some(address) => Place::Past(bytes.into(), address),
            None => Place::Bytes(bytes),
        }
    } else {
        let pairs: Vec<(u8, bool)> = bytes.into_iter().zip(known).collect();
        let runs = pairs.chunk_by(|(_, left), (_, right)| left == right);
        let piece = |run: &[(u8, bool)]| {
            let known = run.first().is_some_and(|(_, known)| *known);
            let place = known.then(|| Place::Bytes(run.iter().map(|(byte, _)| *byte).collect()));
            (place, run.len() as u64)
        };
        Place::Pieces(runs.map(piece).collect())
    };
    Ok(Note { ty, place })
}

/// Returns a number as a note, for variables that the debugger sets.
pub fn number_note(name: &str, value: i32) -> Note {
    let bytes: Arc<[u8]> = Arc::from(value.to_le_bytes().as_slice());
    Note { ty: debuginfo::types::builtin::Builtin::Int.ty(), place: Place::Convenience(name.into(), bytes) }
}
