//! What the user has done to the screen: which view has the keyboard, where the cursors are, what lies on top. The
//! controller's state and this together are all that drawing reads.

use super::action::ViewId;
use super::effect::Effect;
use super::highlight::Colours;
use super::keys::{Chord, KeyMap};
use super::layer::{Layer, Prompt, PromptKind};
use super::layout::TABS;
use super::list::List;
use super::log::Log;
use controller::state::RequestId;
use model::{ProcessSet, Rank, Severity};
use ratatui::layout::Rect;
use std::{collections::BTreeSet, sync::Arc};

/// How the ranks are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Density {
    /// Number and letter where all fit so, else letters, else several ranks a cell.
    #[default]
    Automatic,
    /// Number and letter.
    Numbers,
    /// A letter each.
    Letters,
    /// Several ranks a cell, so that all can be seen.
    Together,
}

impl Density {
    /// The one after it, and after the last the first.
    pub(crate) fn next(self) -> Self {
        match self {
            Self::Automatic => Self::Numbers,
            Self::Numbers => Self::Letters,
            Self::Letters => Self::Together,
            Self::Together => Self::Automatic,
        }
    }
}

/// The view of ranks.
#[derive(Clone, Debug, Default)]
pub struct RanksView {
    /// The rank the keyboard acts on.
    pub cursor: u32,
    /// Where a range began.
    pub anchor: Option<u32>,
    /// Marked ranks.
    pub marks: ProcessSet,
    /// How they are drawn.
    pub density: Density,
    /// First row of cells.
    pub top: usize,
}

impl RanksView {
    /// The ranks between anchor and cursor.
    pub fn range(&self) -> Option<ProcessSet> {
        let anchor = self.anchor?;
        Some(ProcessSet::range(anchor.min(self.cursor), anchor.max(self.cursor).saturating_add(1)))
    }

    /// Marks the range; without one, marks or unmarks the rank under the cursor.
    pub(crate) fn mark(&mut self) {
        let cursor = Rank(self.cursor);
        match self.range() {
            Some(range) => self.marks.extend_with(&range),
            None if self.marks.remove(cursor) => {}
            None => _ = self.marks.insert(cursor),
        }
        self.anchor = None;
    }

    /// Begins a range at the cursor, or marks the one that was begun.
    pub(crate) fn begin_or_mark_range(&mut self) {
        match self.range() {
            Some(range) => {
                self.marks.extend_with(&range);
                self.anchor = None;
            }
            None => self.anchor = Some(self.cursor),
        }
    }

    /// The marked ranks and the range, which are so no more; without any, the rank under the cursor.
    pub(crate) fn take_marked(&mut self) -> ProcessSet {
        let mut set = std::mem::take(&mut self.marks);
        if let Some(range) = self.range() {
            set.extend_with(&range);
        }
        self.anchor = None;
        if set.is_empty() { ProcessSet::one(Rank(self.cursor)) } else { set }
    }
}

/// The view of the program's text.
#[derive(Clone, Debug, Default)]
pub struct SourceView {
    /// The file whose lines the cursor counts; `None` before there is one.
    pub file: Option<Arc<str>>,
    /// Cursor and window; row 0 is line 1.
    pub list: List,
    /// Columns scrolled to the right.
    pub left: usize,
    /// The place that was shown last: the cursor goes to a new one by itself.
    pub shown: Option<(Arc<str>, u32)>,
    /// A line to go to once its file is there.
    pub wanted: Option<u32>,
    /// The file has not been shown yet: the line goes to the middle.
    pub fresh: bool,
}

/// What the view of variables shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Displayed expressions, parameters, local variables.
    #[default]
    Variables,
    /// Registers.
    Registers,
    /// Loaded files.
    Libraries,
}

impl Content {
    /// The name of the view that shows it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Variables => ViewId::Variables.title(),
            Self::Registers => "registers",
            Self::Libraries => "libraries",
        }
    }

    /// What comes after it.
    pub fn next(self) -> Self {
        match self {
            Self::Variables => Self::Registers,
            Self::Registers => Self::Libraries,
            Self::Libraries => Self::Variables,
        }
    }
}

/// The view of variables.
#[derive(Clone, Debug, Default)]
pub struct VariablesView {
    /// What it shows.
    pub content: Content,
    /// Cursor and window.
    pub list: List,
    /// Paths of opened values.
    pub open: BTreeSet<String>,
}

/// The view of what ranks wrote.
#[derive(Clone, Debug)]
pub struct OutputView {
    /// Cursor and window.
    pub list: List,
    /// The last line is kept in sight.
    pub follow: bool,
    /// Columns scrolled to the right.
    pub left: usize,
}

