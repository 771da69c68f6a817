//! How engines launch ranks.

use crate::{LocationSpec, RunSettings};
use serde::{Deserialize, Serialize};

/// The first stop of a new rank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopAt {
    /// At `main` of the first image that has one: execs are followed until then, so wrapper scripts are skipped.
    #[default]
    Main,
    /// The rank runs without a first stop.
    Nowhere,
    /// At a temporary breakpoint, which may be pending.
    Location(LocationSpec),
}

/// A program and its environment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchSpec {
    /// A path, or a name looked up in `PATH`.
    pub program: String,
    /// The arguments, without the program itself.
    pub arguments: Vec<String>,
    /// The working directory; `None`: the engine's own.
    pub directory: Option<String>,
    /// Added to the engine's environment. `{rank}` and `{size}` in a value are replaced.
    pub environment: Vec<(String, String)>,
    /// The place of the first stop.
    pub stop_at: StopAt,
    /// True to leave address randomisation as the system has it; otherwise it is off (personality(2)), as in gdb.
    pub randomise: bool,
    /// The engines' initial settings.
    #[serde(default)]
    pub settings: RunSettings,
}
