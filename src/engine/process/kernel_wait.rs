//! What a thread sleeps for in the kernel, by its system call and proc(5).

use super::procfs::{ProcessStatus, threads};
use model::{Holder, ProcessName, SystemWait};
use nix::libc;
use std::os::unix::fs::MetadataExt;

/// A sleeping thread and the arguments of its system call.
pub(crate) struct ThreadWords {
    pub(crate) pid: i32,
    pub(crate) tid: i32,
    pub(crate) arguments: [u64; 6],
}

/// The bits of a futex that have the id of a thread (futex(2), `FUTEX_TID_MASK`).
const TID_MASK: u32 = 0x3fff_ffff;
/// The offset of `__owner` in a mutex of glibc, behind `__lock` and `__count`.
const OWNER: u64 = 8;

/// Returns what a thread waits for in a system call; `word` reads its memory, `holder` finds threads.
pub(crate) fn system_wait(
    number: i64,
    thread: &ThreadWords,
    word: &dyn Fn(u64) -> Option<u64>,
    holder: &dyn Fn(u32) -> Option<Holder>,
) -> SystemWait {
    let [first, second, ..] = thread.arguments;
    match number {
        libc::SYS_futex => {
            let of = |at: u64| holder(word(at)? as u32 & TID_MASK);
            SystemWait::Futex { ends: of(first), owner: first.checked_add(OWNER).and_then(of) }
        }
        libc::SYS_wait4 => SystemWait::Child(child(thread, first as i32)),
        // P_PID (waitid(2)).
        libc::SYS_waitid => SystemWait::Child(child(thread, if first == 1 { second as i32 } else { -1 })),
        libc::SYS_flock => file_lock(thread, first as i32),
        libc::SYS_fcntl if [libc::F_SETLKW, libc::F_OFD_SETLKW].contains(&(second as i32)) => {
            file_lock(thread, first as i32)
        }
        libc::SYS_read
        | libc::SYS_pread64
        | libc::SYS_readv
        | libc::SYS_preadv
        | libc::SYS_write
        | libc::SYS_pwrite64
        | libc::SYS_writev
        | libc::SYS_pwritev
        | libc::SYS_recvfrom
        | libc::SYS_recvmsg
        | libc::SYS_sendto
        | libc::SYS_sendmsg
        | libc::SYS_accept
        | libc::SYS_accept4
        | libc::SYS_connect
        | libc::SYS_fsync
        | libc::SYS_fdatasync => {
            let number = first as i32;
            descriptor(thread.pid, number).map_or(SystemWait::Other, |target| SystemWait::Descriptor { number, target })
        }
        _ => SystemWait::Other,
    }
}

/// Returns the wait of a process with a thread that cannot be interrupted: such a thread cannot be stopped.
pub(crate) fn uninterruptible(pid: i32) -> Option<SystemWait> {
    let sleeps = |tid: &i32| ProcessStatus::of_thread(*tid).is_some_and(|status| status.state == 'D');
    let tid = threads(pid).into_iter().find(sleeps)?;
    let function = std::fs::read_to_string(format!("/proc/{pid}/task/{tid}/wchan")).ok();
    let function = function.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty() && name != "0");
    Some(SystemWait::Uninterruptible(function))
}

fn descriptor(pid: i32, number: i32) -> Option<String> {
    let target = std::fs::read_link(format!("/proc/{pid}/fd/{number}")).ok()?;
    Some(target.to_string_lossy().into_owned())
}

/// Returns the child that a thread waits for; without a number, its only one.
fn child(thread: &ThreadWords, wanted: i32) -> Option<ProcessName> {
    if wanted > 0 {
        return Some(named(wanted));
    }
    let text = std::fs::read_to_string(format!("/proc/{}/task/{}/children", thread.pid, thread.tid)).ok()?;
    let mut children = text.split_whitespace().filter_map(|number| number.parse().ok());
    let only = children.next()?;
    children.next().is_none().then(|| named(only))
}

fn named(pid: i32) -> ProcessName {
    let name = ProcessStatus::read(pid).map(|status| status.name).unwrap_or_default();
    ProcessName { pid: pid as u32, name }
}

