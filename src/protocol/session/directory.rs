//! The session directory: its key, its sockets, its logs. Whoever can read it can debug the job, so it must be ours,
//! closed to others, and no symbolic link.

use super::directory_error::{DirectoryError, LONGEST_PATH, io_fault};
use crate::{SessionKey, own_file};
use nix::fcntl::OFlag;
use serde::{Deserialize, Serialize};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

const LARGEST_INFO: u64 = 1 << 20;

/// The content of `session.json`: enough to list sessions and to find the master.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionInfo {
    /// The session's name.
    pub session: String,
    /// The name of the master's host.
    pub host: String,
    /// The process id of the master there; until it is started, that of its front end, or 0.
    pub master: u32,
    /// The start time of that process (proc(5), starttime), which tells it from a later one with the same id.
    pub master_start: u64,
    /// The command line of the debugged program.
    pub command: Vec<String>,
    /// The number of ranks; 0 before it is known.
    pub size: u32,
    /// The time of the session's start, in seconds since 1970.
    pub started: u64,
    /// True while a front end has the session.
    pub attended: bool,
}

/// A session's directory that has been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionDirectory {
    path: PathBuf,
}

impl SessionDirectory {
    /// Returns the parent directory of sessions: `$XDG_RUNTIME_DIR/rankscope`, or `/tmp/rankscope-UID` without an
    /// absolute one.
    pub fn base() -> PathBuf {
        Self::base_for(std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from))
    }

    fn base_for(runtime: Option<PathBuf>) -> PathBuf {
        match runtime.filter(|path| path.is_absolute() && path.is_dir()) {
            Some(runtime) => runtime.join("rankscope"),
            None => PathBuf::from(format!("/tmp/rankscope-{}", own_uid())),
        }
    }

    /// Creates a session with this name, or a random one, in [`Self::base`].
    pub fn create(name: Option<&str>) -> Result<Self, DirectoryError> {
        Self::create_in(&Self::base(), name)
    }

    /// Creates a session in another parent directory, which it creates if necessary.
    pub fn create_in(base: &Path, name: Option<&str>) -> Result<Self, DirectoryError> {
        match make(base) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(io_fault("make the directory", base)(error)),
        }
        check(base)?;
        loop {
            let chosen = match name {
                Some(name) => valid(name)?.to_owned(),
                None => random_name().map_err(io_fault("find a name in", base))?,
            };
            let path = base.join(&chosen);
            if path.as_os_str().len() > LONGEST_PATH {
                return Err(DirectoryError::TooLong { path: path.display().to_string() });
            }
            match make(&path) {
                Ok(()) => return Self { path }.marked(),
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(io_fault("make the directory", &path)(error));
                }
                Err(_) if name.is_some() => return Err(DirectoryError::Exists(chosen)),
                Err(_) => {}
            }
        }
    }

    /// Opens a session by its name in [`Self::base`], or by its path.
    pub fn open(session: &str) -> Result<Self, DirectoryError> {
        if session.contains('/') {
            return Self::open_path(Path::new(session));
        }
        Self::open_path(&Self::base().join(valid(session)?))
    }

    /// Opens a session by its path. The parent directory must be ours and closed to others, too: whoever can replace
    /// the session's directory can read what is written there.
    pub fn open_path(path: &Path) -> Result<Self, DirectoryError> {
        check(path)?;
        if let Some(base) = path.parent() {
            check(if base.as_os_str().is_empty() { Path::new(".") } else { base })?;
        }
        Ok(Self { path: path.to_owned() })
    }

    /// Returns the sessions in [`Self::base`], sorted by name. Directories that rankscope did not create, and those
    /// that cannot be trusted, are left out.
    pub fn list() -> Result<Vec<Self>, DirectoryError> {
        Self::list_in(&Self::base())
    }

    fn list_in(base: &Path) -> Result<Vec<Self>, DirectoryError> {
        match check(base) {
            Err(DirectoryError::Absent(_)) => return Ok(Vec::new()),
            checked => checked?,
        }
        let entries = fs::read_dir(base).map_err(io_fault("read the directory", base))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<_> = names.filter(|name| valid(name).is_ok()).collect();
        names.sort();
        let opened = names.into_iter().filter_map(|name| Self::open_path(&base.join(name)).ok());
        Ok(opened.filter(Self::is_marked).collect())
    }

    /// Returns the session's name.
    pub fn name(&self) -> &str {
        self.path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the socket on which the front end listens.
    pub fn front_socket(&self) -> PathBuf {
        self.path.join("front.sock")
    }

    /// Returns the path of the socket on which a server listens for joiners.
    pub fn server_socket(&self, server: u32) -> PathBuf {
        self.path.join(format!("server-{server}.sock"))
    }

    /// Returns the path of the log of one process, such as `master` or `server-3`.
    pub fn log(&self, process: &str) -> PathBuf {
        self.path.join(format!("{process}.log"))
    }

    /// Generates and stores the session's key; fails if it has one.
    pub fn create_key(&self) -> Result<SessionKey, DirectoryError> {
        let key = SessionKey::generate().map_err(io_fault("make a key for", &self.path))?;
        self.keep_key(&key)?;
        Ok(key)
    }

    /// Stores an existing key; fails if the session has one.
    pub fn keep_key(&self, key: &SessionKey) -> Result<(), DirectoryError> {
        lay_key(&self.path.join("key"), key)
    }

    /// Reads the session's key; fails if others could have read or written it.
    pub fn key(&self) -> Result<SessionKey, DirectoryError> {
        read_key(&self.path.join("key"))
    }

    /// Writes `session.json` atomically.
    pub fn write_info(&self, info: &SessionInfo) -> Result<(), DirectoryError> {
        let path = self.path.join("session.json");
        let text = serde_json::to_vec_pretty(info)
            .map_err(|source| DirectoryError::Info { path: path.display().to_string(), source })?;
        own_file::replace(&path, &text).map_err(io_fault("write", &path))
    }

    /// Reads `session.json`.
    pub fn info(&self) -> Result<SessionInfo, DirectoryError> {
        let path = self.path.join("session.json");
        let mut text = Vec::new();
        open_own(&path)?.take(LARGEST_INFO).read_to_end(&mut text).map_err(io_fault("read", &path))?;
        serde_json::from_slice(&text)
            .map_err(|source| DirectoryError::Info { path: path.display().to_string(), source })
    }
}

