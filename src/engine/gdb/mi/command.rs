//! Commands of the machine interface.

use super::text::quoted;
use std::fmt;

/// A command of the machine interface: `TOKEN-NAME --OPTION… PARAMETER…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    name: String,
    words: Vec<String>,
}

impl Command {
    /// Takes the name without the dash.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), words: Vec::new() }
    }

    /// A command line of gdb's console. It may have line breaks where gdb takes them (`python`).
    pub fn console(line: &str) -> Self {
        Self::new("interpreter-exec").word("console").word(line)
    }

    /// Appends an option or parameter.
    #[must_use]
    pub fn word(mut self, word: impl fmt::Display) -> Self {
        self.words.push(word.to_string());
        self
    }

    /// The name without the dash.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The line, with its end.
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
