//! The loop of a rank's thread: orders of the hub, and news of gdb.

use super::handover::GivenUp;
use super::state::Debuggee;
use crate::Keeper;
use crate::gdb::inferior::program_file::program_in;
use crate::gdb::inferior::state::Phase;
use crate::gdb::messages::Order;
use crate::gdb::mi::{Command, Kind, Results};
use crate::gdb::reporter::End;
use crate::gdb::session::fault::{GdbError, failure};
use crate::gdb::session::link::{News, Next};
use crate::gdb::stepping::Goal;
use crate::process::process_facts::facts_answer;
use crate::process::procfs::limits_answer;
use crate::remains::LeftProgram;
use model::{
    Answer, Context, ErrorCode, Event, Failure, Follow, Operation, Point, RunSettings, Severity, StopAt, TransactionId,
};
use std::time::Duration;

/// Interval without news after which the program's process is checked.
const LOOK: Duration = Duration::from_secs(1);

impl Debuggee {
    /// Runs until the program or its gdb ends.
    pub(super) fn run(mut self) {
        let mut end = loop {
            let heard = match self.gdb.next(LOOK) {
                Next::News(news) => self.hear(news),
                Next::Order(Order::Query(tid, operation)) => self.query(tid, &operation),
                Next::Order(Order::Shutdown(kill)) => break self.leave(kill),
                Next::Order(Order::GiveAway(reply)) => match self.give_away() {
                    Ok(handed) => {
                        let Self { reporter, gdb, .. } = self;
                        return reporter.hand_over(handed, Keeper::of(gdb), reply);
                    }
                    Err(GivenUp::Stays(failure)) => {
                        let _ = reply.send(Err(failure));
                        Ok(())
                    }
                    Err(GivenUp::Gone(error)) => {
                        let _ = reply.send(Err(Failure::new(ErrorCode::NO_BACK_END, error.to_string())));
                        Err(self.lost(&error))
                    }
                },
                Next::Quiet => match self.inferior.missed_end(&mut self.gdb) {
                    Ok(end) => end.map_or(Ok(()), Err),
                    Err(gone) => Err(self.lost(&gone)),
                },
                Next::Gone(error) => Err(self.lost(&error)),
            };
            if let Err(end) = heard {
                break end;
            }
        };
        let Self { reporter, mut gdb, mut startup, inferior, spec, .. } = self;
        if let End::Killed(termination) = &mut end {
            inferior.memory_kills().explain(termination);
        }
        startup.answer_joiner(Err("its gdb could not attach to it".to_owned()));
        // A gdb that is gone cannot say it.
        let files = gdb.ask(&Command::console("info files")).ok();
        if let Some((path, entry)) = files.and_then(|answered| program_in(&answered.words)) {
            reporter.leave(LeftProgram { path, entry, spec, end: end.number() });
        }
        drop(gdb);
        reporter.end(end);
    }

    /// Handles the end of gdb. A program that was started here is killed, since its code may hold breakpoints that
    /// nothing handles any more; one that was attached to is not ours to kill.
    pub(super) fn lost(&mut self, error: &GdbError) -> End {
        if self.inferior.guest().is_none() {
            self.inferior.kill();
        }
        End::Lost(error.to_string())
    }

