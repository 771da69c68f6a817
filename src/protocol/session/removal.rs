//! Removes a session's directory. Only what rankscope created is removed: a directory with its mark, in a directory
//! that is ours and closed, and in it the files with rankscope's names. All of it is reached through descriptors of
//! checked directories, so that no link in between leads elsewhere.

use super::directory::{own_and_closed_stat, own_uid};
use super::directory_error::{DirectoryError, io_fault};
use crate::{SessionDirectory, own_file};
use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, OFlag, openat};
use nix::sys::stat::{Mode, SFlag, fstat};
use nix::unistd::{UnlinkatFlags, unlinkat};
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::Path;

/// The file that marks a directory as rankscope's.
const MARK: &str = "session.mark";
/// The content of that file.
const MARK_TEXT: &[u8] = b"This directory belongs to a session of rankscope, which removes it.\n";
/// The key goes first: a removal that fails halfway leaves no key.
const KEY: &str = "key";
/// File names in a session's directory, or in its copy on another host. A process's own copy has its number at the end.
const KNOWN: [&str; 15] = [
    KEY,
    MARK,
    "front.sock",
    "join.json",
    "launcher.err",
    "launcher.out",
    "master-words.log",
    "master.log",
    "master.log.old",
    "master.sock",
    "place",
    "place.lock",
    "rankscope",
    "servers.json",
    "servers.log",
];
const DESCRIPTION: &str = "session.json";
/// The suffixes of a server's files.
const OF_SERVERS: [&str; 7] = ["", ".at", ".lock", ".log", ".log.old", ".pid", ".sock"];
/// The number of foreign files that the error names.
const SHOWN: usize = 4;

impl SessionDirectory {
    /// Writes the mark into a new directory; removes the directory if that fails.
    pub(crate) fn marked(self) -> Result<Self, DirectoryError> {
        let path = self.path().join(MARK);
        let made = own_file::options().write(true).create_new(true).open(&path);
        match made.and_then(|mut file| file.write_all(MARK_TEXT)) {
            Ok(()) => Ok(self),
            Err(error) => {
                // The first error is the informative one.
                let _ = fs::remove_file(&path);
                let _ = fs::remove_dir(self.path());
                Err(io_fault("write", &path)(error))
            }
        }
    }

    /// True if rankscope created the directory.
    pub(crate) fn is_marked(&self) -> bool {
        open_directory(AT_FDCWD, self.path(), self.path()).is_ok_and(|directory| has_mark(&directory))
    }

    /// Removes the directory and its files after the session's end. Foreign files stay, and the directory with them.
    pub fn remove(&self) -> Result<(), DirectoryError> {
        let path = self.path();
        let shown = || path.display().to_string();
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(DirectoryError::NoDirectory(shown()));
        };
        let above = open_directory(AT_FDCWD, if above.as_os_str().is_empty() { Path::new(".") } else { above }, above)?;
        let directory = open_directory(&above, Path::new(name), path)?;
        if !has_mark(&directory) {
            return Err(DirectoryError::NotOurs { path: shown(), mark: MARK });
        }
        let names = names_in(&directory, path)?;
        let unlink = |name: &str| match unlinkat(&directory, name, UnlinkatFlags::NoRemoveDir) {
            Ok(()) | Err(Errno::ENOENT) => Ok(()),
            Err(errno) => Err(io_fault("remove", &path.join(name))(errno.into())),
        };
        unlink(KEY)?;
        let strangers: Vec<&str> = names.iter().map(String::as_str).filter(|name| !is_known(name)).collect();
        if !strangers.is_empty() {
            let more = if strangers.len() > SHOWN { ", …" } else { "" };
            let names = strangers.into_iter().take(SHOWN).collect::<Vec<_>>().join(", ") + more;
            return Err(DirectoryError::Strangers { path: shown(), names });
        }
        names.iter().filter(|name| *name != MARK).try_for_each(|name| unlink(name))?;
        unlink(MARK)?;
        unlinkat(&above, name, UnlinkatFlags::RemoveDir).map_err(|errno| io_fault("remove", path)(errno.into()))
    }
}

/// Opens a directory that is ours, closed to others, and no link.
fn open_directory(within: impl std::os::fd::AsFd, name: &Path, path: &Path) -> Result<OwnedFd, DirectoryError> {
    let flags = OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC | OFlag::O_RDONLY;
    let directory = match openat(within, name, flags, Mode::empty()) {
        Ok(directory) => directory,
        Err(Errno::ENOENT) => return Err(DirectoryError::Absent(path.display().to_string())),
        Err(Errno::ENOTDIR | Errno::ELOOP) => return Err(DirectoryError::NoDirectory(path.display().to_string())),
        Err(errno) => return Err(io_fault("open the directory", path)(errno.into())),
    };
    let there = fstat(&directory).map_err(|errno| io_fault("look at", path)(errno.into()))?;
    own_and_closed_stat(path, there.st_uid, there.st_mode, "700")?;
    Ok(directory)
}

