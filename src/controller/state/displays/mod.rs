//! Displayed expressions, their values on many ranks, and values kept from earlier stops.

mod across;
mod displayed;
mod snapshots;

pub use across::{Across, AcrossKey, AcrossWish, RankValue};
pub use displayed::{Displayed, Displays, Place, Shown};
pub use snapshots::{KeptValue, KeptVariable, MOST_SNAPSHOT_BYTES, MOST_SNAPSHOTS, Snapshot, Snapshots};
