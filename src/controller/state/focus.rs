//! The focus, and the selection on the screen.

use super::displays::AcrossWish;
use super::inspection::{ArrayWish, CodeWish, MemoryWish};
use crate::sets::{Scope, SetExpr, ThreadChoice, ThreadGroup, parse_scope};
use model::{ProcessSet, Rank, RankCells, ThreadId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The ranks of commands that name none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Focus {
    /// The ranks of the focus.
    pub set: ProcessSet,
    /// The user's spelling, as long as it still means these ranks; then the ranks.
    pub text: String,
    /// The thread; `None`: in each rank the thread that stopped.
    pub thread: Option<ThreadId>,
    /// The threads that commands go through in turn; the screen shows `thread`, the first of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<ThreadGroup>,
    /// The user's spelling, if its members depend on the state of the ranks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen_by: Option<String>,
}

impl Focus {
    /// Names the focus by its ranks, because the state of ranks or the meaning of a name has changed.
    pub fn call_by_ranks(&mut self) {
        let threads = self.threads();
        self.text = Scope { set: SetExpr::Ranks(self.set.clone()), threads }.to_string();
    }

    /// Returns the threads that it names; a thread selected by `thread N` holds for one stop only and is none of them.
    pub fn threads(&self) -> Option<ThreadChoice> {
        match &self.group {
            Some(group) => Some(ThreadChoice::Each(group.clone())),
            None => {
                let named = self.thread.filter(|thread| self.text.ends_with(&format!(".{thread}")));
                named.map(ThreadChoice::One)
            }
        }
    }

    /// Selects a thread at the present stop; it takes the place of those that the focus names.
    pub fn select_thread(&mut self, thread: ThreadId) {
        self.thread = Some(thread);
        if self.group.take().is_some() {
            self.call_by_ranks();
        }
    }

    /// Names a focus that depends on states by its ranks, because the states or the memory of ranks have changed.
    pub fn stays(&mut self) {
        if self.chosen_by.as_ref().is_some_and(|words| self.text.contains(words.as_str())) {
            self.call_by_ranks();
        }
    }

    /// Names the focus by its ranks if it mentions a group that is about to change.
    pub fn group_changes(&mut self, name: &str) {
        let is_it = |part: &SetExpr| matches!(part, SetExpr::Group(group) if group == name);
        if parse_scope(&self.text).is_ok_and(|scope| scope.set.mentions(&is_it)) {
            self.call_by_ranks();
        }
    }

    /// Adapts the focus to a new job. A focus that depended on the states of the previous job's ranks keeps only its
    /// ranks; returns a message that says so.
    pub fn begin_again(&mut self, size: u32) -> Option<String> {
        let all = ProcessSet::all(size);
        if self.text == "all" {
            self.set = all;
            return None;
        }
        let there = self.set.intersection(&all);
        if there.is_empty() {
            *self = Self { set: all, ..Self::default() };
            return None;
        }
        let fewer = there != self.set;
        self.set = there;
        if let Some(words) = self.chosen_by.take() {
            self.call_by_ranks();
            let text = format!(
                "the focus keeps the ranks chosen by {words} before the restart; \"focus all\" focuses on \
                    all"
            );
            return Some(text);
        }
        if fewer {
            self.call_by_ranks();
        }
        None
    }
}

impl Default for Focus {
    fn default() -> Self {
        Self { set: ProcessSet::new(), text: "all".to_owned(), thread: None, group: None, chosen_by: None }
    }
}

/// The inspections on the screen. These are kept fresh; others cost nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is on the screen or not, whatever the others are")]
pub struct Views {
    /// The lead's stack.
    pub stack: bool,
    /// The merged stacks of the focus.
    pub tree: bool,
    /// The merged stacks of all threads of the focus.
    pub thread_tree: bool,
    /// The lead's local variables.
    pub locals: bool,
    /// The lead's parameters.
    pub arguments: bool,
    /// The lead's registers.
    pub registers: bool,
    /// The lead's threads.
    pub threads: bool,
    /// The lead's loaded files.
    pub libraries: bool,
    /// The text of the file that the shown frame is in.
    pub source: bool,
}

/// The selection on the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gaze {
    /// The rank whose stack and variables are shown.
    pub lead: Rank,
    /// The lead's thread; `None`: the one that stopped.
    pub thread: Option<ThreadId>,
    /// The level of a frame just selected; `None`: the rank's frame stays.
    pub frame: Option<u32>,
    /// The views on the screen.
    pub views: Views,
    /// A file that the user opened, other than the frame's.
    pub file: Option<Arc<str>>,
    /// Expressions shown in a view, evaluated in the frame.
    pub expressions: Vec<String>,
    /// The array on the screen.
    pub array: Option<ArrayWish>,
    /// The code on the screen.
    pub code: Option<CodeWish>,
    /// The memory on the screen.
    pub memory: Option<MemoryWish>,
    /// Expressions whose values on many ranks are shown.
    pub across: Vec<AcrossWish>,
    /// The cells of the ranks on the screen, if they are coloured by an expression.
    pub colours: Option<RankCells>,
    /// The typed beginning of a global variable's name; `None`: none is being typed.
    pub names: Option<String>,
    /// The typed beginning of a type's name, empty after `struct`; `None`: none is being typed.
    pub types: Option<String>,
}
