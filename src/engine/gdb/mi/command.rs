//! Commands of GDB/MI.

use super::text::quoted;
use std::fmt;

/// A command: `TOKEN-NAME --OPTION… PARAMETER…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    name: String,
    words: Vec<String>,
}

/// The thread and the frame that a command names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandContext<'a> {
    /// gdb's number of the thread.
    pub thread: &'a str,
    /// The level of the frame; `None`: the innermost.
    pub frame: Option<&'a str>,
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

    /// Splits off the thread and the frame that a command names; `None` if it names no thread.
    pub fn split_context(&self) -> Option<(CommandContext<'_>, Option<Self>)> {
        if self.name == "thread-select" {
            return Some((CommandContext { thread: self.words.first()?, frame: None }, None));
        }
        let at = |option: &str| self.words.iter().position(|word| word == option);
        let (thread, frame) = (at("--thread")?, at("--frame"));
        let context = CommandContext {
            thread: self.words.get(thread + 1)?,
            frame: frame.and_then(|at| self.words.get(at + 1)).map(String::as_str),
        };
        let is_of = |index: usize, option: usize| index == option || index == option + 1;
        let is_kept = |index: usize| !is_of(index, thread) && !frame.is_some_and(|frame| is_of(index, frame));
        let words = self.words.iter().enumerate().filter(|(index, _)| is_kept(*index)).map(|(_, word)| word.clone());
        Some((context, Some(Self { name: self.name.clone(), words: words.collect() })))
    }

    /// True for a line in gdb's Python.
    pub fn is_python(&self) -> bool {
        self.name == "interpreter-exec" && self.words.get(1).is_some_and(|line| line.starts_with("python "))
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
