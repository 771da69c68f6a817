//! HELLO: the first packet on every link of the rankscope dialect, both ways (wire, section 5).

use crate::arguments::Arguments;
use crate::codec::{HELLO_ID, HIGHEST_EXTENSION, Message};
use crate::{Packet, ProtocolError};
use model::TransactionId;

/// The version of the wire spoken here. Sides of different versions do not talk: there is no session to rescue yet.
pub const WIRE_VERSION: u32 = 2;
/// The longest packet accepted before HELLO.
pub(crate) const HELLO_LIMIT: usize = 4096;

/// The part that a process plays in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Owns the screen or the script.
    FrontEnd,
    /// The root of the tree.
    Master,
    /// A node of the tree.
    Server,
    /// A master or server that dials a node below it.
    Parent,
    /// Runs in front of the program on a rank of a launcher's job.
    Joiner,
}

impl Role {
    /// Returns the spelling in HELLO.
    pub fn word(self) -> &'static str {
        match self {
            Self::FrontEnd => "front-end",
            Self::Master => "master",
            Self::Server => "server",
            Self::Parent => "parent",
            Self::Joiner => "joiner",
        }
    }

    /// Reads what [`Self::word`] writes.
    pub fn parse(word: &str) -> Option<Self> {
        let all = [Self::FrontEnd, Self::Master, Self::Server, Self::Parent, Self::Joiner];
        all.into_iter().find(|role| role.word() == word)
    }
}

/// The first message of each side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// [`WIRE_VERSION`] of the sender.
    pub version: u32,
    /// The sender's role.
    pub role: Role,
    /// The highest extension id the sender knows; it answers higher ones with Error 1.
    pub highest_extension: u16,
    /// Optional features of the sender; unknown ones are ignored.
    pub capabilities: Vec<String>,
}

/// The reasons why two processes cannot talk to each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HelloError {
    /// The two sides speak different versions.
    #[error("the {} speaks protocol version {theirs}, this program version {ours}: use the same rankscope on both \
        sides", role.word())]
    Version {
        /// The peer's role.
        role: Role,
        /// The peer's version.
        theirs: u32,
        /// [`WIRE_VERSION`].
        ours: u32,
    },
    /// The peer has another role than this link expects.
    #[error("connected to a {}, expected a {}", found.word(), wanted.word())]
    Role {
        /// The peer's role.
        found: Role,
        /// The expected role.
        wanted: Role,
    },
    /// The first packet, of this id, is no HELLO.
    #[error("expected HELLO, got packet {0:#06x}: is this a base-dialect client?")]
    Absent(u16),
    /// The link closed before HELLO.
    #[error("the peer closed the link without a HELLO")]
    Closed,
}

impl Hello {
    /// Builds the HELLO of this process.
    pub fn new(role: Role) -> Self {
        Self { version: WIRE_VERSION, role, highest_extension: HIGHEST_EXTENSION, capabilities: Vec::new() }
    }

    /// Fails if the sender speaks another version.
    pub fn check(&self) -> Result<(), HelloError> {
        if self.version == WIRE_VERSION {
            Ok(())
        } else {
            Err(HelloError::Version { role: self.role, theirs: self.version, ours: WIRE_VERSION })
        }
    }

    /// Fails if the sender has another role.
    pub fn must_be(&self, wanted: Role) -> Result<(), HelloError> {
        if self.role == wanted { Ok(()) } else { Err(HelloError::Role { found: self.role, wanted }) }
    }
}

impl Message for Hello {
    fn to_packet(&self) -> Packet {
        let packet = Packet::new(HELLO_ID, TransactionId(0))
            .with_number(self.version)
            .with_text(self.role.word())
            .with_number(self.highest_extension);
        self.capabilities.iter().fold(packet, |packet, word| packet.with_text(word))
    }

    fn from_packet(packet: &Packet) -> Result<Self, ProtocolError> {
        if packet.id != HELLO_ID {
            return Err(ProtocolError::UnknownId { id: packet.id, tid: packet.tid.0 });
        }
        let mut a = Arguments::new("Hello", packet);
        let version = a.number("version")?;
        let role = Role::parse(&a.text("role")?);
        let role = role.ok_or_else(|| a.fault("role", "expected front-end, master, server or joiner"))?;
        let highest_extension = a.number("highest extension")?;
        let mut capabilities = Vec::new();
        while a.left() > 0 {
            capabilities.push(a.text("capability")?);
        }
        Ok(Self { version, role, highest_extension, capabilities })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::BytesMut;

    #[test]
    fn hello_reads_back() {
        for role in [Role::FrontEnd, Role::Master, Role::Server, Role::Joiner] {
            let hello = Hello { capabilities: vec!["a".into(), "b c".into()], ..Hello::new(role) };
            assert_eq!(Hello::from_packet(&hello.to_packet()).unwrap(), hello);
            assert_eq!(hello.check(), Ok(()));
        }
        let mut bytes = BytesMut::new();
        let hello = Hello { highest_extension: 564, ..Hello::new(Role::Master) };
        hello.to_packet().write(&mut bytes).unwrap();
        assert_eq!(bytes, &b"0000003f 0200:00000000:00000003 00000001:2 00000006:master 00000003:564"[..]);
    }

    #[test]
    fn mismatches_say_what_to_do() {
        let newer = Hello { version: 7, ..Hello::new(Role::Server) };
        let words = newer.check().unwrap_err().to_string();
        assert!(
            words.contains("server speaks protocol version 7") && words.contains("use the same rankscope"),
            "{words}"
        );
        let odd = Packet::new(HELLO_ID, TransactionId(0)).with_text("1").with_text("cook").with_text("512");
        assert!(Hello::from_packet(&odd).unwrap_err().to_string().contains("argument 1 (role) is \"cook\""));
        assert!(Hello::from_packet(&Packet::new(1, TransactionId(1))).is_err());
    }
}
