//! The command language: the parser, help, completion and `docs/COMMANDS.md` are derived from one table.

mod arguments;
mod blocks;
mod comment;
mod complete;
mod condition;
mod fixed_settings;
mod gdb_page;
mod help;
mod ignored;
mod kinds;
mod line;
mod line_error;
mod parse;
mod phrases;
mod print_format;
mod repetition;
mod shell_words;
mod table;
mod unsupported;
mod variable_table;
mod variables;

pub use blocks::{
    Block, BlockError, BlockKind, BlockParser, Fed, PlacedLine, ScriptPlace, Statement, arguments_of,
    has_all_arguments, parse_script, with_arguments,
};
pub(crate) use complete::nearest_member;
pub use complete::{
    Completion, MemberBegun, complete, file_begun, is_register_begun, member_begun, name_begun, type_begun,
};
pub use condition::{Combine, Condition, ConditionError, Relation};
pub use gdb_page::{gdb_markdown, has_word_about};
pub use help::{apropos, commands_markdown, help, why_no_help};
pub use ignored::may_define_commands;
pub(crate) use kinds::RANK;
pub use kinds::{
    Apply, ApplyFlags, BreakpointCommand, CodeForm, CodeRange, Colouring, Command, Countdown, DataCommand, DataForm,
    DebuggerCommand, Examined, Extent, FindingCommand, Form, GivenArguments, LayoutOrder, ListEnd, ListRange, Logging,
    MemoryFormat, Merged, Occasion, Parting, PrintForm, RankLayout, RestoreOrder, Reverse, RunCommand, SampleOrder,
    SaveOrder, ScriptCommand, SetCommand, SignalCommand, SkipCommand, SnapshotOrder, StackCommand, Stacks,
    StartCommand, VariableChoice, WaitFor, When,
};
pub use line::{Invocation, command_word, is_beginning_of, is_blank, is_unknown, parse_call, parse_line};
pub use line_error::LineError;
pub use parse::arrays::scan_condition;
pub(crate) use parse::lines_of;
pub(crate) use parse::text_of as start_text;
pub use print_format::{Conversion, Field, Flags, FormatError, IntegerSize, Piece, PrintFormat};
pub use repetition::repetition_of;
pub(crate) use shell_words::quote as quote_word;
pub use table::{ArgumentKind, BlockWord, Entry, Repeat, Topic, entries, entries_of};
pub use variable_table::{OUTPUT_LINES, VARIABLES, Variable};
pub use variables::Variables;

/// A command line given to [`crate::Controller::execute`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(pub u32);
