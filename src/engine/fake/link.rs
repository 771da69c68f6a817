//! Compiles the text of a program.

use super::body::Body;
use super::code::{Function, Op, Program, address_of};
use super::ctype::CType;
use super::data::{Memory, plain_fault};
use super::parse::lex::Fault;
use super::parse::syntax::{Declaration, FunctionText};
use super::parse::{FileText, parse_file};
use super::scope::{FUNCTIONS, Inside, complete};
use std::sync::Arc;

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
        data: linker.memory.data.into(),
        constants: linker.memory.constants,
        main: main as u16,
    })
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
        let mut body = Body::new(inside, &self.parsed.names);
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

/// Returns the index of the function that a value in the program points to.
pub(super) fn function_address(program: &Program, value: u64) -> Option<u16> {
    if let Some(index) = value.checked_sub(FUNCTIONS).filter(|index| *index < program.functions.len() as u64) {
        return Some(index as u16);
    }
    program.functions.iter().position(|f| address_of(f.entry) == value).map(|index| index as u16)
}

#[cfg(test)]
mod tests {
    use super::{
        super::{code::Arithmetic, ctype::Scalar},
        *,
    };

    #[test]
    fn lines_of_statements_are_kept() {
        let text = "int f(int x)\n{\n    return x + 1;\n}\nint main(void)\n{\n    int s = 0;\n    for (int i = 0; i < 3; i++)\n        s += f(i);\n    return s;\n}\n";
        let program = link("fake:t", "t.c", text).unwrap();
        let starts: Vec<_> = (0..program.ops.len()).filter(|i| program.starts[*i]).map(|i| program.lines[i]).collect();
        assert_eq!(starts, [2, 3, 4, 6, 7, 8, 9, 8, 10, 11]);
        assert_eq!(program.ops_of_line(6), program.ops_of_line(7));
        assert_eq!(program.ops_of_line(1), program.ops_of_line(3));
        assert!(program.ops.iter().any(|op| matches!(op, Op::Binary(Arithmetic::Less, Scalar::Signed(4)))));
    }

    #[test]
    fn faults_name_their_line() {
        assert_eq!(link("p", "p.c", "int main(void)\n{\n    return y;\n}\n").unwrap_err().line, 3);
        assert_eq!(link("p", "p.c", "int main(void)\n{\n").unwrap_err().message, "expected \"}\"");
        assert!(link("p", "p.c", "int f(void) { return 1; }").unwrap_err().message.contains("main"));
        for text in
            ["int", "int main(", "struct", "int a[", "\"", "int main(void){f(1;}", "((((", "int a = {", "#", "/*"]
        {
            assert!(link("p", "p.c", text).is_err(), "{text}");
        }
    }
}
