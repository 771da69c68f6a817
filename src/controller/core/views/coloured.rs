//! What the colours of the ranks on the screen depend on.

use model::{ProcessSet, RankCells};
use std::collections::BTreeMap;

/// All that the colours depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) struct Coloured {
    pub(super) expression: String,
    pub(super) cells: RankCells,
    pub(super) moves: u64,
    pub(super) change: u64,
    /// The stopped ranks by the frames in which they evaluate the expression.
    pub(super) frames: BTreeMap<u32, ProcessSet>,
}
