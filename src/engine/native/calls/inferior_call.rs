//! Functions of the program that an expression calls. The thread of the expression runs alone meanwhile, and the tracer
//! goes on with everything else; what is asked of the rank waits.

use super::called_frame::CalledFrame;
use crate::native::breakpoints::claims::Claim;
use crate::native::breakpoints::verdict::Verdict;
use crate::native::calls::running_call::Asked;
use crate::native::calls::running_call::InferiorCall;
use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::{Evaluation, evaluate};
use crate::native::ptrace::{Observation, Tid};
use crate::native::tracer::phase::{Halt, Phase};
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::TracerShared;
use debuginfo::types::Place;
use expr::call_request::{CallRequest, Convention};
use expr::lang::c::abi::returned_place;
use expr::lang::rust::abi::returned_by_rust;
use expr::{Journal, Value};
use model::{
    Answer, ErrorCode, Event, Failure, Operation, ProcessSet, SignalName, StopReason, TransactionId, VirtualAddress,
};
use std::time::{Duration, Instant};

/// Bytes below the stack pointer that belong to the function that was stopped (System V ABI, 3.2.2).
const RED_ZONE: u64 = 128;
/// How long a function may run that an expression calls, unless the settings say otherwise.
const LIMIT: Duration = Duration::from_secs(4);
/// The flag by which string instructions go backwards; functions expect it to be clear.
const DIRECTION: u64 = 1 << 10;

impl Inferior {
    fn call_limit(&self) -> Option<Duration> {
        match self.spec.settings.call_limit_ms {
            None => Some(LIMIT),
            Some(0) => None,
            Some(limit) => Some(Duration::from_millis(limit.into())),
        }
    }

    /// A thread that was being stopped when the call began, or that the function created: it stays where it is.
    fn on_bystander(&mut self, tid: Tid, observation: Observation) {
        let Some(thread) = self.process.thread_mut(tid) else { return };
        match observation {
            Observation::Breakpoint(_) => thread.arrived = true,
            Observation::Signal(signal) => thread.deferred_signal = Some(signal),
            _ => {}
        }
    }

    fn put_back(&mut self, frame: CalledFrame) -> Result<(), Failure> {
        self.process.restore(frame.thread, frame.saved).map_err(|errno| {
            Failure::new(ErrorCode::DEBUGGER, format!("The registers cannot be put back: {}", errno.desc()))
        })
    }
}

impl Tracee {
    /// Evaluates an expression; `None`: a function has to run first, the answer follows.
    pub(in crate::native) fn evaluate(
        &mut self,
        shared: &mut TracerShared,
        tid: TransactionId,
        operation: &Operation,
    ) -> Option<Answer> {
        let (Operation::Evaluate { context, .. } | Operation::Print { context, .. }) = operation else {
            return Some(self.perform(shared, tid, operation));
        };
        if self.phase == Phase::Ended {
            return Some(self.perform(shared, tid, operation));
        }
        let thread = self.phase.require_stopped().and_then(|()| self.inferior.thread(context.thread));
        let thread = match thread {
            Ok(thread) => thread,
            Err(failure) => return Some(Answer::Failed(failure)),
        };
        self.inferior.note_thread(thread);
        let notes = self.inferior.value_history.pages();
        let asked = Asked { tid, operation: operation.clone(), thread, journal: Journal::default(), notes };
        self.go_on_evaluating(shared, asked)
    }

    fn go_on_evaluating(&mut self, shared: &mut TracerShared, asked: Asked) -> Option<Answer> {
        if asked.journal.is_begun() {
            self.inferior.value_history.go_back(&asked.notes);
        }
        let outcome = self.inferior.look(asked.thread, |thread| evaluate(&asked.operation, thread, &asked.journal));
        match outcome {
            Evaluation::Done(answer) => Some(answer),
            Evaluation::Call(request) => match self.begin_call(shared, *request, asked) {
                Ok(()) => None,
                Err(failure) => Some(Answer::Failed(failure)),
            },
        }
    }

