//! Information of proc(5) about any process.

use model::{Answer, ErrorCode, Failure, ResourceLimit};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The lines of `/proc/PID/status` that are used here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessStatus {
    /// The first 15 bytes of the program's name, as the kernel keeps it.
    pub name: String,
    /// `R`, `S`, `D`, `T` (stopped by a signal), `t` (by a tracer), `Z` (ended, not waited for), …
    pub state: char,
    /// The process id (thread group) of the thread.
    pub process: i32,
    /// The parent's process id.
    pub parent: i32,
    /// The kernel id of the tracing thread; 0 without a tracer.
    pub tracer: i32,
    /// The real user id.
    pub user: u32,
    /// False for kernel threads and for threads that have ended.
    pub has_memory: bool,
}

impl ProcessStatus {
    /// Reads the status of a process or of one of its threads; `None` if the number is unused. If the first thread has
    /// ended and others have not, it is theirs.
    pub fn read(pid: i32) -> Option<Self> {
        let first = Self::of_thread(pid)?;
        if !first.has_ended() || first.process != pid {
            return Some(first);
        }
        let mut others = threads(pid).into_iter().filter(|tid| *tid != pid).filter_map(Self::of_thread);
        Some(others.find(|other| !other.has_ended()).unwrap_or(first))
    }

    /// Reads the status of exactly this thread.
    pub fn of_thread(tid: i32) -> Option<Self> {
        Self::parse(&std::fs::read_to_string(format!("/proc/{tid}/status")).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let field = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
            Some(line.trim())
        };
        let first = |name: &str| field(name)?.split_whitespace().next();
        Some(Self {
            name: field("Name")?.to_owned(),
            state: field("State")?.chars().next()?,
            process: first("Tgid")?.parse().ok()?,
            parent: first("PPid")?.parse().ok()?,
            tracer: first("TracerPid")?.parse().ok()?,
            user: first("Uid")?.parse().ok()?,
            has_memory: field("VmSize").is_some(),
        })
    }

    /// True for a zombie or a dead process.
    pub fn has_ended(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }
}

/// Returns the thread whose `/proc` entry shows the memory and the files of a process: that of an ended first thread
/// shows none, even while others run.
pub fn witness(pid: i32) -> i32 {
    let has_ended = |tid: i32| ProcessStatus::of_thread(tid).is_none_or(|status| status.has_ended());
    if !has_ended(pid) {
        return pid;
    }
    threads(pid).into_iter().find(|tid| !has_ended(*tid)).unwrap_or(pid)
}

/// Returns the pending, unblocked signals of a thread and its process as a bit mask; the lowest bit is signal 1.
pub fn waiting_signals(tid: i32) -> u64 {
    std::fs::read_to_string(format!("/proc/{tid}/status")).map_or(0, |text| waiting_in(&text))
}

fn waiting_in(status: &str) -> u64 {
    let of = |name: &str| signals_in(status, name).unwrap_or(0);
    (of("SigPnd") | of("ShdPnd")) & !of("SigBlk")
}

/// Returns a mask of signals by its name.
fn signals_in(status: &str, name: &str) -> Option<u64> {
    let digits = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    u64::from_str_radix(digits.trim(), 16).ok()
}

/// True if the program has a handler for a signal, or if that is unknown.
pub fn handles_signal(tid: i32, number: i32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{tid}/status")).unwrap_or_default();
    signals_in(&status, "SigCgt").is_none_or(|caught| caught >> (number - 1) & 1 != 0)
}

/// Returns the time that a thread has had on a processor, in microseconds; `None` for a thread that is gone, or without
/// `CONFIG_SCHED_INFO` in the kernel.
pub fn processor_time(pid: i32, tid: i32) -> Option<u64> {
    processor_time_in(&std::fs::read_to_string(format!("/proc/{pid}/task/{tid}/schedstat")).ok()?)
}

fn processor_time_in(schedstat: &str) -> Option<u64> {
    let nanoseconds: u64 = schedstat.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1000)
}

