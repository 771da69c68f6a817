//! The bytes of a rank's memory in one row, and the changes of one row to another of the same length.

use crate::fake::machine::Machine;

/// Rows are compared in pieces of so many bytes.
const PIECE: usize = 8;

/// Writes the memory of a rank into a row: the globals, the heap, and of each thread the stack, the operands and the
/// value that was returned last. Zeros follow, up to whole pieces.
pub(super) fn row_of(machine: &Machine, row: &mut Vec<u8>) {
    row.clear();
    row.extend_from_slice(&machine.globals);
    row.extend_from_slice(&machine.heap);
    for thread in machine.threads.iter() {
        row.extend_from_slice(&thread.stack);
        thread.operands.iter().for_each(|operand| row.extend_from_slice(&operand.to_le_bytes()));
        row.extend_from_slice(&thread.returned.to_le_bytes());
    }
    row.resize(row.len().next_multiple_of(PIECE), 0);
}

/// Returns what changes a row into another of the same length: runs of pieces, each after the number of its first piece
/// and the number of pieces, as 4 bytes each.
pub(super) fn changes(from: &[u8], to: &[u8]) -> Box<[u8]> {
    let (from, to) = (from.as_chunks::<PIECE>().0, to.as_chunks::<PIECE>().0);
    let mut written = Vec::new();
    let mut at = 0;
    let differs = |at: usize| from.get(at).zip(to.get(at)).is_some_and(|(one, other)| one != other);
    while at < to.len() {
        if !differs(at) {
            at += 1;
            continue;
        }
        let end = (at..to.len()).find(|at| !differs(*at)).unwrap_or(to.len());
        for number in [at, end - at] {
            // A rank's memory is limited to some MiB.
            written.extend_from_slice(&(number as u32).to_le_bytes());
        }
        to.get(at..end).unwrap_or_default().iter().for_each(|piece| written.extend_from_slice(piece));
        at = end;
    }
    written.into()
}

/// Changes the memory of a rank. Parts of it that stay as they are remain shared.
pub(super) fn change(machine: &mut Machine, mut changes: &[u8]) {
    while let Some((start, bytes)) = next_run(&mut changes) {
        let mut run = Run { start, bytes, at: 0 };
        if let Some(some) = run.in_part(machine.globals.len()) {
            some.put(&mut machine.globals);
        }
        if let Some(some) = run.in_part(machine.heap.len()) {
            some.put(&mut machine.heap);
        }
        for number in 0..machine.threads.len() {
            let Some(thread) = machine.threads.get(number) else { break };
            let (stack, operands) = (thread.stack.len(), thread.operands.len());
            let whole = stack + (operands + 1) * PIECE;
            if run.clone().in_part(whole).is_none() {
                run.at += whole;
                continue;
            }
            let Some(thread) = machine.threads.get_mut(number) else { break };
            if let Some(some) = run.in_part(stack) {
                some.put(&mut thread.stack);
            }
            for operand in thread.operands.iter_mut().chain([&mut thread.returned]) {
                let mut bytes = operand.to_le_bytes();
                if let Some(some) = run.in_part(PIECE) {
                    some.put(&mut bytes);
                }
                *operand = u64::from_le_bytes(bytes);
            }
        }
    }
}

/// Takes the first run of changes: where it starts in the row, and its bytes.
fn next_run<'a>(changes: &mut &'a [u8]) -> Option<(usize, &'a [u8])> {
    let (first, rest) = changes.split_first_chunk::<4>()?;
    let (count, rest) = rest.split_first_chunk::<4>()?;
    let [first, count] = [first, count].map(|number| u32::from_le_bytes(*number) as usize * PIECE);
    let (bytes, rest) = rest.split_at_checked(count)?;
    *changes = rest;
    Some((first, bytes))
}

/// Bytes of a row that are put into the parts of a rank's memory, one part after the other.
#[derive(Clone)]
struct Run<'a> {
    start: usize,
    bytes: &'a [u8],
    /// The offset of the next part in the row.
    at: usize,
}

impl<'a> Run<'a> {
    /// Goes on to the next part, which has this length; returns the bytes of the run that belong to it, if any.
    fn in_part(&mut self, length: usize) -> Option<Portion<'a>> {
        let (begin, end) = (self.at, self.at + length);
        self.at = end;
        let from = self.start.max(begin);
        let to = (self.start + self.bytes.len()).min(end);
        let bytes = self.bytes.get(from - self.start..to.checked_sub(self.start)?)?;
        (!bytes.is_empty()).then_some(Portion { at: from - begin, bytes })
    }
}

/// The bytes of a run that belong to one part of the memory, and where in it.
struct Portion<'a> {
    at: usize,
    bytes: &'a [u8],
}

impl Portion<'_> {
    fn put(&self, part: &mut [u8]) {
        if let Some(place) = part.get_mut(self.at..self.at + self.bytes.len()) {
            place.copy_from_slice(self.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::machine::Thread;
    use crate::fake::slots::tests::machine;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_changed_row_is_the_other(
            from in prop::collection::vec(0u8..3, 0..90),
            to in prop::collection::vec(0u8..3, 90),
            cuts in prop::collection::vec(0usize..30, 4),
        ) {
            let of = |bytes: &[u8]| {
                let mut rest = bytes;
                let mut take = |length: usize| {
                    let (taken, after) = rest.split_at(length.min(rest.len()));
                    rest = after;
                    taken.to_vec()
                };
                let mut machine = machine();
                *machine.globals = take(cuts[0]);
                *machine.heap = take(cuts[1]);
                *machine.threads = (0..2)
                    .map(|number| Thread {
                        number,
                        stack: take(cuts[2 + number as usize]),
                        operands: take(4).into_iter().map(|byte| u64::from(byte) << 40).collect(),
                        returned: take(1).first().copied().unwrap_or(0).into(),
                        ..Thread::default()
                    })
                    .collect();
                machine
            };
            let (mut one, other) = (of(&from), of(&to[..from.len()]));
            let (mut row, mut wanted) = (Vec::new(), Vec::new());
            row_of(&one, &mut row);
            row_of(&other, &mut wanted);
            prop_assert_eq!(row.len(), wanted.len());
            change(&mut one, &changes(&row, &wanted));
            prop_assert_eq!((&*one.globals, &*one.heap, &*one.threads), (&*other.globals, &*other.heap, &*other.threads));
        }
    }
}
