//! Handles the events of threads.

use super::pausing::pause;
use super::phase::{Halt, Phase};
use super::symbol_needs::Need;
use super::tracee::Tracee;
use super::tracer_shared::TracerShared;
use crate::native::breakpoints::claims::Claim;
use crate::native::breakpoints::points::Breakpoints;
use crate::native::breakpoints::system_calls::call_stop;
use crate::native::breakpoints::verdict::Verdict;
use crate::native::breakpoints::watch_state::Examined;
use crate::native::calls::left_calls;
use crate::native::errors::arrivals::reports_error;
use crate::native::fpe::arming::report_own_masks;
use crate::native::fpe::trapped::{float_trap, raised};
use crate::native::ptrace::{Observation, Tid};
use crate::native::stepping::stepped_thread::SteppedThread;
use crate::native::stepping::stepper::StepAction;
use model::{Caught, Event, SignalName, StopReason};

impl Tracee {
    /// Handles an event of a thread.
    pub(in crate::native) fn on(&mut self, shared: &mut TracerShared, tid: Tid, observation: Observation) {
        let running = matches!(self.phase, Phase::Running | Phase::Waiting);
        report_own_masks(self, shared, tid);
        let Some(observation) = self.pending.hold_back(&self.phase, tid, observation) else {
            return self.check_halted(shared);
        };
        let Some(observation) = self.await_reading(shared, tid, observation) else {
            return self.check_halted(shared);
        };
        let Some(observation) = self.of_call(shared, tid, observation) else { return };
        match observation {
            Observation::Breakpoint(address) if running => self.arrive(shared, tid, address),
            Observation::Breakpoint(_) => {
                if let Some(thread) = self.inferior.process.thread_mut(tid) {
                    thread.arrived = true;
                }
            }
            Observation::Stepped if running => self.did_instruction(shared, tid),
            Observation::Watched { places, stepped } => {
                self.breakpoints.note_watched(&mut self.inferior, tid, places);
                if running && !self.report_watched(shared) {
                    if stepped {
                        self.did_instruction(shared, tid);
                    } else {
                        self.carry_on(tid, 0);
                    }
                }
            }
            Observation::Signal(signal) if running => self.signal(shared, tid, signal),
            Observation::Signal(signal) => {
                if let Some(thread) = self.inferior.process.thread_mut(tid) {
                    thread.deferred_signal = Some(signal);
                }
            }
            Observation::FloatTrap(trap) if running => float_trap(self, shared, tid, trap),
            // When it is resumed, it raises the exception again.
            Observation::FloatTrap(_) => {}
            Observation::Call(stop) => call_stop(self, shared, tid, &stop),
            Observation::Cloned(created) => {
                self.inferior.process.threads_mut().add(created, tid);
                shared.owners.insert(created, self.rank);
                for status in shared.adopt(created) {
                    self.inferior.process.hand_over(created, status);
                }
                self.carry_on(tid, 0);
            }
            Observation::Forked { child, shares_memory } => {
                let follows = self.forked(shared, tid, child, shares_memory);
                let caught = if shares_memory { Caught::Vforked } else { Caught::Forked };
                if self.phase == Phase::Calling || !self.catch(shared, tid, &caught) {
                    if follows && running {
                        self.phase = Phase::Halting(Halt::Follow);
                        self.inferior.process.threads().interrupt_all();
                    } else {
                        self.carry_on(tid, 0);
                    }
                }
            }
            Observation::Soon => {}
            Observation::Executed => self.executed(shared, tid),
            Observation::ThreadEnded => {
                if self.inferior.process.thread(tid).is_none() {
                    shared.owners.remove(&tid);
                }
                let Breakpoints { fpe, claims, .. } = &mut self.breakpoints;
                fpe.forget_thread(&mut self.inferior, claims, tid);
                if self.stepping.stepper.as_ref().is_some_and(|stepper| stepper.thread == tid) {
                    self.stepping.end(&mut self.inferior, &mut self.breakpoints);
                }
                if self.phase == Phase::Running
                    && let Some(halt) = self.stepping.lone_thread_ended(&self.inferior.process, tid)
                {
                    self.halt(shared, halt);
                }
            }
            Observation::Exited(code) => self.ended(shared, Event::Exited(code)),
            Observation::Killed(signal) => self.ended(shared, Event::Killed(SignalName::from_number(signal).into())),
            Observation::Stepped | Observation::Halted | Observation::Nothing => {
                self.carry_on(tid, 0);
            }
        }
        self.check_halted(shared);
    }

    /// Handles the end of a single step.
    fn did_instruction(&mut self, shared: &mut TracerShared, tid: Tid) {
        if self.breakpoints.note_stepped(tid) && self.report_watched(shared) {
            return;
        }
        if self.phase != Phase::Running && self.phase != Phase::Waiting {
            // A brief pause: the thread resumes with the others.
            self.pending.hold(tid, Observation::Stepped);
        } else if self.stepping.is_stepping(tid) {
            if let Some(halt) =
                left_calls::stepped_out(&mut self.inferior, &mut self.breakpoints, &mut self.stepping, tid)
            {
                self.halt(shared, halt);
            } else {
                let reports = &mut shared.outbox.of(self.control, self.rank);
                let action = self.stepping.stepped(
                    &mut SteppedThread { inferior: &mut self.inferior, breakpoints: &mut self.breakpoints, tid },
                    reports,
                );
                self.do_for_step(shared, Some(action));
            }
        } else {
            self.carry_on(tid, 0);
        }
    }

