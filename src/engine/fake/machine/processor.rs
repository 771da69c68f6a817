//! The processor of a simulated rank.

use super::numbers::{compute, converted, inverted, is_zero, negated};
use super::state::{Effect, Machine, Unmapped};
use crate::fake::{
    builtin::Builtin,
    code::{Arithmetic, Op, Program},
    ctype::Scalar,
};
use model::SignalName;

/// Flag in the return address of a signal handler's call.
pub(in crate::fake) const HANDLER: u32 = 1 << 31;

fn signal(number: i32, again: bool) -> Effect {
    Effect::Signal(SignalName::from_number(number), again)
}

impl Machine {
    /// Executes one instruction of a thread, from the program or an expression; an unmapped address raises SIGSEGV.
    pub(in crate::fake) fn execute(&mut self, program: &Program, at: usize, op: Op) -> Effect {
        match self.attempt(program, at, op) {
            Ok(effect) => effect,
            Err(Unmapped(_)) => signal(11, true),
        }
    }

    /// Like [`Self::execute`], but fails with the unmapped address.
    pub(in crate::fake) fn attempt(&mut self, program: &Program, at: usize, op: Op) -> Result<Effect, Unmapped> {
        let Some(thread) = self.threads.get(at) else { return Ok(Effect::Idle) };
        let (top, below) = (thread.operand(0), thread.operand(1));
        let mut next = thread.pc + 1;
        // The number of operands consumed, and the result.
        let (used, result) = match op {
            Op::Push(value) => (0, Some(value)),
            Op::Local(offset) => {
                let base = thread.calls.last().map_or(0, |call| call.base);
                (0, Some(thread.base() + u64::from(base) + u64::from(offset)))
            }
            Op::Load(scalar) => (1, Some(self.load(program, top, scalar)?)),
            Op::Store(scalar) => {
                self.store(below, top, scalar)?;
                (2, Some(top))
            }
            Op::Copy(size) => {
                let bytes = self.read(program, top, size as usize)?.to_vec();
                self.write(below, &bytes)?;
                (1, None)
            }
            Op::Clear(size) => {
                self.write(top, &vec![0; size as usize])?;
                (1, None)
            }
            Op::Increment(scalar, by, before) => {
                let old = self.load(program, top, scalar)?;
                let by = if matches!(scalar, Scalar::Float(_)) { (by as f64).to_bits() } else { by as u64 };
                let new = compute(Arithmetic::Add, scalar, old, by).unwrap_or(0);
                self.store(top, new, scalar)?;
                (1, Some(if before { old } else { new }))
            }
            Op::Binary(operation, scalar) => match compute(operation, scalar, below, top) {
                Some(value) => (2, Some(value)),
                None => return Ok(signal(8, true)),
            },
            Op::Negate(scalar) => (1, Some(negated(top, scalar))),
            Op::Invert(scalar) => (1, Some(inverted(top, scalar))),
            Op::Not(scalar) => (1, Some(u64::from(is_zero(top, scalar)))),
            Op::Convert(from, to) => (1, Some(converted(top, from, to))),
            Op::Jump(to) => {
                next = to;
                (0, None)
            }
            Op::JumpIfZero(to) => {
                next = if top == 0 { to } else { next };
                (1, None)
            }
            Op::Pop => (1, None),
            Op::Enter => (0, None),
            Op::Call(index) => return Ok(self.call(program, at, index)),
            Op::Return(value) => return Ok(self.give_back(at, value)),
            Op::Builtin(which, count) => return Ok(self.call_library(program, at, which, count.into())),
        };
        if let Some(thread) = self.threads.get_mut(at) {
            thread.operands.truncate(thread.operands.len().saturating_sub(used));
            thread.operands.extend(result);
            thread.pc = next;
        }
        Ok(Effect::None)
    }

    /// Enters a function with the arguments on the operand stack.
    fn call(&mut self, program: &Program, at: usize, index: u16) -> Effect {
        let Some(thread) = self.threads.get_mut(at) else { return Effect::Idle };
        let count = program.function(index).map_or(0, |f| f.locals.iter().filter(|l| l.parameter).count());
        let (arguments, next) = (thread.take_operands(count), thread.pc + 1);
        if thread.call(program, index, &arguments, next) {
            return Effect::None;
        }
        thread.operands.extend(arguments);
        signal(11, true)
    }

    /// Calls a library function.
    fn call_library(&mut self, program: &Program, at: usize, which: Builtin, count: usize) -> Effect {
        let Some(thread) = self.threads.get_mut(at) else { return Effect::Idle };
        let (arguments, next) = (thread.take_operands(count), thread.pc + 1);
        let outcome = self.library(program, at, which, &arguments);
        let Some(thread) = self.threads.get_mut(at) else { return Effect::Idle };
        match outcome {
            Ok((value, effect)) => {
                thread.operands.extend(value);
                thread.pc = next;
                effect
            }
            Err(effect) => {
                thread.operands.extend(arguments);
                effect
            }
        }
    }

    /// Returns from the innermost call of a thread.
    fn give_back(&mut self, at: usize, value: bool) -> Effect {
        let Some(thread) = self.threads.get_mut(at) else { return Effect::Idle };
        let result = value.then(|| thread.operands.pop().unwrap_or(0));
        let Some(call) = thread.calls.pop() else { return Effect::Idle };
        thread.stack.truncate(call.base as usize);
        thread.returned = result.unwrap_or(0);
        if thread.calls.is_empty() {
            return if at == 0 { Effect::Exit(result.unwrap_or(0) as i32 & 0xff) } else { Effect::Idle };
        }
        thread.pc = call.back;
        // The caller of a signal handler expects no value.
        thread.operands.extend(result.filter(|_| call.back & HANDLER == 0));
        thread.pc &= !HANDLER;
        Effect::None
    }
}
