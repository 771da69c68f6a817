//! Operations of one rank.

use super::in_kernel::held_in_kernel;
use super::phase::{Halt, Phase, not_run};
use super::sampling::look_for_sample;
use super::tracee::Tracee;
use super::tracer_shared::TracerShared;
use crate::native::inspect::inferior::{no_signal, send_queued};
use crate::native::ptrace::Tid;
use crate::native::stepping::jump_return::return_from;
use crate::native::stepping::stepped_thread::SteppedThread;
use crate::printer_faults::printer_faults;
use crate::process::memory_kills::MemoryKills;
use model::{Answer, ErrorCode, Event, Failure, Operation, SignalName, StopReason, ThreadId, TransactionId};

impl Tracee {
    /// Performs an operation that needs no other thread of the engine.
    pub(in crate::native) fn perform(
        &mut self,
        shared: &mut TracerShared,
        tid: TransactionId,
        operation: &Operation,
    ) -> Result<Answer, Failure> {
        if self.phase == Phase::Ended {
            return ended(operation);
        }
        if operation.needs_stop() {
            self.phase.require_stopped()?;
        }
        match operation {
            Operation::DeleteBreakpoint(id) => {
                let missing = || Failure::new(ErrorCode::NO_BREAKPOINT, format!("No breakpoint number {id}."));
                let known = self.breakpoints.delete(&mut self.inferior, *id);
                self.update_hook(shared);
                known.then_some(Answer::Ok).ok_or_else(missing)
            }
            Operation::EnableBreakpoint(id, enabled) => {
                self.breakpoints.enable(&mut self.inferior, &self.phase, *id, *enabled)?;
                self.update_hook(shared);
                Ok(Answer::Ok)
            }
            Operation::SetCondition(id, condition) => self
                .breakpoints
                .set_condition(
                    &mut self.inferior,
                    &self.phase,
                    &mut shared.outbox.of(self.control, self.rank),
                    *id,
                    condition.clone(),
                )
                .map(|()| Answer::Ok),
            Operation::SetIgnore(id, count) => self.breakpoints.set_ignore(*id, *count).map(|()| Answer::Ok),
            Operation::Go => Ok(self.go_on_for(shared, tid)),
            Operation::GoWith(thread) => {
                self.inferior.current = self.inferior.thread(Some(*thread))?;
                Ok(self.go_on_for(shared, tid))
            }
            Operation::Step { kind, count, context } => {
                self.stepping.begin_step(&mut self.inferior, &mut self.breakpoints, *kind, *count, *context)?;
                self.controlled(shared, tid);
                self.go(shared);
                Ok(Answer::Ok)
            }
            Operation::Return(expression, context) => {
                let returned = return_from(&mut self.inferior, expression.as_deref(), *context)?;
                self.controlled(shared, tid);
                self.report(shared, Event::Running);
                self.halt(shared, Halt::Stop { tid: returned, reason: StopReason::Step, note: None });
                Ok(Answer::Ok)
            }
            Operation::Signal(name) => {
                self.inferior.send_signal(name.as_ref())?;
                Ok(self.go_on_for(shared, tid))
            }
            Operation::QueueSignal(thread, name) => queue_signal(self, *thread, name.as_ref()),
            Operation::Interrupt => {
                if matches!(&self.phase, Phase::Halting(Halt::Stop { reason: StopReason::Interrupted, .. }))
                    && let Some(words) = held_in_kernel(
                        self.inferior
                            .process
                            .threads()
                            .iter()
                            .filter(|thread| !thread.is_stopped())
                            .map(|thread| thread.tid),
                    )
                {
                    return Err(Failure::new(ErrorCode::RUNNING, words));
                }
                self.controlled(shared, tid);
                self.interrupt(shared);
                Ok(Answer::Ok)
            }
            Operation::Terminate => {
                self.controlled(shared, tid);
                // Whatever the kernel does meanwhile, its end was asked for.
                self.memory_kills = MemoryKills::default();
                self.inferior.process.kill();
                Ok(Answer::Ok)
            }
            Operation::Detach => {
                self.controlled(shared, tid);
                self.let_go(shared);
                Ok(Answer::Ok)
            }
            Operation::HandleSignal { name, stop, print, pass } => {
                match self.signals.change(name, *stop, *print, *pass) {
                    Some(row) => Ok(Answer::Signals(vec![row.clone()])),
                    None => Err(no_signal(name)),
                }
            }
            Operation::ListSignals(name) => self.list_signals(name.as_ref()),
            Operation::Configure(settings) => {
                let before = std::mem::replace(&mut self.inferior.spec.settings, settings.clone());
                self.update_hook(shared);
                printer_faults(&before.printers, &settings.printers, &self.inferior.expressions)?;
                Ok(Answer::Ok)
            }
            Operation::Reevaluate => {
                let action = self.libraries.look(&mut self.inferior);
                self.do_for_libraries(shared, action);
                Ok(Answer::Ok)
            }
            Operation::SetBreakpoint(request) => {
                let answer =
                    self.breakpoints.set_point(&mut self.inferior, &self.phase, self.startup.awaits_stop(), request);
                self.update_hook(shared);
                Ok(answer)
            }
            Operation::Engine(_) => Err(Failure::new(
                ErrorCode::NOT_IMPLEMENTED,
                "The native engine has no command language of its own; use --engine gdb for gdb commands.",
            )),
            Operation::Sample(_) => look_for_sample(self, operation),
            other => self.inferior.inspect(other),
        }
    }

