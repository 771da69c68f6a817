//! Walks over the elements of an array, the innermost dimension first.

use super::element_kind::ElementType;
use super::numeric_array::{NumericArray, Storage};
use super::packed::packed;
use super::tiles::{TileUser, Tiles};
use super::window::{BLOCK, Window};
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use debuginfo::types::MemoryFault;
use model::{ErrorCode, VirtualAddress};
use std::ops::Range;
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

/// Elements or rows at most this far apart are read together: less than a page, so that no unmapped page between them
/// is touched.
const NEAR: u64 = 4096;

/// Elements at equal distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    count: u64,
    distance: i64,
}

impl Row {
    /// The bytes from the beginning of `count` elements to their end.
    fn span(self, count: u64, size: u64) -> u64 {
        (count.saturating_sub(1)).saturating_mul(self.distance.unsigned_abs()).saturating_add(size)
    }

    /// The number of elements to read at once.
    fn at_once(self, size: u64) -> u64 {
        match self.distance.unsigned_abs() {
            gap @ 1..=NEAR => (BLOCK as u64 / gap.max(size)).max(1),
            _ => 1,
        }
    }
}

/// Returns the dimensions with those joined that follow each other without a gap, the innermost last.
fn rows(array: &NumericArray) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for extent in array.extents.iter().filter(|extent| extent.count != 1).rev() {
        match rows.last_mut() {
            Some(inner)
                if i64::try_from(inner.count).ok().and_then(|count| count.checked_mul(inner.distance))
                    == Some(extent.distance) =>
            {
                inner.count = inner.count.saturating_mul(extent.count);
            }
            _ => rows.push(Row { count: extent.count, distance: extent.distance }),
        }
    }
    rows.reverse();
    rows
}

/// Fails if an array is so large that it is left to a thread for long work.
pub(super) fn may_begin(array: &NumericArray, context: &EvalContext<'_>) -> Result<(), EvalError> {
    let Some(budget) = context.budget() else { return Ok(()) };
    budget.begin_walk(array.count.saturating_mul(array.element.size as u64)).map_err(error)
}

/// Gives every element of an array to `user`. A walk that began long ago is left to a thread for long work.
pub(super) fn walk(
    array: &NumericArray,
    context: &EvalContext<'_>,
    since: Instant,
    user: &mut dyn TileUser,
) -> Result<(), EvalError> {
    let mut tiles = Tiles::new(array.element.size, user);
    match &array.storage {
        _ if array.count == 0 => {}
        Storage::Bytes(_) => tiles.add(&packed(array, &array.extents, 0..array.count, context)?),
        Storage::Memory(address) if is_long(array) => {
            drop(tiles);
            let whole = 0..array.count;
            return read_beside(array, address.0, context, since, user, std::slice::from_ref(&whole));
        }
        Storage::Memory(address) => {
            let mut walk = Walk { array, context, since, window: Window::new(context), tiles, done: 0 };
            walk.block(address.0, &rows(array))?;
            tiles = walk.tiles;
        }
    }
    tiles.end();
    Ok(())
}

/// The same for ranges of the elements of an array without gaps. They begin with tiles.
pub(super) fn walk_parts(
    array: &NumericArray,
    context: &EvalContext<'_>,
    since: Instant,
    user: &mut dyn TileUser,
    parts: &[Range<u64>],
) -> Result<(), EvalError> {
    let size = array.element.size as i64;
    let Storage::Memory(address) = &array.storage else { return walk(array, context, since, user) };
    if is_long(array) {
        return read_beside(array, address.0, context, since, user, parts);
    }
    let tiles = Tiles::new(array.element.size, user);
    let mut walk = Walk { array, context, since, window: Window::new(context), tiles, done: 0 };
    for part in parts {
        walk.done = part.start;
        let first = address.0.wrapping_add_signed(size.wrapping_mul(part.start as i64));
        walk.block(first, &[Row { count: part.end - part.start, distance: size }])?;
    }
    walk.tiles.end();
    Ok(())
}

/// True if the elements of an array follow each other in memory.
pub(super) fn has_no_gaps(array: &NumericArray) -> bool {
    let is_whole = match rows(array).as_slice() {
        [] => true,
        [row] => row.distance == array.element.size as i64,
        _ => false,
    };
    is_whole && matches!(array.storage, Storage::Memory(_))
}

/// True for arrays without gaps that take so long that it pays to read and to compute at the same time.
fn is_long(array: &NumericArray) -> bool {
    array.count.saturating_mul(array.element.size as u64) >= 4 * BLOCK as u64 && has_no_gaps(array)
}

