//! Carrying out what is asked of one rank.

use super::shared::TracerShared;
use super::tracee::{Halt, Phase, Tracee, not_run};
use crate::native::inspect::answer;
use crate::native::ptrace::{Activity, Tid};
use model::{Answer, Context, ErrorCode, Event, Failure, Operation, SignalInfo, SignalName, StopReason, TransactionId};

impl Tracee {
    /// Carries an operation out that needs no other thread.
    pub(in crate::native) fn perform(
        &mut self,
        shared: &mut TracerShared,
        tid: TransactionId,
        operation: &Operation,
    ) -> Answer {
        self.try_perform(shared, tid, operation).unwrap_or_else(Answer::Failed)
    }

    fn try_perform(
        &mut self,
        shared: &mut TracerShared,
        tid: TransactionId,
        operation: &Operation,
    ) -> Result<Answer, Failure> {
        if self.phase == Phase::Ended {
            return ended(operation);
        }
        if operation.needs_stop() {
            self.require_stopped()?;
        }
        match operation {
            Operation::DeleteBreakpoint(id) => {
                let missing = || Failure::new(ErrorCode::NO_BREAKPOINT, format!("No breakpoint number {id}."));
                let known = self.delete_breakpoint(*id);
                self.update_hook(shared);
                known.then_some(Answer::Ok).ok_or_else(missing)
            }
            Operation::EnableBreakpoint(id, enabled) => {
                self.enable_breakpoint(*id, *enabled)?;
                self.update_hook(shared);
                Ok(Answer::Ok)
            }
            Operation::SetCondition(id, condition) => {
                self.set_condition(shared, *id, condition.clone()).map(|()| Answer::Ok)
            }
            Operation::SetIgnore(id, count) => self.set_ignore(*id, *count).map(|()| Answer::Ok),
            Operation::Go => {
                self.controlled(shared, tid);
                self.go(shared);
                Ok(Answer::Ok)
            }
            Operation::GoWith(thread) => {
                self.current = self.thread(Some(*thread))?;
                self.controlled(shared, tid);
                self.go(shared);
                Ok(Answer::Ok)
            }
            Operation::Step { kind, count, context } => {
                self.begin_step(*kind, *count, *context)?;
                self.controlled(shared, tid);
                self.go(shared);
                Ok(Answer::Ok)
            }
            Operation::Return(expression, context) => {
                self.force_return(shared, tid, expression.as_deref(), *context)?;
                Ok(Answer::Ok)
            }
            Operation::Signal(name) => {
                self.send_signal(name.as_ref())?;
                self.controlled(shared, tid);
                self.go(shared);
                Ok(Answer::Ok)
            }
            Operation::Interrupt => {
                self.controlled(shared, tid);
                self.interrupt(shared);
                Ok(Answer::Ok)
            }
            Operation::Terminate => {
                self.controlled(shared, tid);
                self.process.kill();
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
            Operation::ListSignals(None) => Ok(Answer::Signals(self.signals.rows().to_vec())),
            Operation::ListSignals(Some(name)) => {
                let row: &SignalInfo = self.signals.get(name).ok_or_else(|| no_signal(name))?;
                Ok(Answer::Signals(vec![row.clone()]))
            }
            Operation::Configure(settings) => {
                self.configure(shared, settings);
                Ok(Answer::Ok)
            }
            Operation::Reevaluate => {
                self.reevaluate(shared);
                Ok(Answer::Ok)
            }
            Operation::SetBreakpoint(request) => {
                let answer = self.set_point(request);
                self.update_hook(shared);
                Ok(answer)
            }
            Operation::Engine(_) => Err(Failure::new(
                ErrorCode::NOT_IMPLEMENTED,
                "The native engine has no command language of its own; use --engine gdb for gdb commands.",
            )),
            other => self.inspect(other),
        }
    }

    fn inspect(&mut self, operation: &Operation) -> Result<Answer, Failure> {
        let context = context_of(operation);
        let tid = self.thread(context.thread)?;
        self.note_thread(tid);
        let unknown = || Failure::new(ErrorCode::NOT_IMPLEMENTED, "The native engine cannot do this.");
        self.look(tid, |thread| answer(operation, thread)).ok_or_else(unknown)
    }

    /// What expressions call the thread.
    pub(in crate::native) fn note_thread(&self, tid: Tid) {
        let number = self.number(tid).0 as i32;
        [("_thread", number), ("_gthread", number), ("_inferior", 1)]
            .iter()
            .for_each(|(name, value)| self.note_number(name, *value));
    }

    /// Resumes all threads; the one of a step as the step says.
    pub(in crate::native) fn go(&mut self, shared: &mut TracerShared) {
        self.follow(shared);
        self.lock();
        self.phase = Phase::Running;
        self.report(shared, Event::Running);
        // What arrived while the rank was being stopped comes first, and may stop it again at once.
        if self.report_watched(shared) || self.report_caught(shared) {
            return;
        }
        // Everything is stopped already.
        self.phase = Phase::Running;
        let alone = self.alone;
        let deferred: Vec<(Tid, i32)> = self
            .process
            .threads_mut()
            .filter(|thread| alone.is_none_or(|tid| tid == thread.tid))
            .filter_map(|thread| Some((thread.tid, thread.deferred_signal.take()?)))
            .collect();
        for (tid, signal) in deferred {
            if self.phase == Phase::Running {
                self.signal(shared, tid, signal);
            } else if let Some(thread) = self.process.thread_mut(tid) {
                thread.deferred_signal = Some(signal);
            }
        }
        if self.phase != Phase::Running {
            return;
        }
        let passed: Vec<(Tid, i32)> = self
            .process
            .threads_mut()
            .filter(|thread| thread.delivery != 0 && alone.is_none_or(|tid| tid == thread.tid))
            .map(|thread| (thread.tid, std::mem::take(&mut thread.delivery)))
            .collect();
        let stepped = self.stepper.as_ref().map(|stepper| stepper.thread);
        for (tid, signal) in passed {
            let row = self.signals.get(&SignalName::from_number(signal));
            let passes = row.is_none_or(|row| row.disposition.pass);
            let signal = if passes { signal } else { 0 };
            if Some(tid) == stepped {
                if let Some(thread) = self.process.thread_mut(tid) {
                    thread.delivery = signal;
                }
            } else {
                self.carry_on(tid, signal);
            }
        }
        if let Some(stepper) = self.stepper.as_ref().filter(|stepper| stepper.remaining == 0) {
            // Inlined functions were entered, and that was all.
            let (tid, reason) = (stepper.thread, stepper.reason.clone());
            return self.halt(shared, Halt::Stop { tid, reason, note: None });
        }
        self.outside = None;
        self.resume_others(stepped);
        if stepped.is_some() {
            self.advance(shared);
        }
    }

    /// The signal the current thread is resumed with, or none, instead of the one it was stopped for.
    fn send_signal(&mut self, name: Option<&SignalName>) -> Result<(), Failure> {
        let (tid, pid) = (self.current, self.process.pid());
        let Some(name) = name else {
            if let Some(thread) = self.process.thread_mut(tid) {
                thread.delivery = 0;
            }
            return Ok(());
        };
        let number = name.number().ok_or_else(|| no_signal(name))?;
        let mut sent = None;
        if let Some(thread) = self.process.thread_mut(tid) {
            thread.delivery = 0;
            if thread.takes_signal {
                // Asked for, whatever the table says of passing.
                thread.deferred_signal = Some(number);
            } else {
                sent = Some(number);
            }
            thread.expected_signal = Some(number);
        }
        if let Some(number) = sent {
            debug_assert_eq!(pid, self.process.pid());
            self.process.send(tid, number);
        }
        Ok(())
    }

    fn interrupt(&mut self, shared: &mut TracerShared) {
        self.give_up_call("was interrupted", false);
        if matches!(self.phase, Phase::Running | Phase::Waiting | Phase::Halting(Halt::Pause | Halt::Follow)) {
            let tid = if self.process.thread(self.current).is_some_and(|thread| thread.activity != Activity::Ending) {
                self.current
            } else {
                self.process
                    .threads()
                    .find(|thread| thread.activity != Activity::Ending)
                    .map_or(self.current, |t| t.tid)
            };
            self.halt(shared, Halt::Stop { tid, reason: StopReason::Interrupted, note: None });
        }
    }

    /// Lets the process go, once all its threads have stopped.
    pub(in crate::native) fn let_go(&mut self, shared: &mut TracerShared) {
        if self.phase == Phase::Ended {
            return;
        }
        if self.calling.is_some() {
            return self.give_up_call("the process was let go", true);
        }
        self.halt(shared, Halt::Detach);
    }
}

fn no_signal(name: &SignalName) -> Failure {
    Failure::new(ErrorCode::DEBUGGER, format!("There is no signal {name} here."))
}

/// Where an operation looks.
pub(in crate::native) fn context_of(operation: &Operation) -> Context {
    match operation {
        Operation::Stack { thread, .. } | Operation::StackDepth(thread) => Context { thread: *thread, frame: 0 },
        Operation::Evaluate { context, .. }
        | Operation::Print { context, .. }
        | Operation::TypeOf { context, .. }
        | Operation::Locals(context)
        | Operation::Arguments(context)
        | Operation::ReadMemory { context, .. }
        | Operation::WriteMemory { context, .. }
        | Operation::Disassemble { context, .. }
        | Operation::InstructionsBefore { context, .. }
        | Operation::Tell(context, _)
        | Operation::Registers(context, _)
        | Operation::Resolve(_, context)
        | Operation::Step { context, .. }
        | Operation::Until(_, context)
        | Operation::Advance(_, context)
        | Operation::Jump(_, context)
        | Operation::Return(_, context) => *context,
        _ => Context::default(),
    }
}

/// The answer of a rank that has ended: breakpoints may still be changed, for a restart.
pub(in crate::native) fn ended(operation: &Operation) -> Result<Answer, Failure> {
    match operation {
        Operation::SetBreakpoint(request) => Ok(Answer::Breakpoint(request.id, Vec::new())),
        Operation::DeleteBreakpoint(_)
        | Operation::EnableBreakpoint(..)
        | Operation::SetCondition(..)
        | Operation::SetIgnore(..)
        | Operation::Configure(_)
        | Operation::Reevaluate
        | Operation::StopLooking => Ok(Answer::Ok),
        _ => Err(not_run()),
    }
}
