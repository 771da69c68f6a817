//! Files that only their owner can read and write, regardless of the umask. Symbolic links are not followed.

use nix::fcntl::OFlag;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

const MODE: u32 = 0o600;

/// Returns the options that create a file for its owner alone.
pub fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(MODE).custom_flags(OFlag::O_NOFOLLOW.bits());
    options
}

/// Creates a file, or empties an existing one.
pub fn create(path: &Path) -> io::Result<File> {
    options().write(true).create(true).truncate(true).open(path)
}

/// Opens a file for appending; creates it if it does not exist.
pub fn append(path: &Path) -> io::Result<File> {
    options().append(true).create(true).open(path)
}

/// Writes a file atomically; replaces an existing one.
pub fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}", std::process::id()));
    let fresh = PathBuf::from(name);
    let written = create(&fresh).and_then(|mut file| file.write_all(text));
    written.and_then(|()| fs::rename(&fresh, path)).inspect_err(|_| drop(fs::remove_file(&fresh)))
}

/// Closes a socket's file to other users: bind(2) obeys the umask alone.
pub fn close_to_others(socket: &Path) -> io::Result<()> {
    fs::set_permissions(socket, fs::Permissions::from_mode(MODE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_file_is_for_its_owner_and_leaves_no_half_behind() {
        let place = tempfile::tempdir().unwrap();
        let names = ["created", "appended", "replaced"].map(|name| place.path().join(name));
        create(&names[0]).unwrap();
        append(&names[1]).unwrap();
        replace(&names[2], b"one").unwrap();
        replace(&names[2], b"two").unwrap();
        for path in &names {
            assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, MODE, "{path:?}");
        }
        assert_eq!(fs::read(&names[2]).unwrap(), b"two");
        assert!(replace(&place.path().join("absent/file"), b"").is_err());
        // A file cannot replace a directory.
        fs::create_dir(place.path().join("directory")).unwrap();
        assert!(replace(&place.path().join("directory"), b"").is_err());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 4);
        symlink(&names[0], place.path().join("link")).unwrap();
        assert!(create(&place.path().join("link")).is_err() && append(&place.path().join("link")).is_err());
    }
}
