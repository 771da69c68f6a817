//! The log of one process of a session, limited in size however long the session lives and however often strangers
//! connect: older lines move to a second file, still older ones are dropped.

use protocol::own_file;
use std::fs::{File, rename};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Bytes of one file; there are two.
const LARGEST: u64 = 8 << 20;

#[derive(Debug)]
pub(super) struct LogFile {
    path: PathBuf,
    file: File,
    length: u64,
    largest: u64,
}

impl LogFile {
    /// Appends if the file exists.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Self::open_to(path, LARGEST)
    }

    fn open_to(path: &Path, largest: u64) -> io::Result<Self> {
        let file = own_file::append(path)?;
        let length = file.metadata()?.len();
        Ok(Self { path: path.to_owned(), file, length, largest })
    }

    fn begin_anew(&mut self) -> io::Result<()> {
        rename(&self.path, self.path.with_extension("log.old"))?;
        *self = Self::open_to(&self.path, self.largest)?;
        Ok(())
    }
}

impl Write for LogFile {
    /// Drops lines for which there is no room: the logger would complain on standard error, which may be full as well,
    /// and that would end the process.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.length >= self.largest {
            let _ = self.begin_anew();
        }
        if self.file.write_all(bytes).is_ok() {
            self.length += bytes.len() as u64;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_without_room_is_no_failure() {
        let mut log = LogFile::open(Path::new("/dev/full")).unwrap();
        assert!(log.write_all(b"word").is_ok() && log.flush().is_ok());
    }

    use std::fs::read_to_string;

    #[test]
    fn the_last_of_what_was_said_is_kept() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("master.log");
        let mut log = LogFile::open_to(&path, 100).unwrap();
        for n in 0..1000 {
            writeln!(log, "line {n:04}").unwrap();
        }
        drop(log);
        let mut log = LogFile::open_to(&path, 100).unwrap();
        writeln!(log, "the end").unwrap();
        let (old, new) = (read_to_string(place.path().join("master.log.old")).unwrap(), read_to_string(&path).unwrap());
        assert!(old.len() <= 110 && new.len() <= 110, "{} {}", old.len(), new.len());
        assert!(old.ends_with("line 0999\n") || new.contains("line 0999\n"), "{old}{new}");
        assert!(new.ends_with("the end\n"));
    }
}
