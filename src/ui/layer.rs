//! Layers over the views, as a stack: the topmost gets the keys.

use super::effect::Effect;
use super::prompt::{Completion, Editor};

/// A layer over the views.
#[derive(Clone, Debug, PartialEq)]
pub enum Layer {
    /// The help page, with its first visible row.
    Help(usize),
    /// A line being typed: a command, a search, a location or a reason.
    Prompt(Prompt),
    /// A question with several answers.
    Confirm(Confirm),
    /// Text of more than one line, such as the output of a command.
    Page(Page),
    /// The reverse connection requests; the selected one is in the view's state.
    Requests,
}

/// The purpose of a typed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptKind {
    /// A command of the command language.
    Command,
    /// Text to search for in the view.
    Search,
    /// A location to show in the source view.
    Place,
    /// The reason for rejecting a reverse connection request.
    Reason,
}

impl PromptKind {
    /// The text shown before the line.
    pub fn sign(self) -> &'static str {
        match self {
            PromptKind::Command => ":",
            PromptKind::Search => "/",
            PromptKind::Place => "show ",
            PromptKind::Reason => "reason (may be empty): ",
        }
    }
}

/// A line being typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// The purpose of the line.
    pub kind: PromptKind,
    /// The line and its cursor.
    pub editor: Editor,
    /// The index of the recalled command in the history, and the text typed before recalling.
    pub recalled: Option<(usize, String)>,
    /// The candidates, and the index of the one that is in the line.
    pub completion: Option<(Completion, usize)>,
    /// A continuation of the line: the rest of the newest command in the history that begins like it.
    pub suggestion: String,
}

impl Prompt {
    /// Creates a prompt with some text in it.
    pub fn new(kind: PromptKind, text: &str) -> Self {
        Self { kind, editor: Editor::new(text), recalled: None, completion: None, suggestion: String::new() }
    }
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The key that gives this answer; shown before the label.
    pub key: char,
    /// A description of the answer.
    pub label: &'static str,
    /// The effects of giving this answer.
    pub effects: Vec<Effect>,
}

/// A question with its answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirm {
    /// The text of the question, one line.
    pub question: String,
    /// The answers; escape gives `n`, or none of them if there is no `n`.
    pub choices: Vec<Choice>,
    /// The index of the answer that enter gives.
    pub chosen: usize,
}

/// Text of more than one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The title in the frame, such as the command.
    pub title: String,
    /// The lines as they were reported, not wrapped.
    pub lines: Vec<String>,
    /// The first visible row, counted after wrapping the lines to the terminal's width.
    pub top: usize,
}
