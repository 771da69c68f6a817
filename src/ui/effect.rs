//! What a key comes to outside the screen.

use controller::Gaze;

/// Something the event loop does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A line of the command language.
    Execute(String),
    /// Look elsewhere.
    Look(Gaze),
    /// Leave without waiting for anything more.
    Leave,
    /// Back to the shell for a while.
    Suspend,
    /// Draw everything again.
    Redraw,
}

/// A line of the command language, and nothing else.
pub(crate) fn execute(line: &str) -> Vec<Effect> {
    vec![Effect::Execute(line.to_owned())]
}
