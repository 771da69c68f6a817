//! How ranks are started under an engine.

use crate::{LocationSpec, RunSettings};
use serde::{Deserialize, Serialize};

/// Where a new rank is to stop first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopAt {
    /// The first image that has a `main`: execs are followed until then, so a wrapper script is run through.
    #[default]
    Main,
    /// Not at all.
    Nowhere,
    /// A place, as a temporary breakpoint that may be pending.
    Location(LocationSpec),
}

/// A program and its surroundings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchSpec {
    /// A path, or a name looked up in `PATH`.
    pub program: String,
    /// Without the program itself.
    pub arguments: Vec<String>,
    /// `None`: the engine's own.
    pub directory: Option<String>,
    /// Added to the engine's environment. `{rank}` and `{size}` in a value are replaced.
    pub environment: Vec<(String, String)>,
    /// The first stop.
    pub stop_at: StopAt,
    /// Leave address randomisation as the system has it; otherwise it is off (personality(2)), as in gdb.
    pub randomise: bool,
    /// What engines act on from the beginning.
    #[serde(default)]
    pub settings: RunSettings,
}
