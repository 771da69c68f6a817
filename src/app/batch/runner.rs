//! Runs a script without a screen: one command after another, each result printed when it is complete.

use super::script::Script;
use crate::complaint::{complain, note};
use crate::ending_signals::EndingSignals;
use crate::files::Files;
use crate::link::SessionLink;
use crate::reverse::{RequestNews, RequestWatcher};
use controller::report::{Coalescer, Content, KnownToRun, Report, json_lines, raw_text_lines, text_lines};
use controller::state::{Phase, StateKind};
use controller::{CommandId, Controller};
use model::{ProcessSet, Severity};
use protocol::Reply;
use std::{
    io::Write,
    time::{Duration, Instant},
};
use tokio::time::sleep_until;

/// Reports that answer no command are held this long, so that equal lines of different ranks are merged.
const TOLD_AFTER: Duration = Duration::from_secs(1);
/// How long to wait for the session to end in order.
const END_LIMIT: Duration = Duration::from_secs(15);

/// How reports are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Text whose control characters are replaced.
    #[default]
    Text,
    /// Text as the ranks wrote it.
    RawText,
    /// One JSON object per line.
    Json,
}

/// Options of a script run.
#[derive(Clone, Debug, Default)]
pub struct BatchOptions {
    /// How results and events are printed.
    pub format: Format,
    /// Go on after a failed command.
    pub keep_going: bool,
    /// Time limit for the whole script.
    pub timeout: Option<Duration>,
    /// Ranks run from the start: do not wait until they stop.
    pub running_start: bool,
    /// The session existed before the script, and stays after it.
    pub leave: bool,
}

/// Exit statuses of a batch (command page).
pub mod status {
    /// All commands succeeded.
    pub const OK: u8 = 0;
    /// A command failed, or the session was lost.
    pub const FAILED: u8 = 1;
    /// Wrong usage, such as an unknown option or a script that cannot be read.
    pub const USAGE: u8 = 2;
    /// The time limit passed.
    pub const TIMEOUT: u8 = 3;
    /// The session could not be started.
    pub const NO_SESSION: u8 = 4;
}

pub(super) enum Step {
    /// Starting the job and waiting for its first stops.
    Start,
    Line,
    Command(CommandId),
    /// The time is over: "why" says what the ranks wait for.
    LastLook(CommandId),
    /// Ending the session after the last command.
    End,
}

pub(super) struct Runner<W> {
    pub(super) controller: Controller,
    link: SessionLink,
    watcher: RequestWatcher,
    pub(super) connected: bool,
    pub(super) options: BatchOptions,
    out: W,
    held: Coalescer,
    known_to_run: KnownToRun,
    files: Files,
    pub(super) step: Step,
    pub(super) status: u8,
    /// Since the last command, a rank has stopped because a condition could not be evaluated, or a command that ran by
    /// itself has failed.
    failed_aside: bool,
    ending: bool,
    /// The deadline of the script, or of its end.
    pub(super) limit: Option<Instant>,
}

/// Runs a script in a connected session and ends the session in order; returns the exit status.
pub async fn run(
    controller: Controller,
    link: SessionLink,
    watcher: RequestWatcher,
    script: Script,
    options: BatchOptions,
    out: impl Write,
) -> u8 {
    // Without a job the script starts at once.
    let step = if controller.state().phase == Phase::Idle { Step::Line } else { Step::Start };
    let held = match options.format {
        Format::Json => Coalescer::by_value(),
        Format::Text | Format::RawText => Coalescer::default(),
    };
    let runner = Runner {
        controller,
        link,
        watcher,
        connected: true,
        options,
        out,
        held,
        known_to_run: KnownToRun::default(),
        files: Files::default(),
        step,
        status: status::OK,
        failed_aside: false,
        ending: false,
        limit: None,
    };
    runner.run(script).await
}

