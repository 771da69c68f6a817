//! Watches an unattended job, and reports it when there is an occasion.

use super::acts::{Act, Acts, ReportStep};
use super::occasion::{Seen, ended_differently, in_words, low_byte, reason, status_of_ranks};
use super::options::Plan;
use super::output::write_output;
use super::signals::{Signals, ends};
use super::silence::Silence;
use crate::batch::runner::status;
use crate::complaint::{complain, note};
use crate::files::Files;
use crate::link::SessionLink;
use controller::report::{Content, Report, text_lines};
use controller::state::Phase;
use controller::{CommandId, Controller, ReportOrder, Verdict, Why};
use model::ProcessSet;
use protocol::Reply;
use std::time::{Duration, Instant};
use tokio::time::sleep_until;

/// Exit status if a report could not be written.
pub const NOT_WRITTEN: u8 = 6;
/// Ranks that exit at different times may exit alike.
const GRACE: Duration = Duration::from_secs(1);
/// How long to wait for the session to end in order.
const END_LIMIT: Duration = Duration::from_secs(15);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Starting,
    Running,
    /// The session is to end by this time.
    Ending(Instant),
}

/// The decline of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Well,
    /// Ranks have failed and are reported: what follows is the end of the others.
    Falling,
    /// A signal to end was passed on.
    Told,
}

/// The reports so far.
#[derive(Debug, Default)]
struct Reports {
    /// The number of the last one.
    number: u32,
    /// Its text was printed: with core files it is written twice.
    is_printed: bool,
    count: u32,
    /// One could not be written.
    failed: bool,
}

pub(super) struct Watch {
    controller: Controller,
    link: SessionLink,
    plan: Plan,
    /// A launcher starts the ranks, and writes their output.
    has_launcher: bool,
    connected: bool,
    files: Files,
    stage: Stage,
    acts: Acts,
    current: Option<CommandId>,
    pause: Option<Instant>,
    /// The time of the report that the end of the job asks for.
    due: Option<Instant>,
    /// The ranks that exited unlike others were seen at this time.
    odd_since: Option<Instant>,
    fate: Fate,
    silence: Silence,
    why: Option<Why>,
    /// Ranks that do not stop, with the reason.
    unstoppable: Vec<(ProcessSet, String)>,
    reports: Reports,
    status: Option<u8>,
}

impl Watch {
    pub(super) fn new(controller: Controller, link: SessionLink, plan: Plan, has_launcher: bool) -> Self {
        let now = Instant::now();
        Self {
            controller,
            link,
            due: plan.due.map(|due| now + due),
            plan,
            has_launcher,
            connected: true,
            files: Files::default(),
            stage: Stage::Starting,
            acts: Acts::default(),
            current: None,
            pause: None,
            odd_since: None,
            fate: Fate::Well,
            silence: Silence::begin(now),
            why: None,
            unstoppable: Vec::new(),
            reports: Reports::default(),
            status: None,
        }
    }

    /// Watches until the job has ended; returns the exit status.
    pub(super) async fn run(mut self, mut signals: Signals) -> u8 {
        loop {
            self.exchange();
            if self.is_over() {
                break;
            }
            let wake = self.wake();
            tokio::select! {
                reply = self.link.next(), if self.connected => self.take_in(reply),
                name = signals.next() => self.signalled(name),
                () = sleep_until(wake.unwrap_or_else(Instant::now).into()), if wake.is_some() => {
                    while self.connected && let Some(reply) = self.link.ready() {
                        self.take_in(Some(reply));
                    }
                    self.controller.tick();
                }
            }
        }
        match (self.reports.failed, self.status) {
            (true, _) => NOT_WRITTEN,
            (false, Some(status)) => {
                if self.reports.count == 0 {
                    note(&format!("rankscope: nothing to report: the job ended with status {status}"));
                }
                status
            }
            (false, None) => status::FAILED,
        }
    }

    fn wake(&self) -> Option<Instant> {
        let ending = match self.stage {
            Stage::Ending(limit) => Some(limit),
            Stage::Starting | Stage::Running => None,
        };
        let odd = self.odd_since.filter(|_| self.fate == Fate::Well).map(|since| since + GRACE);
        let own = [self.controller.next_deadline(), self.pause, ending, odd, self.due, self.next_look()];
        own.into_iter().flatten().min()
    }

    fn next_look(&self) -> Option<Instant> {
        let idle = self.plan.idle.filter(|_| self.is_watching())?;
        self.silence.next_look(idle)
    }

    fn is_watching(&self) -> bool {
        self.stage == Stage::Running && self.acts.is_empty() && self.current.is_none() && self.pause.is_none()
    }

    fn take_in(&mut self, reply: Option<Result<Reply, String>>) {
        match reply {
            Some(Ok(reply)) => self.controller.receive(reply),
            Some(Err(why)) => {
                self.connected = false;
                self.controller.disconnected(&why);
            }
            None => self.connected = false,
        }
    }

