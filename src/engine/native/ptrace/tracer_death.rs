//! Notices the death of a thread before the kernel detaches its tracees. The pipes of a killed process are closed by
//! its last thread to end, when tracees of another may run already. A robust mutex in shared memory is released first
//! (futex(2), `FUTEX_OWNER_DIED`).

use nix::libc;
use nix::sys::memfd::{MFdFlags, memfd_create};
use std::io;
use std::mem::size_of;
use std::os::fd::{AsFd, AsRawFd as _, OwnedFd};

const LENGTH: usize = size_of::<libc::pthread_mutex_t>();

/// Maps the mutex permanently: the kernel reads it when the thread ends.
fn mapped(memory: impl AsFd) -> io::Result<*mut libc::pthread_mutex_t> {
    let memory = memmap2::MmapOptions::new().len(LENGTH).map_raw(memory.as_fd().as_raw_fd())?;
    Ok(Box::leak(Box::new(memory)).as_mut_ptr().cast())
}

fn checked(outcome: libc::c_int) -> io::Result<()> {
    if outcome == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(outcome)) }
}

/// Creates shared memory with a mutex that signals the end of the calling thread.
#[expect(unsafe_code, reason = "the mutexes of Rust are not robust")]
pub(in crate::native) fn of_this_thread() -> io::Result<OwnedFd> {
    let memory = memfd_create(c"last-breath", MFdFlags::MFD_CLOEXEC)?;
    nix::unistd::ftruncate(&memory, i64::try_from(LENGTH).unwrap_or(i64::MAX))?;
    let mutex = mapped(&memory)?;
    let mut attributes = std::mem::MaybeUninit::<libc::pthread_mutexattr_t>::uninit();
    // SAFETY: the attributes are made before they are used, and the mutex is in memory that stays mapped and that
    // nobody else knows yet.
    unsafe {
        checked(libc::pthread_mutexattr_init(attributes.as_mut_ptr()))?;
        checked(libc::pthread_mutexattr_setpshared(attributes.as_mut_ptr(), libc::PTHREAD_PROCESS_SHARED))?;
        checked(libc::pthread_mutexattr_setrobust(attributes.as_mut_ptr(), libc::PTHREAD_MUTEX_ROBUST))?;
        checked(libc::pthread_mutex_init(mutex, attributes.as_ptr()))?;
        checked(libc::pthread_mutex_lock(mutex))?;
    }
    Ok(memory)
}

/// Waits for the end of the thread that created this memory; fails if that cannot be noticed.
#[expect(unsafe_code, reason = "the mutexes of Rust are not robust")]
pub(in crate::native) fn wait(memory: impl AsFd) -> io::Result<()> {
    let length = nix::sys::stat::fstat(&memory)?.st_size;
    if usize::try_from(length).ok() != Some(LENGTH) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mutex = mapped(memory)?;
    // SAFETY: it was made before this process was started, and whoever made it has it locked.
    match unsafe { libc::pthread_mutex_lock(mutex) } {
        libc::EOWNERDEAD => Ok(()),
        other => Err(io::Error::from_raw_os_error(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_thread_is_heard() {
        let memory = std::thread::spawn(|| of_this_thread().unwrap()).join().unwrap();
        wait(&memory).unwrap();
        assert!(wait(std::fs::File::open("/dev/null").unwrap()).is_err());
    }
}
