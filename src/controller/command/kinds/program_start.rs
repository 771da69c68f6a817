//! Commands about how the program is started, parsed.

/// Words for the program, and a file for its standard input: `-x 3 < FILE`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenArguments {
    /// The arguments.
    pub words: Vec<String>,
    /// The file; `None`: the input of the command line.
    pub input: Option<String>,
}

/// A command about the next start of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartCommand {
    /// Sets the arguments.
    SetArguments(GivenArguments),
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
    /// Sets whether addresses are randomised.
    SetRandomisation(bool),
    /// Shows whether addresses are randomised.
    ShowRandomisation,
}
