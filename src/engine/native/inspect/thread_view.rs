//! A stopped thread of a rank, as the evaluation of symbols and expressions uses it.

use super::StoppedThread;
use super::place_sites;
use super::wide_registers::{set_wide_register, wide_register};
use crate::native::calls::called_frame::{CalledFrame, LeftCalls};
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{Fetched, Process, Tid, float_registers, set_float_registers, signal_bytes};
use crate::source_file::SourcePlaces;
use debuginfo::types::MemoryFault;
use debuginfo::{self, ReadMemory, RegisterClass, Stack, ThreadAccess, YMM, register_numbered};
use expr::budget::Budget;
use expr::value_history::ValueHistory;
use expr::{EvalError, Expression, ParseCache, PrinterTable, RankPrinters, StoppedAccess};
use model::{Context, ErrorCode, Failure, LocationSpec, Stop, StopReason, VirtualAddress};
use nix::libc::{user_fpregs_struct, user_regs_struct};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

/// Memory and registers of one thread of a process.
struct Access<'a> {
    process: RefCell<&'a mut Process>,
    tid: Tid,
    /// Memory that has been fetched for this inspection already.
    ahead: Option<&'a Fetched<'a>>,
    /// Made on first use: the evaluation of conditions is hot.
    budget: OnceCell<Budget>,
    value_history: &'a ValueHistory,
    expressions: &'a ParseCache,
    printers: RankPrinters<'a>,
    left_calls: &'a LeftCalls,
}

impl ReadMemory for Access<'_> {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        let process = self.process.borrow();
        let Some(ahead) = self.ahead else { return process.address_space().read(address.0, into) };
        ahead.read(address.0, into)?;
        process.address_space().hide(address.0, into);
        Ok(())
    }

    fn called_from(&self, back: VirtualAddress, stack_pointer: VirtualAddress) -> Option<debuginfo::Registers> {
        called_from(&self.left_calls.of(self.tid), back, stack_pointer)
    }
}

impl ThreadAccess for Access<'_> {
    fn write(&self, address: VirtualAddress, data: &[u8]) -> Result<(), MemoryFault> {
        self.process.borrow_mut().address_space_mut().write(address.0, data)
    }

    fn signal_information(&self) -> Option<Vec<u8>> {
        signal_bytes(self.tid).ok()
    }

    fn thread_number(&self) -> Option<u32> {
        self.process.borrow().thread(self.tid).map(|thread| thread.number.0)
    }

    fn register(&self, number: u16) -> Option<Vec<u8>> {
        if number >= YMM {
            return wide_register(self.tid, number - YMM);
        }
        register_bytes(number, || self.process.borrow_mut().registers(self.tid).ok(), || float_registers(self.tid).ok())
    }

    fn set_register(&self, number: u16, data: &[u8]) -> bool {
        let Some(row) = register_numbered(number) else { return false };
        if data.len() > usize::from(row.size) {
            return false;
        }
        if number >= YMM {
            return set_wide_register(self.tid, number - YMM, data);
        }
        if matches!(row.class, RegisterClass::X87 | RegisterClass::Vector | RegisterClass::Control) {
            let Ok(mut registers) = float_registers(self.tid) else { return false };
            return set_float_bytes(&mut registers, number, data) && set_float_registers(self.tid, registers).is_ok();
        }
        let mut process = self.process.borrow_mut();
        let Ok(mut registers) = process.registers(self.tid) else { return false };
        let Some(place) = general(&mut registers, number) else { return false };
        let mut bytes = place.to_le_bytes();
        for (byte, new) in bytes.iter_mut().zip(data) {
            *byte = *new;
        }
        *place = u64::from_le_bytes(bytes);
        process.set_registers(self.tid, registers).is_ok()
    }
}

impl StoppedAccess for Access<'_> {
    fn value_history(&self) -> Option<&ValueHistory> {
        Some(self.value_history)
    }

    fn budget(&self) -> Option<&Budget> {
        Some(self.budget.get_or_init(Budget::brief))
    }

    fn printers(&self) -> Option<&PrinterTable> {
        self.printers.table()
    }

    fn parse(&self, text: &str) -> Result<Arc<Expression>, EvalError> {
        self.expressions.parse(text)
    }
}

