//! Blocks of lines, such as `if … end`: a script is a tree of them.

mod parser;
mod substitution;
mod tree;

pub use parser::{BlockError, BlockParser, Fed, parse_script};
pub use substitution::{arguments_of, has_all_arguments, with_arguments};
pub use tree::{Block, BlockKind, PlacedLine, ScriptPlace, Statement};
