//! Effects of keys outside the screen.

use controller::Gaze;

/// An effect that the event loop carries out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Execute a line of the command language.
    Execute(String),
    /// Execute a line that writes these files, after asking if one of them exists.
    ExecuteReplacing {
        /// The line.
        line: String,
        /// The files, as typed.
        files: Vec<String>,
    },
    /// Change the lead, thread, frame or file looked at.
    Look(Gaze),
    /// Leave without waiting for replies.
    Leave,
    /// Suspend to the shell, as ctrl-z does.
    Suspend,
    /// Clear the terminal and draw everything again.
    Redraw,
}

/// The only effect is one line of the command language.
pub(crate) fn execute(line: &str) -> Vec<Effect> {
    vec![Effect::Execute(line.to_owned())]
}
