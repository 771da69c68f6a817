//! Evaluates expressions in a rank, and handles the events of the functions that they call.

use super::inferior_calls::CallAction;
use crate::native::ptrace::{Observation, Tid};
use crate::native::tracer::phase::Phase;
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::TracerShared;
use model::{Answer, Event, Operation, ProcessSet, TransactionId};

impl Tracee {
    /// Evaluates an expression; `None` if a function has to run first and the answer follows later.
    pub(in crate::native) fn evaluate(
        &mut self,
        shared: &mut TracerShared,
        tid: TransactionId,
        operation: &Operation,
    ) -> Option<Answer> {
        let (Operation::Evaluate { context, .. } | Operation::Print { context, .. }) = operation else {
            return Some(self.perform(shared, tid, operation).unwrap_or_else(Answer::Failed));
        };
        if self.phase == Phase::Ended {
            return Some(self.perform(shared, tid, operation).unwrap_or_else(Answer::Failed));
        }
        let thread = match self.phase.require_stopped().and_then(|()| self.inferior.thread(context.thread)) {
            Ok(thread) => thread,
            Err(failure) => return Some(Answer::Failed(failure)),
        };
        match self.calls.evaluate(&mut self.inferior, &mut self.breakpoints, tid, operation, thread) {
            CallAction::End { answer: Some((_, answer)), .. } => Some(answer),
            action => {
                self.do_for_call(shared, action);
                None
            }
        }
    }

    /// Handles an event during a function call; returns it if it does not belong to the call.
    pub(in crate::native) fn of_call(
        &mut self,
        shared: &mut TracerShared,
        tid: Tid,
        observation: Observation,
    ) -> Option<Observation> {
        if self.phase != Phase::Calling {
            return Some(observation);
        }
        let executes = observation == Observation::Executed;
        let reports = &mut shared.outbox.of(self.control, self.rank);
        let Self { inferior, breakpoints, signals, .. } = self;
        let (action, rest) = self.calls.on(inferior, breakpoints, signals, reports, tid, observation);
        self.do_for_call(shared, action);
        if executes {
            self.phase = Phase::Running;
            self.report(shared, Event::Running);
        }
        rest
    }

    fn do_for_call(&mut self, shared: &mut TracerShared, action: CallAction) {
        match action {
            CallAction::Nothing => {}
            CallAction::Begin { thread, deadline } => {
                shared.calls.insert(self.rank, deadline);
                self.phase = Phase::Calling;
                self.carry_on(thread, 0);
            }
            CallAction::Resume(tid, signal) => self.carry_on(tid, signal),
            CallAction::End { answer, detaches } => {
                self.phase = Phase::Stopped;
                shared.end_call(self.rank);
                if let Some((tid, answer)) = answer {
                    shared.outbox.answer(tid, ProcessSet::one(self.rank), answer);
                }
                if detaches {
                    self.let_go(shared);
                }
            }
            CallAction::Leave { answer: (tid, answer), halt } => {
                self.phase = Phase::Stopped;
                shared.end_call(self.rank);
                shared.outbox.answer(tid, ProcessSet::one(self.rank), answer);
                self.halt(shared, halt);
            }
        }
    }
}
