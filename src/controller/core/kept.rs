//! The front end's own data for the next front end.

use crate::state::{Displays, Focus, ProgramStart, Scripts, SignalRows};
use model::{BreakpointId, ProcessSet, Rank};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// State that the next front end needs and the master does not know.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(in crate::core) struct Kept {
    pub(in crate::core) focus: Focus,
    pub(in crate::core) lead: Rank,
    pub(in crate::core) groups: BTreeMap<String, ProcessSet>,
    pub(in crate::core) aliases: BTreeMap<String, String>,
    pub(in crate::core) scripts: Scripts,
    pub(in crate::core) displays: Displays,
    pub(in crate::core) settings: Vec<(String, String)>,
    pub(in crate::core) output_of: Option<ProcessSet>,
    pub(in crate::core) held: ProcessSet,
    pub(in crate::core) barriers: BTreeMap<BreakpointId, ProcessSet>,
    pub(in crate::core) signals: SignalRows,
    pub(in crate::core) next_breakpoint: u32,
    /// The number of values in the value history.
    pub(in crate::core) printed: u32,
    pub(in crate::core) is_attached: bool,
    pub(in crate::core) is_of_core_files: bool,
    pub(in crate::core) start: ProgramStart,
    /// The word of the layout; `None`: ranks in the order of their numbers.
    pub(in crate::core) layout: Option<String>,
    /// The expression by which ranks are coloured.
    pub(in crate::core) colour: Option<String>,
}
