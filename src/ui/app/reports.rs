//! Outcomes of commands: one line goes to the status line, more become a page; everything goes to the log.

use super::outcomes::Outcome;
use super::questions::{ask_pending, push_below_typed};
use super::{App, gaze_of};
use crate::action::{Action, ViewId};
use crate::effect::Effect;
use crate::layer::{Layer, Opened, Page};
use crate::log::LogKind;
use crate::screen::{columns, room_for_notice};
use crate::view::{Notice, View};
use crate::words::{base_name, note_words};
use controller::command::{BreakpointCommand, Command, StackCommand, parse_line};
use controller::report::{text_lines, value_returned};
use controller::state::State;
use controller::{Content, Gaze, Report};
use model::Severity;

impl App {
    /// Handles a report: logs it, and shows the outcome if it ends a command of the user.
    pub fn report(&mut self, report: &Report, state: &State) -> Vec<Effect> {
        if self.outcomes.says_again(report) {
            return Vec::new();
        }
        let Some(origin) = &report.origin else {
            self.view.happened(report);
            return Vec::new();
        };
        let lines = text_lines(report);
        let failed = matches!(report.content.without_threads(), Content::Error { .. } | Content::Missing(..));
        for line in &lines {
            let kind = if failed { LogKind::Message(Severity::Error) } else { LogKind::Result };
            self.view.log.push(kind, line.clone());
        }
        match self.outcomes.add(origin, &report.content, lines) {
            Some((outcome, failed)) => self.done(&origin.line, &outcome, failed, state),
            None => Vec::new(),
        }
    }

    fn done(&mut self, command: &str, outcome: &Outcome, failed: bool, state: &State) -> Vec<Effect> {
        let lines = outcome.lines();
        if let Some((file, line)) = outcome.place() {
            self.view.source.wanted = Some(line);
            self.view.go_to(ViewId::Source);
            return vec![Effect::Look(Gaze { file: Some(file), ..gaze_of(state) })];
        }
        let (typed, keyed) = self.outcomes.done(command);
        if let Some(breakpoint) = outcome.pending().filter(|_| (typed || keyed) && sets_breakpoint(command, state)) {
            ask_pending(&mut self.view, breakpoint, outcome.advice());
            return Vec::new();
        }
        let severity = if failed { Severity::Error } else { Severity::Note };
        match lines.as_slice() {
            [] if failed => {
                self.view.notice = Some(Notice { severity, text: format!("{command}: failed") });
            }
            [] => {}
            // The effect of a key is visible in its view: a page would only be in the way. What was done comes last.
            [.., line]
                if (lines.len() == 1 && self.view.fits(line, state))
                    || !(typed || failed || is_question(command, state)) =>
            {
                let mut text = self.view.shortened(line);
                // Nobody has typed what a breakpoint or "on stop" executes: the text says where the other lines are.
                if lines.len() > 1 && is_occasion(command) {
                    let key = self.view.keys.first_key(Action::ViewMessages);
                    text = format!("{} lines, {key} shows all: {text}", lines.len());
                }
                self.view.notice = Some(Notice { severity, text });
            }
            lines => {
                let (title, lines) = (command.to_owned(), lines.to_vec());
                let page = Page { title, lines, top: 0, opened: Opened::Unseen, failed };
                self.view.layers.retain(|layer| !matches!(layer, Layer::Page(_)));
                push_below_typed(&mut self.view, Layer::Page(page));
            }
        }
        Vec::new()
    }
}

impl View {
    /// Handles a report that no command asked for.
    fn happened(&mut self, report: &Report) {
        let kind = match &report.content {
            Content::Output(..) => return,
            Content::LauncherOutput(_) => LogKind::Message(Severity::Note),
            Content::Message(severity, ..) => LogKind::Message(*severity),
            Content::Error { .. } => LogKind::Message(Severity::Error),
            _ => LogKind::Event,
        };
        let lines = self.log.happened(kind, report);
        // A note never replaces a notice that has not been read.
        let shown = |severity| severity > Severity::Note || self.notice.is_none();
        if let (LogKind::Message(severity), Some(line)) = (kind, lines.first())
            && shown(severity)
        {
            self.notice = Some(Notice { severity, text: line.clone() });
        }
        if let Content::Stopped(ranks, _) = &report.content
            && let Some((words, value)) = value_returned(report)
        {
            let shown = self.notice.as_ref().map(|notice| notice.text.as_str());
            if let Some(text) = self.returned.told(shown, ranks, words, value) {
                self.notice = Some(Notice { severity: Severity::Note, text });
            }
        }
        // The rank stops although its condition does not hold: the reason would be at the end of a long line.
        if let Content::Stopped(ranks, stop) = &report.content
            && let Some(note) = stop.note.as_ref().filter(|_| stop.is_for_unclear_condition())
        {
            let text = format!("[{ranks}] {}", note_words(note));
            self.notice = Some(Notice { severity: Severity::Error, text });
        }
        // The rank has replied: that its reply was missing is no longer news.
        if let (Content::Late { .. }, [head, first, rest @ ..]) = (&report.content, lines.as_slice()) {
            let more = if rest.is_empty() { "" } else { " …" };
            self.notice = Some(Notice { severity: Severity::Note, text: format!("{head} {first}{more}") });
        }
    }

    /// Shortens the whole paths in a line that a key sent; they add nothing in a short line.
    pub(super) fn shortened(&self, line: &str) -> String {
        let file = self.source.file.as_deref().unwrap_or("");
        if file.is_empty() { line.to_owned() } else { line.replace(file, base_name(file)) }
    }

    /// True if the line fits into the status line beside the focus.
    pub(super) fn fits(&self, line: &str, state: &State) -> bool {
        columns(&self.shortened(line)) <= room_for_notice(state, self.area.width)
    }
}

/// True if the command's answer is in no view: a key that issues it asks for a page.
fn is_question(line: &str, state: &State) -> bool {
    let command = parse_line(line, &state.aliases).map(|invocation| invocation.command);
    matches!(command, Ok(Command::Stack(StackCommand::Why(_))))
}

/// True for the commands that a breakpoint, a stop or an exit executes.
fn is_occasion(command: &str) -> bool {
    matches!(command.split_once(' '), Some(("commands", _) | ("on", "stop" | "exit")))
}

/// True if the command sets a breakpoint at a location: other commands report pending breakpoints, too.
fn sets_breakpoint(line: &str, state: &State) -> bool {
    let command = parse_line(line, &state.aliases).map(|invocation| invocation.command);
    let Ok(Command::Breakpoints(command)) = command else { return false };
    matches!(
        command,
        BreakpointCommand::Break { .. } | BreakpointCommand::Barrier(..) | BreakpointCommand::Trace { .. }
    )
}