/// Returns the limits on the resources of a process.
pub fn limits(pid: i32) -> std::io::Result<Vec<ResourceLimit>> {
    let table = std::fs::read_to_string(format!("/proc/{}/limits", witness(pid)))?;
    Ok(ResourceLimit::parse_table(&table))
}

/// The same as an answer.
pub fn limits_answer(pid: i32) -> Answer {
    limits(pid).map_or_else(
        |error| Answer::Failed(Failure::new(ErrorCode::NOT_RUN, format!("cannot read /proc/{pid}/limits: {error}"))),
        Answer::Limits,
    )
}

/// Returns the limit of the first thread's stack in bytes; `None` if it has none.
pub fn stack_limit(pid: i32) -> Option<u64> {
    limits(pid).ok()?.into_iter().find(|limit| limit.name == "stack size")?.soft
}

/// True if seccomp(2) filters the system calls of a thread, or if that is unknown.
pub fn has_filters(tid: i32) -> bool {
    std::fs::read_to_string(format!("/proc/{tid}/status")).map_or(true, |text| seccomp_in(&text).0)
}

/// True if a thread's seccomp filters differ from those of this process, or if that is unknown: equal ones come from a
/// common ancestor (a container).
pub fn has_filters_of_its_own(tid: i32) -> bool {
    let of = |tid: i32| std::fs::read_to_string(format!("/proc/{tid}/status")).map(|text| seccomp_in(&text));
    match (of(tid), of(std::process::id() as i32)) {
        (Ok((false, _)), _) => false,
        (Ok(theirs), Ok(own)) => theirs != own,
        _ => true,
    }
}

/// Returns true if seccomp is active, and the number of filters.
fn seccomp_in(status: &str) -> (bool, u32) {
    let of = |name: &str| {
        let number = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        number.and_then(|number| number.trim().parse::<u32>().ok())
    };
    // A kernel without seccomp omits the lines.
    (of("Seccomp").unwrap_or(0) != 0, of("Seccomp_filters").unwrap_or(0))
}