    /// Resumes all threads for a query.
    fn go_on_for(&mut self, shared: &mut TracerShared, tid: TransactionId) -> Answer {
        self.controlled(shared, tid);
        self.go(shared);
        Answer::Ok
    }

    fn list_signals(&self, name: Option<&SignalName>) -> Result<Answer, Failure> {
        let Some(name) = name else { return Ok(Answer::Signals(self.signals.rows().to_vec())) };
        let row = self.signals.get(name).ok_or_else(|| no_signal(name))?;
        Ok(Answer::Signals(vec![row.clone()]))
    }

    /// Resumes all threads, the thread of a step as the step requires.
    pub(in crate::native) fn go(&mut self, shared: &mut TracerShared) {
        self.follow(shared);
        self.stepping.lock(&mut self.inferior);
        self.phase = Phase::Running;
        self.report(shared, Event::Running);
        // Events from while the rank was being stopped come first, and may stop it again at once.
        if self.report_watched(shared) {
            return;
        }
        if let Some(halt) = self.breakpoints.uncaught.pop_front() {
            return self.halt(shared, halt);
        }
        // Everything is stopped already.
        self.phase = Phase::Running;
        let alone = self.stepping.alone;
        send_queued(&mut self.inferior.process, alone);
        let deferred: Vec<(Tid, i32)> = self
            .inferior
            .process
            .threads_mut()
            .iter_mut()
            .filter(|thread| alone.is_none_or(|tid| tid == thread.tid))
            .filter_map(|thread| Some((thread.tid, thread.deferred_signal.take()?)))
            .collect();
        for (tid, signal) in deferred {
            if self.phase == Phase::Running {
                self.signal(shared, tid, signal);
            } else if let Some(thread) = self.inferior.process.thread_mut(tid) {
                thread.deferred_signal = Some(signal);
            }
        }
        if self.phase != Phase::Running {
            return;
        }
        let passed: Vec<(Tid, i32)> = self
            .inferior
            .process
            .threads_mut()
            .iter_mut()
            .filter(|thread| thread.delivery != 0 && alone.is_none_or(|tid| tid == thread.tid))
            .map(|thread| (thread.tid, std::mem::take(&mut thread.delivery)))
            .collect();
        let stepped = self.stepping.stepper.as_ref().map(|stepper| stepper.thread);
        for (tid, signal) in passed {
            let row = self.signals.get(&SignalName::from_number(signal));
            let passes = row.is_none_or(|row| row.disposition.pass);
            let signal = if passes { signal } else { 0 };
            if Some(tid) == stepped {
                if let Some(thread) = self.inferior.process.thread_mut(tid) {
                    thread.delivery = signal;
                }
            } else {
                self.carry_on(tid, signal);
            }
        }
        if let Some(stepper) = self.stepping.stepper.as_ref().filter(|stepper| stepper.remaining == 0) {
            // The step only entered inlined functions and is already done.
            let (tid, reason) = (stepper.thread, stepper.reason.clone());
            return self.halt(shared, Halt::Stop { tid, reason, note: None });
        }
        self.inferior.outside = None;
        self.resume_others(stepped);
        if let Some(tid) = stepped {
            let action = self.stepping.advance(&mut SteppedThread {
                inferior: &mut self.inferior,
                breakpoints: &mut self.breakpoints,
                tid,
            });
            self.do_for_step(shared, Some(action));
        }
    }

    fn interrupt(&mut self, shared: &mut TracerShared) {
        self.calls.give_up(&mut self.inferior.process, "was interrupted", false);
        if matches!(
            self.phase,
            Phase::Running | Phase::Waiting | Phase::Halting(Halt::Pause | Halt::Look | Halt::Follow)
        ) {
            let tid = self.stepping.interrupted_thread(&self.inferior.process).unwrap_or(self.inferior.current);
            self.halt(shared, Halt::Stop { tid, reason: StopReason::Interrupted, note: None });
        }
    }

    /// Detaches from the process once all its threads have stopped.
    pub(in crate::native) fn let_go(&mut self, shared: &mut TracerShared) {
        if self.phase == Phase::Ended {
            return;
        }
        if !self.calls.give_up(&mut self.inferior.process, "was interrupted by a detach", true) {
            self.halt(shared, Halt::Detach);
        }
    }
}

/// Keeps a signal for a thread's next continue.
fn queue_signal(tracee: &mut Tracee, thread: Option<ThreadId>, name: Option<&SignalName>) -> Result<Answer, Failure> {
    let tid = tracee.inferior.thread(thread)?;
    tracee.signals.check_passes(name)?;
    tracee.inferior.queue_signal(tid, name)?;
    Ok(Answer::Ok)
}

/// Returns the answer of a rank that has ended.
pub(in crate::native) fn ended(operation: &Operation) -> Result<Answer, Failure> {
    operation.without_process().ok_or_else(not_run)
}
