//! The state of one simulated rank: its threads and its memory.

use super::copy_on_write::Shared;
use super::numbers::{loaded, stored};
use super::used_parts::Used;
use crate::fake::{
    code::{CONSTANTS, GLOBALS, HEAP, Place, Program, STACK},
    ctype::Scalar,
};
use model::{Rank, SignalName, Stream};
use std::{collections::BTreeMap, sync::Arc};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::fake) struct Activation {
    pub(in crate::fake) function: u16,
    /// The offset of its variables in the thread's stack.
    pub(in crate::fake) base: u32,
    /// The return address: an instruction of the caller.
    pub(in crate::fake) back: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::fake) struct Thread {
    pub(in crate::fake) number: u32,
    /// Outermost first; empty once the thread has ended.
    pub(in crate::fake) calls: Vec<Activation>,
    pub(in crate::fake) pc: u32,
    pub(in crate::fake) operands: Vec<u64>,
    pub(in crate::fake) stack: Vec<u8>,
    /// The return value of the last function.
    pub(in crate::fake) returned: u64,
}

/// The state of one rank, kept small so that there can be many.
#[derive(Clone, Debug)]
pub(in crate::fake) struct Machine {
    pub(in crate::fake) rank: Rank,
    pub(in crate::fake) size: u32,
    pub(in crate::fake) globals: Shared<Vec<u8>>,
    pub(in crate::fake) heap: Shared<Vec<u8>>,
    pub(in crate::fake) environment: Arc<[(String, String)]>,
    pub(in crate::fake) threads: Shared<Vec<Thread>>,
    pub(in crate::fake) output: Vec<(Stream, String)>,
    pub(in crate::fake) handlers: BTreeMap<i32, u64>,
    /// The delay of each answer, in milliseconds.
    pub(in crate::fake) slowness: u32,
    /// The parts of its memory that were used since this was last looked at.
    pub(in crate::fake) used: Used,
}

/// The effect of an instruction outside its thread.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::fake) enum Effect {
    None,
    /// The instruction raises a signal; `true` if it is to be repeated afterwards.
    Signal(SignalName, bool),
    Exit(i32),
    /// The rank stops answering.
    Hang,
    /// The thread is waiting.
    Idle,
}

/// An address outside all memory areas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fake) struct Unmapped(pub(in crate::fake) u64);

/// The distance between the stacks of threads.
const STACK_APART: u64 = 0x100_0000;
/// Maximum size of a stack, in bytes.
const STACK_LIMIT: usize = 1 << 20;

impl Thread {
    pub(in crate::fake) fn base(&self) -> u64 {
        STACK + u64::from(self.number) * STACK_APART
    }

    /// Returns the address of a variable in a call.
    pub(in crate::fake) fn place(&self, call: &Activation, place: Place) -> u64 {
        match place {
            Place::Frame(offset) => self.base() + u64::from(call.base) + u64::from(offset),
            Place::Fixed(address) => address,
        }
    }

    /// Returns an operand by its distance from the top; 0 if there is none.
    pub(super) fn operand(&self, depth: usize) -> u64 {
        let place = self.operands.len().checked_sub(depth + 1);
        place.and_then(|place| self.operands.get(place)).copied().unwrap_or(0)
    }

    /// Pops the last operands, in the order in which they were pushed.
    pub(super) fn take_operands(&mut self, count: usize) -> Vec<u64> {
        self.operands.split_off(self.operands.len().saturating_sub(count))
    }

    /// Enters a function; false if the stack is exhausted.
    pub(in crate::fake) fn call(&mut self, program: &Program, index: u16, arguments: &[u64], back: u32) -> bool {
        let Some(function) = program.function(index) else { return false };
        let base = self.stack.len() as u32;
        let end = self.stack.len() + function.frame_size as usize;
        if end > STACK_LIMIT {
            return false;
        }
        self.stack.resize(end, 0);
        for (local, value) in function.locals.iter().filter(|l| l.parameter).zip(arguments) {
            if let (Place::Frame(offset), Some(scalar)) = (local.place, local.ty.scalar()) {
                let bytes = stored(*value, scalar);
                let at = (base + offset) as usize;
                if let Some(place) = self.stack.get_mut(at..at + bytes.1) {
                    place.copy_from_slice(&bytes.0[..bytes.1]);
                }
            }
        }
        self.calls.push(Activation { function: index, base, back });
        self.pc = function.entry;
        true
    }
}

