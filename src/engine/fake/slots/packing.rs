//! Packs ranks that are alike but for some bytes of their memory, so that a million of them find room.

use super::bytes::{changes, row_of};
use super::packed::Packed;
use crate::fake::machine::Thread;
use crate::fake::slot::Slot;
use rustc_hash::FxHasher;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

/// The ranks that were packed with all their memory, for the next ones that are alike.
#[derive(Default)]
pub(in crate::fake) struct Packing {
    known: HashMap<u64, Known>,
    row: Vec<u8>,
}

/// A rank and its memory in a row.
struct Known {
    slot: Rc<Slot>,
    row: Vec<u8>,
}

/// Ranks that do different things may be in as many states as there are ranks.
const MOST_KNOWN: usize = 1024;

impl Packing {
    pub(super) fn pack(&mut self, mut slot: Slot) -> Packed {
        let (rank, bias) = (slot.machine.rank, slot.bias);
        let digest = digest(&slot);
        row_of(&slot.machine, &mut self.row);
        if let Some(known) = self.known.get(&digest)
            && known.row.len() == self.row.len()
            && are_alike(&known.slot, &slot)
        {
            return Packed { rank, bias, alike: Rc::clone(&known.slot), changes: changes(&known.row, &self.row) };
        }
        tighten(&mut slot);
        let alike = Rc::new(slot);
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(digest, Known { slot: Rc::clone(&alike), row: self.row.clone() });
        Packed { rank, bias, alike, changes: Box::default() }
    }
}

/// Gives back memory that is reserved for more.
fn tighten(slot: &mut Slot) {
    slot.machine.globals.shrink_to_fit();
    slot.machine.heap.shrink_to_fit();
    for thread in slot.machine.threads.iter_mut() {
        thread.calls.shrink_to_fit();
        thread.operands.shrink_to_fit();
        thread.stack.shrink_to_fit();
    }
}

/// The same for ranks that are alike; mostly different for others.
fn digest(slot: &Slot) -> u64 {
    let mut hasher = FxHasher::default();
    (slot.state, slot.tid, slot.current, slot.passed).hash(&mut hasher);
    for thread in slot.machine.threads.iter() {
        (thread.pc, &thread.calls, thread.operands.len()).hash(&mut hasher);
    }
    hasher.finish()
}

/// True if two ranks differ in nothing but their numbers, the places of their code and the bytes of their memory.
fn are_alike(one: &Slot, other: &Slot) -> bool {
    let Slot { machine, program, bias: _, state, tid, current, goal, passed, signal, signals, counted } = one;
    let own = &other.machine;
    let in_alike_threads = |one: &Thread, other: &Thread| {
        let Thread { number, calls, pc, operands, stack, returned: _ } = one;
        (*number, *pc, operands.len(), stack.len()) == (other.number, other.pc, other.operands.len(), other.stack.len())
            && *calls == other.calls
    };
    Arc::ptr_eq(program, &other.program)
        && (*state, *tid, *current, *passed) == (other.state, other.tid, other.current, other.passed)
        && (goal, signal, signals, counted) == (&other.goal, &other.signal, &other.signals, &other.counted)
        && (machine.size, machine.slowness) == (own.size, own.slowness)
        && (machine.globals.len(), machine.heap.len()) == (own.globals.len(), own.heap.len())
        && Arc::ptr_eq(&machine.environment, &own.environment)
        && (&machine.output, &machine.handlers) == (&own.output, &own.handlers)
        && machine.threads.len() == own.threads.len()
        && machine.threads.iter().zip(own.threads.iter()).all(|(one, other)| in_alike_threads(one, other))
}