    /// Makes the thread call a function, and lets it run.
    fn begin_call(&mut self, shared: &mut TracerShared, mut request: CallRequest, asked: Asked) -> Result<(), Failure> {
        let tid = asked.thread;
        let name = request.name.clone();
        let refused = |what: &str| Failure::new(ErrorCode::DEBUGGER, format!("{name} cannot be called: {what}"));
        let back = self.inferior.program.auxiliary.entry.ok_or_else(|| refused("the program has no entry point."))?.0;
        let saved = self.inferior.process.save(tid).map_err(|errno| refused(errno.desc()))?;
        let mut registers = saved.registers;
        let mut stack = registers.rsp.wrapping_sub(RED_ZONE) & !15;
        if let Some(size) = request.hidden {
            stack = stack.wrapping_sub(size) & !15;
            if let Some(first) = request.integers.first_mut() {
                *first = stack;
            }
        }
        stack = stack.wrapping_sub(request.stack.len() as u64) & !15;
        let mut pushed = back.to_le_bytes().to_vec();
        pushed.extend(&request.stack);
        let low = stack.wrapping_sub(8);
        let outcome = self.inferior.process.address_space_mut().write(low, &pushed).map_err(|fault| fault.to_string());
        let places = [
            &mut registers.rdi,
            &mut registers.rsi,
            &mut registers.rdx,
            &mut registers.rcx,
            &mut registers.r8,
            &mut registers.r9,
        ];
        places.into_iter().zip(&request.integers).for_each(|(place, value)| *place = *value);
        registers.rax = request.vectors.len() as u64;
        registers.rsp = low;
        registers.rip = request.function.0;
        registers.eflags &= !DIRECTION;
        let vectors = self.inferior.look(tid, |thread| {
            let numbered = request.vectors.iter().zip(expr::lang::c::abi::XMM0..);
            let mut numbered = numbered;
            numbered.all(|(word, number)| thread.access.set_register(number, &word.to_le_bytes()))
        });
        let frame = CalledFrame { thread: tid, back, stack_pointer: stack, saved };
        let ready = outcome
            .and_then(|()| if vectors { Ok(()) } else { Err("its arguments cannot be put into registers.".to_owned()) })
            .and_then(|()| self.inferior.process.set_registers(tid, registers).map_err(|errno| errno.desc().to_owned()))
            .and_then(|()| {
                self.breakpoints
                    .claims
                    .add(&mut self.inferior.process, back, Claim::CallEnd)
                    .map_err(|failure| failure.message)
            });
        if let Err(why) = ready {
            let failure = refused(&why);
            let _ = self.inferior.process.restore(tid, frame.saved);
            return Err(failure);
        }
        let deadline = self.inferior.call_limit().map(|limit| Instant::now() + limit);
        shared.calls.insert(self.rank, deadline);
        self.phase = Phase::Calling;
        self.calling =
            Some(Box::new(InferiorCall { asked, request, frame, deadline, given_up: None, then_detach: false }));
        self.carry_on(tid, 0);
        Ok(())
    }

    /// While a function is being called most of what happens to threads is for the call; the rest is given back.
    pub(in crate::native) fn of_call(
        &mut self,
        shared: &mut TracerShared,
        tid: Tid,
        observation: Observation,
    ) -> Option<Observation> {
        if self.phase != Phase::Calling {
            return Some(observation);
        }
        match &observation {
            Observation::Exited(_) | Observation::Killed(_) => self.call_is_lost(shared, "ended"),
            Observation::Executed => {
                self.call_is_lost(shared, "executed another one");
                self.phase = Phase::Running;
                self.report(shared, Event::Running);
            }
            Observation::ThreadEnded if self.is_calling(tid) => {
                self.call_is_lost(shared, "or its thread ended");
                self.phase = Phase::Stopped;
            }
            Observation::Cloned(_) | Observation::Forked { .. } | Observation::ThreadEnded | Observation::Soon => {}
            _ => {
                self.on_while_calling(shared, tid, observation);
                return None;
            }
        }
        Some(observation)
    }

    /// What happened to a thread while a function is being called.
    fn on_while_calling(&mut self, shared: &mut TracerShared, tid: Tid, observation: Observation) {
        let Some(calling) = &self.calling else { return };
        let (caller, given_up) = (calling.frame.thread, calling.given_up.clone());
        if tid != caller {
            return self.inferior.on_bystander(tid, observation);
        }
        if let (Some(why), true) =
            (given_up, self.inferior.process.thread(tid).is_some_and(|thread| thread.is_stopped()))
        {
            return self.undo_call(shared, why);
        }
        match observation {
            Observation::Breakpoint(address) => self.arrive_while_calling(shared, tid, address),
            Observation::Signal(signal) => self.signal_while_calling(shared, tid, signal),
            Observation::Watched { places, .. } => {
                self.breakpoints.note_watched(&mut self.inferior, tid, places);
                match self
                    .breakpoints
                    .next_watched(&mut self.inferior, &mut shared.outbox.of(self.control, self.rank))
                    .stop
                {
                    Some((tid, reason, note)) => self.leave_call(shared, tid, reason, note),
                    None => self.carry_on(tid, 0),
                }
            }
            // Whatever else it does belongs to the call.
            _ => self.carry_on(tid, 0),
        }
    }

