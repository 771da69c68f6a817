//! Writes and reads files of data for commands. A new file has its name only when it is complete.

use controller::{CommandId, DataRead, DataWrite};
use nix::fcntl::OFlag;
use nix::sys::statvfs::statvfs;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// Names that are tried for a file that is not complete.
const MOST_NAMES: u32 = 100;
/// Links that are followed one after another, as in the kernel.
const MOST_LINKS: u32 = 40;

/// The files that commands have begun.
#[derive(Debug, Default)]
pub(crate) struct DataFiles(HashMap<(CommandId, String), Begun>);

/// A file that is not complete. Dropped before its end, it leaves everything as it was.
#[derive(Debug)]
struct Begun {
    file: File,
    /// True if another file had the name.
    replaces: bool,
    undo: Option<Undo>,
}

#[derive(Debug)]
enum Undo {
    /// Remove this file; complete, it takes the second name.
    Remove(PathBuf, PathBuf),
    /// Cut the file off at its former length.
    Truncate(u64),
}

impl Drop for Begun {
    fn drop(&mut self) {
        match &self.undo {
            // There is nobody to tell any more.
            Some(Undo::Remove(path, _)) => _ = fs::remove_file(path),
            Some(Undo::Truncate(length)) => _ = self.file.set_len(*length),
            None => {}
        }
    }
}

impl Begun {
    fn begin(path: &Path, append: bool, size: u64) -> io::Result<Self> {
        let (place, known) = match fs::canonicalize(path) {
            Ok(place) => {
                let known = place.metadata()?;
                if !known.is_file() {
                    return Err(not_regular());
                }
                (place, Some(known))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => (end_of_links(path), None),
            Err(error) => return Err(error),
        };
        let directory = place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if let Ok(system) = statvfs(directory)
            && let Some(free) = system.blocks_available().checked_mul(system.fragment_size())
            && free < size
        {
            let words = format!("{size} bytes are needed, and the file system has {free}");
            return Err(io::Error::new(io::ErrorKind::StorageFull, words));
        }
        // A file that is not there yet has its name only when it is complete.
        if append && known.is_some() {
            let options = File::options().append(true).custom_flags(OFlag::O_NONBLOCK.bits()).clone();
            let file = options.open(&place)?;
            let length = regular(&file)?;
            return Ok(Self { file, replaces: false, undo: Some(Undo::Truncate(length)) });
        }
        let (file, incomplete) = new_file(directory, &place)?;
        let begun = Self { file, replaces: known.is_some(), undo: Some(Undo::Remove(incomplete, place)) };
        if let Some(known) = known {
            if known.permissions().readonly() {
                return Err(io::Error::from(io::ErrorKind::PermissionDenied));
            }
            begun.file.set_permissions(known.permissions())?;
        }
        Ok(begun)
    }

    /// Gives the file its name; true if another file had it.
    fn finish(mut self) -> io::Result<bool> {
        if let Some(Undo::Remove(incomplete, place)) = &self.undo {
            fs::rename(incomplete, place)?;
        }
        self.undo = None;
        Ok(self.replaces)
    }
}

/// Follows links to a file that does not exist: it is created where they lead, and they stay.
fn end_of_links(path: &Path) -> PathBuf {
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&place) else { break };
        place = place.parent().unwrap_or(Path::new("")).join(target);
    }
    place
}

/// Creates a file beside the place of another.
fn new_file(directory: &Path, place: &Path) -> io::Result<(File, PathBuf)> {
    let name = place.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::IsADirectory))?;
    for number in 0..MOST_NAMES {
        let mut incomplete = std::ffi::OsString::from(".");
        incomplete.push(name);
        incomplete.push(format!(".{}-{number}", std::process::id()));
        let path = directory.join(incomplete);
        match File::options().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists))
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")
}

/// Returns the length of a regular file; fails for devices and pipes.
fn regular(file: &File) -> io::Result<u64> {
    let known = file.metadata()?;
    if known.is_file() { Ok(known.len()) } else { Err(not_regular()) }
}

/// Returns the path that a name stands for: `~/` is the user's home directory.
fn path_of(name: &str) -> PathBuf {
    match (name.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(name),
    }
}

impl DataFiles {
    /// Writes for a command, and returns the names of the files that it has replaced, one a line. After an error the file is
    /// dropped by the command.
    pub(crate) fn write(&mut self, command: CommandId, steps: Vec<DataWrite>) -> Result<String, String> {
        let mut replaced = String::new();
        for step in steps {
            let (path, done) = match step {
                DataWrite::Begin { path, append, size } => {
                    let begun = Begun::begin(&path_of(&path), append, size);
                    let begun = begun.map(|begun| _ = self.0.insert((command, path.clone()), begun));
                    (path, begun)
                }
                DataWrite::Bytes { path, bytes } => {
                    let key = (command, path);
                    let begun = self.0.get_mut(&key);
                    let written = begun.map_or(Ok(()), |begun| begun.file.write_all(&bytes));
                    (key.1, written)
                }
                DataWrite::Finish { path } => {
                    let key = (command, path);
                    let finished = self.0.remove(&key).map_or(Ok(false), Begun::finish);
                    if matches!(finished, Ok(true)) {
                        replaced.push_str(&key.1);
                        replaced.push('\n');
                    }
                    (key.1, finished.map(drop))
                }
            };
            done.map_err(|error| format!("cannot write {path}: {error}"))?;
        }
        Ok(replaced)
    }

