//! From the text of a program to one that runs.

use super::{
    code::{CONSTANTS, Function, GLOBALS, Local, Op, Place, Program, address_of},
    ctype::{CType, Scalar},
    emit::{Emitter, Scope},
    lex::Fault,
    parse::{FileText, Names, parse_file},
    syntax::{Declaration, Expression, ExpressionKind, FunctionText, Initial, Statement},
};
use crate::model::ErrorCode;
use std::sync::Arc;

/// Functions as values of the program: their code is not placed yet when their addresses are taken.
const FUNCTIONS: u64 = 0x40_0000;

/// Makes a program of a text.
pub(super) fn link(path: &str, file: &str, text: &str) -> Result<Program, Fault> {
    let parsed = parse_file(text)?;
    let mut linker = Linker::new(&parsed);
    for global in &parsed.globals {
        linker.global(global)?;
    }
    for function in &parsed.functions {
        linker.function(function)?;
    }
    let main = linker.functions.iter().position(|f| &*f.name == "main");
    let main = main.ok_or_else(|| plain_fault(1, "the program has no function main"))?;
    Ok(Program {
        path: path.into(),
        file: file.into(),
        text: text.into(),
        names: parsed.names.clone(),
        ops: linker.ops,
        lines: linker.lines,
        starts: linker.starts,
        functions: linker.functions,
        globals: linker.globals,
        data: linker.memory.data,
        constants: linker.memory.constants,
        main: main as u16,
    })
}

fn plain_fault(line: u32, message: impl Into<String>) -> Fault {
    Fault { code: ErrorCode::DEBUGGER, message: message.into(), line, position: 0 }
}

#[derive(Default)]
struct Memory {
    data: Vec<u8>,
    constants: Vec<u8>,
}

impl Memory {
    fn text(&mut self, text: &[u8]) -> u64 {
        let at = CONSTANTS + self.constants.len() as u64;
        self.constants.extend(text);
        self.constants.push(0);
        at
    }

    fn reserve(&mut self, ty: &CType) -> u64 {
        let at = self.data.len().next_multiple_of(ty.align() as usize);
        self.data.resize(at + ty.size() as usize, 0);
        GLOBALS + at as u64
    }
}

struct Linker<'a> {
    parsed: &'a FileText,
    memory: Memory,
    globals: Vec<(Arc<str>, CType, u64)>,
    functions: Vec<Function>,
    ops: Vec<Op>,
    lines: Vec<u32>,
    starts: Vec<bool>,
}

/// Names inside a function: its open blocks, then the file.
struct Inside<'a> {
    open: Vec<usize>,
    locals: Vec<Local>,
    globals: &'a [(Arc<str>, CType, u64)],
    functions: &'a [FunctionText],
    memory: &'a mut Memory,
}

impl Scope for Inside<'_> {
    fn variable(&self, name: &str) -> Option<(Place, CType)> {
        let local = self.open.iter().rev().filter_map(|at| self.locals.get(*at)).find(|l| &*l.name == name);
        if let Some(local) = local {
            return Some((local.place, local.ty.clone()));
        }
        let (_, ty, address) = self.globals.iter().find(|(global, ..)| &**global == name)?;
        Some((Place::Fixed(*address), ty.clone()))
    }

    fn function(&self, name: &str) -> Option<(u16, Vec<CType>, CType, u64)> {
        let at = self.functions.iter().position(|f| &*f.name == name)?;
        let f = self.functions.get(at)?;
        let parameters = f.parameters.iter().map(|(_, ty)| ty.clone()).collect();
        // The code is not placed yet; the index stands for it, and the machine calls by either.
        Some((at as u16, parameters, f.returns.clone(), FUNCTIONS + at as u64))
    }

    fn text(&mut self, text: &[u8]) -> Option<u64> {
        Some(self.memory.text(text))
    }
}

impl<'a> Linker<'a> {
    fn new(parsed: &'a FileText) -> Self {
        Self {
            parsed,
            memory: Memory::default(),
            globals: Vec::new(),
            functions: Vec::new(),
            ops: Vec::new(),
            lines: Vec::new(),
            starts: Vec::new(),
        }
    }

