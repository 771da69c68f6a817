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

/// The memory of a process, with our breakpoints in it.
#[derive(Debug)]
pub struct AddressSpace {
    pid: Tid,
    /// Shared with those who read while the tracer does something else; another one after an exec.
    memory: Arc<Memory>,
    breakpoints: InsertedBreakpoints,
    /// Code that has just been read, and from where: whoever wants it next need not read it again.
    seen_code: Option<(u64, Vec<u8>)>,
    /// A `syscall` instruction, once looked for.
    gate: OnceCell<Option<u64>>,
}

impl AddressSpace {
    /// That of a process that was just seized.
    pub(super) fn open(pid: Tid) -> io::Result<Self> {
        Ok(Self {
            pid,
            memory: Arc::new(Memory::open(pid)?),
            breakpoints: InsertedBreakpoints::default(),
            seen_code: None,
            gate: OnceCell::new(),
        })
    }

    /// Another program has taken its place.
    pub(super) fn executed(&mut self) {
        self.breakpoints = self.breakpoints.of_next_program();
        self.gate = OnceCell::new();
        if let Ok(memory) = Memory::open(self.pid) {
            self.memory = Arc::new(memory);
        }
    }

    /// The breakpoints of another process that is in the same memory, which gives them up.
    pub(super) fn take_breakpoints(&mut self, other: &mut Self) {
        self.breakpoints = mem::take(&mut other.breakpoints);
    }

    /// Puts the breakpoints of another one, of which this is a copy without traps, in here too.
    pub(super) fn copy_breakpoints(&mut self, other: &Self) {
        self.breakpoints = other.breakpoints.of_copy();
        self.breakpoints.plant_all(&self.memory);
    }

    /// The memory as it is, traps included.
    pub fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// Reads memory without our breakpoints; as much as can be read.
    pub fn read_some(&self, address: u64, into: &mut [u8]) -> usize {
        let done = self.memory.read_some(address, into);
        self.breakpoints.hide(address, into.get_mut(..done).unwrap_or_default());
        done
    }

    /// Reads memory without our breakpoints.
    pub fn read(&self, address: u64, into: &mut [u8]) -> Result<(), MemoryFault> {
        let done = self.read_some(address, into);
        let first = VirtualAddress(address.wrapping_add(done as u64));
        if done == into.len() { Ok(()) } else { Err(MemoryFault(first)) }
    }

    /// Writes memory; our breakpoints stay in.
    pub fn write(&mut self, address: u64, data: &[u8]) -> Result<(), MemoryFault> {
        self.forget_code();
        // All or nothing: what is not there is found before anything is changed.
        self.memory.read(address, &mut vec![0; data.len()])?;
        let mut bytes = data.to_vec();
        self.breakpoints.keep(address, &mut bytes);
        self.memory.write(address, &bytes)
    }

    /// Puts what our breakpoints hide into bytes that were read from an address.
    pub fn hide(&self, address: u64, bytes: &mut [u8]) {
        self.breakpoints.hide(address, bytes);
    }

    /// What our breakpoints hide, by address.
    pub fn hidden(&self) -> Arc<[(u64, u8)]> {
        self.breakpoints.hidden().collect()
    }

    /// What the traps in it are and hide, and a number that changes with them.
    pub fn traps(&self) -> (u64, impl Iterator<Item = (u64, u8)>) {
        (self.breakpoints.version(), self.breakpoints.hidden())
    }

    /// The code at an address is this, and stays so for as long as nobody runs.
    pub fn note_code(&mut self, address: u64, code: &[u8]) {
        self.seen_code = Some((address, code.to_vec()));
    }

    /// Somebody may run.
    pub fn forget_code(&mut self) {
        self.seen_code = None;
    }

    /// Puts a breakpoint in, or counts one more who wants it. Threads may be running.
    pub fn insert_site(&mut self, address: u64) -> Result<(), MemoryFault> {
        self.breakpoints.insert(&self.memory, address)
    }

    /// Counts one less who wants the breakpoint, and takes it out with the last.
    pub fn remove_site(&mut self, address: u64) {
        self.breakpoints.remove(&self.memory, address);
    }

    /// Puts traps back that are not there any more: the memory has been replaced.
    pub fn replant(&mut self, addresses: &[u64]) {
        self.breakpoints.replant(&self.memory, addresses);
    }

    /// Whether a breakpoint of ours is there.
    pub fn has_site(&self, address: u64) -> bool {
        self.breakpoints.contains(address)
    }

    /// Forgets breakpoints in memory that was unmapped.
    pub fn forget_sites(&mut self, gone: impl Fn(u64) -> bool) {
        self.breakpoints.forget(gone);
    }

    /// Takes our breakpoints out of a forked copy of the memory.
    pub fn clean_copy(&self, child: Tid) {
        if let Ok(copy) = Memory::open(child) {
            self.breakpoints.clean(&copy);
        }
    }

    /// Takes the traps out until [`Self::wake`].
    pub(super) fn rest(&mut self) {
        self.breakpoints.rest(&self.memory);
    }

    /// Puts them back.
    pub(super) fn wake(&mut self) {
        self.breakpoints.wake(&self.memory);
    }

    /// Does something while one trap is out.
    pub(super) fn without_trap<T>(&self, site: u64, what: impl FnOnce() -> T) -> T {
        self.breakpoints.lift(&self.memory, site, true);
        let done = what();
        self.breakpoints.lift(&self.memory, site, false);
        done
    }

    /// Takes all breakpoints out.
    pub(super) fn lift_all(&mut self) {
        self.breakpoints.lift_all(&self.memory);
    }

    /// Where a thread is as the program sees it, when its program counter is in a slot.
    pub(super) fn outside_of_slots(&self, pc: u64) -> Option<u64> {
        self.breakpoints.outside_of_slots(&self.memory, pc)
    }

    /// Whether a thread that stops for a SIGTRAP one byte behind the site has arrived at it, whoever else may send one.
    pub(super) fn is_telling(&self, site: u64) -> bool {
        self.breakpoints.is_telling(site)
    }

    /// Whether the program has a trap of its own there, or nobody knows what is there.
    pub(super) fn has_foreign_trap(&self, address: u64) -> bool {
        let mut byte = [0];
        self.memory.read(address, &mut byte).is_err() || byte == [TRAP]
    }

    /// How to pass a site, and the slot when it takes one.
    pub(super) fn passage(&mut self, site: u64) -> (Passage, u64) {
        let seen = self.seen_code.take().filter(|(at, _)| *at == site).map(|(_, code)| code);
        self.breakpoints.passage(&self.memory, site, seen)
    }

    /// Takes memory for slots that belongs to the file of a site and that nobody uses; whether there is room in it.
    pub(super) fn add_part(&mut self, site: u64, start: u64, end: u64) -> bool {
        self.breakpoints.add_part(&self.memory, site, start, end)
    }

    /// Takes memory for slots that was mapped for them.
    pub(super) fn add_area(&mut self, start: u64, size: u64) {
        self.breakpoints.add_area(start, size);
    }

    /// There is no room for slots near this site.
    pub(super) fn note_roomless(&mut self, site: u64) {
        self.breakpoints.note_roomless(site);
    }

    /// The registers after a call has been carried out: its return address is pushed.
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

    /// A `syscall` instruction that is always there: the vdso has some for calls it cannot answer itself.
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

/// A register of an operand by its name in the instruction.
fn operand(registers: &user_regs_struct, name: Register) -> Option<u64> {
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
