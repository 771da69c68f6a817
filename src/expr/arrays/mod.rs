//! Arrays of numbers of any size: read in blocks, measured and searched where they are.

mod data_part;
mod each_element;
mod element_kind;
mod histogram;
mod look;
mod measure;
mod number_kind;
mod numeric_array;
mod packed;
mod page;
mod parted_range;
mod pixels;
mod record;
mod search;
mod section;
mod summary;
mod tally;
mod tiles;
mod walk;
mod window;

pub use data_part::read_data_part;
pub(crate) use each_element::array_value;
pub use look::look_at_array;
pub use measure::{find_in_array, measure_array};

#[cfg(test)]
mod tests;
