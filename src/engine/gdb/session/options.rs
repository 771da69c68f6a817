//! Options of the gdb engine.

use crate::OutputPace;
use std::path::PathBuf;
use std::time::Duration;

/// The command of gdb and its timeouts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GdbOptions {
    /// A path, or a name to look up in `PATH`: `gdb`, `cuda-gdb`, `rocgdb`.
    pub path: PathBuf,
    /// Timeout for an answer; a gdb that exceeds it is taken for hung and killed.
    pub patience: Duration,
    /// Timeout for commands that read the symbols of a whole program, as long as gdb is busy.
    pub loading_patience: Duration,
    /// Limits the output that is reported and not taken yet.
    pub output: OutputPace,
}

impl Default for GdbOptions {
    fn default() -> Self {
        let (patience, loading_patience) = (Duration::from_secs(60), Duration::from_secs(900));
        Self { path: "gdb".into(), patience, loading_patience, output: OutputPace::default() }
    }
}
