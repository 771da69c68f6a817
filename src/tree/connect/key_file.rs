//! The session's key on its way through an exec: in memory that only descriptors lead to, never on a command line, in
//! the environment, or in a file with a name.

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, SealFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};
use protocol::SessionKey;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{OwnedFd, RawFd};

/// Returns a descriptor that holds the key, survives an exec, and can no longer be changed.
pub(super) fn key_file(key: &SessionKey) -> io::Result<OwnedFd> {
    let memory = memfd_create(c"rankscope-key", MFdFlags::MFD_ALLOW_SEALING)?;
    let mut file = File::from(memory);
    file.write_all(key.bytes())?;
    let seals = SealFlag::F_SEAL_SEAL | SealFlag::F_SEAL_SHRINK | SealFlag::F_SEAL_GROW | SealFlag::F_SEAL_WRITE;
    fcntl(&file, FcntlArg::F_ADD_SEALS(seals))?;
    Ok(file.into())
}

/// Reads the key from an inherited descriptor and closes it, so that no child process gets it.
pub(crate) fn take_key(descriptor: RawFd) -> io::Result<SessionKey> {
    if descriptor <= 2 {
        return Err(io::Error::other("a key cannot be inherited on standard input, output or error"));
    }
    let mut text = Vec::new();
    let read = File::open(format!("/proc/self/fd/{descriptor}"));
    let read = read.and_then(|file| file.take(SessionKey::LENGTH as u64 + 1).read_to_end(&mut text));
    match nix::unistd::close(descriptor) {
        Ok(()) | Err(Errno::EBADF) => {}
        Err(errno) => return Err(errno.into()),
    }
    read?;
    let bytes: [u8; SessionKey::LENGTH] =
        text.try_into().map_err(|_| io::Error::other("the inherited descriptor holds no session key"))?;
    Ok(SessionKey::from_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::{AsRawFd, IntoRawFd};

    #[test]
    fn a_key_goes_through_once() {
        let key = SessionKey::generate().unwrap();
        let held = key_file(&key).unwrap();
        let mut writer = File::options().write(true).open(format!("/proc/self/fd/{}", held.as_raw_fd())).unwrap();
        assert!(writer.write_all(b"another").is_err(), "it is sealed");
        assert_eq!(take_key(held.into_raw_fd()).unwrap(), key);
    }

    #[test]
    fn what_is_no_key_is_refused() {
        assert!(take_key(0).is_err() && take_key(-1).is_err());
        let file = tempfile::tempfile().unwrap();
        let words = take_key(file.into_raw_fd()).unwrap_err().to_string();
        assert!(words.contains("no session key"), "{words}");
    }
}
