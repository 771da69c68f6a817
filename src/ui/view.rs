//! The screen's own state: the view with the keyboard, cursors, layers. Drawing reads only this and the controller's
//! state.

use super::action::ViewId;
use super::array_state::ArrayView;
use super::effect::Effect;
use super::highlight::Colours;
use super::keys::{Chord, KeyMap};
use super::layer::{Layer, Prompt, PromptKind};
use super::layout::{MIDDLE, TABS};
use super::list::List;
use super::log::Log;
use super::returned_values::ReturnedValues;
use super::views::code_state::CodeView;
use super::views::memory_state::MemoryView;
use super::views::ranks::view_state::RanksView;
use super::views::variables_state::VariablesView;
use controller::state::{Focus, RequestId};
use model::Severity;
use ratatui::layout::Rect;
use std::{collections::BTreeSet, sync::Arc};

/// The state of the source view.
#[derive(Clone, Debug, Default)]
pub struct SourceView {
    /// The file whose lines the cursor counts; `None` before there is a file.
    pub file: Option<Arc<str>>,
    /// Cursor and window; row 0 is line 1.
    pub list: List,
    /// Columns scrolled to the right.
    pub left: usize,
    /// The last location shown; the cursor moves by itself only if it changes.
    pub shown: Option<(Arc<str>, u32)>,
    /// A line to go to once its file is loaded.
    pub wanted: Option<u32>,
    /// True if the file has not been shown yet: the line goes to the middle.
    pub fresh: bool,
    /// The code that is shown instead.
    pub code: CodeView,
}

/// The display of frames of libraries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LibraryFrames {
    /// One line for frames that follow each other.
    #[default]
    Folded,
    /// Every frame.
    Shown,
}

impl LibraryFrames {
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Folded => Self::Shown,
            Self::Shown => Self::Folded,
        }
    }
}

/// The content of view 3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StackForm {
    /// The frames of the lead rank.
    #[default]
    Frames,
    /// The tree of the focus's stacks, one thread of each rank.
    Merged,
    /// The tree of the stacks of all threads of the focus.
    AllThreads,
}

impl StackForm {
    /// The form that suits a focus: ranks that are in several places are seen together.
    pub(crate) fn of_focus(focus: &Focus) -> Self {
        if focus.set.len() > 1 && focus.thread.is_none() { Self::Merged } else { Self::Frames }
    }

    /// True if it is a tree.
    pub fn is_tree(self) -> bool {
        self != Self::Frames
    }

    pub(crate) fn next(self) -> Self {
        match self {
            Self::Frames => Self::Merged,
            Self::Merged => Self::AllThreads,
            Self::AllThreads => Self::Frames,
        }
    }
}

/// The content of view 3 that the user has chosen; `None`: that which suits the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChosenStack(pub Option<StackForm>);

impl ChosenStack {
    /// The content of view 3.
    pub fn form(self, focus: &Focus) -> StackForm {
        self.0.unwrap_or_else(|| StackForm::of_focus(focus))
    }

    /// Chooses the next content; what suits the focus follows the focus again.
    pub(crate) fn advance(&mut self, focus: &Focus) -> StackForm {
        let next = self.form(focus).next();
        self.0 = Some(next).filter(|next| *next != StackForm::of_focus(focus));
        next
    }
}

/// A list that shows its end as lines are added: output and messages.
#[derive(Clone, Debug)]
pub struct Tail {
    /// Cursor and window.
    pub list: List,
    /// True to keep the last line visible.
    pub follow: bool,
    /// Columns scrolled to the right.
    pub left: usize,
}

impl Default for Tail {
    fn default() -> Self {
        Self { list: List::default(), follow: true, left: 0 }
    }
}

/// The state of the dialog of reverse connection requests.
#[derive(Clone, Debug, Default)]
pub struct RequestsView {
    /// The selected request.
    pub chosen: Option<RequestId>,
    /// Requests put off: the dialog does not open for them.
    pub put_off: BTreeSet<RequestId>,
    /// The request for whose rejection a reason is being typed.
    pub rejecting: Option<RequestId>,
}

