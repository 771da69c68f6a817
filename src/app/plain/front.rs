//! The loop of the plain mode.

use super::awaited_text::AwaitedText;
use super::input::{Editing, Input, Typed};
use super::news::News;
use super::options::Options;
use crate::ending_signals::EndingSignals;
use crate::files::Files;
use crate::link::{Arrival, SessionLink};
use crate::reverse::RequestWatcher;
use crate::screen::{Leave, is_starting, start_failure};
use controller::state::RequestId;
use controller::{CommandId, Controller};
use model::printable;
use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep_until;
use ui::app::Lines;
use ui::effect::Effect;
use ui::prompt::{EchoedLine, History};

/// Replies processed before anything is said.
const BATCH: usize = 512;
/// How long to wait for the session to end.
const PATIENCE: Duration = Duration::from_secs(8);
/// How long the first prompt waits for ranks to start.
const STARTING: Duration = Duration::from_secs(5);

pub(super) struct Dialogue {
    pub(super) controller: Controller,
    pub(super) link: SessionLink,
    pub(super) watcher: RequestWatcher,
    pub(super) linked: bool,
    pub(super) lines: Lines,
    pub(super) files: Files,
    pub(super) asked_to_end: Option<Instant>,
    /// The reason why no session started.
    pub(super) failure: Option<String>,
    /// True while the only job starts: if that fails, there is nothing to debug.
    pub(super) starting: bool,
    /// The host of the batch job whose request was accepted.
    pub(super) host: Option<String>,
    pub(super) news: News,
    /// The row with the line being typed.
    pub(super) row: EchoedLine,
    pub(super) editing: Editing,
    /// Typed before anything could take it.
    pub(super) ahead: VecDeque<Typed>,
    /// Commands that have not ended.
    pub(super) open: BTreeSet<CommandId>,
    /// The prompt waits until then while ranks of the focus run.
    pub(super) settles_at: Instant,
    pub(super) typed_at: Instant,
    /// The question that has been said, and the answer that enter gives.
    pub(super) asked: Option<(String, usize)>,
    pub(super) requests: BTreeSet<RequestId>,
    pub(super) is_closed: bool,
    /// When the state of the prompt is to be looked at again.
    pub(super) view_wake: Option<Instant>,
    /// The file whose text was requested for a stop, and the one shown before.
    pub(super) read_for_stop: Option<AwaitedText>,
    /// The files that were requested.
    pub(super) asked_for: BTreeSet<Arc<str>>,
}

/// Runs a session until it ends or the user leaves.
pub async fn run(
    controller: Controller,
    link: SessionLink,
    watcher: RequestWatcher,
    options: Options,
) -> io::Result<Leave> {
    let mut signals = EndingSignals::listen();
    let mut input = Some(Input::open(options.last_words)?);
    let now = Instant::now();
    let mut front = Dialogue {
        controller,
        link,
        watcher,
        linked: true,
        lines: Lines::new(options.history.map(History::from_file).unwrap_or_default()),
        files: Files::default(),
        asked_to_end: None,
        failure: None,
        starting: options.one_job,
        host: None,
        news: News::default(),
        row: EchoedLine::default(),
        editing: input.as_ref().map_or(Editing::None, Input::editing),
        ahead: VecDeque::new(),
        open: BTreeSet::new(),
        settles_at: now + STARTING,
        typed_at: now,
        asked: None,
        requests: BTreeSet::new(),
        is_closed: false,
        view_wake: None,
        read_for_stop: None,
        asked_for: BTreeSet::new(),
    };
    front.say(&options.warnings.iter().map(|warning| format!("warning: {warning}")).collect::<Vec<_>>());
    if front.editing != Editing::None {
        front.say(&["\"help\" lists the commands; ctrl-c halts the ranks, ctrl-d leaves".to_owned()]);
    }
    let left = front.turn(&mut input, &mut signals).await;
    front.end_row();
    left
}

impl Dialogue {
    async fn turn(&mut self, input: &mut Option<Input>, signals: &mut EndingSignals) -> io::Result<Leave> {
        loop {
            self.leave_nothing();
            self.carry_on();
            for edit in self.files.take_edits() {
                match input.take() {
                    Some(Input::Keys(keys)) => {
                        let mut keys = Some(keys);
                        edit.run(&mut self.controller, |use_it| {
                            keys = keys.take().map(|keys| keys.lend(use_it)).transpose()?;
                            Ok(())
                        })?;
                        *input = keys.map(Input::Keys);
                        signals.forget_interrupt().await;
                    }
                    other => {
                        *input = other;
                        edit.refuse(&mut self.controller);
                    }
                }
                self.carry_on();
            }
            let left = Leave::by_itself(self.controller.state(), self.failure.as_deref(), self.lines.app.leaving);
            let is_late = self.asked_to_end.is_some_and(|since| since.elapsed() >= PATIENCE);
            if let Some(left) = left.or_else(|| is_late.then(|| self.left_alone())) {
                self.tell_news();
                return Ok(left);
            }
            if self.is_closed {
                return Ok(self.left_alone());
            }
            if let Some(left) = self.take_ahead(input)? {
                return Ok(left);
            }
            self.show_line();
            let Some(source) = input else { return Ok(self.left_alone()) };
            let wake = self.wake();
            tokio::select! {
                number = signals.next() => {
                    if number == 2 {
                        self.ahead.clear();
                        self.end_row();
                        let effects = self.lines.interrupt();
                        self.perform(effects);
                    } else {
                        return Ok(self.left_alone());
                    }
                }
                typed = source.next() => self.arrived(typed),
                reply = self.link.next(), if self.linked => {
                    self.take_in(Some(reply.unwrap_or_else(|| Err("the session has ended".to_owned()))));
                }
                Some(ended) = self.files.shells.next() => ended.tell(&mut self.controller),
                Some(news) = self.watcher.next() => {
                    let host = news.host().map(printable);
                    if let Some(link) = news.told(&mut self.controller, &self.link) {
                        self.link = link;
                        self.linked = true;
                        self.host = host;
                    }
                }
                () = sleep_until(wake.unwrap_or_else(Instant::now).into()), if wake.is_some() => {
                    if self.linked {
                        let next = self.link.ready();
                        self.take_in(next);
                    }
                    self.controller.tick();
                }
            }
        }
    }

    /// Processes a reply and those that have arrived after it.
    fn take_in(&mut self, mut next: Option<Arrival>) {
        let mut taken = 0;
        while let Some(reply) = next.take() {
            match reply {
                Ok(reply) => self.controller.receive(reply),
                Err(why) => {
                    self.linked = false;
                    self.controller.disconnected(&why);
                }
            }
            taken += 1;
            if self.linked && taken < BATCH {
                next = self.link.ready();
            }
        }
    }

    /// Leaves the session running, if there is one.
    pub(super) fn left_alone(&self) -> Leave {
        Leave::alone(self.controller.state(), self.host.as_deref())
    }

    /// Ends the session if its job could not be started; the reason is said at the end.
    fn leave_nothing(&mut self) {
        if !self.starting {
            return;
        }
        if start_failure(self.controller.state()).is_some() {
            self.starting = false;
            self.perform(vec![Effect::Execute("quit".to_owned())]);
            return;
        }
        self.starting = is_starting(self.controller.state());
    }

    fn wake(&self) -> Option<Instant> {
        let patience = self.asked_to_end.map(|since| since + PATIENCE);
        let settles = Some(self.settles_at).filter(|at| !self.row.is_open() && *at > Instant::now());
        [self.controller.next_deadline(), self.next_news(), settles, patience, self.view_wake]
            .into_iter()
            .flatten()
            .min()
    }
}
