//! The cause of a fatal signal: gdb shows the stopped thread, and the search is that of all engines.

use super::memory::Memory;
use crate::causes::explain::{cause, with_name};
use crate::causes::failed_thread::FailedThread;
use crate::causes::fatal_signal::FatalSignal;
use crate::causes::memory_map::MemoryMap;
use crate::gdb::inferior::state::InferiorState;
use crate::gdb::mi::{Command, Results};
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use crate::gdb::session::link::Answered;
use debuginfo::types::{MemoryFault, Symbols as _};
use debuginfo::{FS_BASE, ReadMemory, Registers};
use expr::Machine as _;
use model::{Cause, Frame, ThreadId, VirtualAddress};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::PathBuf;

/// The maximum number of questions to gdb about one stop.
const QUESTIONS: u32 = 600;
/// The maximum number of inlined functions searched for the one that has the innermost frame.
const INLINED: u32 = 8;
const PAGE: u64 = 4096;
/// The DWARF numbers of the registers that gdb numbers from 0 (gdb, `amd64-tdep.h`): rax, rbx, rcx, rdx and so on, then
/// rip.
const REGISTERS: [u16; 17] = [0, 3, 2, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

/// Returns the cause of the signal of this number that the current thread has stopped for; `None` if nothing certain is
/// known.
pub(in crate::gdb) fn cause_of_signal(
    gdb: &mut Gdb,
    inferior: &mut InferiorState,
    number: i32,
) -> Result<Option<Cause>, GdbError> {
    let Some(pid) = inferior.pid() else { return Ok(None) };
    let (thread, map) = (GdbThread::new(gdb, inferior), MemoryMap::of(pid));
    let signal = thread.signal(number);
    let found = cause(&signal, &thread, &map);
    let named = found.as_ref().and_then(|found| with_name(found, &signal, &thread, &map));
    thread.memory.into_gone().map_or(Ok(named.or(found)), Err)
}

/// The current thread, as gdb shows it.
struct GdbThread<'a> {
    thread: ThreadId,
    inferior: RefCell<&'a mut InferiorState>,
    memory: Memory<'a>,
    /// The pages that were read before, or could not be.
    pages: RefCell<HashMap<u64, Option<Vec<u8>>>>,
    registers: Registers,
    /// The number of questions left.
    questions: Cell<u32>,
}

impl<'a> GdbThread<'a> {
    fn new(gdb: &'a mut Gdb, inferior: &'a mut InferiorState) -> Self {
        let mut thread = Self {
            thread: inferior.current(),
            inferior: RefCell::new(inferior),
            memory: Memory::new(gdb, HashMap::new()),
            pages: RefCell::default(),
            registers: Registers::new(),
            questions: Cell::new(QUESTIONS),
        };
        thread.read_registers();
        thread
    }

    fn read_registers(&mut self) {
        let command = self.in_frame("data-list-register-values", 0).word("--skip-unavailable").word("x");
        let command = (0..REGISTERS.len()).fold(command, Command::word);
        let answered = self.ask(&command);
        let told = answered.iter().filter_map(|answered| answered.results.inside("register-values"));
        for register in told.flat_map(Results::parts) {
            let place = register.number("number").and_then(|number| REGISTERS.get(number as usize));
            if let (Some(number), Some(value)) = (place, register.number("value")) {
                self.registers.set(*number, value);
            }
        }
        if let Some(base) = self.number(0, "(unsigned long) $fs_base") {
            self.registers.set(FS_BASE, base as u64);
        }
    }

    /// Returns the signal with what the kernel says about it.
    fn signal(&self, number: i32) -> FatalSignal {
        let code = self.number(0, "$_siginfo.si_code").map(|code| code as i32);
        let address = self.number(0, "(unsigned long) $_siginfo._sifields._sigfault.si_addr");
        FatalSignal::new(number, code, address.map(|address| address as u64))
    }