/// The dialog of programs that ask for a debugger.
#[derive(Clone, Debug, Default)]
pub struct RequestsView {
    /// The one the keyboard acts on.
    pub chosen: Option<RequestId>,
    /// Those that are left waiting: the dialog does not come up for them.
    pub put_off: BTreeSet<RequestId>,
    /// The one for whose rejection a reason is being typed.
    pub rejecting: Option<RequestId>,
}

/// A search in a view.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Looked for; without upper-case letters, both cases are meant. Empty: nothing has been searched for.
    pub text: String,
    /// Its matches are shown, and keys walk over them.
    pub active: bool,
}

impl Search {
    /// Where in a line it is found, bytes.
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

/// Words in the status line: what the last command came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How much it matters.
    pub severity: Severity,
    /// One line.
    pub text: String,
}

/// Everything the user has done to the screen.
#[derive(Clone, Debug)]
pub struct View {
    /// The whole screen.
    pub area: Rect,
    /// The view with the keyboard.
    pub current: ViewId,
    /// The view at the bottom.
    pub tab: ViewId,
    /// The view that has the keyboard has the whole screen.
    pub zoom: bool,
    /// What lies over the views, the topmost last.
    pub layers: Vec<Layer>,
    /// The beginning of a key sequence.
    pub pending: Vec<Chord>,
    /// Which keys do what.
    pub keys: KeyMap,
    /// View 1.
    pub ranks: RanksView,
    /// View 2.
    pub source: SourceView,
    /// View 3.
    pub stack: List,
    /// View 3 shows the merged tree.
    pub merged: bool,
    /// View 4.
    pub variables: VariablesView,
    /// View 5.
    pub output: OutputView,
    /// View 6.
    pub breakpoints: List,
    /// View 7.
    pub threads: List,
    /// View 8.
    pub signals: List,
    /// The column of view 8: stop, print, pass.
    pub signal_column: usize,
    /// View 9.
    pub messages: List,
    /// View 9 shows its end.
    pub messages_follow: bool,
    /// Columns that view 9 is scrolled to the right.
    pub messages_left: usize,
    /// What has been said.
    pub log: Log,
    /// The dialog of programs that ask for a debugger.
    pub requests: RequestsView,
    /// What is searched for.
    pub search: Search,
    /// What the last command came to.
    pub notice: Option<Notice>,
    /// Colours of source text.
    pub colours: Colours,
    /// The terminal has no Unicode.
    pub ascii: bool,
}

impl Default for View {
    fn default() -> Self {
        Self {
            area: Rect::new(0, 0, 80, 24),
            current: ViewId::Source,
            tab: ViewId::Output,
            zoom: false,
            layers: Vec::new(),
            pending: Vec::new(),
            keys: KeyMap::default(),
            ranks: RanksView::default(),
            source: SourceView::default(),
            stack: List::default(),
            merged: false,
            variables: VariablesView::default(),
            output: OutputView { list: List::default(), follow: true, left: 0 },
            breakpoints: List::default(),
            threads: List::default(),
            signals: List::default(),
            signal_column: 0,
            messages: List::default(),
            messages_follow: true,
            messages_left: 0,
            log: Log::default(),
            requests: RequestsView::default(),
            search: Search::default(),
            notice: None,
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
        self.current = view;
        if TABS.contains(&view) {
            self.tab = view;
        }
    }

    /// The next view of those on the screen and the hidden ones, in the order of their numbers.
    pub(crate) fn cycle(&mut self, by: usize) -> Vec<Effect> {
        let at = ViewId::ALL.iter().position(|view| *view == self.current).unwrap_or(0);
        if let Some(next) = ViewId::ALL.get((at + by) % ViewId::ALL.len()) {
            self.go_to(*next);
        }
        Vec::new()
    }

    pub(crate) fn list_of(&mut self, view: ViewId) -> Option<&mut List> {
        Some(match view {
            ViewId::Ranks => return None,
            ViewId::Source => &mut self.source.list,
            ViewId::Stack => &mut self.stack,
            ViewId::Variables => &mut self.variables.list,
            ViewId::Output => &mut self.output.list,
            ViewId::Breakpoints => &mut self.breakpoints,
            ViewId::Threads => &mut self.threads,
            ViewId::Signals => &mut self.signals,
            ViewId::Messages => &mut self.messages,
        })
    }

    pub(crate) fn stop_following(&mut self, rows: isize, len: usize) {
        match self.current {
            ViewId::Output if rows < 0 => self.output.follow = false,
            ViewId::Output => self.output.follow |= self.output.list.cursor + 1 >= len,
            ViewId::Messages if rows < 0 => self.messages_follow = false,
            ViewId::Messages => self.messages_follow |= self.messages.cursor + 1 >= len,
            _ => {}
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
