//! Stops that gdb reports: their reasons, and those that are not passed on.

use super::state::Debuggee;
use crate::causes::explain::signal_of;
use crate::gdb::breakpoints::points::watch_number;
use crate::gdb::inferior::state::Phase;
use crate::gdb::inspect::failed_thread::cause_of_signal;
use crate::gdb::libraries::LibraryStop;
use crate::gdb::mi::Results;
use crate::gdb::reporter::End;
use crate::gdb::session::device_focus::DeviceFocus;
use crate::gdb::session::fault::GdbError;
use crate::gdb::startup::first_stop::Attached;
use crate::gdb::stepping::{Goal, Silent};
use model::{Answer, BreakpointId, Caught, Cause, CauseKind, Event, SignalName, Stop, StopReason};

/// The reason of a stop, with a note.
type Reason = (StopReason, Option<String>);

impl Debuggee {
    /// Handles `*stopped`: the rank has stopped, has ended, or is continued.
    pub(super) fn stopped(&mut self, results: &Results) -> Result<(), End> {
        let results = &last_reason(results);
        let reason = results.text("reason").unwrap_or_default();
        if reason.starts_with("exited") {
            self.breakpoints.tell_counts(&self.reporter, None);
        }
        match reason {
            "exited-normally" => return Err(End::Exited(0)),
            "exited" => {
                let code = results.text("exit-code").and_then(|digits| i32::from_str_radix(digits, 8).ok());
                return Err(End::Exited(code.unwrap_or(-1)));
            }
            "exited-signalled" => {
                let name = results.text("signal-name").unwrap_or("SIGKILL");
                let signal = SignalName::parse(name).unwrap_or_else(|| SignalName(name.into()));
                return Err(End::Killed(signal.into()));
            }
            _ => {}
        }
        match self.look_at_stop(reason, results) {
            Ok(()) => Ok(()),
            Err(GdbError::Refused(why)) => {
                self.reporter.warn(format!("gdb cannot continue after a stop: {why}"));
                Ok(())
            }
            Err(gone) => Err(self.lost(&gone)),
        }
    }

    fn look_at_stop(&mut self, reason: &str, results: &Results) -> Result<(), GdbError> {
        let attaching = self.inferior.phase() == Phase::Attaching;
        if attaching && self.inferior.guest().is_none() {
            self.startup.joined(&mut self.gdb, &self.spec)?;
            self.inferior.go(&mut self.gdb)?;
            self.startup.answer_joiner(Ok(()));
            return Ok(());
        }
        self.inferior.stopped(results);
        if attaching {
            return match self.startup.adopted(&mut self.gdb, &self.inferior, &self.spec)? {
                Attached::GoesOn => self.inferior.go(&mut self.gdb),
                Attached::Stops(note) => self.report_stop(StopReason::Attached, note),
            };
        }
        if reason == "exec" {
            return self.has_executed(results);
        }
        if reason == "solib-event" && self.library_stop(results)? {
            return Ok(());
        }
        self.catch_up()?;
        let number = results.number("bkptno").or_else(|| watch_number(results));
        if self.startup.is_first_stop(number, &self.words) {
            self.startup.begun(&mut self.gdb, &self.inferior)?;
            self.signals.note_late_interrupt();
            self.breakpoints.forget_arrivals();
            return self.report_first_stop();
        }
        if self.startup.looks_at(number) {
            if let Some(warning) = self.startup.miss(&mut self.gdb, &self.inferior, &self.spec)? {
                self.reporter.warn(warning);
            }
            return self.inferior.go(&mut self.gdb);
        }
        let Some((reason, note)) = self.reason(reason, number, results)? else { return Ok(()) };
        let focus = DeviceFocus::of(results);
        // As after ctrl-c in gdb's terminal, and with the native engine. A step shows where it has been interrupted.
        if reason == StopReason::Interrupted && note.is_none() && focus.is_none() && self.stepper.goal() == Goal::Go {
            self.inferior.show_first(&mut self.gdb)?;
        }
        let note = note.or_else(|| focus.map(|focus| focus.to_string()));
        if reason != StopReason::Interrupted {
            self.signals.note_late_interrupt();
        }
        self.signals.interrupted();
        self.breakpoints.tell_counts(&self.reporter, Some(&reason));
        // Before the stop, so that its listener already knows which breakpoints are gone.
        let out_of_scope = number.filter(|_| results.text("reason") == Some("watchpoint-scope"));
        self.breakpoints.forget_used_up(&self.reporter, &reason, out_of_scope);
        self.breakpoints.drop_temporary(&mut self.gdb, &self.reporter)?;
        if let StopReason::Signal(name) | StopReason::Caught(_, Caught::Signal(name)) = &reason {
            self.signals.note_undelivered(self.inferior.current(), name);
        }
        let mut stop = self.stop_here(reason, note)?;
        stop.cause = stop.cause.or_else(|| exception_of_gpu(results).map(Box::new));
        self.reporter.event(Event::Stopped(stop));
        self.breakpoints.forget_arrivals();
        Ok(())
    }

