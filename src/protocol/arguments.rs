//! Reading the arguments of a packet one by one, so that a fault names the message and the field.

use super::{Packet, ProtocolError, ServerIndex};
use bytes::Bytes;
use model::{ProcessSet, Rank};
use serde::de::DeserializeOwned;
use std::str::FromStr;

/// The arguments of one packet, taken from the first to the last.
#[derive(Debug)]
pub struct Arguments<'a> {
    message: &'static str,
    packet: &'a Packet,
    next: usize,
}

impl<'a> Arguments<'a> {
    /// Starts at the first argument of the packet; `message` names it in errors.
    pub fn new(message: &'static str, packet: &'a Packet) -> Self {
        Self { message, packet, next: 0 }
    }

    /// Returns the number of arguments not yet taken.
    pub fn left(&self) -> usize {
        self.packet.arguments.len() - self.next
    }

    /// Returns the next argument without taking it.
    pub fn peek(&self) -> Option<&'a [u8]> {
        self.packet.arguments.get(self.next).map(|bytes| &**bytes)
    }

    /// Takes the next argument as bytes.
    pub fn bytes(&mut self, field: &'static str) -> Result<&'a Bytes, ProtocolError> {
        let argument = self.packet.arguments.get(self.next);
        let argument = argument.ok_or(ProtocolError::Missing { message: self.message, index: self.next, field })?;
        self.next += 1;
        Ok(argument)
    }

    /// Returns an error about the argument just taken.
    pub fn fault(&self, field: &'static str, wanted: impl Into<String>) -> ProtocolError {
        let index = self.next.saturating_sub(1);
        let found = self.packet.arguments.get(index).map(|bytes| ProtocolError::excerpt(bytes)).unwrap_or_default();
        ProtocolError::Field { message: self.message, index, field, found, wanted: wanted.into() }
    }

    /// Takes the next argument as text.
    pub fn text(&mut self, field: &'static str) -> Result<String, ProtocolError> {
        let bytes = self.bytes(field)?;
        std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| self.fault(field, "expected UTF-8 text"))
    }

    /// Takes the next argument as a decimal number.
    pub fn number<N: FromStr>(&mut self, field: &'static str) -> Result<N, ProtocolError> {
        let bytes = self.bytes(field)?;
        let text = std::str::from_utf8(bytes).ok().filter(|text| !text.starts_with('+'));
        text.and_then(|text| text.parse().ok())
            .ok_or_else(|| self.fault(field, format!("expected a decimal number ({})", std::any::type_name::<N>())))
    }

    /// Takes the next argument as `0` or `1`.
    pub fn boolean(&mut self, field: &'static str) -> Result<bool, ProtocolError> {
        match &**self.bytes(field)? {
            b"0" => Ok(false),
            b"1" => Ok(true),
            _ => Err(self.fault(field, "expected 0 or 1")),
        }
    }

    /// Takes the next argument as the index of a server.
    pub fn server(&mut self) -> Result<ServerIndex, ProtocolError> {
        self.number("server").map(ServerIndex)
    }

    /// Takes the next argument as a rank.
    pub fn rank(&mut self, field: &'static str) -> Result<Rank, ProtocolError> {
        self.number(field).map(Rank)
    }

    /// Takes the next argument as a rank set in the compact spelling.
    pub fn set(&mut self, field: &'static str) -> Result<ProcessSet, ProtocolError> {
        let text = self.text(field)?;
        ProcessSet::parse_compact(&text).map_err(|fault| self.fault(field, fault.to_string()))
    }

    /// Takes the next argument as a value in JSON.
    pub fn json<T: DeserializeOwned>(&mut self, field: &'static str) -> Result<T, ProtocolError> {
        let bytes = self.bytes(field)?;
        serde_json::from_slice(bytes).map_err(|fault| self.fault(field, fault.to_string()))
    }

    /// Fails if arguments are left.
    pub fn end(&self) -> Result<(), ProtocolError> {
        match self.left() {
            0 => Ok(()),
            extra => Err(ProtocolError::Extra { message: self.message, extra }),
        }
    }
}
