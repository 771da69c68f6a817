//! A rank under the simulated debugger: its machine and its run control.

use super::{
    breakpoints::PlantedBreakpoints,
    code::{Op, Program, address_of},
    ctype::Scalar,
    datum::datum,
    evaluate::At,
    link::function_address,
    machine::{Effect, HANDLER, Machine},
};
use model::{
    BreakpointId, CodePlace, Datum, Event, Frame, Returned, SignalName, SignalTable, SourcePlace, Stop, StopReason,
    ThreadId, TransactionId, VirtualAddress,
};
use std::{collections::BTreeMap, sync::Arc};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum State {
    Running,
    Stopped,
    Ended,
    /// Runs or appears to, and does not answer any more.
    Hung,
}

/// The condition for a resumed rank to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// The start of another line. `depth` counts calls; `over` skips deeper calls, `onward` also earlier lines;
    /// `returns` skips deeper calls until the thread is back at this depth.
    Line {
        over: bool,
        onward: bool,
        returns: bool,
        depth: usize,
        line: u32,
        left: u32,
    },
    /// The thread has at most `depth` calls.
    Leave {
        depth: usize,
    },
    Instruction {
        over: bool,
        depth: usize,
        left: u32,
    },
    /// One of these instructions, `anywhere` or at this depth, or the return of the call.
    Reach {
        ops: Vec<u32>,
        depth: usize,
        anywhere: bool,
    },
}

#[derive(Clone)]
pub(super) struct Slot {
    pub(super) machine: Machine,
    pub(super) program: Arc<Program>,
    /// The relocation of code addresses, if these are randomised.
    pub(super) bias: u64,
    pub(super) state: State,
    pub(super) tid: TransactionId,
    /// The index of the default thread of commands.
    pub(super) current: usize,
    /// The index of the thread that pursues the goal, and the goal.
    pub(super) goal: Option<(usize, Goal)>,
    /// True if breakpoints at the current thread's instruction were already checked.
    pub(super) passed: bool,
    /// Delivered when the rank continues.
    pub(super) signal: Option<SignalName>,
    /// `None` means gdb's defaults.
    pub(super) signals: Option<Box<SignalTable>>,
    /// Hits that no stop names, not yet reported.
    pub(super) counted: BTreeMap<BreakpointId, u64>,
}

/// The number of instructions after which threads are switched.
const TURN: u32 = 40;

impl Slot {
    /// Returns a frame for inspections; level 0 is the innermost.
    pub(super) fn at(&self, thread: usize, level: u32) -> Option<At> {
        let calls = &self.machine.threads.get(thread)?.calls;
        let call = calls.len().checked_sub(1 + level as usize)?;
        Some(At { thread, call, op: self.op_of(thread, call)? })
    }

    /// Returns the current instruction of a call; for callers, that of the call.
    fn op_of(&self, thread: usize, call: usize) -> Option<u32> {
        let thread = self.machine.threads.get(thread)?;
        match thread.calls.get(call + 1) {
            Some(inner) if inner.back & HANDLER != 0 => Some(inner.back & !HANDLER),
            Some(inner) => inner.back.checked_sub(1),
            None => Some(thread.pc),
        }
    }

    pub(super) fn frame(&self, thread: usize, level: u32) -> Option<Frame> {
        let at = self.at(thread, level)?;
        let call = self.machine.threads.get(thread)?.calls.get(at.call)?;
        let function = self.program.function(call.function)?;
        // The program counter of a caller is its return address.
        let counter = if level > 0 { at.op + 1 } else { at.op };
        let source = SourcePlace { file: self.program.file.clone(), line: self.program.line(at.op) };
        let offset = address_of(counter);
        Some(Frame {
            level,
            function: Some(function.name.clone()),
            source: Some(source),
            code: CodePlace {
                module: Some(self.program.path.clone()),
                offset,
                address: Some(VirtualAddress(offset.wrapping_add(self.bias))),
            },
            inlined: false,
            guessed: false,
            thread: None,
        })
    }

    pub(super) fn thread_id(&self, thread: usize) -> ThreadId {
        ThreadId(self.machine.threads.get(thread).map_or(1, |t| t.number + 1))
    }

    pub(super) fn thread_index(&self, id: ThreadId) -> Option<usize> {
        self.machine.threads.iter().position(|t| t.number + 1 == id.0 && !t.calls.is_empty())
    }

    fn depth(&self, thread: usize) -> usize {
        self.machine.threads.get(thread).map_or(0, |t| t.calls.len())
    }

    fn say_output(&mut self, events: &mut Vec<Event>) {
        events.extend(self.machine.output.drain(..).map(|(stream, text)| Event::Output(stream, text)));
    }