    /// Drops the files that a command has begun.
    pub(crate) fn drop_of(&mut self, command: CommandId) {
        self.0.retain(|(of, _), _| *of != command);
    }
}

/// Returns the files that exist.
pub(crate) fn existing(names: Vec<String>) -> Vec<String> {
    names.into_iter().filter(|name| path_of(name).exists()).collect()
}

/// Reads bytes of a regular file.
pub(crate) fn read_data(path: &str, from: u64, length: u64) -> Result<DataRead, String> {
    let fault = |error: io::Error| format!("cannot read {path}: {error}");
    read_part(&path_of(path), from, length).map_err(fault)
}

/// The same for any path.
pub(crate) fn read_part(path: &Path, from: u64, length: u64) -> io::Result<DataRead> {
    if !path.metadata()?.is_file() {
        return Err(not_regular());
    }
    let mut file = File::options().read(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(path)?;
    let size = regular(&file)?;
    let mut bytes = Vec::new();
    if from < size {
        file.seek(SeekFrom::Start(from))?;
        file.take(length).read_to_end(&mut bytes)?;
    }
    Ok(DataRead { size, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(place: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(place).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn begin(path: &str, append: bool) -> Vec<DataWrite> {
        let (begun, bytes) = (path.to_owned(), path.to_owned());
        vec![
            DataWrite::Begin { path: begun, append, size: 3 },
            DataWrite::Bytes { path: bytes, bytes: b"new".to_vec() },
        ]
    }

    #[test]
    fn an_unfinished_file_leaves_everything_as_it_was() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("x.bin");
        let name = path.to_str().unwrap();
        fs::write(&path, "old").unwrap();
        for append in [false, true] {
            let mut files = DataFiles::default();
            files.write(CommandId(1), begin(name, append)).unwrap();
            files.drop_of(CommandId(2));
            assert_eq!(files.0.len(), 1);
            files.drop_of(CommandId(1));
            assert_eq!(
                (fs::read_to_string(&path).unwrap().as_str(), names(place.path())),
                ("old", vec!["x.bin".into()])
            );
        }
        for (append, content) in [(false, "new"), (true, "newnew")] {
            let mut files = DataFiles::default();
            files.write(CommandId(1), begin(name, append)).unwrap();
            files.write(CommandId(1), vec![DataWrite::Finish { path: name.to_owned() }]).unwrap();
            assert_eq!(
                (fs::read_to_string(&path).unwrap().as_str(), names(place.path())),
                (content, vec!["x.bin".into()])
            );
        }
    }

    #[test]
    fn only_regular_files_are_written_and_read() {
        let place = tempfile::tempdir().unwrap();
        let pipe = place.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let mut files = DataFiles::default();
        for name in [pipe.to_str().unwrap(), "/dev/full", place.path().to_str().unwrap()] {
            for append in [false, true] {
                let why = files.write(CommandId(1), begin(name, append)).unwrap_err();
                assert!(why.contains("not a regular file"), "{why}");
            }
            assert!(read_data(name, 0, 9).unwrap_err().contains("not a regular file"));
        }
        let path = place.path().join("x");
        fs::write(&path, "0123456789").unwrap();
        let name = path.to_str().unwrap();
        assert_eq!(read_data(name, 8, 9), Ok(DataRead { size: 10, bytes: b"89".to_vec() }));
        assert_eq!(read_data(name, 80, 9), Ok(DataRead { size: 10, bytes: Vec::new() }));
        let huge = DataWrite::Begin { path: name.to_owned(), append: false, size: u64::MAX };
        assert!(files.write(CommandId(1), vec![huge]).unwrap_err().contains("the file system has"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "0123456789");
    }

    #[test]
    fn a_link_still_leads_to_its_file() {
        let place = tempfile::tempdir().unwrap();
        let (path, link) = (place.path().join("x"), place.path().join("link"));
        fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let name = link.to_str().unwrap().to_owned();
        let mut files = DataFiles::default();
        files.write(CommandId(1), begin(&name, false)).unwrap();
        files.write(CommandId(1), vec![DataWrite::Finish { path: name }]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
    #[test]
    fn bytes_appended_to_no_file_make_one_when_they_are_complete() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("x");
        let name = path.to_str().unwrap().to_owned();
        let mut files = DataFiles::default();
        files.write(CommandId(1), begin(&name, true)).unwrap();
        files.drop_of(CommandId(1));
        assert_eq!(names(place.path()), Vec::<String>::new());
        files.write(CommandId(1), begin(&name, true)).unwrap();
        files.write(CommandId(1), vec![DataWrite::Finish { path: name }]).unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(place.path())), ("new", vec!["x".into()]));
    }

    #[test]
    fn a_link_to_no_file_leads_to_a_new_one() {
        for append in [false, true] {
            let place = tempfile::tempdir().unwrap();
            let [link, other] = ["link", "other"].map(|name| place.path().join(name));
            fs::create_dir(place.path().join("far")).unwrap();
            std::os::unix::fs::symlink("other", &link).unwrap();
            std::os::unix::fs::symlink("far/x", &other).unwrap();
            let name = link.to_str().unwrap().to_owned();
            let mut files = DataFiles::default();
            files.write(CommandId(1), begin(&name, append)).unwrap();
            files.write(CommandId(1), vec![DataWrite::Finish { path: name }]).unwrap();
            assert_eq!(fs::read_to_string(place.path().join("far/x")).unwrap(), "new");
            assert!([link, other].iter().all(|link| fs::symlink_metadata(link).unwrap().is_symlink()));
        }
    }
}
