//! Answers that ranks give alike, because they share what the answers are made from.

use super::copy_on_write::Shared;
use super::state::{Machine, Thread};
use super::used_parts::PartsUsed;
use std::collections::HashMap;

/// The number of answers from which on it counts whether any are equal.
const FEW: usize = 64;

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
    /// `None` if the rank has one of the parts for itself.
    fn of(machine: &Machine, (thread, bias): (usize, u64), used: PartsUsed) -> Option<Self> {
        let bytes = |is_used: bool, part: &Shared<Vec<u8>>| {
            if is_used { part.is_in_common().then(|| part.place()) } else { Some(std::ptr::null()) }
        };
        Some(Self {
            thread,
            bias,
            threads: machine.threads.is_in_common().then(|| machine.threads.place())?,
            globals: bytes(used.globals, &machine.globals)?,
            heap: bytes(used.heap, &machine.heap)?,
        })
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
        let found = self.known.iter().find_map(|(used, answers)| answers.get(&in_common(*used)?).copied());
        self.found += usize::from(found.is_some());
        found
    }

    /// Keeps the number of the answer that the rank has just given. Returns true if the rank's memory was changed for it.
    pub(in crate::fake) fn keep(&mut self, machine: &Machine, thread: usize, bias: u64, number: usize) -> bool {
        let used = machine.used.take();
        // Where most ranks share nothing, none is compared.
        if used.changed || self.kept > FEW + self.found {
            return used.changed;
        }
        self.kept += 1;
        if let Some(in_common) = PartsInCommon::of(machine, (thread, bias), used) {
            match self.known.iter_mut().find(|(known, _)| *known == used) {
                Some((_, answers)) => drop(answers.insert(in_common, number)),
                None => self.known.push((used, HashMap::from([(in_common, number)]))),
            }
        }
        false
    }
}
