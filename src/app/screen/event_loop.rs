//! The loop itself.

use super::{Options, painter::Painter, terminal::Screen, typed};
use crate::ending_signals::EndingSignals;
use crate::files::Files;
use crate::link::{Arrival, SessionLink};
use crate::reverse::RequestWatcher;
use controller::Controller;
use controller::report::{Coalescer, text_lines};
use controller::state::Phase;
use crossterm::event::Event;
use futures::StreamExt;
use model::{ProcessState, Severity, printable};
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

/// At most so often is the screen drawn.
const FRAME: Duration = Duration::from_millis(16);
/// Replies taken in before the screen gets a chance.
const BATCH: usize = 512;
/// How long the end of the session is waited for.
const PATIENCE: Duration = Duration::from_secs(8);

/// How the screen was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leave {
    /// The session is over.
    Ended,
    /// The user left, or a signal came; the session goes on without a screen when there is one: its name, with the host
    /// where a batch job has it.
    Left(Option<String>),
    /// The session could not be begun or was lost; why.
    Failed(String),
}

struct Front {
    controller: Controller,
    link: SessionLink,
    watcher: RequestWatcher,
    linked: bool,
    app: App,
    theme: Theme,
    painter: Painter,
    files: Files,
    asked_to_end: Option<Instant>,
    /// Why there was nothing to end.
    failure: Option<String>,
    /// Without the job that is being started there is nothing to show.
    starting: bool,
    /// When the view is to be looked at again.
    wake: Option<Instant>,
    title: String,
    /// The host of the batch job whose request was accepted.
    host: Option<String>,
}

/// Shows the session until it is over or the user leaves.
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
    for warning in &options.warnings {
        app.view.log.push(LogKind::Message(Severity::Warning), warning.clone());
        app.view.notice = Some(Notice { severity: Severity::Warning, text: warning.clone() });
    }
    let mut front = Front {
        controller,
        link,
        watcher,
        linked: true,
        app,
        theme: options.theme,
        painter: Painter::start(),
        files: Files::default(),
        asked_to_end: None,
        failure: None,
        starting: options.one_job,
        wake: None,
        title: String::new(),
        host: None,
    };
    let left = front.turn(&mut screen, &mut signals).await;
    screen.leave();
    left
}

enum Then {
    GoOn,
    Leave(Leave),
}

impl Front {
    async fn turn(&mut self, screen: &mut Screen, signals: &mut EndingSignals) -> io::Result<Leave> {
        let mut events = typed::events();
        let mut drawn: Option<Instant> = None;
        let mut stale = true;
        loop {
            // What this asks for is sent at once: nothing else may come that would wake us.
            self.leave_nothing();
            stale |= self.carry_on();
            if let Some(leave) = self.is_over() {
                return Ok(leave);
            }
            if !screen.is_ours() {
                // A part of the screen has failed and given the terminal back: what is there now is the shell's.
                return Ok(Leave::Failed("the screen failed; see the message above".to_owned()));
            }
            let due = drawn.map_or_else(Instant::now, |drawn| drawn + FRAME);
            if stale && due <= Instant::now() {
                self.draw(screen)?;
                drawn = Some(Instant::now());
                stale = false;
            }
            let patience = self.asked_to_end.map(|since| since + PATIENCE);
            let deadline = [self.controller.next_deadline(), self.wake, patience];
            let deadline = deadline.into_iter().flatten().min();
            tokio::select! {
                _ = signals.next() => return Ok(self.left_alone()),
                event = events.next() => match event {
                    Some(Ok(event)) => {
                        stale = true;
                        match self.event(event, screen)? {
                            Then::GoOn => {}
                            Then::Leave(leave) => return Ok(leave),
                        }
                    }
                    // The terminal is gone: nobody is there to be shown anything.
                    Some(Err(_)) | None => return Ok(self.left_alone()),
                },
                reply = self.link.next(), if self.linked => {
                    self.take_in(Some(reply.unwrap_or_else(|| Err("the session has ended".to_owned()))));
                }
                Some(painted) = self.painter.next() => {
                    self.app.view.colours.keep(painted);
                    stale = true;
                }
                Some(news) = self.watcher.next() => {
                    let host = news.host().map(printable);
                    if let Some(link) = news.told(&mut self.controller, &self.link) {
                        self.link = link;
                        self.linked = true;
                        self.host = host;
                    }
                }
                () = until(deadline), if deadline.is_some() => {
                    // A front end that stood still has its answers waiting: nobody was too late with them.
                    if self.linked {
                        let next = self.link.ready();
                        self.take_in(next);
                    }
                    self.controller.tick();
                }
                () = until(Some(due)), if stale => {}
            }
        }
    }

