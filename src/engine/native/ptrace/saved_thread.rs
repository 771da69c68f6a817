//! The state of a stopped thread, kept while it does something else.

use super::process::Process;
use super::requests::{self, Tid};
use nix::errno::Errno;
use nix::libc::user_regs_struct;

/// All registers of a thread, and its pending actions.
#[derive(Clone, Debug)]
pub struct SavedThread {
    /// The general registers as the program sees them.
    pub registers: user_regs_struct,
    extended: Vec<u8>,
    passes: bool,
    arrived: bool,
    deferred_signal: Option<i32>,
    delivery: i32,
    takes_signal: bool,
    passes_fpu_trap: Option<u64>,
}

impl Process {
    /// Takes the state of a stopped thread, which then has no pending actions.
    pub fn save(&mut self, tid: Tid) -> Result<SavedThread, Errno> {
        self.put_off_call(tid)?;
        let registers = self.registers(tid)?;
        let extended = requests::extended_state(tid)?;
        let thread = self.threads.get_mut(tid).ok_or(Errno::ESRCH)?;
        Ok(SavedThread {
            registers,
            extended,
            passes: std::mem::take(&mut thread.passes),
            arrived: std::mem::take(&mut thread.arrived),
            deferred_signal: thread.deferred_signal.take(),
            delivery: std::mem::take(&mut thread.delivery),
            takes_signal: thread.takes_signal(),
            passes_fpu_trap: thread.fpu.passes.take(),
        })
    }

    /// Restores the state of a stopped thread, including an interrupted system call.
    pub fn restore(&mut self, tid: Tid, saved: SavedThread) -> Result<(), Errno> {
        requests::set_extended_state(tid, saved.extended)?;
        let thread = self.threads.get_mut(tid).ok_or(Errno::ESRCH)?;
        thread.put(saved.registers);
        thread.passes = saved.passes;
        thread.fpu.passes = saved.passes_fpu_trap;
        thread.arrived = saved.arrived;
        thread.deferred_signal = saved.deferred_signal;
        thread.delivery = saved.delivery;
        if thread.delivery != 0 && saved.takes_signal && !thread.takes_signal() {
            // No signal can be injected in this stop, so it is sent again.
            thread.expected_signal = Some(std::mem::take(&mut thread.delivery));
            thread.send(saved.delivery);
        }
        Ok(())
    }
}