    /// Starts a command about a frame.
    fn in_frame(&self, name: &str, level: u32) -> Command {
        Command::new(name).word("--thread").word(self.thread).word("--frame").word(level)
    }

    /// Asks gdb; `None` if it refuses, or if too much was asked before.
    fn ask(&self, command: &Command) -> Option<Answered> {
        self.questions.set(self.questions.get().checked_sub(1)?);
        self.memory.ask(command)
    }

    /// Evaluates an expression in C, whatever the language of the frame is.
    fn number(&self, level: u32, expression: &str) -> Option<i128> {
        let command = self.in_frame("data-evaluate-expression", level).word("--language").word("c").word(expression);
        self.ask(&command)?.results.text("value")?.parse().ok()
    }
}

impl ReadMemory for GdbThread<'_> {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        let (mut at, mut rest) = (address.0, into);
        while !rest.is_empty() {
            let (page, offset) = (at - at % PAGE, (at % PAGE) as usize);
            let mut pages = self.pages.borrow_mut();
            let content = pages.entry(page).or_insert_with(|| {
                self.questions.set(self.questions.get().checked_sub(1)?);
                let mut content = vec![0; PAGE as usize];
                self.memory.read(VirtualAddress(page), &mut content).ok().map(|()| content)
            });
            let fault = MemoryFault(VirtualAddress(at));
            let content = content.as_deref().and_then(|content| content.get(offset..)).ok_or(fault)?;
            let length = content.len().min(rest.len());
            let (now, later) = rest.split_at_mut(length);
            now.iter_mut().zip(content).for_each(|(to, from)| *to = *from);
            (at, rest) = (at.wrapping_add(length as u64), later);
        }
        Ok(())
    }
}

impl FailedThread for GdbThread<'_> {
    fn memory(&self) -> &dyn ReadMemory {
        self
    }

    fn registers(&self) -> Registers {
        self.registers
    }

    fn frames(&self, most: u32) -> Vec<Frame> {
        let Some(last) = most.checked_sub(1) else { return Vec::new() };
        let mut inferior = self.inferior.borrow_mut();
        self.memory.with(|gdb| inferior.frames(gdb, None, 0, last)).unwrap_or_default()
    }

    /// gdb does not know functions of which only inlined instances are left, but most are written above their callers.
    fn executes_own_line(&self) -> bool {
        let declared = "python print(gdb.selected_frame().function().line)";
        let answer = self.ask(&self.in_frame("interpreter-exec", 0).word("console").word(declared));
        let declared: Option<u32> = answer.and_then(|answer| answer.words.trim().parse().ok());
        let line = self.frames(1).first().and_then(|frame| Some(frame.source.as_ref()?.line));
        // A gdb without Python does not say.
        declared.zip(line).is_none_or(|(declared, line)| declared <= line)
    }

    fn frame_address(&self) -> Option<u64> {
        let own = self.registers.sp()?.0;
        let mut callers = (1..=INLINED).map(|level| self.number(level, "(unsigned long) $sp"));
        // An inlined function has the frame of the function that contains it.
        callers.find(|sp| sp.is_none_or(|sp| sp as u64 != own))?.map(|sp| sp as u64)
    }

    fn value(&self, expression: &str) -> Option<u64> {
        let line = format!("with may-call-functions off -- output/x (unsigned long) ({expression})");
        let words = self.ask(&self.in_frame("interpreter-exec", 0).word("console").word(line))?.words;
        u64::from_str_radix(words.trim().strip_prefix("0x")?, 16).ok()
    }

    fn symbol(&self, _: &[&str], name: &str) -> Option<VirtualAddress> {
        let address = self.number(0, &format!("(unsigned long) &{name}"))?;
        Some(VirtualAddress(address as u64))
    }

    fn source_path(&self, file: &str) -> PathBuf {
        file.into()
    }

    fn function_at(&self, address: VirtualAddress) -> Option<String> {
        let (name, within) = self.memory.symbol_at(address)?;
        (within == 0).then(|| name.to_string())
    }
}
