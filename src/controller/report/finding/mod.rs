//! What was found by name, content or address, as text and JSON

pub(super) mod bytes;
pub(super) mod symbols;
