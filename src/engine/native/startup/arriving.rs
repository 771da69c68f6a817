//! A rank on its way between two engines, and who waits for it.

use crate::{Handed, Keeper, TakenOver};
use model::{BreakpointRequest, Failure};
use tokio::sync::oneshot;

/// Who asked for a rank.
pub(in crate::native) type Reply = oneshot::Sender<Result<Box<Handed>, Failure>>;
/// Who hears that it has come.
pub(in crate::native) type Ready = oneshot::Sender<TakenOver>;

/// A rank that has come from another engine, and whose points are not in yet.
#[derive(Debug)]
pub(in crate::native) struct Arriving {
    /// What is no place.
    pub(in crate::native) points: Vec<BreakpointRequest>,
    /// Words about what could not be taken along.
    pub(in crate::native) notes: Vec<String>,
    pub(in crate::native) ready: Ready,
    /// What the engine before had to keep.
    pub(in crate::native) keeper: Keeper,
}