    /// Stops the rank and reports the stop.
    pub(super) fn stop(&mut self, thread: usize, reason: StopReason, note: Option<String>, events: &mut Vec<Event>) {
        self.say_output(events);
        self.say_counts(events);
        self.state = State::Stopped;
        self.current = thread;
        self.goal = None;
        self.passed = true;
        let id = self.thread_id(thread);
        match self.frame(thread, 0) {
            Some(frame) => {
                events.push(Event::Stopped(Stop { reason, thread: id, frame, note, cause: None, user: None }));
            }
            None => self.end(Event::Exited(0), events),
        }
    }

    fn say_counts(&mut self, events: &mut Vec<Event>) {
        events.extend(std::mem::take(&mut self.counted).into_iter().map(|(id, arrivals)| Event::Counted(id, arrivals)));
    }

    pub(super) fn end(&mut self, event: Event, events: &mut Vec<Event>) {
        self.say_output(events);
        self.say_counts(events);
        self.state = State::Ended;
        self.goal = None;
        events.push(event);
    }

    /// Delivers a signal to the program; false if it has killed the rank.
    pub(super) fn deliver(&mut self, thread: usize, name: &SignalName, events: &mut Vec<Event>) -> bool {
        let number = name.number().unwrap_or(0);
        match self.machine.handlers.get(&number) {
            Some(1) => {}
            Some(handler) if *handler != 0 => {
                let index = function_address(&self.program, *handler);
                if let (Some(index), Some(thread)) = (index, self.machine.threads.get_mut(thread)) {
                    let back = thread.pc | HANDLER;
                    thread.call(&self.program, index, &[number as u64], back);
                }
            }
            // SIGCHLD, SIGCONT, SIGURG and SIGWINCH are ignored by default (signal(7)).
            _ if matches!(number, 17 | 18 | 23 | 28) => {}
            _ => {
                self.end(Event::Killed(name.clone().into()), events);
                return false;
            }
        }
        true
    }

    /// Runs up to `budget` instructions; returns the number executed.
    pub(super) fn run(&mut self, breakpoints: &mut PlantedBreakpoints, budget: u32, events: &mut Vec<Event>) -> u32 {
        let program = self.program.clone();
        let (mut used, mut thread, mut turn, mut idle) = (0, self.current, TURN, 0);
        while used < budget && self.state == State::Running {
            used += 1;
            let threads = self.machine.threads.len();
            let live = self.machine.threads.get(thread).is_some_and(|t| !t.calls.is_empty());
            if turn == 0 || !live {
                thread = (thread + 1) % threads.max(1);
                turn = TURN;
                idle += 1;
                if idle > threads && !live {
                    break;
                }
                continue;
            }
            turn -= 1;
            let Some(pc) = self.machine.threads.get(thread).map(|t| t.pc) else { break };
            let passed = thread == self.current && std::mem::take(&mut self.passed);
            if !passed && breakpoints.is_trap(pc) && self.arrive(breakpoints, thread, pc, events) {
                break;
            }
            let Some(op) = program.ops.get(pc as usize) else { break };
            match self.machine.execute(&program, thread, *op) {
                Effect::None => idle = 0,
                Effect::Idle => {
                    turn = 0;
                    continue;
                }
                Effect::Hang => {
                    self.say_output(events);
                    self.state = State::Hung;
                    break;
                }
                Effect::Exit(code) => {
                    self.end(Event::Exited(code), events);
                    break;
                }
                Effect::Signal(name, _) => {
                    self.signalled(thread, name, events);
                    continue;
                }
            }
            if let Some((goal_thread, goal)) = self.goal.take() {
                let kept = goal_thread != thread || !self.reached(breakpoints, thread, &goal, events);
                if kept && self.goal.is_none() {
                    self.goal = Some((goal_thread, goal));
                }
            }
        }
        self.say_output(events);
        used
    }

    fn arrive(
        &mut self,
        breakpoints: &mut PlantedBreakpoints,
        thread: usize,
        op: u32,
        events: &mut Vec<Event>,
    ) -> bool {
        let Some(call) = self.depth(thread).checked_sub(1) else { return false };
        let program = self.program.clone();
        let arrivals = breakpoints.arrive(&mut self.machine, &program, At { thread, call, op }, &mut self.counted);
        let Some(first) = arrivals.first() else { return false };
        // Before the stop, so that its listener already knows which breakpoints are gone.
        events.extend(arrivals.iter().filter(|a| a.temporary).map(|a| Event::BreakpointGone(a.id)));
        self.stop(thread, StopReason::Breakpoint(first.id), first.note.clone(), events);
        true
    }