/// The same while another thread uses what has been read.
fn read_beside(
    array: &NumericArray,
    address: u64,
    context: &EvalContext<'_>,
    since: Instant,
    user: &mut dyn TileUser,
    parts: &[Range<u64>],
) -> Result<(), EvalError> {
    /// Blocks that are read before they are used.
    const AHEAD: usize = 2;
    /// Larger than other blocks: threads that wait for each other often take longer than the copies.
    const BLOCK_BESIDE: usize = 4 * BLOCK;
    let size = array.element.size;
    let at_once = (BLOCK_BESIDE / size) as u64;
    let (full, to_use) = mpsc::sync_channel::<Vec<u8>>(AHEAD);
    let (used, empty) = mpsc::channel();
    (0..=AHEAD).for_each(|_| _ = used.send(Vec::new()));
    thread::scope(|scope| {
        let compute = move || {
            let mut tiles = Tiles::new(size, user);
            for block in to_use {
                tiles.add(&block);
                // At the end nobody waits for it.
                let _ = used.send(block);
            }
            tiles.end();
        };
        let started = thread::Builder::new().name("numbers".to_owned()).spawn_scoped(scope, compute);
        started.map_err(|why| error(format!("Cannot start a thread: {why}")))?;
        let blocks = parts.iter().flat_map(|part| {
            let end = part.end;
            part.clone().step_by(at_once as usize).map(move |start| start..end.min(start + at_once))
        });
        for block in blocks {
            go_on(context, since, block.start, array.count)?;
            let Ok(mut bytes) = empty.recv() else { break };
            bytes.resize((block.end - block.start) as usize * size, 0);
            let first = address.wrapping_add(block.start * size as u64);
            context.read(VirtualAddress(first), &mut bytes).map_err(|fault| {
                unreadable(
                    array,
                    context,
                    block.start,
                    first,
                    Row { count: block.end - block.start, distance: size as i64 },
                    fault,
                )
            })?;
            if full.send(bytes).is_err() {
                break;
            }
        }
        drop(full);
        Ok(())
    })
}

/// Fails if a walk has been interrupted, or takes too long here.
fn go_on(context: &EvalContext<'_>, since: Instant, done: u64, count: u64) -> Result<(), EvalError> {
    let Some(budget) = context.budget() else { return Ok(()) };
    budget.walk(since).map_err(|why| error(format!("{why} after {done} of {count} elements")))
}

/// Returns the error for the first unreadable one of some elements; `done` were read before them.
fn unreadable(
    array: &NumericArray,
    context: &EvalContext<'_>,
    done: u64,
    first: u64,
    row: Row,
    fault: MemoryFault,
) -> EvalError {
    let readable = |number: u64| {
        let at = first.wrapping_add_signed(row.distance.wrapping_mul(number as i64));
        context.read(VirtualAddress(at), &mut vec![0; array.element.size])
    };
    let failed = (0..row.count).find_map(|number| Some((number, readable(number).err()?)));
    let (number, fault) = failed.unwrap_or((0, fault));
    let number = done + number;
    let (index, all) = (array.index(number), array.count);
    let element = if index.subscripts.is_empty() {
        String::new()
    } else {
        format!(": element {index}, after {number} readable ones of {all}")
    };
    EvalError::new(ErrorCode::MEMORY, format!("{fault}{element}"))
}

struct Walk<'a> {
    array: &'a NumericArray,
    context: &'a EvalContext<'a>,
    since: Instant,
    window: Window<'a>,
    tiles: Tiles<'a>,
    /// The number of elements so far.
    done: u64,
}

impl Walk<'_> {
    fn block(&mut self, address: u64, rows: &[Row]) -> Result<(), EvalError> {
        let size = self.array.element.size as u64;
        let (first, rest) = match rows {
            [] => return self.row(address, Row { count: 1, distance: size as i64 }, None),
            [row] => return self.row(address, *row, None),
            [outer, inner] => {
                for number in 0..outer.count {
                    let at = address.wrapping_add_signed(outer.distance.wrapping_mul(number as i64));
                    self.row(at, *inner, Some(outer.distance))?;
                }
                return Ok(());
            }
            [first, rest @ ..] => (first, rest),
        };
        for number in 0..first.count {
            self.block(address.wrapping_add_signed(first.distance.wrapping_mul(number as i64)), rest)?;
        }
        Ok(())
    }

    /// Gives the elements of a row; `next` is the distance to the next row.
    fn row(&mut self, address: u64, row: Row, next: Option<i64>) -> Result<(), EvalError> {
        let size = self.array.element.size as u64;
        let whole = row.span(row.count, size);
        let is_near = |next: i64| next > 0 && (next as u64).saturating_sub(whole) < NEAR;
        let rows_together = row.distance > 0 && whole < BLOCK as u64 && next.is_some_and(is_near);
        let at_once = row.at_once(size);
        let mut at = 0;
        while at < row.count {
            go_on(self.context, self.since, self.done, self.array.count)?;
            let count = at_once.min(row.count - at);
            let first = address.wrapping_add_signed(row.distance.wrapping_mul(at as i64));
            let span = row.span(count, size);
            let low = if row.distance < 0 { first.wrapping_sub(span - size) } else { first };
            let ahead = if rows_together { BLOCK } else { 0 };
            match self.window.bytes(low, span as usize, ahead) {
                Ok(bytes) if row.distance == size as i64 => self.tiles.add(bytes),
                Ok(bytes) => self.tiles.add(&gathered(bytes, count, row.distance, self.array.element)),
                Err(fault) => {
                    let row = Row { count, ..row };
                    return Err(unreadable(self.array, self.context, self.done, first, row, fault));
                }
            }
            at += count;
            self.done += count;
        }
        Ok(())
    }
}

/// Copies elements at equal distances next to each other.
fn gathered(bytes: &[u8], count: u64, distance: i64, element: ElementType) -> Vec<u8> {
    let (size, gap) = (element.size, distance.unsigned_abs() as usize);
    let mut gathered = Vec::with_capacity(count as usize * size);
    for number in 0..count as usize {
        let place = if distance < 0 { count as usize - 1 - number } else { number };
        gathered.extend_from_slice(bytes.get(place * gap..place * gap + size).unwrap_or_default());
    }
    gathered
}
