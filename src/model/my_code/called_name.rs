//! The names by which programs call functions of libraries, of which debuggers see others.

/// Functions of the C library that programs wait in, by the names that programs use. The library's own names for them begin
/// with underscores (`__poll`, `___pthread_mutex_lock`, `__libc_read`, `_IO_puts`).
const C_LIBRARY: &[&str] = &[
    "abort",
    "accept",
    "clock_nanosleep",
    "close",
    "connect",
    "epoll_wait",
    "exit",
    "fclose",
    "fflush",
    "fgets",
    "fopen",
    "fputs",
    "fread",
    "fsync",
    "fwrite",
    "getline",
    "kill",
    "lockf",
    "nanosleep",
    "open",
    "openat",
    "pause",
    "poll",
    "ppoll",
    "pread",
    "printf",
    "pselect",
    "pthread_barrier_wait",
    "pthread_cond_clockwait",
    "pthread_cond_timedwait",
    "pthread_cond_wait",
    "pthread_join",
    "pthread_kill",
    "pthread_mutex_lock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
    "puts",
    "pwrite",
    "raise",
    "read",
    "readv",
    "recv",
    "recvfrom",
    "recvmsg",
    "sched_yield",
    "select",
    "sem_timedwait",
    "sem_wait",
    "send",
    "sendmsg",
    "sendto",
    "sigsuspend",
    "sigwait",
    "sleep",
    "tcdrain",
    "usleep",
    "wait",
    "wait3",
    "wait4",
    "waitid",
    "waitpid",
    "write",
    "writev",
];

/// Returns the name by which a program calls a function that has several, of which libraries show another: `PMPI_Send`
/// is also `MPI_Send`, and only a tool that wraps `MPI_Send` calls it by that name; `__GI_raise` is `raise` within glibc.
/// Compilers of Fortran append underscores, and its modules for MPI their own endings: `mpi_send__` is `mpi_send`.
pub fn called_name<'a>(name: &'a str, caller: Option<&str>) -> &'a str {
    if let Some(name) = of_c_library(name) {
        return name;
    }
    let name = name.strip_prefix("__GI_").unwrap_or(name);
    let wraps = caller.is_some_and(|caller| caller.starts_with("MPI_") || caller.starts_with("mpi_"));
    let name = match name.strip_prefix(['P', 'p']) {
        Some(plain) if !wraps && (plain.starts_with("MPI_") || plain.starts_with("mpi_")) => plain,
        _ => name,
    };
    if !name.starts_with("mpi_") && !name.starts_with("pmpi_") {
        return name;
    }
    let plain = name.trim_end_matches('_');
    plain.strip_suffix("_f08ts").or_else(|| plain.strip_suffix("_f08")).unwrap_or(plain)
}

/// Returns the program's name for a function of the C library that has the library's own name.
fn of_c_library(name: &str) -> Option<&str> {
    let own = name.strip_prefix('_')?;
    let own = own.strip_prefix("_GI_").unwrap_or(own).trim_start_matches('_');
    let own = ["libc_", "IO_new_", "IO_"].into_iter().find_map(|prefix| own.strip_prefix(prefix)).unwrap_or(own);
    let own = own.strip_suffix("_chk").or_else(|| own.strip_suffix("64")).unwrap_or(own);
    // In glibc these calls end in functions that do what several have in common.
    let own = match own {
        "pthread_clockjoin_ex" => "pthread_join",
        "new_sem_wait" | "new_sem_wait_slow" => "sem_wait",
        own => own,
    };
    C_LIBRARY.binary_search(&own).ok().and_then(|at| C_LIBRARY.get(at).copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_mpi_in_fortran_have_one_name() {
        for name in ["mpi_recv", "mpi_recv_", "mpi_recv__", "pmpi_recv_", "mpi_recv_f08_", "mpi_recv_f08ts_"] {
            assert_eq!(called_name(name, Some("MAIN__")), "mpi_recv", "{name}");
        }
        assert_eq!(called_name("exchange_", Some("MAIN__")), "exchange_", "a function of the user");
    }

    #[test]
    fn calls_of_the_c_library_have_the_names_of_its_manual() {
        assert!(C_LIBRARY.is_sorted());
        for (name, called) in [
            ("__sleep", "sleep"),
            ("___pthread_mutex_lock", "pthread_mutex_lock"),
            ("__pthread_clockjoin_ex", "pthread_join"),
            ("__new_sem_wait_slow64", "sem_wait"),
            ("__GI___poll", "poll"),
            ("__GI___libc_read", "read"),
            ("_IO_puts", "puts"),
            ("_IO_new_fclose", "fclose"),
            ("__poll_chk", "poll"),
            ("__libc_pread64", "pread"),
            ("__GI_something", "something"),
            ("__libc_start_main_impl", "__libc_start_main_impl"),
            ("__kmpc_barrier", "__kmpc_barrier"),
            ("_sleeping", "_sleeping"),
            ("poll", "poll"),
            ("_", "_"),
        ] {
            assert_eq!(called_name(name, Some("main")), called, "{name}");
        }
    }
}
