//! The command language: the parser, help, completion and `docs/COMMANDS.md` are derived from one table.

mod arguments;
mod comment;
mod complete;
mod gdb_page;
mod help;
mod kinds;
mod line;
mod line_error;
mod parse;
mod table;
mod unsupported;
mod variables;

pub use complete::{Completion, MemberBegun, complete, member_begun, name_begun};
pub use gdb_page::{gdb_markdown, has_word_about};
pub use help::{commands_markdown, help};
pub use kinds::{
    Apply, BreakpointCommand, Command, DataCommand, DebuggerCommand, Examined, Extent, Form, ListRange, MemoryFormat,
    Parting, PrintForm, Reverse, RunCommand, SetCommand, SignalCommand, StackCommand, Stacks, WaitFor, When,
};
pub use line::{Invocation, is_blank, parse_line};
pub use line_error::LineError;
pub use table::{ArgumentKind, Entry, Topic, entries, entries_of};
pub use variables::{OUTPUT_LINES, VARIABLES, Variable, Variables};

/// A command line given to [`crate::Controller::execute`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(pub u32);
