//! The tree of a script, and its text.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The place of a line in a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptPlace {
    /// The file; `None` for lines that were typed or read from standard input.
    pub file: Option<Arc<str>>,
    /// The line, from 1.
    pub line: u32,
}

impl fmt::Display for ScriptPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}", self.line),
            None => write!(f, "line {}", self.line),
        }
    }
}

/// A line with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacedLine {
    /// The line without its comment.
    pub text: String,
    /// Its place; `None` for a single line that was typed.
    pub place: Option<ScriptPlace>,
}

impl PlacedLine {
    /// A line without a place.
    pub fn typed(text: impl Into<String>) -> Self {
        Self { text: text.into(), place: None }
    }
}

/// The command that opens a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BlockKind {
    /// `if`, with or without `else`.
    If,
    /// `while`.
    While,
    /// `commands`.
    Commands,
    /// `define`.
    Define,
    /// `document`; its lines are text.
    Document,
    /// `python` and the like; its lines are text.
    Foreign,
}

impl BlockKind {
    /// True if its lines are text, not commands.
    pub(in crate::command) fn has_text(self) -> bool {
        matches!(self, Self::Document | Self::Foreign)
    }

    /// Returns what must follow its word.
    pub(in crate::command) fn needs(self) -> Option<&'static str> {
        match self {
            Self::If | Self::While => Some("a condition"),
            Self::Define | Self::Document => Some("the name of a command"),
            Self::Commands | Self::Foreign => None,
        }
    }

    /// True if its lines are for other calls than the one that reaches it: they keep their `$arg0`, as in gdb.
    pub(in crate::command) fn keeps_arguments(self) -> bool {
        self.has_text() || self == Self::Define
    }
}

/// A command with the lines up to its `end`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The command that opens it.
    pub kind: BlockKind,
    /// The line of that command.
    pub head: PlacedLine,
    /// The lines up to `else` or `end`.
    pub body: Vec<Statement>,
    /// The lines after `else`.
    pub otherwise: Option<Vec<Statement>>,
}

/// A part of a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Statement {
    /// One line.
    Line(PlacedLine),
    /// A block of lines.
    Block(Arc<Block>),
}

impl Statement {
    /// Builds one that was typed.
    pub fn typed(text: impl Into<String>) -> Self {
        Self::Line(PlacedLine::typed(text))
    }

    /// Returns its first line.
    pub fn head(&self) -> &PlacedLine {
        match self {
            Self::Line(line) => line,
            Self::Block(block) => &block.head,
        }
    }

    /// Returns the block, if it is one.
    pub fn block(&self) -> Option<&Arc<Block>> {
        match self {
            Self::Line(_) => None,
            Self::Block(block) => Some(block),
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let indent = |f: &mut fmt::Formatter<'_>, text: &str| writeln!(f, "{:width$}{text}", "", width = depth * 2);
        let Self::Block(block) = self else { return indent(f, &self.head().text) };
        indent(f, &block.head.text)?;
        // Text is kept as it is.
        let inner = if block.kind.has_text() { 0 } else { depth + 1 };
        block.body.iter().try_for_each(|statement| statement.write(f, inner))?;
        if let Some(otherwise) = &block.otherwise {
            indent(f, "else")?;
            otherwise.iter().try_for_each(|statement| statement.write(f, inner))?;
        }
        indent(f, "end")
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}
