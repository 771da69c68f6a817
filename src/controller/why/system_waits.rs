//! Words for what ranks wait for outside of MPI.

use super::situation::Place;
use model::{Holder, ProcessName, Rank, SystemWait, ThreadId};

/// Functions that wait for the owner of a lock.
const OWNED: &[&str] = &["pthread_mutex_lock", "pthread_mutex_timedlock", "lll_lock_wait", "std::mutex::lock"];
/// Functions that wait for the end of a thread.
const JOINING: &[&str] = &["pthread_join", "pthread_timedjoin_np", "std::thread::join"];

/// Returns the thread or process for which a rank waits in a function, if the system call says so.
pub(crate) fn holder(call: &str, wait: &SystemWait) -> Option<Holder> {
    let SystemWait::Futex { ends, owner } = wait else { return None };
    let name = call.split(['(', '@']).next().unwrap_or(call).trim_start_matches("__GI_").trim_start_matches('_');
    if JOINING.contains(&name) {
        *ends
    } else if OWNED.contains(&name) {
        *owner
    } else {
        None
    }
}

/// Returns the thread of the rank for which it waits.
pub(crate) fn holding_thread(call: &str, wait: &SystemWait) -> Option<ThreadId> {
    match holder(call, wait)? {
        Holder::Thread(thread) => Some(thread),
        Holder::Elsewhere(_) => None,
    }
}

/// Says for what a rank waits in a function; `place` is where the thread is that it waits for, `numbers` has those of
/// threads in OpenMP, `rank_of` finds ranks by their process ids.
pub(crate) fn words(
    call: &str,
    wait: &SystemWait,
    place: Option<&str>,
    numbers: &[(ThreadId, u32)],
    rank_of: &dyn Fn(u32) -> Option<Rank>,
) -> Option<String> {
    let process = |process: &ProcessName| match (rank_of(process.pid), process.name.as_str()) {
        (Some(rank), _) => format!("rank {rank}"),
        (None, "") => format!("process {}", process.pid),
        (None, name) => format!("process {} ({name})", process.pid),
    };
    Some(match wait {
        SystemWait::Futex { .. } => {
            let whose = match holder(call, wait)? {
                Holder::Thread(thread) => match numbers.iter().find(|(known, _)| *known == thread) {
                    Some((_, number)) => format!("its thread {thread} (OpenMP {number})"),
                    None => format!("its thread {thread}"),
                },
                Holder::Elsewhere(tid) => match rank_of(tid) {
                    Some(rank) => format!("rank {rank}"),
                    None => format!("thread {tid} of another process, or one that has ended"),
                },
            };
            let relation = if call.contains("join") { "for" } else { "held by" };
            let place = place.map_or_else(String::new, |place| format!(", which is {place}"));
            format!("{relation} {whose}{place}")
        }
        SystemWait::Child(Some(child)) => format!("for its child, {}", process(child)),
        SystemWait::Child(None) => "for one of its children".to_owned(),
        SystemWait::Descriptor { number, target } => format!("on descriptor {number}, {}", file(target)),
        SystemWait::FileLock { target, holder: Some(holder) } => {
            format!("on a lock of {target}, held by {}", process(holder))
        }
        SystemWait::FileLock { target, holder: None } => format!("on a lock of {target}"),
        SystemWait::Uninterruptible(function) => {
            let function = function.as_ref().map_or_else(String::new, |name| format!(", in {name}"));
            format!("in the kernel and cannot be stopped{function}")
        }
        SystemWait::Other => return None,
    })
}

/// `a pipe` for `pipe:[123]`: the number differs from rank to rank.
fn file(target: &str) -> String {
    match target.split_once(":[") {
        Some(("pipe", _)) => "a pipe".to_owned(),
        Some(("socket", _)) => "a socket".to_owned(),
        _ => target.to_owned(),
    }
}

/// The place of a thread: `in MPI_Recv (halo.c:12)`.
pub(crate) fn position(place: &Place) -> String {
    super::sentences::in_call(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(call: &str, wait: &SystemWait) -> Option<String> {
        words(call, wait, Some("in MPI_Recv (halo.c:12)"), &[(ThreadId(3), 1)], &|pid| (pid == 40).then_some(Rank(4)))
    }

    #[test]
    fn waits_outside_of_mpi_say_for_whom() {
        let thread = Some(Holder::Thread(ThreadId(2)));
        let mutex = SystemWait::Futex { ends: Some(Holder::Elsewhere(2)), owner: thread };
        let held = "held by its thread 2, which is in MPI_Recv (halo.c:12)";
        assert_eq!(said("___pthread_mutex_lock", &mutex).unwrap(), held);
        assert_eq!(said("pthread_cond_wait", &mutex), None, "its word behind the futex is no owner");
        let of_team = SystemWait::Futex { ends: None, owner: Some(Holder::Thread(ThreadId(3))) };
        assert!(said("pthread_mutex_lock", &of_team).unwrap().starts_with("held by its thread 3 (OpenMP 1), which is"));
        let join = SystemWait::Futex { ends: thread, owner: None };
        assert_eq!(said("pthread_join", &join).unwrap(), "for its thread 2, which is in MPI_Recv (halo.c:12)");
        let shared = SystemWait::Futex { ends: None, owner: Some(Holder::Elsewhere(40)) };
        assert!(said("pthread_mutex_lock", &shared).unwrap().starts_with("held by rank 4"));
        assert_eq!(
            (holding_thread("pthread_join", &join), holding_thread("pthread_join", &shared)),
            (Some(ThreadId(2)), None)
        );
    }

    #[test]
    fn children_files_and_the_kernel_are_named() {
        let child = SystemWait::Child(Some(ProcessName { pid: 7, name: "sort".to_owned() }));
        assert_eq!(said("waitpid", &child).unwrap(), "for its child, process 7 (sort)");
        assert_eq!(said("wait", &SystemWait::Child(None)).unwrap(), "for one of its children");
        let pipe = SystemWait::Descriptor { number: 5, target: "pipe:[123]".to_owned() };
        assert_eq!(said("read", &pipe).unwrap(), "on descriptor 5, a pipe");
        let file = SystemWait::Descriptor { number: 5, target: "/data/in".to_owned() };
        assert_eq!(said("read", &file).unwrap(), "on descriptor 5, /data/in");
        let holder = Some(ProcessName { pid: 40, name: "app".to_owned() });
        let lock = SystemWait::FileLock { target: "/data/lock".to_owned(), holder };
        assert_eq!(said("fcntl", &lock).unwrap(), "on a lock of /data/lock, held by rank 4");
        let kernel = SystemWait::Uninterruptible(Some("nfs_wait".to_owned()));
        assert_eq!(said("", &kernel).unwrap(), "in the kernel and cannot be stopped, in nfs_wait");
        assert_eq!(said("nanosleep", &SystemWait::Other), None);
    }
}
