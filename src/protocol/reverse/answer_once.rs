//! Creates a file that exactly one of several writers can make, on network file systems too: it is complete from the
//! moment it has its name, and nobody can replace it.

use super::ConnectDirectory;
use super::directory_error::{ConnectError, system};
use nix::errno::Errno;
use nix::fcntl::{AtFlags, RenameFlags, renameat2};
use nix::sys::stat::fstatat;
use nix::unistd::linkat;

impl ConnectDirectory {
    /// Writes a file unless it exists; true if this call did. A crash leaves the whole file or none.
    pub fn write_once(&self, name: &str, text: &[u8]) -> Result<bool, ConnectError> {
        let fresh = self.write_aside(name, text)?;
        let directory = self.descriptor();
        let outcome = match linkat(directory, fresh.as_str(), directory, name, AtFlags::empty()) {
            Ok(()) => Ok(true),
            // A file server's reply may be lost and the request repeated: two names prove that it was this call
            // (open(2)).
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
        // If this call won, the file keeps its other name.
        let _ = self.remove(&fresh);
        outcome.map_err(system("write", &self.path().join(name)))
    }
}
