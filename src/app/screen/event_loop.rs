//! The event loop.

use super::late_answers::LateAnswers;
use super::{Options, graphics, painter::Painter, terminal::Screen, typed};
use crate::attended::AttendedSession;
use crate::attended::Leave;
use crate::config::Graphics;
use crate::ending_signals::EndingSignals;
use crate::files::data_files::existing;
use crate::link::SessionLink;
use crate::reverse::RequestWatcher;
use controller::Controller;
use controller::report::{Coalescer, text_lines};
use crossterm::event::Event;
use futures::StreamExt;
use model::Severity;
use std::{
    io,
    time::{Duration, Instant},
};
use tokio::time::sleep_until;
use ui::app::App;
use ui::draw;
use ui::effect::Effect;
use ui::log::LogKind;
use ui::prompt::History;
use ui::theme::Theme;
use ui::view::Notice;

/// Minimum time between two frames.
const FRAME: Duration = Duration::from_millis(16);

struct Front {
    session: AttendedSession,
    app: App,
    theme: Theme,
    painter: Painter,
    /// Time at which the view needs another update.
    wake: Option<Instant>,
    title: String,
    graphics: Graphics,
    late: LateAnswers,
}

/// Shows the session until it ends or the user leaves.
pub async fn run(
    controller: Controller,
    link: SessionLink,
    watcher: RequestWatcher,
    options: Options,
) -> io::Result<Leave> {
    let mut signals = EndingSignals::listen();
    let mut screen = Screen::take(options.mouse, options.last_words)?;
    let mut app = App::default();
    app.history = options.history.map(History::from_file).unwrap_or_default();
    let size = screen.size()?;
    app.resize(size.width, size.height);
    app.view.ascii = options.ascii;
    app.view.keys = options.keys;
    app.view.array.pixels.graphics = graphics::at_first(options.graphics, options.ascii, &options.theme);
    for warning in &options.warnings {
        app.view.log.push(LogKind::Message(Severity::Warning), warning.clone());
        app.view.notice = Some(Notice { severity: Severity::Warning, text: warning.clone() });
    }
    let session = AttendedSession::new(controller, link, watcher, options.one_job);
    let mut front = Front { graphics: options.graphics, ..Front::new(session, app, options.theme) };
    let left = front.turn(&mut screen, &mut signals).await;
    screen.leave();
    left
}

enum Then {
    GoOn,
    Leave(Leave),
}

impl Front {
    fn new(session: AttendedSession, app: App, theme: Theme) -> Self {
        Self {
            session,
            app,
            theme,
            painter: Painter::start(),
            wake: None,
            title: String::new(),
            graphics: Graphics::default(),
            late: LateAnswers::default(),
        }
    }

