//! The reports of a command, and its end.

use crate::command::CommandId;
use crate::core::due::Due;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::silent::{drops_errors, say_kept_headings};
use crate::core::tasks::task::Doing;
use crate::report::Content;
use model::ProcessSet;
use std::collections::BTreeSet;

impl Interpreter {
    /// Reports something on behalf of a command.
    pub(in crate::core) fn say(&mut self, id: CommandId, content: Content) {
        if matches!(content, Content::Error { .. } | Content::Missing(..)) {
            if drops_errors(self, id) {
                return;
            }
        } else {
            say_kept_headings(self, id);
        }
        let task = self.tasks.get(&id);
        let origin = task.map(|task| task.origin.clone());
        let Some(ranks) = task.and_then(|task| task.late.clone()) else {
            self.push_report(origin, content);
            return;
        };
        if !matches!(content, Content::Missing(..)) {
            let command = origin.map(|origin| origin.line).unwrap_or_default();
            let content = Content::Late { ranks, command, content: Box::new(content) };
            self.push_report(None, content);
        }
    }

    /// True if the user typed the command on the screen: then even a command without a result acknowledges what it did.
    /// Scripts parse what they print, and a file of commands would bury its results.
    pub(in crate::core) fn is_acknowledged(&self, id: CommandId) -> bool {
        let has_no_parent = |id: &CommandId| self.tasks.get(id).is_some_and(|task| task.parent.is_none());
        let of_group = self.each_thread.group_above(&self.tasks, id).is_some_and(|group| has_no_parent(&group));
        !self.batch && (has_no_parent(&id) || of_group)
    }

    /// Reports what a command without a result did, to a user who typed it.
    pub(in crate::core) fn acknowledge(&mut self, id: CommandId, words: String) {
        if self.is_acknowledged(id) {
            self.say(id, Content::Text(ProcessSet::new(), words));
        }
    }

    /// Reports an error of a command, as a whole (no ranks) or on some ranks.
    pub(in crate::core) fn error(
        &mut self,
        id: CommandId,
        ranks: ProcessSet,
        message: impl Into<String>,
        position: Option<usize>,
    ) {
        if drops_errors(self, id) {
            return;
        }
        if let Some(task) = self.tasks.get_mut(&id) {
            task.failed = true;
        }
        self.say(id, Content::Error { ranks, message: message.into(), position });
    }

    /// Ends a command.
    pub(in crate::core) fn done(&mut self, id: CommandId) {
        for content in self.each_thread.end(id) {
            self.say(id, content);
        }
        let Some(task) = self.tasks.remove(&id).filter(|task| task.late.is_none()) else { return };
        self.may_have_changed = true;
        self.history.is_over(id);
        let elapsed = self.clock.now().saturating_duration_since(task.begun());
        let content = Content::Done { elapsed, answered: task.answered, failed: task.failed };
        self.push_report(Some(task.origin), content);
        if let Some(parent) = task.parent {
            self.due.push(Due::Over { script: parent, command: id, failed: task.failed });
        }
    }

    /// Reports an error of a command and ends it.
    pub(in crate::core) fn refuse(&mut self, id: CommandId, ranks: ProcessSet, message: impl Into<String>) {
        self.error(id, ranks, message, None);
        self.done(id);
    }

    /// Returns the commands that need no session, and their scripts.
    pub(in crate::core) fn beyond_session(&self) -> BTreeSet<CommandId> {
        let mut found = BTreeSet::new();
        for (&id, task) in &self.tasks {
            let mut at = matches!(task.doing, Doing::Directory(_) | Doing::Requests(_)).then_some(id);
            while let Some(one) = at.filter(|&one| found.insert(one)) {
                at = self.tasks.get(&one).and_then(|task| task.parent);
            }
        }
        found
    }
}
