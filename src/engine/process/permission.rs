//! Explains why a process cannot be traced, and the remedy.

use crate::process::procfs::{ProcessStatus, described};
use nix::errno::Errno;
use nix::unistd::{Uid, User};

/// Explains a refusal of ptrace(2) and the remedy.
pub(crate) fn forbidden(pid: i32, errno: Errno) -> String {
    let status = ProcessStatus::read(pid);
    match (errno, status) {
        (Errno::ESRCH, _) | (_, None) => format!("cannot trace process {pid}: it no longer exists"),
        (Errno::EPERM, Some(status)) => match unsuited(pid, &status) {
            Some(why) => why,
            None => format!(
                "cannot trace process {pid}: ptrace is not permitted. Set kernel.yama.ptrace_scope to 0 \
                    (1 is enough unless you attach), or run with the capability CAP_SYS_PTRACE; in a \
                    container allow it (--cap-add=SYS_PTRACE, and a seccomp profile that permits ptrace)"
            ),
        },
        (errno, Some(_)) => format!("cannot trace process {pid}: {}", errno.desc()),
    }
}

/// Returns the reason why a process cannot be traced, as far as it is known without trying.
pub(crate) fn objection(pid: i32) -> Option<String> {
    match ProcessStatus::read(pid) {
        Some(status) => unsuited(pid, &status),
        None => Some(missing(pid)),
    }
}

pub(crate) fn missing(pid: i32) -> String {
    format!("cannot trace process {pid}: no such process; \"pgrep -a NAME\" lists those of a program")
}

/// Returns the reason in a process's status why it cannot be traced, if there is one.
pub(crate) fn unsuited(pid: i32, status: &ProcessStatus) -> Option<String> {
    if status.has_ended() {
        let parent = described(status.parent);
        return Some(format!(
            "cannot trace process {pid}: it has already ended (a zombie: {parent} has not waited \
            for it)"
        ));
    }
    if status.process != pid {
        return Some(format!(
            "cannot trace process {pid}: it is a thread of {}; attach to that process",
            described(status.process)
        ));
    }
    if status.process == std::process::id() as i32 {
        return Some(format!("cannot trace process {pid}: it is rankscope itself"));
    }
    if status.tracer != 0 {
        // The kernel names the thread that traces, not its process.
        let tracer = ProcessStatus::read(status.tracer).map_or(status.tracer, |thread| thread.process);
        return Some(format!(
            "cannot trace process {pid}: {} already traces it; detach that debugger first",
            described(tracer)
        ));
    }
    if !status.has_memory {
        return Some(format!("cannot trace process {pid}: {} is a kernel thread", status.name));
    }
    let own = Uid::effective();
    if !own.is_root() && status.user != own.as_raw() {
        // A static glibc must not look up users: the NSS libraries of the host may abort it.
        let known =
            |uid: Uid| if cfg!(target_feature = "crt-static") { None } else { User::from_uid(uid).ok().flatten() };
        let name = |uid: Uid| known(uid).map_or_else(|| uid.to_string(), |user| user.name);
        return Some(format!(
            "cannot trace process {pid}: it belongs to user {0}, not {1}; attach as {0}",
            name(Uid::from_raw(status.user)),
            name(own)
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(pid: i32) -> ProcessStatus {
        let name = "app".to_owned();
        let user = Uid::effective().as_raw();
        ProcessStatus { name, state: 'S', process: pid, parent: 1, tracer: 0, user, has_memory: true }
    }

    #[test]
    fn what_is_wrong_with_a_process_is_said() {
        assert_eq!(unsuited(7, &status(7)), None);
        let own = std::process::id() as i32;
        for (status, words) in [
            (ProcessStatus { state: 'Z', ..status(7) }, "has already ended"),
            (ProcessStatus { process: own, ..status(7) }, "is a thread of process"),
            (ProcessStatus { tracer: own, ..status(7) }, "already traces it"),
            (ProcessStatus { has_memory: false, ..status(7) }, "kernel thread"),
        ] {
            let why = unsuited(7, &status).unwrap();
            assert!(why.starts_with("cannot trace process 7: ") && why.contains(words), "{why}");
        }
        assert!(unsuited(own, &status(own)).unwrap().contains("rankscope itself"));
        assert_eq!(
            forbidden(i32::MAX, Errno::EPERM),
            format!("cannot trace process {}: it no longer exists", i32::MAX)
        );
    }
}
