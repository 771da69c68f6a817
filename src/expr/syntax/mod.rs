//! Syntax of expressions: tokens, trees, and the parser's common parts.

pub(super) mod characters;
pub(super) mod lexer;
pub(super) mod token;
pub(super) mod token_cursor;
pub(super) mod tree;
