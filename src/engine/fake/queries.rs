//! Queries to simulated ranks: splits the ranks by their state and collects their answers.

use super::{
    breakpoints::{PlantedBreakpoints, ops_of, site},
    code::TEXT,
    inspect::{Readings, no_such_place},
    machine::AnswersInCommon,
    report::Merged,
    simulation::{MANY_ANSWERS, Simulation},
    slot::{Slot, State},
};
use crate::{Query, Report};
use model::{
    Answer, BreakpointId, BreakpointRequest, ErrorCode, Event, Failure, LocationSpec, Operation, Point, PointAction,
    ProcessSet, SignalName, StopReason, TransactionId,
};
use std::time::{Duration, Instant};

impl Simulation {
    fn answer(&mut self, tid: TransactionId, ranks: ProcessSet, answer: Answer) {
        if ranks.is_empty() {
            return;
        }
        // Slow ranks answer separately, later.
        let mut slow = ProcessSet::new();
        for (rank, slot) in self.ranks.of(&ranks).filter(|(_, slot)| slot.machine.slowness > 0) {
            slow.insert(rank);
            let due = Instant::now() + Duration::from_millis(u64::from(slot.machine.slowness));
            self.late.push((due, Report::Answer { tid, ranks: ProcessSet::one(rank), answer: answer.clone() }));
        }
        let at_once = if slow.is_empty() { ranks } else { ranks.difference(&slow) };
        if !at_once.is_empty() {
            let _ = self.sink.send(Report::Answer { tid, ranks: at_once, answer });
        }
    }

    fn fail(&mut self, tid: TransactionId, ranks: ProcessSet, code: ErrorCode, message: &str) {
        self.answer(tid, ranks, Answer::Failed(Failure::new(code, message)));
    }

    pub(super) fn submit(&mut self, query: Query) {
        self.quiet_rounds = 0;
        let Query { tid, ranks, operation } = query;
        let mut by_state = [(); 4].map(|()| ProcessSet::new());
        let [running, stopped, ended, hung] = &mut by_state;
        for (rank, slot) in self.ranks.of(&ranks) {
            let set = match slot.state {
                State::Running => &mut *running,
                State::Stopped => &mut *stopped,
                State::Ended => &mut *ended,
                State::Hung => &mut *hung,
            };
            set.insert(rank);
        }
        let known = running.union(stopped).union(ended).union(hung);
        self.fail(tid, ranks.difference(&known), ErrorCode::BAD_SET, "no such rank in this engine");
        let [running, stopped, ended, _] = by_state;
        if operation.needs_stop() {
            self.fail(tid, running, ErrorCode::RUNNING, "the rank is running: halt it first");
            self.fail(tid, ended, ErrorCode::NOT_RUN, "the rank has ended");
            self.carry_out(tid, stopped, &operation);
            return;
        }
        let live = running.union(&stopped);
        if let Some(look) = operation.sampled() {
            self.fail(tid, ended, ErrorCode::NOT_RUN, "the rank has ended");
            if !live.is_empty() {
                self.ask(tid, live, look);
            }
            return;
        }
        if matches!(operation, Operation::Interrupt | Operation::Terminate | Operation::Detach | Operation::Threads) {
            self.fail(tid, ended, ErrorCode::NOT_RUN, "the rank has ended");
            self.carry_out(tid, live, &operation);
            return;
        }
        self.carry_out(tid, live.union(&ended), &operation);
    }

