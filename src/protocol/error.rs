//! What can be wrong with what a peer sent.

/// Why bytes are no packet, or a packet is no message. Byte positions count from the first byte of the packet.
#[derive(Debug, thiserror::Error)]
pub enum ProtocolError {
    /// A number of the framing is not what section 1 says.
    #[error("{field} at byte {byte}: expected {digits} lower-case hexadecimal digits, found {found:?}")]
    Digits {
        /// Which number.
        field: &'static str,
        /// Where it begins.
        byte: usize,
        /// How many digits it has.
        digits: usize,
        /// What is there.
        found: String,
    },
    /// A separator of the framing is missing.
    #[error("{field} at byte {byte}: expected {wanted:?}, found {found:?}")]
    Separator {
        /// What it stands before.
        field: &'static str,
        /// Where.
        byte: usize,
        /// The separator.
        wanted: char,
        /// What is there.
        found: char,
    },
    /// A packet beyond the limit.
    #[error("packet of {length} bytes: the limit is {limit}")]
    TooLong {
        /// What LEN says, or would have to say.
        length: usize,
        /// What is allowed on this link now.
        limit: usize,
    },
    /// LEN leaves no room for the header.
    #[error("packet of {length} bytes: the header alone takes 23")]
    TooShort {
        /// What LEN says.
        length: usize,
    },
    /// NARGS claims more than can be there.
    #[error("{count} arguments claimed at byte 23: the packet has room for {limit}")]
    TooManyArguments {
        /// What NARGS says.
        count: usize,
        /// What LEN has room for, or the limit of any packet.
        limit: usize,
    },
    /// An argument does not fit into its packet.
    #[error("argument {index} at byte {byte}: {length} bytes claimed, {left} left in the packet")]
    Argument {
        /// Which, from 0.
        index: usize,
        /// Where it begins.
        byte: usize,
        /// What its length says.
        length: usize,
        /// What there is.
        left: usize,
    },
    /// Bytes after the last argument.
    #[error("{left} bytes after the last argument, at byte {byte}")]
    Trailing {
        /// Where they begin.
        byte: usize,
        /// How many.
        left: usize,
    },
    /// The link ended inside a packet.
    #[error("the link closed inside a packet, after {have} of its bytes")]
    Cut {
        /// Bytes of the packet that had come.
        have: usize,
    },
    /// The id of a message that does not exist, or not in this direction.
    #[error("message {id} (transaction {tid}) is not known here")]
    UnknownId {
        /// The id.
        id: u16,
        /// The transaction it bears.
        tid: u32,
    },
    /// The arguments of a message are fewer than it has fields.
    #[error("{message}: argument {index} ({field}) is missing")]
    Missing {
        /// Which message.
        message: &'static str,
        /// Which argument, from 0.
        index: usize,
        /// What it is.
        field: &'static str,
    },
    /// The arguments of a message are more than it has fields.
    #[error("{message}: {extra} arguments too many")]
    Extra {
        /// Which message.
        message: &'static str,
        /// How many.
        extra: usize,
    },
    /// An argument cannot be read.
    #[error("{message}: argument {index} ({field}) is {found:?}: {wanted}")]
    Field {
        /// Which message.
        message: &'static str,
        /// Which argument, from 0.
        index: usize,
        /// What it is.
        field: &'static str,
        /// The beginning of what is there.
        found: String,
        /// What should be there.
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
    /// The beginning of bytes, fit for a message.
    pub(super) fn excerpt(bytes: &[u8]) -> String {
        const SHOWN: usize = 40;
        let mut text = String::from_utf8_lossy(bytes.get(..SHOWN).unwrap_or(bytes)).into_owned();
        if bytes.len() > SHOWN {
            text.push('…');
        }
        text
    }
}