    fn signalled(&mut self, thread: usize, name: SignalName, events: &mut Vec<Event>) {
        let default = SignalTable::default;
        let disposition = match &self.signals {
            Some(table) => table.get(&name).map(|row| row.disposition),
            None => default().get(&name).map(|row| row.disposition),
        };
        let Some(disposition) = disposition else { return };
        if disposition.stop {
            self.signal = disposition.pass.then(|| name.clone());
            self.stop(thread, StopReason::Signal(name), None, events);
            return;
        }
        self.say_output(events);
        if disposition.print {
            events.push(Event::SignalSeen(name.clone()));
        }
        if disposition.pass {
            self.deliver(thread, &name, events);
        }
    }

    /// Checks whether a thread has reached its goal, and stops the rank if so.
    fn reached(
        &mut self,
        breakpoints: &mut PlantedBreakpoints,
        thread: usize,
        goal: &Goal,
        events: &mut Vec<Event>,
    ) -> bool {
        let depth = self.depth(thread);
        let Some(t) = self.machine.threads.get(thread) else { return false };
        let (pc, starts) = (t.pc, self.program.starts_statement(t.pc));
        let inside_entry = self.program.functions.iter().any(|f| f.entry == pc);
        match goal {
            Goal::Line { over, onward, returns, depth: from, line, left } => {
                let deeper = depth > *from;
                if *returns && !deeper {
                    let (over, onward, depth, line, left) = (*over, *onward, *from, *line, *left);
                    let goal = Goal::Line { over, onward, returns: false, depth, line, left };
                    return self.reached(breakpoints, thread, &goal, events) || {
                        self.goal.get_or_insert((thread, goal));
                        false
                    };
                }
                let here = self.program.line(pc);
                // In another function, any line is a different one.
                let same = depth == *from && (here == *line || *onward && here < *line);
                if depth == 0 || !starts || inside_entry || (deeper && (*over || *returns)) || same {
                    return false;
                }
                if *left > 1 && !breakpoints.is_trap(pc) {
                    let (over, onward, left) = (*over, *onward, left - 1);
                    let next = Goal::Line { over, onward, returns: false, depth, line: here, left };
                    self.goal = Some((thread, next));
                    return false;
                }
                self.settle(breakpoints, thread, pc, StopReason::Step, None, events)
            }
            Goal::Instruction { over, depth: from, left } => {
                if depth == 0 || (*over && depth > *from) {
                    return false;
                }
                if *left > 1 && !breakpoints.is_trap(pc) {
                    self.goal = Some((thread, Goal::Instruction { over: *over, depth, left: left - 1 }));
                    return false;
                }
                self.settle(breakpoints, thread, pc, StopReason::Step, None, events)
            }
            Goal::Leave { depth: to } => {
                if depth > *to || depth == 0 {
                    return false;
                }
                let reason =
                    StopReason::Finished(self.returned_value(thread).map(|value| Returned { value, number: None }));
                self.settle(breakpoints, thread, pc, reason, None, events)
            }
            Goal::Reach { ops, depth: from, anywhere } => {
                let there = ops.contains(&pc) && (*anywhere || depth == *from);
                if depth == 0 || (depth >= *from && !there) {
                    return false;
                }
                self.settle(breakpoints, thread, pc, StopReason::Step, None, events)
            }
        }
    }

    fn returned_value(&self, thread: usize) -> Option<Datum> {
        let t = self.machine.threads.get(thread)?;
        // The call precedes the caller's return address.
        let Op::Call(index) = self.program.ops.get(t.pc.checked_sub(1)? as usize)? else { return None };
        let ty = &self.program.function(*index)?.returns;
        let bytes = match ty.scalar()? {
            Scalar::Float(4) => (f64::from_bits(t.returned) as f32).to_le_bytes().to_vec(),
            Scalar::Signed(size) | Scalar::Unsigned(size) | Scalar::Float(size) => {
                t.returned.to_le_bytes().into_iter().take(size as usize).collect()
            }
        };
        Some(datum(&self.machine, &self.program, ty, &bytes))
    }

    /// Stops at the goal; a breakpoint there takes precedence as the reason.
    fn settle(
        &mut self,
        breakpoints: &mut PlantedBreakpoints,
        thread: usize,
        pc: u32,
        reason: StopReason,
        note: Option<String>,
        events: &mut Vec<Event>,
    ) -> bool {
        if !breakpoints.is_trap(pc) || !self.arrive(breakpoints, thread, pc, events) {
            self.stop(thread, reason, note, events);
        }
        true
    }
}