/// Returns the command line of a process, or its name if it has none (any more).
pub fn command_line(pid: i32) -> Vec<String> {
    let bytes = std::fs::read(format!("/proc/{}/cmdline", witness(pid))).unwrap_or_default();
    let bytes = bytes.strip_suffix(&[0]).unwrap_or(&bytes);
    if bytes.is_empty() {
        return ProcessStatus::read(pid).map(|status| status.name).into_iter().collect();
    }
    bytes.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// Describes a process for a message: `process 12 (gdb -p 11)`.
pub fn described(pid: i32) -> String {
    const MOST: usize = 60;
    let line: String = command_line(pid).join(" ").chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match line.char_indices().nth(MOST) {
        _ if line.is_empty() => format!("process {pid}"),
        Some((end, _)) => format!("process {pid} ({}…)", line.get(..end).unwrap_or_default()),
        None => format!("process {pid} ({line})"),
    }
}

/// Looks up a variable in an environment block.
pub fn variable_of(environment: &[u8], name: &str) -> Option<String> {
    let mut variables = environment.split(|byte| *byte == 0);
    let value = variables.find_map(|line| line.strip_prefix(name.as_bytes())?.strip_prefix(b"="))?;
    Some(String::from_utf8_lossy(value).into_owned())
}

/// Returns the initial environment of a process, as it is in memory; empty if it may not be read.
pub fn environment(pid: i32) -> Vec<u8> {
    std::fs::read(format!("/proc/{}/environ", witness(pid))).unwrap_or_default()
}

/// Returns a path by which a process's program can be opened, even if its file has been replaced since.
pub fn executable(pid: i32) -> PathBuf {
    match link(pid, "exe") {
        (_, Some(path)) if !is_replaced(&path) => path,
        (itself, _) => itself,
    }
}

/// Returns the working directory of a process; empty when it is gone.
pub fn directory(pid: i32) -> PathBuf {
    link(pid, "cwd").1.unwrap_or_default()
}

/// Reads a link in `/proc/PID`. The first thread is tried first: it has hardly ever ended, and a check costs more.
fn link(pid: i32, name: &str) -> (PathBuf, Option<PathBuf>) {
    let of = |pid: i32| {
        let itself = PathBuf::from(format!("/proc/{pid}/{name}"));
        let target = std::fs::read_link(&itself).ok();
        (itself, target)
    };
    let first = of(pid);
    if first.1.is_some() { first } else { of(witness(pid)) }
}

fn is_replaced(path: &Path) -> bool {
    path.as_os_str().as_bytes().ends_with(b" (deleted)") && !path.exists()
}

/// Returns the ids of all processes, unordered.
pub fn all_processes() -> Vec<i32> {
    numbers_in(Path::new("/proc"))
}

/// Returns the kernel ids of a process's threads; empty when it is gone.
pub fn threads(pid: i32) -> Vec<i32> {
    let mut threads = numbers_in(Path::new(&format!("/proc/{pid}/task")));
    threads.sort_unstable();
    threads
}

fn numbers_in(directory: &Path) -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let number = |name: &OsStr| name.to_str()?.parse().ok();
    entries.filter_map(|entry| number(&entry.ok()?.file_name())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_that_are_blocked_do_not_wait() {
        let status = "SigQ:\t1/5\nSigPnd:\t0000000000000200\nShdPnd:\t0000000000000803\nSigBlk:\t0000000000000001\n";
        assert_eq!(waiting_in(status), 0xa02);
        assert_eq!(waiting_in("SigPnd:\tnothing\n"), 0);
    }

    #[test]
    fn the_time_on_a_processor_is_the_first_number() {
        assert_eq!(processor_time_in("2500999 77 3\n"), Some(2500));
        assert_eq!(processor_time_in(""), None);
        let own = std::process::id() as i32;
        assert!(processor_time(own, own).is_some());
    }

    #[test]
    fn the_limits_of_a_process_are_its_own() {
        let own = std::process::id() as i32;
        let names: Vec<String> = limits(own).unwrap().into_iter().map(|limit| limit.name).collect();
        assert!(names.contains(&"stack size".to_owned()) && names.contains(&"open files".to_owned()), "{names:?}");
        assert!(matches!(limits_answer(i32::MAX), Answer::Failed(failure) if failure.message.contains("/limits: ")));
    }

    #[test]
    fn filters_of_system_calls_are_seen() {
        assert_eq!(seccomp_in("NoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t3\n"), (true, 3));
        assert_eq!(seccomp_in("Seccomp:\t1\nSeccomp_filters:\t0\n"), (true, 0));
        assert_eq!(seccomp_in("Seccomp:\t0\nSeccomp_filters:\t0\n"), (false, 0));
        assert_eq!(seccomp_in("SigBlk:\t0\n"), (false, 0));
        assert!(has_filters(i32::MAX) && has_filters_of_its_own(i32::MAX));
    }

    #[test]
    fn a_status_is_read() {
        let text = "Name:\tsleep (x)\nState:\tT (stopped)\nTgid:\t12\nPid:\t13\nPPid:\t1\nTracerPid:\t7\n\
                    Uid:\t1000\t0\t0\t0\nVmSize:\t 5 kB\n";
        let status = ProcessStatus::parse(text).unwrap();
        assert_eq!((status.name.as_str(), status.state, status.process), ("sleep (x)", 'T', 12));
        assert_eq!((status.parent, status.tracer, status.user, status.has_memory), (1, 7, 1000, true));
        assert!(ProcessStatus::parse("Name:\tx\n").is_none());
        assert!(ProcessStatus::read(i32::MAX).is_none());
    }

    #[test]
    fn variables_are_found_by_their_whole_name() {
        let environment = b"PMI_RANK_X=1\0XPMI_RANK=2\0PMI_RANK=3=4\0PMI_RANK=5\0";
        assert_eq!(variable_of(environment, "PMI_RANK").as_deref(), Some("3=4"));
        assert_eq!(variable_of(environment, "PMI_SIZE"), None);
    }

    #[test]
    fn this_process_is_described() {
        let own = std::process::id() as i32;
        assert!(described(own).starts_with(&format!("process {own} (")), "{}", described(own));
        assert!(threads(own).contains(&own) && all_processes().contains(&own));
        assert_eq!(executable(own), std::env::current_exe().unwrap());
    }
}
