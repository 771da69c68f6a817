//! Whether a session still lives, judged from outside: by its processes, and by the socket on which its master listens.

use super::{SessionDirectory, SessionInfo};
use nix::errno::Errno;
use nix::sys::socket::{AddressFamily, SockFlag, SockType, UnixAddr, connect, socket};
use std::fs;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// A directory without a description is one that is just being made, unless it is older than this.
const BEING_MADE: Duration = Duration::from_secs(60);

/// How it stands with a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionLife {
    /// Its master lives.
    Here(SessionInfo),
    /// Its master is gone, and so is everything else of it. What it was, if it came so far as to say.
    Gone(Option<SessionInfo>),
    /// It begins or ends just now, or is another host's: nothing can be said of it.
    Unknown,
}

/// What the socket of the master says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Door {
    Answered,
    Nobody,
    Unclear,
}

impl SessionDirectory {
    /// How it stands with this session, as seen from `host`.
    pub fn life(&self, host: &str) -> SessionLife {
        let info = self.info().ok();
        if info.as_ref().is_some_and(|info| !info.host.is_empty() && info.host != host) {
            return SessionLife::Unknown;
        }
        if let Some(info) = &info
            && is_ours(info.master)
        {
            return SessionLife::Here(info.clone());
        }
        // Servers that are left behind end by themselves; until then they write to the directory.
        if self.server_pids().into_iter().any(is_ours) {
            return SessionLife::Unknown;
        }
        match (knock(&self.path().join("master.sock")), info) {
            // Its processes are hidden from us, as those of another container are.
            (Door::Answered, Some(info)) => SessionLife::Here(info),
            (Door::Answered, None) | (Door::Unclear, _) => SessionLife::Unknown,
            (Door::Nobody, Some(info)) => SessionLife::Gone(Some(info)),
            (Door::Nobody, None) if self.was_begun_long_ago() => SessionLife::Gone(None),
            (Door::Nobody, None) => SessionLife::Unknown,
        }
    }

    /// Process ids that servers wrote down.
    fn server_pids(&self) -> Vec<u32> {
        let Ok(entries) = fs::read_dir(self.path()) else { return Vec::new() };
        let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "pid"));
        files.filter_map(|path| fs::read_to_string(path).ok()?.trim().parse().ok()).collect()
    }

    /// Something that has a key was to become a session.
    fn was_begun_long_ago(&self) -> bool {
        let made = fs::metadata(self.path().join("key")).and_then(|key| key.modified());
        made.is_ok_and(|made| SystemTime::now().duration_since(made).is_ok_and(|age| age > BEING_MADE))
    }
}

/// Whether a process is there and one of ours: not merely waiting to be reaped, and no other that has got the number
/// since (proc(5), the name and state fields).
fn is_ours(pid: u32) -> bool {
    if pid == 0 {
        return false;
    }
    let stat = fs::read(format!("/proc/{pid}/stat")).unwrap_or_default();
    let stat = String::from_utf8_lossy(&stat);
    let Some((head, rest)) = stat.rsplit_once(") ") else { return false };
    let name = head.split_once('(').map_or("", |(_, name)| name);
    let known = ["rankscope", "tvconnect"].iter().any(|ours| name.starts_with(ours));
    known && !rest.starts_with(['Z', 'X'])
}

/// Whether somebody listens; without waiting for them to answer.
fn knock(path: &Path) -> Door {
    let tried = UnixAddr::new(path).and_then(|address| {
        let flags = SockFlag::SOCK_NONBLOCK | SockFlag::SOCK_CLOEXEC;
        let socket = socket(AddressFamily::Unix, SockType::Stream, flags, None)?;
        connect(socket.as_raw_fd(), &address)
    });
    match tried {
        // A queue that is full is somebody's (connect(2)).
        Ok(()) | Err(Errno::EAGAIN | Errno::EINPROGRESS) => Door::Answered,
        Err(Errno::ECONNREFUSED | Errno::ENOENT) => Door::Nobody,
        Err(_) => Door::Unclear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;
    use tempfile::{TempDir, tempdir};

    /// A number that no process has (proc(5), pid_max is at most 2^22).
    const NOBODY: u32 = 1 << 30;

    fn session(master: u32) -> (TempDir, SessionDirectory, SessionInfo) {
        let place = tempdir().unwrap();
        let session = SessionDirectory::create_in(&place.path().join("rankscope"), Some("one")).unwrap();
        session.create_key().unwrap();
        let info = SessionInfo { session: "one".into(), host: "desk".into(), master, ..SessionInfo::default() };
        session.write_info(&info).unwrap();
        (place, session, info)
    }

    #[test]
    fn one_without_processes_and_without_a_listener_is_gone() {
        let (_place, session, info) = session(NOBODY);
        assert_eq!(session.life("desk"), SessionLife::Gone(Some(info.clone())));
        assert_eq!(session.life("node1"), SessionLife::Unknown, "another host's");
        let listener = UnixListener::bind(session.path().join("master.sock")).unwrap();
        assert_eq!(session.life("desk"), SessionLife::Here(info.clone()), "in another container");
        drop(listener);
        // The name of the socket is still there.
        assert_eq!(session.life("desk"), SessionLife::Gone(Some(info)));
    }

    #[test]
    fn the_number_of_a_process_that_is_not_ours_is_no_sign_of_life() {
        // The first process of all is not ours.
        let (_place, session, info) = session(1);
        assert_eq!(session.life("desk"), SessionLife::Gone(Some(info)));
    }

    #[test]
    fn what_has_no_description_yet_is_left_alone() {
        let place = tempdir().unwrap();
        let session = SessionDirectory::create_in(&place.path().join("rankscope"), None).unwrap();
        assert_eq!(session.life("desk"), SessionLife::Unknown, "no key: not ours to judge");
        session.create_key().unwrap();
        assert_eq!(session.life("desk"), SessionLife::Unknown, "just being made");
        let key = fs::File::open(session.path().join("key")).unwrap();
        key.set_modified(SystemTime::now() - 2 * BEING_MADE).unwrap();
        assert_eq!(session.life("desk"), SessionLife::Gone(None));
    }
}
