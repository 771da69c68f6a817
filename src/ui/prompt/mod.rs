//! The command prompt: line editing, history, completion.

mod echo;
mod editor;
mod files;
mod history;
mod kills;
mod open_block;
mod search;

pub use echo::EchoedLine;
pub use editor::Editor;
pub use files::files;
pub use history::History;
pub use kills::Kills;
pub use open_block::OpenBlock;
pub use search::HistorySearch;

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
    ("enter", "Run the command; on an empty line the one before it again, which the line suggests."),
    ("esc ctrl-c", "Cancel; drops the block that is being typed."),
    ("tab", "Complete the word as far as the candidates agree; again: the first candidate, the next one."),
    ("shift-tab", "The previous candidate."),
    ("up ctrl-p", "The previous command that starts like this."),
    ("down ctrl-n", "The next one."),
    ("ctrl-r", "Search the history for a text that you type; again: an older command."),
    ("ctrl-s", "In this search: a newer command."),
    ("ctrl-g", "End the search, and take the line before it back. Other keys edit the command that was found."),
    ("left ctrl-b", "One character left."),
    ("right ctrl-f", "One character right; at the end, accept the suggestion."),
    ("home ctrl-a", "To the start."),
    ("end ctrl-e", "To the end."),
    ("alt-b alt-left", "One word left."),
    ("alt-f alt-right", "One word right."),
    ("backspace ctrl-h", "Delete the selected suggestion, or the character before the cursor."),
    ("delete ctrl-d", "Delete the character at the cursor."),
    ("ctrl-w alt-backspace", "Delete the word before the cursor."),
    ("alt-d", "Delete the word after the cursor."),
    ("ctrl-k", "Delete to the end."),
    ("ctrl-u", "Delete the selected suggestion, or to the start."),
    ("ctrl-y", "Insert the words that were deleted last."),
    ("ctrl-t", "Swap the two characters around the cursor."),
    ("ctrl-l", "Redraw the screen."),
];
