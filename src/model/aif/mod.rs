//! AIF, a machine-independent format of a value with its type (wire, section 4), and its printing.

mod base;
mod data;
mod descriptor;
mod enumerators;
mod error;
mod float;
mod format;
mod hex;
mod member_names;
mod named;
mod number;
mod summary;
mod types;
mod value;

pub use base::to_base;
pub use enumerators::enumerators;
pub use error::AifError;
pub use float::FloatLayout;
pub use format::options::{FormatLetter, FormatOptions};
pub use format::print::format;
pub use format::type_names::as_gdb_spells;
pub use hex::{from_hex, to_hex};
pub use member_names::member_names;
pub use number::{Number, number};
pub use types::{AifType, CharStyle, ChildStyle, Field, MAX_DEPTH, MAX_WIDTH, Spelling};
pub use value::{AifValue, PointedText, PointerValue};

#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod vectors;
