//! The directory of request files. Write access lets others have a program debugged in our name, and read access lets
//! them take a session over, so it must be ours, closed to others, and no symbolic link. It is opened once; all files
//! are reached through that descriptor, so that nobody can put another directory in its place between the check and the
//! use.

use super::RequestId;
use super::directory_error::{ConnectError, standard, system};
use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, openat, renameat};
use nix::sys::stat::{FileStat, Mode, SFlag, UtimensatFlags, fstat, fstatat, mkdirat, utimensat};
use nix::sys::time::TimeSpec;
use nix::unistd::{UnlinkatFlags, geteuid, unlinkat};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The environment variable that names the directory if no option does.
pub const CONNECT_VARIABLE: &str = "TV_REVERSE_CONNECT_DIR";

/// Returns the directory of requests: the given one, that of the environment, or `.totalview/connect` in the home
/// directory.
pub fn connect_path(given: Option<&Path>) -> Result<PathBuf, ConnectError> {
    let variable = std::env::var_os(CONNECT_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    if let Some(path) = given.map(Path::to_owned).or(variable) {
        return std::path::absolute(&path).map_err(standard("find", &path));
    }
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let recorded = || Some(super::host::recorded(geteuid())?.dir);
    let home = home.or_else(recorded).ok_or(ConnectError::NoHome)?;
    Ok(home.join(".totalview/connect"))
}

/// The metadata of a file that change when it is written or touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The time of the last write or touch, by the clock of the file system.
    pub modified: SystemTime,
    /// The file's size in bytes.
    pub length: u64,
    /// The inode; a new file of the same name has another one.
    pub inode: u64,
}

impl Stamp {
    fn of(stat: &FileStat) -> Self {
        let seconds = Duration::from_secs(u64::try_from(stat.st_mtime).unwrap_or(0));
        let part = Duration::from_nanos(u64::try_from(stat.st_mtime_nsec).unwrap_or(0));
        Self {
            modified: SystemTime::UNIX_EPOCH + seconds + part,
            length: u64::try_from(stat.st_size).unwrap_or(0),
            inode: stat.st_ino,
        }
    }

    /// True if the text is the same; the time may differ.
    pub fn same_text(&self, other: &Self) -> bool {
        self.inode == other.inode && self.length == other.length
    }
}

/// A directory of requests that has been checked.
#[derive(Debug)]
pub struct ConnectDirectory {
    path: PathBuf,
    directory: OwnedFd,
    identity: (u64, u64),
}

impl ConnectDirectory {
    /// Creates the directory and its parents, and opens it.
    pub fn make(path: &Path) -> Result<Self, ConnectError> {
        match Self::open(path) {
            Err(ConnectError::Absent(_)) => {}
            other => return other,
        }
        let above = path.parent().unwrap_or(Path::new("/"));
        if !above.exists() {
            use std::os::unix::fs::DirBuilderExt;
            let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(above);
            made.map_err(standard("make the directory", above))?;
        }
        match mkdirat(AT_FDCWD, path, Mode::S_IRWXU) {
            // Another job of this user may have been first.
            Ok(()) | Err(Errno::EEXIST) => Self::open(path),
            Err(errno) => Err(system("make the directory", path)(errno)),
        }
    }

    /// Opens an existing directory.
    pub fn open(path: &Path) -> Result<Self, ConnectError> {
        let flags = OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC | OFlag::O_RDONLY;
        let directory = match openat(AT_FDCWD, path, flags, Mode::empty()) {
            Ok(directory) => directory,
            Err(Errno::ENOENT) => return Err(ConnectError::Absent(path.display().to_string())),
            Err(Errno::ENOTDIR | Errno::ELOOP) => return Err(ConnectError::NoDirectory(path.display().to_string())),
            Err(errno) => return Err(system("open the directory", path)(errno)),
        };
        let there = fstat(&directory).map_err(system("look at", path))?;
        own_and_closed(path, &there, "700")?;
        Ok(Self { path: path.to_owned(), directory, identity: (there.st_dev, there.st_ino) })
    }

