//! The messages between the process that has loaded a queue library and the server.

use super::fault::LibraryFault;
use model::MessageQueues;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

/// A longer message is no message of this conversation.
const LONGEST: usize = 64 << 20;

/// The first message: which library to load, and for which rank.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Task {
    pub(super) library: PathBuf,
    pub(super) rank: u32,
    pub(super) program: String,
}

/// A message of the process with the library. All but the last are questions.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Question {
    /// The address of a variable or function.
    Symbol(String),
    Type(String),
    /// The offset of a member in a type found before, by its number.
    Offset(u32, String),
    /// The bytes at an address.
    Read(u64, u32),
    /// The answer.
    Done(Result<Box<MessageQueues>, LibraryFault>),
}

/// The server's answer to a question.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Reply {
    Address(Option<u64>),
    /// The number and the size of a type.
    Type(Option<(u32, i32)>),
    Offset(Option<i32>),
    Bytes(Option<Vec<u8>>),
}

/// One end of the conversation.
#[derive(Debug)]
pub(super) struct Conversation {
    stream: UnixStream,
    received: Vec<u8>,
}

impl Conversation {
    pub(super) fn new(stream: UnixStream) -> Self {
        Self { stream, received: Vec::new() }
    }

    pub(super) fn send(&mut self, message: &impl Serialize) -> io::Result<()> {
        let mut bytes = vec![0; 4];
        serde_json::to_writer(&mut bytes, message)?;
        let length = u32::try_from(bytes.len() - 4).map_err(|_| io::ErrorKind::InvalidData)?;
        if let Some(place) = bytes.first_chunk_mut() {
            *place = length.to_le_bytes();
        }
        self.stream.write_all(&bytes)
    }

    /// Waits for a message without a limit.
    pub(super) fn receive<T: DeserializeOwned>(&mut self) -> io::Result<T> {
        loop {
            if let Some(message) = self.take()? {
                return Ok(message);
            }
            self.read()?;
        }
    }

    /// Waits this long for a part of a message; `None` if it is not complete yet.
    pub(super) fn receive_within<T: DeserializeOwned>(&mut self, time: Duration) -> io::Result<Option<T>> {
        if let Some(message) = self.take()? {
            return Ok(Some(message));
        }
        self.stream.set_read_timeout(Some(time))?;
        match self.read() {
            Ok(()) => self.take(),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn read(&mut self) -> io::Result<()> {
        let mut bytes = [0; 1 << 14];
        let count = match self.stream.read(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(()),
            read => read?,
        };
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.received.extend_from_slice(bytes.get(..count).unwrap_or_default());
        Ok(())
    }

    fn take<T: DeserializeOwned>(&mut self) -> io::Result<Option<T>> {
        let Some(length) = self.received.first_chunk::<4>() else { return Ok(None) };
        let length = u32::from_le_bytes(*length) as usize;
        if length > LONGEST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let Some(body) = self.received.get(4..4 + length) else { return Ok(None) };
        let message = serde_json::from_slice(body)?;
        self.received.drain(..4 + length);
        Ok(Some(message))
    }
}