    fn carry_out(&mut self, tid: TransactionId, ranks: ProcessSet, operation: &Operation) {
        if ranks.is_empty() {
            return;
        }
        match operation {
            Operation::SetBreakpoint(request) => self.set_breakpoint(tid, ranks, request),
            Operation::DeleteBreakpoint(id) => {
                self.with_breakpoint(tid, ranks, *id, |all, ranks| all.delete(*id, ranks));
            }
            Operation::EnableBreakpoint(id, enabled) => self.with_breakpoint(tid, ranks, *id, |all, ranks| {
                all.change(*id, ranks, |request| request.enabled = *enabled);
            }),
            Operation::SetCondition(id, condition) => {
                if let Some(fault) = condition.as_deref().and_then(|text| self.unreadable(&ranks, text)) {
                    return self.answer(tid, ranks, Answer::Failed(fault));
                }
                self.with_breakpoint(tid, ranks, *id, |all, ranks| {
                    all.change(*id, ranks, |request| request.condition.clone_from(condition));
                });
            }
            Operation::SetIgnore(id, count) => {
                self.with_breakpoint(tid, ranks, *id, |all, ranks| all.set_ignore(*id, ranks, *count));
            }
            _ if operation.resumes() => self.resume(tid, ranks, operation),
            Operation::Interrupt | Operation::Terminate | Operation::Detach => self.halt(tid, ranks, operation),
            _ => self.ask(tid, ranks, operation),
        }
    }

    /// Returns the syntax error of an expression. Names are looked up only when the program hits the breakpoint.
    fn unreadable(&self, ranks: &ProcessSet, text: &str) -> Option<Failure> {
        let slot = self.ranks.get(ranks.first()?)?;
        super::parse::parse_expression(text, &slot.program.names).err().map(Failure::from)
    }

    fn set_breakpoint(&mut self, tid: TransactionId, ranks: ProcessSet, request: &BreakpointRequest) {
        if let Some(fault) = request.condition.as_deref().and_then(|text| self.unreadable(&ranks, text)) {
            return self.answer(tid, ranks, Answer::Failed(fault));
        }
        let (Point::Place(location), PointAction::Stop | PointAction::Barrier) = (&request.point, &request.action)
        else {
            let what = format!("the simulated engine does not support {}s", request.point.word());
            return self.fail(tid, ranks, ErrorCode::NOT_IMPLEMENTED, &what);
        };
        let mut answers = Merged::default();
        let mut ops = Vec::new();
        let mut planted = ProcessSet::new();
        self.ranks.each_of(&ranks, |slot| {
            let rank = slot.machine.rank;
            // Breakpoints are kept by the file's address; the user gives the relocated one.
            let address = match location {
                LocationSpec::Address(text) => match slot.code_address(text) {
                    Ok(address) => Some(address),
                    Err(failure) => {
                        answers.add(rank, Answer::Failed(failure));
                        return false;
                    }
                },
                _ => None,
            };
            match ops_of(&slot.program, location, address) {
                Ok(found) => {
                    let sites = found.iter().map(|op| site(&slot.program, *op, slot.bias)).collect();
                    answers.add(rank, Answer::Breakpoint(request.id, sites));
                    ops = found;
                    planted.insert(rank);
                }
                Err(failure) => drop(answers.add(rank, Answer::Failed(failure))),
            }
            true
        });
        if !planted.is_empty() {
            self.breakpoints.set(request.clone(), planted, ops);
        }
        for (answer, ranks) in answers.into_vec() {
            self.answer(tid, ranks, answer);
        }
    }

    fn with_breakpoint(
        &mut self,
        tid: TransactionId,
        ranks: ProcessSet,
        id: BreakpointId,
        act: impl FnOnce(&mut PlantedBreakpoints, &ProcessSet),
    ) {
        let having = self.breakpoints.having(id, &ranks);
        act(&mut self.breakpoints, &having);
        self.fail(tid, ranks.difference(&having), ErrorCode::NO_BREAKPOINT, &format!("no breakpoint number {id}"));
        self.answer(tid, having, Answer::Ok);
    }

