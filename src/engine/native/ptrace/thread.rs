//! One thread under ptrace(2).

use super::address_space::AddressSpace;
use super::debug_registers::DebugRegisters;
use super::fpu::thread_fpu::ThreadFpu;
use super::observation::PendingReports;
use super::requests::{self, Status, Tid};
use super::system_calls::thread_calls::ThreadCalls;
use crate::process::thread_signal::send_signal;
use model::ThreadId;
use nix::errno::Errno;
use nix::libc::{self, user_regs_struct};

/// Codes of SIGTRAP (sigaction(2)): sent by the kernel for `int3`, and for a single step.
pub(super) const SI_KERNEL: i32 = 0x80;
pub(super) const TRAP_BRKPT: i32 = 1;
pub(super) const TRAP_TRACE: i32 = 2;
/// Sent by the kernel for a debug register.
pub(super) const TRAP_HWBKPT: i32 = 4;
/// The code of a requested stop (ptrace(2), `PTRACE_EVENT_STOP`).
const HALTED: i32 = libc::PTRACE_EVENT_STOP << 8 | libc::SIGTRAP;

/// The run state of a thread, as far as the tracer knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Created, but its first stop has not been seen.
    Beginning,
    /// Executing, as far as is known.
    Running(Pace),
    /// In a ptrace stop, until it is resumed.
    Stopped,
    /// About to end: it will not stop again.
    Ending,
}

impl Activity {
    /// True for a thread that never stops again: it is not the user's any more, as in gdb.
    pub fn is_ending(self) -> bool {
        self == Self::Ending
    }
}

/// The way a thread is resumed: running freely or for a single step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Until something happens.
    Run,
    /// One instruction.
    Step,
}

/// The kind of ptrace(2) stop that a thread is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum StopKind {
    /// Before it receives a signal, which can be replaced (signal-delivery-stop).
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
    /// True if it may continue from here without its tracer.
    settled: bool,
}

/// A traced thread.
#[derive(Debug)]
pub struct Thread {
    pid: Tid,
    /// The kernel's number.
    pub tid: Tid,
    /// The user's number.
    pub number: ThreadId,
    /// The run state, updated from wait statuses and by resuming it.
    pub activity: Activity,
    /// True if the breakpoint at its program counter has been handled, so that the next resumption passes it.
    pub passes: bool,
    /// True if it arrived at a breakpoint while the process was being stopped: it will arrive again.
    pub arrived: bool,
    /// A signal that arrived while the process was being stopped; handled when it is resumed.
    pub deferred_signal: Option<i32>,
    /// The signal that the user has queued for the next continue.
    pub queued_signal: Option<i32>,
    /// The signal it was stopped for or was sent by the user; 0 for none.
    pub delivery: i32,
    /// A signal that will arrive and is passed to the program without consulting the signal table.
    pub expected_signal: Option<i32>,
    /// True while it waits for work on another thread; it is not resumed until that is done.
    pub parked: bool,
    /// The debugger's part in its floating-point environment.
    pub fpu: ThreadFpu,
    pub(super) calls: ThreadCalls,
    /// The version of the debug registers that it has.
    pub(super) debug_version: u32,
    stop: Stop,
    /// The pace at which it was last resumed.
    pace: Pace,
    registers: Option<user_regs_struct>,
    changed: Changed,
}

/// The registers of a stopped thread that have yet to be written to the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Changed {
    #[default]
    Nothing,
    /// Only the program counter, which is less work for the kernel.
    Counter,
    All,
}

impl Thread {
    /// The number of a companion; those of threads begin with 1.
    pub(super) const OF_COMPANION: ThreadId = ThreadId(0);

    /// Returns its program counter if the registers have been read since it stopped.
    pub fn known_pc(&self) -> Option<u64> {
        self.registers.map(|registers| registers.rip)
    }

    /// Creates the state of a thread that was just seized or created.
    pub(super) fn new(pid: Tid, tid: Tid, number: ThreadId, activity: Activity) -> Self {
        Self {
            pid,
            tid,
            number,
            activity,
            passes: false,
            arrived: false,
            deferred_signal: None,
            queued_signal: None,
            delivery: 0,
            expected_signal: None,
            parked: false,
            fpu: ThreadFpu::default(),
            calls: ThreadCalls::default(),
            debug_version: 0,
            stop: Stop::default(),
            pace: Pace::Run,
            registers: None,
            changed: Changed::Nothing,
        }
    }

    /// True in a ptrace stop.
    pub fn is_stopped(&self) -> bool {
        self.activity == Activity::Stopped
    }

    /// Executing, as far as is known.
    pub(super) fn is_running(&self) -> bool {
        matches!(self.activity, Activity::Running(_))
    }

    /// True if a signal can be injected in its stop (ptrace(2), signal-delivery-stop).
    pub fn takes_signal(&self) -> bool {
        self.stop.kind == StopKind::Signal
    }

    /// True if it will stop when interrupted.
    pub fn is_under_way(&self) -> bool {
        self.activity == Activity::Beginning || self.is_running()
    }

