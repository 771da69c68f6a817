//! The classical way to make a tree: a launcher starts a master and a server for each rank, all with the same routing
//! file and no other information. The key of the session lies beside that file.

use super::file::RoutingFile;
use crate::error::{TreeError, io_fault};
use protocol::{DirectoryError, SessionDirectory, SessionInfo, SessionKey, lay_key, read_key};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::Instant;

/// Name of the routing file in the working directory, if none is given.
pub(crate) const USUAL: &str = "routing_file";
/// Time limit for the file and the key to appear.
const LIMIT: Duration = Duration::from_secs(300);
/// Interval between two looks: a network file system does not report writes of another host.
const POLL: Duration = Duration::from_millis(100);

/// Returns the path of the session's key.
fn key_beside(file: &Path) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(".key");
    name.into()
}

/// The key that a master has written for the servers; removed when this is dropped.
pub(crate) struct LaidKey {
    path: PathBuf,
}

impl LaidKey {
    /// Writes a key beside the file. A key of ours that is there already is used: servers may have read it.
    pub(crate) fn lay(file: &Path) -> Result<(Self, SessionKey), TreeError> {
        let path = key_beside(file);
        let fresh = SessionKey::generate().map_err(io_fault("make a key for the session"))?;
        let key = match lay_key(&path, &fresh) {
            Ok(()) => fresh,
            Err(DirectoryError::Io { source, .. }) if source.kind() == io::ErrorKind::AlreadyExists => read_key(&path)?,
            Err(other) => return Err(other.into()),
        };
        Ok((Self { path }, key))
    }
}

impl Drop for LaidKey {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.path) {
            tracing::warn!("cannot remove {}: {error}", self.path.display());
        }
    }
}

/// Waits until the file is complete.
pub(crate) async fn await_routes(file: &Path) -> Result<RoutingFile, TreeError> {
    let routes = RoutingFile::wait(file, LIMIT).await?;
    if routes.servers() == 0 {
        return Err(TreeError::Other(format!("{} lists no servers", file.display())));
    }
    Ok(routes)
}

/// Waits for the key that a master writes.
async fn await_key(file: &Path) -> Result<SessionKey, TreeError> {
    let path = key_beside(file);
    let end = Instant::now() + LIMIT;
    loop {
        let absent = match read_key(&path) {
            Ok(key) => return Ok(key),
            Err(DirectoryError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => true,
            // The key is being written.
            Err(DirectoryError::Key { length, .. }) => length < SessionKey::LENGTH as u64,
            Err(_) => false,
        };
        if !absent || Instant::now() >= end {
            return Ok(read_key(&path)?);
        }
        tokio::time::sleep(POLL).await;
    }
}

/// Waits for file and key, and makes the session directory of a server.
pub(crate) async fn await_session(file: &Path) -> Result<(RoutingFile, SessionKey, SessionDirectory), TreeError> {
    let routes = await_routes(file).await?;
    let key = await_key(file).await?;
    let directory = SessionDirectory::create(None)?;
    directory.keep_key(&key)?;
    directory.write_info(&SessionInfo { session: directory.name().to_owned(), ..SessionInfo::default() })?;
    Ok((routes, key, directory))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[tokio::test]
    async fn the_key_is_there_as_long_as_the_master() {
        let base = tempfile::tempdir().unwrap();
        let file = base.path().join("routes");
        let (laid, key) = LaidKey::lay(&file).unwrap();
        let path = base.path().join("routes.key");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(await_key(&file).await.unwrap(), key);
        let (again, same) = LaidKey::lay(&file).unwrap();
        assert_eq!(same, key);
        drop((laid, again));
        assert!(!path.exists());
    }

    #[tokio::test]
    async fn a_key_that_others_may_read_is_none() {
        let base = tempfile::tempdir().unwrap();
        let file = base.path().join("routes");
        let path = key_beside(&file);
        std::fs::write(&path, [7; SessionKey::LENGTH]).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        let words = await_key(&file).await.unwrap_err().to_string();
        assert!(words.contains("open to other users"), "{words}");
        assert!(LaidKey::lay(&file).is_err());
    }
}