impl Machine {
    pub(in crate::fake) fn pid(&self) -> u32 {
        10_000_u32.saturating_add(self.rank.0)
    }

    fn segment(&self, address: u64) -> Option<(&[u8], usize)> {
        let (bytes, base) = if address >= STACK {
            let thread = self.threads.iter().find(|t| (t.base()..t.base() + STACK_APART).contains(&address))?;
            (thread.stack.as_slice(), thread.base())
        } else if address >= HEAP {
            self.used.note_heap();
            (self.heap.as_slice(), HEAP)
        } else {
            self.used.note_globals();
            (self.globals.as_slice(), GLOBALS)
        };
        Some((bytes, address.checked_sub(base)? as usize))
    }

    /// Reads bytes of the rank's memory.
    pub(in crate::fake) fn read<'a>(
        &'a self,
        program: &'a Program,
        address: u64,
        length: usize,
    ) -> Result<&'a [u8], Unmapped> {
        let (bytes, at) = if (CONSTANTS..GLOBALS).contains(&address) {
            (&program.constants[..], (address - CONSTANTS) as usize)
        } else {
            self.segment(address).ok_or(Unmapped(address))?
        };
        at.checked_add(length).and_then(|end| bytes.get(at..end)).ok_or(Unmapped(address))
    }

    /// Reads up to `length` bytes, as many as are mapped.
    pub(in crate::fake) fn read_some<'a>(&'a self, program: &'a Program, address: u64, length: usize) -> &'a [u8] {
        let (bytes, at) = if (CONSTANTS..GLOBALS).contains(&address) {
            (&program.constants[..], (address - CONSTANTS) as usize)
        } else {
            let Some(found) = self.segment(address) else { return &[] };
            found
        };
        bytes.get(at..at.saturating_add(length).min(bytes.len())).unwrap_or(&[])
    }

    /// Writes bytes to the rank's memory: all or none.
    pub(in crate::fake) fn write(&mut self, address: u64, data: &[u8]) -> Result<(), Unmapped> {
        self.used.note_change();
        let (bytes, base) = if address >= STACK {
            let found = self.threads.iter_mut().find(|t| (t.base()..t.base() + STACK_APART).contains(&address));
            let thread = found.ok_or(Unmapped(address))?;
            let base = thread.base();
            (&mut thread.stack, base)
        } else if address >= HEAP {
            (&mut *self.heap, HEAP)
        } else {
            (&mut *self.globals, GLOBALS)
        };
        let at = address.checked_sub(base).ok_or(Unmapped(address))? as usize;
        let end = at.checked_add(data.len()).ok_or(Unmapped(address))?;
        bytes.get_mut(at..end).ok_or(Unmapped(address))?.copy_from_slice(data);
        Ok(())
    }

    /// Reads a text up to its NUL, at most `limit` bytes.
    pub(in crate::fake) fn text<'a>(&'a self, program: &'a Program, address: u64, limit: usize) -> Option<&'a [u8]> {
        let bytes = self.read_some(program, address, limit);
        let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
        (!bytes.is_empty()).then(|| &bytes[..end])
    }

    pub(in crate::fake) fn load(&self, program: &Program, address: u64, scalar: Scalar) -> Result<u64, Unmapped> {
        let (Scalar::Signed(size) | Scalar::Unsigned(size) | Scalar::Float(size)) = scalar;
        Ok(loaded(self.read(program, address, usize::from(size))?, scalar))
    }

    pub(in crate::fake) fn store(&mut self, address: u64, value: u64, scalar: Scalar) -> Result<(), Unmapped> {
        let (bytes, length) = stored(value, scalar);
        self.write(address, &bytes[..length])
    }
}