    /// Sends requests, takes reports, and takes every step that is possible now.
    fn exchange(&mut self) {
        loop {
            self.files.serve(&mut self.controller);
            for request in self.controller.take_requests() {
                self.link.send(request);
            }
            for report in self.controller.take_reports() {
                self.take(report);
            }
            if !self.advance(Instant::now()) {
                return;
            }
        }
    }

    fn take(&mut self, report: Report) {
        let command = report.origin.as_ref().map(|origin| origin.id);
        match report.content {
            Content::Done { .. } if command.is_some() && command == self.current => self.current = None,
            Content::Output(ranks, stream, text) => {
                self.moved();
                if !self.has_launcher {
                    write_output(&ranks, stream, &text);
                }
            }
            Content::Why(why) => self.why = Some(why),
            Content::Written(_) => {
                if !std::mem::replace(&mut self.reports.is_printed, true) {
                    text_lines(&report).iter().for_each(|line| note(line));
                }
                self.reports.count += 1;
            }
            Content::Error { message, .. } if report.origin.is_some_and(|origin| &*origin.line == "report") => {
                complain(&message);
                self.reports.failed = true;
            }
            Content::Error { ranks, message, .. } if self.stage == Stage::Running && !ranks.is_empty() => {
                self.unstoppable.push((ranks, message));
            }
            Content::LauncherOutput(text) if self.stage == Stage::Starting => note(&text),
            _ => {}
        }
    }

    /// Something has moved: the job does not hang.
    fn moved(&mut self) {
        self.silence = Silence::begin(Instant::now());
    }

    /// Takes a step; false if there is nothing to do now.
    fn advance(&mut self, now: Instant) -> bool {
        if self.pause.is_some_and(|until| until <= now) {
            self.pause = None;
        }
        if self.current.is_some() || self.pause.is_some() || matches!(self.stage, Stage::Ending(_)) {
            return false;
        }
        match self.controller.state().phase.clone() {
            Phase::Failed(why) => {
                complain(&why);
                if self.stage == Stage::Running && self.reports.count == 0 {
                    while self.acts.next().is_some() {}
                    self.acts.report_end(why);
                    while let Some(act) = self.acts.next() {
                        self.begin(act, now);
                    }
                    self.status = Some(status::FAILED);
                } else {
                    let of_launcher = self.controller.state().launcher_ended.map(low_byte);
                    self.status = Some(match self.stage {
                        Stage::Starting => of_launcher.unwrap_or(status::NO_SESSION),
                        Stage::Running | Stage::Ending(_) => status::FAILED,
                    });
                }
                self.end(now);
                return true;
            }
            Phase::Live if self.stage == Stage::Starting => {
                self.stage = Stage::Running;
                self.silence = Silence::begin(now);
                self.acts.prepare();
                return true;
            }
            Phase::Live => {}
            _ => return false,
        }
        match self.acts.next() {
            Some(act) => {
                self.begin(act, now);
                true
            }
            None => self.watch(now),
        }
    }

    /// Looks for an occasion; true if there is one.
    fn watch(&mut self, now: Instant) -> bool {
        let state = self.controller.state();
        let seen = Seen::of(state);
        let cores = self.plan.cores;
        if !seen.failed.is_empty() && self.fate == Fate::Well {
            let words = reason(state, &seen.failed);
            self.fate = Fate::Falling;
            self.acts.report_failure(words, cores);
            return true;
        }
        if !seen.told.is_empty() && self.fate == Fate::Well {
            let words = reason(state, &seen.told);
            self.fate = Fate::Falling;
            self.acts.report_failure(words, cores);
            return true;
        }
        if ProcessSet::all(state.size()).is_subset(&state.ranks.ended()) {
            return self.all_ended(now, &seen);
        }
        if !seen.odd.is_empty() && self.fate == Fate::Well {
            let since = *self.odd_since.get_or_insert(now);
            if now >= since + GRACE {
                let words = reason(state, &seen.odd);
                self.fate = Fate::Falling;
                self.acts.report_failure(words, cores);
                return true;
            }
        }
        let passing = if self.fate == Fate::Well { seen.passing.clone() } else { seen.stopped() };
        if !passing.is_empty() {
            self.execute(&format!("[{passing}] go"));
            return true;
        }
        if self.due.is_some_and(|due| due <= now) {
            self.due = None;
            self.acts.report_and_go_on("the job's time is nearly over".to_owned(), cores);
            return true;
        }
        if self.next_look().is_some_and(|time| time <= now) {
            if self.silence.look() {
                self.acts.second_look();
            } else {
                self.acts.first_look();
            }
            return true;
        }
        false
    }

