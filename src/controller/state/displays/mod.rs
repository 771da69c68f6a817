//! Displayed expressions, and their values on many ranks.

mod across;
mod displayed;

pub use across::{Across, AcrossKey, AcrossWish, RankValue};
pub use displayed::{Displayed, Displays, Place, Shown};