fn has_mark(directory: &OwnedFd) -> bool {
    let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    let Ok(file) = openat(directory, MARK, flags, Mode::empty()) else { return false };
    let plain = fstat(&file).is_ok_and(|there| {
        SFlag::from_bits_truncate(there.st_mode) & SFlag::S_IFMT == SFlag::S_IFREG && there.st_uid == own_uid()
    });
    let mut text = Vec::new();
    let most = MARK_TEXT.len() as u64 + 1;
    plain && File::from(file).take(most).read_to_end(&mut text).is_ok() && text == MARK_TEXT
}

/// Returns the names in a directory; a name that is not UTF-8 is shown as well as possible, and is not ours.
fn names_in(directory: &OwnedFd, path: &Path) -> Result<Vec<String>, DirectoryError> {
    let fault = |errno: Errno| io_fault("read the directory", path)(errno.into());
    let flags = OFlag::O_DIRECTORY | OFlag::O_CLOEXEC | OFlag::O_RDONLY;
    let mut entries = Dir::openat(directory, ".", flags, Mode::empty()).map_err(fault)?;
    let mut names = Vec::new();
    for entry in entries.iter() {
        let name = entry.map_err(fault)?.file_name().to_string_lossy().into_owned();
        if name != "." && name != ".." {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// True if rankscope creates files of this name.
fn is_known(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // A file that is written atomically bears the writer's number until it is complete.
    let name = name.rsplit_once('.').filter(|(_, end)| is_number(end)).map_or(name, |(begin, _)| begin);
    let of_process = || {
        let rest = name.strip_prefix("server-").or_else(|| name.strip_prefix("tracer-"))?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, end) = rest.split_at_checked(digits)?;
        Some(is_number(number) && OF_SERVERS.contains(&end))
    };
    name == DESCRIPTION || KNOWN.contains(&name) || of_process().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use tempfile::tempdir;

    #[test]
    fn only_files_of_a_session_are_removed() {
        let place = tempdir().unwrap();
        let session = SessionDirectory::create_in(&place.path().join("base"), Some("one")).unwrap();
        session.create_key().unwrap();
        for name in [
            "server-0.sock",
            "server-17.log.old",
            "server-3",
            "tracer-2.log",
            "master.log",
            "session.json.4711",
            "server-2.at.9",
        ] {
            fs::write(session.path().join(name), "").unwrap();
        }
        // One of our names that leads to a foreign file.
        let precious = place.path().join("precious");
        fs::write(&precious, "mine").unwrap();
        symlink(&precious, session.path().join("launcher.out")).unwrap();
        for (stranger, is_directory) in
            [("thesis.tex", false), ("server-0.c", false), ("server-", false), ("data", true)]
        {
            let path = session.path().join(stranger);
            if is_directory {
                fs::create_dir(&path).unwrap();
            } else {
                fs::write(&path, "mine").unwrap();
            }
            let words = session.remove().unwrap_err().to_string();
            assert!(words.contains("did not make") && words.contains(stranger), "{words}");
            assert!(path.exists() && !session.path().join("key").exists());
            if is_directory { fs::remove_dir(&path).unwrap() } else { fs::remove_file(&path).unwrap() }
        }
        session.remove().unwrap();
        assert!(!session.path().exists());
        assert_eq!(fs::read_to_string(&precious).unwrap(), "mine");
    }

    #[test]
    fn a_directory_without_our_mark_is_not_removed() {
        let place = tempdir().unwrap();
        let session = SessionDirectory::create_in(&place.path().join("base"), Some("one")).unwrap();
        session.create_key().unwrap();
        let mark = session.path().join(MARK);
        for text in [None, Some("else"), Some("")] {
            fs::remove_file(&mark).unwrap();
            if let Some(text) = text {
                fs::write(&mark, text).unwrap();
            }
            assert!(!session.is_marked());
            let words = session.remove().unwrap_err().to_string();
            assert!(words.contains("not made by rankscope"), "{words}");
            assert!(session.key().is_ok());
            fs::write(&mark, "").unwrap();
        }
        fs::remove_file(&mark).unwrap();
        // A mark in another directory does not count.
        let other = SessionDirectory::create_in(&place.path().join("base"), None).unwrap();
        symlink(other.path().join(MARK), &mark).unwrap();
        assert!(!session.is_marked() && session.remove().is_err());
    }

    #[test]
    fn nothing_is_removed_through_a_link() {
        let place = tempdir().unwrap();
        let base = place.path().join("base");
        let session = SessionDirectory::create_in(&base, Some("one")).unwrap();
        let moved = place.path().join("moved");
        fs::rename(&base, &moved).unwrap();
        symlink(&moved, &base).unwrap();
        assert!(matches!(session.remove(), Err(DirectoryError::NoDirectory(_))));
        assert!(matches!(SessionDirectory::open_path(session.path()), Err(DirectoryError::NoDirectory(_))));
        fs::remove_file(&base).unwrap();
        fs::rename(&moved, &base).unwrap();
        fs::rename(session.path(), place.path().join("elsewhere")).unwrap();
        symlink(place.path().join("elsewhere"), session.path()).unwrap();
        assert!(matches!(session.remove(), Err(DirectoryError::NoDirectory(_))));
        assert!(place.path().join("elsewhere").join(MARK).exists());
    }
}
