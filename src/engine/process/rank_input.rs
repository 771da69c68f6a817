//! Standard input of ranks: files, and pipes that `send` fills. Writing never blocks: a rank that does not read gets no
//! more than its pipe holds.

use debuginfo::named_file;
use model::{Answer, ErrorCode, Failure, InputSource, Rank, StandardInput, raw_word};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc::{FIONREAD, c_int};
use nix::unistd::{pipe2, write};
use std::collections::BTreeMap;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::path::Path;

/// A write of this size to a pipe is whole or fails (pipe(7), `PIPE_BUF`).
const WHOLE: usize = 4096;

mod ioctl {
    nix::ioctl_read_bad!(unread_bytes, super::FIONREAD, super::c_int);
}

/// The end of a pipe that the debugger writes; the other is a program's standard input.
#[derive(Debug)]
pub struct InputPipe(OwnedFd);

/// The reason why a text was not sent. Nothing of it was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The text does not fit into the pipe.
    #[error("the text of {length} bytes is too long: at most {most} are sent at once; --stdin FILE takes any length")]
    TooLong {
        /// The length of the text.
        length: usize,
        /// The largest length.
        most: usize,
    },
    /// The program has not read what was sent before.
    #[error(
        "it has not read {unread} bytes of its input yet, and at most {most} wait for it: send again once it reads"
    )]
    Unread {
        /// The bytes that wait in the pipe.
        unread: usize,
        /// The most that may wait.
        most: usize,
    },
    /// No process has the other end.
    #[error("it has closed its standard input")]
    Closed,
    /// Another failure of the system.
    #[error("cannot write to its standard input: {}", .0.desc())]
    System(Errno),
}

impl InputPipe {
    /// Creates a pipe; the second end is for the program.
    pub fn new() -> Result<(Self, OwnedFd), Errno> {
        let (read, write) = pipe2(OFlag::O_CLOEXEC)?;
        fcntl(&write, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        Ok((Self(write), read))
    }

    /// Writes a text whole, or nothing of it.
    pub fn send(&self, text: &[u8]) -> Result<(), SendError> {
        // Short writes leave gaps in the pages of a pipe, at most half of each.
        let most = fcntl(&self.0, FcntlArg::F_GETPIPE_SZ).map_or(WHOLE, |size| size as usize) / 2;
        if text.len() > most {
            return Err(SendError::TooLong { length: text.len(), most });
        }
        let unread = self.unread().map_err(SendError::System)?;
        if unread + text.len() > most {
            return Err(SendError::Unread { unread, most });
        }
        for part in text.chunks(WHOLE) {
            match write(&self.0, part) {
                Ok(_) => {}
                Err(Errno::EPIPE) => return Err(SendError::Closed),
                Err(errno) => return Err(SendError::System(errno)),
            }
        }
        Ok(())
    }

    fn unread(&self) -> Result<usize, Errno> {
        let mut bytes: c_int = 0;
        #[expect(unsafe_code, reason = "nix has no safe FIONREAD")]
        // SAFETY: the descriptor is open, and the kernel writes one int to a live local.
        unsafe { ioctl::unread_bytes(self.0.as_raw_fd(), &raw mut bytes) }?;
        Ok(usize::try_from(bytes).unwrap_or(0))
    }
}

/// A rank's standard input as the debugger has it.
#[derive(Debug)]
enum Input {
    Open(InputPipe),
    /// `send -eof` has closed it.
    Ended,
    /// It is a file or nothing.
    Elsewhere(InputSource),
}

/// The standard inputs of the ranks that this process has started.
#[derive(Debug, Default)]
pub struct RankInputs(BTreeMap<Rank, Input>);

impl RankInputs {
    /// Opens the standard input of a rank that is to be started; on failure returns why, and the rank reads nothing.
    pub(crate) fn open(
        &mut self,
        rank: Rank,
        input: &StandardInput,
        directory: Option<&str>,
    ) -> Result<Option<OwnedFd>, String> {
        let source = input.of(rank);
        let (kept, end) = match source {
            InputSource::Nothing => (Input::Elsewhere(InputSource::Nothing), Ok(None)),
            InputSource::File(path) => {
                let whole = Path::new(&raw_word(directory.unwrap_or_default())).join(raw_word(path));
                // A named pipe would block the server.
                let opened = named_file::open(&whole, u64::MAX).map(|file| Some(OwnedFd::from(file)));
                let opened = opened.map_err(|error| format!("cannot read standard input from {path}: {error}"));
                (Input::Elsewhere(source.clone()), opened)
            }
            InputSource::Sent => match InputPipe::new() {
                Ok((pipe, end)) => (Input::Open(pipe), Ok(Some(end))),
                Err(errno) => {
                    let why = format!("cannot make a pipe for standard input: {}", errno.desc());
                    (Input::Elsewhere(InputSource::Nothing), Err(why))
                }
            },
        };
        self.0.insert(rank, kept);
        end
    }