    fn resume(&mut self, tid: TransactionId, ranks: ProcessSet, operation: &Operation) {
        let mut answers = Merged::default();
        self.ranks.each_of(&ranks, |slot| {
            let rank = slot.machine.rank;
            let goal = match operation {
                Operation::Step { kind, count, context } => slot.step_goal(*kind, *count, *context).map(Some),
                Operation::Until(location, context) => slot.until_goal(location, *context, false).map(Some),
                Operation::Advance(location, context) => slot.until_goal(location, *context, true).map(Some),
                Operation::Jump(location, context) => slot.jump(location, *context).map(|()| None),
                Operation::Return(..) => {
                    let words = "the simulated engine does not support return";
                    Err(Failure::new(ErrorCode::NOT_IMPLEMENTED, words))
                }
                _ => Ok(None),
            };
            let signal = match operation {
                Operation::Signal(name) => name.clone(),
                _ => slot.waiting_signal(),
            };
            match goal {
                Ok(goal) => {
                    slot.tid = tid;
                    answers.add(rank, Answer::Ok);
                    let mut events = Vec::new();
                    slot.resume(goal, signal, &mut events);
                    self.pending.add(rank, tid, &mut events);
                }
                Err(failure) => drop(answers.add(rank, Answer::Failed(failure))),
            }
            true
        });
        for (answer, ranks) in answers.into_vec() {
            self.answer(tid, ranks, answer);
        }
        self.pending.flush(&self.sink);
    }

    fn halt(&mut self, tid: TransactionId, ranks: ProcessSet, operation: &Operation) {
        self.answer(tid, ranks.clone(), Answer::Ok);
        self.ranks.each_of(&ranks, |slot| {
            let rank = slot.machine.rank;
            let mut events = Vec::new();
            slot.tid = tid;
            match operation {
                Operation::Interrupt if slot.state == State::Running => {
                    slot.stop(slot.current, StopReason::Interrupted, None, &mut events);
                }
                Operation::Terminate => slot.end(Event::Killed(SignalName::from_number(9).into()), &mut events),
                Operation::Detach => slot.end(Event::Detached, &mut events),
                _ => {}
            }
            self.pending.add(rank, tid, &mut events);
            true
        });
        self.pending.flush(&self.sink);
    }

    fn ask(&mut self, tid: TransactionId, ranks: ProcessSet, operation: &Operation) {
        let (mut answers, mut readings) = (Merged::default(), Readings::default());
        let mut in_common = AnswersInCommon::default();
        let is_of_memory = is_of_memory(operation);
        self.ranks.each_of(&ranks, |slot| {
            let (rank, thread, bias) = (slot.machine.rank, slot.current, slot.bias);
            if !is_of_memory {
                answers.add(rank, slot.inspect(operation, &mut readings));
                return true;
            }
            match in_common.find(&slot.machine, thread, bias) {
                Some(at) => {
                    answers.add_same(rank, at);
                    false
                }
                None => {
                    let at = answers.add(rank, slot.inspect(operation, &mut readings));
                    in_common.keep(&slot.machine, thread, bias, at)
                }
            }
        });
        let are_all_quick = self.ranks.of(&ranks).all(|(_, slot)| slot.machine.slowness == 0);
        let answers = answers.into_vec();
        self.has_grown |= answers.len() > MANY_ANSWERS;
        for (answer, ranks) in answers {
            // There may be as many different answers as ranks.
            if are_all_quick {
                let _ = self.sink.send(Report::Answer { tid, ranks, answer });
            } else {
                self.answer(tid, ranks, answer);
            }
        }
    }
}

/// True for queries whose answer follows from the program, the threads and the memory of a rank.
fn is_of_memory(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Stack { .. }
            | Operation::ThreadStacks { .. }
            | Operation::StackDepth(_)
            | Operation::FrameArguments { .. }
            | Operation::Locals(_)
            | Operation::Arguments(_)
            | Operation::Evaluate { .. }
            | Operation::Print { .. }
            | Operation::Registers(..)
    )
}

impl Slot {
    /// Converts the user's address expression to an address before relocation.
    fn code_address(&mut self, text: &str) -> Result<u64, Failure> {
        let at = if self.state == State::Stopped { self.at(self.current, 0) } else { None };
        let reading = super::evaluate::compile(&self.program, at.map(|at| at.op), text)?;
        let at = at.or(self.at(0, 0)).ok_or_else(|| no_such_place(&LocationSpec::Address(text.into())))?;
        let program = self.program.clone();
        let address = reading.number(&mut self.machine, &program, at)?;
        Ok(if address >= TEXT.wrapping_add(self.bias) { address.wrapping_sub(self.bias) } else { address })
    }
}
