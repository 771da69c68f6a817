//! The memory of one process, and the breakpoint instructions in it.

use super::displaced_stepping::{CallTarget, LONGEST, Passage, decode, operand_target};
use super::inserted_breakpoints::{InsertedBreakpoints, TRAP};
use super::requests::Tid;
use crate::process::memory::{Memory, mappings};
use debuginfo::types::MemoryFault;
use iced_x86::Register;
use model::VirtualAddress;
use nix::libc::user_regs_struct;
use std::cell::OnceCell;
use std::io;
use std::mem;
use std::sync::Arc;

/// The memory of a process, with the debugger's breakpoints in it.
#[derive(Debug)]
pub struct AddressSpace {
    pid: Tid,
    /// Shared with threads that read outside the tracer thread; replaced after an exec.
    memory: Arc<Memory>,
    breakpoints: InsertedBreakpoints,
    /// Code that has just been read, with its address: a cache for the next reader.
    seen_code: Option<(u64, Vec<u8>)>,
    /// The address of a `syscall` instruction, searched for on first use.
    gate: OnceCell<Option<u64>>,
}

impl AddressSpace {
    /// Opens the memory of a process that was just seized.
    pub(super) fn open(pid: Tid) -> io::Result<Self> {
        Ok(Self {
            pid,
            memory: Arc::new(Memory::open(pid)?),
            breakpoints: InsertedBreakpoints::default(),
            seen_code: None,
            gate: OnceCell::new(),
        })
    }

    /// Resets the state after an exec.
    pub(super) fn executed(&mut self) {
        if let Ok(memory) = Memory::open(self.pid) {
            self.memory = Arc::new(memory);
        }
        self.breakpoints = self.breakpoints.of_next_program(&self.memory);
        self.gate = OnceCell::new();
    }

    /// Takes over the breakpoints of another process in the same memory.
    pub(super) fn take_breakpoints(&mut self, other: &mut Self) {
        self.breakpoints = mem::take(&mut other.breakpoints);
    }

    /// Inserts the breakpoints of another address space, of which this is a copy without traps.
    pub(super) fn copy_breakpoints(&mut self, other: &Self) {
        self.breakpoints = other.breakpoints.of_copy();
        self.breakpoints.plant_all(&self.memory);
    }

    /// Returns the memory, traps included.
    pub fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// Reads as much memory as can be read, with the breakpoints hidden. Returns the number of bytes.
    pub fn read_some(&self, address: u64, into: &mut [u8]) -> usize {
        let done = self.memory.read_some(address, into);
        self.breakpoints.hide(address, into.get_mut(..done).unwrap_or_default());
        done
    }

    /// Reads memory with the breakpoints hidden.
    pub fn read(&self, address: u64, into: &mut [u8]) -> Result<(), MemoryFault> {
        let done = self.read_some(address, into);
        let first = VirtualAddress(address.wrapping_add(done as u64));
        if done == into.len() { Ok(()) } else { Err(MemoryFault(first)) }
    }

    /// Writes memory and keeps the breakpoints in it.
    pub fn write(&mut self, address: u64, data: &[u8]) -> Result<(), MemoryFault> {
        self.forget_code();
        // All or nothing: an unmapped part is found before anything is changed.
        self.memory.read(address, &mut vec![0; data.len()])?;
        let mut bytes = data.to_vec();
        self.breakpoints.keep(address, &mut bytes);
        self.memory.write(address, &bytes)
    }

    /// Replaces the breakpoints in bytes read from an address by the original code.
    pub fn hide(&self, address: u64, bytes: &mut [u8]) {
        self.breakpoints.hide(address, bytes);
    }

    /// Returns the bytes that the breakpoints replace, by address.
    pub fn hidden(&self) -> Arc<[(u64, u8)]> {
        self.breakpoints.hidden().collect()
    }

    /// Returns a number that changes with the set of traps, and the traps with the bytes that they replace.
    pub fn traps(&self) -> (u64, impl Iterator<Item = (u64, u8)>) {
        (self.breakpoints.version(), self.breakpoints.hidden())
    }

    /// Caches the code at an address, which is valid until a thread runs.
    pub fn note_code(&mut self, address: u64, code: &[u8]) {
        self.seen_code = Some((address, code.to_vec()));
    }

    /// Drops the cached code, because a thread may run.
    pub fn forget_code(&mut self) {
        self.seen_code = None;
    }

    /// Inserts a breakpoint, or adds one to its use count. Threads may be running.
    pub fn insert_site(&mut self, address: u64) -> Result<(), MemoryFault> {
        self.breakpoints.insert(&self.memory, address)
    }

    /// Subtracts one from a breakpoint's use count, and removes it at 0.
    pub fn remove_site(&mut self, address: u64) {
        self.breakpoints.remove(&self.memory, address);
    }

    /// Inserts traps again that were lost because the memory has been replaced.
    pub fn replant(&mut self, addresses: &[u64]) {
        self.breakpoints.replant(&self.memory, addresses);
    }

    /// True if the debugger has a breakpoint there.
    pub fn has_site(&self, address: u64) -> bool {
        self.breakpoints.contains(address)
    }

