//! Compiles the statements of a function to instructions.

use super::code::{Local, Op, Place};
use super::ctype::CType;
use super::data::plain_fault;
use super::emit::Emitter;
use super::parse::Names;
use super::parse::lex::Fault;
use super::parse::syntax::{Declaration, Expression, ExpressionKind, FunctionText, Initial, Statement};
use super::scope::{Inside, complete};
use std::sync::Arc;

/// A function being compiled.
pub(super) struct Body<'a> {
    pub(super) inside: Inside<'a>,
    names: &'a Names,
    pub(super) starts: Vec<bool>,
    pub(super) frame: u32,
    /// For each open loop, the jumps to its end and to its next round, whose targets are not known yet.
    loops: Vec<(Vec<u32>, Vec<u32>)>,
}

struct Written {
    ops: Vec<Op>,
    lines: Vec<u32>,
    line: u32,
}

impl<'a> Body<'a> {
    pub(super) fn new(inside: Inside<'a>, names: &'a Names) -> Self {
        Self { inside, names, starts: Vec::new(), frame: 0, loops: Vec::new() }
    }

    pub(super) fn function(&mut self, text: &FunctionText) -> Result<(Vec<Op>, Vec<u32>), Fault> {
        let mut out = Written { ops: Vec::new(), lines: Vec::new(), line: text.lines.0 };
        for (name, ty) in &text.parameters {
            self.local(name.clone(), complete(ty, self.names), true, 0);
        }
        self.start(&mut out, text.lines.0);
        self.emit(&mut out, Op::Enter);
        let mut returns = Vec::new();
        self.block(&mut out, &text.body, &mut returns, &text.returns, true)?;
        if text.returns != CType::Void {
            out.line = text.lines.1;
            self.emit(&mut out, Op::Push(0));
        }
        for at in returns {
            patch(&mut out.ops, at);
        }
        // `return` jumps here with its value on the stack; falling off the end arrives with a zero.
        self.start(&mut out, text.lines.1);
        self.emit(&mut out, Op::Return(text.returns != CType::Void));
        Ok((out.ops, out.lines))
    }

    /// Marks the next instruction as the start of a statement on this line.
    fn start(&mut self, out: &mut Written, line: u32) {
        out.line = line;
        self.starts.resize(out.ops.len(), false);
        self.starts.push(true);
    }

    fn emit(&mut self, out: &mut Written, op: Op) -> u32 {
        out.ops.push(op);
        out.lines.push(out.line);
        out.ops.len() as u32 - 1
    }

