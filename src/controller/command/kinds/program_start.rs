//! Commands about how the program is started, parsed.

/// A command about the next start of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartCommand {
    /// Sets the arguments.
    SetArguments(Vec<String>),
    /// Shows the arguments.
    ShowArguments,
    /// Sets a variable of the environment.
    SetVariable(String, String),
    /// Removes a variable from the environment.
    UnsetVariable(String),
    /// Shows the change of a variable; `None`: all changes.
    ShowEnvironment(Option<String>),
    /// Sets the working directory; `None`: that of the command line.
    SetDirectory(Option<String>),
    /// Shows the working directory.
    ShowDirectory,
}
