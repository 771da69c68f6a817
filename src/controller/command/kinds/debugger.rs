//! Commands about the session and the debugger itself, parsed.

use crate::sets::SetExpr;
use model::EngineName;

/// The treatment of a session with live ranks when another one replaces it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parting {
    /// It remains the present one.
    #[default]
    Stay,
    /// It continues without a front end.
    Leave,
    /// Its ranks are killed.
    Kill,
}

/// A command about requests for a debugger.
#[derive(Clone, Debug, PartialEq)]
pub enum Reverse {
    /// Lists the requests.
    List,
    /// Accepts a request (`None`: the only one), with the treatment of a session with live ranks.
    Accept(Option<String>, Parting),
    /// Rejects a request, with an optional reason.
    Reject(String, Option<String>),
    /// Waits for a request, at most this many seconds.
    Wait(Option<f64>),
    /// Watches for requests (`true`) or stops doing so.
    Listen(bool),
}

/// A change to logging, in gdb's terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Logging {
    /// The file that is written from the next start.
    File(String),
    /// Starts or stops it.
    Enabled(bool),
    /// Replaces the file (`true`) or adds to it, from the next start.
    Overwrite(bool),
    /// Writes to the file only (`true`), or also to the terminal, from the next start.
    Redirect(bool),
    /// Shows how it logs.
    Show,
}

/// A command about the session or the debugger itself.
#[derive(Clone, Debug, PartialEq)]
pub enum DebuggerCommand {
    /// Ends the session.
    Quit,
    /// Shows the engines of the ranks.
    WhichEngine,
    /// Switches the ranks to another engine.
    UseEngine(EngineName),
    /// Passes a command to the engine unchanged.
    Engine(String),
    /// Shows the output of these ranks only. If the set is a name that no group has, the text is an expression.
    Output(SetExpr, String),
    /// Writes a report about all ranks into a directory; `None`: one named after the session.
    Report(Option<String>),
    /// Logs everything to a file; `None` ends the log.
    Log(Option<String>),
    /// Changes how gdb's `set logging` logs.
    Logging(Logging),
    /// Runs the commands of a file; `None`: the program's saved one.
    Source(Option<String>),
    /// Saves breakpoints, groups, settings and displayed expressions to a file; `None`: the program's own.
    Save(Option<String>),
    /// Runs a line in a shell on this host.
    Shell(String),
    /// Runs a command, and gives what it reports to a line of the shell.
    Pipe {
        /// The command.
        line: String,
        /// The line of the shell.
        shell: String,
    },
    /// Shows the version of rankscope.
    ShowVersion,
    /// Changes a setting for one command.
    With {
        /// The setting's name.
        name: String,
        /// Its value meanwhile.
        value: String,
        /// The command.
        line: String,
    },
    /// Saves breakpoints and their commands to a file.
    SaveBreakpoints(String),
    /// Keeps the job under a name, to be started again.
    SaveRun(String),
    /// Defines an alias (name, text); `None` lists them.
    Alias(Option<(String, String)>),
    /// Changes a setting: name, value.
    Set(String, String),
    /// Leaves a setting of gdb as it is here: name, value, and what rankscope does.
    SetAsItIs(&'static str, &'static str, &'static str),
    /// Goes on after a line of gdb without an effect here: its first words, and why.
    Ignored(String, &'static str),
    /// Shows such a setting: name, value.
    ShowAsItIs(&'static str, &'static str),
    /// Shows a setting; `None`: all.
    Show(Option<String>),
    /// Searches these directories for sources before the others; without any: only the usual ones.
    SearchSources(String),
    /// Removes the rule for a directory of sources; `None`: all rules.
    KeepSourcePath(Option<String>),
    /// Loads a file of printers.
    LoadPrinters(String),
    /// Lists the printers; with a text, those of types whose names contain it.
    ListPrinters(Option<String>),
    /// Enables (`true`) or disables printers: all, or those that one or two regular expressions choose.
    EnablePrinters(bool, Option<String>, Option<String>),
    /// A command about requests for a debugger.
    Reverse(Reverse),
    /// Shows help on a topic; `None`: an overview.
    Help(Option<String>),
    /// Lists the commands and settings in which a regular expression is found; `true`: with their whole texts.
    Apropos(String, bool),
}