    /// Forgets ranks that this process has not started.
    pub(crate) fn forget(&mut self, rank: Rank) {
        self.0.remove(&rank);
    }

    /// Sends a text to a rank, and ends its input if requested.
    pub(crate) fn send(&mut self, rank: Rank, text: &[u8], end: bool) -> Answer {
        let refused = |why: String| Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, why));
        match self.0.get_mut(&rank) {
            None => {
                refused("cannot send: the debugger has not started it, so its standard input is its own".to_owned())
            }
            Some(Input::Ended) => refused("cannot send: send -eof has ended its input".to_owned()),
            Some(Input::Elsewhere(InputSource::File(path))) => {
                refused(format!("cannot send: it reads {path}; start it with --stdin terminal"))
            }
            Some(Input::Elsewhere(_)) => {
                refused("cannot send: it was started without input; start it with --stdin terminal".to_owned())
            }
            Some(input @ Input::Open(_)) => {
                let Input::Open(pipe) = &*input else { return Answer::Ok };
                if let Err(error) = pipe.send(text) {
                    return Answer::Failed(Failure::new(ErrorCode::DEBUGGER, format!("cannot send: {error}")));
                }
                if end {
                    *input = Input::Ended;
                }
                Answer::Ok
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::Read;

    #[test]
    fn a_program_that_does_not_read_gets_what_the_pipe_holds_and_no_part_of_more() {
        let (pipe, end) = InputPipe::new().unwrap();
        let line = [b'x'; 1000];
        let mut sent = 0;
        let refusal = loop {
            match pipe.send(&line) {
                Ok(()) => sent += line.len(),
                Err(error) => break error,
            }
        };
        assert!(matches!(refusal, SendError::Unread { unread, .. } if unread == sent && sent > 0), "{refusal:?}");
        let mut read = vec![0; sent];
        let mut end = File::from(end);
        end.read_exact(&mut read).unwrap();
        pipe.send(&line).unwrap();
        assert!(matches!(pipe.send(&vec![0; 1 << 20]), Err(SendError::TooLong { .. })));
        drop(end);
        assert_eq!(pipe.send(b"x"), Err(SendError::Closed));
    }

    #[test]
    fn short_and_long_texts_always_fit_as_far_as_the_limit() {
        let (pipe, _end) = InputPipe::new().unwrap();
        let mut refused = 0;
        for length in [2049, 1, 4095, 2050, 3, 5000].into_iter().cycle().take(200) {
            match pipe.send(&vec![b'y'; length]) {
                Ok(()) => {}
                Err(SendError::Unread { .. }) => refused += 1,
                Err(error) => panic!("{error}"),
            }
        }
        assert!(refused > 0);
    }

    #[test]
    fn the_end_of_the_input_is_sent_once() {
        let mut inputs = RankInputs::default();
        let sent = StandardInput { all: InputSource::Sent, ranks: Vec::new() };
        let end = inputs.open(Rank(0), &sent, None).unwrap().unwrap();
        assert_eq!(inputs.send(Rank(0), b"a\n", true), Answer::Ok);
        let mut text = String::new();
        File::from(end).read_to_string(&mut text).unwrap();
        assert_eq!(text, "a\n");
        for (rank, words) in [(0, "send -eof"), (1, "has not started it")] {
            let Answer::Failed(failure) = inputs.send(Rank(rank), b"b\n", false) else { panic!() };
            assert!(failure.message.contains(words), "{failure:?}");
        }
    }
}
