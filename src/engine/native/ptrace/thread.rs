//! One thread under ptrace(2).

use super::requests::{self, Tid};
use model::ThreadId;
use nix::errno::Errno;
use nix::libc::user_regs_struct;

/// What a thread is doing, as the tracer knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Created, but its first stop has not been seen.
    Beginning,
    /// Executing, as far as is known.
    Running,
    /// In a stop of ptrace, until it is resumed.
    Stopped,
    /// On its way out: it will not stop again.
    Ending,
}

/// How a thread is resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Until something happens.
    Run,
    /// One instruction.
    Step,
}

/// One thread.
#[derive(Debug)]
pub struct Thread {
    /// As the kernel numbers it.
    pub tid: Tid,
    /// As the user numbers it.
    pub number: ThreadId,
    /// What it is doing.
    pub activity: Activity,
    /// The next resumption passes the breakpoint at its program counter, which has been dealt with.
    pub passes: bool,
    /// It arrived at a breakpoint while the process was being stopped: it will arrive again.
    pub arrived: bool,
    /// A signal that arrived while the process was being stopped; dealt with when it is resumed.
    pub deferred_signal: Option<i32>,
    /// The signal it was stopped for or was sent by the user; 0 for none.
    pub delivery: i32,
    /// A signal on its way that the program is to have without anybody being asked.
    pub expected_signal: Option<i32>,
    /// Waits for work elsewhere; not resumed until that is done.
    pub parked: bool,
    /// Its stop is one in which a signal can be put (ptrace(2), signal-delivery-stop).
    pub takes_signal: bool,
    /// Which version of the debug registers it has.
    pub(super) debug_version: u32,
    pub(super) group_stopped: bool,
    pub(super) stepping: bool,
    /// It was resumed for one instruction when it was last resumed.
    pub(super) stepped: bool,
    /// It may go on without its tracer from where it is.
    pub(super) settled: bool,
    pub(super) registers: Option<user_regs_struct>,
    pub(super) changed: Changed,
}

/// What the registers of a stopped thread are to become that they are not yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Changed {
    /// They are.
    #[default]
    Nothing,
    /// Only the program counter is to be written: less work for the kernel.
    Counter,
    /// All are to be written.
    All,
}

impl Thread {
    /// Its program counter, where that has been asked for since it stopped.
    pub fn known_pc(&self) -> Option<u64> {
        self.registers.map(|registers| registers.rip)
    }

    /// A thread whose first stop is yet to come.
    pub(super) fn new(tid: Tid, number: ThreadId, activity: Activity) -> Self {
        Self {
            tid,
            number,
            activity,
            passes: false,
            arrived: false,
            deferred_signal: None,
            delivery: 0,
            expected_signal: None,
            takes_signal: false,
            parked: false,
            debug_version: 0,
            group_stopped: false,
            stepping: false,
            stepped: false,
            settled: false,
            registers: None,
            changed: Changed::Nothing,
        }
    }

    /// In a stop of ptrace.
    pub fn is_stopped(&self) -> bool {
        self.activity == Activity::Stopped
    }

    /// It will come to a stop when interrupted.
    pub fn is_under_way(&self) -> bool {
        matches!(self.activity, Activity::Beginning | Activity::Running)
    }

    /// Asks it to stop.
    ///
    /// Whether it still has to stop for an earlier request cannot be known: a stop for another reason withdraws the
    /// request when it comes after it, and leaves it standing when it came first (ptrace(2), `PTRACE_INTERRUPT`). So it
    /// is always asked; a stop that nobody waits for any more means nothing.
    pub(super) fn interrupt(&self) {
        // A new thread stops by itself; one that is gone says so by its status.
        if self.activity == Activity::Running {
            let _ = requests::interrupt(self.tid);
        }
    }

    /// Writes changed registers.
    pub(super) fn write(&mut self) -> Result<(), Errno> {
        match (self.registers, std::mem::take(&mut self.changed)) {
            (Some(registers), Changed::All) => requests::set_registers(self.tid, registers),
            (Some(registers), Changed::Counter) => requests::set_program_counter(self.tid, registers.rip),
            _ => Ok(()),
        }
    }

    /// Writes changed registers, and forgets them: the thread is about to run.
    pub(super) fn flush(&mut self) -> Result<(), Errno> {
        let outcome = self.write();
        self.registers = None;
        outcome
    }

    /// The registers that it is to go on with.
    pub(super) fn put(&mut self, registers: user_regs_struct) {
        self.registers = Some(registers);
        self.changed = Changed::All;
    }

    /// The registers as they are, but for the program counter that it is to go on with.
    pub(super) fn move_to(&mut self, registers: user_regs_struct, pc: u64) {
        self.registers = Some(user_regs_struct { rip: pc, ..registers });
        self.changed = self.changed.max(Changed::Counter);
    }
}
