//! The requests of ptrace(2) and waitpid(2), one function each. They work only in the thread that seized the tracee:
//! to the kernel, a tracer is a thread.

use crate::process::procfs::ProcessStatus;
use nix::errno::Errno;
use nix::libc::{self, c_int, c_long, c_uint, c_void, siginfo_t, user_fpregs_struct, user_regs_struct};
use nix::sys::ptrace;
use nix::unistd::Pid;
use std::thread;
use std::time::Duration;

/// A kernel thread id; that of the first thread is the process id.
pub type Tid = i32;

/// Events that every tracee reports.
const OPTIONS: c_int = libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_TRACEEXIT
    | libc::PTRACE_O_TRACESYSGOOD;
/// The signal of a stop at a system call, with that option.
const AT_CALL: c_int = libc::SIGTRAP | 0x80;

fn request(number: c_uint, tid: Tid, address: usize, data: usize) -> Result<c_long, Errno> {
    #[expect(unsafe_code, reason = "nix has no request that takes a real-time signal, nor PTRACE_LISTEN")]
    // SAFETY: the requests made here (SEIZE, CONT, SYSCALL, SINGLESTEP, LISTEN, DETACH) take numbers, not pointers, and change
    // another process only.
    let outcome = unsafe { libc::ptrace(number, tid, address as *mut c_void, data as *mut c_void) };
    Errno::result(outcome)
}

/// `PTRACE_SEIZE`: traces a thread, and those that it creates, without stopping it. It is killed when its tracer ends.
pub fn seize(tid: Tid) -> Result<(), Errno> {
    request(libc::PTRACE_SEIZE, tid, 0, (OPTIONS | libc::PTRACE_O_EXITKILL) as usize).map(drop)
}

/// The same for a thread that continues when its tracer ends.
pub fn seize_guest(tid: Tid) -> Result<(), Errno> {
    request(libc::PTRACE_SEIZE, tid, 0, OPTIONS as usize).map(drop)
}

/// `PTRACE_INTERRUPT`: the thread will stop with `PTRACE_EVENT_STOP`, unless something else stops it first.
pub fn interrupt(tid: Tid) -> Result<(), Errno> {
    ptrace::interrupt(Pid::from_raw(tid))
}

/// `PTRACE_CONT`, delivering a signal unless it is 0.
pub fn resume(tid: Tid, signal: i32) -> Result<(), Errno> {
    request(libc::PTRACE_CONT, tid, 0, signal as usize).map(drop)
}

/// `PTRACE_SYSCALL`: as [`resume`], but the thread stops at the beginning and at the end of its next system call.
pub fn resume_to_call(tid: Tid, signal: i32) -> Result<(), Errno> {
    request(libc::PTRACE_SYSCALL, tid, 0, signal as usize).map(drop)
}

/// `PTRACE_SINGLESTEP`, delivering a signal unless it is 0.
pub fn step(tid: Tid, signal: i32) -> Result<(), Errno> {
    request(libc::PTRACE_SINGLESTEP, tid, 0, signal as usize).map(drop)
}

/// `PTRACE_LISTEN`: a thread in group-stop stays stopped and reports the end of that stop.
pub fn listen(tid: Tid) -> Result<(), Errno> {
    request(libc::PTRACE_LISTEN, tid, 0, 0).map(drop)
}

/// `PTRACE_DETACH`, delivering a signal unless it is 0.
pub fn detach(tid: Tid, signal: i32) -> Result<(), Errno> {
    request(libc::PTRACE_DETACH, tid, 0, signal as usize).map(drop)
}

