//! GDB/MI, gdb's machine interface (gdb manual, "GDB/MI Output Syntax"). No I/O here: bytes become records, commands
//! become text, both ways.

mod command;
mod decoder;
mod parse;
mod record;
mod text;

pub use command::{Command, CommandContext};
pub use decoder::Decoder;
pub use record::{Kind, Record, Results, StreamKind, Value};
pub use text::quoted;

#[cfg(test)]
mod tests;