    /// Handles the arrival of a thread at a breakpoint instruction of the debugger.
    pub(in crate::native) fn arrive(&mut self, shared: &mut TracerShared, tid: Tid, address: u64) {
        let Some(thread) = self.inferior.process.thread_mut(tid) else { return };
        thread.passes = true;
        let claims = self.breakpoints.claims.at(address).to_vec();
        if claims.contains(&Claim::Linker) {
            let Self { inferior, breakpoints, startup, .. } = self;
            let reports = &mut shared.outbox.of(self.control, self.rank);
            let action = self.libraries.changed(inferior, breakpoints, startup, reports, tid);
            if self.do_for_libraries(shared, action) {
                return;
            }
        }
        if claims.contains(&Claim::CallEnd) {
            let Self { inferior, breakpoints, stepping, .. } = self;
            if let Some(halt) = left_calls::returned(inferior, breakpoints, stepping, tid, address) {
                return self.halt(shared, halt);
            }
        }
        let on = &mut SteppedThread { inferior: &mut self.inferior, breakpoints: &mut self.breakpoints, tid };
        if self.stepping.comes_back(on, address) {
            let action = self.stepping.at_step_resume(on, address);
            if self.do_for_step(shared, action) {
                return;
            }
        }
        // The first stop is that, whether a breakpoint is already there or comes a moment later.
        if self.startup.arrive(&mut self.inferior, &mut self.breakpoints, &claims) {
            return self.halt(shared, Halt::Stop { tid, reason: StopReason::Start, note: None });
        }
        if let Some(verdict) =
            self.breakpoints.judge(&mut self.inferior, &mut shared.outbox.of(self.control, self.rank), tid, &claims)
            && let Verdict::Stop(reason, note) = verdict
        {
            return self.halt(shared, Halt::Stop { tid, reason, note });
        }
        if reports_error(&mut self.inferior, tid, &claims) {
            return self.halt(shared, Halt::Stop { tid, reason: StopReason::Error, note: None });
        }
        if claims.contains(&Claim::Environment)
            && let Some(halt) = raised(self, tid, address)
        {
            return self.halt(shared, halt);
        }
        if let Some(reason) = self.breakpoints.ended_scope(&mut self.inferior, tid, &claims) {
            return self.halt(shared, Halt::Stop { tid, reason, note: None });
        }
        let on = &mut SteppedThread { inferior: &mut self.inferior, breakpoints: &mut self.breakpoints, tid };
        self.stepping.jumps(on, &claims);
        if claims.contains(&Claim::StepResume) {
            let action = self.stepping.at_step_resume(on, address);
            if self.do_for_step(shared, action) {
                return;
            }
        }
        self.carry_on(tid, 0);
    }

    /// Performs the action of a step. False if there is none.
    pub(in crate::native) fn do_for_step(&mut self, shared: &mut TracerShared, action: Option<StepAction>) -> bool {
        let Some(action) = action else { return false };
        match action {
            StepAction::Nothing => {}
            StepAction::Resume(tid, signal) => self.carry_on(tid, signal),
            StepAction::Stop { tid, reason, note } => self.halt(shared, Halt::Stop { tid, reason, note }),
            StepAction::Await(tid, address) => self.put_off(shared, tid, Observation::Stepped, Need::Code, address),
        }
        true
    }

    /// Handles a signal that a thread is about to receive.
    pub(in crate::native) fn signal(&mut self, shared: &mut TracerShared, tid: Tid, signal: i32) {
        let name = SignalName::from_number(signal);
        let Some(thread) = self.inferior.process.thread_mut(tid) else { return };
        let mut delivered = signal;
        let is_expected = thread.expected_signal.take_if(|expected| *expected == signal).is_some();
        if !is_expected && !self.startup.is_of_launcher(signal) {
            let disposition = self.signals.get(&name).map(|row| row.disposition);
            let caught = self.breakpoints.caught(&mut self.inferior, tid, &Caught::Signal(name.clone()));
            let stops = disposition.is_some_and(|disposition| disposition.stop);
            let stop = || Halt::Stop { tid, reason: StopReason::Signal(name.clone()), note: None };
            if let Some(halt) = caught.or_else(|| stops.then(stop)) {
                if let Some(thread) = self.inferior.process.thread_mut(tid) {
                    thread.delivery = signal;
                }
                return self.halt(shared, halt);
            }
            if disposition.is_some_and(|disposition| !disposition.pass) {
                delivered = 0;
            }
            if disposition.is_some_and(|disposition| disposition.print) {
                self.report(shared, Event::SignalSeen(name));
            }
        }
        let on = &mut SteppedThread { inferior: &mut self.inferior, breakpoints: &mut self.breakpoints, tid };
        let action = self.stepping.deliver(on, delivered);
        self.do_for_step(shared, Some(action));
    }

    /// Stops the rank if a catchpoint waits for this event. True if one does. While the rank is being stopped for
    /// another reason, this stop comes next.
    pub(in crate::native) fn catch(&mut self, shared: &mut TracerShared, tid: Tid, caught: &Caught) -> bool {
        if self.phase == Phase::Waiting {
            return false;
        }
        let Some(halt) = self.breakpoints.caught(&mut self.inferior, tid, caught) else { return false };
        if self.phase == Phase::Running {
            self.halt(shared, halt);
        } else {
            self.breakpoints.uncaught.push_back(halt);
        }
        true
    }

    /// Examines the watchpoints that trapped. True if the rank stops for one.
    pub(in crate::native) fn report_watched(&mut self, shared: &mut TracerShared) -> bool {
        let reports = &mut shared.outbox.of(self.control, self.rank);
        let Examined { stop, rearms } = self.breakpoints.next_watched(&mut self.inferior, reports);
        if rearms && self.phase == Phase::Running {
            pause(self);
        }
        let Some((tid, reason, note)) = stop else { return false };
        self.halt(shared, Halt::Stop { tid, reason, note });
        true
    }
}