/// True if a stopped thread has yet to report a trap: it executed `int3` or its single step, and was stopped for
/// another reason first (`PTRACE_PEEKSIGINFO`).
pub fn has_pending_trap(tid: Tid) -> bool {
    const MOST: usize = 8;
    let wanted = libc::ptrace_peeksiginfo_args { off: 0, flags: 0, nr: MOST as i32 };
    #[expect(unsafe_code, reason = "nix has no PTRACE_PEEKSIGINFO")]
    // SAFETY: siginfo_t is plain data, for which zeros are a value.
    let mut found: [siginfo_t; MOST] = unsafe { std::mem::zeroed() };
    #[expect(unsafe_code, reason = "nix has no PTRACE_PEEKSIGINFO")]
    // SAFETY: the kernel reads one argument structure and writes at most as many entries as it asks for.
    let count = unsafe { libc::ptrace(libc::PTRACE_PEEKSIGINFO, tid, &raw const wanted, &raw mut found) };
    found.iter().take(usize::try_from(count).unwrap_or(0)).any(|one| one.si_signo == libc::SIGTRAP && one.si_code > 0)
}

/// `PTRACE_GETEVENTMSG`: the new thread or process of a clone, the former thread id of an exec.
pub fn event_message(tid: Tid) -> Result<i64, Errno> {
    ptrace::getevent(Pid::from_raw(tid))
}

/// `PTRACE_GETSIGINFO`: the signal a stopped thread is about to get.
pub fn signal_information(tid: Tid) -> Result<siginfo_t, Errno> {
    ptrace::getsiginfo(Pid::from_raw(tid))
}

/// Returns the signal that a thread stopped for; `None` for a ptrace event or a requested stop.
pub fn stop_signal(tid: Tid) -> Option<i32> {
    let told = signal_information(tid).ok()?;
    (told.si_code >> 8 == 0 || told.si_code < 0).then_some(told.si_signo)
}

/// True if a stopped thread is about to end: requests on it fail, or it is in its exit stop (`PTRACE_EVENT_EXIT`).
pub fn is_leaving(tid: Tid) -> bool {
    !signal_information(tid).is_ok_and(|information| information.si_code >> 8 != libc::PTRACE_EVENT_EXIT)
}

/// Reads the general registers of a stopped thread.
pub fn registers(tid: Tid) -> Result<user_regs_struct, Errno> {
    ptrace::getregs(Pid::from_raw(tid))
}

/// Writes the general registers of a stopped thread.
pub fn set_registers(tid: Tid, registers: user_regs_struct) -> Result<(), Errno> {
    ptrace::setregs(Pid::from_raw(tid), registers)
}

/// Changes the program counter alone (`PTRACE_POKEUSER`), which is cheaper than writing all registers.
pub fn set_program_counter(tid: Tid, pc: u64) -> Result<(), Errno> {
    let offset = std::mem::offset_of!(libc::user, regs) + std::mem::offset_of!(user_regs_struct, rip);
    ptrace::write_user(Pid::from_raw(tid), offset as *mut c_void, pc as c_long)
}

/// Reads the x87 and SSE registers, in the layout of `FXSAVE` (Intel manual, volume 1, table 10-2).
pub fn float_registers(tid: Tid) -> Result<user_fpregs_struct, Errno> {
    ptrace::getregset::<ptrace::regset::NT_PRFPREG>(Pid::from_raw(tid))
}

/// Writes the x87 and SSE registers, in the layout of `FXSAVE`.
pub fn set_float_registers(tid: Tid, registers: user_fpregs_struct) -> Result<(), Errno> {
    ptrace::setregset::<ptrace::regset::NT_PRFPREG>(Pid::from_raw(tid), registers)
}

/// `NT_X86_XSTATE`: all state components that `XSAVE` saves on this processor.
const EXTENDED_STATE: usize = 0x202;
/// More bytes than any processor saves; the kernel returns the actual length.
const LONGEST_STATE: usize = 32 * 1024;

fn extended(number: c_uint, tid: Tid, bytes: &mut [u8]) -> Result<usize, Errno> {
    let mut vector = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
    #[expect(unsafe_code, reason = "nix has no register set of this type")]
    // SAFETY: the vector is of a live buffer of that length, which the kernel reads or fills at most.
    let outcome = unsafe { libc::ptrace(number, tid, EXTENDED_STATE as *mut c_void, &raw mut vector) };
    Errno::result(outcome).map(|_| vector.iov_len)
}

