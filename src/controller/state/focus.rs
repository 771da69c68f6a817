//! Whom commands mean, and what the screen looks at.

use crate::sets::{Scope, SetExpr, parse_scope};
use model::{ProcessSet, Rank, ThreadId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Whom commands mean when they name nobody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Focus {
    /// The ranks.
    pub set: ProcessSet,
    /// As the user spelled it, while that still means these ranks; then the ranks.
    pub text: String,
    /// `None`: in each rank the thread that stopped.
    pub thread: Option<ThreadId>,
    /// As the user spelled it, when whom that means depends on what the ranks are doing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen_by: Option<String>,
}

impl Focus {
    /// What the ranks are doing, or whom a name means, has changed: the focus is the same ranks, and is called by them.
    pub fn call_by_ranks(&mut self) {
        let named = self.thread.filter(|thread| self.text.ends_with(&format!(".{thread}")));
        self.text = Scope { set: SetExpr::Ranks(self.set.clone()), thread: named }.to_string();
    }

    /// What ranks are doing has changed, or their memory: a focus that was chosen by that is called by its ranks.
    pub fn stays(&mut self) {
        if self.chosen_by.as_ref().is_some_and(|words| self.text.contains(words.as_str())) {
            self.call_by_ranks();
        }
    }

    /// A name is to mean other ranks, and the focus stays.
    pub fn group_changes(&mut self, name: &str) {
        let is_it = |part: &SetExpr| matches!(part, SetExpr::Group(group) if group == name);
        if parse_scope(&self.text).is_ok_and(|scope| scope.set.mentions(&is_it)) {
            self.call_by_ranks();
        }
    }

    /// A job of so many ranks is there. A focus that was chosen by what the ranks of the one before did is no more
    /// than its ranks, which is to be said: whoever goes on means them.
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
        Self { set: ProcessSet::new(), text: "all".to_owned(), thread: None, chosen_by: None }
    }
}

/// Which inspections are on the screen. Those are kept fresh, others cost nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Views {
    /// The lead's stack.
    pub stack: bool,
    /// The merged stacks of the focus.
    pub tree: bool,
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

/// What the screen shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gaze {
    /// Whose stack and variables.
    pub lead: Rank,
    /// Of which thread; `None`: the one that stopped.
    pub thread: Option<ThreadId>,
    /// The level of its stack that was just chosen; `None`: the frame that the rank looks at stays.
    pub frame: Option<u32>,
    /// Which views are there.
    pub views: Views,
    /// A file shown beside that of the frame, when the user went to look at it.
    pub file: Option<Arc<str>>,
    /// Expressions that are watched in a view, evaluated at the frame.
    pub expressions: Vec<String>,
    /// Global variables whose names begin so: one is being typed.
    pub names: Option<String>,
}
