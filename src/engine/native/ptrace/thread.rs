//! One thread under ptrace(2).

use super::address_space::AddressSpace;
use super::debug_registers::DebugRegisters;
use super::observation::PendingReports;
use super::requests::{self, Status, Tid};
use crate::process::thread_signal::send_signal;
use model::ThreadId;
use nix::errno::Errno;
use nix::libc::{self, user_regs_struct};

/// Codes of SIGTRAP (sigaction(2)): sent by the kernel for `int3`, and for a single step.
pub(super) const SI_KERNEL: i32 = 0x80;
pub(super) const TRAP_BRKPT: i32 = 1;
pub(super) const TRAP_TRACE: i32 = 2;
/// A debug register.
pub(super) const TRAP_HWBKPT: i32 = 4;
/// The code of a stop that was asked for (ptrace(2), `PTRACE_EVENT_STOP`).
const HALTED: i32 = libc::PTRACE_EVENT_STOP << 8 | libc::SIGTRAP;

/// What a thread is doing, as the tracer knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Created, but its first stop has not been seen.
    Beginning,
    /// Executing, as far as is known.
    Running(Pace),
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

/// Which stop of ptrace(2) a thread is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum StopKind {
    /// Before it gets a signal, in whose place another one can be put (signal-delivery-stop).
    Signal,
    /// With its process, by a stop signal (group-stop).
    Group,
    #[default]
    Other,
}

/// The stop that a thread is in, or was in last.
#[derive(Clone, Copy, Debug, Default)]
struct Stop {
    kind: StopKind,
    /// It may go on without its tracer from where it is.
    settled: bool,
}

/// One thread.
#[derive(Debug)]
pub struct Thread {
    pid: Tid,
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
    /// Which version of the debug registers it has.
    debug_version: u32,
    stop: Stop,
    /// How it was resumed last.
    pace: Pace,
    registers: Option<user_regs_struct>,
    changed: Changed,
}

