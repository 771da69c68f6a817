//! The state of a stopped thread, kept while it does something else.

use super::process::Process;
use super::requests::{self, Tid};
use nix::errno::Errno;
use nix::libc::user_regs_struct;

/// All registers of a thread, and what it was about to do.
#[derive(Clone, Debug)]
pub struct SavedThread {
    /// General registers.
    pub registers: user_regs_struct,
    extended: Vec<u8>,
    passes: bool,
    arrived: bool,
    deferred_signal: Option<i32>,
    delivery: i32,
    takes_signal: bool,
}

impl Process {
    /// Keeps the state of a stopped thread, which from now on is about to do nothing.
    pub fn save(&mut self, tid: Tid) -> Result<SavedThread, Errno> {
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
        })
    }

    /// Makes a stopped thread what it was: an interrupted system call is one again.
    pub fn restore(&mut self, tid: Tid, saved: SavedThread) -> Result<(), Errno> {
        requests::set_extended_state(tid, saved.extended)?;
        let thread = self.threads.get_mut(tid).ok_or(Errno::ESRCH)?;
        thread.put(saved.registers);
        thread.passes = saved.passes;
        thread.arrived = saved.arrived;
        thread.deferred_signal = saved.deferred_signal;
        thread.delivery = saved.delivery;
        if thread.delivery != 0 && saved.takes_signal && !thread.takes_signal() {
            // It is in a stop that no signal can be put into: the signal is sent again.
            thread.expected_signal = Some(std::mem::take(&mut thread.delivery));
            thread.send(saved.delivery);
        }
        Ok(())
    }
}
