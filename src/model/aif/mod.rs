//! AIF: a value with its type, independent of the machine it came from (wire, section 4).

mod hex;

pub use hex::{from_hex, to_hex};
