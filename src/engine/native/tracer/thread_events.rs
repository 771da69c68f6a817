//! What happens to threads, and what is done about it.

use super::phase::{Halt, Phase};
use super::tracee::Tracee;
use super::tracer_shared::{Companion, TracerShared};
use crate::native::breakpoints::claims::Claim;
use crate::native::breakpoints::points::Breakpoints;
use crate::native::breakpoints::verdict::Verdict;
use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::inferior::Outside;
use crate::native::ptrace::{Observation, Status, Tid, new_child, pass_on};
use crate::native::startup::follow_fork::of_own;
use crate::native::stepping::stepper::StepAction;
use debuginfo::{InlineFrame, inlined_at_entry};
use model::{Caught, Event, SignalName, StopReason, VirtualAddress};
use nix::libc;

impl Breakpoints {
    /// Where inlined functions begin a thread stays outside of them, but for those that a breakpoint is on or a step has
    /// entered.
    fn note_outside(&mut self, inferior: &mut Inferior, tid: Tid, reason: &StopReason) {
        let Ok(pc) = inferior.pc(tid) else { return };
        if inferior.outside.is_some_and(|outside| outside.tid == tid && outside.pc == pc) {
            return;
        }
        let count = match reason {
            StopReason::Breakpoint(_) => self.outside_by_breakpoints(inferior, VirtualAddress(pc)),
            _ => inlined_at_entry(inferior.images(), VirtualAddress(pc)),
        };
        inferior.outside = Some(Outside { tid, pc, count });
    }

    /// A thread has come to a breakpoint: what is evaluated there is about the function that the breakpoint is on.
    pub(in crate::native) fn note_arrival(&mut self, inferior: &mut Inferior, tid: Tid) {
        let Ok(pc) = inferior.pc(tid) else { return };
        inferior.outside = Some(Outside { tid, pc, count: self.outside_by_breakpoints(inferior, VirtualAddress(pc)) });
    }

    /// How many of the inlined functions that begin at an address a thread has not entered that has come to the breakpoints
    /// there: it is in the innermost function that one of them is on.
    fn outside_by_breakpoints(&self, inferior: &Inferior, pc: VirtualAddress) -> u32 {
        let count = inlined_at_entry(inferior.images(), pc);
        let located = inferior.images().locate(pc).filter(|_| count > 0);
        let Some((loaded, at)) = located else { return count };
        let frames = loaded.image.inline_frames(at);
        let enabled = self.points.values().filter(|breakpoint| breakpoint.request.enabled);
        let here: Vec<_> = enabled.flat_map(|one| &one.sites).filter(|site| site.address == Some(pc)).collect();
        let is_on = |frame: &InlineFrame| here.iter().any(|site| site.function.as_ref() == Some(&frame.function));
        frames.iter().take(count as usize).position(is_on).map_or(count, |entered| entered as u32)
    }
}

