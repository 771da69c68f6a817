//! Commands of GDB/MI.

use super::text::quoted;
use std::fmt;

/// A command: `TOKEN-NAME --OPTION… PARAMETER…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    name: String,
    words: Vec<String>,
}

impl Command {
    /// Creates a command from its name without the dash.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), words: Vec::new() }
    }

    /// Wraps a command line of gdb's console, which may have line breaks where gdb allows them (`python`).
    pub fn console(line: &str) -> Self {
        Self::new("interpreter-exec").word("console").word(line)
    }

    /// Appends an option or parameter.
    #[must_use]
    pub fn word(mut self, word: impl fmt::Display) -> Self {
        self.words.push(word.to_string());
        self
    }

    /// Returns the name without the dash.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the line to send, with its line break.
    pub fn line(&self, token: u64) -> String {
        format!("{token}-{self}\n")
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for word in &self.words {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:+*$=".contains(c);
            if !word.is_empty() && word.chars().all(plain) {
                write!(f, " {word}")?;
            } else {
                write!(f, " {}", quoted(word))?;
            }
        }
        Ok(())
    }
}
