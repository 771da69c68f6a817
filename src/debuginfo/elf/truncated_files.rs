//! Files that are overwritten or cut while they are mapped. Touching a page after the end of such a file raises SIGBUS
//! (mmap(2)), which would end the server and with it every rank. So SIGBUS has a handler: in one of our files, it
//! replaces the page with zeros, and the file is reported as damaged.

use nix::errno::Errno;
use nix::libc::{self, c_int, c_void, siginfo_t};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The limit on watched files; any more go unwatched.
const MOST: usize = 4096;
const PAGE: usize = 4096;

struct Mapped {
    start: AtomicUsize,
    end: AtomicUsize,
    cut: AtomicBool,
}

static FILES: [Mapped; MOST] =
    [const { Mapped { start: AtomicUsize::new(0), end: AtomicUsize::new(0), cut: AtomicBool::new(false) } }; MOST];
static TAKEN: AtomicUsize = AtomicUsize::new(0);
static BEFORE: OnceLock<SigAction> = OnceLock::new();

/// A file that is mapped for good.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watched(usize);

impl Watched {
    /// Makes pages that the file loses read as zeros. `None` if there are too many files or the handler cannot be
    /// installed.
    pub(crate) fn new(mapped: &'static [u8]) -> Option<Self> {
        install()?;
        let number = TAKEN.fetch_add(1, Ordering::Relaxed);
        let file = FILES.get(number)?;
        let start = mapped.as_ptr() as usize;
        file.end.store(start.checked_add(mapped.len())?, Ordering::Relaxed);
        file.start.store(start, Ordering::Release);
        Some(Self(number))
    }

    /// True if a page that the file has lost was needed.
    pub(crate) fn is_cut(self) -> bool {
        FILES.get(self.0).is_some_and(|file| file.cut.load(Ordering::Acquire))
    }
}

extern "C" fn on_bus_error(signal: c_int, information: *mut siginfo_t, context: *mut c_void) {
    let errno = Errno::last_raw();
    #[expect(unsafe_code, reason = "the address that was touched is in the signal's information")]
    // SAFETY: the kernel gives a handler with SA_SIGINFO information that is valid until it returns (sigaction(2)).
    let address = unsafe { (*information).si_addr() } as usize;
    let touched = FILES.iter().find(|file| {
        let start = file.start.load(Ordering::Acquire);
        start != 0 && (start..file.end.load(Ordering::Relaxed).next_multiple_of(PAGE)).contains(&address)
    });
    if let Some(file) = touched {
        file.cut.store(true, Ordering::Release);
        let page = address & !(PAGE - 1);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
        #[expect(unsafe_code, reason = "a page of the mapping is exchanged")]
        // SAFETY: the page is within a mapping of ours that is never undone, cannot be read as it is, and is read only.
        let mapped = unsafe { libc::mmap(page as *mut c_void, PAGE, libc::PROT_READ, flags, -1, 0) };
        if mapped != libc::MAP_FAILED {
            Errno::set_raw(errno);
            return;
        }
    }
    match BEFORE.get().map(SigAction::handler) {
        Some(SigHandler::Handler(handler)) => handler(signal),
        Some(SigHandler::SigAction(handler)) => handler(signal, information, context),
        _ => {
            #[expect(unsafe_code, reason = "the signal does what it does without a handler")]
            // SAFETY: signal(2) may be called in a handler; the instruction is executed again and the process ends.
            unsafe {
                libc::signal(signal, libc::SIG_DFL);
            }
        }
    }
}

fn install() -> Option<()> {
    static INSTALLED: Mutex<bool> = Mutex::new(false);
    let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    if !*installed {
        let flags = SaFlags::SA_SIGINFO | SaFlags::SA_ONSTACK;
        let action = SigAction::new(SigHandler::SigAction(on_bus_error), flags, SigSet::empty());
        #[expect(unsafe_code, reason = "a signal handler is installed")]
        // SAFETY: the handler calls only mmap(2) and signal(2), or the handler that was there before, and keeps errno.
        let before = unsafe { sigaction(Signal::SIGBUS, &action) }.ok()?;
        let _ = BEFORE.set(before);
        *installed = true;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use crate::elf::file::ElfFile;
    use std::fs::File;
    use std::path::Path;

    #[test]
    fn what_a_file_loses_is_zeros_and_known() {
        let copy = tempfile::NamedTempFile::new().unwrap();
        std::fs::copy("/proc/self/exe", copy.path()).unwrap();
        let map = |path: &Path| ElfFile::map(&File::open(path).unwrap(), path).unwrap();
        let (cut, whole) = (map(copy.path()), map(Path::new("/proc/self/exe")));
        let middle = cut.data.len() / 2;
        File::options().write(true).open(copy.path()).unwrap().set_len(middle as u64).unwrap();
        assert_eq!(cut.data[..64], whole.data[..64]);
        assert!(!cut.is_cut());
        let behind = middle.next_multiple_of(4096);
        assert!(cut.data[behind..].iter().all(|byte| *byte == 0) && whole.data[behind..].iter().any(|byte| *byte != 0));
        assert!(cut.is_cut() && !whole.is_cut());
    }
}