/// Returns the bytes of a register by DWARF number.
pub(in crate::native) fn register_bytes(
    number: u16,
    registers: impl FnOnce() -> Option<user_regs_struct>,
    floats: impl FnOnce() -> Option<user_fpregs_struct>,
) -> Option<Vec<u8>> {
    let row = register_numbered(number)?;
    if matches!(row.class, RegisterClass::X87 | RegisterClass::Vector | RegisterClass::Control) {
        return float_bytes(&floats()?, number);
    }
    general_bytes(number, registers()?)
}

/// Returns the bytes of a general register by DWARF number.
pub(crate) fn general_bytes(number: u16, mut registers: user_regs_struct) -> Option<Vec<u8>> {
    let size = register_numbered(number)?.size;
    Some(general(&mut registers, number)?.to_le_bytes().get(..usize::from(size))?.to_vec())
}

/// Returns a general register by DWARF number (System V ABI, AMD64 supplement, figure 3.36).
fn general(registers: &mut user_regs_struct, number: u16) -> Option<&mut u64> {
    Some(match number {
        0 => &mut registers.rax,
        1 => &mut registers.rdx,
        2 => &mut registers.rcx,
        3 => &mut registers.rbx,
        4 => &mut registers.rsi,
        5 => &mut registers.rdi,
        6 => &mut registers.rbp,
        7 => &mut registers.rsp,
        8 => &mut registers.r8,
        9 => &mut registers.r9,
        10 => &mut registers.r10,
        11 => &mut registers.r11,
        12 => &mut registers.r12,
        13 => &mut registers.r13,
        14 => &mut registers.r14,
        15 => &mut registers.r15,
        16 => &mut registers.rip,
        49 => &mut registers.eflags,
        50 => &mut registers.es,
        51 => &mut registers.cs,
        52 => &mut registers.ss,
        53 => &mut registers.ds,
        54 => &mut registers.fs,
        55 => &mut registers.gs,
        58 => &mut registers.fs_base,
        59 => &mut registers.gs_base,
        _ => return None,
    })
}

const XMM: u16 = 17;
const ST: u16 = 33;
const MXCSR: u16 = 64;
const CONTROL_WORD: u16 = 65;
const STATUS_WORD: u16 = 66;

fn float_bytes(registers: &user_fpregs_struct, number: u16) -> Option<Vec<u8>> {
    let words = |words: &[u32], index: u16| -> Option<Vec<u8>> {
        let index = usize::from(index) * 4;
        Some(words.get(index..index + 4)?.iter().flat_map(|word| word.to_le_bytes()).collect())
    };
    match number {
        XMM..ST => words(&registers.xmm_space, number - XMM),
        ST..=40 => words(&registers.st_space, number - ST).map(|mut bytes| {
            bytes.truncate(10);
            bytes
        }),
        MXCSR => Some(registers.mxcsr.to_le_bytes().to_vec()),
        CONTROL_WORD => Some(registers.cwd.to_le_bytes().to_vec()),
        STATUS_WORD => Some(registers.swd.to_le_bytes().to_vec()),
        _ => None,
    }
}

fn set_float_bytes(registers: &mut user_fpregs_struct, number: u16, data: &[u8]) -> bool {
    let Some(mut bytes) = float_bytes(registers, number) else { return false };
    for (byte, new) in bytes.iter_mut().zip(data) {
        *byte = *new;
    }
    let half = |bytes: &[u8]| bytes.try_into().map_or(0, u16::from_le_bytes);
    match number {
        MXCSR => registers.mxcsr = bytes.as_slice().try_into().map_or(registers.mxcsr, u32::from_le_bytes),
        CONTROL_WORD => registers.cwd = half(&bytes),
        STATUS_WORD => registers.swd = half(&bytes),
        _ => {
            let (space, index) = match number {
                XMM..ST => (&mut registers.xmm_space[..], number - XMM),
                _ => (&mut registers.st_space[..], number - ST),
            };
            bytes.resize(16, 0);
            let words = bytes.chunks_exact(4).map(|word| word.try_into().map_or(0, u32::from_le_bytes));
            for (place, word) in space.iter_mut().skip(usize::from(index) * 4).zip(words) {
                *place = word;
            }
        }
    }
    true
}