    /// Forgets breakpoints in memory that was unmapped.
    pub fn forget_sites(&mut self, gone: impl Fn(u64) -> bool) {
        self.breakpoints.forget(gone);
    }

    /// Removes the breakpoints from a forked copy of the memory.
    pub fn clean_copy(&self, child: Tid) {
        if let Ok(copy) = Memory::open(child) {
            self.breakpoints.clean(&copy);
        }
    }

    /// Removes the traps until [`Self::wake`].
    pub(super) fn rest(&mut self) {
        self.breakpoints.rest(&self.memory);
    }

    /// Inserts the traps again.
    pub(super) fn wake(&mut self) {
        self.breakpoints.wake(&self.memory);
    }

    /// Calls `what` while one trap is removed.
    pub(super) fn without_trap<T>(&self, site: u64, what: impl FnOnce() -> T) -> T {
        self.breakpoints.lift(&self.memory, site, true);
        let done = what();
        self.breakpoints.lift(&self.memory, site, false);
        done
    }

    /// Removes and forgets all breakpoints.
    pub(super) fn lift_all(&mut self) {
        self.breakpoints.lift_all(&self.memory);
    }

    /// Returns the thread's program counter as the program sees it, if `pc` is in a slot.
    pub(super) fn outside_of_slots(&self, pc: u64) -> Option<u64> {
        self.breakpoints.outside_of_slots(&self.memory, pc)
    }

    /// True if a SIGTRAP one byte after the site proves an arrival, even if others may send the signal.
    pub(super) fn is_telling(&self, site: u64) -> bool {
        self.breakpoints.is_telling(site)
    }

    /// True if the program has a trap of its own there, or if the memory cannot be read.
    pub(super) fn has_foreign_trap(&self, address: u64) -> bool {
        let mut byte = [0];
        self.memory.read(address, &mut byte).is_err() || byte == [TRAP]
    }

    /// Returns the way to pass a site, and the slot if it needs one.
    pub(super) fn passage(&mut self, site: u64) -> (Passage, u64) {
        let seen = self.seen_code.take().filter(|(at, _)| *at == site).map(|(_, code)| code);
        self.breakpoints.passage(&self.memory, site, seen)
    }

    /// Adds unused memory in the file of a site for slots. True if there is room in it.
    pub(super) fn add_part(&mut self, site: u64, start: u64, end: u64) -> bool {
        self.breakpoints.add_part(&self.memory, site, start, end)
    }

    /// Adds memory that was mapped for slots.
    pub(super) fn add_area(&mut self, start: u64, size: u64) {
        self.breakpoints.add_area(start, size);
    }

    /// Notes that there is no room for slots near a site.
    pub(super) fn note_roomless(&mut self, site: u64) {
        self.breakpoints.note_roomless(site);
    }

    /// Emulates a call: pushes the return address and returns the new registers.
    pub(super) fn push_call(&self, mut registers: user_regs_struct, target: CallTarget) -> Option<user_regs_struct> {
        let mut code = [0; LONGEST];
        let length = self.read_some(registers.rip, &mut code);
        let instruction = decode(code.get(..length)?, registers.rip)?;
        let target = match target {
            CallTarget::Direct(target) => target,
            CallTarget::Operand(call) => {
                operand_target(&call, |name| operand(&registers, name), |at| self.memory.word(at).ok())?
            }
        };
        registers.rsp = registers.rsp.wrapping_sub(8);
        self.memory.write(registers.rsp, &instruction.next_ip().to_le_bytes()).ok()?;
        registers.rip = target;
        Some(registers)
    }

    /// Returns the address of a `syscall` instruction in the vdso, which has some for calls it cannot answer itself.
    pub(super) fn gate(&self) -> Option<u64> {
        *self.gate.get_or_init(|| {
            let vdso = mappings(self.pid).into_iter().find(|mapping| mapping.name == "[vdso]")?;
            let mut code = vec![0; (vdso.end - vdso.start) as usize];
            self.memory.read(vdso.start, &mut code).ok()?;
            let place = code.windows(2).position(|bytes| bytes == [0x0f, 0x05])?;
            Some(vdso.start + place as u64)
        })
    }
}

/// Returns the value of an operand's register.
pub fn operand(registers: &user_regs_struct, name: Register) -> Option<u64> {
    Some(match name {
        Register::RAX => registers.rax,
        Register::RBX => registers.rbx,
        Register::RCX => registers.rcx,
        Register::RDX => registers.rdx,
        Register::RSI => registers.rsi,
        Register::RDI => registers.rdi,
        Register::RBP => registers.rbp,
        Register::RSP => registers.rsp,
        Register::R8 => registers.r8,
        Register::R9 => registers.r9,
        Register::R10 => registers.r10,
        Register::R11 => registers.r11,
        Register::R12 => registers.r12,
        Register::R13 => registers.r13,
        Register::R14 => registers.r14,
        Register::R15 => registers.r15,
        Register::FS => registers.fs_base,
        Register::GS => registers.gs_base,
        Register::CS | Register::DS | Register::ES | Register::SS => 0,
        _ => return None,
    })
}
