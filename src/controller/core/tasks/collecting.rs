//! Commands whose contents belong to a report.

use super::task::Task;
use crate::command::CommandId;
use crate::report::{Content, Origin};
use crate::triage::Collection;
use std::collections::BTreeMap;

/// The unfinished reports, by their commands.
#[derive(Debug, Default)]
pub(in crate::core) struct Collecting(BTreeMap<CommandId, Collection>);

impl Collecting {
    pub(in crate::core) fn begin(&mut self, id: CommandId, collection: Collection) {
        self.0.insert(id, collection);
    }

    /// The report of a command.
    pub(in crate::core) fn get_mut(&mut self, id: CommandId) -> Option<&mut Collection> {
        self.0.get_mut(&id)
    }

    /// Takes the report of a command.
    pub(in crate::core) fn end(&mut self, id: CommandId) -> Option<Collection> {
        self.0.remove(&id)
    }

    /// Takes a content if the command that produced it is one of a report's; returns others.
    pub(in crate::core) fn take(
        &mut self,
        tasks: &BTreeMap<CommandId, Task>,
        origin: Option<&Origin>,
        content: Content,
    ) -> Option<Content> {
        let mut above = origin.and_then(|origin| origin.parent);
        while let Some(command) = above.filter(|_| !self.0.is_empty()) {
            if let Some(collection) = self.0.get_mut(&command) {
                collection.add(origin.map_or("", |origin| &*origin.line), content);
                return None;
            }
            above = tasks.get(&command).and_then(|task| task.parent);
        }
        Some(content)
    }
}
