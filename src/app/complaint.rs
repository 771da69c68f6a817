//! Messages on standard error. They may contain names and texts of others, so control characters are made visible.

use model::printable_lines;
use std::io::{Write as _, stderr};

/// Prints an error message after the program's name.
pub fn complain(message: &str) {
    note(&format!("rankscope: {message}"));
}

/// Prints a text of another program.
pub fn note(text: &str) {
    // Standard error may be closed; then there is nowhere else to report it.
    let _ = writeln!(stderr(), "{}", printable_lines(text));
}
