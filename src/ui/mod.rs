//! Layer ui.
