//! What lies over the views, as a stack: the topmost gets the keys.

use super::effect::Effect;
use super::prompt::{Completion, Editor};

/// Something over the views.
#[derive(Clone, Debug, PartialEq)]
pub enum Layer {
    /// The page of keys; its first row.
    Help(usize),
    /// A line being typed.
    Prompt(Prompt),
    /// A question.
    Confirm(Confirm),
    /// Words that are more than a line.
    Page(Page),
    /// Programs that ask for a debugger; which of them is meant is in the view.
    Requests,
}

/// What a typed line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptKind {
    /// A command of the command language.
    Command,
    /// Something to look for in the view.
    Search,
    /// A place to look at.
    Place,
    /// Why a program that asks for a debugger is sent away.
    Reason,
}

impl PromptKind {
    /// Stands before the line.
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
    /// What it is for.
    pub kind: PromptKind,
    /// The line.
    pub editor: Editor,
    /// The command of the history that is shown, and what had been typed before it.
    pub recalled: Option<(usize, String)>,
    /// Candidates, and which of them is in the line.
    pub completion: Option<(Completion, usize)>,
    /// How the line could go on: the newest command of the history that begins like it.
    pub suggestion: String,
}

impl Prompt {
    /// A prompt with some text in it.
    pub fn new(kind: PromptKind, text: &str) -> Self {
        Self { kind, editor: Editor::new(text), recalled: None, completion: None, suggestion: String::new() }
    }
}

/// An answer that can be given.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Its key, which is shown.
    pub key: char,
    /// What it does.
    pub label: &'static str,
    /// What comes of it.
    pub effects: Vec<Effect>,
}

/// A question.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirm {
    /// The question.
    pub question: String,
    /// Answers; escape is always one.
    pub choices: Vec<Choice>,
    /// The answer that enter gives.
    pub chosen: usize,
}

/// Words that are more than a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Above them.
    pub title: String,
    /// The words.
    pub lines: Vec<String>,
    /// The first row that is shown, as they are parted for the terminal.
    pub top: usize,
}