    fn query(&mut self, tid: TransactionId, operation: &Operation) -> Result<(), End> {
        if let Operation::Sample(_) = operation
            && !self.inferior.is_stopped()
        {
            let why = "gdb looks only at stopped ranks, and would end a step to stop this one: halt it, and use where";
            self.reporter.answer(tid, Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, why)));
            return Ok(());
        }
        let operation = operation.sampled().unwrap_or(operation);
        if operation.needs_stop() && !self.inferior.is_stopped() {
            let failure = Failure::new(ErrorCode::RUNNING, "The rank is running; interrupt it first.");
            self.reporter.answer(tid, Answer::Failed(failure));
            return Ok(());
        }
        let outcome = if operation.is_run_control() {
            self.reporter.report_under(tid);
            self.control(operation)
        } else {
            self.inspect(operation)
        };
        let (answer, gone) = match outcome {
            Ok(answer) => (answer, None),
            Err(GdbError::Refused(message)) => (Answer::Failed(failure(&message)), None),
            Err(GdbError::Gone(message)) => {
                let answer = Answer::Failed(Failure::new(ErrorCode::NO_BACK_END, message.clone()));
                (answer, Some(GdbError::Gone(message)))
            }
        };
        self.reporter.answer(tid, answer);
        if let Some(error) = gone {
            return Err(self.lost(&error));
        }
        self.ending.take().map_or(Ok(()), Err)
    }

    /// Carries out an operation that does not resume the rank.
    fn inspect(&mut self, operation: &Operation) -> Result<Answer, GdbError> {
        let Self { gdb, inferior, values, breakpoints, reporter, signals, startup, .. } = self;
        match operation {
            Operation::SetBreakpoint(request)
                if matches!(request.point, Point::Watch(_)) && !inferior.is_stopped() && !startup.is_done() =>
            {
                Ok(breakpoints.watch_from_start(values, request))
            }
            Operation::SetBreakpoint(request) => breakpoints.set(gdb, inferior, values, reporter, request),
            Operation::QueueSignal(thread, name) => signals.queue(gdb, inferior, *thread, name.as_ref()),
            Operation::DeleteBreakpoint(id) => breakpoints.delete(gdb, *id),
            Operation::EnableBreakpoint(id, enabled) => breakpoints.enable(gdb, *id, *enabled),
            Operation::SetCondition(id, condition) => {
                let (answer, moved) = breakpoints.set_condition(gdb, inferior, reporter, *id, condition.as_deref())?;
                self.libraries.note_moved(moved);
                Ok(answer)
            }
            Operation::SetIgnore(id, count) => breakpoints.set_ignore(gdb, *id, *count),
            Operation::HandleSignal { name, stop, print, pass } => signals.handle(gdb, name, *stop, *print, *pass),
            Operation::ListSignals(which) => Ok(signals.list(which.as_ref())),
            Operation::Libraries => self.libraries.list(gdb, inferior),
            Operation::Limits => Ok(inferior.pid().map_or_else(|| Answer::Limits(Vec::new()), limits_answer)),
            Operation::ProcessFacts(part) => {
                let ended = || Answer::Failed(Failure::new(ErrorCode::NOT_RUN, "The program is not being run."));
                Ok(inferior.pid().map_or_else(ended, |pid| facts_answer(pid, *part)))
            }
            Operation::Configure(settings) => self.configure(settings),
            Operation::Reevaluate => self.reevaluate(),
            Operation::WriteCore(directory) => self.write_core(directory),
            Operation::Engine(text) => self.engine(text),
            other => self.inspector().answer(other),
        }
    }

    fn configure(&mut self, settings: &RunSettings) -> Result<Answer, GdbError> {
        let before = std::mem::replace(&mut self.spec.settings, settings.clone());
        self.values.set_limits(&mut self.gdb, settings.print)?;
        if self.inferior.is_stopped() {
            self.watch_libraries(Goal::Go)?;
        }
        if before.printers != settings.printers && !settings.printers.is_empty() {
            let why = "gdb shows values with its own pretty-printers; \"engine source FILE.py\" loads others";
            return Ok(Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, why)));
        }
        Ok(Answer::Ok)
    }

    /// Runs gdb's own command and returns its output.
    fn engine(&mut self, text: &str) -> Result<Answer, GdbError> {
        if self.inferior.is_stopped() {
            self.inferior.select(&mut self.gdb, Context::default())?;
        }
        let answered = self.gdb.ask(&Command::console(text))?;
        if answered.class == "running" {
            self.resumed(Goal::Go, Command::new("exec-continue"));
        }
        Ok(Answer::Text(answered.words.trim_end().to_owned()))
    }

    /// Handles news of gdb; returns the rank's end as an error.
    fn hear(&mut self, news: News) -> Result<(), End> {
        match news {
            News::Words(_, text) => {
                for event in self.signals.seen_in(&text) {
                    self.reporter.event(event);
                }
                self.words.push(&text);
                Ok(())
            }
            News::Async(Kind::Exec, class, results) if class == "stopped" => {
                let stopped = self.stopped(&results);
                self.words.clear();
                stopped
            }
            News::Async(Kind::Exec, class, _) if class == "running" => {
                self.words.clear();
                Ok(())
            }
            News::Async(Kind::Notify, class, results) => {
                match class.as_str() {
                    "thread-group-started" => self.has_process(&results),
                    "breakpoint-modified" => self.breakpoint_modified(&results),
                    "library-loaded" => self.library_changed(true, &results),
                    "library-unloaded" => self.library_changed(false, &results),
                    _ => {}
                }
                Ok(())
            }
            News::Async(..) => Ok(()),
        }
    }

    /// gdb has a new process: the first one, or the child of a fork.
    fn has_process(&mut self, results: &Results) {
        let told = results.number("pid").map(|pid| pid as i32);
        let Some(parent) = self.inferior.pid() else {
            let pid = told.unwrap_or(0);
            self.inferior.becomes(pid);
            self.reporter.event(Event::Acquired { pid: pid as u32 });
            if self.startup.is_done() || self.spec.stop_at == StopAt::Nowhere {
                self.reporter.event(Event::Running);
            }
            return;
        };
        let Some(child) = told.filter(|_| self.spec.settings.follow == Follow::Child) else { return };
        self.inferior.becomes(child);
        let message = format!("now debugging child process {child}; parent process {parent} runs free");
        self.reporter.event(Event::Message(Severity::Note, message));
    }

    pub(super) fn breakpoint_modified(&mut self, results: &Results) {
        if let Some(bkpt) = results.inside("bkpt") {
            let moved = self.breakpoints.modified(&mut self.inferior, &self.reporter, bkpt);
            self.libraries.note_moved(moved);
        }
    }

    fn library_changed(&mut self, loaded: bool, results: &Results) {
        self.inferior.modules().forget();
        let mode = self.spec.settings.libraries.mode();
        let is_running = self.inferior.phase() == Phase::Running;
        if let Some(event) = self.libraries.changed(loaded, results, mode, is_running) {
            self.reporter.event(event);
        }
    }
}
