//! The application and a simulated session, driven by keys like a user's, without a terminal.

use crate::drawn::{screen, text};
use crate::support::{fake_session::FakeSession, wait::wait_for};
use rankscope::controller::{Content, Settings, Start, State};
use rankscope::model::{LaunchSpec, ProcessSet};
use rankscope::protocol::LaunchPlan;
use rankscope::ui::{app::App, effect::Effect, highlight, keys::Chord, theme::Theme};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use std::time::Duration;

pub struct Driver {
    pub app: App,
    pub session: FakeSession,
    pub theme: Theme,
    /// Effects that are not for the controller.
    pub outside: Vec<Effect>,
    /// False if keys come faster than anybody reads.
    pub reads: bool,
    told: usize,
}

const READING: Duration = Duration::from_secs(1);

impl Driver {
    /// A simulated program with all ranks stopped in `main`.
    pub fn start(program: &str, arguments: &[&str], ranks: u32, size: (u16, u16)) -> Self {
        Self::start_on(Vec::new(), program, arguments, ranks, size)
    }

    /// As above, on these hosts; on one if there are none.
    pub fn start_on(
        hosts: Vec<(String, ProcessSet)>,
        program: &str,
        arguments: &[&str],
        ranks: u32,
        (width, height): (u16, u16),
    ) -> Self {
        let spec = LaunchSpec {
            program: program.to_owned(),
            arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
            ..LaunchSpec::default()
        };
        let line = [&[program], arguments].concat().join(" ");
        let settings =
            Settings { start: Start::Launch(LaunchPlan::Local { ranks, spec }), program: line, ..Settings::default() };
        let mut app = App::default();
        app.resize(width, height);
        let session = FakeSession::on_hosts(settings, hosts);
        let mut driver = Self { app, session, theme: Theme::dark(), outside: Vec::new(), reads: true, told: 0 };
        driver.settle();
        driver
    }

    pub fn state(&self) -> &State {
        self.session.state()
    }

    /// Presses chords separated by blanks, and waits for the effects of each.
    pub fn keys(&mut self, keys: &str) -> &mut Self {
        for chord in Chord::parse_sequence(keys).unwrap() {
            let effects = self.app.chord(chord, self.session.now(), self.session.controller.state());
            self.perform(effects);
            self.settle();
        }
        self
    }

    /// Clicks on a cell of the terminal, and waits for the effects.
    pub fn click(&mut self, column: u16, row: u16) -> &mut Self {
        self.mouse(MouseEventKind::Down(MouseButton::Left), (column, row))
    }

    /// Presses a button of the mouse, or turns its wheel, at a place of the screen.
    pub fn mouse(&mut self, kind: MouseEventKind, (column, row): (u16, u16)) -> &mut Self {
        let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        let effects = self.app.mouse(event, self.session.controller.state());
        self.perform(effects);
        self.settle();
        self
    }

    /// Types a line into the prompt and enters it.
    pub fn command(&mut self, line: &str) -> &mut Self {
        self.keys(":").typed(line).keys("enter")
    }

    pub fn typed(&mut self, words: &str) -> &mut Self {
        for c in words.chars() {
            let name = if c == ' ' { "space".to_owned() } else { c.to_string() };
            self.keys(&name);
        }
        self
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Execute(line) => {
                    let id = self.session.controller.execute(&line);
                    // As on a screen, where the answers come in a later turn.
                    let settled = self.app.settle(self.session.controller.state(), self.session.now());
                    if let Some(gaze) = settled.gaze {
                        self.session.controller.look(gaze);
                    }
                    self.session.finish(id);
                }
                Effect::Look(gaze) => self.session.controller.look(gaze),
                other => self.outside.push(other),
            }
        }
    }

    /// Waits until all replies have come and no rank is about to stop.
    pub fn settle(&mut self) {
        loop {
            self.session.settle();
            let reports: Vec<_> = self.session.reports[self.told..].to_vec();
            self.told = self.session.reports.len();
            for report in &reports {
                let effects = self.app.report(report, self.session.controller.state());
                self.perform(effects);
            }
            let now = self.session.now();
            let settled = self.app.settle(self.session.controller.state(), now);
            if let Some(wish) = settled.wish {
                self.app.view.colours.keep(highlight::paint(wish));
            }
            match settled.gaze {
                Some(gaze) => self.session.controller.look(gaze),
                None if reports.is_empty() => break,
                None => {}
            }
        }
        self.app.settle(self.session.controller.state(), self.session.now());
        if self.reads {
            // As if the user looked at each screen before the next key.
            let (drawn, read) = (self.session.now().checked_sub(READING).unwrap(), self.session.now());
            self.app.drawn(drawn);
            self.app.settle(self.session.controller.state(), read);
        }
    }

    /// Waits until the state is as wanted, and for the data that the screen then asks for.
    #[track_caller]
    pub fn until(&mut self, what: &str, wanted: impl Fn(&State) -> bool) -> &mut Self {
        self.session.pump_until(what, wanted);
        self.settle();
        self
    }

    /// Presses keys that run the focus, and waits until its ranks have run and stopped again.
    #[track_caller]
    pub fn go(&mut self, keys: &str) -> &mut Self {
        for key in keys.split_whitespace() {
            let ranks = self.state().focus.set.clone();
            self.drive(&ranks, |driver| _ = driver.keys(key));
        }
        self
    }

    /// Runs ranks, and waits until those that were stopped have run and stopped again.
    #[track_caller]
    pub fn drive(&mut self, ranks: &ProcessSet, begin: impl FnOnce(&mut Self)) -> &mut Self {
        let ranks = ranks.intersection(self.state().ranks.stopped());
        let from = self.session.reports.len();
        begin(self);
        wait_for("ranks to run and stand again", || {
            self.session.pump_ready();
            let ran = self.session.reports[from..].iter().filter_map(|report| match &report.content {
                Content::Running(ranks) => Some(ranks),
                _ => None,
            });
            let ran = ran.fold(ProcessSet::new(), |sum, ranks| sum.union(ranks));
            let known = &self.session.state().ranks;
            let still = known.stopped().union(&known.ended());
            (ranks.is_subset(&ran) && ranks.is_subset(&still)).then_some(())
        });
        self.settle();
        self
    }

    pub fn buffer(&self) -> Buffer {
        screen(&self.app, self.session.state(), &self.theme)
    }

    pub fn text(&self) -> String {
        text(&self.buffer())
    }
}
