//! What a stop means.

use super::breakpoints::planted::Planted;
use super::breakpoints::points::watch_number;
use super::breakpoints::tracepoints::Silent;
use super::inspect::values::text_datum;
use super::mi::{Command, Results};
use super::session::fault::GdbError;
use super::state::{Begin, Debuggee, End, Goal, Phase};
use model::{Caught, Datum, Event, Frame, SignalName, Stop, StopReason, ThreadId, Watched};

impl Debuggee {
    /// `*stopped`: the rank stopped, or ended, or goes on after all.
    pub(super) fn stopped(&mut self, results: &Results) -> Result<(), End> {
        let results = &last_reason(results);
        let reason = results.text("reason").unwrap_or_default();
        if reason.starts_with("exited") {
            self.tell_counts(None);
        }
        match reason {
            "exited-normally" => return Err(End::Exited(0)),
            "exited" => {
                let code = results.text("exit-code").and_then(|digits| i32::from_str_radix(digits, 8).ok());
                return Err(End::Exited(code.unwrap_or(-1)));
            }
            "exited-signalled" => {
                let name = results.text("signal-name").unwrap_or("SIGKILL");
                return Err(End::Killed(SignalName::parse(name).unwrap_or_else(|| SignalName(name.into()))));
            }
            _ => {}
        }
        match self.look_at_stop(reason, results) {
            Ok(()) => Ok(()),
            Err(GdbError::Refused(why)) => {
                self.warn(format!("gdb cannot go on from a stop: {why}"));
                Ok(())
            }
            Err(gone) => Err(self.lost(&gone)),
        }
    }

    fn look_at_stop(&mut self, reason: &str, results: &Results) -> Result<(), GdbError> {
        let attaching = self.phase == Phase::Attaching;
        if attaching && self.guest.is_none() {
            return self.attached();
        }
        self.phase = Phase::Stopped;
        if let Some(thread) = results.number("thread-id") {
            self.current = ThreadId(thread as u32);
        }
        self.frame = results.inside("frame").map(|frame| self.frame_of(frame));
        if attaching {
            return self.adopted();
        }
        if reason == "exec" {
            return self.has_executed(results);
        }
        if reason == "solib-event" && self.library_stop(results)? {
            return Ok(());
        }
        self.catch_up()?;
        let number = results.number("bkptno").or_else(|| watch_number(results));
        let is_begin = match self.begin {
            Begin::Next => true,
            Begin::At(begin) => number == Some(begin) || self.words.contains(&format!("emporary breakpoint {begin}, ")),
            Begin::Unknown | Begin::Done => false,
        };
        if is_begin {
            self.begin = Begin::Done;
            self.has_begun()?;
            self.note_late_interrupt();
            for planted in &mut self.breakpoints {
                planted.arrived = false;
            }
            return self.say_stop(StopReason::Start, None);
        }
        if number.is_some() && number == self.looks_in_main {
            return self.miss_start();
        }
        if let Some(number) = number
            && let Some(planted) = self.breakpoints.iter_mut().find(|planted| planted.number == number)
        {
            planted.arrived = true;
        }
        let ours = number.is_some_and(|number| self.breakpoints.iter().any(|planted| planted.number == number));
        let scope_ended = reason == "watchpoint-scope";
        let (reason, note) = match (reason, self.reason_among_arrived()?) {
            (_, Some((id, note))) => (self.reason_of(id, results)?, note.or_else(|| self.condition_error())),
            (_, None) if ours => match self.pass_silently()? {
                Silent::GoesOn => return Ok(()),
                Silent::StepEnds => (StopReason::Step, None),
            },
            ("function-finished", None) if self.returning => match self.has_returned()? {
                Silent::GoesOn => return Ok(()),
                Silent::StepEnds => (StopReason::Step, None),
            },
            (reason, None) => match self.reason_without_point(reason, number, results)? {
                Some(reason) => reason,
                None => return self.go_on(),
            },
        };
        if reason != StopReason::Interrupted {
            self.note_late_interrupt();
        }
        self.interrupting = false;
        self.tell_counts(Some(&reason));
        // Who hears of the stop knows what it has used up.
        if scope_ended {
            self.forget_watch(number);
        } else if let StopReason::Watchpoint(id, Watched::GivenUp) = reason {
            self.forget_watch(self.breakpoints.iter().find(|p| p.request.id == id).map(|p| p.number));
        }
        self.drop_temporary()?;
        if let StopReason::Signal(name) | StopReason::Caught(_, Caught::Signal(name)) = &reason {
            self.undelivered.push((self.current, name.clone()));
        }
        self.say_stop(reason, note)?;
        for planted in &mut self.breakpoints {
            planted.arrived = false;
        }
        Ok(())
    }

    /// gdb has taken away what it watched: its frame is gone.
    fn forget_watch(&mut self, number: Option<u64>) {
        let gone = |planted: &&Planted| Some(planted.number) == number;
        let Some(id) = self.breakpoints.iter().find(gone).map(|planted| planted.request.id) else { return };
        self.breakpoints.retain(|planted| planted.request.id != id);
        self.report(Event::BreakpointGone(id));
    }