    /// Takes in a reply and those behind it that are there already.
    fn take_in(&mut self, mut next: Option<Arrival>) {
        let mut taken = 0;
        while let Some(reply) = next.take() {
            match reply {
                Ok(reply) => self.controller.receive(reply),
                Err(why) => self.cut_off(&why),
            }
            taken += 1;
            if self.linked && taken < BATCH {
                next = self.link.ready();
            }
        }
    }

    fn cut_off(&mut self, why: &str) {
        self.linked = false;
        self.controller.disconnected(why);
    }

    /// Passes on what the controller has made; whether the screen shows something else by that.
    fn carry_on(&mut self) -> bool {
        let before = self.controller.state().revision;
        let mut changed = false;
        // What reports lead to may lead to more reports; a screen that is never content is drawn all the same.
        for _ in 0..8 {
            let reports = self.controller.take_reports();
            let settled = self.app.settle(self.controller.state(), Instant::now());
            self.wake = settled.wake;
            if reports.is_empty() && settled.gaze.is_none() && settled.wish.is_none() {
                break;
            }
            changed |= !reports.is_empty();
            let mut joined = Coalescer::default();
            for report in reports {
                joined.push(report, Instant::now());
            }
            for report in joined.take() {
                let lines = text_lines(&report);
                if let Err(why) = self.files.record(lines.iter().map(String::as_str)) {
                    self.app.view.log.push(LogKind::Message(Severity::Warning), why);
                }
                let effects = self.app.report(&report, self.controller.state());
                self.perform(effects);
            }
            if let Some(gaze) = settled.gaze {
                self.controller.look(gaze);
            }
            if let Some(wish) = settled.wish {
                self.painter.wish(wish);
            }
        }
        self.files.serve(&mut self.controller);
        self.watcher.attend(&mut self.controller);
        if self.app.leaving && self.controller.state().phase == Phase::Idle {
            // What was left is a session, not the screen.
            self.app.leaving = false;
            self.asked_to_end = None;
            self.failure = None;
        }
        for request in self.controller.take_requests() {
            self.link.send(request);
        }
        changed || self.controller.state().revision != before || self.revised()
    }

    fn revised(&mut self) -> bool {
        let now = self.controller.state().revision;
        std::mem::replace(&mut self.app.drawn_revision, now) != now
    }

    fn perform(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        let mut outside = Vec::new();
        for effect in effects {
            match effect {
                Effect::Execute(line) => {
                    if line == "quit" {
                        self.failure = self.failure.take().or_else(|| self.start_failure());
                        self.app.leaving = true;
                        self.asked_to_end.get_or_insert_with(Instant::now);
                    }
                    self.controller.execute(&line);
                }
                Effect::Look(gaze) => self.controller.look(gaze),
                other => outside.push(other),
            }
        }
        outside
    }

    /// At once: who takes the session from here, or comes after a crash, has what was typed.
    fn keep_history(&mut self) {
        if let Err(error) = self.app.history.save() {
            tracing::warn!("cannot save the command history: {error}");
        }
    }

