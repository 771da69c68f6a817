//! Functions of the program that an expression calls. Meanwhile only the expression's thread runs, the tracer continues
//! with other ranks, and queries of this rank wait.

use super::called_frame::CalledFrame;
use super::left_calls::put_back;
use super::running_call::{Asked, RunningCall};
use crate::native::breakpoints::claims::Claim;
use crate::native::breakpoints::points::Breakpoints;
use crate::native::breakpoints::verdict::Verdict;
use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::{Evaluation, evaluate};
use crate::native::ptrace::{Observation, Process, Tid, handle_fpu_trap};
use crate::native::tracer::outbox::RankReports;
use crate::native::tracer::phase::Halt;
use debuginfo::types::Place;
use expr::call_request::{CallRequest, Convention};
use expr::lang::c::abi::{XMM0, returned_place};
use expr::lang::rust::abi::returned_by_rust;
use expr::{Journal, Value};
use model::{
    Answer, ErrorCode, Event, Failure, Operation, SignalName, SignalTable, StopReason, TransactionId, VirtualAddress,
};
use std::time::{Duration, Instant};

/// Bytes below the stack pointer that belong to the function that was stopped (System V ABI, 3.2.2).
const RED_ZONE: u64 = 128;
/// The default timeout of a function that an expression calls.
const LIMIT: Duration = Duration::from_secs(4);
/// The direction flag of string instructions; functions expect it to be clear.
const DIRECTION: u64 = 1 << 10;

/// The function that is running for an expression in one rank, if any.
#[derive(Debug, Default)]
pub(in crate::native) struct InferiorCalls {
    running: Option<Box<RunningCall>>,
}

/// The next action for an expression that calls functions.
#[derive(Debug)]
pub(in crate::native) enum CallAction {
    Nothing,
    /// Run a function on this thread alone.
    Begin {
        thread: Tid,
        deadline: Option<Instant>,
    },
    /// Resume the thread, with this signal unless it is 0.
    Resume(Tid, i32),
    /// No function runs any more. The answer is `None` if the process is detached without one.
    End {
        answer: Option<(TransactionId, Answer)>,
        detaches: bool,
    },
    /// The rank stops inside the function: the expression is abandoned.
    Leave {
        answer: (TransactionId, Answer),
        halt: Halt,
    },
}

impl CallAction {
    fn fail(asked: &Asked, failure: Failure, detaches: bool) -> Self {
        Self::End { answer: Some((asked.tid, Answer::Failed(failure))), detaches }
    }
}

fn call_limit(inferior: &Inferior) -> Option<Duration> {
    match inferior.spec.settings.call_limit_ms {
        None => Some(LIMIT),
        Some(0) => None,
        Some(limit) => Some(Duration::from_millis(limit.into())),
    }
}

/// Keeps a thread stopped that was being stopped when the call began, or that the function created.
fn on_bystander(process: &mut Process, tid: Tid, observation: Observation) {
    let Some(thread) = process.thread_mut(tid) else { return };
    match observation {
        Observation::Breakpoint(_) => thread.arrived = true,
        Observation::Signal(signal) => thread.deferred_signal = Some(signal),
        _ => {}
    }
}

/// Reads the return value of a function that has just returned.
fn returned(inferior: &mut Inferior, tid: Tid, request: &CallRequest) -> Result<Vec<u8>, Failure> {
    let returns = &request.returns;
    inferior.look(tid, |thread| {
        thread.at_no_frame(|view| {
            let place = match (request.convention, request.hidden.and(request.integers.first())) {
                (Convention::C, _) => returned_place(returns, &view.eval()),
                // The callee need not return the address again.
                (Convention::Rust, Some(hidden)) => Some(Place::Memory(VirtualAddress(*hidden))),
                (Convention::Rust, None) => returned_by_rust(returns, &view.eval()),
            };
            let Some(place) = place else { return Ok(Vec::new()) };
            let value = Value::new(returns.clone(), place);
            Ok(value.raw_bytes(&view.eval())?)
        })
    })
}