fn file_lock(thread: &ThreadWords, number: i32) -> SystemWait {
    let Some(target) = descriptor(thread.pid, number) else { return SystemWait::Other };
    let locks = std::fs::read_to_string("/proc/locks").unwrap_or_default();
    let file = std::fs::metadata(format!("/proc/{}/fd/{number}", thread.pid)).ok();
    let file = file.map(|file| {
        let (major, minor) = (libc::major(file.dev()), libc::minor(file.dev()));
        format!("{major:02x}:{minor:02x}:{}", file.ino())
    });
    let holder = file.and_then(|file| holder_of_lock(&locks, &file, thread.pid)).map(named);
    SystemWait::FileLock { target, holder }
}

/// Returns another process that has locked a file, from the text of `/proc/locks`. A thread that has been stopped is not
/// among those that wait there.
fn holder_of_lock(locks: &str, file: &str, waiting: i32) -> Option<i32> {
    let holder = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [_, kind, _, _, pid, locked, ..] = fields.as_slice() else { return None };
        let pid: i32 = pid.parse().ok()?;
        (*kind != "->" && *locked == file && pid > 0 && pid != waiting).then_some(pid)
    };
    locks.lines().find_map(holder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ThreadId;

    fn waits(number: i64, arguments: [u64; 6], words: &[(u64, u64)]) -> SystemWait {
        let own = std::process::id() as i32;
        let word = |at| words.iter().find(|(known, _)| *known == at).map(|(_, word)| *word);
        let holder =
            |tid| (tid > 1).then_some(if tid == 77 { Holder::Thread(ThreadId(2)) } else { Holder::Elsewhere(tid) });
        system_wait(number, &ThreadWords { pid: own, tid: own, arguments }, &word, &holder)
    }

    #[test]
    fn owners_of_locks_and_threads_that_have_to_end_are_found() {
        let mutex = [(0x1000, 2), (0x1008, 77)];
        let owner = Some(Holder::Thread(ThreadId(2)));
        assert_eq!(
            waits(libc::SYS_futex, [0x1000; 6], &mutex),
            SystemWait::Futex { ends: Some(Holder::Elsewhere(2)), owner }
        );
        let joined = [(0x1000, 0x8000_004d)];
        assert_eq!(waits(libc::SYS_futex, [0x1000; 6], &joined), SystemWait::Futex { ends: owner, owner: None });
        assert_eq!(waits(libc::SYS_futex, [u64::MAX; 6], &[]), SystemWait::Futex { ends: None, owner: None });
    }

    #[test]
    fn descriptors_and_children_are_named() {
        let (reader, _writer) = std::io::pipe().unwrap();
        let number = std::os::fd::AsRawFd::as_raw_fd(&reader);
        let wait = waits(libc::SYS_read, [number as u64, 0, 0, 0, 0, 0], &[]);
        let SystemWait::Descriptor { number: found, target } = wait else { panic!("{wait:?}") };
        assert!(found == number && target.starts_with("pipe:["), "{target}");
        assert_eq!(waits(libc::SYS_read, [u64::MAX; 6], &[]), SystemWait::Other);
        let own = std::process::id();
        let SystemWait::Child(Some(child)) = waits(libc::SYS_wait4, [u64::from(own), 0, 0, 0, 0, 0], &[]) else {
            panic!()
        };
        assert!(child.pid == own && !child.name.is_empty());
    }

    #[test]
    fn the_holder_of_a_lock_has_locked_the_same_file() {
        let locks = "1: POSIX  ADVISORY  WRITE 120 08:01:5678 0 EOF\n1: -> POSIX  ADVISORY  WRITE 121 08:01:5678 0 EOF\n\
                     2: FLOCK  ADVISORY  WRITE 130 fe:01:99 0 EOF\n3: OFDLCK ADVISORY WRITE -1 08:01:7 0 EOF\n";
        assert_eq!(
            (holder_of_lock(locks, "08:01:5678", 121), holder_of_lock(locks, "fe:01:99", 9)),
            (Some(120), Some(130))
        );
        assert_eq!((holder_of_lock(locks, "08:01:5678", 120), holder_of_lock(locks, "08:01:7", 9)), (None, None));
        assert_eq!(holder_of_lock("", "08:01:7", 9), None);
    }
}
