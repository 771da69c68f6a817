//! The reports of unfinished commands, and which of these the user typed.

use controller::report::{KnownToRun, Origin};
use controller::{CommandId, Content, Report};
use model::{Breakpoint, Point, Severity};
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Debug, Default)]
pub(super) struct Outcome {
    lines: Vec<String>,
    /// Ranks that have not replied: listed after the replies, even if those arrive later.
    missing: Vec<String>,
    place: Option<(Arc<str>, u32)>,
    pending: Option<Breakpoint>,
    /// The function that the location of the pending breakpoint most likely means.
    advice: Option<String>,
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

    pub(super) fn advice(&self) -> Option<&str> {
        self.advice.as_deref()
    }

    fn add(&mut self, content: &Content, lines: Vec<String>) {
        match content.without_threads() {
            // `list` shows lines around the location, which is in their middle.
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
                if let Content::Message(Severity::Note, _, text) = content {
                    self.advice = Some(text.clone());
                }
                self.lines.extend(lines);
            }
        }
    }
}

/// Commands in progress, their origin and their reports.
#[derive(Debug, Default)]
pub(super) struct Outcomes {
    typed: Vec<String>,
    /// Commands from keys, about the line under the cursor.
    keyed: Vec<String>,
    open: HashMap<CommandId, Outcome>,
    /// Ranks already reported as running.
    known_to_run: KnownToRun,
}

impl Outcomes {
    pub(super) fn typed(&mut self, line: &str) {
        self.typed.push(line.to_owned());
    }

    pub(super) fn keyed(&mut self, line: &str) {
        self.keyed.push(line.to_owned());
    }

    /// Forgets a finished line; returns if it was typed and if a key issued it.
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

    /// Adds a report; if it ends the user's command, returns the outcome and true if the command failed.
    pub(super) fn add(&mut self, origin: &Origin, content: &Content, lines: Vec<String>) -> Option<(Outcome, bool)> {
        // A command that a script or one for many threads runs belongs to the outcome of the command that the user gave.
        let of = origin.root;
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
