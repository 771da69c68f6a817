//! Layers over the views, as a stack: the topmost gets the keys.

use super::effect::Effect;
use super::prompt::{Completion, Editor, HistorySearch, OpenBlock};
use model::BreakpointId;
use std::time::{Duration, Instant};

/// Whether a layer may take keys. Keys typed for what was there before are not for a layer that a reply opens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opened {
    /// A key opened it, or it has been on the screen for long enough to be read.
    #[default]
    Known,
    /// A reply opened it, and it is not on the screen yet.
    Unseen,
    /// A reply opened it; on the screen since this time.
    Seen(Instant),
}

/// Nobody reads a question and answers it in less time.
const GLANCE: Duration = Duration::from_millis(400);

impl Opened {
    fn is_drawn(&mut self, now: Instant) {
        if *self == Self::Unseen {
            *self = Self::Seen(now);
        }
    }

    /// Returns when the layer takes keys; `None` if it does, or is not on the screen.
    fn takes_keys_at(self) -> Option<Instant> {
        match self {
            Self::Seen(since) => Some(since + GLANCE),
            Self::Known | Self::Unseen => None,
        }
    }

    /// True if a key of this time was pressed before the layer could be read.
    pub(crate) fn is_unread(self, pressed: Instant) -> bool {
        self == Self::Unseen || self.takes_keys_at().is_some_and(|at| pressed < at)
    }
}

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
    Requests(Opened),
}

impl Layer {
    fn opened(&mut self) -> Option<&mut Opened> {
        match self {
            Layer::Confirm(confirm) => Some(&mut confirm.opened),
            Layer::Page(page) => Some(&mut page.opened),
            Layer::Requests(opened) => Some(opened),
            Layer::Help(_) | Layer::Prompt(_) => None,
        }
    }

    /// Records that the layer is on the screen, on top; returns when it will take keys.
    pub(crate) fn is_drawn(&mut self, now: Instant) -> Option<Instant> {
        let opened = self.opened()?;
        opened.is_drawn(now);
        opened.takes_keys_at()
    }

    /// Lets it take keys if it has been read by now; returns whether that is new, or else when that will be.
    pub(crate) fn take_keys(&mut self, now: Instant) -> (bool, Option<Instant>) {
        let Some(opened) = self.opened() else { return (false, None) };
        match opened.takes_keys_at() {
            Some(at) if now < at => (false, Some(at)),
            Some(_) => {
                *opened = Opened::Known;
                (true, None)
            }
            None => (false, None),
        }
    }
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
    /// A condition that elements of an array meet.
    Condition,
    /// An address to show in the memory view.
    Address,
    /// The ranks or the snapshot that variables are compared with.
    Reference,
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
            PromptKind::Condition => "elements ",
            PromptKind::Address => "go to ",
            PromptKind::Reference => "compare with ranks, or a snapshot: ",
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
    /// A search in the history.
    pub search: Option<HistorySearch>,
    /// The candidates, and the index of the one that is in the line; `None`: what they have in common.
    pub completion: Option<(Completion, Option<usize>)>,
    /// The beginning of the line that was to be completed before its names had come from the program.
    pub to_complete: Option<String>,
    /// A continuation of the line: the rest of the newest command in the history that begins like it; of an empty line,
    /// the command that enter repeats.
    pub suggestion: String,
    /// The lines of a block that is not complete.
    pub block: Option<OpenBlock>,
}

impl Prompt {
    /// Returns the text shown before the line: for a block, one sign for each block that is open.
    pub fn sign(&self) -> String {
        let sign = match &self.block {
            Some(block) => ">".repeat(block.depth()),
            None => self.kind.sign().to_owned(),
        };
        match &self.search {
            Some(search) => {
                let failed = if search.failed { "no more " } else { "" };
                format!("({failed}history) {}: ", search.text())
            }
            None => sign,
        }
    }

    /// Creates a prompt with some text in it.
    pub fn new(kind: PromptKind, text: &str) -> Self {
        Self {
            kind,
            editor: Editor::new(text),
            recalled: None,
            search: None,
            completion: None,
            to_complete: None,
            suggestion: String::new(),
            block: None,
        }
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
    /// The breakpoint without a place that it is about.
    pub pending: Option<BreakpointId>,
    /// The index of the answer that enter gives.
    pub chosen: usize,
    /// Whether it takes keys yet.
    pub opened: Opened,
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
    /// Whether it takes keys yet.
    pub opened: Opened,
    /// True if it says why a command failed: the next key may count on what that should have done.
    pub failed: bool,
}
