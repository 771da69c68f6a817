//! A rank that moves between two engines, and the channels that wait for it.

use crate::{Handed, Keeper, TakenOver};
use model::{BreakpointRequest, Failure};
use tokio::sync::oneshot;

/// The channel to the engine that asked for a rank.
pub(in crate::native) type Reply = oneshot::Sender<Result<Box<Handed>, Failure>>;
/// The channel that reports the rank's arrival.
pub(in crate::native) type Ready = oneshot::Sender<TakenOver>;

/// A rank that has come from another engine and whose points are not set yet.
#[derive(Debug)]
pub(in crate::native) struct Arriving {
    /// Watchpoints and catchpoints, which have no location.
    pub(in crate::native) points: Vec<BreakpointRequest>,
    /// Notes about what could not be moved.
    pub(in crate::native) notes: Vec<String>,
    pub(in crate::native) ready: Ready,
    /// Resources that the previous engine must keep until the rank has arrived.
    pub(in crate::native) keeper: Keeper,
}
