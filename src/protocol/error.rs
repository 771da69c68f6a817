//! Errors in what a peer sent.

/// The reasons why bytes are no packet, or a packet is no message. Byte positions count from the packet's first byte.
#[derive(Debug, thiserror::Error)]
pub enum ProtocolError {
    /// A number of the framing breaks the rules of the wire, section 1.
    #[error("{field} at byte {byte}: expected {digits} lower-case hexadecimal digits, found {found:?}")]
    Digits {
        /// The name of the number, such as LEN.
        field: &'static str,
        /// The position of its first digit.
        byte: usize,
        /// The number of digits it must have.
        digits: usize,
        /// The bytes found there.
        found: String,
    },
    /// A separator of the framing is missing.
    #[error("{field} at byte {byte}: expected {wanted:?}, found {found:?}")]
    Separator {
        /// The name of the field that follows the separator.
        field: &'static str,
        /// The position of the separator.
        byte: usize,
        /// The expected character.
        wanted: char,
        /// The character found there.
        found: char,
    },
    /// A packet longer than the limit.
    #[error("packet of {length} bytes: the limit is {limit}")]
    TooLong {
        /// LEN, or the LEN that the packet would need.
        length: usize,
        /// The limit of this link, lower before HELLO.
        limit: usize,
    },
    /// LEN leaves no room for the header.
    #[error("packet of {length} bytes: the header alone takes 23")]
    TooShort {
        /// LEN as sent.
        length: usize,
    },
    /// NARGS is larger than the packet can hold.
    #[error("{count} arguments claimed at byte 23: the packet has room for {limit}")]
    TooManyArguments {
        /// NARGS as sent.
        count: usize,
        /// The number for which LEN has room, or [`crate::MOST_ARGUMENTS`].
        limit: usize,
    },
    /// An argument does not fit into its packet.
    #[error("argument {index} at byte {byte}: {length} bytes claimed, {left} left in the packet")]
    Argument {
        /// The argument's index, from 0.
        index: usize,
        /// The position at which the argument begins.
        byte: usize,
        /// The argument's length as sent.
        length: usize,
        /// The bytes left in the packet.
        left: usize,
    },
    /// Bytes after the last argument.
    #[error("{left} bytes after the last argument, at byte {byte}")]
    Trailing {
        /// The position of the first of them.
        byte: usize,
        /// The number of these bytes.
        left: usize,
    },
    /// The link ended inside a packet.
    #[error("the link closed inside a packet, after {have} of its bytes")]
    Cut {
        /// The bytes of the packet that had arrived.
        have: usize,
    },
    /// The id of no message, or of none in this direction.
    #[error("message {id} (transaction {tid}) is not known here")]
    UnknownId {
        /// The packet's id.
        id: u16,
        /// The packet's transaction.
        tid: u32,
    },
    /// A message has fewer arguments than fields.
    #[error("{message}: argument {index} ({field}) is missing")]
    Missing {
        /// The message's name.
        message: &'static str,
        /// The index of the first missing argument, from 0.
        index: usize,
        /// The name of the missing field.
        field: &'static str,
    },
    /// A message has more arguments than fields.
    #[error("{message}: {extra} arguments too many")]
    Extra {
        /// The message's name.
        message: &'static str,
        /// The number of surplus arguments.
        extra: usize,
    },
    /// An argument cannot be read.
    #[error("{message}: argument {index} ({field}) is {found:?}: {wanted}")]
    Field {
        /// The message's name.
        message: &'static str,
        /// The argument's index, from 0.
        index: usize,
        /// The name of the field.
        field: &'static str,
        /// The beginning of the argument.
        found: String,
        /// A description of the expected value.
        wanted: String,
    },
    /// A record of an encrypted link cannot be read.
    #[error("cannot decrypt a record: it was altered, or encrypted with another key")]
    Record,
    /// The transport failed.
    #[error("the link failed: {0}")]
    Io(#[from] std::io::Error),
}

impl ProtocolError {
    /// Returns the beginning of the bytes, fit for a message.
    pub(super) fn excerpt(bytes: &[u8]) -> String {
        const SHOWN: usize = 40;
        let mut text = String::from_utf8_lossy(bytes.get(..SHOWN).unwrap_or(bytes)).into_owned();
        if bytes.len() > SHOWN {
            text.push('…');
        }
        text
    }
}