impl InferiorCalls {
    /// Evaluates an expression on a stopped thread until it is done or a function has to run.
    pub(in crate::native) fn evaluate(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        tid: TransactionId,
        operation: &Operation,
        thread: Tid,
    ) -> CallAction {
        inferior.note_thread(thread);
        let notes = inferior.value_history.pages();
        let asked = Asked { tid, operation: operation.clone(), thread, journal: Journal::default(), notes };
        self.go_on_evaluating(inferior, breakpoints, asked)
    }

    fn go_on_evaluating(&mut self, inferior: &mut Inferior, breakpoints: &mut Breakpoints, asked: Asked) -> CallAction {
        if asked.journal.is_begun() {
            inferior.value_history.go_back(&asked.notes);
        }
        let tid = asked.tid;
        let answer = match inferior.look(asked.thread, |thread| evaluate(&asked.operation, thread, &asked.journal)) {
            Evaluation::Done(answer) => answer,
            Evaluation::Call(request) => match begin_call(inferior, breakpoints, *request, asked) {
                Ok(call) => {
                    let action = CallAction::Begin { thread: call.frame.thread, deadline: call.deadline };
                    self.running = Some(Box::new(call));
                    return action;
                }
                Err(failure) => Answer::Failed(failure),
            },
        };
        CallAction::End { answer: Some((tid, answer)), detaches: false }
    }

    /// Handles a thread's event during a function call; returns it if it does not belong to the call.
    pub(in crate::native) fn on(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        signals: &SignalTable,
        reports: &mut RankReports<'_>,
        tid: Tid,
        observation: Observation,
    ) -> (CallAction, Option<Observation>) {
        let action = match &observation {
            Observation::Exited(_) | Observation::Killed(_) => self.lose(inferior, "ended"),
            Observation::Executed => self.lose(inferior, "executed another one"),
            Observation::ThreadEnded if self.runs_in(tid) => self.lose(inferior, "or its thread ended"),
            Observation::Cloned(_) | Observation::Forked { .. } | Observation::ThreadEnded | Observation::Soon => {
                CallAction::Nothing
            }
            _ => return (self.on_threads(inferior, breakpoints, signals, reports, tid, observation), None),
        };
        (action, Some(observation))
    }

    fn on_threads(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        signals: &SignalTable,
        reports: &mut RankReports<'_>,
        tid: Tid,
        observation: Observation,
    ) -> CallAction {
        let Some(running) = &self.running else { return CallAction::Nothing };
        if tid != running.frame.thread {
            on_bystander(&mut inferior.process, tid, observation);
            return CallAction::Nothing;
        }
        if let (Some(why), true) =
            (&running.given_up, inferior.process.thread(tid).is_some_and(|thread| thread.is_stopped()))
        {
            let why = why.clone();
            return self.undo(inferior, breakpoints, &why);
        }
        match observation {
            Observation::Breakpoint(address) => self.arrive(inferior, breakpoints, reports, tid, address),
            Observation::Signal(signal) => self.signal(inferior, breakpoints, signals, reports, tid, signal),
            Observation::Watched { places, .. } => {
                breakpoints.note_watched(inferior, tid, places);
                match breakpoints.next_watched(inferior, reports).stop {
                    Some((tid, reason, note)) => self.leave(inferior, breakpoints, tid, reason, note),
                    None => CallAction::Resume(tid, 0),
                }
            }
            Observation::FloatTrap(trap) if trap.is_of_program => {
                self.signal(inferior, breakpoints, signals, reports, tid, nix::libc::SIGFPE)
            }
            Observation::FloatTrap(trap) => {
                handle_fpu_trap(&mut inferior.process, tid, trap);
                CallAction::Resume(tid, 0)
            }
            // All other events of this thread belong to the call.
            _ => CallAction::Resume(tid, 0),
        }
    }

    fn arrive(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        reports: &mut RankReports<'_>,
        tid: Tid,
        address: u64,
    ) -> CallAction {
        let stack = inferior.process.registers(tid).map_or(0, |registers| registers.rsp);
        if let Some(thread) = inferior.process.thread_mut(tid) {
            thread.passes = true;
        }
        let claims = breakpoints.claims.at(address).to_vec();
        let ended = |call: &RunningCall| call.frame.back == address && call.frame.stack_pointer == stack;
        if claims.contains(&Claim::CallEnd) && self.running.as_deref().is_some_and(ended) {
            return self.end(inferior, breakpoints);
        }
        if let Some(Verdict::Stop(reason, note)) = breakpoints.judge(inferior, reports, tid, &claims) {
            return self.leave(inferior, breakpoints, tid, reason, note);
        }
        CallAction::Resume(tid, 0)
    }

