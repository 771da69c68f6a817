//! Tells whether a session is alive, judged from outside: by its processes and by the master's socket.

use super::directory::open_own;
use crate::{ProcessIdentity, SessionDirectory, SessionInfo};
use nix::errno::Errno;
use nix::sys::socket::{AddressFamily, SockFlag, SockType, UnixAddr, connect, socket};
use std::fs;
use std::io::Read as _;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A directory without `session.json` is one that is being created, unless it is older than this.
const BEING_MADE: Duration = Duration::from_secs(60);
const LONGEST_IDENTITY: u64 = 64;

/// The state of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionLife {
    /// The master is alive.
    Here(SessionInfo),
    /// The master and all other processes are gone; holds the last `session.json`, if there was one.
    Gone(Option<SessionInfo>),
    /// The session is starting or ending, or belongs to another host: its state is unknown.
    Unknown,
}

/// The state of the master's socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Door {
    Answered,
    Nobody,
    Unclear,
}

impl SessionDirectory {
    /// Returns the state of this session, as seen from `host`.
    pub fn life(&self, host: &str) -> SessionLife {
        let info = self.info().ok();
        if info.as_ref().is_some_and(|info| !info.host.is_empty() && info.host != host) {
            return SessionLife::Unknown;
        }
        let master = |info: &SessionInfo| ProcessIdentity { pid: info.master, start: info.master_start };
        if let Some(info) = info.as_ref().filter(|info| master(info).is_ours_and_alive()) {
            return SessionLife::Here(info.clone());
        }
        // Servers that lost their master end by themselves; until then they write to the directory.
        if !self.live_servers().is_empty() {
            return SessionLife::Unknown;
        }
        match (knock(&self.path().join("master.sock")), info) {
            // The master's process is hidden from us, like those of another container.
            (Door::Answered, Some(info)) => SessionLife::Here(info),
            (Door::Answered, None) | (Door::Unclear, _) => SessionLife::Unknown,
            (Door::Nobody, Some(info)) => SessionLife::Gone(Some(info)),
            (Door::Nobody, None) if self.was_begun_long_ago() => SessionLife::Gone(None),
            (Door::Nobody, None) => SessionLife::Unknown,
        }
    }

    /// Returns the path of the file in which a server records its process identity.
    pub fn server_identity(&self, server: u32) -> PathBuf {
        self.path().join(format!("server-{server}.pid"))
    }

    /// Returns the session's servers that are alive, by their recorded identities.
    pub fn live_servers(&self) -> Vec<ProcessIdentity> {
        let Ok(entries) = fs::read_dir(self.path()) else { return Vec::new() };
        let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "pid"));
        let read = |path: PathBuf| {
            let mut text = String::new();
            open_own(&path).ok()?.take(LONGEST_IDENTITY).read_to_string(&mut text).ok()?;
            text.parse().ok()
        };
        files.filter_map(read).filter(ProcessIdentity::is_ours_and_alive).collect()
    }

    /// True for an old directory that has a key: it was to become a session.
    fn was_begun_long_ago(&self) -> bool {
        let made = fs::metadata(self.path().join("key")).and_then(|key| key.modified());
        made.is_ok_and(|made| SystemTime::now().duration_since(made).is_ok_and(|age| age > BEING_MADE))
    }
}

/// Tells whether a process listens on the socket, without waiting for its reply.
fn knock(path: &Path) -> Door {
    let tried = UnixAddr::new(path).and_then(|address| {
        let flags = SockFlag::SOCK_NONBLOCK | SockFlag::SOCK_CLOEXEC;
        let socket = socket(AddressFamily::Unix, SockType::Stream, flags, None)?;
        connect(socket.as_raw_fd(), &address)
    });
    match tried {
        // A full queue belongs to a listener (connect(2)).
        Ok(()) | Err(Errno::EAGAIN | Errno::EINPROGRESS) => Door::Answered,
        Err(Errno::ECONNREFUSED | Errno::ENOENT) => Door::Nobody,
        Err(_) => Door::Unclear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own_file;
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
        // The name of the socket still exists.
        assert_eq!(session.life("desk"), SessionLife::Gone(Some(info)));
    }

    #[test]
    fn a_process_that_has_got_the_number_of_a_master_since_is_no_sign_of_life() {
        // This process has our user and even our name; it started at another time.
        let own = ProcessIdentity::own();
        let (_place, session, info) = session(own.pid);
        assert_eq!(session.life("desk"), SessionLife::Gone(Some(info.clone())));
        let info = SessionInfo { master_start: own.start, ..info };
        session.write_info(&info).unwrap();
        assert_eq!(session.life("desk"), SessionLife::Here(info));
    }

    #[test]
    fn a_session_whose_servers_live_is_not_gone() {
        let (_place, session, info) = session(NOBODY);
        let own = ProcessIdentity::own();
        for (identity, life) in [
            (own, SessionLife::Unknown),
            (ProcessIdentity { start: own.start - 1, ..own }, SessionLife::Gone(Some(info))),
        ] {
            own_file::replace(&session.server_identity(3), identity.to_string().as_bytes()).unwrap();
            assert_eq!(session.life("desk"), life, "{identity}");
        }
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
