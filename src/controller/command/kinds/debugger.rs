//! Commands about the session and the debugger itself.

use crate::sets::SetExpr;
use model::EngineName;

/// What becomes of a session with live ranks when another takes its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parting {
    /// It stays the present one.
    #[default]
    Stay,
    /// It goes on without a front end.
    Leave,
    /// Its ranks are killed.
    Kill,
}

/// What is done with programs that ask for a debugger.
#[derive(Clone, Debug, PartialEq)]
pub enum Reverse {
    /// List them.
    List,
    /// Debug one; none named: the only one. What becomes of a session with live ranks.
    Accept(Option<String>, Parting),
    /// Send one away, with a reason.
    Reject(String, Option<String>),
    /// Wait until one asks, perhaps no longer than some seconds.
    Wait(Option<f64>),
    /// Look for them always, or never.
    Listen(bool),
}

/// The session and the debugger itself.
#[derive(Clone, Debug, PartialEq)]
pub enum DebuggerCommand {
    /// End the session.
    Quit,
    /// Which engine debugs the ranks.
    WhichEngine,
    /// Have another engine debug them.
    UseEngine(EngineName),
    /// Words for the engine as they are.
    Engine(String),
    /// Whose output is shown.
    Output(SetExpr),
    /// Write everything to a file too; `None`: no longer.
    Log(Option<String>),
    /// Run the commands of a file; `None`: what was saved of the program.
    Source(Option<String>),
    /// Write breakpoints, groups, settings and displayed expressions to a file; `None`: that of the program.
    Save(Option<String>),
    /// Give text a name; `None`: list them.
    Alias(Option<(String, String)>),
    /// Change a setting.
    Set(String, String),
    /// Show settings.
    Show(Option<String>),
    /// Programs that ask for a debugger.
    Reverse(Reverse),
    /// Explain.
    Help(Option<String>),
}