    /// Returns the path with which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn descriptor(&self) -> BorrowedFd<'_> {
        self.directory.as_fd()
    }

    /// Fails if the path now leads to another directory, or others can reach the files inside.
    pub fn still_there(&self) -> Result<(), ConnectError> {
        let there = match fstatat(AT_FDCWD, &self.path, AtFlags::AT_SYMLINK_NOFOLLOW) {
            Ok(there) => there,
            Err(Errno::ENOENT) => return Err(ConnectError::Absent(self.path.display().to_string())),
            Err(errno) => return Err(system("look at", &self.path)(errno)),
        };
        if (there.st_dev, there.st_ino) != self.identity {
            return Err(ConnectError::Absent(self.path.display().to_string()));
        }
        own_and_closed(&self.path, &there, "700")
    }

    /// Returns the names of the files. The directory is opened again, because network file systems look again only then
    /// (nfs(5), close-to-open).
    pub fn names(&self) -> Result<Vec<String>, ConnectError> {
        let fault = || system("read the directory", &self.path);
        let flags = OFlag::O_DIRECTORY | OFlag::O_CLOEXEC | OFlag::O_RDONLY;
        let mut entries = Dir::openat(&self.directory, ".", flags, Mode::empty()).map_err(fault())?;
        let mut names = Vec::new();
        for entry in entries.iter() {
            let entry = entry.map_err(fault())?;
            // Our file names are all text.
            if let Ok(name) = entry.file_name().to_str() {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    /// Returns the metadata of a file; `None` if it does not exist.
    pub fn stamp(&self, name: &str) -> Result<Option<Stamp>, ConnectError> {
        match fstatat(&self.directory, name, AtFlags::AT_SYMLINK_NOFOLLOW) {
            Ok(there) => Ok(Some(Stamp::of(&there))),
            Err(Errno::ENOENT) => Ok(None),
            Err(errno) => Err(system("look at", &self.path.join(name))(errno)),
        }
    }

    /// Reads a plain file of this user that is closed to others and at most `longest` bytes long. Does not follow a
    /// link or wait for a pipe.
    pub fn read(&self, name: &str, longest: u64) -> Result<(Stamp, Vec<u8>), ConnectError> {
        let path = self.path.join(name);
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
        let file = match openat(&self.directory, name, flags, Mode::empty()) {
            Ok(file) => file,
            Err(Errno::ELOOP) => return Err(ConnectError::NoFile(path.display().to_string())),
            Err(errno) => return Err(system("open", &path)(errno)),
        };
        let there = fstat(&file).map_err(system("look at", &path))?;
        if SFlag::from_bits_truncate(there.st_mode) & SFlag::S_IFMT != SFlag::S_IFREG {
            return Err(ConnectError::NoFile(path.display().to_string()));
        }
        own_and_closed(&path, &there, "600")?;
        let stamp = Stamp::of(&there);
        if stamp.length > longest {
            return Err(ConnectError::TooLong { path: path.display().to_string(), length: stamp.length });
        }
        let mut text = Vec::new();
        File::from(file).take(longest).read_to_end(&mut text).map_err(standard("read", &path))?;
        Ok((stamp, text))
    }

    /// Writes a file atomically; replaces an existing one.
    pub fn write(&self, name: &str, text: &[u8]) -> Result<(), ConnectError> {
        let fresh = self.write_aside(name, text)?;
        renameat(&self.directory, fresh.as_str(), &self.directory, name).map_err(|errno| {
            let _ = self.remove(&fresh);
            system("rename", &self.path.join(name))(errno)
        })
    }

    /// Writes a file under a temporary name, which it returns; the file is closed to others and synced to disk.
    pub(super) fn write_aside(&self, name: &str, text: &[u8]) -> Result<String, ConnectError> {
        let mut random = [0; 8];
        let path = self.path.join(name);
        getrandom::fill(&mut random).map_err(|_| system("find a name for", &path)(Errno::EIO))?;
        let fresh = temporary(name, random);
        let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let file = openat(&self.directory, fresh.as_str(), flags, Mode::S_IRUSR | Mode::S_IWUSR);
        let mut file = File::from(file.map_err(system("write", &path))?);
        let written = file.write_all(text).and_then(|()| file.sync_all());
        if let Err(error) = written {
            let _ = self.remove(&fresh);
            return Err(standard("write", &path)(error));
        }
        Ok(fresh)
    }

    /// Sets a file's time to the present; false if the file does not exist.
    pub fn touch(&self, name: &str) -> Result<bool, ConnectError> {
        let now = TimeSpec::UTIME_NOW;
        match utimensat(&self.directory, name, &now, &now, UtimensatFlags::NoFollowSymlink) {
            Ok(()) => Ok(true),
            Err(Errno::ENOENT) => Ok(false),
            Err(errno) => Err(system("touch", &self.path.join(name))(errno)),
        }
    }

    /// Deletes a file; false if it did not exist.
    pub fn remove(&self, name: &str) -> Result<bool, ConnectError> {
        match unlinkat(&self.directory, name, UnlinkatFlags::NoRemoveDir) {
            Ok(()) => Ok(true),
            Err(Errno::ENOENT) => Ok(false),
            Err(errno) => Err(system("delete", &self.path.join(name))(errno)),
        }
    }
}

/// The name of a file while it is being written.
fn temporary(name: &str, random: [u8; 8]) -> String {
    format!(".{name}.{:016x}", u64::from_le_bytes(random))
}

/// True if the name is that of a file that is being written, or never was completed.
pub fn is_temporary(name: &str) -> bool {
    let middle = name.strip_prefix('.').and_then(|rest| rest.rsplit_once('.'));
    middle.is_some_and(|(name, random)| {
        let ours = RequestId::of_request_file(name).is_some() || RequestId::of_response_file(name).is_some();
        ours && random.len() == 16 && random.bytes().all(|b| b.is_ascii_hexdigit())
    })
}

fn own_and_closed(path: &Path, there: &FileStat, wanted: &'static str) -> Result<(), ConnectError> {
    let path = path.display().to_string();
    if there.st_uid != geteuid().as_raw() {
        return Err(ConnectError::Foreign { path, uid: there.st_uid });
    }
    match there.st_mode & 0o777 {
        mode if mode & 0o077 != 0 => Err(ConnectError::Open { path, mode, wanted }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