    fn signal(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        signals: &SignalTable,
        reports: &mut RankReports<'_>,
        tid: Tid,
        signal: i32,
    ) -> CallAction {
        let name = SignalName::from_number(signal);
        let Some(row) = signals.get(&name) else { return CallAction::Resume(tid, signal) };
        if row.disposition.stop {
            return self.undo(inferior, breakpoints, &format!("got signal {name}, {}", row.description));
        }
        if row.disposition.print {
            reports.event(Event::SignalSeen(name));
        }
        CallAction::Resume(tid, if row.disposition.pass { signal } else { 0 })
    }

    /// Handles the return of the function: reads the value and restores the thread.
    fn end(&mut self, inferior: &mut Inferior, breakpoints: &mut Breakpoints) -> CallAction {
        let Some(call) = self.take(inferior, breakpoints) else { return CallAction::Nothing };
        let RunningCall { mut asked, request, frame, then_detach, .. } = *call;
        let bytes = returned(inferior, frame.thread, &request);
        if let Err(failure) = put_back(&mut inferior.process, frame) {
            return CallAction::fail(&asked, failure, false);
        }
        match bytes {
            Ok(bytes) => asked.journal.returned(bytes),
            Err(failure) => return CallAction::fail(&asked, failure, false),
        }
        if then_detach {
            return CallAction::End { answer: None, detaches: true };
        }
        self.go_on_evaluating(inferior, breakpoints, asked)
    }

    /// Cancels the call and restores its thread. What the function wrote to memory stays.
    fn undo(&mut self, inferior: &mut Inferior, breakpoints: &mut Breakpoints, why: &str) -> CallAction {
        let Some(call) = self.take(inferior, breakpoints) else { return CallAction::Nothing };
        let RunningCall { asked, request, frame, then_detach, .. } = *call;
        let message = format!(
            "The called function {} {why}. The call was undone: registers and stack are restored, its changes to \
                memory remain.",
            request.name
        );
        let outcome = put_back(&mut inferior.process, frame);
        let failure = outcome.err().unwrap_or_else(|| Failure::new(ErrorCode::DEBUGGER, message));
        CallAction::fail(&asked, failure, then_detach)
    }

    /// Stops inside the function, at a breakpoint or watchpoint: it can be inspected, and returns when the rank
    /// continues.
    fn leave(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        tid: Tid,
        reason: StopReason,
        note: Option<String>,
    ) -> CallAction {
        let Some(call) = self.take(inferior, breakpoints) else { return CallAction::Nothing };
        let RunningCall { asked, request, frame, then_detach, .. } = *call;
        let message = format!(
            "The program stopped in the called function {}: the expression was abandoned. When the function \
                returns, the rank stops where it was.",
            request.name
        );
        // Its return is still waited for.
        let _ = breakpoints.claims.add(&mut inferior.process, frame.back, Claim::CallEnd);
        inferior.left_calls.push(frame);
        let answer = (asked.tid, Answer::Failed(Failure::new(ErrorCode::STOPPED_IN_CALL, message)));
        CallAction::Leave { answer, halt: if then_detach { Halt::Detach } else { Halt::Stop { tid, reason, note } } }
    }

    fn take(&mut self, inferior: &mut Inferior, breakpoints: &mut Breakpoints) -> Option<Box<RunningCall>> {
        let call = self.running.take()?;
        breakpoints.claims.remove(&mut inferior.process, call.frame.back, Claim::CallEnd);
        Some(call)
    }

    /// Ends the call when the process has ended or executed another program: there is nothing to restore.
    fn lose(&mut self, inferior: &mut Inferior, why: &str) -> CallAction {
        inferior.left_calls.clear();
        let Some(call) = self.running.take() else { return CallAction::Nothing };
        let message = format!("The program {why} in the called function {}.", call.request.name);
        CallAction::fail(&call.asked, Failure::new(ErrorCode::DEBUGGER, message), false)
    }

