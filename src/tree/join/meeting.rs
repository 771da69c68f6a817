//! The session on another host than the master's. The session directory is on the master's host only; a directory that
//! all hosts share holds what the others need, and each host makes a directory of its own from that.

use super::error::JoinError;
use super::plan::JoinPlan;
use nix::fcntl::{Flock, FlockArg};
use protocol::{DirectoryError, SessionDirectory, own_file};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

/// Maximum number of hosts of one job.
const MOST_HOSTS: u32 = 1 << 20;
/// Maximum length of a session's name, in characters.
const LONGEST_NAME: usize = 64;

/// The session as seen on this host.
pub(super) struct Here {
    pub(super) directory: SessionDirectory,
    /// True if it was made for the servers of this host alone, which remove it.
    pub(super) own: bool,
}

fn fault(what: String) -> impl FnOnce(io::Error) -> JoinError {
    move |source| JoinError::Io { what, source }
}

/// Finds the session on this host, or copies it here.
pub(super) fn find(session: &Path, meeting: Option<&Path>, host: &str) -> Result<Here, JoinError> {
    let Some(meeting) = meeting else {
        return Ok(Here { directory: SessionDirectory::open_path(session)?, own: false });
    };
    if let Ok(directory) = SessionDirectory::open_path(session)
        && directory.info().is_ok_and(|info| info.host == host)
    {
        return Ok(Here { directory, own: false });
    }
    let meeting = SessionDirectory::open_path(meeting).map_err(|error| match error {
        DirectoryError::Absent(path) => JoinError::Refused(format!(
            "{path} does not exist on {host}: set RANKSCOPE_SHARED to a directory that all hosts of the job share"
        )),
        other => other.into(),
    })?;
    let directory = bring(&SessionDirectory::base(), &meeting, host)?;
    Ok(Here { directory, own: true })
}

/// Makes the directory of this host; the first process to get here fills it.
fn bring(base: &Path, meeting: &SessionDirectory, host: &str) -> Result<SessionDirectory, JoinError> {
    let name = local_name(meeting.name(), host);
    let directory = match SessionDirectory::create_in(base, Some(&name)) {
        Err(DirectoryError::Exists(_)) => SessionDirectory::open_path(&base.join(&name))?,
        other => other?,
    };
    let _held = lock(&directory.path().join("place.lock"))?;
    if directory.key().is_err() {
        directory.keep_key(&meeting.key()?)?;
        JoinPlan::read(meeting)?.write(&directory)?;
        directory.write_info(&meeting.info()?)?;
    }
    Ok(directory)
}

/// Returns the name of a session on another host; it includes the host, since hosts may share a directory for it.
fn local_name(meeting: &str, host: &str) -> String {
    let host = host.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' });
    format!("{meeting}.").chars().chain(host).take(LONGEST_NAME).collect()
}

/// Returns the number of this host's server. The first process of a host takes the next free number.
pub(super) fn number(directory: &SessionDirectory, meeting: &Path, host: &str) -> Result<u32, JoinError> {
    let _held = lock(&directory.path().join("place.lock"))?;
    let known = directory.path().join("place");
    if let Some(number) = std::fs::read_to_string(&known).ok().and_then(|text| text.trim().parse().ok()) {
        return Ok(number);
    }
    for number in 0..MOST_HOSTS {
        let path = meeting.join(format!("server-{number}"));
        // Atomic on NFS, too (open(2), O_EXCL).
        match own_file::options().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                writeln!(file, "{host}").map_err(fault(format!("write {}", path.display())))?;
                own_file::replace(&known, format!("{number}\n").as_bytes())
                    .map_err(fault(format!("write {}", known.display())))?;
                return Ok(number);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(fault(format!("create {}", path.display()))(error)),
        }
    }
    Err(JoinError::Refused(format!("more than {MOST_HOSTS} hosts")))
}

fn lock(path: &Path) -> Result<Flock<File>, JoinError> {
    let file = own_file::append(path);
    let file = file.map_err(fault(format!("open {}", path.display())))?;
    Flock::lock(file, FlockArg::LockExclusive)
        .map_err(|(_, errno)| JoinError::Io { what: format!("lock {}", path.display()), source: errno.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::EngineChoice;
    use crate::routing::dialling::Dialling;
    use crate::routing::topology::Shape;
    use model::{LaunchSpec, StartChanges};
    use protocol::SessionInfo;

    fn meeting(base: &Path) -> SessionDirectory {
        let meeting = SessionDirectory::create_in(&base.join("shared"), Some("abc-1")).unwrap();
        meeting.create_key().unwrap();
        meeting.write_info(&SessionInfo { host: "login".into(), ..SessionInfo::default() }).unwrap();
        let plan = JoinPlan {
            spec: LaunchSpec::default(),
            master: "10.0.0.1:1".into(),
            listen: "any".into(),
            ports: None,
            engine: EngineChoice::default(),
            shape: Shape::Wide(4),
            ranks_per_server: None,
            routing_file: None,
            meeting: Some(meeting.path().to_owned()),
            dialling: Dialling::Up,
            changes: StartChanges::default(),
        };
        plan.write(&meeting).unwrap();
        meeting
    }

    #[test]
    fn a_host_makes_its_own_directory_once() {
        let base = tempfile::tempdir().unwrap();
        let meeting = meeting(base.path());
        let local = base.path().join("local");
        let one = bring(&local, &meeting, "node1").unwrap();
        let again = bring(&local, &meeting, "node1").unwrap();
        let other = bring(&local, &meeting, "node2").unwrap();
        assert_eq!((one.name(), other.name()), ("abc-1.node1", "abc-1.node2"));
        assert_eq!(one, again);
        assert!(one.key().unwrap() == meeting.key().unwrap());
        assert_eq!(JoinPlan::read(&one).unwrap(), JoinPlan::read(&meeting).unwrap());
        let numbers = [&one, &other, &again].map(|here| number(here, meeting.path(), "x").unwrap());
        assert_eq!(numbers, [0, 1, 0]);
    }

    #[test]
    fn names_of_hosts_fit() {
        assert_eq!(local_name("abc-1", "n/1 ü"), "abc-1.n_1__");
        assert!(local_name("abc-1", &"x".repeat(300)).len() <= LONGEST_NAME);
    }

    #[test]
    fn a_host_without_the_shared_directory_says_so() {
        let base = tempfile::tempdir().unwrap();
        let absent = base.path().join("absent");
        let Err(error) = find(&absent, Some(&absent), "node1") else { panic!("found") };
        assert!(error.to_string().contains("share"), "{error}");
    }
}
