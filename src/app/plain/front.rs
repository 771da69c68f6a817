//! The loop of the plain mode.

use super::awaited_text::AwaitedText;
use super::input::{Editing, Input, Typed};
use super::news::News;
use super::options::Options;
use crate::attended::AttendedSession;
use crate::attended::Leave;
use crate::ending_signals::EndingSignals;
use crate::link::SessionLink;
use crate::reverse::RequestWatcher;
use controller::state::RequestId;
use controller::{CommandId, Controller};
use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep_until;
use ui::app::Lines;
use ui::effect::Effect;
use ui::prompt::{EchoedLine, History};

/// How long the first prompt waits for ranks to start.
const STARTING: Duration = Duration::from_secs(5);

pub(super) struct Dialogue {
    pub(super) session: AttendedSession,
    pub(super) lines: Lines,
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
        session: AttendedSession::new(controller, link, watcher, options.one_job),
        lines: Lines::new(options.history.map(History::from_file).unwrap_or_default()),
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
            if self.session.has_nothing() {
                self.perform(vec![Effect::Execute("quit".to_owned())]);
            }
            self.carry_on();
            for edit in self.session.files.take_edits() {
                match input.take() {
                    Some(Input::Keys(keys)) => {
                        let mut keys = Some(keys);
                        edit.run(&mut self.session.controller, |use_it| {
                            keys = keys.take().map(|keys| keys.lend(use_it)).transpose()?;
                            Ok(())
                        })?;
                        *input = keys.map(Input::Keys);
                        signals.forget_interrupt().await;
                    }
                    other => {
                        *input = other;
                        edit.refuse(&mut self.session.controller);
                    }
                }
                self.carry_on();
            }
            if let Some(left) = self.session.is_over(self.lines.app.leaving) {
                self.tell_news();
                return Ok(left);
            }
            if self.is_closed {
                return Ok(self.session.left_alone());
            }
            if let Some(left) = self.take_ahead(input)? {
                return Ok(left);
            }
            self.show_line();
            let Some(source) = input else { return Ok(self.session.left_alone()) };
            let wake = self.wake();
            tokio::select! {
                number = signals.next() => {
                    if number == 2 {
                        self.ahead.clear();
                        self.end_row();
                        let effects = self.lines.interrupt();
                        self.perform(effects);
                    } else {
                        return Ok(self.session.left_alone());
                    }
                }
                typed = source.next() => self.arrived(typed),
                reply = self.session.link.next(), if self.session.linked => self.session.take_in(reply),
                Some(ended) = self.session.files.shells.next() => ended.tell(&mut self.session.controller),
                Some(news) = self.session.watcher.next() => self.session.told(news),
                () = sleep_until(wake.unwrap_or_else(Instant::now).into()), if wake.is_some() => self.session.tick(),
            }
        }
    }

    fn wake(&self) -> Option<Instant> {
        let settles = Some(self.settles_at).filter(|at| !self.row.is_open() && *at > Instant::now());
        [self.session.controller.next_deadline(), self.next_news(), settles, self.session.patience(), self.view_wake]
            .into_iter()
            .flatten()
            .min()
    }
}