    fn event(&mut self, event: Event, screen: &mut Screen) -> io::Result<Then> {
        let effects = match event {
            Event::Key(key) => self.app.key(key, self.controller.state()),
            Event::Mouse(mouse) => self.app.mouse(mouse, self.controller.state()),
            Event::Paste(text) => {
                self.app.paste(&text);
                Vec::new()
            }
            Event::Resize(width, height) => {
                self.app.resize(width, height);
                Vec::new()
            }
            Event::FocusGained | Event::FocusLost => Vec::new(),
        };
        self.keep_history();
        for effect in self.perform(effects) {
            match effect {
                Effect::Leave => return Ok(Then::Leave(self.left())),
                Effect::Suspend => {
                    screen.suspend()?;
                    let size = screen.size()?;
                    self.app.resize(size.width, size.height);
                }
                Effect::Redraw => screen.redraw()?,
                Effect::Execute(_) | Effect::Look(_) => {}
            }
        }
        Ok(Then::GoOn)
    }

    /// The session goes on, when there is one.
    fn left_alone(&self) -> Leave {
        let host = self.host.as_ref().map_or_else(String::new, |host| format!(" (on {host})"));
        Leave::Left(self.controller.state().session.as_ref().map(|session| format!("{}{host}", session.id)))
    }

    fn left(&self) -> Leave {
        match &self.controller.state().phase {
            Phase::Connecting | Phase::Launching(_) | Phase::Live => self.left_alone(),
            Phase::Ended | Phase::Idle | Phase::Failed(_) => match self.start_failure() {
                Some(why) => Leave::Failed(why),
                None => Leave::Ended,
            },
        }
    }

    /// Why there is no job, or none that has begun.
    fn start_failure(&self) -> Option<String> {
        let state = self.controller.state();
        match &state.phase {
            Phase::Failed(why) => Some([why, state.launcher.trim_end()].join("\n").trim_end().to_owned()),
            Phase::Live => state.ranks.groups().find_map(|(ranks, known)| match known {
                ProcessState::Failed(why) if ranks.len() == state.size() as usize => Some(why.clone()),
                _ => None,
            }),
            Phase::Ended | Phase::Idle | Phase::Connecting | Phase::Launching(_) => None,
        }
    }

    /// Leaves the screen when the job that it is for could not be started: why stands on the terminal then.
    fn leave_nothing(&mut self) {
        if !self.starting {
            return;
        }
        if self.start_failure().is_some() {
            self.starting = false;
            self.perform(vec![Effect::Execute("quit".to_owned())]);
            return;
        }
        let ranks = &self.controller.state().ranks;
        self.starting =
            ranks.groups().all(|(_, known)| matches!(known, ProcessState::Starting | ProcessState::Failed(_)));
    }

    fn is_over(&self) -> Option<Leave> {
        let ended = || self.failure.clone().map_or(Leave::Ended, Leave::Failed);
        let state = self.controller.state();
        match &state.phase {
            // What is on the screen is of the past, and no key does anything.
            Phase::Failed(why) if state.is_taken => {
                let name = state.session.as_ref().map_or_else(String::new, |session| format!(" {}", session.id));
                Some(Leave::Failed(format!("{why}; to take it back: rankscope resume --take{name}")))
            }
            Phase::Ended => Some(ended()),
            // A link that closes while the session is being ended is its end.
            Phase::Failed(_) if self.app.leaving => Some(ended()),
            _ if self.asked_to_end.is_some_and(|since| since.elapsed() >= PATIENCE) => Some(self.left_alone()),
            _ => None,
        }
    }

    fn draw(&mut self, screen: &mut Screen) -> io::Result<()> {
        let state = self.controller.state();
        let title = format!("rankscope: {}", state.program);
        let title = title.trim_end_matches([':', ' ']).to_owned();
        if title != self.title {
            screen.title(&title);
            self.title = title;
        }
        let (view, theme) = (&self.app.view, &self.theme);
        screen.draw(|frame| draw(frame, frame.area(), state, view, theme))
    }
}

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline.into()).await,
        None => std::future::pending().await,
    }
}
