//! Reads some elements of an array without the gaps between them, in a chosen order.

use super::numeric_array::{Extent, NumericArray, Storage};
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use model::VirtualAddress;
use std::collections::HashMap;
use std::ops::Range;
use std::time::Instant;

/// The unit in which memory is mapped: reading the rest of a page that has an element touches no other mapping.
const PAGE: u64 = 4096;
/// Pages kept: 32 MiB.
const MOST_PAGES: usize = 1 << 13;
/// Elements between two checks for an interruption.
const LOOK: u64 = 1 << 14;

/// The dimensions of an array in the order of its subscripts in the source, the first one outermost.
pub(super) fn by_subscripts(array: &NumericArray) -> Vec<Extent> {
    let mut extents = array.extents.clone();
    if array.by_columns {
        let mut start = 0;
        for dimensions in &array.nested {
            extents.get_mut(start..start + dimensions).unwrap_or_default().reverse();
            start += dimensions;
        }
    }
    extents
}

/// True if the dimensions lead from each element to the next one in memory.
fn follow_each_other(extents: &[Extent], size: usize) -> bool {
    let mut next = i64::try_from(size).unwrap_or(i64::MAX);
    extents.iter().rev().filter(|extent| extent.count != 1).all(|extent| {
        let follows = extent.distance == next;
        next = next.saturating_mul(i64::try_from(extent.count).unwrap_or(i64::MAX));
        follows
    })
}

/// Returns the bytes of the elements with these numbers, counted along the dimensions, the last one fastest.
pub(super) fn packed(
    array: &NumericArray,
    extents: &[Extent],
    numbers: Range<u64>,
    context: &EvalContext<'_>,
) -> Result<Vec<u8>, EvalError> {
    let size = array.element.size;
    let length = usize::try_from(numbers.end.saturating_sub(numbers.start)).unwrap_or(0).saturating_mul(size);
    let mut bytes = vec![0; length];
    match &array.storage {
        _ if length == 0 => {}
        Storage::Bytes(all) => {
            for (number, into) in numbers.zip(bytes.chunks_exact_mut(size)) {
                let at = usize::try_from(offset(extents, number)).unwrap_or(usize::MAX);
                let element = all.get(at..at.saturating_add(size)).unwrap_or_default();
                into.iter_mut().zip(element).for_each(|(to, from)| *to = *from);
            }
        }
        Storage::Memory(address) if follow_each_other(extents, size) => {
            let first = address.0.wrapping_add(numbers.start.wrapping_mul(size as u64));
            context.read(VirtualAddress(first), &mut bytes)?;
        }
        Storage::Memory(address) => {
            let mut pages = Pages { context, kept: HashMap::new() };
            let (since, all) = (Instant::now(), array.count);
            for (number, into) in numbers.clone().zip(bytes.chunks_exact_mut(size)) {
                if number % LOOK == 0
                    && let Some(budget) = context.budget()
                {
                    budget.walk(since).map_err(|why| error(format!("{why} at element {number} of {all}")))?;
                }
                pages.read(address.0.wrapping_add_signed(offset(extents, number)), into)?;
            }
        }
    }
    Ok(bytes)
}

/// The bytes from the first element to another one.
fn offset(extents: &[Extent], number: u64) -> i64 {
    let mut rest = number;
    let mut offset = 0_i64;
    for extent in extents.iter().rev() {
        let count = extent.count.max(1);
        offset = offset.wrapping_add(extent.distance.wrapping_mul((rest % count) as i64));
        rest /= count;
    }
    offset
}

/// Memory, read by whole pages: neighbours in memory may be far apart in the file.
struct Pages<'a> {
    context: &'a EvalContext<'a>,
    kept: HashMap<u64, Vec<u8>>,
}

impl Pages<'_> {
    fn read(&mut self, address: u64, into: &mut [u8]) -> Result<(), EvalError> {
        let mut done = 0;
        while done < into.len() {
            let at = address.wrapping_add(done as u64);
            let (page, from) = (at / PAGE, (at % PAGE) as usize);
            if !self.kept.contains_key(&page) {
                if self.kept.len() >= MOST_PAGES {
                    self.kept.clear();
                }
                let mut bytes = vec![0; PAGE as usize];
                if self.context.read(VirtualAddress(page * PAGE), &mut bytes).is_err() {
                    // A core file may have less than the page; and an error names the element.
                    return Ok(self.context.read(VirtualAddress(at), into.get_mut(done..).unwrap_or_default())?);
                }
                self.kept.insert(page, bytes);
            }
            let bytes = self.kept.get(&page).and_then(|bytes| bytes.get(from..)).unwrap_or_default();
            let room = into.get_mut(done..).unwrap_or_default();
            let count = room.len().min(bytes.len());
            room.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            done += count.max(1);
        }
        Ok(())
    }
}