impl<W: Write> Runner<W> {
    async fn run(mut self, mut script: Script) -> u8 {
        let begun = Instant::now();
        self.limit = self.options.timeout.map(|timeout| begun + timeout);
        let mut signals = EndingSignals::listen();
        loop {
            self.exchange();
            if self.over(self.connected) {
                break;
            }
            let wake = [self.controller.next_deadline(), self.held.since().map(|since| since + TOLD_AFTER), self.limit];
            let wake = wake.into_iter().flatten().min();
            tokio::select! {
                reply = self.link.next(), if self.connected => self.take_in(reply),
                Some(news) = self.watcher.next() => self.take_news(news),
                Some(ended) = self.files.shells.next() => ended.tell(&mut self.controller),
                next = script.next(), if matches!(self.step, Step::Line) => match next {
                    Some(statement) => {
                        let id = self.controller.run(statement);
                        self.step = Step::Command(id);
                    }
                    None => {
                        self.say_what_runs();
                        self.end();
                    }
                },
                number = signals.next() => {
                    self.status = 128 + number;
                    self.say_what_remains(number);
                    self.end();
                }
                () = sleep_until(wake.unwrap_or(begun).into()), if wake.is_some() => {
                    let now = Instant::now();
                    // The process was suspended: its replies are waiting, so none of them was too late.
                    if self.connected {
                        self.take_ready();
                    }
                    self.controller.tick();
                    if self.held.since().is_some_and(|since| since + TOLD_AFTER <= now) {
                        self.tell_held();
                    }
                    if self.limit.is_some_and(|limit| limit <= now) {
                        if self.ending {
                            complain(&format!("the session did not end within {} s", END_LIMIT.as_secs()));
                            self.say_how_to_end();
                            break;
                        }
                        self.time_is_over();
                    }
                }
            }
            if !self.connected && !self.ending && self.controller.state().phase != Phase::Idle {
                self.lost("the session has ended");
            }
        }
        self.tell_held();
        self.status
    }

    fn take_in(&mut self, reply: Option<Result<Reply, String>>) {
        match reply {
            Some(Ok(reply)) => self.controller.receive(reply),
            Some(Err(why)) => {
                self.connected = false;
                if self.controller.state().phase != Phase::Idle {
                    self.lost(&why);
                }
            }
            None => self.connected = false,
        }
    }

    /// Processes the replies that have arrived.
    fn take_ready(&mut self) {
        while self.connected
            && let Some(reply) = self.link.ready()
        {
            self.take_in(Some(reply));
        }
    }

    /// Reports that a signal ends the script, and what becomes of the job.
    fn say_what_remains(&self, number: u8) {
        if self.ending {
            return;
        }
        let name = match number {
            1 => "SIGHUP",
            2 => "SIGINT",
            _ => "SIGTERM",
        };
        if self.options.leave {
            complain(&format!("{name}: script interrupted"));
            self.say_how_to_end();
        } else {
            complain(&format!("{name}: script interrupted, killing its job"));
        }
    }

    /// Reports that the session stays, and how to resume it.
    fn say_how_to_end(&self) {
        if let Some(session) = &self.controller.state().session {
            let id = &session.id;
            complain(&format!(
                "the job is still running as session {id}; to take it back: rankscope resume {id} (\"quit\" there \
                    ends it)"
            ));
        }
    }

    fn take_news(&mut self, news: RequestNews) {
        if let Some(link) = news.told(&mut self.controller, &self.link) {
            self.link = link;
            self.connected = true;
        }
    }

    /// Sends the pending requests and prints the new reports.
    fn exchange(&mut self) {
        let now = Instant::now();
        self.files.serve(&mut self.controller);
        for edit in self.files.take_edits() {
            edit.refuse(&mut self.controller);
        }
        self.watcher.attend(&mut self.controller);
        self.send();
        let mut finished = None;
        for report in self.controller.take_reports() {
            if let (Some(origin), Content::Done { failed, .. }) = (&report.origin, &report.content)
                && matches!(self.step, Step::Command(id) | Step::LastLook(id) if id == origin.id)
            {
                finished = Some(*failed);
            }
            self.take(report, now);
        }
        match (&self.step, finished) {
            (Step::Command(_), Some(failed)) => {
                self.step = Step::Line;
                let failed = failed || std::mem::take(&mut self.failed_aside);
                if failed {
                    self.status = status::FAILED;
                }
                if failed && !self.options.keep_going || self.controller.state().phase == Phase::Ended {
                    self.end();
                }
            }
            (Step::LastLook(_), Some(_)) => self.end(),
            (Step::Start, _) if self.ready() => {
                self.tell_held();
                self.step = Step::Line;
                let state = self.controller.state();
                let all = ProcessSet::all(state.size());
                if all.is_subset(&state.ranks.absent()) {
                    self.status = status::NO_SESSION;
                    self.end();
                }
            }
            _ => {}
        }
    }

