//! Functions of the system in which a rank waits for something else than a message.

use super::situation::Doing;

const LOCKS: &[&str] = &[
    "pthread_mutex_lock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "pthread_join",
    "pthread_clockjoin_ex",
    "pthread_timedjoin_ex",
    "pthread_barrier_wait",
    "pthread_spin_lock",
    "sem_wait",
    "sem_timedwait",
    "wait",
    "wait4",
    "waitpid",
    "waitid",
    "flock",
    "fcntl",
    "lockf",
    "semop",
    "msgrcv",
    "GOMP_barrier",
    "GOMP_parallel",
    "GOMP_critical_start",
    "GOMP_taskwait",
    "std::thread::join",
    "std::mutex::lock",
];

const IO: &[&str] = &[
    "read",
    "pread",
    "readv",
    "write",
    "pwrite",
    "writev",
    "fread",
    "fwrite",
    "fgets",
    "fgetc",
    "getc",
    "getchar",
    "getline",
    "scanf",
    "fscanf",
    "__isoc99_scanf",
    "__isoc23_scanf",
    "printf",
    "fprintf",
    "puts",
    "fputs",
    "fflush",
    "open",
    "openat",
    "fopen",
    "close",
    "fclose",
    "fsync",
    "fdatasync",
    "sync",
    "poll",
    "ppoll",
    "select",
    "pselect",
    "epoll_wait",
    "recv",
    "recvfrom",
    "recvmsg",
    "send",
    "sendto",
    "sendmsg",
    "accept",
    "connect",
    "stat",
    "lstat",
    "fstat",
    "unlink",
    "rename",
];

/// Libraries of threads, whose inner functions have no known names.
const THREADS: &[&str] = &["libgomp", "libomp", "libiomp"];

/// Tells by its name what a function of a library waits for.
pub(crate) fn library_call(name: &str, library: Option<&str>) -> Doing {
    let plain = name.split(['(', '@']).next().unwrap_or(name);
    let short = without_prefix(plain);
    let short = short.strip_suffix("64").unwrap_or(short);
    let is = |known: &&str| *known == plain || *known == short;
    let is_of_threads = library.is_some_and(|library| THREADS.iter().any(|known| library.starts_with(known)));
    if is_of_threads || LOCKS.iter().any(is) {
        Doing::Lock(None)
    } else if IO.iter().any(is) || short.starts_with("gfortran_st_") || short.starts_with("gfortran_transfer") {
        Doing::Io(None)
    } else {
        Doing::Library
    }
}

fn without_prefix(name: &str) -> &str {
    name.trim_start_matches("__GI_").trim_start_matches("__libc_").trim_start_matches('_')
}

/// Functions of glibc to which the public ones jump.
const ALIASES: [(&str, &str); 3] =
    [("wait4", "wait4"), ("pthread_clockjoin_ex", "pthread_join"), ("pthread_timedjoin_ex", "pthread_join")];

/// Returns the name by which a program calls a function of the C library: `read` for `__GI___libc_read`.
pub(crate) fn public_name(name: &str) -> &str {
    let short = without_prefix(name);
    if let Some((_, public)) = ALIASES.iter().find(|(alias, _)| *alias == short) {
        return public;
    }
    let is_internal = ["__GI_", "__libc_", "___"].iter().any(|prefix| name.starts_with(prefix));
    let public = if is_internal { short } else { name };
    let is_known = |name: &str| LOCKS.contains(&name) || IO.contains(&name);
    public.strip_suffix("64").filter(|plain| is_known(plain)).unwrap_or(public)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_c_library_are_known_in_all_forms() {
        for name in ["read", "__GI___read", "__libc_read", "pread64", "_gfortran_st_write", "_IO_fgets"] {
            let expected = if name == "_IO_fgets" { Doing::Library } else { Doing::Io(None) };
            assert_eq!(library_call(name, None), expected, "{name}");
        }
        assert_eq!(library_call("___pthread_mutex_lock", Some("libc.so.6")), Doing::Lock(None));
        for (name, public) in [
            ("___pthread_mutex_lock", "pthread_mutex_lock"),
            ("__GI___libc_read", "read"),
            ("__pthread_clockjoin_ex", "pthread_join"),
            ("fcntl64", "fcntl"),
            ("_exit", "_exit"),
        ] {
            assert_eq!(public_name(name), public);
        }
        assert_eq!(library_call("sleep", Some("libc.so.6")), Doing::Library);
        assert_eq!(library_call("", Some("libgomp.so.1")), Doing::Lock(None));
    }
}
