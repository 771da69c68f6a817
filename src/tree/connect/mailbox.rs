//! Keeps a request in its directory until it is answered. If the directory is full or disappears, the waiting job is
//! not lost: the error is reported once, and the write is tried again.

use nix::errno::Errno;
use protocol::reverse::{
    ConnectDirectory, ConnectError, ConnectResponse, HEARTBEAT, LARGEST_RESPONSE, RequestId, Stamp,
};
use std::time::{Duration, Instant};

/// A file in the response's place that is no response is removed after this time.
const CLEARED_AFTER: Duration = Duration::from_secs(5);

/// The request and the state of its directory.
#[derive(Debug)]
pub(super) struct Mailbox {
    directory: ConnectDirectory,
    id: RequestId,
    text: Vec<u8>,
    beat: Option<Instant>,
    wrong: Option<(Stamp, Instant)>,
    /// The last error reported about the directory, so that it is reported once.
    trouble: Option<ConnectError>,
}

impl Mailbox {
    /// Creates the mailbox; the first look writes the request.
    pub(super) fn new(directory: ConnectDirectory, id: RequestId, text: Vec<u8>) -> Self {
        Self { directory, id, text, beat: None, wrong: None, trouble: None }
    }

    /// Looks once: keeps the request alive and reads the answer if there is one. `say` gets messages for the user.
    /// Fails only if nothing has been written yet and never will be.
    pub(super) fn look(
        &mut self,
        now: Instant,
        say: &mut impl FnMut(&str),
    ) -> Result<Option<ConnectResponse>, ConnectError> {
        match self.try_look(now, say) {
            Ok(answer) => {
                if self.trouble.take().is_some() {
                    say("the directory is usable again; still waiting");
                }
                Ok(answer)
            }
            Err(error) if self.beat.is_none() && !is_passing(&error) => Err(error),
            Err(error) => {
                if self.trouble.as_ref() != Some(&error) {
                    say(&format!("{error}; still waiting"));
                    self.trouble = Some(error);
                }
                Ok(None)
            }
        }
    }

    fn try_look(&mut self, now: Instant, say: &mut impl FnMut(&str)) -> Result<Option<ConnectResponse>, ConnectError> {
        if let Err(error) = self.directory.still_there() {
            if !error.is_absent() {
                return Err(error);
            }
            // Another directory may have been created in its place.
            self.directory = ConnectDirectory::open(self.directory.path())?;
            self.beat = self.beat.map(|_| now.checked_sub(HEARTBEAT).unwrap_or(now));
        }
        if self.beat.is_none_or(|beat| now.saturating_duration_since(beat) >= HEARTBEAT) {
            self.keep_alive(now)?;
        }
        self.read_answer(now, say)
    }

    fn keep_alive(&mut self, now: Instant) -> Result<(), ConnectError> {
        let name = self.id.request_file();
        if self.beat.is_none() || !self.directory.touch(&name)? {
            self.directory.write(&name, &self.text)?;
        }
        self.beat = Some(now);
        Ok(())
    }

    fn read_answer(
        &mut self,
        now: Instant,
        say: &mut impl FnMut(&str),
    ) -> Result<Option<ConnectResponse>, ConnectError> {
        let name = self.id.response_file();
        // Listing the directory makes a network file system look again.
        if !self.directory.names()?.contains(&name) {
            self.wrong = None;
            return Ok(None);
        }
        let Some(stamp) = self.directory.stamp(&name)? else { return Ok(None) };
        if let Some((known, since)) = self.wrong
            && known == stamp
        {
            if now.saturating_duration_since(since) >= CLEARED_AFTER {
                self.directory.remove(&name)?;
                self.wrong = None;
                say("deleted the invalid answer; still waiting");
            }
            return Ok(None);
        }
        let read = self.directory.read(&name, LARGEST_RESPONSE);
        let parsed = match read {
            Ok((_, text)) => ConnectResponse::parse(&text).map_err(|fault| format!("{name}: {fault}")),
            Err(error) => Err(error.to_string()),
        };
        match parsed {
            Ok(response) => Ok(Some(response)),
            Err(why) => {
                self.wrong = Some((stamp, now));
                say(&format!("invalid answer: {why}; still waiting"));
                Ok(None)
            }
        }
    }

    /// Withdraws the request and removes the answer with it.
    pub(super) fn withdraw(&self) -> Result<(), ConnectError> {
        let request = self.directory.remove(&self.id.request_file());
        self.directory.remove(&self.id.response_file())?;
        request.map(|_| ())
    }
}

/// True if a retry may succeed.
fn is_passing(error: &ConnectError) -> bool {
    let ConnectError::System { errno, .. } = error else { return false };
    matches!(
        errno,
        Errno::ENOSPC
            | Errno::EDQUOT
            | Errno::EIO
            | Errno::ESTALE
            | Errno::ETIMEDOUT
            | Errno::EINTR
            | Errno::EAGAIN
            | Errno::ENOMEM
            | Errno::EMFILE
            | Errno::ENFILE
    )
}

#[cfg(test)]
mod tests;
