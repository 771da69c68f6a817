//! A file that exactly one of several writers makes, on network file systems too: it is complete the moment it has its
//! name, and nobody's second thought replaces it.

use super::ConnectDirectory;
use super::directory_error::{ConnectError, system};
use nix::errno::Errno;
use nix::fcntl::{AtFlags, RenameFlags, renameat2};
use nix::sys::stat::fstatat;
use nix::unistd::linkat;

impl ConnectDirectory {
    /// Writes a file unless there is one; whether it was us. A crash leaves the whole file or none.
    pub fn write_once(&self, name: &str, text: &[u8]) -> Result<bool, ConnectError> {
        let fresh = self.write_aside(name, text)?;
        let directory = self.descriptor();
        let outcome = match linkat(directory, fresh.as_str(), directory, name, AtFlags::empty()) {
            Ok(()) => Ok(true),
            // A file server's answer may be lost and the request repeated: two names are proof that it was us (open(2)).
            Err(Errno::EEXIST) => {
                Ok(fstatat(directory, fresh.as_str(), AtFlags::AT_SYMLINK_NOFOLLOW).is_ok_and(|own| own.st_nlink == 2))
            }
            // A file system without hard links.
            Err(Errno::EPERM | Errno::EOPNOTSUPP | Errno::ENOSYS) => {
                match renameat2(directory, fresh.as_str(), directory, name, RenameFlags::RENAME_NOREPLACE) {
                    Ok(()) => Ok(true),
                    Err(Errno::EEXIST) => Ok(false),
                    Err(errno) => Err(errno),
                }
            }
            Err(errno) => Err(errno),
        };
        // By its other name it stays; one that lost the race goes.
        let _ = self.remove(&fresh);
        outcome.map_err(system("write", &self.path().join(name)))
    }
}