    fn global(&mut self, global: &Declaration) -> Result<(), Fault> {
        let ty = complete(&global.ty, &self.parsed.names);
        let address = self.memory.reserve(&ty);
        self.globals.push((global.name.clone(), ty.clone(), address));
        global.initial.as_ref().map_or(Ok(()), |initial| self.memory.fill(&ty, address, initial))
    }

    fn function(&mut self, text: &FunctionText) -> Result<(), Fault> {
        let inside = Inside {
            open: Vec::new(),
            locals: Vec::new(),
            globals: &self.globals,
            functions: &self.parsed.functions,
            memory: &mut self.memory,
        };
        let mut body = Body { inside, names: &self.parsed.names, starts: Vec::new(), frame: 0, loops: Vec::new() };
        let base = self.ops.len() as u32;
        let (ops, lines) = body.function(text)?;
        let Body { mut inside, mut starts, frame, .. } = body;
        starts.resize(ops.len(), false);
        let (inner, end) = (inside.locals.as_mut_slice(), base + ops.len() as u32);
        for local in inner {
            local.block = (local.block.0 + base, if local.block.1 == u32::MAX { end } else { local.block.1 + base });
        }
        self.functions.push(Function {
            name: text.name.clone(),
            returns: text.returns.clone(),
            entry: base,
            body: base + 1,
            end,
            locals: inside.locals,
            frame_size: frame.next_multiple_of(16),
        });
        self.ops.extend(ops.into_iter().map(|op| match op {
            Op::Jump(to) => Op::Jump(to + base),
            Op::JumpIfZero(to) => Op::JumpIfZero(to + base),
            other => other,
        }));
        self.lines.extend(lines);
        self.starts.extend(starts);
        Ok(())
    }
}

/// A type whose structure was declared after it was first named.
fn complete(ty: &CType, names: &Names) -> CType {
    match ty {
        CType::Tag(tag) => names.structures.get(tag).map_or_else(|| ty.clone(), |s| CType::Structure(s.clone())),
        other => other.clone(),
    }
}

impl Memory {
    /// Puts the first value of a variable of the file in its place.
    fn fill(&mut self, ty: &CType, address: u64, initial: &Initial) -> Result<(), Fault> {
        match (ty.plain(), initial) {
            (CType::Array(of, count), Initial::List(values, line)) => {
                if values.len() > *count as usize {
                    return Err(plain_fault(*line, "more values than the array has elements"));
                }
                let places = (0..).map(|i| address + u64::from(of.size()) * i);
                places.zip(values).try_for_each(|(at, value)| self.fill(of, at, value))
            }
            (CType::Structure(s), Initial::List(values, _)) => {
                let places = s.fields.iter().map(|f| (&f.ty, address + u64::from(f.offset)));
                places.zip(values).try_for_each(|((ty, at), value)| self.fill(ty, at, value))
            }
            (CType::Array(of, _), Initial::Value(Expression { kind: ExpressionKind::Text(text), .. }))
                if of.size() == 1 =>
            {
                self.put(address, text);
                Ok(())
            }
            (_, Initial::Value(e)) => {
                let bits = self.constant(e)?;
                match (ty.scalar(), &e.kind) {
                    (Some(Scalar::Float(size)), kind) => {
                        let float = matches!(kind, ExpressionKind::Float(_)) || negated_float(kind);
                        let value = if float { f64::from_bits(bits) } else { bits as i64 as f64 };
                        let bytes = if size == 4 {
                            (value as f32).to_le_bytes().to_vec()
                        } else {
                            value.to_le_bytes().to_vec()
                        };
                        self.put(address, &bytes);
                    }
                    (Some(_), _) => self.put(address, &bits.to_le_bytes()[..ty.size().min(8) as usize]),
                    (None, _) => return Err(plain_fault(e.line, "a list in braces is wanted")),
                }
                Ok(())
            }
            (_, Initial::List(_, line)) => Err(plain_fault(*line, "a list in braces is for arrays and structures")),
        }
    }

    fn put(&mut self, address: u64, bytes: &[u8]) {
        let at = (address - GLOBALS) as usize;
        if let Some(place) = self.data.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }

