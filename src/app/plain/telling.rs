//! Says what commands answer and what happens to ranks.

use super::awaited_text::AwaitedText;
use super::front::Dialogue;
use controller::report::{Report, spoken_lines};
use controller::state::{Lookup, StateKind};
use controller::{Content, Gaze};
use model::aif::FormatOptions;
use model::{SourcePlace, printable_lines};
use std::io::{Write as _, stdout};
use std::sync::Arc;
use std::time::{Duration, Instant};
use ui::app::Awaited;

/// How long a stop waits for the text of its line.
const READING: Duration = Duration::from_millis(500);
/// How long the prompt waits for ranks that run: most steps have ended by then, and are said before it.
const SETTLING: Duration = Duration::from_millis(400);

impl Dialogue {
    /// Passes on the controller's reports and requests.
    pub(super) fn carry_on(&mut self) {
        // Reports can cause more reports.
        for _ in 0..8 {
            let now = Instant::now();
            let reports = self.session.controller.take_reports();
            let settled = self.lines.app.settle(self.session.controller.state(), now);
            self.view_wake = settled.wake;
            let is_quiet = reports.is_empty() && settled.gaze.is_none();
            for report in reports {
                self.take(report, now);
            }
            if let Some(gaze) = settled.gaze {
                self.session.controller.look(gaze);
            }
            self.session.serve();
            if is_quiet {
                break;
            }
        }
        self.tell_requests();
        self.read_for_stop();
        if self.next_news().is_some_and(|due| due <= Instant::now()) {
            self.tell_news();
        }
        self.lines.app.leaving &= !self.session.goes_on_without(self.lines.app.leaving);
        self.session.send();
    }

    fn take(&mut self, report: Report, now: Instant) {
        let effects = self.lines.app.report(&report, self.session.controller.state());
        // What the screen would show of it is said here.
        self.lines.take_notice();
        self.perform(effects);
        if let (Content::Done { .. }, Some(origin)) = (&report.content, &report.origin)
            && self.open.remove(&origin.id)
        {
            self.settles_at = now + SETTLING;
        }
        if self.is_hidden(&report.content) {
            return;
        }
        if report.origin.is_none() {
            self.news.push(report, now);
            return;
        }
        if !spoken_lines(&report, |_| None).is_empty() {
            // What has happened before is said before.
            self.tell_news();
            self.tell(&report);
        }
    }

    /// True for output of ranks that the user has hidden.
    fn is_hidden(&self, content: &Content) -> bool {
        match (content, &self.session.controller.state().output_of) {
            (Content::Output(ranks, ..), Some(wanted)) => !ranks.meets(wanted),
            _ => false,
        }
    }

    /// Returns when the news are to be said; not in the middle of what is being typed.
    pub(super) fn next_news(&self) -> Option<Instant> {
        let typed = Some(self.typed_at).filter(|_| self.row.has_text());
        let due = self.news.due(typed, self.is_moving())?;
        Some(self.read_for_stop.as_ref().map_or(due, |read| due.max(read.until)))
    }

    /// True while ranks of the focus run.
    pub(super) fn is_moving(&self) -> bool {
        let state = self.session.controller.state();
        let moving = [StateKind::Running, StateKind::Starting];
        moving.into_iter().any(|kind| state.ranks.of_kind(kind).meets(&state.focus.set))
    }

    pub(super) fn tell_news(&mut self) {
        for report in self.news.take() {
            self.tell(&report);
        }
    }

    fn tell(&mut self, report: &Report) {
        let lines = spoken_lines(report, |place| self.text_of(place));
        if let Err(why) = self.session.files.record(lines.iter().map(String::as_str)) {
            self.say(&[why]);
        }
        self.say(&lines);
    }

    fn text_of(&self, place: &SourcePlace) -> Option<String> {
        let source = self.session.controller.state().inspection.sources.get(&place.file)?.value()?;
        source.line(place.line).map(str::to_owned)
    }

    /// Requests the text of the lines at which ranks have stopped, one file after the other.
    fn read_for_stop(&mut self) {
        let now = Instant::now();
        let is_read = |this: &Self, file: &str| {
            let known = this.session.controller.state().inspection.sources.get(file);
            matches!(known, Some(Lookup::Known(_) | Lookup::Failed(_)))
        };
        if let Some(read) = self.read_for_stop.take_if(|read| read.until <= now) {
            self.look_at(read.before);
        }
        if let Some(read) = &self.read_for_stop {
            if !is_read(self, &read.file) {
                return;
            }
            let before = self.read_for_stop.take().and_then(|read| read.before);
            self.look_at(before);
        }
        let files = self.news.files();
        if let Some(file) = files.into_iter().find(|file| !is_read(self, file) && !self.asked_for.contains(file)) {
            let before = self.session.controller.state().gaze.file.clone();
            self.asked_for.insert(file.clone());
            self.look_at(Some(file.clone()));
            self.read_for_stop = Some(AwaitedText { file, before, until: now + READING });
        }
    }

    fn look_at(&mut self, file: Option<Arc<str>>) {
        let gaze = Gaze { file, frame: None, ..self.session.controller.state().gaze.clone() };
        self.session.controller.look(gaze);
    }

    /// Says that programs ask for a debugger.
    fn tell_requests(&mut self) {
        let listed = self.session.controller.state().requests.listed.clone();
        for request in listed {
            if request.is_open() && self.requests.insert(request.id.clone()) {
                let id = request.id.clone();
                let content = Content::Requests(vec![request]);
                self.tell(&Report { origin: None, content, limits: FormatOptions::default() });
                self.say(&[format!("to debug it: reverse accept {id}")]);
            }
        }
    }

    /// Writes lines; the line being typed is shown again below them.
    pub(super) fn say(&mut self, lines: &[String]) {
        if lines.is_empty() {
            return;
        }
        self.end_row();
        let text: String = lines.iter().map(|line| format!("{}\n", printable_lines(line))).collect();
        self.write(&text);
    }

    /// Leaves the row with the line being typed.
    pub(super) fn end_row(&mut self) {
        if self.row.is_open() {
            self.row.close();
            self.write("\n");
        }
    }

    pub(super) fn write(&mut self, text: &str) {
        let mut out = stdout().lock();
        // Nobody reads it any more: the session stays.
        self.is_closed |= out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err();
    }

    /// True while an answer, and not a command, is awaited.
    pub(super) fn is_asking(&mut self) -> bool {
        matches!(self.lines.awaited(), Awaited::Answer(_))
    }
}
