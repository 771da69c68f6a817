//! The state of one simulated rank, and its processor.

use super::{
    code::{Arithmetic, CONSTANTS, GLOBALS, HEAP, Op, Place, Program, STACK},
    ctype::Scalar,
};
use model::{Rank, SignalName, Stream};
use std::{collections::BTreeMap, sync::Arc};

/// A call that has not returned.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Activation {
    pub(super) function: u16,
    /// Start of its variables in the stack of the thread.
    pub(super) base: u32,
    /// Instruction to go on with in the caller.
    pub(super) back: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Thread {
    pub(super) number: u32,
    /// Outermost first; empty when the thread has ended.
    pub(super) calls: Vec<Activation>,
    pub(super) pc: u32,
    pub(super) operands: Vec<u64>,
    pub(super) stack: Vec<u8>,
    /// What the last function handed back.
    pub(super) returned: u64,
}

/// One rank: small, so that there can be many.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    pub(super) rank: Rank,
    pub(super) size: u32,
    pub(super) pid: u32,
    pub(super) globals: Vec<u8>,
    pub(super) heap: Vec<u8>,
    pub(super) environment: Arc<[(String, String)]>,
    pub(super) threads: Vec<Thread>,
    pub(super) output: Vec<(Stream, String)>,
    pub(super) handlers: BTreeMap<i32, u64>,
    /// Milliseconds each answer takes.
    pub(super) slowness: u32,
}

/// What an instruction did, beyond what it computed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Effect {
    None,
    /// A signal came up at this instruction; `true` when the instruction is to be tried again.
    Signal(SignalName, bool),
    Exit(i32),
    /// Never answers again.
    Hang,
    /// The thread has nothing to do for now.
    Idle,
}

/// Memory that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unmapped(pub(super) u64);

fn signal(number: i32, again: bool) -> Effect {
    Effect::Signal(SignalName::from_number(number), again)
}

/// Space between the stacks of threads.
const STACK_APART: u64 = 0x100_0000;
/// Deepest recursion, in bytes of stack.
const STACK_LIMIT: usize = 1 << 20;

impl Thread {
    pub(super) fn base(&self) -> u64 {
        STACK + u64::from(self.number) * STACK_APART
    }

    /// Address of a variable in a call.
    pub(super) fn place(&self, call: &Activation, place: Place) -> u64 {
        match place {
            Place::Frame(offset) => self.base() + u64::from(call.base) + u64::from(offset),
            Place::Fixed(address) => address,
        }
    }

    fn pop(&mut self) -> u64 {
        self.operands.pop().unwrap_or(0)
    }