    fn constant(&mut self, e: &Expression) -> Result<u64, Fault> {
        match &e.kind {
            ExpressionKind::Integer(value, _) => Ok(*value as u64),
            ExpressionKind::Float(value) => Ok(value.to_bits()),
            ExpressionKind::Text(text) => Ok(self.text(text)),
            ExpressionKind::Unary("-", inner) if matches!(inner.kind, ExpressionKind::Float(_)) => {
                Ok((-f64::from_bits(self.constant(inner)?)).to_bits())
            }
            ExpressionKind::Unary("-", inner) => Ok((self.constant(inner)? as i64).wrapping_neg() as u64),
            _ => Err(plain_fault(e.line, "a variable of the file begins with a constant")),
        }
    }
}

fn negated_float(kind: &ExpressionKind) -> bool {
    matches!(kind, ExpressionKind::Unary("-", inner) if matches!(inner.kind, ExpressionKind::Float(_)))
}

/// A function on its way to instructions.
struct Body<'a> {
    inside: Inside<'a>,
    names: &'a Names,
    starts: Vec<bool>,
    frame: u32,
    /// Jumps to be pointed at the end and at the next round of each open loop.
    loops: Vec<(Vec<u32>, Vec<u32>)>,
}

struct Written {
    ops: Vec<Op>,
    lines: Vec<u32>,
    line: u32,
}

impl Body<'_> {
    fn function(&mut self, text: &FunctionText) -> Result<(Vec<Op>, Vec<u32>), Fault> {
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
        // `return` jumps here with its value in place, falling off the end arrives with a zero.
        self.start(&mut out, text.lines.1);
        self.emit(&mut out, Op::Return(text.returns != CType::Void));
        Ok((out.ops, out.lines))
    }

    /// The next instruction begins a statement on this line.
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
                let open = self.loops.last_mut().ok_or_else(|| plain_fault(*line, "there is no loop here"))?;
                if matches!(statement, Statement::Break(_)) { open.0.push(at) } else { open.1.push(at) }
            }
        }
        Ok(())
    }

    /// The jump back, and the targets of the loop's own jumps.
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

/// The address by which a function is known to the program that takes it.
pub(super) fn function_address(program: &Program, value: u64) -> Option<u16> {
    if let Some(index) = value.checked_sub(FUNCTIONS).filter(|index| *index < program.functions.len() as u64) {
        return Some(index as u16);
    }
    program.functions.iter().position(|f| address_of(f.entry) == value).map(|index| index as u16)
}

#[cfg(test)]
mod tests {
    use super::{super::code::Arithmetic, *};

    #[test]
    fn lines_of_statements_are_kept() {
        let text = "int f(int x)\n{\n    return x + 1;\n}\nint main(void)\n{\n    int s = 0;\n    for (int i = 0; i < 3; i++)\n        s += f(i);\n    return s;\n}\n";
        let program = link("fake:t", "t.c", text).unwrap();
        let starts: Vec<_> = (0..program.ops.len()).filter(|i| program.starts[*i]).map(|i| program.lines[i]).collect();
        assert_eq!(starts, [1, 3, 4, 5, 7, 8, 9, 8, 10, 11]);
        assert_eq!(program.ops_of_line(6), program.ops_of_line(7));
        assert_eq!(program.ops_of_line(1), program.ops_of_line(3));
        assert!(program.ops.iter().any(|op| matches!(op, Op::Binary(Arithmetic::Less, Scalar::Signed(4)))));
    }

    #[test]
    fn faults_name_their_line() {
        assert_eq!(link("p", "p.c", "int main(void)\n{\n    return y;\n}\n").unwrap_err().line, 3);
        assert_eq!(link("p", "p.c", "int main(void)\n{\n").unwrap_err().message, "\"}\" is missing");
        assert!(link("p", "p.c", "int f(void) { return 1; }").unwrap_err().message.contains("main"));
        for text in
            ["int", "int main(", "struct", "int a[", "\"", "int main(void){f(1;}", "((((", "int a = {", "#", "/*"]
        {
            assert!(link("p", "p.c", text).is_err(), "{text}");
        }
    }
}
