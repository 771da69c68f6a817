//! Parts of a rank's state that equal ranks share, so that a million of them find room.

use super::copy_on_write::{FEW, Known};
use super::state::{Machine, Thread};
use super::used_parts::PartsUsed;
use std::collections::HashMap;

/// The parts of ranks that have just stopped, for the next ones to share.
#[derive(Debug, Default)]
pub(in crate::fake) struct KnownParts {
    globals: Known<Vec<u8>>,
    heap: Known<Vec<u8>>,
    threads: Known<Vec<Thread>>,
}

impl Machine {
    /// Shares what is equal in an earlier rank, and gives back the memory that the rank does not need while it is
    /// stopped.
    pub(in crate::fake) fn share(&mut self, known: &mut KnownParts) {
        known.globals.share(&mut self.globals, Vec::shrink_to_fit);
        known.heap.share(&mut self.heap, Vec::shrink_to_fit);
        known.threads.share(&mut self.threads, |threads| threads.iter_mut().for_each(tighten));
    }
}

/// Gives back memory that is reserved for more calls and operands.
fn tighten(thread: &mut Thread) {
    thread.calls.shrink_to_fit();
    thread.operands.shrink_to_fit();
    thread.stack.shrink_to_fit();
}

/// The key of equal answers: the addresses of the parts that an answer was made from. The parts that it was not made from
/// are null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct PartsInCommon {
    thread: usize,
    bias: u64,
    threads: *const Vec<Thread>,
    globals: *const Vec<u8>,
    heap: *const Vec<u8>,
}

impl PartsInCommon {
    fn of(machine: &Machine, (thread, bias): (usize, u64), used: PartsUsed) -> Self {
        let or_null = |used: bool, place| if used { place } else { std::ptr::null() };
        Self {
            thread,
            bias,
            threads: machine.threads.place(),
            globals: or_null(used.globals, machine.globals.place()),
            heap: or_null(used.heap, machine.heap.place()),
        }
    }
}

/// The answers of ranks to one query, for ranks that share what an answer was made from: they answer the same.
#[derive(Debug, Default)]
pub(in crate::fake) struct AnswersInCommon {
    /// The parts that answers were made from, and the numbers of these answers.
    known: Vec<(PartsUsed, HashMap<PartsInCommon, usize>)>,
    kept: usize,
    found: usize,
}

impl AnswersInCommon {
    /// Begins the answer of a rank. Returns the number of an earlier one that is the same.
    pub(in crate::fake) fn find(&mut self, machine: &Machine, thread: usize, bias: u64) -> Option<usize> {
        machine.used.take();
        let in_common = |used| PartsInCommon::of(machine, (thread, bias), used);
        let found = self.known.iter().find_map(|(used, answers)| answers.get(&in_common(*used)).copied());
        self.found += usize::from(found.is_some());
        found
    }

    /// Keeps the number of the answer that the rank has just given.
    pub(in crate::fake) fn keep(&mut self, machine: &Machine, thread: usize, bias: u64, number: usize) {
        let used = machine.used.take();
        // Where most ranks share nothing, none is compared.
        if used.changed || self.kept > FEW + self.found {
            return;
        }
        self.kept += 1;
        let in_common = PartsInCommon::of(machine, (thread, bias), used);
        match self.known.iter_mut().find(|(known, _)| *known == used) {
            Some((_, answers)) => drop(answers.insert(in_common, number)),
            None => self.known.push((used, HashMap::from([(in_common, number)]))),
        }
    }
}