/// Reads all floating-point and vector registers of the processor, in the layout of `XSAVE`.
pub fn extended_state(tid: Tid) -> Result<Vec<u8>, Errno> {
    let mut bytes = vec![0; LONGEST_STATE];
    let length = extended(libc::PTRACE_GETREGSET, tid, &mut bytes)?;
    bytes.truncate(length);
    Ok(bytes)
}

/// Writes a state read by [`extended_state`].
pub fn set_extended_state(tid: Tid, mut bytes: Vec<u8>) -> Result<(), Errno> {
    extended(libc::PTRACE_SETREGSET, tid, &mut bytes).map(drop)
}

/// Returns the `siginfo_t` (sigaction(2)) of the signal that a thread stopped for, as bytes in memory order.
pub fn signal_bytes(tid: Tid) -> Result<Vec<u8>, Errno> {
    let told = signal_information(tid)?;
    #[expect(unsafe_code, reason = "a structure of the kernel as bytes")]
    // SAFETY: the structure is live, all of it was written by the kernel or zeroed before, and bytes have no alignment.
    let bytes = unsafe { std::slice::from_raw_parts((&raw const told).cast::<u8>(), size_of_val(&told)) };
    Ok(bytes.to_vec())
}

fn debug_register_offset(index: usize) -> *mut c_void {
    (std::mem::offset_of!(libc::user, u_debugreg) + index * size_of::<u64>()) as *mut c_void
}

/// Reads a debug register of a stopped thread (`PTRACE_PEEKUSER`).
pub fn debug_register(tid: Tid, index: usize) -> Result<u64, Errno> {
    ptrace::read_user(Pid::from_raw(tid), debug_register_offset(index)).map(|value| value as u64)
}

/// Changes a debug register of a stopped thread (`PTRACE_POKEUSER`).
pub fn set_debug_register(tid: Tid, index: usize, value: u64) -> Result<(), Errno> {
    ptrace::write_user(Pid::from_raw(tid), debug_register_offset(index), value as c_long)
}

/// A status of a tracee from waitpid(2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Ended with a code.
    Exited(i32),
    /// Ended by a signal.
    Killed(i32),
    /// About to receive a signal, or trapped.
    Stopped(i32),
    /// A ptrace event (`PTRACE_EVENT_*`) and the signal with it.
    Event(i32, i32),
    /// At the beginning or the end of a system call.
    Call,
    /// Any other status, which is ignored.
    Other,
}

impl Status {
    pub(super) fn decode(status: c_int) -> Self {
        if libc::WIFEXITED(status) {
            Self::Exited(libc::WEXITSTATUS(status))
        } else if libc::WIFSIGNALED(status) {
            Self::Killed(libc::WTERMSIG(status))
        } else if libc::WIFSTOPPED(status) {
            match status >> 16 {
                0 if libc::WSTOPSIG(status) == AT_CALL => Self::Call,
                0 => Self::Stopped(libc::WSTOPSIG(status)),
                event => Self::Event(event, libc::WSTOPSIG(status)),
            }
        } else {
            Self::Other
        }
    }
}

fn wait(tid: Tid, flags: c_int) -> Result<Option<(Tid, Status)>, Errno> {
    loop {
        let mut status = 0;
        #[expect(unsafe_code, reason = "nix's waitpid loses statuses with real-time signals")]
        // SAFETY: the status pointer is to a live local.
        let outcome = unsafe { libc::waitpid(tid, &raw mut status, libc::__WALL | libc::__WNOTHREAD | flags) };
        match Errno::result(outcome) {
            Ok(0) => return Ok(None),
            Ok(who) => return Ok(Some((who, Status::decode(status)))),
            Err(Errno::EINTR) => {}
            Err(error) => return Err(error),
        }
    }
}

