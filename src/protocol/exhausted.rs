//! Names the exhausted resource and the limit to raise, which the system's messages do not.

use nix::errno::Errno;
use std::io;

const MEMORY: &str = "out of memory (ulimit -v, or a limit of the batch job)";

/// Returns a parenthesis to append to the message of an error that a limit caused; empty for other errors.
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

/// Returns the words for the user if a process's last output says that it had no memory.
pub fn ran_out(words: &str) -> Option<&'static str> {
    // Rust's messages for a failed allocation and a failed thread, then the system's.
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
