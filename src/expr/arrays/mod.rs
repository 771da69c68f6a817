//! Arrays of numbers of any size: read in blocks, measured and searched where they are.

mod data_part;
mod each_element;
mod element_kind;
mod histogram;
mod measure;
mod number_kind;
mod numeric_array;
mod packed;
mod parted_range;
mod record;
mod search;
mod summary;
mod tally;
mod tiles;
mod walk;
mod window;

pub use data_part::read_data_part;
pub(crate) use each_element::array_value;
pub use measure::{find_in_array, measure_array};

#[cfg(test)]
mod tests;
