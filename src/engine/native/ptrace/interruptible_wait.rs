//! Waiting for the next status of any tracee, until other work arrives.
//!
//! waitpid(2) has no counterpart of ppoll(2): it misses a signal that arrives between the last check for other work and
//! the system call. So the check and the call are one piece of code whose addresses are known, and the signal's handler
//! sends a thread that it finds there back to the check. A status then wakes the tracer in the kernel itself: no
//! SIGCHLD, no handler, and nothing to read afterwards.

use super::requests::{Status, Tid};
use code::{rankscope_wait, rankscope_wait_done, rankscope_wait_look};
use nix::errno::Errno;
use nix::libc::{self, c_int, c_void, siginfo_t, ucontext_t};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
use std::sync::atomic::{AtomicU32, Ordering};

/// The signal that ends a wait. It is not sent unasked, and is ignored without a handler (signal(7)).
pub(super) const CALL: Signal = Signal::SIGURG;

#[expect(unsafe_code, reason = "the look and the system call are told apart by their addresses")]
mod code {
    use super::{AtomicU32, c_int, libc};

    // `wait4(-1, status, options, NULL)` unless the number at `called` is not zero; what the kernel says. `r8` and the
    // arguments are as they were when the call is restarted (SA_RESTART), at its instruction.
    //
    // SAFETY: a function of the C ABI that changes only registers a caller does not rely on, and what wait4(2) writes.
    std::arch::global_asm!(
        ".pushsection .text.rankscope_wait, \"ax\", @progbits",
        ".globl rankscope_wait",
        ".hidden rankscope_wait",
        ".type rankscope_wait, @function",
        "rankscope_wait:",
        "mov r8, rdi",
        "mov rdi, -1",
        "xor r10d, r10d",
        ".globl rankscope_wait_look",
        ".hidden rankscope_wait_look",
        "rankscope_wait_look:",
        "cmp dword ptr [r8], 0",
        "jne 2f",
        "mov eax, {wait4}",
        "syscall",
        ".globl rankscope_wait_done",
        ".hidden rankscope_wait_done",
        "rankscope_wait_done:",
        "ret",
        "2:",
        "mov rax, {interrupted}",
        "ret",
        ".size rankscope_wait, . - rankscope_wait",
        ".popsection",
        wait4 = const libc::SYS_wait4,
        interrupted = const -libc::EINTR,
    );

    unsafe extern "C" {
        pub(super) fn rankscope_wait(called: *const AtomicU32, status: *mut c_int, options: c_int) -> isize;
        pub(super) static rankscope_wait_look: u8;
        pub(super) static rankscope_wait_done: u8;
    }
}

extern "C" fn on_call(_: c_int, _: *mut siginfo_t, context: *mut c_void) {
    let (look, done) = (&raw const rankscope_wait_look as i64, &raw const rankscope_wait_done as i64);
    #[expect(unsafe_code, reason = "a signal handler looks at what it interrupted")]
    // SAFETY: the kernel gives a handler with SA_SIGINFO the context that it interrupted, which nobody else uses.
    let registers = unsafe { &mut (*context.cast::<ucontext_t>()).uc_mcontext.gregs };
    let (pc, called) = (libc::REG_RIP as usize, libc::REG_R8 as usize);
    if registers[pc] < look || registers[pc] >= done {
        return;
    }
    #[expect(unsafe_code, reason = "a signal handler looks at what it interrupted")]
    // SAFETY: between these addresses `r8` points to the number that `wait_unless` was given, which outlives the call.
    let called = unsafe { &*(registers[called] as *const AtomicU32) };
    // A timer only sends the signal and does not set the number.
    called.store(1, Ordering::SeqCst);
    registers[pc] = look;
}

/// Installs the signal handler.
pub(super) fn install() -> Result<(), Errno> {
    let flags = SaFlags::SA_RESTART | SaFlags::SA_SIGINFO | SaFlags::SA_ONSTACK;
    let action = SigAction::new(SigHandler::SigAction(on_call), flags, SigSet::empty());
    #[expect(unsafe_code, reason = "a signal handler is installed")]
    // SAFETY: the handler changes an atomic number and the registers it was given, and calls nothing.
    unsafe { sigaction(CALL, &action) }?;
    heed_children()
}

/// Resets SIGCHLD if it was inherited as ignored (`SIG_IGN`), which would make it impossible to wait for children.
fn heed_children() -> Result<(), Errno> {
    #[expect(unsafe_code, reason = "nix does not tell what a signal does without changing it")]
    // SAFETY: sigaction is plain data, for which zeros are a value; only that live local is written.
    let ignored = unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        Errno::result(libc::sigaction(libc::SIGCHLD, std::ptr::null(), &raw mut now))?;
        now.sa_sigaction == libc::SIG_IGN
    };
    if ignored {
        let action = SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty());
        #[expect(unsafe_code, reason = "a signal gets its default action")]
        // SAFETY: no handler is involved.
        unsafe { sigaction(Signal::SIGCHLD, &action) }?;
    }
    Ok(())
}

/// The outcome of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waited {
    /// A tracee or child of this thread has this status.
    Said(Tid, Status),
    /// There is other work.
    Called,
    /// This thread has no tracees or children.
    Alone,
}

/// Waits for a status of any tracee or child of this thread, unless `called` is not zero or becomes so and [`CALL`] is
/// sent to the thread afterwards.
pub(super) fn wait_unless(called: &AtomicU32) -> Waited {
    let mut status = 0;
    #[expect(unsafe_code, reason = "a wait that can be called off")]
    // SAFETY: both pointers are to live places for as long as the call takes.
    let outcome = unsafe { rankscope_wait(called, &raw mut status, libc::__WALL | libc::__WNOTHREAD) };
    match outcome {
        who if who > 0 => Waited::Said(who as Tid, Status::decode(status)),
        error if error == -(libc::ECHILD as isize) => Waited::Alone,
        _ => Waited::Called,
    }
}