/// A search in a view.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The search text; ignores case if it has no upper-case letters. Empty: nothing has been searched for.
    pub text: String,
    /// True while matches are shown and keys walk over them.
    pub active: bool,
}

impl Search {
    /// The byte range of the first match in a line; `None` if there is none, or no search is active.
    pub fn find(&self, line: &str) -> Option<std::ops::Range<usize>> {
        if self.text.is_empty() || !self.active {
            return None;
        }
        if self.text.chars().any(char::is_uppercase) {
            return line.find(&self.text).map(|at| at..at + self.text.len());
        }
        let wanted = self.text.to_lowercase();
        let starts = line.char_indices().map(|(at, _)| at);
        for start in starts {
            let mut rest = wanted.chars();
            let mut end = start;
            for c in line[start..].chars() {
                let Some(expected) = rest.clone().next() else { break };
                if !c.to_lowercase().eq(std::iter::once(expected)) {
                    break;
                }
                rest.next();
                end += c.len_utf8();
            }
            if rest.next().is_none() {
                return Some(start..end);
            }
        }
        None
    }
}

/// A notice in the status line: the result of the last command, or a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Decides the colour; a note of the debugger never replaces a notice.
    pub severity: Severity,
    /// The text, one line.
    pub text: String,
}

/// The screen's own state.
#[derive(Clone, Debug)]
pub struct View {
    /// The area of the whole screen.
    pub area: Rect,
    /// The view with the keyboard.
    pub current: ViewId,
    /// The view in the pane at the bottom.
    pub tab: ViewId,
    /// The view in the pane in the middle.
    pub middle: ViewId,
    /// True if the view with the keyboard fills the screen.
    pub zoom: bool,
    /// Layers over the views, the topmost last.
    pub layers: Vec<Layer>,
    /// The keys of an unfinished sequence.
    pub pending: Vec<Chord>,
    /// The current bindings.
    pub keys: KeyMap,
    /// State of view 1.
    pub ranks: RanksView,
    /// State of view 2.
    pub source: SourceView,
    /// Cursor and window of view 3.
    pub stack: List,
    /// The content of view 3 that the user has chosen.
    pub chosen_stack: ChosenStack,
    /// The display of frames of libraries in view 3.
    pub libraries: LibraryFrames,
    /// State of view 4.
    pub variables: VariablesView,
    /// State of view 5.
    pub output: Tail,
    /// Cursor and window of view 6.
    pub breakpoints: List,
    /// Cursor and window of view 7.
    pub threads: List,
    /// True if view 7 shows the threads of all ranks of the focus, false for those of the lead rank.
    pub threads_of_focus: bool,
    /// Cursor and window of view 8.
    pub signals: List,
    /// The selected column of view 8, from 0: stop, print, pass.
    pub signal_column: usize,
    /// State of view 9.
    pub messages: Tail,
    /// State of the array view.
    pub array: ArrayView,
    /// State of the memory view.
    pub memory: MemoryView,
    /// Commands with their results, events and messages.
    pub log: Log,
    /// The dialog of reverse connection requests.
    pub requests: RequestsView,
    /// The current or last search.
    pub search: Search,
    /// The notice in the status line; `None` if the line shows the state of the focus.
    pub notice: Option<Notice>,
    /// The values in the notice, if it says what functions have returned.
    pub(crate) returned: ReturnedValues,
    /// Cache of highlighted source lines.
    pub colours: Colours,
    /// True if the terminal has no Unicode.
    pub ascii: bool,
}

