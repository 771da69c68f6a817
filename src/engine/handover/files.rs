//! Passes open files (unix(7), `SCM_RIGHTS`) and the permission to trace between processes before debugging starts.

use nix::cmsg_space;
use nix::sys::socket::{ControlMessage, ControlMessageOwned, MsgFlags, recvmsg, sendmsg};
use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

/// Maximum number of files per message.
pub const MOST_FILES: usize = 8;

/// Allows a process of the same user to trace this one, where the Yama module restricts tracing to ancestors (prctl(2),
/// `PR_SET_PTRACER`). Without Yama the call fails with EINVAL, and no permission is needed.
pub fn allow_tracer(pid: i32) -> io::Result<()> {
    let tracer = nix::libc::c_ulong::from(pid.unsigned_abs());
    #[expect(unsafe_code, reason = "prctl has no safe wrapper for this option")]
    // SAFETY: PR_SET_PTRACER takes one number and touches no memory of ours.
    let result = unsafe { nix::libc::prctl(nix::libc::PR_SET_PTRACER, tracer, 0, 0, 0) };
    match nix::errno::Errno::result(result) {
        Ok(_) | Err(nix::errno::Errno::EINVAL) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Sends bytes and open files in one message.
pub fn send_files(stream: &UnixStream, bytes: &[u8], files: &[BorrowedFd<'_>]) -> io::Result<()> {
    let raw: Vec<RawFd> = files.iter().map(AsRawFd::as_raw_fd).collect();
    let rights = [ControlMessage::ScmRights(&raw)];
    let control: &[ControlMessage] = if raw.is_empty() { &[] } else { &rights };
    let sent = sendmsg::<()>(stream.as_raw_fd(), &[IoSlice::new(bytes)], control, MsgFlags::MSG_NOSIGNAL, None)?;
    if sent == bytes.len() { Ok(()) } else { Err(io::Error::from(io::ErrorKind::WriteZero)) }
}

/// Receives a message of [`send_files`]: the number of bytes, 0 at the end of the stream, and the files.
pub fn receive_files(stream: &UnixStream, buffer: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
    let mut space = cmsg_space!([RawFd; MOST_FILES]);
    let mut parts = [IoSliceMut::new(buffer)];
    let flags = MsgFlags::MSG_CMSG_CLOEXEC;
    let message = recvmsg::<()>(stream.as_raw_fd(), &mut parts, Some(&mut space), flags)?;
    let mut files = Vec::new();
    for control in message.cmsgs()? {
        if let ControlMessageOwned::ScmRights(raw) = control {
            for fd in raw {
                #[expect(unsafe_code, reason = "the kernel gives received files as numbers")]
                // SAFETY: the kernel has just made this descriptor for this process; nobody else knows its number.
                files.push(unsafe { OwnedFd::from_raw_fd(fd) });
            }
        }
    }
    Ok((message.bytes, files))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::os::fd::AsFd;

    #[test]
    fn a_file_arrives_open() {
        let (one, two) = UnixStream::pair().unwrap();
        let (mut reader, writer) = io::pipe().unwrap();
        send_files(&one, b"here", &[writer.as_fd()]).unwrap();
        drop(writer);
        let mut buffer = [0; 16];
        let (length, mut files) = receive_files(&two, &mut buffer).unwrap();
        assert_eq!((&buffer[..length], files.len()), (&b"here"[..], 1));
        std::fs::File::from(files.remove(0)).write_all(b"through").unwrap();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "through");
        drop(one);
        assert_eq!(receive_files(&two, &mut buffer).unwrap().0, 0);
    }
}