    /// Why the rank stopped, when it was at no point of the user; `None` when it should not have.
    fn reason_without_point(
        &mut self,
        reason: &str,
        number: Option<u64>,
        results: &Results,
    ) -> Result<Option<(StopReason, Option<String>)>, GdbError> {
        Ok(Some(match reason {
            "breakpoint-hit" => {
                (StopReason::Interrupted, Some(format!("gdb's own breakpoint {}", number.unwrap_or(0))))
            }
            "signal-received" => match self.signal_reason(results) {
                Some(reason) => (reason, None),
                None => return Ok(None),
            },
            "function-finished" if self.goal.0 == Goal::Finish => {
                (StopReason::Finished(self.returned_value(results)?), None)
            }
            // Out of a function that it knows no more of than the name, gdb gives the end no reason.
            "" if self.goal.0 == Goal::Finish => (StopReason::Finished(None), None),
            "end-stepping-range" | "location-reached" | "function-finished" => match self.goal.0 {
                Goal::Finish => (StopReason::Finished(None), None),
                _ => (StopReason::Step, None),
            },
            other => (StopReason::Interrupted, self.words_of_gdb(other)),
        }))
    }

    /// The value that gdb says was returned.
    fn returned_value(&mut self, results: &Results) -> Result<Option<Datum>, GdbError> {
        let Some(text) = results.text("return-value") else { return Ok(None) };
        let told = match results.text("gdb-result-var") {
            Some(variable) => self.evaluate(self.current.0, 0, variable)?.ok(),
            None => None,
        };
        Ok(told.or_else(|| Some(text_datum(text, ""))))
    }

    /// The rank stopped by itself before an interrupt arrived: that one will stop it when it goes on, and mean nothing.
    fn note_late_interrupt(&mut self) {
        if std::mem::take(&mut self.interrupting) {
            self.late_interrupts += 1;
        }
    }

    /// Why a signal stops; `None` when it does not.
    fn signal_reason(&mut self, results: &Results) -> Option<StopReason> {
        let text = results.text("signal-name").unwrap_or("0");
        let name = SignalName::parse(text).unwrap_or_else(|| SignalName(text.into()));
        if &*name.0 == "SIGSTOP" {
            if self.interrupting {
                return Some(StopReason::Interrupted);
            }
            if self.late_interrupts > 0 {
                self.late_interrupts -= 1;
                return None;
            }
            // gdb stops at this one always, because we need it; the user may want otherwise.
            let stops = self.signals.get(&name).is_none_or(|row| row.disposition.stop);
            return stops.then_some(StopReason::Signal(name));
        }
        Some(if text == "0" { StopReason::Interrupted } else { StopReason::Signal(name) })
    }

    /// gdb's words about a condition that it could not compute.
    fn condition_error(&self) -> Option<String> {
        let (_, words) = self.words.split_once("Error in testing ")?;
        let why = words.lines().nth(1).or_else(|| words.lines().next())?;
        Some(format!("the condition cannot be computed: {}", why.trim()))
    }

    /// What made a rank stop that we did not ask for: watchpoints and the like that were set in gdb's own words.
    fn words_of_gdb(&self, reason: &str) -> Option<String> {
        let said: Vec<_> = self.words.lines().map(str::trim).filter(|line| !line.is_empty()).take(4).collect();
        match (reason, said.is_empty()) {
            ("", true) => None,
            (_, true) => Some(format!("gdb: {reason}")),
            _ => Some(format!("gdb: {}", said.join("; "))),
        }
    }

    /// Where the current thread is.
    pub(super) fn stop_frame(&mut self) -> Result<Frame, GdbError> {
        if let Some(frame) = self.frame.clone() {
            return Ok(frame);
        }
        let answered = self.link.ask(&Command::new("stack-info-frame"))?;
        let frame = answered.results.inside("frame").cloned().unwrap_or_default();
        Ok(self.frame_of(&frame))
    }

    /// Says that the rank is stopped.
    pub(super) fn say_stop(&mut self, reason: StopReason, note: Option<String>) -> Result<(), GdbError> {
        let stop = self.stop_here(reason, note)?;
        self.report(Event::Stopped(stop));
        Ok(())
    }

    /// The rank is stopped, and where.
    pub(super) fn stop_here(&mut self, reason: StopReason, note: Option<String>) -> Result<Stop, GdbError> {
        self.phase = Phase::Stopped;
        let frame = self.stop_frame()?;
        self.frame = Some(frame.clone());
        self.tell_counts(Some(&reason));
        self.note_fixed();
        Ok(Stop { reason, thread: self.current, frame, note })
    }

    /// The stop was none: the rank does again what it was told.
    pub(super) fn go_on(&mut self) -> Result<(), GdbError> {
        let command = self.goal.1.clone();
        self.link.ask(&command)?;
        self.phase = Phase::Running;
        Ok(())
    }

    /// The rank goes on after a stop that nobody was told of.
    pub(super) fn resume_quietly(&mut self) -> Result<(), GdbError> {
        self.link.ask(&Command::new("exec-continue"))?;
        self.phase = Phase::Running;
        Ok(())
    }
}

/// A signal that did not stop leaves its words in the record of the next stop: only what follows the last reason counts.
fn last_reason(results: &Results) -> Results {
    let reasons = results.0.iter().filter(|(name, _)| name == "reason").count();
    let last = results.0.iter().rposition(|(name, _)| name == "reason");
    let at = last.filter(|_| reasons > 1).unwrap_or(0);
    Results(results.0.get(at..).unwrap_or_default().to_vec())
}
