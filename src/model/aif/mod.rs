//! AIF: a value with its type, independent of the machine it came from (wire, section 4), and how it is shown.

mod data;
mod descriptor;
mod error;
mod float;
mod hex;
mod types;
mod value;

pub use error::AifError;
pub use float::FloatLayout;
pub use hex::{from_hex, to_hex};
pub use types::{AifType, CharStyle, Field, MAX_DEPTH, MAX_WIDTH};
pub use value::{AifValue, PointedText, PointerValue};

#[cfg(test)]
mod vectors;
