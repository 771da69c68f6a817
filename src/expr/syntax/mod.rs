//! What an expression says: its words, its tree, and how the tree is made.

pub(super) mod token;
pub(super) mod token_cursor;
pub(super) mod tree;