/// Returns the saved registers that one of these called functions returns to.
pub(in crate::native) fn called_from(
    called: &[CalledFrame],
    back: VirtualAddress,
    stack_pointer: VirtualAddress,
) -> Option<debuginfo::Registers> {
    let mine = |frame: &&CalledFrame| frame.back == back.0 && frame.stack_pointer == stack_pointer.0;
    called.iter().find(mine).map(|frame| frame_registers(frame.saved.registers))
}

/// Returns the registers of the innermost frame by DWARF number.
pub(crate) fn frame_registers(mut registers: user_regs_struct) -> debuginfo::Registers {
    let mut frame = debuginfo::Registers::new();
    for number in (0..=16).chain(49..=55).chain(58..=59) {
        if let Some(value) = general(&mut registers, number) {
            frame.set(number, *value);
        }
    }
    frame
}

impl Inferior {
    /// Inspects a thread. A running thread has memory but no registers.
    pub(in crate::native) fn look<T>(&mut self, tid: Tid, look: impl FnOnce(&StoppedThread<'_>) -> T) -> T {
        self.look_by(tid, None, look)
    }

    /// Inspects a thread through prefetched memory, during which nothing may change.
    pub(in crate::native) fn look_by<T>(
        &mut self,
        tid: Tid,
        ahead: Option<&Fetched<'_>>,
        look: impl FnOnce(&StoppedThread<'_>) -> T,
    ) -> T {
        let registers = self.process.registers(tid).map(frame_registers).unwrap_or_default();
        let outside = self.outside_at(tid, registers.pc().map_or(0, |pc| pc.0));
        self.value_history.limit(self.spec.settings.print);
        let sources = SourcePlaces::of(&self.spec);
        let access = Access {
            process: RefCell::new(&mut self.process),
            tid,
            ahead,
            budget: OnceCell::new(),
            value_history: &self.value_history,
            expressions: &self.expressions,
            printers: RankPrinters::new(&self.spec.settings.printers, &self.expressions),
            left_calls: &self.left_calls,
        };
        look(&StoppedThread { images: &self.program.images, registers, outside, access: &access, sources: &sources })
    }

    /// Returns the number of inlined functions beginning at a thread's program counter that it has not entered.
    pub(in crate::native) fn outside_at(&self, tid: Tid, pc: u64) -> u32 {
        self.outside.filter(|outside| outside.tid == tid && outside.pc == pc).map_or(0, |outside| outside.count)
    }

    pub(in crate::native) fn pc(&mut self, tid: Tid) -> Result<u64, Failure> {
        let gone = |errno: nix::errno::Errno| {
            Failure::new(ErrorCode::DEBUGGER, format!("Cannot read registers: {}", errno.desc()))
        };
        self.process.registers(tid).map(|registers| registers.rip).map_err(gone)
    }

    /// Returns frames of a stopped thread; fails with NO_STACK if there are none.
    pub(in crate::native) fn stack(&mut self, tid: Tid, low: u32, high: Option<u32>) -> Result<Stack, Failure> {
        let stack = self.look(tid, |thread| thread.stack(low, high));
        if stack.frames.is_empty() { Err(Failure::new(ErrorCode::NO_STACK, "No stack.")) } else { Ok(stack) }
    }

    /// Describes a stop for its report.
    pub(in crate::native) fn describe_stop(&mut self, tid: Tid, reason: StopReason, note: Option<String>) -> Stop {
        let frame = self.look(tid, |thread| thread.innermost());
        let user = self.program.user_frame.take(tid);
        Stop { reason, thread: self.number(tid), frame, note, cause: None, user }
    }

    /// Returns the file that a bare line number refers to.
    pub(in crate::native) fn default_file(&mut self, context: Context) -> Option<Arc<str>> {
        let tid = self.thread(context.thread).ok()?;
        let frame = self.look(tid, |thread| thread.frame(context.frame).ok());
        frame.and_then(|found| found.frame.source).map(|place| place.file).or_else(|| self.program.file.clone())
    }

    /// Evaluates an address expression.
    pub(in crate::native) fn address_of(&mut self, text: &str, context: Context) -> Result<VirtualAddress, Failure> {
        let tid = self.thread(context.thread)?;
        let location = LocationSpec::Address(text.to_owned());
        self.look(tid, |thread| {
            let sites = place_sites(thread.images, &location, Some((thread, context.frame)))?;
            let nothing = || Failure::new(ErrorCode::MEMORY, format!("No address: {text}"));
            sites.first().map(|(address, _)| *address).ok_or_else(nothing)
        })
    }
}
