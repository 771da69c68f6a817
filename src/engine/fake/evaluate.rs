//! Evaluates the user's expressions in a frame of a simulated rank.

use super::builtin::Builtin;
use super::code::{Local, Op, Place, Program, address_of};
use super::ctype::CType;
use super::datum::{datum, datum_at};
use super::emit::{Emitter, Scope};
use super::machine::{Effect, Machine, Unmapped, stored};
use super::parse::lex::Fault;
use super::parse::{parse_expression, parse_type};
use model::{Datum, ErrorCode, Failure, TypeDetail};

/// A call of a thread, as an index into its calls, and its current instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct At {
    pub(super) thread: usize,
    pub(super) call: usize,
    pub(super) op: u32,
}

/// A compiled expression, valid wherever the same names are in scope.
#[derive(Clone, Debug)]
pub(super) struct Compiled {
    ops: Vec<Op>,
    ty: CType,
    /// True if it leaves the value's address instead of the value.
    in_place: bool,
}

struct AtFrame<'a> {
    program: &'a Program,
    visible: Vec<&'a Local>,
}

/// Returns the variables in scope at an instruction, inner blocks first.
pub(super) fn visible(program: &Program, op: u32) -> Vec<&Local> {
    let Some(function) = program.function_at(op) else { return Vec::new() };
    let mut found: Vec<_> = function.locals.iter().filter(|l| (l.block.0..l.block.1).contains(&op)).collect();
    found.sort_by_key(|l| (l.parameter, std::cmp::Reverse(l.block.0)));
    found
}

impl Scope for AtFrame<'_> {
    fn variable(&self, name: &str) -> Option<(Place, CType)> {
        if let Some(local) = self.visible.iter().find(|l| &*l.name == name) {
            return Some((local.place, local.ty.clone()));
        }
        let (_, ty, address) = self.program.globals.iter().find(|(global, ..)| &**global == name)?;
        Some((Place::Fixed(*address), ty.clone()))
    }

    fn function(&self, name: &str) -> Option<(u16, Vec<CType>, CType, u64)> {
        let at = self.program.functions.iter().position(|f| &*f.name == name)?;
        let f = self.program.functions.get(at)?;
        let parameters = f.locals.iter().filter(|l| l.parameter).map(|l| l.ty.clone()).collect();
        Some((at as u16, parameters, f.returns.clone(), address_of(f.entry)))
    }

    fn text(&mut self, _: &[u8]) -> Option<u64> {
        None
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self { code: fault.code, message: fault.message, position: Some(fault.position) }
    }
}

impl From<Unmapped> for Failure {
    fn from(Unmapped(address): Unmapped) -> Self {
        Self::new(ErrorCode::MEMORY, format!("Cannot access memory at address {address:#x}"))
    }
}

/// Compiles an expression in the scope of an instruction.
pub(super) fn compile(program: &Program, op: Option<u32>, text: &str) -> Result<Compiled, Failure> {
    let expression = parse_expression(text, &program.names)?;
    let mut scope = AtFrame { program, visible: op.map_or_else(Vec::new, |op| visible(program, op)) };
    let mut emitter = Emitter { ops: Vec::new(), lines: Vec::new(), scope: &mut scope, names: &program.names, line: 1 };
    let in_place = emitter.address(&expression);
    if let Ok(ty) = in_place
        && !matches!(emitter.ops.last(), Some(Op::Push(address)) if program.op_at(*address).is_some())
    {
        return Ok(Compiled { ops: emitter.ops, ty, in_place: true });
    }
    emitter.ops.clear();
    let ty = emitter.value(&expression)?;
    // An assignment of structures leaves an address.
    let in_place = ty.scalar().is_none();
    Ok(Compiled { ops: emitter.ops, ty, in_place })
}

/// Returns the type of an expression, or the named type.
pub(super) fn type_of(program: &Program, op: Option<u32>, text: &str, detail: TypeDetail) -> Result<String, Failure> {
    let ty = match parse_type(text, &program.names) {
        Some(CType::Tag(tag)) => {
            return Err(Failure::new(ErrorCode::UNKNOWN_TYPE, format!("no struct type named {tag}")));
        }
        Some(ty) => ty,
        None => compile(program, op, text)?.ty,
    };
    Ok(if detail.has_members() { ty.expanded() } else { ty.spelling() })
}

