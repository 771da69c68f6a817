//! Disassembly by gdb.

use super::memory::symbol_of;
use super::queries::{Inspector, declined};
use crate::gdb::inferior::places::without_dots;
use crate::gdb::mi::Command;
use crate::gdb::session::fault::{GdbError, failure};
use model::aif::from_hex;
use model::{
    Answer, CodeEnd, Context, DisassemblyFlavor, ErrorCode, Failure, Instruction, LocationSpec, SourcePlace, ThreadId,
    VirtualAddress,
};
use serde::Deserialize;

/// Maximum number of instructions per answer.
pub(super) const MOST: u32 = 20_000;

/// An instruction in the script's output.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct InstructionTold {
    address: u64,
    text: String,
    current: bool,
    /// Its bytes, in hexadecimal digits.
    #[serde(default)]
    bytes: String,
    /// In the form `0x401136 <main+4>`.
    symbol: String,
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    line: u32,
}

impl Inspector<'_> {
    /// Disassembles `count` instructions from a location (by default the frame's address), or its whole function.
    pub(super) fn disassemble(
        &mut self,
        context: Context,
        at: Option<&LocationSpec>,
        count: Option<u32>,
    ) -> Result<Answer, GdbError> {
        if !self.gdb.has_python() {
            return Ok(declined());
        }
        let thread = self.inferior.checked_thread(self.gdb, context.thread)?;
        let start = match at {
            None => None,
            Some(LocationSpec::Address(expression)) => Some(self.address(context, expression, 0)?),
            Some(location) => {
                let sites = self.sites_at(location, context)?;
                let Some(address) = sites.first().and_then(|site| site.address) else {
                    let message = format!("No code at {location}.");
                    return Ok(Answer::Failed(Failure::new(ErrorCode::NO_FUNCTION, message)));
                };
                Some(address)
            }
        };
        let start = start.map(|address| address.0);
        let answer = self.instructions(thread, context.frame, start, (count, None))?;
        if let (Some(_), Answer::Instructions(all)) = (count, &answer)
            && let Some(last) = all.last().and_then(|last| last.code.address)
        {
            self.examine_one("i", last)?;
        }
        Ok(answer)
    }

    /// Disassembles a range of addresses.
    pub(super) fn disassemble_range(
        &mut self,
        context: Context,
        start: &str,
        end: &CodeEnd,
    ) -> Result<Answer, GdbError> {
        if !self.gdb.has_python() {
            return Ok(declined());
        }
        let thread = self.inferior.checked_thread(self.gdb, context.thread)?;
        let first = self.address(context, start, 0)?.0;
        let end = match end {
            CodeEnd::Before(text) => self.address(context, text, 0)?.0,
            CodeEnd::Length(text) => first.saturating_add(self.number(context, text)?),
        };
        if end <= first {
            return Ok(Answer::Instructions(Vec::new()));
        }
        self.instructions(thread, context.frame, Some(first), (Some(MOST), Some(end)))
    }

    /// Evaluates an expression to a number.
    fn number(&mut self, context: Context, text: &str) -> Result<u64, GdbError> {
        self.inferior.select(self.gdb, context)?;
        let words = self.gdb.ask(&Command::console(&format!("output/x {text}")))?.words;
        let number = words.trim().strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        number.ok_or_else(|| GdbError::Refused(format!("{text} is no number of bytes: {}", words.trim())))
    }

    /// Has gdb disassemble from an address (by default the frame's): this many instructions, up to an end, or the whole
    /// function.
    fn instructions(
        &mut self,
        thread: ThreadId,
        level: u32,
        start: Option<u64>,
        (count, end): (Option<u32>, Option<u64>),
    ) -> Result<Answer, GdbError> {
        let word = |number: Option<u64>| number.map_or_else(|| "None".to_owned(), |number| number.to_string());
        let count = word(count.map(|count| u64::from(count.min(MOST))));
        let call = format!("instructions({thread}, {level}, {}, {count}, {})", word(start), word(end));
        match self.gdb.script::<Vec<InstructionTold>>(&call)? {
            Ok(told) => {
                let all = told.into_iter().take(MOST as usize).map(|told| self.instruction(told)).collect();
                Ok(Answer::Instructions(all))
            }
            Err(why) => Ok(Answer::Failed(failure(&why))),
        }
    }

    /// Sets the syntax of instructions in gdb.
    pub(super) fn set_flavor(&mut self, flavor: DisassemblyFlavor) -> Result<(), GdbError> {
        let command = format!("set disassembly-flavor {}", flavor.word());
        match self.gdb.ask(&Command::console(&command)) {
            // A gdb for other processors has no such setting.
            Ok(_) | Err(GdbError::Refused(_)) => Ok(()),
            Err(gone) => Err(gone),
        }
    }

    /// Disassembles the instructions before an address; gdb finds where the first of them begins.
    pub(super) fn disassemble_before(
        &mut self,
        context: Context,
        address: &str,
        count: u32,
        through: bool,
    ) -> Result<Answer, GdbError> {
        let at = self.address(context, address, 0)?;
        let before = count.min(MOST).saturating_sub(u32::from(through));
        let words = match before {
            0 => String::new(),
            before => self.gdb.ask(&Command::console(&format!("x/-{before}i {at}")))?.words,
        };
        let told = words.lines().map(|line| line.trim_start_matches("=>").trim_start());
        let known: Vec<&str> = told.filter(|line| line.starts_with("0x")).collect();
        let first = known.first().and_then(|line| line.split([' ', ':']).next());
        let Some(first) = first.or(through.then_some(address)) else {
            let why = words.lines().next().unwrap_or("No line number information is available there");
            return Ok(Answer::Failed(Failure::new(ErrorCode::NO_LINE, why)));
        };
        let first = LocationSpec::Address(first.to_owned());
        self.disassemble(context, Some(&first), Some(known.len() as u32 + u32::from(through)))
    }

    /// Names the symbol at each address.
    pub(super) fn symbols(&mut self, addresses: &[VirtualAddress]) -> Result<Answer, GdbError> {
        let mut names = Vec::with_capacity(addresses.len());
        for address in addresses {
            let words = self.gdb.ask(&Command::console(&format!("output/a {address}")))?.words;
            let name = words.trim_end().split_once(" <").and_then(|(_, name)| name.strip_suffix('>'));
            names.push(name.map(str::to_owned));
        }
        Ok(Answer::Names(names))
    }

    pub(super) fn instruction(&mut self, told: InstructionTold) -> Instruction {
        let code = self.inferior.modules().code_place(told.address);
        let source = told.file.map(|file| SourcePlace { file: without_dots(&file).into(), line: told.line });
        let (function, bytes) = (symbol_of(&told.symbol), from_hex(&told.bytes).unwrap_or_default());
        Instruction { code, function, source, bytes, text: told.text, current: told.current }
    }
}
