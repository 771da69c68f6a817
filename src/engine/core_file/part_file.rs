//! A core file while it is written: without its name, which it gets when it is complete. Until then nothing is left
//! behind, whatever happens.

use super::fault::CoreFault;
use model::{CoreFile, CorePlace, Rank, raw_text, raw_word};
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag};
use nix::libc;
use nix::unistd::linkat;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, IntoRawFd};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Only the user reads it: it has the program's memory.
const MODE: u32 = 0o600;

/// A core file that has no name of its own yet.
#[derive(Debug)]
pub(crate) struct PartFile {
    file: File,
    place: CorePlace,
    target: PathBuf,
    /// The name until it is complete; `None` if the file system has files without one.
    name: Option<PathBuf>,
}

/// Returns where core files go: `core` in a directory that is there, or else the path is their name without the rank.
fn place(path: &str) -> Result<CorePlace, CoreFault> {
    let given = PathBuf::from(raw_word(path));
    if !given.is_absolute() {
        return Err(CoreFault::NotAbsolute(path.to_owned()));
    }
    if given.is_dir() {
        return Ok(CorePlace { directory: path.trim_end_matches('/').to_owned(), name: "core".to_owned() });
    }
    let parts = given.parent().zip(given.file_name()).filter(|_| !path.ends_with('/'));
    match parts {
        Some((directory, name)) if directory.is_dir() => {
            Ok(CorePlace { directory: raw_text(directory.as_os_str()), name: raw_text(name) })
        }
        Some((directory, _)) => Err(CoreFault::NoDirectory(raw_text(directory.as_os_str()))),
        None => Err(CoreFault::NoDirectory(path.to_owned())),
    }
}

/// Returns the path of a rank's core file, unless there is one already.
fn target(place: &CorePlace, rank: Rank) -> Result<PathBuf, CoreFault> {
    let target = PathBuf::from(raw_word(&place.path(rank)));
    match target.symlink_metadata() {
        Ok(_) => Err(CoreFault::Exists(place.clone())),
        Err(_) => Ok(target),
    }
}

impl PartFile {
    /// Creates the file of a rank, without a name where the file system can do that: it is gone if this process is.
    pub(crate) fn create(path: &str, rank: Rank) -> Result<Self, CoreFault> {
        let place = place(path)?;
        let target = target(&place, rank)?;
        let mut options = File::options();
        let options = options.read(true).write(true).mode(MODE).custom_flags(OFlag::O_TMPFILE.bits());
        match options.open(raw_word(&place.directory)) {
            Ok(file) => Ok(Self { file, place, target, name: None }),
            Err(error) if has_only_names(&error) => Self::named(path, rank),
            Err(error) => Err(CoreFault::File(place, error)),
        }
    }

    /// Creates the file of a rank under another name, for a process that opens it by its name.
    pub(crate) fn named(path: &str, rank: Rank) -> Result<Self, CoreFault> {
        let place = place(path)?;
        let target = target(&place, rank)?;
        let name = target.with_file_name(format!(".core.{rank}.{}.part", std::process::id()));
        let mut options = File::options();
        let options = options.read(true).write(true).create_new(true).mode(MODE);
        match options.open(&name) {
            Ok(file) => Ok(Self { file, place, target, name: Some(name) }),
            Err(error) => Err(CoreFault::File(place, error)),
        }
    }

    /// Returns where the file will be.
    pub(super) fn place(&self) -> &CorePlace {
        &self.place
    }

    /// Returns the file to be written.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Returns the name that the file has until it is complete.
    pub(crate) fn name(&self) -> Option<&Path> {
        self.name.as_deref()
    }