impl Compiled {
    /// Computes the value, or its address.
    fn run(&self, machine: &mut Machine, program: &Program, at: At) -> Result<u64, Failure> {
        // A variable alone needs no operands: its thread stays as it is, and shared.
        match *self.ops.as_slice() {
            [Op::Push(value)] => return Ok(value),
            [Op::Local(offset)] => {
                let thread = machine.threads.get(at.thread).ok_or_else(no_frame)?;
                let call = thread.calls.get(at.call).ok_or_else(no_frame)?;
                return Ok(thread.place(call, Place::Frame(offset)));
            }
            _ => {}
        }
        let thread = machine.threads.get_mut(at.thread).ok_or_else(no_frame)?;
        let call = thread.calls.get(at.call).cloned();
        let saved = (std::mem::take(&mut thread.operands), thread.pc);
        let result = self.execute(machine, program, at.thread, call.as_ref());
        if let Some(thread) = machine.threads.get_mut(at.thread) {
            (thread.operands, thread.pc) = saved;
        }
        result
    }

    fn execute(
        &self,
        machine: &mut Machine,
        program: &Program,
        at: usize,
        call: Option<&super::machine::Activation>,
    ) -> Result<u64, Failure> {
        let mut next = 0;
        while let Some(op) = self.ops.get(next) {
            next += 1;
            let thread = machine.threads.get_mut(at).ok_or_else(no_frame)?;
            match op {
                Op::Local(offset) => {
                    let call = call.ok_or_else(no_frame)?;
                    let address = thread.place(call, Place::Frame(*offset));
                    thread.operands.push(address);
                }
                Op::Jump(to) => next = *to as usize,
                Op::JumpIfZero(to) => {
                    if thread.operands.pop().unwrap_or(0) == 0 {
                        next = *to as usize;
                    }
                }
                Op::Call(_) | Op::Return(_) => return Err(no_calls()),
                Op::Builtin(which, _) if !is_pure(*which) => return Err(no_calls()),
                op => match machine.attempt(program, at, *op)? {
                    Effect::None => {}
                    Effect::Signal(name, _) if &*name.0 == "SIGFPE" => {
                        return Err(Failure::new(ErrorCode::DEBUGGER, "division by zero"));
                    }
                    _ => return Err(no_calls()),
                },
            }
        }
        let thread = machine.threads.get_mut(at).ok_or_else(no_frame)?;
        Ok(thread.operands.pop().unwrap_or(0))
    }

    /// Evaluates the expression to a value with its type.
    pub(super) fn datum(&self, machine: &mut Machine, program: &Program, at: At) -> Result<Datum, Failure> {
        let left = self.run(machine, program, at)?;
        if self.in_place && self.ty != CType::Void {
            return Ok(datum_at(machine, program, &self.ty, left)?);
        }
        let bytes = self.ty.scalar().map(|scalar| stored(left, scalar));
        let bytes = bytes.as_ref().map_or(&[][..], |(bytes, length)| &bytes[..*length]);
        Ok(datum(machine, program, &self.ty, bytes))
    }

    /// Computes the type of the value, and its address or, if it has none, its bytes.
    pub(super) fn place(
        &self,
        machine: &mut Machine,
        program: &Program,
        at: At,
    ) -> Result<(CType, Result<u64, Vec<u8>>), Failure> {
        let left = self.run(machine, program, at)?;
        let bytes = || self.ty.scalar().map_or_else(Vec::new, |scalar| stored(left, scalar).0.to_vec());
        Ok((self.ty.clone(), if self.in_place { Ok(left) } else { Err(bytes()) }))
    }

    /// Evaluates the expression to a number: a truth value or an address. Arrays and structures give their own address.
    pub(super) fn number(&self, machine: &mut Machine, program: &Program, at: At) -> Result<u64, Failure> {
        let left = self.run(machine, program, at)?;
        match self.ty.scalar() {
            Some(scalar) if self.in_place => Ok(machine.load(program, left, scalar)?),
            _ => Ok(left),
        }
    }
}

fn is_pure(which: Builtin) -> bool {
    matches!(
        which,
        Builtin::Sqrt | Builtin::Fabs | Builtin::Sin | Builtin::Exp | Builtin::Strcmp | Builtin::Strlen | Builtin::Atoi
    )
}

fn no_frame() -> Failure {
    Failure::new(ErrorCode::NO_STACK, "no frame is selected")
}

fn no_calls() -> Failure {
    Failure::new(ErrorCode::NOT_IMPLEMENTED, "expressions cannot call functions in the simulated engine")
}
