//! Searches memory for bytes, as gdb's `find` does.

use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::convenience::number_note;
use crate::eval::last_examined::note_examined;
use crate::value::Value;
use model::{ByteMatch, BytesFound, Examination, VirtualAddress};
use std::ops::Range;
use std::time::Instant;

/// Bytes read at once.
const BLOCK: u64 = 1 << 20;

/// Returns the bytes that a value stands for in a search; `unit`: it is a number of so many bytes.
pub fn sought_bytes(value: &Value, unit: Option<u32>, context: &EvalContext<'_>) -> Result<Vec<u8>, EvalError> {
    let Some(unit) = unit else { return value.raw_bytes(context) };
    let number = value.as_address(context)?.0.to_le_bytes();
    Ok(number.get(..(unit as usize).min(number.len())).unwrap_or_default().to_vec())
}

/// Finds the places of a pattern in memory, at most `limit` of them. Reading ends where memory cannot be read.
pub fn find_bytes(
    pattern: &[u8],
    memory: Range<u64>,
    limit: usize,
    context: &EvalContext<'_>,
) -> Result<BytesFound, EvalError> {
    let mut found = BytesFound::default();
    let (since, length) = (Instant::now(), pattern.len() as u64);
    if let Some(budget) = context.budget() {
        budget.begin_walk(memory.end.saturating_sub(memory.start)).map_err(error)?;
    }
    let mut at = memory.start;
    let mut bytes = Vec::new();
    while length > 0 && memory.end.saturating_sub(at) >= length {
        if let Some(Err(why)) = context.budget().map(|budget| budget.walk(since)) {
            // What was found before an interruption is worth having.
            if budget_wants_more(context) {
                return Err(error(why));
            }
            found.searched_to = Some(VirtualAddress(at));
            break;
        }
        let wanted = (memory.end - at).min(BLOCK.saturating_add(length - 1));
        bytes.resize(usize::try_from(wanted).unwrap_or(usize::MAX), 0);
        let mut end = None;
        if let Err(fault) = context.read(VirtualAddress(at), &mut bytes) {
            let readable = fault.0.0.wrapping_sub(at).min(wanted);
            bytes.truncate(usize::try_from(readable).unwrap_or(0));
            if context.read(VirtualAddress(at), &mut bytes).is_err() {
                bytes.clear();
            }
            end = Some(at.saturating_add(bytes.len() as u64));
        }
        for place in places_of(pattern, &bytes) {
            if found.matches.len() == limit {
                found.searched_to = Some(VirtualAddress(at.saturating_add(place as u64)));
                break;
            }
            let address = VirtualAddress(at.saturating_add(place as u64));
            found.matches.push(ByteMatch { address, symbol: None });
        }
        if found.searched_to.is_some() {
            break;
        }
        if let Some(end) = end {
            found.unreadable = Some((VirtualAddress(end), memory.end - end));
            break;
        }
        at = at.saturating_add(wanted.saturating_sub(length - 1).max(1));
    }
    name_places(&mut found, context);
    note_found(&found, context);
    Ok(found)
}

fn budget_wants_more(context: &EvalContext<'_>) -> bool {
    context.budget().is_some_and(crate::budget::Budget::wants_more)
}

/// Returns the places of a pattern, which may overlap.
fn places_of<'a>(pattern: &'a [u8], bytes: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let first = pattern.first().copied();
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = bytes.get(from..)?;
            let place = from + rest.iter().position(|byte| Some(*byte) == first)?;
            from = place + 1;
            if bytes.get(place..)?.starts_with(pattern) {
                return Some(place);
            }
        }
    })
}

fn name_places(found: &mut BytesFound, context: &EvalContext<'_>) {
    for place in &mut found.matches {
        // As gdb does: code and static data only.
        let symbols = context.symbols();
        let named = symbols.symbol_at(place.address).filter(|_| symbols.is_static(place.address));
        place.symbol =
            named.map(|(name, offset)| if offset == 0 { name.to_string() } else { format!("{name}+{offset}") });
    }
}

/// Sets `$_` to the last place, and `$numfound` to the number of them.
fn note_found(found: &BytesFound, context: &EvalContext<'_>) {
    let Some(value_history) = context.value_history() else { return };
    let count = i32::try_from(found.matches.len()).unwrap_or(i32::MAX);
    value_history.set_variable("numfound", number_note("numfound", count));
    if let Some(last) = found.matches.last() {
        note_examined(Examination::Place, last.address, &[], context);
    }
}