    /// True if every rank is in a state in which the script can start.
    fn ready(&self) -> bool {
        let state = self.controller.state();
        if state.phase != Phase::Live {
            return false;
        }
        let waited_for = if self.options.running_start {
            state.ranks.of_kind(StateKind::Starting).clone()
        } else {
            let arrived = state.ranks.ended().union(state.ranks.stopped());
            ProcessSet::all(state.size()).difference(&arrived)
        };
        waited_for.is_empty()
    }

    fn over(&mut self, connected: bool) -> bool {
        if self.ending && self.options.leave {
            return true;
        }
        match &self.controller.state().phase {
            Phase::Failed(why) if matches!(self.step, Step::Start) => {
                complain(why);
                self.status = status::NO_SESSION;
                // The master stays until it is asked to end.
                self.end();
                !connected
            }
            Phase::Ended | Phase::Idle => self.ending,
            _ => self.ending && !connected,
        }
    }

    /// Handles a lost connection, or a session that ended by itself.
    fn lost(&mut self, why: &str) {
        self.controller.disconnected(why);
        if !self.ending {
            complain(why);
            self.status = if matches!(self.step, Step::Start) { status::NO_SESSION } else { status::FAILED };
        }
        self.ending = true;
        self.step = Step::End;
    }

    /// Ends the script, whatever the reason: the ranks are killed, and their later events are not printed.
    pub(super) fn end(&mut self) {
        if self.ending {
            return;
        }
        self.tell_held();
        self.ending = true;
        self.step = Step::End;
        self.limit = Some(Instant::now() + END_LIMIT);
        if self.options.leave {
            return;
        }
        self.controller.end_session();
        self.send();
    }

    fn send(&mut self) {
        for request in self.controller.take_requests() {
            self.link.send(request);
        }
    }

    fn take(&mut self, report: Report, now: Instant) {
        self.failed_aside |= self.fails_aside(&report);
        let is_output = matches!(report.content, Content::Output(..) | Content::LauncherOutput(_));
        let quiet = self.ending && !is_output && !matches!(report.content, Content::Error { .. });
        // The reason why there is no session goes to standard error; printing it as text would repeat it.
        let twice = matches!(&report.content, Content::Message(Severity::Error, ranks, _) if ranks.is_empty());
        let starting = self.options.format != Format::Json && matches!(self.step, Step::Start);
        let twice = twice && starting;
        if quiet || twice || self.hidden(&report.content) {
            return;
        }
        // What a launcher prints during the start goes to standard error, next to the reason for a failure.
        match &report.content {
            Content::LauncherOutput(text) if starting => return note(text),
            Content::Message(Severity::Note, ranks, text) if starting && ranks.is_empty() => return note(text),
            _ => {}
        }
        if report.origin.is_none() {
            self.held.push(report, now);
            return;
        }
        self.tell_held();
        self.tell(&report);
    }

    /// True for the failure of a command that is not one of the script's, and for a condition that cannot be evaluated.
    fn fails_aside(&self, report: &Report) -> bool {
        match (&report.content, &report.origin) {
            (Content::Stopped(_, stop), _) => stop.is_for_unclear_condition(),
            (Content::Done { failed: true, .. }, Some(origin)) => {
                origin.parent.is_none() && !matches!(self.step, Step::Command(id) if id == origin.id)
            }
            _ => false,
        }
    }

    /// True for output of ranks that the user has hidden.
    fn hidden(&self, content: &Content) -> bool {
        match (content, &self.controller.state().output_of) {
            (Content::Output(ranks, ..), Some(wanted)) => !ranks.meets(wanted),
            _ => false,
        }
    }

    pub(super) fn tell_held(&mut self) {
        for report in self.held.take() {
            self.tell(&report);
        }
    }

    fn tell(&mut self, report: &Report) {
        if self.known_to_run.says_again(report) && self.options.format != Format::Json {
            return;
        }
        let lines = match self.options.format {
            Format::Json => json_lines(report),
            Format::RawText => raw_text_lines(report),
            Format::Text => text_lines(report),
        };
        if let Err(why) = self.files.record(lines.iter().map(String::as_str)) {
            complain(&why);
        }
        if self.files.redirects() {
            return;
        }
        let text: String = lines.into_iter().map(|line| line + "\n").collect();
        let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        if written.is_err() && !self.ending {
            // Nobody reads the output any more: only the session remains to be ended.
            self.status = status::FAILED;
            self.end();
        }
    }
}
