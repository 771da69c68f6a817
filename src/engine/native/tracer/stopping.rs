//! Stopping all threads of a rank, and completing the stop.

use super::explaining::is_explained;
use super::explanation::Explanation;
use super::pausing::pause;
use super::phase::{Halt, Phase};
use super::sampling::take_samples;
use super::tracee::Tracee;
use super::tracer_shared::TracerShared;
use super::user_code;
use crate::native::breakpoints::inlined_arrivals::note_hit;
use crate::native::breakpoints::system_calls::update_call_stops;
use crate::native::calls::left_calls;
use crate::native::fpe::arming::update_fpu_traps;
use crate::native::ptrace::{Tid, takes_debug_registers_late};
use crate::native::startup::engine_change::has_files;
use crate::native::startup::follow_fork::abandon;
use model::{Event, Severity, Stop, StopReason};

impl Tracee {
    /// Begins to stop all threads.
    pub(in crate::native) fn halt(&mut self, shared: &mut TracerShared, halt: Halt) {
        self.stepping.end(&mut self.inferior, &mut self.breakpoints);
        self.stepping.alone = None;
        self.inferior.program.user_frame.reset();
        self.phase = Phase::Halting(halt);
        self.explanation = Explanation::default();
        for (tid, observation) in self.pending.take_held() {
            self.on(shared, tid, observation);
        }
        // Events that were put off are handled now; while stopping, no debug information is needed for them.
        for (tid, observation) in self.pending.take_put_off() {
            self.take_up(shared, tid, observation);
        }
        self.inferior.process.threads().interrupt_all();
        self.check_halted(shared);
    }

    /// Completes the stop once the last thread has stopped.
    pub(in crate::native) fn check_halted(&mut self, shared: &mut TracerShared) {
        let Phase::Halting(halt) = &self.phase else { return };
        let searching = self.inferior.program.loading > 0 || self.inferior.program.placing > 0;
        if !self.inferior.process.threads().are_stopped() || searching || self.following.awaits_child() {
            return;
        }
        let halt = halt.clone();
        if matches!(halt, Halt::Stop { .. } | Halt::Arrival) {
            let action = self.libraries.catch_up(&mut self.inferior, &self.breakpoints);
            if self.do_for_libraries(shared, action) {
                return;
            }
        }
        if matches!(&halt, Halt::Stop { tid, reason, .. } if !self.can_tell(shared, *tid, reason)) {
            return;
        }
        if matches!(&halt, Halt::Stop { tid, reason, .. } if !is_explained(self, shared, *tid, reason)) {
            return;
        }
        if matches!(&halt, Halt::Stop { tid, reason, .. } if !user_code::is_known(self, shared, *tid, reason)) {
            return;
        }
        match halt {
            Halt::Stop { tid, reason, note } => self.stopped(shared, tid, reason, note),
            Halt::Pause if self.samples.is_empty() => self.go_on_after_pause(shared),
            Halt::Pause => self.phase = Phase::Halting(Halt::Look),
            Halt::Look => {}
            Halt::Follow => {
                self.follow(shared);
                self.go_on_after_pause(shared);
            }
            Halt::Arrival => {
                self.phase = Phase::Stopped;
                has_files(shared, self.rank);
            }
            Halt::Detach => {
                left_calls::abandon(&mut self.inferior, &mut self.breakpoints);
                self.inferior.process.release();
                // Not earlier: a child in the memory of the rank would hit its traps.
                if let Some(fork) = self.following.take() {
                    abandon(shared, self.rank, fork);
                }
                self.phase = Phase::Ended;
                shared.outputs.stay();
                let end = self.startup.end(Event::Detached, false);
                shared.end_rank(self.rank, self.control, end);
            }
        }
        take_samples(self, shared);
    }

    pub(super) fn go_on_after_pause(&mut self, shared: &mut TracerShared) {
        self.phase = Phase::Running;
        let held = self.pending.take_held();
        let waiting: Vec<Tid> = held.iter().map(|(tid, _)| *tid).collect();
        let stopped: Vec<Tid> =
            self.inferior.process.threads().iter().filter(|thread| thread.is_stopped()).map(|t| t.tid).collect();
        for tid in stopped.into_iter().filter(|tid| !waiting.contains(tid)) {
            self.carry_on(tid, 0);
        }
        for (tid, observation) in held {
            self.on(shared, tid, observation);
        }
        if self.phase == Phase::Running
            && let Some(halt) = self.breakpoints.uncaught.pop_front()
        {
            self.halt(shared, halt);
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
            // Continuing from here does not hit a breakpoint that was inserted here meanwhile.
            thread.passes = true;
        }
        note_hit(&self.breakpoints, &mut self.inferior, tid, &reason);
        let gone = self.breakpoints.spent(&reason);
        self.breakpoints.note_outside(&mut self.inferior, tid, &reason);
        if self.libraries.fix() {
            self.update_hook(shared);
        }
        let starts = reason.is_first();
        let stop = Stop { cause: self.explanation.take(), ..self.inferior.describe_stop(tid, reason, note) };
        self.breakpoints.tell_counts(&mut shared.outbox.of(self.control, self.rank));
        // Reported before the stop, so that its receiver knows which breakpoints are gone.
        for id in gone {
            self.breakpoints.delete(&mut self.inferior, id);
            self.report(shared, Event::BreakpointGone(id));
        }
        update_fpu_traps(self);
        update_call_stops(self);
        self.report(shared, Event::Stopped(stop));
        if starts {
            self.breakpoints.arm_pending(&mut self.inferior, &mut shared.outbox.of(self.control, self.rank));
        }
    }

    pub(super) fn ended(&mut self, shared: &mut TracerShared, mut event: Event) {
        shared.owners.retain(|_, owner| *owner != self.rank);
        let waited = self.phase == Phase::Waiting;
        self.phase = Phase::Ended;
        if let Some(fork) = self.following.take() {
            abandon(shared, self.rank, fork);
        }
        self.stepping.end(&mut self.inferior, &mut self.breakpoints);
        self.breakpoints.tell_counts(&mut shared.outbox.of(self.control, self.rank));
        match &mut event {
            Event::Exited(code) => self.inferior.note_end("_exitcode", *code),
            Event::Killed(termination) => {
                self.inferior.note_end("_exitsignal", termination.signal.number().unwrap_or(0));
                self.memory_kills.explain(termination);
            }
            _ => {}
        }
        self.startup.tell_missed(&self.inferior, &mut shared.outbox.of(self.control, self.rank), &event);
        let end = self.startup.end(event, waited);
        shared.end_rank(self.rank, self.control, end);
        take_samples(self, shared);
    }

    /// Handles events that were noticed early, and changes of the debug registers.
    pub(in crate::native) fn settle(&mut self, shared: &mut TracerShared) {
        while let Some((tid, observation)) = self.inferior.process.take_early() {
            self.on(shared, tid, observation);
        }
        if takes_debug_registers_late(&mut self.inferior.process) && self.phase == Phase::Running {
            pause(self);
        }
        self.inferior.process.address_space_mut().forget_code();
        for fault in self.inferior.program.new_damage() {
            self.report(shared, Event::Message(Severity::Warning, fault));
        }
    }
}
