//! Parsed commands, by subject.

mod breakpoints;
mod data;
mod debugger;
mod finding;
mod format;
mod program_start;
mod running;
mod saving;
mod scripts;
mod sets;
mod signals;
mod skips;
mod stack;

pub use breakpoints::{BreakpointCommand, Countdown, When};
pub use data::{DataCommand, Examined, ListEnd, ListRange, SnapshotOrder, VariableChoice};
pub use debugger::{DebuggerCommand, Logging, Parting, Reverse};
pub use finding::FindingCommand;
pub use format::{CodeForm, CodeRange, Form, MemoryFormat, PrintForm};
pub use program_start::{GivenArguments, StartCommand};
pub use running::{RunCommand, WaitFor};
pub(crate) use saving::RANK;
pub use saving::{DataForm, RestoreOrder, SaveOrder};
pub use scripts::{Occasion, ScriptCommand};
pub use sets::{Colouring, LayoutOrder, RankLayout, SetCommand};
pub use signals::SignalCommand;
pub use skips::SkipCommand;
pub use stack::{Apply, ApplyFlags, Extent, Merged, SampleOrder, StackCommand, Stacks};

/// A parsed command.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// An empty line.
    Nothing,
    /// A command about sets of ranks.
    Sets(SetCommand),
    /// A command about breakpoints.
    Breakpoints(BreakpointCommand),
    /// A command that continues or stops ranks.
    Running(RunCommand),
    /// A command about stacks, frames and threads.
    Stack(StackCommand),
    /// A command about variables, registers and memory.
    Data(DataCommand),
    /// A command that finds something by name, content or address.
    Finding(FindingCommand),
    /// A command about signals.
    Signals(SignalCommand),
    /// A command of scripts.
    Scripts(ScriptCommand),
    /// A command about the next start of the program.
    Start(StartCommand),
    /// A command about the session or the debugger itself.
    Debugger(DebuggerCommand),
}

impl From<SetCommand> for Command {
    fn from(command: SetCommand) -> Self {
        Self::Sets(command)
    }
}

impl From<BreakpointCommand> for Command {
    fn from(command: BreakpointCommand) -> Self {
        Self::Breakpoints(command)
    }
}

impl From<RunCommand> for Command {
    fn from(command: RunCommand) -> Self {
        Self::Running(command)
    }
}

impl From<StackCommand> for Command {
    fn from(command: StackCommand) -> Self {
        Self::Stack(command)
    }
}

impl From<DataCommand> for Command {
    fn from(command: DataCommand) -> Self {
        Self::Data(command)
    }
}

impl From<FindingCommand> for Command {
    fn from(command: FindingCommand) -> Self {
        Self::Finding(command)
    }
}

impl From<SignalCommand> for Command {
    fn from(command: SignalCommand) -> Self {
        Self::Signals(command)
    }
}

impl From<ScriptCommand> for Command {
    fn from(command: ScriptCommand) -> Self {
        Self::Scripts(command)
    }
}

impl From<StartCommand> for Command {
    fn from(command: StartCommand) -> Self {
        Self::Start(command)
    }
}

impl From<DebuggerCommand> for Command {
    fn from(command: DebuggerCommand) -> Self {
        Self::Debugger(command)
    }
}