    /// Returns the reason of a stop; `None` if the rank should not have stopped and continues.
    fn reason(&mut self, reason: &str, number: Option<u64>, results: &Results) -> Result<Option<Reason>, GdbError> {
        let Self { gdb, inferior, values, breakpoints, reporter, stepper, .. } = self;
        let ours = breakpoints.arrived(number);
        if let Some((id, note)) = breakpoints.reason_among_arrived(gdb, inferior, values, reporter)? {
            let note = note.or_else(|| self.words.condition_error());
            return Ok(Some((self.point_reason(id, results)?, note)));
        }
        let silent = if ours {
            stepper.pass_silently(gdb, inferior)?
        } else if matches!(reason, "function-finished" | "end-stepping-range" | "") && stepper.is_returning() {
            // Of an inlined function, the end is that of a step; of one without debug information, it has no reason.
            stepper.has_returned(gdb, inferior)?
        } else {
            let reason = self.reason_without_point(reason, number, results)?;
            if reason.is_none() {
                self.stepper.go_on(&mut self.gdb, &mut self.inferior)?;
            }
            return Ok(reason);
        };
        Ok(match silent {
            Silent::GoesOn => None,
            Silent::StepEnds => Some((StopReason::Step, None)),
        })
    }

    fn point_reason(&mut self, id: BreakpointId, results: &Results) -> Result<StopReason, GdbError> {
        let Self { gdb, inferior, values, words, .. } = self;
        self.breakpoints.reason(gdb, inferior, values, words, id, results)
    }

    /// Returns the reason of a stop at no breakpoint of the user; `None` if the rank should not have stopped.
    fn reason_without_point(
        &mut self,
        reason: &str,
        number: Option<u64>,
        results: &Results,
    ) -> Result<Option<Reason>, GdbError> {
        Ok(Some(match reason {
            "breakpoint-hit" => {
                (StopReason::Interrupted, Some(format!("gdb's own breakpoint {}", number.unwrap_or(0))))
            }
            "signal-received" => match self.signals.stop_reason(results) {
                Some(reason) => (reason, None),
                None => return Ok(None),
            },
            "function-finished" if self.stepper.goal() == Goal::Finish => {
                let thread = self.inferior.current();
                (StopReason::Finished(self.values.returned(&mut self.gdb, thread, results)?), None)
            }
            // After a function of which gdb knows only the name, the stop has no reason.
            "" if self.stepper.goal() == Goal::Finish => (StopReason::Finished(None), None),
            "end-stepping-range" | "location-reached" | "function-finished" => match self.stepper.goal() {
                Goal::Finish => (StopReason::Finished(None), None),
                _ => (StopReason::Step, None),
            },
            other => (StopReason::Interrupted, self.words.note(other)),
        }))
    }

    fn report_first_stop(&mut self) -> Result<(), GdbError> {
        self.report_stop(StopReason::Start, None)?;
        let Self { gdb, inferior, values, breakpoints, reporter, .. } = self;
        breakpoints.watch_now(gdb, inferior, values, reporter)
    }

    fn report_stop(&mut self, reason: StopReason, note: Option<String>) -> Result<(), GdbError> {
        let stop = self.stop_here(reason, note)?;
        self.reporter.event(Event::Stopped(stop));
        Ok(())
    }