    /// Handles the end of all ranks; a launcher may have more to do. True if something follows.
    fn all_ended(&mut self, now: Instant, seen: &Seen) -> bool {
        let state = self.controller.state();
        if !seen.odd.is_empty() && self.fate == Fate::Well && ended_differently(state) {
            let words = reason(state, &seen.odd);
            self.fate = Fate::Falling;
            self.acts.report_end(words);
            return true;
        }
        let status = match (self.has_launcher, state.launcher_ended) {
            (true, None) => return false,
            (true, Some(code)) => low_byte(code),
            (false, _) => status_of_ranks(state),
        };
        self.status = Some(status);
        self.end(now);
        true
    }

    fn begin(&mut self, act: Act, now: Instant) {
        let seen = Seen::of(self.controller.state());
        match act {
            Act::Halt if seen.running.is_empty() => {}
            Act::Halt => {
                self.unstoppable.clear();
                self.execute(&format!("[{}] halt", seen.running));
            }
            Act::Insist if seen.running.is_empty() => {}
            Act::Insist => self.execute(&format!("[{}] halt", seen.running)),
            Act::Look if seen.stopped().is_empty() => {}
            Act::Look => self.execute("[all] why"),
            Act::Report(ReportStep { reason, cores, number }) => {
                let mut directory = self.plan.directory.clone();
                if number > 1 {
                    // An earlier report stays as it is.
                    directory.push(number.to_string());
                }
                if std::mem::replace(&mut self.reports.number, number) != number {
                    self.reports.is_printed = false;
                }
                let directory = Some(model::raw_text(directory.as_os_str()));
                self.current = Some(self.controller.write_report(ReportOrder {
                    directory,
                    reason,
                    unknown: self.unstoppable.clone(),
                    cores,
                }));
            }
            Act::ResumeHalted if seen.halted.is_empty() => {}
            Act::ResumeHalted => self.execute(&format!("[{}] go", seen.halted)),
            Act::ResumeAll if seen.stopped().is_empty() => {}
            Act::ResumeAll => self.execute(&format!("[{}] go", seen.stopped())),
            Act::Signal(name) => {
                let stopped = seen.stopped();
                if !stopped.is_empty() {
                    self.execute(&format!("[{stopped}] signal {name}"));
                }
            }
            Act::Set(line) => self.execute(line),
            Act::Pause(time) => self.pause = Some(now + time),
            Act::IfStuck => self.judge(),
        }
    }

    /// Reports the job if nothing has moved between two looks; else it goes on unobserved for a while.
    fn judge(&mut self) {
        let state = self.controller.state();
        let alive = ProcessSet::all(state.size()).difference(&state.ranks.ended());
        let unmoved = &state.unmoved;
        let found = self.why.as_ref().map(|why| (why.verdict, why.guilty.clone()));
        let (verdict, guilty) = found.unwrap_or((Verdict::None, ProcessSet::new()));
        let is_stuck = !unmoved.is_empty() && alive.is_subset(&unmoved.union(&guilty));
        if !is_stuck {
            self.moved();
            return;
        }
        let time = words_of(self.plan.idle.unwrap_or_default());
        let reason = format!("nothing has moved for {time}: {}", in_words(verdict, &guilty));
        self.silence.is_reported();
        self.acts.report_and_go_on(reason, self.plan.cores);
    }

    fn execute(&mut self, line: &str) {
        self.current = Some(self.controller.execute(line));
    }

    fn signalled(&mut self, name: &'static str) {
        let is_final = ends(name);
        match self.stage {
            // During the start it waits for the ranks.
            Stage::Running | Stage::Starting if !is_final => {
                self.acts.report_and_go_on(format!("{name} was sent to rankscope triage"), self.plan.cores);
            }
            Stage::Running if self.fate != Fate::Told => {
                self.fate = Fate::Told;
                let reason = format!("{name} was sent to rankscope triage");
                self.acts.report_and_end(reason, self.plan.cores, name);
            }
            Stage::Running | Stage::Starting if is_final => {
                complain(&format!("{name}: killing the job"));
                self.status = Some(match name {
                    "SIGHUP" => 129,
                    "SIGINT" => 130,
                    _ => 143,
                });
                self.end(Instant::now());
            }
            Stage::Running | Stage::Starting | Stage::Ending(_) => {}
        }
    }

    fn end(&mut self, now: Instant) {
        self.stage = Stage::Ending(now + END_LIMIT);
        self.controller.end_session();
    }

    fn is_over(&self) -> bool {
        match self.stage {
            Stage::Ending(_) if !self.connected => self.current.is_none(),
            Stage::Ending(limit) => limit <= Instant::now() || self.controller.state().phase == Phase::Ended,
            Stage::Starting | Stage::Running => false,
        }
    }
}

fn words_of(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds >= 120 && seconds % 60 == 0 => format!("{} minutes", seconds / 60),
        seconds => format!("{seconds} s"),
    }
}
