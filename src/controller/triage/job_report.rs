//! The report as a value.

use super::Sections;
use crate::report::Content;
use crate::state::{OutputLine, State};
use model::{ProcessSet, Severity};
use std::sync::Arc;

/// Bytes of output that a report contains: the last ones.
const MOST_OUTPUT: usize = 96 << 10;
/// Longer lines are cut.
const LONGEST_LINE: usize = 2000;

/// A report about a job: the state of all its ranks, and the output that led there.
#[derive(Clone, Debug, PartialEq)]
pub struct JobReport {
    pub(super) reason: String,
    pub(super) command: String,
    pub(super) session: String,
    pub(super) size: u32,
    pub(super) hosts: Vec<(Arc<str>, ProcessSet)>,
    /// The states of the ranks.
    pub(super) status: Content,
    pub(super) sections: Sections,
    pub(super) output: Vec<OutputLine>,
    /// Lines of output that are not in the report.
    pub(super) omitted: u64,
    /// Warnings and errors of the session.
    pub(super) messages: Vec<Content>,
    /// Facts that the owner of the controller knows: name and value.
    pub(super) facts: Vec<(String, String)>,
}

impl JobReport {
    pub(super) fn new(reason: String, state: &State, sections: Sections) -> Self {
        let (output, omitted) = last_output(state);
        let session = state.session.as_ref();
        let serious = state.messages.iter().filter(|message| message.severity > Severity::Note);
        let message = |message: &crate::state::Message| {
            Content::Message(message.severity, message.ranks.clone(), message.text.clone())
        };
        Self {
            reason,
            command: state.program.clone(),
            session: session.map_or_else(String::new, |session| session.id.clone()),
            size: state.size(),
            hosts: state.ranks.hosts().known().map(|host| (host.name.clone(), host.ranks.clone())).collect(),
            status: Content::Status(state.status_groups_by_value(&ProcessSet::all(state.size()))),
            sections,
            output,
            omitted,
            messages: serious.map(message).collect(),
            facts: Vec::new(),
        }
    }

    /// Adds facts that the controller cannot know, such as the time and the host.
    #[must_use]
    pub fn with_facts(self, facts: Vec<(String, String)>) -> Self {
        Self { facts, ..self }
    }

    /// True if it has the limits of ranks.
    pub fn knows_limits(&self) -> bool {
        !self.sections.limits.is_empty()
    }

    /// The ranks of the job.
    pub fn ranks(&self) -> ProcessSet {
        ProcessSet::all(self.size)
    }
}

/// Returns the last lines of output, oldest first, and the number of lines before them.
fn last_output(state: &State) -> (Vec<OutputLine>, u64) {
    let mut room = MOST_OUTPUT;
    let mut lines = Vec::new();
    for line in state.output.iter().rev() {
        let mut line = line.clone();
        if line.text.len() > LONGEST_LINE {
            line.text = shortened(&line.text, LONGEST_LINE);
        }
        let Some(rest) = room.checked_sub(line.text.len() + 1) else { break };
        room = rest;
        lines.push(line);
    }
    lines.reverse();
    let omitted = state.output.dropped() + (state.output.len() - lines.len()) as u64;
    (lines, omitted)
}

/// Cuts a text to a number of bytes.
pub(super) fn shortened(text: &str, longest: usize) -> String {
    if text.len() <= longest {
        return text.to_owned();
    }
    let end = (0..=longest).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    format!("{}…", text.get(..end).unwrap_or(""))
}
