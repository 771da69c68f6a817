//! Layer tree.
