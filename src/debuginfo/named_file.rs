//! Opens files that debug information, a debuggee or its memory map names: sources, split units, debug links,
//! libraries. Such a name may be anything: opening a pipe or a device may block, and reading it may never end. So only
//! regular files are opened, without blocking, and every read has a limit.

use md5::{Digest as _, Md5};
use nix::fcntl::OFlag;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::Path;

/// Limit on the text of a source, which goes to the front end in one reply.
pub const LONGEST_SOURCE: u64 = 16 << 20;
/// Limit on that text once encoded, where a control character takes six bytes, so that it fits into a packet.
const LONGEST_SENT: u64 = 48 << 20;
/// Limit on a file with code or debug information, which is mapped, not read.
pub const LONGEST_IMAGE: u64 = 64 << 30;
/// Limit on a file that is read in full, for its checksum or for symbols.
pub const LONGEST_READ: u64 = 4 << 30;

/// The reason a file is not opened or read.
#[derive(Debug, thiserror::Error)]
pub enum NamedFileError {
    /// The system refused; shown in its words.
    #[error("{}", words(.0))]
    Io(#[from] io::Error),
    /// Not a regular file; holds the kind, such as "a pipe".
    #[error("it is {0}, not a regular file")]
    NotRegular(&'static str),
    /// Longer than the caller's limit.
    #[error("it has {length} bytes; the limit is {limit}")]
    TooLong {
        /// In bytes, as far as they were counted.
        length: u64,
        /// In bytes.
        limit: u64,
    },
    /// Mostly control characters, so not text.
    #[error("it is full of control characters and would take {length} bytes; the limit is {limit}")]
    NoText {
        /// In bytes, once encoded.
        length: u64,
        /// In bytes.
        limit: u64,
    },
}

fn words(error: &io::Error) -> String {
    // "(os error 2)" adds nothing for users.
    match error.raw_os_error() {
        Some(number) => nix::errno::Errno::from_raw(number).desc().to_owned(),
        None => error.to_string(),
    }
}

impl From<NamedFileError> for io::Error {
    fn from(error: NamedFileError) -> Self {
        match error {
            NamedFileError::Io(error) => error,
            other => io::Error::new(io::ErrorKind::InvalidInput, other.to_string()),
        }
    }
}

/// Opens a regular file of at most `limit` bytes.
pub fn open(path: &Path, limit: u64) -> Result<File, NamedFileError> {
    // Opening a device can have side effects, so look first; `O_NONBLOCK` covers a pipe that replaces the file
    // meanwhile.
    regular(&path.metadata()?)?;
    let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    let file = OpenOptions::new().read(true).custom_flags(flags.bits()).open(path)?;
    let there = file.metadata()?;
    regular(&there)?;
    match there.len() {
        length if length > limit => Err(NamedFileError::TooLong { length, limit }),
        _ => Ok(file),
    }
}

/// Reads all of a regular file. A file that reports size 0 may have no end (proc(5)), so the limit applies to the bytes
/// read, too.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, NamedFileError> {
    let mut bytes = Vec::new();
    open(path, limit)?.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 {
        length if length > limit => Err(NamedFileError::TooLong { length, limit }),
        _ => Ok(bytes),
    }
}

/// Reads a source to be sent to the front end. Invalid UTF-8 is replaced.
pub fn source(path: &Path) -> Result<String, NamedFileError> {
    let text = String::from_utf8_lossy(&read(path, LONGEST_SOURCE)?).into_owned();
    let sent = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\t' | b'\r' => 2,
        0..0x20 => 6,
        _ => 1,
    };
    match text.bytes().map(sent).sum() {
        length if length > LONGEST_SENT => Err(NamedFileError::NoText { length, limit: LONGEST_SENT }),
        _ => Ok(text),
    }
}

/// Returns the MD5 of a source, with which DWARF 5 (6.2.4.1) identifies its text.
pub fn md5(path: &Path) -> Result<[u8; 16], NamedFileError> {
    Ok(Md5::digest(read(path, LONGEST_SOURCE)?).into())
}

fn regular(there: &std::fs::Metadata) -> Result<(), NamedFileError> {
    let kind = there.file_type();
    Err(NamedFileError::NotRegular(match kind {
        _ if kind.is_file() => return Ok(()),
        _ if kind.is_dir() => "a directory",
        _ if kind.is_fifo() => "a pipe",
        _ if kind.is_socket() => "a socket",
        _ => "a device",
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::stat::Mode;

    #[test]
    fn a_pipe_a_device_and_a_directory_are_not_opened() {
        let place = tempfile::tempdir().unwrap();
        let (pipe, socket) = (place.path().join("pipe"), place.path().join("socket"));
        nix::unistd::mkfifo(&pipe, Mode::S_IRWXU).unwrap();
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        // Through a link, too.
        let link = place.path().join("link");
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        for (path, kind) in [
            (pipe.as_path(), "a pipe"),
            (Path::new("/dev/zero"), "a device"),
            (&link, "a device"),
            (place.path(), "a directory"),
            (&socket, "a socket"),
        ] {
            for error in [open(path, 1).map(drop).unwrap_err(), read(path, 1).map(drop).unwrap_err()] {
                assert_eq!(error.to_string(), format!("it is {kind}, not a regular file"));
            }
        }
        assert_eq!(read(&place.path().join("none"), 1).unwrap_err().to_string(), "No such file or directory");
    }

    #[test]
    fn a_source_fits_into_a_packet_whatever_is_in_it() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("file.c");
        let long = LONGEST_SOURCE as usize;
        // The largest text of each kind, and whether it is accepted.
        for (byte, is_read) in [(b'x', true), (b'"', true), (b'\n', true), (0, false), (0x1b, false), (0xff, true)] {
            std::fs::write(&path, vec![byte; long]).unwrap();
            let text = source(&path);
            assert_eq!(text.is_ok(), is_read, "{byte}: {:?}", text.as_ref().map(String::len));
            let sent = text.map_or(0, |text| serde_json::to_string(&text).unwrap().len());
            assert!(sent < 60 << 20, "{byte}: {sent}");
        }
        std::fs::write(&path, vec![0; long]).unwrap();
        let words = source(&path).unwrap_err().to_string();
        assert_eq!(words, "it is full of control characters and would take 100663296 bytes; the limit is 50331648");
        std::fs::write(&path, vec![0; 1000]).unwrap();
        assert_eq!(source(&path).unwrap().len(), 1000);
    }

    #[test]
    fn no_more_is_read_than_is_allowed() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("file");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        let words = "it has 5 bytes; the limit is 4";
        assert_eq!((open(&path, 4).map(drop).unwrap_err().to_string().as_str()), words);
        assert_eq!(read(&path, 4).unwrap_err().to_string(), words);
        // Holes take no room on disk, but they do in memory.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert!(
            matches!(read(&path, LONGEST_SOURCE), Err(NamedFileError::TooLong { length, .. }) if length == 1 << 40)
        );
        // This file reports size 0.
        assert!(matches!(read(Path::new("/proc/self/smaps"), 9), Err(NamedFileError::TooLong { length: 10, .. })));
    }
}