/// Resumes a process that belongs to no rank.
pub fn pass_on(tid: Tid, signal: i32) {
    // Fails if the process has ended, which its wait status will report.
    let _ = resume(tid, signal);
}

/// Returns the process that a stopped one has just created; 0 if that is unknown.
pub fn new_child(tid: Tid) -> Tid {
    event_message(tid).unwrap_or(0) as Tid
}

/// Detaches from a stopped process that belongs to no rank, with the signal it was about to receive.
pub fn call_off(tid: Tid, status: Status) {
    let signal = match status {
        Status::Stopped(signal) => signal,
        _ => 0,
    };
    let _ = detach(tid, signal);
}

/// Returns a status that is available now, of any tracee or child of this thread but not of other threads' children.
pub fn poll_status() -> Result<Option<(Tid, Status)>, Errno> {
    wait(-1, libc::WNOHANG)
}

/// How often a status is asked for before the tracer thread sleeps in between: a single step takes less.
const EAGER_POLLS: u32 = 100;
/// The longest sleep between two such questions.
const LONGEST_PAUSE: Duration = Duration::from_millis(1);

/// Waits for the next status of one tracee of this thread. Fails with `ECHILD` if it has none to tell by itself: the
/// first thread of a process that ends has its last status withheld until all others have told theirs (ptrace(2)),
/// which they do to this thread, so waitpid(2) without `WNOHANG` would never return.
pub fn await_status(tid: Tid) -> Result<Status, Errno> {
    let (mut polls, mut pause) = (0, Duration::from_micros(20));
    loop {
        if let Some((_, status)) = wait(tid, libc::WNOHANG)? {
            return Ok(status);
        }
        if polls < EAGER_POLLS {
            polls += 1;
            thread::yield_now();
            continue;
        }
        if ProcessStatus::of_thread(tid).is_none_or(|status| status.has_ended()) {
            // Another thread's status is there as soon as it has ended.
            let last = wait(tid, libc::WNOHANG)?;
            return last.map(|(_, status)| status).ok_or(Errno::ECHILD);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::procfs::threads;
    use nix::sys::signal::{Signal, kill};
    use std::io::Read;
    use std::process::{Command, Stdio};

    /// Set for the process of several threads that is traced: this program, whose tests run beside its first thread.
    const TRACED: &str = "RANKSCOPE_TEST_TRACED";

    #[test]
    fn a_first_thread_that_ends_before_the_others_is_not_waited_for() {
        if std::env::var_os(TRACED).is_some() {
            let _ = std::io::stdin().read_to_end(&mut Vec::new());
            return;
        }
        let own = thread::current();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", own.name().unwrap(), "--test-threads", "2"])
            .env(TRACED, "")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let pid = child.id() as Tid;
        while threads(pid).len() < 2 {
            assert!(child.try_wait().unwrap().is_none(), "it has ended");
            thread::yield_now();
        }
        let tids = threads(pid);
        for tid in &tids {
            seize_guest(*tid).unwrap();
            interrupt(*tid).unwrap();
            assert_eq!(await_status(*tid), Ok(Status::Event(libc::PTRACE_EVENT_STOP, libc::SIGTRAP)));
        }
        kill(Pid::from_raw(pid), Signal::SIGKILL).unwrap();
        for tid in tids.iter().filter(|tid| **tid == pid).chain(tids.iter().filter(|tid| **tid != pid)) {
            assert!(matches!(await_status(*tid), Ok(Status::Event(libc::PTRACE_EVENT_EXIT, _))));
            resume(*tid, 0).unwrap();
            let last = if *tid == pid { Err(Errno::ECHILD) } else { Ok(Status::Killed(libc::SIGKILL)) };
            assert_eq!(await_status(*tid), last);
        }
        assert_eq!(await_status(pid), Ok(Status::Killed(libc::SIGKILL)));
        // It has been waited for already.
        assert!(child.wait().is_err());
    }
}