    /// Enters a function; `false` when the stack is exhausted.
    pub(super) fn call(&mut self, program: &Program, index: u16, arguments: &[u64], back: u32) -> bool {
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
    fn segment(&self, address: u64) -> Option<(&[u8], usize)> {
        let (bytes, base) = if address >= STACK {
            let thread = self.threads.iter().find(|t| (t.base()..t.base() + STACK_APART).contains(&address))?;
            (&thread.stack, thread.base())
        } else if address >= HEAP {
            (&self.heap, HEAP)
        } else {
            (&self.globals, GLOBALS)
        };
        Some((bytes, address.checked_sub(base)? as usize))
    }

    /// Bytes of the rank's memory.
    pub(super) fn read<'a>(&'a self, program: &'a Program, address: u64, length: usize) -> Result<&'a [u8], Unmapped> {
        let (bytes, at) = if (CONSTANTS..GLOBALS).contains(&address) {
            (&program.constants[..], (address - CONSTANTS) as usize)
        } else {
            self.segment(address).ok_or(Unmapped(address))?
        };
        at.checked_add(length).and_then(|end| bytes.get(at..end)).ok_or(Unmapped(address))
    }

    /// As many bytes as are there, up to a length.
    pub(super) fn read_some<'a>(&'a self, program: &'a Program, address: u64, length: usize) -> &'a [u8] {
        let (bytes, at) = if (CONSTANTS..GLOBALS).contains(&address) {
            (&program.constants[..], (address - CONSTANTS) as usize)
        } else {
            let Some(found) = self.segment(address) else { return &[] };
            found
        };
        bytes.get(at..at.saturating_add(length).min(bytes.len())).unwrap_or(&[])
    }

    /// Replaces bytes of the rank's memory: all or none.
    pub(super) fn write(&mut self, address: u64, data: &[u8]) -> Result<(), Unmapped> {
        let (bytes, base) = if address >= STACK {
            let found = self.threads.iter_mut().find(|t| (t.base()..t.base() + STACK_APART).contains(&address));
            let thread = found.ok_or(Unmapped(address))?;
            let base = thread.base();
            (&mut thread.stack, base)
        } else if address >= HEAP {
            (&mut self.heap, HEAP)
        } else {
            (&mut self.globals, GLOBALS)
        };
        let at = address.checked_sub(base).ok_or(Unmapped(address))? as usize;
        let end = at.checked_add(data.len()).ok_or(Unmapped(address))?;
        bytes.get_mut(at..end).ok_or(Unmapped(address))?.copy_from_slice(data);
        Ok(())
    }

    /// The characters up to the NUL; at most `limit`.
    pub(super) fn text<'a>(&'a self, program: &'a Program, address: u64, limit: usize) -> Option<&'a [u8]> {
        let bytes = self.read_some(program, address, limit);
        let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
        (!bytes.is_empty()).then(|| &bytes[..end])
    }

    pub(super) fn load(&self, program: &Program, address: u64, scalar: Scalar) -> Result<u64, Unmapped> {
        let (Scalar::Signed(size) | Scalar::Unsigned(size) | Scalar::Float(size)) = scalar;
        Ok(loaded(self.read(program, address, usize::from(size))?, scalar))
    }

    pub(super) fn store(&mut self, address: u64, value: u64, scalar: Scalar) -> Result<(), Unmapped> {
        let (bytes, length) = stored(value, scalar);
        self.write(address, &bytes[..length])
    }

    /// Executes one instruction of a thread. `code` is the program's, or an expression's.
    pub(super) fn execute(&mut self, program: &Program, at: usize, op: Op) -> Effect {
        match self.attempt(program, at, op) {
            Ok(effect) => effect,
            Err(Unmapped(_)) => signal(11, true),
        }
    }

    /// As [`Self::execute`], with the address that was not there.
    pub(super) fn attempt(&mut self, program: &Program, at: usize, op: Op) -> Result<Effect, Unmapped> {
        let Some(thread) = self.threads.get_mut(at) else { return Ok(Effect::Idle) };
        let next = thread.pc + 1;
        match op {
            Op::Push(value) => thread.operands.push(value),
            Op::Local(offset) => {
                let base = thread.calls.last().map_or(0, |call| call.base);
                thread.operands.push(thread.base() + u64::from(base) + u64::from(offset));
            }
            Op::Load(scalar) => {
                let address = thread.operands.last().copied().unwrap_or(0);
                let value = self.load(program, address, scalar)?;
                let thread = self.threads.get_mut(at).ok_or(Unmapped(0))?;
                thread.pop();
                thread.operands.push(value);
                thread.pc = next;
                return Ok(Effect::None);
            }
            Op::Store(scalar) => {
                let count = thread.operands.len();
                let value = thread.operands.last().copied().unwrap_or(0);
                let address = count.checked_sub(2).and_then(|i| thread.operands.get(i)).copied().unwrap_or(0);
                self.store(address, value, scalar)?;
                let thread = self.threads.get_mut(at).ok_or(Unmapped(0))?;
                thread.operands.truncate(count.saturating_sub(2));
                thread.operands.push(value);
                thread.pc = next;
                return Ok(Effect::None);
            }
            Op::Copy(size) => {
                let count = thread.operands.len();
                let from = thread.operands.last().copied().unwrap_or(0);
                let to = count.checked_sub(2).and_then(|i| thread.operands.get(i)).copied().unwrap_or(0);
                let bytes = self.read(program, from, size as usize)?.to_vec();
                self.write(to, &bytes)?;
                if let Some(thread) = self.threads.get_mut(at) {
                    thread.pop();
                    thread.pc = next;
                }
                return Ok(Effect::None);
            }
            Op::Clear(size) => {
                let to = thread.operands.last().copied().unwrap_or(0);
                self.write(to, &vec![0; size as usize])?;
                if let Some(thread) = self.threads.get_mut(at) {
                    thread.pop();
                    thread.pc = next;
                }
                return Ok(Effect::None);
            }
            Op::Increment(scalar, by, before) => {
                let address = thread.operands.last().copied().unwrap_or(0);
                let old = self.load(program, address, scalar)?;
                let by = if matches!(scalar, Scalar::Float(_)) { (by as f64).to_bits() } else { by as u64 };
                let new = compute(Arithmetic::Add, scalar, old, by).unwrap_or(0);
                self.store(address, new, scalar)?;
                if let Some(thread) = self.threads.get_mut(at) {
                    thread.pop();
                    thread.operands.push(if before { old } else { new });
                    thread.pc = next;
                }
                return Ok(Effect::None);
            }
            Op::Binary(operation, scalar) => {
                let count = thread.operands.len();
                let right = thread.operands.last().copied().unwrap_or(0);
                let left = count.checked_sub(2).and_then(|i| thread.operands.get(i)).copied().unwrap_or(0);
                let Some(value) = compute(operation, scalar, left, right) else { return Ok(signal(8, true)) };
                thread.operands.truncate(count.saturating_sub(2));
                thread.operands.push(value);
            }
            Op::Negate(scalar) => {
                let value = thread.pop();
                thread.operands.push(match scalar {
                    Scalar::Float(_) => (-f64::from_bits(value)).to_bits(),
                    _ => fitted(value.wrapping_neg(), scalar),
                });
            }
            Op::Invert(scalar) => {
                let value = thread.pop();
                thread.operands.push(fitted(!value, scalar));
            }
            Op::Not(scalar) => {
                let value = thread.pop();
                let zero = match scalar {
                    Scalar::Float(_) => f64::from_bits(value) == 0.0,
                    _ => value == 0,
                };
                thread.operands.push(u64::from(zero));
            }
            Op::Convert(from, to) => {
                let value = thread.pop();
                thread.operands.push(converted(value, from, to));
            }
            Op::Jump(to) => {
                thread.pc = to;
                return Ok(Effect::None);
            }
            Op::JumpIfZero(to) => {
                thread.pc = if thread.pop() == 0 { to } else { next };
                return Ok(Effect::None);
            }
            Op::Call(index) => {
                let count = program.function(index).map_or(0, |f| f.locals.iter().filter(|l| l.parameter).count());
                let arguments = thread.operands.split_off(thread.operands.len().saturating_sub(count));
                if !thread.call(program, index, &arguments, next) {
                    thread.operands.extend(arguments);
                    return Ok(signal(11, true));
                }
                return Ok(Effect::None);
            }
            Op::Return(value) => return Ok(self.give_back(at, value)),
            Op::Pop => {
                thread.pop();
            }
            Op::Enter => {}
            Op::Builtin(which, count) => {
                let arguments = thread.operands.split_off(thread.operands.len().saturating_sub(usize::from(count)));
                let outcome = self.library(program, at, which, &arguments);
                let Some(thread) = self.threads.get_mut(at) else { return Ok(Effect::Idle) };
                return Ok(match outcome {
                    Ok((value, effect)) => {
                        thread.operands.extend(value);
                        thread.pc = next;
                        effect
                    }
                    Err(effect) => {
                        thread.operands.extend(arguments);
                        effect
                    }
                });
            }
        }
        if let Some(thread) = self.threads.get_mut(at) {
            thread.pc = next;
        }
        Ok(Effect::None)
    }

    /// Leaves the innermost call of a thread.
    fn give_back(&mut self, at: usize, value: bool) -> Effect {
        let Some(thread) = self.threads.get_mut(at) else { return Effect::Idle };
        let result = if value { Some(thread.pop()) } else { None };
        let Some(call) = thread.calls.pop() else { return Effect::Idle };
        thread.stack.truncate(call.base as usize);
        thread.returned = result.unwrap_or(0);
        if thread.calls.is_empty() {
            return if at == 0 { Effect::Exit(result.unwrap_or(0) as i32 & 0xff) } else { Effect::Idle };
        }
        thread.pc = call.back;
        // A handler of a signal has no caller that waits for its value.
        thread.operands.extend(result.filter(|_| call.back & HANDLER == 0));
        thread.pc &= !HANDLER;
        Effect::None
    }
}

/// Marks the way back from a signal's handler.
pub(super) const HANDLER: u32 = 1 << 31;

/// The 64 bits that stand for bytes in memory.
pub(super) fn loaded(bytes: &[u8], scalar: Scalar) -> u64 {
    let mut whole = [0; 8];
    let length = bytes.len().min(8);
    whole[..length].copy_from_slice(&bytes[..length]);
    let bits = u64::from_le_bytes(whole);
    match scalar {
        Scalar::Float(4) => f64::from(f32::from_bits(bits as u32)).to_bits(),
        other => fitted(bits, other),
    }
}

/// The bytes in memory for 64 bits, and how many count.
pub(super) fn stored(value: u64, scalar: Scalar) -> ([u8; 8], usize) {
    match scalar {
        Scalar::Float(4) => (u64::from((f64::from_bits(value) as f32).to_bits()).to_le_bytes(), 4),
        Scalar::Signed(size) | Scalar::Unsigned(size) | Scalar::Float(size) => (value.to_le_bytes(), usize::from(size)),
    }
}

/// Cut to the width of the type and extended again.
fn fitted(value: u64, scalar: Scalar) -> u64 {
    match scalar {
        Scalar::Signed(1) => value as i8 as u64,
        Scalar::Signed(2) => value as i16 as u64,
        Scalar::Signed(4) => value as i32 as u64,
        Scalar::Unsigned(1) => u64::from(value as u8),
        Scalar::Unsigned(2) => u64::from(value as u16),
        Scalar::Unsigned(4) => u64::from(value as u32),
        _ => value,
    }
}

pub(super) fn converted(value: u64, from: Scalar, to: Scalar) -> u64 {
    match (from, to) {
        (Scalar::Float(_), Scalar::Float(4)) => f64::from(f64::from_bits(value) as f32).to_bits(),
        (Scalar::Float(_), Scalar::Float(_)) => value,
        (Scalar::Float(_), Scalar::Signed(_)) => fitted(f64::from_bits(value) as i64 as u64, to),
        (Scalar::Float(_), Scalar::Unsigned(_)) => fitted(f64::from_bits(value) as u64, to),
        (Scalar::Unsigned(_), Scalar::Float(_)) => (value as f64).to_bits(),
        (_, Scalar::Float(_)) => (value as i64 as f64).to_bits(),
        _ => fitted(value, to),
    }
}

/// `None` for a division that the processor refuses.
fn compute(operation: Arithmetic, scalar: Scalar, left: u64, right: u64) -> Option<u64> {
    if let Scalar::Float(_) = scalar {
        let (a, b) = (f64::from_bits(left), f64::from_bits(right));
        let value = match operation {
            Arithmetic::Add => a + b,
            Arithmetic::Subtract => a - b,
            Arithmetic::Multiply => a * b,
            Arithmetic::Divide => a / b,
            Arithmetic::Equal => return Some(u64::from(a == b)),
            Arithmetic::NotEqual => return Some(u64::from(a != b)),
            Arithmetic::Less => return Some(u64::from(a < b)),
            Arithmetic::LessEqual => return Some(u64::from(a <= b)),
            Arithmetic::Greater => return Some(u64::from(a > b)),
            Arithmetic::GreaterEqual => return Some(u64::from(a >= b)),
            _ => return None,
        };
        return Some(converted(value.to_bits(), Scalar::Float(8), scalar));
    }
    let signed = matches!(scalar, Scalar::Signed(_));
    let (a, b) = (left as i64, right as i64);
    let value = match operation {
        Arithmetic::Add => left.wrapping_add(right),
        Arithmetic::Subtract => left.wrapping_sub(right),
        Arithmetic::Multiply => left.wrapping_mul(right),
        Arithmetic::Divide if signed => a.checked_div(b)? as u64,
        Arithmetic::Divide => left.checked_div(right)?,
        Arithmetic::Remainder if signed => a.checked_rem(b)? as u64,
        Arithmetic::Remainder => left.checked_rem(right)?,
        Arithmetic::And => left & right,
        Arithmetic::Or => left | right,
        Arithmetic::Xor => left ^ right,
        Arithmetic::ShiftLeft => left.wrapping_shl(right as u32),
        Arithmetic::ShiftRight if signed => a.wrapping_shr(right as u32) as u64,
        Arithmetic::ShiftRight => left.wrapping_shr(right as u32),
        Arithmetic::Equal => u64::from(left == right),
        Arithmetic::NotEqual => u64::from(left != right),
        Arithmetic::Less if signed => u64::from(a < b),
        Arithmetic::Less => u64::from(left < right),
        Arithmetic::LessEqual if signed => u64::from(a <= b),
        Arithmetic::LessEqual => u64::from(left <= right),
        Arithmetic::Greater if signed => u64::from(a > b),
        Arithmetic::Greater => u64::from(left > right),
        Arithmetic::GreaterEqual if signed => u64::from(a >= b),
        Arithmetic::GreaterEqual => u64::from(left >= right),
    };
    Some(fitted(value, scalar))
}
