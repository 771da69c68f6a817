//! The process that a core file is of.

use super::fault::CoreFileFault;
use super::open_core::OpenCore;

/// The process that a core file is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreIdentity {
    /// The id of the process; 0 if it is unknown.
    pub pid: u32,
    /// The environment with which the program was started; empty if the file does not have it.
    pub environment: Vec<(String, String)>,
}

impl CoreIdentity {
    /// Reads the identity from a core file.
    pub fn read(path: &str) -> Result<Self, CoreFileFault> {
        let core = OpenCore::open(path)?;
        Ok(Self { pid: core.notes.pid, environment: core.environment() })
    }
}
