//! Commands whose reports are given to a command of the shell.

use super::task::Task;
use crate::command::CommandId;
use crate::report::{Content, Report, text_lines};
use std::collections::BTreeMap;

/// The most text that is piped, in bytes.
const MOST: usize = 64 << 20;

/// The reports of commands that are piped, by the commands that pipe them.
#[derive(Debug, Default)]
pub(in crate::core) struct Piping(BTreeMap<CommandId, Piped>);

#[derive(Debug)]
pub(in crate::core) struct Piped {
    /// The line of the shell.
    pub(in crate::core) shell: String,
    pub(in crate::core) text: String,
}

impl Piping {
    pub(in crate::core) fn begin(&mut self, id: CommandId, shell: String) {
        self.0.insert(id, Piped { shell, text: String::new() });
    }

    /// Takes what is piped by a command.
    pub(in crate::core) fn end(&mut self, id: CommandId) -> Option<Piped> {
        self.0.remove(&id)
    }

    /// Takes a report of a piped command; returns others, and errors.
    pub(in crate::core) fn take(&mut self, tasks: &BTreeMap<CommandId, Task>, report: Report) -> Option<Report> {
        let goes_by = matches!(report.content.without_threads(), Content::Error { .. } | Content::Done { .. });
        let mut above = report.origin.as_ref().filter(|_| !goes_by && !self.0.is_empty()).and_then(|of| of.parent);
        while let Some(command) = above {
            if let Some(piped) = self.0.get_mut(&command) {
                for line in text_lines(&report) {
                    if piped.text.len() + line.len() < MOST {
                        piped.text.push_str(&line);
                        piped.text.push('\n');
                    }
                }
                return None;
            }
            above = tasks.get(&command).and_then(|task| task.parent);
        }
        Some(report)
    }
}
