//! What is said to the terminal when a signal ends this process (signal(7)): a screen that dies by a fault must not leave
//! its terminal as only the screen can use it.
//!
//! The standard library has handlers of its own for SIGSEGV and SIGBUS, which say that a stack has overflowed. They
//! swallow such a signal when another process has sent it, so it is told apart who it comes from.

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

/// Signals that end a process unless it does something about them. Those that ask it to end are the front end's affair.
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

/// So long, in all, a second thread that is to die waits for the one that is saying the words, and how often it looks.
const TURN_MS: u16 = 3000;
const LOOK_MS: u16 = 10;

/// What a handler needs: all of it is made beforehand, for a handler must not allocate (signal-safety(7)).
struct Words {
    bytes: Vec<u8>,
    /// The terminal, and what takes its place on standard output: other threads paint on until the process has ended.
    terminal: OwnedFd,
    nothing: OwnedFd,
    /// How the terminal was.
    termios: Option<Termios>,
    /// What the signals did.
    before: Vec<(Signal, SigAction)>,
}

/// Whoever takes the words out is the only one who has them.
static WORDS: AtomicPtr<Words> = AtomicPtr::new(ptr::null_mut());

/// Whether nobody is saying any words, or has any to say.
static SAID: AtomicBool = AtomicBool::new(true);

/// From now on a fatal signal writes these bytes to the terminal and makes its settings what they are now, once, and
/// then ends the process as it would have; with `None`, signals do again what they did.
pub fn last_words(bytes: Option<&[u8]>) {
    withdraw();
    let Some(bytes) = bytes else { return };
    // Without these two the process ends as it would have.
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
    // What somebody else catches or ignores does not end us; the two of the standard library do.
    words.before.retain(|(signal, action)| match action.handler() {
        SigHandler::SigDfl => true,
        SigHandler::SigIgn => false,
        _ => matches!(signal, Signal::SIGSEGV | Signal::SIGBUS),
    });
    let signals: Vec<Signal> = words.before.iter().map(|(signal, _)| *signal).collect();
    SAID.store(false, Ordering::SeqCst);
    WORDS.store(Box::into_raw(words), Ordering::SeqCst);
    // The signal keeps its handler while it is handled: the same one once more must not end the process before the
    // words are said.
    // All signals wait meanwhile: SIGTTOU would stop a process that is not in the foreground (tcsetattr(3)).
    let flags = SaFlags::SA_SIGINFO | SaFlags::SA_ONSTACK;
    let action = SigAction::new(SigHandler::SigAction(say), flags, SigSet::all());
    for signal in signals {
        // One that cannot be caught goes on to end the process as it did.
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

/// What a signal does. (nix tells it only by changing it.)
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

/// The handler. It calls only what signal-safety(7) lists: `tcsetattr`, `dup2`, `write`, `poll`, `sigaction`, `raise`.
extern "C" fn say(number: c_int, info: *mut siginfo_t, _context: *mut c_void) {
    let words = WORDS.swap(ptr::null_mut(), Ordering::SeqCst);
    #[expect(unsafe_code, reason = "a signal handler reads what it was given")]
    // SAFETY: what was swapped out came from `Box::into_raw` and belongs to this call alone; it is never freed. The kernel
    // gives a handler with SA_SIGINFO a valid `siginfo_t`.
    let (words, by_the_kernel) = unsafe { (words.as_ref(), (*info).si_code > 0) };
    let Ok(signal) = Signal::try_from(number) else { return };
    let mut again = false;
    if let Some(words) = words {
        if let Some(termios) = &words.termios {
            let _ = tcsetattr(borrowed(STDIN_FILENO), SetArg::TCSANOW, termios);
        }
        // A picture that is being written is complete before this writes: writes to a terminal take turns.
        let _ = dup2_stdout(&words.nothing);
        write_all(words.terminal.as_fd(), &words.bytes);
        SAID.store(true, Ordering::SeqCst);
        for (other, action) in &words.before {
            let _ = set(*other, action);
            // A fault happens again on return, and the standard library says what it was.
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
        // It is blocked here, and ends the process when this returns.
        let _ = raise(signal);
    }
}

/// A standard stream, without what `std::io` may have to make first.
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
            // A terminal that is gone needs no words; no signal can interrupt this.
            _ => return,
        }
    }
}