    /// Cancels a call as soon as its thread has stopped, and then detaches if `detach` is set. True if there is a call.
    pub(in crate::native) fn give_up(&mut self, process: &mut Process, why: &str, detach: bool) -> bool {
        let Some(call) = &mut self.running else { return false };
        call.given_up.get_or_insert_with(|| why.to_owned());
        call.then_detach |= detach;
        if let Some(thread) = process.thread(call.frame.thread) {
            thread.interrupt();
        }
        true
    }

    /// True if the process is to be detached after the call.
    pub(in crate::native) fn detaches(&self) -> bool {
        self.running.as_ref().is_some_and(|call| call.then_detach)
    }

    /// Cancels a call that has timed out.
    pub(in crate::native) fn give_up_overdue(&mut self, inferior: &mut Inferior, now: Instant) {
        if self.running.as_ref().is_some_and(|call| call.deadline.is_some_and(|deadline| deadline <= now)) {
            let limit = call_limit(inferior).unwrap_or(LIMIT).as_secs_f64();
            let why = format!("did not return within {limit} s (\"set call-limit\" changes that)");
            self.give_up(&mut inferior.process, &why, false);
        }
    }

    /// True if a thread is running a function for an expression.
    pub(in crate::native) fn runs_in(&self, tid: Tid) -> bool {
        self.running.as_deref().is_some_and(|call| call.frame.thread == tid)
    }
}

/// Prepares the thread of an expression to run a function.
fn begin_call(
    inferior: &mut Inferior,
    breakpoints: &mut Breakpoints,
    mut request: CallRequest,
    asked: Asked,
) -> Result<RunningCall, Failure> {
    let tid = asked.thread;
    let name = request.name.clone();
    let refused = |what: &str| Failure::new(ErrorCode::DEBUGGER, format!("cannot call {name}: {what}"));
    let back = inferior.program.auxiliary.entry.ok_or_else(|| refused("the program has no entry point."))?.0;
    let saved = inferior.process.save(tid).map_err(|errno| refused(errno.desc()))?;
    let mut registers = saved.registers;
    let mut stack = registers.rsp.wrapping_sub(RED_ZONE) & !15;
    if let Some(size) = request.hidden {
        stack = stack.wrapping_sub(size) & !15;
        if let Some(first) = request.integers.first_mut() {
            *first = stack;
        }
    }
    let mut outcome = Ok(());
    for copy in std::mem::take(&mut request.copies) {
        stack = stack.wrapping_sub(copy.bytes.len() as u64) & !15;
        outcome = outcome.and_then(|()| inferior.process.address_space_mut().write(stack, &copy.bytes));
        request.enter(copy.slot, stack);
    }
    stack = stack.wrapping_sub(request.stack.len() as u64) & !15;
    let mut pushed = back.to_le_bytes().to_vec();
    pushed.extend(&request.stack);
    let low = stack.wrapping_sub(8);
    let outcome = outcome.and_then(|()| inferior.process.address_space_mut().write(low, &pushed));
    let outcome = outcome.map_err(|fault| fault.to_string());
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
    let vectors = inferior.look(tid, |thread| {
        let mut numbered = request.vectors.iter().zip(XMM0..);
        numbered.all(|(word, number)| thread.access.set_register(number, &word.to_le_bytes()))
    });
    let frame = CalledFrame { thread: tid, back, stack_pointer: stack, saved };
    let ready = outcome
        .and_then(|()| if vectors { Ok(()) } else { Err("its arguments cannot be put into registers.".to_owned()) })
        .and_then(|()| inferior.process.set_registers(tid, registers).map_err(|errno| errno.desc().to_owned()))
        .and_then(|()| {
            let added = breakpoints.claims.add(&mut inferior.process, back, Claim::CallEnd);
            added.map_err(|failure| failure.message)
        });
    if let Err(why) = ready {
        let failure = refused(&why);
        let _ = inferior.process.restore(tid, frame.saved);
        return Err(failure);
    }
    let deadline = call_limit(inferior).map(|limit| Instant::now() + limit);
    Ok(RunningCall { asked, request, frame, deadline, given_up: None, then_detach: false })
}
