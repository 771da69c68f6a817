//! The reports of commands that are not done yet, and which of these the user has typed.

use controller::report::{KnownToRun, Origin};
use controller::{CommandId, Content, Report};
use model::{Breakpoint, Point};
use std::collections::HashMap;
use std::sync::Arc;

/// The reports of one command.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    lines: Vec<String>,
    /// Of ranks that gave no answer: they are told of behind those that did, which may take longer.
    missing: Vec<String>,
    place: Option<(Arc<str>, u32)>,
    /// A breakpoint that is nowhere yet.
    pending: Option<Breakpoint>,
}

impl Outcome {
    pub(super) fn lines(&self) -> Vec<String> {
        [self.lines.as_slice(), self.missing.as_slice()].concat()
    }

    pub(super) fn place(&self) -> Option<(Arc<str>, u32)> {
        self.place.clone()
    }

    pub(super) fn pending(&self) -> Option<&Breakpoint> {
        self.pending.as_ref()
    }

    fn add(&mut self, content: &Content, lines: Vec<String>) {
        match content {
            // A place that was asked for stands in the middle of what `list` gives.
            Content::Source { file, first, lines, .. } => {
                self.place = Some((file.clone(), first + lines.len() as u32 / 2));
            }
            Content::Missing(..) => self.missing.extend(lines),
            content => {
                if let Content::Breakpoint(breakpoint) = content
                    && is_nowhere(breakpoint)
                {
                    self.pending = Some(breakpoint.clone());
                }
                self.lines.extend(lines);
            }
        }
    }
}

/// Commands under way, by who began them and what was reported of them.
#[derive(Debug, Default)]
pub(super) struct Outcomes {
    /// Typed at the prompt.
    typed: Vec<String>,
    /// Given by a key for the line under the cursor.
    keyed: Vec<String>,
    open: HashMap<CommandId, Outcome>,
    /// Ranks that were said to run.
    known_to_run: KnownToRun,
}

impl Outcomes {
    pub(super) fn typed(&mut self, line: &str) {
        self.typed.push(line.to_owned());
    }

    pub(super) fn keyed(&mut self, line: &str) {
        self.keyed.push(line.to_owned());
    }

    /// Forgets a line that is done: whether it was typed, and whether a key gave it.
    pub(super) fn done(&mut self, line: &str) -> (bool, bool) {
        let take = |lines: &mut Vec<String>| match lines.iter().position(|known| known == line) {
            Some(at) => {
                lines.remove(at);
                true
            }
            None => false,
        };
        (take(&mut self.typed), take(&mut self.keyed))
    }

    pub(super) fn says_again(&mut self, report: &Report) -> bool {
        self.known_to_run.says_again(report)
    }

    /// Adds a report; when that ends the user's command, its outcome and whether it failed.
    pub(super) fn add(&mut self, origin: &Origin, content: &Content, lines: Vec<String>) -> Option<(Outcome, bool)> {
        // What one command has run for many threads or frames is its own outcome.
        let of = origin.parent.filter(|parent| self.open.contains_key(parent)).unwrap_or(origin.id);
        self.open.entry(of).or_default().add(content, lines);
        match content {
            Content::Done { failed, .. } if of == origin.id => {
                Some((self.open.remove(&origin.id).unwrap_or_default(), *failed))
            }
            _ => None,
        }
    }
}

fn is_nowhere(breakpoint: &Breakpoint) -> bool {
    matches!(breakpoint.request.point, Point::Place(_)) && breakpoint.is_pending()
}