    async fn turn(&mut self, screen: &mut Screen, signals: &mut EndingSignals) -> io::Result<Leave> {
        let mut events = typed::events();
        let mut drawn: Option<Instant> = None;
        let mut stale = true;
        loop {
            // Requests made here must be sent at once: no other event may arrive to wake the loop.
            if self.session.has_nothing() {
                self.perform(vec![Effect::Execute("quit".to_owned())]);
            }
            if self.app.asks_for_graphics(self.session.controller.state()) {
                // The answers must not be read as keys.
                drop(events);
                let typed = self.ask_for_graphics(screen)?;
                events = typed::events();
                for event in typed {
                    if let Then::Leave(leave) = self.event(event, screen)? {
                        return Ok(leave);
                    }
                }
                stale = true;
            }
            stale |= self.carry_on();
            for edit in self.session.files.take_edits() {
                // Its thread reads the keyboard as long as the stream exists.
                drop(events);
                edit.run(&mut self.session.controller, |use_it| screen.lend(use_it))?;
                self.app.forget_picture();
                signals.forget_interrupt().await;
                events = typed::events();
                let size = screen.size()?;
                self.app.resize(size.width, size.height);
                stale |= self.carry_on();
            }
            if let Some(leave) = self.session.is_over(self.app.leaving) {
                return Ok(leave);
            }
            if !screen.is_ours() {
                // A part of the screen panicked and gave the terminal back: what is visible now is the shell's.
                return Ok(Leave::Failed("the screen failed; see the message above".to_owned()));
            }
            let due = drawn.map_or_else(Instant::now, |drawn| drawn + FRAME);
            if stale && due <= Instant::now() {
                self.draw(screen)?;
                drawn = Some(Instant::now());
                stale = false;
            }
            let deadline = [self.session.controller.next_deadline(), self.wake, self.session.patience()];
            let deadline = deadline.into_iter().flatten().min();
            tokio::select! {
                _ = signals.next() => return Ok(self.session.left_alone()),
                event = events.next() => match event {
                    Some(Ok(event)) => {
                        stale = true;
                        for event in self.late.without_answers(event, Instant::now()) {
                            if let Then::Leave(leave) = self.event(event, screen)? {
                                return Ok(leave);
                            }
                        }
                    }
                    // The terminal is gone: nobody can see the screen.
                    Some(Err(_)) | None => return Ok(self.session.left_alone()),
                },
                reply = self.session.link.next(), if self.session.linked => self.session.take_in(reply),
                Some(ended) = self.session.files.shells.next() => {
                    ended.tell(&mut self.session.controller);
                    stale = true;
                }
                Some(painted) = self.painter.next() => {
                    self.app.view.colours.keep(painted);
                    stale = true;
                }
                Some(news) = self.session.watcher.next() => self.session.told(news),
                () = until(deadline), if deadline.is_some() => self.session.tick(),
                () = until(Some(due)), if stale => {}
            }
        }
    }

    /// Passes on the controller's reports and requests; returns true if the screen changes.
    fn carry_on(&mut self) -> bool {
        let before = self.session.controller.state().revision;
        let mut changed = false;
        // Reports can cause more reports; the limit makes sure that the screen is drawn at some point.
        for _ in 0..8 {
            let reports = self.session.controller.take_reports();
            let revision = self.session.controller.state().revision;
            let settled = self.app.settle(self.session.controller.state(), Instant::now());
            self.wake = settled.wake;
            let is_quiet = reports.is_empty() && settled.gaze.is_none() && settled.wish.is_none();
            changed |= settled.stale || !reports.is_empty();
            let mut joined = Coalescer::default();
            for report in reports {
                joined.push(report, Instant::now());
            }
            for report in joined.take() {
                let lines = text_lines(&report);
                if let Err(why) = self.session.files.record(lines.iter().map(String::as_str)) {
                    self.app.view.log.push(LogKind::Message(Severity::Warning), why);
                }
                let effects = self.app.report(&report, self.session.controller.state());
                self.perform(effects);
            }
            if let Some(gaze) = settled.gaze {
                self.session.controller.look(gaze);
            }
            if let Some(wish) = settled.wish {
                self.painter.wish(wish);
            }
            self.session.serve();
            if is_quiet && self.session.controller.state().revision == revision {
                break;
            }
        }
        self.app.leaving &= !self.session.goes_on_without(self.app.leaving);
        self.session.send();
        changed || self.session.controller.state().revision != before || self.revised()
    }

    fn revised(&mut self) -> bool {
        let now = self.session.controller.state().revision;
        std::mem::replace(&mut self.app.drawn_revision, now) != now
    }

    fn perform(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        let mut outside = Vec::new();
        for effect in effects {
            match effect {
                Effect::Execute(line) => {
                    if line == "quit" {
                        self.session.quits();
                        self.app.leaving = true;
                    }
                    self.session.controller.execute(&line);
                }
                Effect::ExecuteReplacing { line, files } => {
                    let effects = self.app.replacing(&line, &existing(files));
                    outside.extend(self.perform(effects));
                }
                Effect::Look(gaze) => self.session.controller.look(gaze),
                other => outside.push(other),
            }
        }
        outside
    }

    /// Saves at once, so that the next front end, also after a crash, has the history.
    fn keep_history(&mut self) {
        if let Err(error) = self.app.history.save() {
            tracing::warn!("cannot save the command history: {error}");
        }
    }