/// What the registers of a stopped thread are to become that they are not yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Changed {
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
    pub(super) fn new(pid: Tid, tid: Tid, number: ThreadId, activity: Activity) -> Self {
        Self {
            pid,
            tid,
            number,
            activity,
            passes: false,
            arrived: false,
            deferred_signal: None,
            delivery: 0,
            expected_signal: None,
            parked: false,
            debug_version: 0,
            stop: Stop::default(),
            pace: Pace::Run,
            registers: None,
            changed: Changed::Nothing,
        }
    }

    /// In a stop of ptrace.
    pub fn is_stopped(&self) -> bool {
        self.activity == Activity::Stopped
    }

    /// Executing, as far as is known.
    pub(super) fn is_running(&self) -> bool {
        matches!(self.activity, Activity::Running(_))
    }

    /// Whether its stop is one in which a signal can be put (ptrace(2), signal-delivery-stop).
    pub fn takes_signal(&self) -> bool {
        self.stop.kind == StopKind::Signal
    }

    /// It will come to a stop when interrupted.
    pub fn is_under_way(&self) -> bool {
        self.activity == Activity::Beginning || self.is_running()
    }

    /// Asks it to stop.
    ///
    /// Whether it still has to stop for an earlier request cannot be known: a stop for another reason withdraws the
    /// request when it comes after it, and leaves it standing when it came first (ptrace(2), `PTRACE_INTERRUPT`). So it
    /// is always asked; a stop that nobody waits for any more means nothing.
    pub fn interrupt(&self) {
        // A new thread stops by itself; one that is gone says so by its status.
        if self.is_running() {
            let _ = requests::interrupt(self.tid);
        }
    }

    /// Writes changed registers.
    fn write(&mut self) -> Result<(), Errno> {
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

    /// What is in the kernel now is to be asked for: it has executed something.
    pub(super) fn forget_registers(&mut self) {
        (self.registers, self.changed) = (None, Changed::Nothing);
    }

    /// The registers of a stopped thread as the program sees them: never in a slot of ours.
    pub(super) fn registers(&mut self, space: &AddressSpace) -> Result<user_regs_struct, Errno> {
        if let Some(registers) = self.registers {
            return Ok(registers);
        }
        if self.activity != Activity::Stopped {
            return Err(Errno::ESRCH);
        }
        let registers = requests::registers(self.tid)?;
        let Some(outside) = space.outside_of_slots(registers.rip) else {
            self.registers = Some(registers);
            return Ok(registers);
        };
        self.move_to(registers, outside);
        // It was passing the breakpoint there and still is.
        self.passes |= space.has_site(outside);
        Ok(user_regs_struct { rip: outside, ..registers })
    }

    /// Changes the registers of a stopped thread.
    pub(super) fn set_registers(&mut self, space: &AddressSpace, mut registers: user_regs_struct) -> Result<(), Errno> {
        if self.registers(space)?.rip != registers.rip {
            self.passes = false;
            // A system call that was interrupted is not to be restarted from elsewhere.
            registers.orig_rax = u64::MAX;
        }
        self.put(registers);
        Ok(())
    }

    /// Gives it the debug registers it does not have yet; whether it has them.
    pub(super) fn arm(&mut self, debug: &DebugRegisters) -> bool {
        if self.debug_version != debug.version() && debug.apply(self.tid).is_ok() {
            self.debug_version = debug.version();
        }
        self.debug_version == debug.version()
    }

    /// Takes note that it has stopped; whether it was resumed for one instruction.
    pub(super) fn note_stop(&mut self, status: Status) -> bool {
        let stepped = self.activity == Activity::Running(Pace::Step);
        self.activity = Activity::Stopped;
        self.forget_registers();
        let kind = match status {
            Status::Stopped(_) => StopKind::Signal,
            _ => StopKind::Other,
        };
        self.stop = Stop { kind, settled: false };
        stepped
    }

    /// Whether it executes nothing before it reports a trap, which then is what it stopped for: it was resumed.
    pub(super) fn goes_on_to_trap(&self) -> bool {
        self.is_running() && requests::has_pending_trap(self.tid) && requests::resume(self.tid, 0).is_ok()
    }

    /// Its stop is one in which a signal can be put.
    pub(super) fn note_signal_stop(&mut self) {
        self.stop.kind = StopKind::Signal;
    }

    /// Takes note of a `PTRACE_EVENT_STOP`: whether a stop signal has stopped its process.
    pub(super) fn note_group_stop(&mut self, signal: i32) {
        self.stop.kind = if signal == libc::SIGTRAP { StopKind::Other } else { StopKind::Group };
    }

    /// Whether a stop signal had stopped it; it is asked once.
    pub(super) fn take_group_stop(&mut self) -> bool {
        let stopped = self.stop.kind == StopKind::Group;
        if stopped {
            self.stop.kind = StopKind::Other;
        }
        stopped
    }

    /// Leaves it in its group-stop, and hears when that ends.
    pub(super) fn listen(&mut self) {
        if self.flush().is_ok() && requests::listen(self.tid).is_ok() {
            self.activity = Activity::Running(Pace::Run);
        }
    }

    /// Resumes it from where its registers say, with a signal or the one that was put off.
    pub(super) fn go_on(&mut self, pace: Pace, signal: i32) {
        let signal = if signal == 0 { self.deferred_signal.take().unwrap_or(0) } else { signal };
        let outcome = self.flush().and_then(|()| match pace {
            Pace::Run => requests::resume(self.tid, signal),
            Pace::Step => requests::step(self.tid, signal),
        });
        match outcome {
            Ok(()) => {
                self.activity = Activity::Running(pace);
                self.pace = pace;
            }
            Err(_) => self.lost(),
        }
    }

    /// It cannot be resumed, so it is being killed; its status will come.
    pub(super) fn lost(&mut self) {
        self.activity = Activity::Ending;
    }

    /// Executes one instruction and waits for what comes of it.
    pub(super) fn step_now(&mut self) -> Result<Status, Errno> {
        (self.pace, self.stop.settled) = (Pace::Step, false);
        self.flush()?;
        loop {
            requests::step(self.tid, 0)?;
            match requests::await_status(self.tid)? {
                // A stop asked for before, which another one forestalled: nothing was executed, nobody waits for it.
                Status::Event(libc::PTRACE_EVENT_STOP, libc::SIGTRAP) => {}
                status => return Ok(status),
            }
        }
    }

    /// Stops it for a moment; whether it is to be resumed afterwards. What else it had to say is kept.
    pub(super) fn hold(&self, pending: &mut PendingReports) -> bool {
        if requests::interrupt(self.tid).is_err() {
            return false;
        }
        match requests::await_status(self.tid) {
            Ok(Status::Event(libc::PTRACE_EVENT_STOP, libc::SIGTRAP)) => true,
            Ok(other) => {
                pending.add_status(self.tid, other);
                false
            }
            Err(_) => false,
        }
    }

    /// Sends it a signal (tgkill(2)).
    pub fn send(&self, signal: i32) {
        send_signal(self.pid, self.tid, signal);
    }

    /// A signal that it was stopped for under its tracer before: it gets it without anybody being asked.
    pub fn redeliver(&mut self, signal: i32) {
        if self.takes_signal() && self.delivery == 0 {
            self.delivery = signal;
        } else {
            self.expected_signal = Some(signal);
            self.send(signal);
        }
    }

    /// A stopped thread that was stopped by a trap gets its signal when the tracer is gone, and one that was to execute one
    /// instruction the signal for that: its process ends by it. The thread is brought to another stop, once, and executes
    /// nothing on the way.
    pub(super) fn leave_trap(&mut self, pending: &mut PendingReports) {
        if !self.is_stopped() || std::mem::replace(&mut self.stop.settled, true) || self.write().is_err() {
            return;
        }
        let stop = requests::signal_information(self.tid).map_or((0, 0), |signal| (signal.si_signo, signal.si_code));
        match stop {
            (libc::SIGTRAP, SI_KERNEL | TRAP_BRKPT | TRAP_TRACE | TRAP_HWBKPT) => {}
            (libc::SIGTRAP, HALTED) if self.pace == Pace::Step => {}
            _ => return,
        }
        if requests::interrupt(self.tid).is_err() {
            return;
        }
        match requests::resume(self.tid, 0).and_then(|()| requests::await_status(self.tid)) {
            Ok(Status::Event(libc::PTRACE_EVENT_STOP, signal)) => {
                self.pace = Pace::Run;
                self.note_group_stop(signal);
            }
            Ok(other) => pending.add_status(self.tid, other),
            Err(_) => {}
        }
    }
}
