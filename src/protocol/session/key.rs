//! The secret of a session.

use std::fmt;

/// A key of 32 random bytes, known to all who may read the session directory. Never on a command line, never in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionKey([u8; SessionKey::LENGTH]);

impl SessionKey {
    /// The length of a key in bytes.
    pub const LENGTH: usize = 32;

    /// Generates a key from the system's random source.
    pub fn generate() -> std::io::Result<Self> {
        let mut bytes = [0; Self::LENGTH];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Self(bytes))
    }

    /// Wraps the bytes of an existing key.
    pub fn from_bytes(bytes: [u8; Self::LENGTH]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes of the key.
    pub fn bytes(&self) -> &[u8; Self::LENGTH] {
        &self.0
    }
}

impl fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionKey(…)")
    }
}