    /// Reports a stop at the current thread's location.
    pub(super) fn stop_here(&mut self, reason: StopReason, note: Option<String>) -> Result<Stop, GdbError> {
        self.inferior.enter(Phase::Stopped);
        let frame = self.inferior.stop_frame(&mut self.gdb)?;
        self.breakpoints.tell_counts(&self.reporter, Some(&reason));
        if self.startup.is_done() {
            self.libraries.note_fixed(&mut self.inferior, self.spec.settings.libraries.mode());
        }
        let user = self.inferior.user_frame(&mut self.gdb, None, &frame, &self.spec.settings.my_code)?;
        let cause = match signal_of(&reason) {
            Some(number) => cause_of_signal(&mut self.gdb, &mut self.inferior, number)?.map(Box::new),
            None => None,
        };
        Ok(Stop { reason, thread: self.inferior.current(), frame, note, cause, user: user.map(Box::new) })
    }

    /// Handles an exec: the process is stopped before the new program's first instruction.
    fn has_executed(&mut self, results: &Results) -> Result<(), GdbError> {
        self.inferior.modules().forget();
        self.libraries.forget(&mut self.gdb)?;
        let is_first = self.startup.executed(&mut self.gdb, &self.inferior, &self.spec)?;
        if !is_first {
            self.reporter.event(Event::Executed(self.inferior.executable().display().to_string()));
        }
        if self.startup.is_here(&mut self.gdb, &self.inferior, &self.spec)? {
            return self.report_first_stop();
        }
        if !is_first && let Some(id) = self.breakpoints.exec_catch() {
            let reason = self.point_reason(id, results)?;
            return self.report_stop(reason, None);
        }
        self.inferior.go(&mut self.gdb)
    }

    pub(super) fn watch_libraries(&mut self, goal: Goal) -> Result<(), GdbError> {
        let mode = self.spec.settings.libraries.mode();
        self.libraries.watch(&mut self.gdb, &self.breakpoints, mode, goal)
    }

    /// Handles a stop for changed libraries; false if it is a catchpoint of the user.
    fn library_stop(&mut self, results: &Results) -> Result<bool, GdbError> {
        match self.libraries.stopped(results, self.spec.settings.libraries.mode()) {
            LibraryStop::NotOurs => return Ok(false),
            LibraryStop::GoesOn => self.stepper.go_on(&mut self.gdb, &mut self.inferior)?,
            LibraryStop::Waits(event) => {
                self.inferior.enter(Phase::Waiting);
                self.reporter.event(event);
            }
        }
        Ok(true)
    }

    /// Loads the libraries and continues, after the front end has received a change.
    pub(super) fn reevaluate(&mut self) -> Result<Answer, GdbError> {
        if self.inferior.phase() == Phase::Waiting {
            self.catch_up()?;
            self.stepper.go_on(&mut self.gdb, &mut self.inferior)?;
        }
        Ok(Answer::Ok)
    }

    /// Loads the symbols that were skipped, and reports breakpoints that find their sites.
    pub(super) fn catch_up(&mut self) -> Result<(), GdbError> {
        if self.libraries.catch_up(&mut self.gdb, &mut self.inferior)? {
            for results in self.gdb.take_modified_breakpoints() {
                self.breakpoint_modified(&results);
            }
        }
        Ok(())
    }
}

/// A signal that did not stop leaves its fields in the record of the next stop: only the last reason's fields count.
fn last_reason(results: &Results) -> Results {
    let reasons = results.0.iter().filter(|(name, _)| name == "reason").count();
    let last = results.0.iter().rposition(|(name, _)| name == "reason");
    let at = last.filter(|_| reasons > 1).unwrap_or(0);
    Results(results.0.get(at..).unwrap_or_default().to_vec())
}

/// Returns the words of an exception of a GPU, as `Warp Illegal Instruction`.
fn exception_of_gpu(stop: &Results) -> Option<Cause> {
    let signal = SignalName(stop.text("signal-name")?.into());
    let text = stop.text("signal-meaning")?.to_owned();
    signal.is_of_gpu().then_some(Cause { kind: CauseKind::CudaException, text, source: None })
}
