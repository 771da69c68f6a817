//! Options of the gdb engine.

use std::path::PathBuf;
use std::time::Duration;

/// How gdb is started and waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GdbOptions {
    /// A path, or a name looked up in `PATH`: `gdb`, `cuda-gdb`, `rocgdb`.
    pub path: PathBuf,
    /// One that does not answer a command for so long is taken for hung, and killed.
    pub patience: Duration,
    /// The same for commands that read the symbols of a whole program.
    pub loading_patience: Duration,
}

impl Default for GdbOptions {
    fn default() -> Self {
        let (patience, loading_patience) = (Duration::from_secs(60), Duration::from_secs(900));
        Self { path: "gdb".into(), patience, loading_patience }
    }
}