    fn event(&mut self, event: Event, screen: &mut Screen) -> io::Result<Then> {
        let effects = match event {
            Event::Key(key) => self.app.key(key, Instant::now(), self.session.controller.state()),
            Event::Mouse(mouse) => self.app.mouse(mouse, self.session.controller.state()),
            Event::Paste(text) => {
                self.app.paste(&text);
                Vec::new()
            }
            Event::Resize(width, height) => {
                self.app.resize(width, height);
                self.app.doubt_graphics();
                Vec::new()
            }
            Event::FocusGained | Event::FocusLost => Vec::new(),
        };
        self.keep_history();
        for effect in self.perform(effects) {
            match effect {
                Effect::Leave => return Ok(Then::Leave(self.session.wanted())),
                Effect::Suspend => {
                    screen.suspend()?;
                    self.app.forget_picture();
                    let size = screen.size()?;
                    self.app.resize(size.width, size.height);
                }
                Effect::Redraw => {
                    screen.redraw()?;
                    self.app.forget_picture();
                }
                Effect::Execute(_) | Effect::ExecuteReplacing { .. } | Effect::Look(_) => {}
            }
        }
        Ok(Then::GoOn)
    }

    /// Asks the terminal how it shows pictures; returns what was typed meanwhile.
    fn ask_for_graphics(&mut self, screen: &mut Screen) -> io::Result<Vec<Event>> {
        let asked = graphics::ask(screen, self.graphics)?;
        self.app.view.array.pixels.graphics = asked.graphics;
        self.late = asked.late.after(&self.late, Instant::now());
        Ok(asked.typed)
    }

    fn draw(&mut self, screen: &mut Screen) -> io::Result<()> {
        let state = self.session.controller.state();
        let title = format!("rankscope: {}", state.program);
        let title = title.trim_end_matches([':', ' ']).to_owned();
        if title != self.title {
            screen.title(&title);
            self.title = title;
        }
        let picture = self.app.prepare_picture(state, &self.theme);
        if !picture.is_empty() {
            screen.send_picture(&picture)?;
        }
        let (view, theme) = (&self.app.view, &self.theme);
        screen.draw(|frame| draw(frame, frame.area(), state, view, theme))?;
        let again = self.app.drawn(Instant::now());
        self.wake = self.wake.into_iter().chain(again).min();
        Ok(())
    }
}

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline.into()).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reverse::Reception;
    use controller::Settings;
    use crossterm::event::KeyCode;
    use ui::theme::ThemeSearch;

    /// The loop sleeps after one turn until a key, a reply or a timer comes.
    #[tokio::test]
    async fn a_command_that_writes_a_file_has_its_notice_in_the_turn_of_its_key() {
        let directory = tempfile::tempdir().unwrap();
        let (theme, _) = ThemeSearch { directory: None }.load("dark");
        let (link, _carrier) = SessionLink::pair();
        let watcher = RequestWatcher::start(Some(directory.path()), Reception::default());
        let session = AttendedSession::new(Controller::new(Settings::default()), link, watcher, false);
        let mut front = Front::new(session, App::default(), theme);
        let file = directory.path().join("file").display().to_string();
        let lines = [
            (format!("save {file}"), format!("breakpoints, groups and settings saved in {file}")),
            (format!("log {file}"), format!("logging to {file}")),
            ("log off".to_owned(), "logging is off".to_owned()),
            ("set patience 4".to_owned(), "patience is 4 s".to_owned()),
        ];
        for (line, words) in lines {
            for key in format!(":{line}\r").chars() {
                let code = if key == '\r' { KeyCode::Enter } else { KeyCode::Char(key) };
                let effects = front.app.key(code.into(), Instant::now(), front.session.controller.state());
                front.perform(effects);
            }
            assert!(front.carry_on(), "{line}: nothing to draw");
            assert_eq!(front.app.view.notice.take().map(|notice| notice.text), Some(words));
        }
    }
}
