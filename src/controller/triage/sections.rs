//! The collected contents, sorted into the sections of the report.

use super::callers::Caller;
use crate::report::Content;
use crate::state::StackTree;
use model::{ProcessSet, ThreadId};

/// More lists of libraries than this differ in addresses only.
const MOST_LIBRARY_LISTS: usize = 2;

/// Threads whose merged stacks are the same.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ThreadStacks {
    pub(crate) threads: Vec<ThreadId>,
    pub(crate) tree: StackTree,
}

/// The answers of the ranks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sections {
    pub(crate) why: Vec<Content>,
    pub(crate) trees: Vec<ThreadStacks>,
    /// Stacks with variables.
    pub(crate) stacks: Vec<Content>,
    /// Variables of the selected frames.
    pub(crate) variables: Vec<Content>,
    /// Variables of the callers of those frames that are the user's code, too.
    pub(crate) callers: Vec<(Caller, Vec<Content>)>,
    pub(crate) limits: Vec<Content>,
    pub(crate) libraries: Vec<Content>,
    pub(crate) cores: Vec<Content>,
    /// The ranks of which something is not known, with the reason.
    pub(crate) problems: Vec<(ProcessSet, String)>,
}

impl Sections {
    /// Adds a content; the thread is that of its command.
    pub(super) fn add(&mut self, thread: Option<ThreadId>, content: Content) {
        match content {
            Content::Why(_) => self.why.push(content),
            Content::Tree { tree, .. } => self.add_tree(thread.unwrap_or(ThreadId(1)), tree),
            Content::FullStack(..) => self.stacks.push(content),
            Content::Variables(..) => self.variables.push(content),
            Content::Limits(lists) if !lists.is_empty() => self.limits.push(Content::Limits(lists)),
            Content::Libraries(mut lists) => {
                lists.truncate(MOST_LIBRARY_LISTS);
                self.libraries.push(Content::Libraries(lists));
            }
            Content::CoreFiles(_) => self.cores.push(content),
            Content::Missing(ranks, why) | Content::Error { ranks, message: why, .. } => self.add_problem(&ranks, why),
            _ => {}
        }
    }

    /// Adds the arguments or local variables of a caller; those of ranks without any say nothing.
    pub(super) fn add_caller(&mut self, caller: &Caller, content: Content) {
        let Content::Variables(scope, mut lists) = content else { return };
        lists.retain(|(_, variables)| !variables.is_empty());
        if lists.is_empty() {
            return;
        }
        let content = Content::Variables(scope, lists);
        match self.callers.iter_mut().find(|(known, _)| known == caller) {
            Some((_, contents)) => contents.push(content),
            None => self.callers.push((caller.clone(), vec![content])),
        }
    }

    fn add_tree(&mut self, thread: ThreadId, tree: StackTree) {
        if tree.roots.is_empty() {
            return;
        }
        match self.trees.iter_mut().find(|known| known.tree == tree) {
            Some(known) => {
                known.threads.push(thread);
                known.threads.sort_unstable();
            }
            None => self.trees.push(ThreadStacks { threads: vec![thread], tree }),
        }
        // The commands begin with the last thread.
        self.trees.sort_by_key(|known| known.threads.first().copied());
    }

    fn add_problem(&mut self, ranks: &ProcessSet, why: String) {
        match self.problems.iter_mut().find(|(_, known)| *known == why) {
            Some((known, _)) => known.extend_with(ranks),
            None => self.problems.push((ranks.clone(), why)),
        }
    }
}
