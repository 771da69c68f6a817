//! The command prompt: line editing, history, completion.

mod editor;
mod history;

pub use editor::Editor;
pub use history::History;

use std::ops::Range;

/// Candidates for a part of the line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The range of bytes that a candidate replaces.
    pub range: Range<usize>,
    /// The candidate replacements.
    pub candidates: Vec<String>,
}

/// The keys of a prompt, for help and `docs/KEYS.md`.
pub const PROMPT_KEYS: &[(&str, &str)] = &[
    ("enter", "Run the command."),
    ("esc ctrl-c", "Cancel."),
    ("tab", "Complete the word; again: the next candidate."),
    ("shift-tab", "The previous candidate."),
    ("up ctrl-p", "The previous command that starts like this."),
    ("down ctrl-n", "The next one."),
    ("left ctrl-b", "One character left."),
    ("right ctrl-f", "One character right; at the end, accept the suggestion."),
    ("home ctrl-a", "To the start."),
    ("end ctrl-e", "To the end."),
    ("alt-b alt-left", "One word left."),
    ("alt-f alt-right", "One word right."),
    ("backspace ctrl-h", "Delete the selected suggestion, or the character before the cursor."),
    ("delete ctrl-d", "Delete the character at the cursor."),
    ("ctrl-w alt-backspace", "Delete the word before the cursor."),
    ("ctrl-k", "Delete to the end."),
    ("ctrl-u", "Delete the selected suggestion, or to the start."),
];