    fn arrive_while_calling(&mut self, shared: &mut TracerShared, tid: Tid, address: u64) {
        let stack = self.inferior.process.registers(tid).map_or(0, |registers| registers.rsp);
        if let Some(thread) = self.inferior.process.thread_mut(tid) {
            thread.passes = true;
        }
        let claims = self.breakpoints.claims.at(address).to_vec();
        let ended = |calling: &InferiorCall| calling.frame.back == address && calling.frame.stack_pointer == stack;
        if claims.contains(&Claim::CallEnd) && self.calling.as_deref().is_some_and(ended) {
            return self.end_call(shared);
        }
        if let Some(Verdict::Stop(reason, note)) =
            self.breakpoints.judge(&mut self.inferior, &mut shared.outbox.of(self.control, self.rank), tid, &claims)
        {
            return self.leave_call(shared, tid, reason, note);
        }
        self.carry_on(tid, 0);
    }

    fn signal_while_calling(&mut self, shared: &mut TracerShared, tid: Tid, signal: i32) {
        let name = SignalName::from_number(signal);
        let row = self.signals.get(&name).map(|row| (row.disposition, row.description.clone()));
        let Some((disposition, description)) = row else { return self.carry_on(tid, signal) };
        if disposition.stop {
            return self.undo_call(shared, format!("it got signal {name}, {description}"));
        }
        if disposition.print {
            self.report(shared, Event::SignalSeen(name));
        }
        self.carry_on(tid, if disposition.pass { signal } else { 0 });
    }

    /// The function has returned: what it returned is read, and everything is as it was before.
    fn end_call(&mut self, shared: &mut TracerShared) {
        let Some(calling) = self.take_call(shared) else { return };
        let InferiorCall { mut asked, request, frame, then_detach, .. } = *calling;
        let returns = &request.returns;
        let bytes = self.inferior.look(frame.thread, |thread| {
            thread.at_no_frame(|view| {
                let place = match (request.convention, request.hidden.and(request.integers.first())) {
                    (Convention::C, _) => returned_place(returns, &view.eval()),
                    // Where it is need not be said again.
                    (Convention::Rust, Some(hidden)) => Some(Place::Memory(VirtualAddress(*hidden))),
                    (Convention::Rust, None) => returned_by_rust(returns, &view.eval()),
                };
                let Some(place) = place else { return Ok(Vec::new()) };
                let value = Value::new(returns.clone(), place);
                Ok(value.raw_bytes(&view.eval())?)
            })
        });
        if let Err(failure) = self.inferior.put_back(frame) {
            return self.say(shared, &asked, Answer::Failed(failure));
        }
        match bytes {
            Ok(bytes) => asked.journal.returned(bytes),
            Err(failure) => return self.say(shared, &asked, Answer::Failed(failure)),
        }
        if then_detach {
            return self.let_go(shared);
        }
        let tid = asked.tid;
        if let Some(answer) = self.go_on_evaluating(shared, asked) {
            self.say_to(shared, tid, answer);
        }
    }

    /// The function is taken back: its thread is where it was. What it wrote stays.
    fn undo_call(&mut self, shared: &mut TracerShared, why: String) {
        let Some(calling) = self.take_call(shared) else { return };
        let InferiorCall { asked, request, frame, then_detach, .. } = *calling;
        let message = format!(
            "The function {} was called and {why}. The call is undone: registers and stack are as before, what it wrote \
             to memory stays.",
            request.name
        );
        let outcome = self.inferior.put_back(frame);
        let failure = outcome.err().unwrap_or_else(|| Failure::new(ErrorCode::DEBUGGER, message));
        self.say(shared, &asked, Answer::Failed(failure));
        if then_detach {
            self.let_go(shared);
        }
    }

    /// The function stops at a breakpoint or has changed what is watched: it can be looked into, and returns when the rank goes on.
    fn leave_call(&mut self, shared: &mut TracerShared, tid: Tid, reason: StopReason, note: Option<String>) {
        let Some(calling) = self.take_call(shared) else { return };
        let InferiorCall { asked, request, frame, then_detach, .. } = *calling;
        let message = format!(
            "The program stopped in the function {} that was called: the expression is given up. When the function is \
             left, the rank stops again where it was.",
            request.name
        );
        // Its end is waited for on.
        let _ = self.breakpoints.claims.add(&mut self.inferior.process, frame.back, Claim::CallEnd);
        self.inferior.left_calls.push(frame);
        self.say(shared, &asked, Answer::Failed(Failure::new(ErrorCode::DEBUGGER, message)));
        let halt = if then_detach { Halt::Detach } else { Halt::Stop { tid, reason, note } };
        self.report(shared, Event::Running);
        self.halt(shared, halt);
    }