    /// Gives the complete file its own name. Never replaces another file.
    pub(crate) fn finish(self) -> Result<CoreFile, CoreFault> {
        let named = self.flush().and_then(|()| self.give_name()).and_then(|()| self.target.symlink_metadata());
        match named {
            Ok(found) => Ok(CoreFile { place: self.place.clone(), size: found.len(), stored: found.blocks() * 512 }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(CoreFault::Exists(self.place.clone())),
            Err(error) => Err(CoreFault::File(self.place.clone(), error)),
        }
    }

    /// Reports errors that a file system reports only when a file is closed (NFS).
    fn flush(&self) -> io::Result<()> {
        Ok(nix::unistd::close(self.file.try_clone()?.into_raw_fd())?)
    }

    fn give_name(&self) -> io::Result<()> {
        let Some(name) = &self.name else {
            // open(2), O_TMPFILE.
            let own = format!("/proc/self/fd/{}", self.file.as_raw_fd());
            let flags = AtFlags::AT_SYMLINK_FOLLOW;
            return Ok(linkat(AT_FDCWD, own.as_str(), AT_FDCWD, &self.target, flags)?);
        };
        // Whoever wrote it may have replaced the file.
        fs::set_permissions(name, fs::Permissions::from_mode(MODE))?;
        match fs::hard_link(name, &self.target) {
            Err(error) if matches!(error.raw_os_error(), Some(libc::EPERM | libc::EOPNOTSUPP | libc::ENOSYS)) => {
                // A file system without hard links.
                if self.target.symlink_metadata().is_ok() {
                    return Err(io::ErrorKind::AlreadyExists.into());
                }
                fs::rename(name, &self.target)
            }
            // The other name goes with this value.
            linked => linked,
        }
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            // Gone already if it was renamed.
            let _ = fs::remove_file(name);
        }
    }
}

/// True if a file system cannot create a file without a name (open(2), `O_TMPFILE`; old kernels see a directory).
fn has_only_names(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EOPNOTSUPP | libc::EISDIR | libc::EINVAL | libc::ENOENT | libc::ENOSYS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_has_its_name_only_when_it_is_complete() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().to_str().unwrap();
        for (rank, create) in [(Rank(3), PartFile::create as fn(&str, Rank) -> _), (Rank(4), PartFile::named)] {
            let before = names(place.path());
            let part: PartFile = create(directory, rank).unwrap();
            part.file().write_all(b"core").unwrap();
            drop(part);
            assert_eq!(names(place.path()), before, "an abandoned one leaves nothing");
            let part = create(directory, rank).unwrap();
            part.file().write_all(b"core").unwrap();
            let written = part.finish().unwrap();
            assert_eq!((written.path(rank), written.size), (format!("{directory}/core.{rank}"), 4));
            let found = fs::metadata(written.path(rank)).unwrap();
            assert_eq!(found.permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(names(place.path()), ["core.3", "core.4"]);
    }

    #[test]
    fn a_file_that_is_there_stays_as_it_is() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().to_str().unwrap();
        let target = place.path().join("core.0");
        for create in [PartFile::create as fn(&str, Rank) -> _, PartFile::named] {
            let part: PartFile = create(directory, Rank(0)).unwrap();
            // It appears while the other is written.
            fs::write(&target, "mine").unwrap();
            let fault = part.finish().unwrap_err().to_string();
            assert!(fault.contains("core.RANK exists"), "{fault}");
            assert!(create(directory, Rank(0)).unwrap_err().to_string().contains("core.RANK exists"));
            assert_eq!(fs::read(&target).unwrap(), b"mine");
            assert_eq!(names(place.path()), ["core.0"]);
            fs::remove_file(&target).unwrap();
        }
        // A link to nowhere is a file, too.
        std::os::unix::fs::symlink("/nowhere/x", &target).unwrap();
        assert!(PartFile::create(directory, Rank(0)).is_err());
    }

    #[test]
    fn a_directory_that_is_not_there_is_named() {
        for (directory, words) in [
            ("x", "not an absolute path"),
            ("/nowhere/x", "no directory /nowhere on"),
            ("/nowhere/", "no directory /nowhere/ on"),
            ("/nowhere/x/", "no directory /nowhere/x/ on"),
        ] {
            let fault = PartFile::create(directory, Rank(0)).unwrap_err().to_string();
            assert!(fault.contains(words), "{fault}");
        }
    }

    #[test]
    fn files_have_the_name_that_is_given() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("before").to_str().unwrap().to_owned();
        for create in [PartFile::create as fn(&str, Rank) -> _, PartFile::named] {
            let part: PartFile = create(&path, Rank(2)).unwrap();
            let written = part.finish().unwrap();
            assert_eq!(written.path("RANK"), format!("{path}.RANK"));
            assert_eq!(names(place.path()), ["before.2"]);
            fs::remove_file(written.path(2)).unwrap();
        }
    }
}
