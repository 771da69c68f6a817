//! The names of the engines.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An engine by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineName {
    /// rankscope's own engine, on ptrace and DWARF.
    Native,
    /// gdb, one for each rank.
    Gdb,
    /// Simulated ranks.
    Fake,
    /// Core files.
    Core,
}

impl EngineName {
    /// All engines, in the order of declaration.
    pub const ALL: [Self; 4] = [Self::Native, Self::Gdb, Self::Fake, Self::Core];

    /// Parses the form that [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|name| name.word() == text)
    }

    /// Its name on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Gdb => "gdb",
            Self::Fake => "fake",
            Self::Core => "core",
        }
    }
}

impl fmt::Display for EngineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::EngineName;

    #[test]
    fn names_are_read_as_written() {
        for name in EngineName::ALL {
            assert_eq!(EngineName::parse(&name.to_string()), Some(name));
        }
        assert_eq!(EngineName::parse("lldb"), None);
    }
}
