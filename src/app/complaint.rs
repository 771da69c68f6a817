//! Words on standard error. They may hold names and texts of others: nothing in them steers the terminal.

use model::printable_lines;
use std::io::{Write as _, stderr};

/// Says what is wrong, with our name before it.
pub fn complain(message: &str) {
    note(&format!("rankscope: {message}"));
}

/// Says what somebody else has to say.
pub fn note(text: &str) {
    // Standard error may be closed; there is nobody else to tell.
    let _ = writeln!(stderr(), "{}", printable_lines(text));
}