/// Stores a key in a new file.
pub fn lay_key(path: &Path, key: &SessionKey) -> Result<(), DirectoryError> {
    let file = own_file::options().write(true).create_new(true).open(path);
    let written = file.map_err(io_fault("create the key", path))?.write_all(key.bytes());
    written.map_err(|error| {
        // Part of a key is useless, and the file would keep others from storing one.
        let _ = fs::remove_file(path);
        io_fault("write the key", path)(error)
    })
}

/// Reads a key; fails if others could have read or written it.
pub fn read_key(path: &Path) -> Result<SessionKey, DirectoryError> {
    let mut file = open_own(path)?;
    let length = file.metadata().map_err(io_fault("look at the key", path))?.len();
    let mut bytes = [0; SessionKey::LENGTH];
    if length != bytes.len() as u64 {
        return Err(DirectoryError::Key { path: path.display().to_string(), length });
    }
    file.read_exact(&mut bytes).map_err(io_fault("read the key", path))?;
    Ok(SessionKey::from_bytes(bytes))
}

pub(crate) fn own_uid() -> u32 {
    nix::unistd::geteuid().as_raw()
}

fn make(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// Fails unless the directory is ours and closed to others.
fn check(path: &Path) -> Result<(), DirectoryError> {
    let shown = || path.display().to_string();
    let there = match fs::symlink_metadata(path) {
        Ok(there) => there,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(DirectoryError::Absent(shown())),
        Err(error) => return Err(io_fault("look at", path)(error)),
    };
    if !there.is_dir() {
        return Err(DirectoryError::NoDirectory(shown()));
    }
    own_and_closed(path, &there, "700")
}

fn own_and_closed(path: &Path, there: &fs::Metadata, wanted: &'static str) -> Result<(), DirectoryError> {
    own_and_closed_stat(path, there.uid(), there.mode(), wanted)
}

pub(crate) fn own_and_closed_stat(
    path: &Path,
    uid: u32,
    mode: u32,
    wanted: &'static str,
) -> Result<(), DirectoryError> {
    let path = path.display().to_string();
    if uid != own_uid() {
        return Err(DirectoryError::Foreign { path, uid });
    }
    match mode & 0o777 {
        mode if mode & 0o077 != 0 => Err(DirectoryError::Open { path, mode, wanted }),
        _ => Ok(()),
    }
}

/// Opens a plain file of this user that is closed to others; does not follow a link or wait for a pipe.
pub(crate) fn open_own(path: &Path) -> Result<File, DirectoryError> {
    let flags = (OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(io_fault("open", path))?;
    let there = file.metadata().map_err(io_fault("look at", path))?;
    if !there.is_file() {
        return Err(io_fault("open", path)(io::Error::other("it is not a regular file")));
    }
    own_and_closed(path, &there, "600")?;
    Ok(file)
}

fn valid(name: &str) -> Result<&str, DirectoryError> {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    if (1..=64).contains(&name.len()) && !name.starts_with('.') && name.bytes().all(allowed) {
        Ok(name)
    } else {
        Err(DirectoryError::Name(name.to_owned()))
    }
}

/// Returns a random name short enough to type.
fn random_name() -> io::Result<String> {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnopqrstuvwxyz2345678";
    let mut bytes = [0; 6];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| LETTERS[usize::from(byte & 31)] as char).collect())
}

#[cfg(test)]
mod tests;
