//! Breakpoints at two levels: the user's request, and its 0…n sites.

use crate::{Point, PointAction, SourcePlace, ThreadId, VirtualAddress};
use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

/// The number of a breakpoint, from 1, equal on every rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BreakpointId(pub u32);

impl BreakpointId {
    /// In commands: the latest breakpoint, `$bpnum`. Real numbers begin with 1.
    pub const LATEST: Self = Self(0);
}

impl fmt::Display for BreakpointId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A breakpoint, as the user requests it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BreakpointRequest {
    /// Assigned by the front end.
    pub id: BreakpointId,
    /// The location, watched expression or event.
    pub point: Point,
    /// The action of a rank that hits it.
    #[serde(default)]
    pub action: PointAction,
    /// True if its first stop deletes it.
    pub temporary: bool,
    /// True if it uses debug registers of the processor, and changes no code.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hardware: bool,
    /// An expression in the frame of the hit; stops only if it is true.
    pub condition: Option<String>,
    /// Hits to ignore, counted per rank; only hits for which the condition held count.
    pub ignore: u64,
    /// Stops only this thread; `None`: any.
    pub thread: Option<ThreadId>,
    /// False if the user disabled it.
    pub enabled: bool,
}

impl BreakpointRequest {
    /// An unconditional breakpoint.
    pub fn at(id: BreakpointId, point: impl Into<Point>) -> Self {
        Self {
            id,
            point: point.into(),
            action: PointAction::Stop,
            temporary: false,
            hardware: false,
            condition: None,
            ignore: 0,
            thread: None,
            enabled: true,
        }
    }
}

/// An address of a breakpoint.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Site {
    /// The path of the executable or library; `None` for code outside every file.
    pub module: Option<Arc<str>>,
    /// The address in that file.
    pub offset: u64,
    /// The address in memory; `None` if it differs among the ranks.
    pub address: Option<VirtualAddress>,
    /// The function that contains it, if known.
    pub function: Option<Arc<str>>,
    /// The source line, if known.
    pub source: Option<SourcePlace>,
}

impl Site {
    /// The same site without its load address.
    pub fn without_address(&self) -> Self {
        Self { address: None, ..self.clone() }
    }
}