impl Tracee {
    /// Deals with what happened to a thread.
    pub(in crate::native) fn on(&mut self, shared: &mut TracerShared, tid: Tid, observation: Observation) {
        let running = matches!(self.phase, Phase::Running | Phase::Waiting);
        let Some(observation) = self.hold_back(tid, observation) else { return self.check_halted(shared) };
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
                        self.go_on(tid);
                    }
                }
            }
            Observation::Signal(signal) if running => self.signal(shared, tid, signal),
            Observation::Signal(signal) => {
                if let Some(thread) = self.inferior.process.thread_mut(tid) {
                    thread.deferred_signal = Some(signal);
                }
            }
            Observation::Cloned(created) => {
                self.inferior.process.threads_mut().add(created);
                shared.owners.insert(created, self.rank);
                for status in shared.adopt(created) {
                    self.inferior.process.hand_over(created, status);
                }
                self.go_on(tid);
            }
            Observation::Forked { child, shares_memory } => {
                let follows = self.forked(shared, tid, child, shares_memory);
                let caught = if shares_memory { Caught::Vforked } else { Caught::Forked };
                if self.phase == Phase::Calling || !self.catch(shared, tid, &caught) {
                    if follows && running {
                        self.turn_to_child();
                    } else {
                        self.go_on(tid);
                    }
                }
            }
            Observation::Soon => {}
            Observation::Executed => self.executed(shared, tid),
            Observation::ThreadEnded => {
                if self.inferior.process.thread(tid).is_none() {
                    shared.owners.remove(&tid);
                }
                if self.stepping.stepper.as_ref().is_some_and(|stepper| stepper.thread == tid) {
                    self.stepping.end(&mut self.inferior, &mut self.breakpoints);
                }
                self.lone_thread_ended(shared, tid);
            }
            Observation::Exited(code) => self.ended(shared, Event::Exited(code)),
            Observation::Killed(signal) => self.ended(shared, Event::Killed(SignalName::from_number(signal))),
            Observation::Stepped | Observation::Halted | Observation::Nothing => {
                self.go_on(tid);
            }
        }
        self.check_halted(shared);
    }

    /// While threads are stopped for a moment, what they did waits until they go on.
    fn hold_back(&mut self, tid: Tid, observation: Observation) -> Option<Observation> {
        let waits = matches!(
            observation,
            Observation::Breakpoint(_) | Observation::Stepped | Observation::Signal(_) | Observation::Watched { .. }
        );
        if waits && matches!(self.phase, Phase::Halting(Halt::Pause | Halt::Follow)) {
            self.held.push((tid, observation));
            return None;
        }
        Some(observation)
    }

    /// A thread did the one instruction it was resumed for.
    fn did_instruction(&mut self, shared: &mut TracerShared, tid: Tid) {
        if self.breakpoints.steps_watches(tid) && self.look_after_step(shared, tid) {
            return;
        }
        if self.phase != Phase::Running && self.phase != Phase::Waiting {
            // A moment's pause: the thread goes on with the others.
            self.held.push((tid, Observation::Stepped));
        } else if self.stepping.is_stepping(tid) {
            if !self.stepped_out_of_call(shared, tid) {
                let reports = &mut shared.outbox.of(self.control, self.rank);
                let action = self.stepping.stepped(&mut self.inferior, &mut self.breakpoints, reports, tid);
                self.do_for_step(shared, action);
            }
        } else {
            self.carry_on(tid, 0);
        }
    }

    /// Stops all threads for a moment: what has changed for them takes effect when they go on.
    pub(in crate::native) fn pause(&mut self) {
        if self.phase == Phase::Running {
            self.phase = Phase::Halting(Halt::Pause);
            self.inferior.process.threads().interrupt_all();
        }
    }

    /// Resumes a thread for which nothing was to be done, unless the rank is being stopped.
    fn go_on(&mut self, tid: Tid) {
        if matches!(self.phase, Phase::Running | Phase::Waiting) || self.is_calling(tid) {
            self.carry_on(tid, 0);
        }
    }

    /// A thread arrived at a breakpoint of ours.
    pub(in crate::native) fn arrive(&mut self, shared: &mut TracerShared, tid: Tid, address: u64) {
        let Some(thread) = self.inferior.process.thread_mut(tid) else { return };
        thread.passes = true;
        let claims = self.breakpoints.claims.at(address).to_vec();
        if claims.contains(&Claim::Linker) && self.library_event(shared, tid) {
            return;
        }
        if claims.contains(&Claim::CallEnd) && self.returned_from_call(shared, tid, address) {
            return;
        }
        if self.stepping.comes_back(&mut self.inferior, tid, address) && self.at_step_resume(shared, tid, address) {
            return;
        }
        if let Some(verdict) =
            self.breakpoints.judge(&mut self.inferior, &mut shared.outbox.of(self.control, self.rank), tid, &claims)
            && let Verdict::Stop(reason, note) = verdict
        {
            return self.halt(shared, Halt::Stop { tid, reason, note });
        }
        if let Some(reason) = self.breakpoints.ended_scope(&mut self.inferior, tid, &claims) {
            return self.halt(shared, Halt::Stop { tid, reason, note: None });
        }
        if claims.contains(&Claim::Start) && self.starting {
            self.starting = false;
            self.breakpoints.claims.remove_all(&mut self.inferior.process, |claim| *claim == Claim::Start);
            return self.halt(shared, Halt::Stop { tid, reason: StopReason::Start, note: None });
        }
        self.stepping.jumps(&mut self.inferior, &mut self.breakpoints, tid, &claims);
        if claims.contains(&Claim::StepResume) && self.at_step_resume(shared, tid, address) {
            return;
        }
        self.carry_on(tid, 0);
    }

    /// A thread arrived where a step waits; whether it was the step's.
    fn at_step_resume(&mut self, shared: &mut TracerShared, tid: Tid, address: u64) -> bool {
        let action = self.stepping.at_step_resume(&mut self.inferior, &mut self.breakpoints, tid, address);
        let is_of_step = action.is_some();
        self.do_for_step(shared, action.unwrap_or(StepAction::Nothing));
        is_of_step
    }

    /// Does what a step wants.
    pub(in crate::native) fn do_for_step(&mut self, shared: &mut TracerShared, action: StepAction) {
        match action {
            StepAction::Nothing => {}
            StepAction::Resume(tid, signal) => self.carry_on(tid, signal),
            StepAction::Stop { tid, reason, note } => self.halt(shared, Halt::Stop { tid, reason, note }),
            StepAction::Await(tid, address) => self.step_awaits(shared, tid, address),
        }
    }

    /// A thread is about to get a signal.
    pub(in crate::native) fn signal(&mut self, shared: &mut TracerShared, tid: Tid, signal: i32) {
        let name = SignalName::from_number(signal);
        let disposition = self.signals.get(&name).map(|row| row.disposition);
        let Some(thread) = self.inferior.process.thread_mut(tid) else { return };
        if thread.expected_signal.take_if(|expected| *expected == signal).is_some() {
            return self.deliver(tid, signal);
        }
        if self.catch_signal(shared, tid, signal) {
            return;
        }
        let Some(thread) = self.inferior.process.thread_mut(tid) else { return };
        let Some(disposition) = disposition else { return self.deliver(tid, signal) };
        if disposition.stop {
            thread.delivery = signal;
            return self.halt(shared, Halt::Stop { tid, reason: StopReason::Signal(name), note: None });
        }
        if disposition.print {
            self.report(shared, Event::SignalSeen(name));
        }
        self.deliver(tid, if disposition.pass { signal } else { 0 });
    }

    /// Resumes a thread with a signal; one that is stepped may run a handler first.
    pub(in crate::native) fn deliver(&mut self, tid: Tid, signal: i32) {
        if signal != 0 {
            self.stepping.note_handler(&mut self.inferior, tid);
        }
        self.carry_on(tid, signal);
    }

    /// Begins to stop all threads.
    pub(in crate::native) fn halt(&mut self, shared: &mut TracerShared, halt: Halt) {
        self.stepping.end(&mut self.inferior, &mut self.breakpoints);
        self.stepping.alone = None;
        self.phase = Phase::Halting(halt);
        for (tid, observation) in std::mem::take(&mut self.held) {
            self.on(shared, tid, observation);
        }
        self.stop_awaiting(shared);
        self.inferior.process.threads().interrupt_all();
        self.check_halted(shared);
    }

    /// Ends the stopping when the last thread has stopped.
    pub(in crate::native) fn check_halted(&mut self, shared: &mut TracerShared) {
        let Phase::Halting(halt) = &self.phase else { return };
        let searching = self.inferior.program.loading > 0 || self.inferior.program.placing > 0;
        if !self.inferior.process.threads().are_stopped() || searching || self.awaits_child() {
            return;
        }
        let halt = halt.clone();
        if self.is_behind(shared) {
            return;
        }
        if matches!(&halt, Halt::Stop { tid, reason, .. } if !self.can_tell(shared, *tid, reason)) {
            return;
        }
        match halt {
            Halt::Stop { tid, reason, note } => self.stopped(shared, tid, reason, note),
            Halt::Pause => self.go_on_after_pause(shared),
            Halt::Follow => {
                self.follow(shared);
                self.go_on_after_pause(shared);
            }
            Halt::Arrival => self.has_files(shared),
            Halt::Detach => {
                self.abandon_left_calls();
                self.inferior.process.release();
                // Not before: a child in the memory of the rank would run into its traps.
                self.abandon_fork(shared);
                self.phase = Phase::Ended;
                let end = self.end_or_refusal(Event::Detached);
                self.finish(shared, end);
            }
        }
    }

    fn go_on_after_pause(&mut self, shared: &mut TracerShared) {
        self.phase = Phase::Running;
        let held = std::mem::take(&mut self.held);
        let waiting: Vec<Tid> = held.iter().map(|(tid, _)| *tid).collect();
        let stopped: Vec<Tid> =
            self.inferior.process.threads().iter().filter(|thread| thread.is_stopped()).map(|t| t.tid).collect();
        for tid in stopped.into_iter().filter(|tid| !waiting.contains(tid)) {
            self.carry_on(tid, 0);
        }
        for (tid, observation) in held {
            self.on(shared, tid, observation);
        }
        if self.phase == Phase::Running {
            self.report_caught(shared);
        }
    }

    fn stopped(&mut self, shared: &mut TracerShared, tid: Tid, reason: StopReason, note: Option<String>) {
        self.phase = Phase::Stopped;
        self.inferior.current =
            if self.inferior.process.thread(tid).is_some() { tid } else { self.inferior.process.threads().first() };
        let tid = self.inferior.current;
        if let Some(thread) = self.inferior.process.thread_mut(tid)
            && !thread.arrived
        {
            // Going on from a breakpoint that was put here meanwhile does not arrive at it.
            thread.passes = true;
        }
        let gone = self.breakpoints.spent(&reason);
        self.breakpoints.note_outside(&mut self.inferior, tid, &reason);
        self.note_fixed(shared);
        let starts = reason == StopReason::Start;
        let stop = self.inferior.describe_stop(tid, reason, note);
        self.breakpoints.tell_counts(&mut shared.outbox.of(self.control, self.rank));
        // Who hears of the stop knows what it has used up.
        for id in gone {
            self.breakpoints.delete(&mut self.inferior, id);
            self.report(shared, Event::BreakpointGone(id));
        }
        self.report(shared, Event::Stopped(stop));
        if starts {
            self.breakpoints.arm_pending(&mut self.inferior, &mut shared.outbox.of(self.control, self.rank));
        }
    }

    fn ended(&mut self, shared: &mut TracerShared, event: Event) {
        shared.owners.retain(|_, owner| *owner != self.rank);
        let waited = self.phase == Phase::Waiting;
        self.phase = Phase::Ended;
        self.abandon_fork(shared);
        self.stepping.end(&mut self.inferior, &mut self.breakpoints);
        self.breakpoints.tell_counts(&mut shared.outbox.of(self.control, self.rank));
        match &event {
            Event::Exited(code) => self.inferior.note_end("_exitcode", *code),
            Event::Killed(signal) => self.inferior.note_end("_exitsignal", signal.number().unwrap_or(0)),
            _ => {}
        }
        self.tell_missed_start(shared, &event);
        let event = self.end_or_refusal(event);
        let reason = self.failure.take().filter(|_| waited).and_then(|failure| failure.reason());
        match reason {
            Some(error) => self.finish(shared, Event::Failed(error.message)),
            None => self.finish(shared, event),
        }
    }

    /// Reports the end once everything written is reported.
    fn finish(&mut self, shared: &mut TracerShared, event: Event) {
        shared.owners.retain(|_, owner| *owner != self.rank);
        let waker = shared.waker.clone();
        let (rank, tid, requests) = (self.rank, self.control, shared.requests.clone());
        let drained = move || {
            let report = super::tracer_shared::Request::Continue(Box::new(move |tracer| tracer.bury(rank, tid, event)));
            let _ = requests.send(report);
            waker.wake();
        };
        shared.outputs.finish(rank, drained);
    }

    /// A status of a process that runs in this rank's memory until it executes or ends.
    pub(in crate::native) fn companion(&mut self, shared: &mut TracerShared, tid: Tid, status: Status) {
        match status {
            Status::Exited(_) | Status::Killed(_) => drop(shared.companions.remove(&tid)),
            Status::Event(libc::PTRACE_EVENT_EXEC, _) => {
                let kept = self.keeps_children();
                if kept {
                    self.tell_kept(shared, tid);
                }
                of_own(shared, tid, if kept { Companion::Kept } else { Companion::Free }, status);
            }
            Status::Event(
                event @ (libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK | libc::PTRACE_EVENT_CLONE),
                _,
            ) => {
                let child = new_child(tid);
                self.forked(shared, tid, child, event != libc::PTRACE_EVENT_FORK);
                pass_on(tid, 0);
            }
            Status::Stopped(libc::SIGTRAP) => self.inferior.process.pass_companion(tid),
            Status::Stopped(signal) => pass_on(tid, signal),
            Status::Event(..) | Status::Other => pass_on(tid, 0),
        }
    }

    /// Deals with what became known meanwhile.
    pub(in crate::native) fn settle(&mut self, shared: &mut TracerShared) {
        while let Some((tid, observation)) = self.inferior.process.take_early() {
            self.on(shared, tid, observation);
        }
        self.inferior.process.address_space_mut().forget_code();
        self.tell_damage(shared);
    }
}
