//! What has run out, and what to do about it. The system's words do not name the limit.

use nix::errno::Errno;
use std::io;

const MEMORY: &str = "out of memory (ulimit -v, or a limit of the batch job)";

/// What stands behind an error when it is of a limit; else nothing.
pub fn exhausted(error: &io::Error) -> &'static str {
    match error.raw_os_error().map(Errno::from_raw) {
        Some(Errno::ENOSPC | Errno::EDQUOT) => {
            " (no space left on the file system: free some, or set XDG_RUNTIME_DIR to another directory)"
        }
        Some(Errno::ENOMEM) => " (out of memory: ulimit -v, or a limit of the batch job)",
        Some(Errno::EAGAIN) => " (out of memory or processes: ulimit -v, ulimit -u, or a limit of the batch job)",
        Some(Errno::EMFILE | Errno::ENFILE) => " (too many open files: ulimit -n)",
        _ => "",
    }
}

/// Whether a process's last words say that it had no memory.
pub fn ran_out(words: &str) -> Option<&'static str> {
    // Rust's own words for an allocation and for a thread; and the system's.
    let signs = ["memory allocation of ", "failed to spawn thread", "Cannot allocate memory"];
    signs.iter().any(|sign| words.contains(sign)).then_some(MEMORY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_named() {
        let of = |errno: Errno| exhausted(&errno.into());
        assert!(of(Errno::ENOSPC).contains("XDG_RUNTIME_DIR") && of(Errno::ENOMEM).contains("ulimit -v"));
        assert!(of(Errno::EAGAIN).contains("ulimit -u") && of(Errno::EMFILE).contains("ulimit -n"));
        assert_eq!(of(Errno::ENOENT), "");
        assert!(ran_out("INFO x\nmemory allocation of 40 bytes failed\nskipping backtrace").is_some());
        assert_eq!(ran_out("INFO memory is fine"), None);
    }
}