impl Default for View {
    fn default() -> Self {
        Self {
            area: Rect::new(0, 0, 80, 24),
            current: ViewId::Source,
            tab: ViewId::Output,
            middle: ViewId::Source,
            zoom: false,
            layers: Vec::new(),
            pending: Vec::new(),
            keys: KeyMap::default(),
            ranks: RanksView::default(),
            source: SourceView::default(),
            stack: List::default(),
            chosen_stack: ChosenStack::default(),
            libraries: LibraryFrames::default(),
            variables: VariablesView::default(),
            output: Tail::default(),
            breakpoints: List::default(),
            threads: List::default(),
            threads_of_focus: false,
            signals: List::default(),
            signal_column: 0,
            messages: Tail::default(),
            array: ArrayView::default(),
            memory: MemoryView::default(),
            log: Log::default(),
            requests: RequestsView::default(),
            search: Search::default(),
            notice: None,
            returned: ReturnedValues::default(),
            colours: Colours::default(),
            ascii: false,
        }
    }
}

impl View {
    pub(crate) fn say(&mut self, text: &str) -> Vec<Effect> {
        self.notice = Some(Notice { severity: Severity::Note, text: text.to_owned() });
        Vec::new()
    }

    pub(crate) fn type_command(&mut self, text: &str) -> Vec<Effect> {
        self.open_prompt(Prompt::new(PromptKind::Command, text));
        Vec::new()
    }

    pub(crate) fn open_prompt(&mut self, prompt: Prompt) {
        self.notice = None;
        self.layers.push(Layer::Prompt(prompt));
    }

    pub(crate) fn go_to(&mut self, view: ViewId) {
        // The search in an array is for elements, that in other views for a text.
        if (self.current == ViewId::Array) != (view == ViewId::Array) {
            self.search.active = view == ViewId::Array && self.array.condition.is_some();
        }
        // Memory has no text to search.
        self.search.active &= view != ViewId::Memory;
        self.current = view;
        if TABS.contains(&view) {
            self.tab = view;
        }
        if MIDDLE.contains(&view) {
            self.middle = view;
        }
    }

    /// Goes to the next view, in the order of their numbers, or to the one before; hidden ones included.
    pub(crate) fn cycle(&mut self, forward: bool) -> Vec<Effect> {
        let is_there = |view: &ViewId| match view {
            ViewId::Array => !self.array.expression.is_empty(),
            ViewId::Memory => !self.memory.expression.is_empty(),
            _ => true,
        };
        let views: Vec<ViewId> = ViewId::ALL.into_iter().filter(is_there).collect();
        let at = views.iter().position(|view| *view == self.current).unwrap_or(0);
        let by = if forward { 1 } else { views.len() - 1 };
        if let Some(next) = views.get((at + by) % views.len()) {
            self.go_to(*next);
        }
        Vec::new()
    }

    pub(crate) fn list_of(&mut self, view: ViewId) -> Option<&mut List> {
        Some(match view {
            ViewId::Ranks | ViewId::Array | ViewId::Memory => return None,
            ViewId::Source if self.source.code.shown => &mut self.source.code.list,
            ViewId::Source => &mut self.source.list,
            ViewId::Stack => &mut self.stack,
            ViewId::Variables => &mut self.variables.list,
            ViewId::Output => &mut self.output.list,
            ViewId::Breakpoints => &mut self.breakpoints,
            ViewId::Threads => &mut self.threads,
            ViewId::Signals => &mut self.signals,
            ViewId::Messages => &mut self.messages.list,
        })
    }

    pub(crate) fn tail_of(&mut self, view: ViewId) -> Option<&mut Tail> {
        match view {
            ViewId::Output => Some(&mut self.output),
            ViewId::Messages => Some(&mut self.messages),
            _ => None,
        }
    }

    pub(crate) fn stop_following(&mut self, rows: isize, len: usize) {
        if let Some(tail) = self.tail_of(self.current) {
            tail.follow = rows >= 0 && (tail.follow || tail.list.cursor + 1 >= len);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_letters_find_both_cases() {
        let search = |text: &str, line: &str| Search { text: text.into(), active: true }.find(line);
        assert_eq!(search("mpi", "  MPI_Send"), Some(2..5));
        assert_eq!(search("MPI", "  mpi_send"), None);
        assert_eq!(search("ß", "aß"), Some(1..3));
        assert_eq!(search("", "x"), None);
        assert_eq!(search("xy", "x"), None);
    }
}
