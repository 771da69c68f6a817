//! Restores the terminal when a signal ends this process (signal(7)), so that a crash of the screen does not leave the
//! terminal in raw mode.
//!
//! The standard library has its own handlers for SIGSEGV and SIGBUS, which report a stack overflow. They ignore such a
//! signal when another process has sent it, so the sender is checked here.

use nix::libc::{STDIN_FILENO, c_int, c_void, siginfo_t};
use nix::poll::poll;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, raise, sigaction};
use nix::sys::termios::{SetArg, Termios, tcgetattr, tcsetattr};
use nix::unistd::dup2_stdout;
use std::fs::File;
use std::io::{stdin, stdout};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// Signals that end a process by default. The front end handles the requests to quit itself.
const FATAL: [Signal; 15] = [
    Signal::SIGSEGV,
    Signal::SIGBUS,
    Signal::SIGFPE,
    Signal::SIGILL,
    Signal::SIGABRT,
    Signal::SIGSYS,
    Signal::SIGTRAP,
    Signal::SIGQUIT,
    Signal::SIGXCPU,
    Signal::SIGXFSZ,
    Signal::SIGALRM,
    Signal::SIGVTALRM,
    Signal::SIGPROF,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
];

/// A second dying thread waits at most this long, in milliseconds, for the one that writes, polling at `LOOK_MS`.
const TURN_MS: u16 = 3000;
const LOOK_MS: u16 = 10;

/// The handler's data, made beforehand: a handler must not allocate (signal-safety(7)).
struct Words {
    bytes: Vec<u8>,
    /// The terminal, and the replacement for standard output: other threads paint until the process has ended.
    terminal: OwnedFd,
    nothing: OwnedFd,
    /// The terminal's settings to restore.
    termios: Option<Termios>,
    /// The signals' original actions.
    before: Vec<(Signal, SigAction)>,
}

/// Swapped out by the one thread that uses the words.
static WORDS: AtomicPtr<Words> = AtomicPtr::new(ptr::null_mut());

/// True if no thread writes the words, and none are set.
static SAID: AtomicBool = AtomicBool::new(true);

/// Makes a fatal signal write these bytes to the terminal and restore its current settings, once, before it ends the
/// process as usual; `None` restores the signals' earlier actions.
pub fn last_words(bytes: Option<&[u8]>) {
    withdraw();
    let Some(bytes) = bytes else { return };
    // Without these two the signals keep their actions.
    let (Ok(terminal), Ok(nothing)) =
        (stdout().as_fd().try_clone_to_owned(), File::options().write(true).open("/dev/null"))
    else {
        return;
    };
    let mut words = Box::new(Words {
        bytes: bytes.to_vec(),
        terminal,
        nothing: nothing.into(),
        termios: tcgetattr(stdin()).ok(),
        before: FATAL.iter().filter_map(|signal| Some((*signal, current(*signal)?))).collect(),
    });
    // A signal that is already caught or ignored does not end the process, except for the standard library's two.
    words.before.retain(|(signal, action)| match action.handler() {
        SigHandler::SigDfl => true,
        SigHandler::SigIgn => false,
        _ => matches!(signal, Signal::SIGSEGV | Signal::SIGBUS),
    });
    let signals: Vec<Signal> = words.before.iter().map(|(signal, _)| *signal).collect();
    SAID.store(false, Ordering::SeqCst);
    WORDS.store(Box::into_raw(words), Ordering::SeqCst);
    // The handler stays installed while it runs: a second signal of the same kind must not end the process before the
    // words are written. All signals are blocked meanwhile: SIGTTOU would stop a background process (tcsetattr(3)).
    let flags = SaFlags::SA_SIGINFO | SaFlags::SA_ONSTACK;
    let action = SigAction::new(SigHandler::SigAction(say), flags, SigSet::all());
    for signal in signals {
        // A signal that cannot be caught ends the process as before.
        let _ = set(signal, &action);
    }
}

fn withdraw() {
    let words = WORDS.swap(ptr::null_mut(), Ordering::SeqCst);
    if words.is_null() {
        return;
    }
    #[expect(unsafe_code, reason = "what a handler may take has an owner again")]
    // SAFETY: the pointer comes from `Box::into_raw` above, and the swap gave it to this call alone.
    let words = unsafe { Box::from_raw(words) };
    SAID.store(true, Ordering::SeqCst);
    for (signal, action) in &words.before {
        let _ = set(*signal, action);
    }
}

/// Returns a signal's current action, which nix reveals only by changing it.
fn current(signal: Signal) -> Option<SigAction> {
    let default = SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty());
    let before = set(signal, &default)?;
    set(signal, &before)?;
    Some(before)
}

fn set(signal: Signal, action: &SigAction) -> Option<SigAction> {
    #[expect(unsafe_code, reason = "a signal handler is installed")]
    // SAFETY: the actions set here are the default one, those that were in place before, and `say`, which calls only
    // functions that a handler may call.
    unsafe { sigaction(signal, action) }.ok()
}

/// The signal handler. Calls only `tcsetattr`, `dup2`, `write`, `poll`, `sigaction` and `raise` (signal-safety(7)).
extern "C" fn say(number: c_int, info: *mut siginfo_t, _context: *mut c_void) {
    let words = WORDS.swap(ptr::null_mut(), Ordering::SeqCst);
    #[expect(unsafe_code, reason = "a signal handler reads what it was given")]
    // SAFETY: what was swapped out came from `Box::into_raw` and belongs to this call alone; it is never freed. The
    // kernel gives a handler with SA_SIGINFO a valid `siginfo_t`.
    let (words, by_the_kernel) = unsafe { (words.as_ref(), (*info).si_code > 0) };
    let Ok(signal) = Signal::try_from(number) else { return };
    let mut again = false;
    if let Some(words) = words {
        if let Some(termios) = &words.termios {
            let _ = tcsetattr(borrowed(STDIN_FILENO), SetArg::TCSANOW, termios);
        }
        // A frame being painted is completed before this write: writes to a terminal are serialised.
        let _ = dup2_stdout(&words.nothing);
        write_all(words.terminal.as_fd(), &words.bytes);
        SAID.store(true, Ordering::SeqCst);
        for (other, action) in &words.before {
            let _ = set(*other, action);
            // A fault recurs on return, and then the standard library reports it.
            again |= *other == signal && by_the_kernel && !matches!(action.handler(), SigHandler::SigDfl);
        }
    } else {
        for _ in 0..TURN_MS / LOOK_MS {
            if SAID.load(Ordering::SeqCst) {
                break;
            }
            let _ = poll(&mut [], LOOK_MS);
        }
    }
    if !again {
        let _ = set(signal, &SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty()));
        // It is blocked here, and ends the process on return.
        let _ = raise(signal);
    }
}

/// Borrows a standard stream without the initialisation of `std::io`.
fn borrowed(descriptor: c_int) -> BorrowedFd<'static> {
    #[expect(unsafe_code, reason = "a signal handler must not take the locks of the standard streams")]
    // SAFETY: the standard streams of the front end stay open until it ends.
    unsafe {
        BorrowedFd::borrow_raw(descriptor)
    }
}

fn write_all(terminal: BorrowedFd<'_>, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        match nix::unistd::write(terminal, bytes) {
            Ok(written @ 1..) => bytes = bytes.get(written..).unwrap_or_default(),
            // The terminal is gone; EINTR cannot happen, since all signals are blocked.
            _ => return,
        }
    }
}
