//! The command prompt: line editing, history, completion.

mod editor;
mod history;

pub use editor::Editor;
pub use history::History;

use std::ops::Range;

/// Candidates for a part of the line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// What they could become.
    pub candidates: Vec<String>,
}

/// The keys of a prompt, for the pages of keys.
pub const PROMPT_KEYS: &[(&str, &str)] = &[
    ("enter", "Carry the command out."),
    ("esc ctrl-c", "Leave it."),
    ("tab", "Complete the word; again: the next candidate."),
    ("shift-tab", "The candidate before."),
    ("up ctrl-p", "The command before that begins like this."),
    ("down ctrl-n", "The command after it."),
    ("left ctrl-b", "One character left."),
    ("right ctrl-f", "One character right; at the end, take what is suggested."),
    ("home ctrl-a", "To the beginning."),
    ("end ctrl-e", "To the end."),
    ("alt-b alt-left", "One word left."),
    ("alt-f alt-right", "One word right."),
    ("backspace ctrl-h", "Delete the character before the cursor."),
    ("delete ctrl-d", "Delete the character at the cursor."),
    ("ctrl-w alt-backspace", "Delete the word before the cursor."),
    ("ctrl-k", "Delete to the end."),
    ("ctrl-u", "Delete to the beginning."),
];
