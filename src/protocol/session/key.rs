//! The secret of a session.

use std::fmt;

/// 32 random bytes, known to whoever may read the session directory. Never on a command line, never in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionKey([u8; SessionKey::LENGTH]);

impl SessionKey {
    /// Bytes of a key.
    pub const LENGTH: usize = 32;

    /// A new one from the system's random source.
    pub fn generate() -> std::io::Result<Self> {
        let mut bytes = [0; Self::LENGTH];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Self(bytes))
    }

    /// A known one.
    pub fn from_bytes(bytes: [u8; Self::LENGTH]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8; Self::LENGTH] {
        &self.0
    }
}

impl fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionKey(…)")
    }
}