    /// A function returns that was called and stopped in; whether it was one.
    pub(in crate::native) fn returned_from_call(&mut self, shared: &mut TracerShared, tid: Tid, address: u64) -> bool {
        let stack = self.inferior.process.registers(tid).map_or(0, |registers| registers.rsp);
        let mine = |frame: &CalledFrame| frame.thread == tid && frame.back == address && frame.stack_pointer == stack;
        let Some(place) = self.inferior.left_calls.iter().position(mine) else { return false };
        let frame = self.inferior.left_calls.remove(place);
        self.breakpoints.claims.remove(&mut self.inferior.process, address, Claim::CallEnd);
        let note = match self.inferior.put_back(frame) {
            Ok(()) => "the function that was called has returned".to_owned(),
            Err(failure) => failure.message,
        };
        self.halt(shared, Halt::Stop { tid, reason: StopReason::Finished(None), note: Some(note) });
        true
    }

    /// As [`Tracee::returned_from_call`], of a thread that came there step by step.
    pub(in crate::native) fn stepped_out_of_call(&mut self, shared: &mut TracerShared, tid: Tid) -> bool {
        !self.inferior.left_calls.is_empty()
            && self.inferior.pc(tid).is_ok_and(|pc| self.returned_from_call(shared, tid, pc))
    }

    /// The rank is no longer calling.
    fn take_call(&mut self, shared: &mut TracerShared) -> Option<Box<InferiorCall>> {
        let calling = self.calling.take()?;
        self.breakpoints.claims.remove(&mut self.inferior.process, calling.frame.back, Claim::CallEnd);
        self.phase = Phase::Stopped;
        shared.end_call(self.rank);
        Some(calling)
    }

    fn say(&self, shared: &mut TracerShared, asked: &Asked, answer: Answer) {
        self.say_to(shared, asked.tid, answer);
    }

    fn say_to(&self, shared: &mut TracerShared, tid: TransactionId, answer: Answer) {
        shared.outbox.answer(tid, ProcessSet::one(self.rank), answer);
    }

    /// The process is gone or has become another program: there is nothing to put back.
    pub(in crate::native) fn call_is_lost(&mut self, shared: &mut TracerShared, why: &str) {
        self.inferior.left_calls.clear();
        let Some(calling) = self.calling.take() else { return };
        shared.end_call(self.rank);
        let message = format!("The program {why} in the function {} that was called.", calling.request.name);
        self.say(shared, &calling.asked, Answer::Failed(Failure::new(ErrorCode::DEBUGGER, message)));
    }

    /// Has a call undone as soon as its thread has stopped; `detach`: the process is let go afterwards.
    pub(in crate::native) fn give_up_call(&mut self, why: &str, detach: bool) {
        let Some(calling) = &mut self.calling else { return };
        calling.given_up.get_or_insert_with(|| why.to_owned());
        calling.then_detach |= detach;
        let tid = calling.frame.thread;
        if let Some(thread) = self.inferior.process.thread(tid) {
            thread.interrupt();
        }
    }

    /// Gives up a call that has taken too long.
    pub(in crate::native) fn overdue(&mut self, now: Instant) {
        if self.calling.as_ref().is_some_and(|calling| calling.deadline.is_some_and(|deadline| deadline <= now)) {
            let limit = self.inferior.call_limit().unwrap_or(LIMIT).as_secs_f64();
            self.give_up_call(&format!("did not return within {limit} s (\"set call-limit\" changes that)"), false);
        }
    }

    /// Whether a thread is running a function for an expression.
    pub(in crate::native) fn is_calling(&self, tid: Tid) -> bool {
        self.phase == Phase::Calling && self.calling.as_deref().is_some_and(|calling| calling.frame.thread == tid)
    }

    /// Takes back every function that was called and stopped in: the process is let go.
    pub(in crate::native) fn abandon_left_calls(&mut self) {
        while let Some(frame) = self.inferior.left_calls.pop() {
            self.breakpoints.claims.remove(&mut self.inferior.process, frame.back, Claim::CallEnd);
            let _ = self.inferior.put_back(frame);
        }
    }
}