    /// Requests a stop.
    ///
    /// It cannot be known if an earlier request is still pending: a stop for another reason withdraws the request if it
    /// comes after it, and leaves it pending if it came first (ptrace(2), `PTRACE_INTERRUPT`). So a stop is always
    /// requested; one that nothing waits for is ignored.
    pub fn interrupt(&self) {
        // A new thread stops by itself; the end of a thread is reported by its wait status.
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

    /// Sets the registers that it will be resumed with.
    pub(super) fn put(&mut self, registers: user_regs_struct) {
        self.registers = Some(registers);
        self.changed = Changed::All;
    }

    /// Sets the program counter that it will be resumed with; `registers` are the current ones.
    pub(super) fn move_to(&mut self, registers: user_regs_struct, pc: u64) {
        self.registers = Some(user_regs_struct { rip: pc, ..registers });
        self.changed = self.changed.max(Changed::Counter);
    }

    /// Drops the cached registers, because the thread has executed something.
    pub(super) fn forget_registers(&mut self) {
        (self.registers, self.changed) = (None, Changed::Nothing);
    }

    /// Returns the registers of a stopped thread as the program sees them: the program counter is never in a slot.
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
            // An interrupted system call must not be restarted at another place.
            registers.orig_rax = u64::MAX;
        }
        self.put(registers);
        Ok(())
    }

    /// Writes the debug registers if it has an older version. True if it has the current ones.
    pub(super) fn arm(&mut self, debug: &DebugRegisters) -> bool {
        if self.debug_version != debug.version() && debug.apply(self.tid).is_ok() {
            self.debug_version = debug.version();
        }
        self.debug_version == debug.version()
    }

    /// Notes that it has stopped. True if it was resumed for one instruction.
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

    /// Resumes it if it has yet to report a trap, before which it executes nothing. True if it was resumed.
    pub(super) fn goes_on_to_trap(&self) -> bool {
        self.is_running() && requests::has_pending_trap(self.tid) && requests::resume(self.tid, 0).is_ok()
    }

    /// Notes a stop in which a signal can be injected.
    pub(super) fn note_signal_stop(&mut self) {
        self.stop.kind = StopKind::Signal;
    }

    /// Notes a `PTRACE_EVENT_STOP`, which is a group-stop if a stop signal has stopped the process.
    pub(super) fn note_group_stop(&mut self, signal: i32) {
        self.stop.kind = if signal == libc::SIGTRAP { StopKind::Other } else { StopKind::Group };
    }

    /// True if a stop signal had stopped it; clears that state.
    pub(super) fn take_group_stop(&mut self) -> bool {
        let stopped = self.stop.kind == StopKind::Group;
        if stopped {
            self.stop.kind = StopKind::Other;
        }
        stopped
    }

    /// Leaves it in its group-stop, whose end will be reported.
    pub(super) fn listen(&mut self) {
        if self.flush().is_ok() && requests::listen(self.tid).is_ok() {
            self.activity = Activity::Running(Pace::Run);
        }
    }

    /// Resumes it at its current registers, with a signal or the deferred one; at [`Pace::Run`], until its next system
    /// call if it is to stop there.
    pub(super) fn go_on(&mut self, pace: Pace, signal: i32, stops_at_calls: bool) {
        let signal = if signal == 0 { self.deferred_signal.take().unwrap_or(0) } else { signal };
        if signal != 0 {
            self.fpu.note_signal();
        }
        self.calls.resumed(stops_at_calls && pace == Pace::Run);
        let outcome = self.flush().and_then(|()| match pace {
            Pace::Run if stops_at_calls => requests::resume_to_call(self.tid, signal),
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

    /// Notes that it could not be resumed: it is being killed, and its wait status will follow.
    pub(super) fn lost(&mut self) {
        self.activity = Activity::Ending;
    }

    /// Executes one instruction and waits for the status.
    pub(super) fn step_now(&mut self) -> Result<Status, Errno> {
        (self.pace, self.stop.settled) = (Pace::Step, false);
        self.flush()?;
        loop {
            requests::step(self.tid, 0)?;
            match requests::await_status(self.tid)? {
                // A stop requested earlier that another one preceded: nothing was executed, and nothing waits for it.
                Status::Event(libc::PTRACE_EVENT_STOP, libc::SIGTRAP) => {}
                status => return Ok(status),
            }
        }
    }

    /// Stops it briefly, keeping other statuses. True if it must be resumed afterwards.
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

    /// Resumes it as before [`Self::hold`].
    pub(super) fn go_on_after_hold(&self) {
        // Fails if it is being killed; its wait status will follow.
        let _ =
            if self.calls.are_traced { requests::resume_to_call(self.tid, 0) } else { requests::resume(self.tid, 0) };
    }

    /// True for a process that shares the memory (vfork(2)), which is no thread of the rank.
    pub(super) fn is_companion(&self) -> bool {
        self.number == Self::OF_COMPANION
    }

    /// Sends it a signal (tgkill(2)).
    pub fn send(&self, signal: i32) {
        send_signal(self.pid, self.tid, signal);
    }

    /// Delivers a signal that it stopped for under its previous tracer, without consulting the signal table.
    pub fn redeliver(&mut self, signal: i32) {
        if self.takes_signal() && self.delivery == 0 {
            self.delivery = signal;
        } else {
            self.expected_signal = Some(signal);
            self.send(signal);
        }
    }

    /// Moves a thread out of a trap stop: when the tracer ends, a thread stopped by a trap, or about to report a single
    /// step, would get SIGTRAP and its process would die. The thread is brought to another stop, once, without
    /// executing anything.
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