    fn with<T>(
        &mut self,
        out: &mut Written,
        work: impl FnOnce(&mut Emitter<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut emitter = Emitter {
            ops: std::mem::take(&mut out.ops),
            lines: std::mem::take(&mut out.lines),
            scope: &mut self.inside,
            names: self.names,
            line: out.line,
        };
        let result = work(&mut emitter);
        (out.ops, out.lines) = (emitter.ops, emitter.lines);
        result
    }

    fn local(&mut self, name: Arc<str>, ty: CType, parameter: bool, from: u32) -> u32 {
        let offset = self.frame.next_multiple_of(ty.align());
        self.frame = offset + ty.size();
        let place = Place::Frame(offset);
        self.inside.open.push(self.inside.locals.len());
        self.inside.locals.push(Local { name, ty, place, parameter, block: (from, u32::MAX) });
        offset
    }

    fn block(
        &mut self,
        out: &mut Written,
        statements: &[Statement],
        returns: &mut Vec<u32>,
        ty: &CType,
        outermost: bool,
    ) -> Result<(), Fault> {
        let (open, first) = (self.inside.open.len(), out.ops.len() as u32);
        for statement in statements {
            self.statement(out, statement, returns, ty, first)?;
        }
        self.close(out, open, outermost);
        Ok(())
    }

    fn close(&mut self, out: &Written, open: usize, outermost: bool) {
        let end = out.ops.len() as u32;
        for at in self.inside.open.drain(open..) {
            if let Some(local) = self.inside.locals.get_mut(at).filter(|_| !outermost) {
                local.block.1 = end;
            }
        }
    }

    fn statement(
        &mut self,
        out: &mut Written,
        statement: &Statement,
        returns: &mut Vec<u32>,
        ty: &CType,
        block: u32,
    ) -> Result<(), Fault> {
        match statement {
            Statement::Block(inner) => self.block(out, inner, returns, ty, false)?,
            Statement::Declare(declarations) => {
                declarations.iter().try_for_each(|declaration| self.declare(out, declaration, block))?;
            }
            Statement::Expression(e) => {
                self.start(out, e.line);
                let value = self.with(out, |emitter| emitter.value(e))?;
                if value != CType::Void {
                    self.emit(out, Op::Pop);
                }
            }
            Statement::If(condition, yes, no) => {
                self.start(out, condition.line);
                self.with(out, |emitter| emitter.condition(condition))?;
                let to_no = self.emit(out, Op::JumpIfZero(0));
                self.statement(out, yes, returns, ty, block)?;
                if let Some(no) = no {
                    let to_end = self.emit(out, Op::Jump(0));
                    patch(&mut out.ops, to_no);
                    self.statement(out, no, returns, ty, block)?;
                    patch(&mut out.ops, to_end);
                } else {
                    patch(&mut out.ops, to_no);
                }
            }
            Statement::While(condition, body) => {
                let top = out.ops.len() as u32;
                self.start(out, condition.line);
                self.with(out, |emitter| emitter.condition(condition))?;
                let to_end = self.emit(out, Op::JumpIfZero(0));
                self.loops.push((vec![to_end], Vec::new()));
                self.statement(out, body, returns, ty, block)?;
                self.end_loop(out, top, top);
            }
            Statement::For(start, condition, advance, body, line) => {
                let open = self.inside.open.len();
                let first = out.ops.len() as u32;
                if let Some(start) = start {
                    self.statement(out, start, returns, ty, first)?;
                }
                out.line = *line;
                let top = out.ops.len() as u32;
                let mut ends = Vec::new();
                if let Some(condition) = condition {
                    self.with(out, |emitter| emitter.condition(condition))?;
                    ends.push(self.emit(out, Op::JumpIfZero(0)));
                }
                self.loops.push((ends, Vec::new()));
                self.statement(out, body, returns, ty, block)?;
                let next = out.ops.len() as u32;
                self.start(out, *line);
                if let Some(advance) = advance {
                    let value = self.with(out, |emitter| emitter.value(advance))?;
                    if value != CType::Void {
                        self.emit(out, Op::Pop);
                    }
                }
                self.end_loop(out, top, next);
                self.close(out, open, false);
            }
            Statement::Return(value, line) => {
                self.start(out, *line);
                match value {
                    Some(value) if *ty != CType::Void => {
                        self.with(out, |emitter| emitter.converted(value, ty))?;
                    }
                    None if *ty == CType::Void => {}
                    _ => return Err(plain_fault(*line, "the value returned does not fit the function")),
                }
                returns.push(self.emit(out, Op::Jump(0)));
            }
            Statement::Break(line) | Statement::Continue(line) => {
                self.start(out, *line);
                let at = self.emit(out, Op::Jump(0));
                let open = self.loops.last_mut().ok_or_else(|| plain_fault(*line, "not inside a loop"))?;
                if matches!(statement, Statement::Break(_)) { open.0.push(at) } else { open.1.push(at) }
            }
        }
        Ok(())
    }

    /// Emits the jump back, and sets the targets of the loop's other jumps.
    fn end_loop(&mut self, out: &mut Written, top: u32, next: u32) {
        self.emit(out, Op::Jump(top));
        let Some((ends, continues)) = self.loops.pop() else { return };
        for at in ends {
            patch(&mut out.ops, at);
        }
        for at in continues {
            if let Some(op) = out.ops.get_mut(at as usize) {
                *op = Op::Jump(next);
            }
        }
    }

    fn declare(&mut self, out: &mut Written, declaration: &Declaration, block: u32) -> Result<(), Fault> {
        let ty = complete(&declaration.ty, self.names);
        if declaration.fixed {
            let address = self.inside.memory.reserve(&ty);
            if let Some(initial) = &declaration.initial {
                self.inside.memory.fill(&ty, address, initial)?;
            }
            self.inside.open.push(self.inside.locals.len());
            let (name, place) = (declaration.name.clone(), Place::Fixed(address));
            self.inside.locals.push(Local { name, ty, place, parameter: false, block: (block, u32::MAX) });
            return Ok(());
        }
        let offset = self.local(declaration.name.clone(), ty.clone(), false, block);
        let Some(initial) = &declaration.initial else { return Ok(()) };
        self.start(out, declaration.line);
        if matches!(initial, Initial::List(..)) {
            self.emit(out, Op::Local(offset));
            self.emit(out, Op::Clear(ty.size()));
        }
        self.initialise(out, &ty, offset, initial)
    }

    fn initialise(&mut self, out: &mut Written, ty: &CType, offset: u32, initial: &Initial) -> Result<(), Fault> {
        match (ty.plain(), initial) {
            (CType::Array(of, _), Initial::List(values, _)) => {
                let places = (0..).map(|i| offset + of.size() * i);
                places.zip(values).try_for_each(|(at, value)| self.initialise(out, of, at, value))
            }
            (CType::Structure(s), Initial::List(values, _)) => {
                let places = s.fields.iter().map(|f| (complete(&f.ty, self.names), offset + f.offset));
                places.zip(values).try_for_each(|((ty, at), value)| self.initialise(out, &ty, at, value))
            }
            (CType::Array(of, count), Initial::Value(Expression { kind: ExpressionKind::Text(text), line, .. })) => {
                let mut padded = text.clone();
                padded.resize((*count * of.size()) as usize, 0);
                self.emit(out, Op::Local(offset));
                let at = self.inside.memory.text(&padded);
                out.line = *line;
                self.emit(out, Op::Push(at));
                self.emit(out, Op::Copy(ty.size()));
                self.emit(out, Op::Pop);
                Ok(())
            }
            (_, Initial::Value(value)) => {
                self.emit(out, Op::Local(offset));
                self.with(out, |emitter| emitter.converted(value, ty))?;
                self.emit(out, ty.scalar().map_or(Op::Copy(ty.size()), Op::Store));
                self.emit(out, Op::Pop);
                Ok(())
            }
            (_, Initial::List(_, line)) => Err(plain_fault(*line, "a list in braces is for arrays and structures")),
        }
    }
}

fn patch(ops: &mut [Op], at: u32) {
    let here = ops.len() as u32;
    if let Some(Op::Jump(to) | Op::JumpIfZero(to)) = ops.get_mut(at as usize) {
        *to = here;
    }
}
