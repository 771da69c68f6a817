//! Memory that the allocator keeps for a later use that may never come.

/// Returns freed memory to the system: the allocator keeps it per thread, and the caller's threads will be idle.
#[expect(unsafe_code, reason = "malloc_trim(3)")]
pub fn give_back_freed_memory() {
    #[cfg(target_env = "gnu")]
    // SAFETY: it takes a number, and is safe beside other threads that allocate.
    unsafe {
        nix::libc::malloc_trim(0);
    }
}
