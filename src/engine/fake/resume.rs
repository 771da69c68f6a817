//! Commands that resume a stopped rank.

use super::{
    breakpoints::ops_of,
    slot::{Goal, Slot, State},
};
use crate::unreasonable_jump::unreasonable;
use model::{Context, ErrorCode, Event, Failure, LocationSpec, SignalName, StepKind};

impl Slot {
    fn thread_of(&self, context: Context) -> Result<usize, Failure> {
        match context.thread {
            None => Ok(self.current),
            Some(id) => self
                .thread_index(id)
                .ok_or_else(|| Failure::new(ErrorCode::NO_THREAD, format!("no thread {id} on this rank"))),
        }
    }

    fn depth_of(&self, thread: usize) -> usize {
        self.machine.threads.get(thread).map_or(0, |t| t.calls.len())
    }

    /// Returns the goal of a step; fails if the step makes no sense here.
    pub(super) fn step_goal(&self, kind: StepKind, count: u32, context: Context) -> Result<(usize, Goal), Failure> {
        let thread = self.thread_of(context)?;
        let (depth, left) = (self.depth_of(thread), count.max(1));
        let by_line = |over: bool, onward: bool| -> Result<Goal, Failure> {
            let missing = || Failure::new(ErrorCode::NO_STACK, format!("No frame at level {}.", context.frame));
            let op = self.at(thread, context.frame).ok_or_else(missing)?.op;
            let (line, depth) = (self.program.line(op), depth.saturating_sub(context.frame as usize));
            Ok(Goal::Line { over, onward, returns: context.frame > 0, depth, line, left })
        };
        let goal = match kind {
            StepKind::Into => by_line(false, false)?,
            StepKind::Over => by_line(true, false)?,
            StepKind::Onward => by_line(true, true)?,
            StepKind::Instruction => Goal::Instruction { over: false, depth, left },
            StepKind::InstructionOver => Goal::Instruction { over: true, depth, left },
            StepKind::Finish => {
                let left = depth.saturating_sub(context.frame as usize + left as usize);
                if left == 0 {
                    let message = "cannot finish the outermost frame";
                    return Err(Failure::new(ErrorCode::NO_STACK, message));
                }
                Goal::Leave { depth: left }
            }
        };
        Ok((thread, goal))
    }

    /// Returns the goal of running to a location, in the frame or `anywhere`.
    pub(super) fn until_goal(
        &self,
        location: &LocationSpec,
        context: Context,
        anywhere: bool,
    ) -> Result<(usize, Goal), Failure> {
        let thread = self.thread_of(context)?;
        let ops = ops_of(&self.program, location, None)?;
        if ops.is_empty() {
            return Err(super::inspect::no_such_place(location));
        }
        let depth = self.depth_of(thread).saturating_sub(context.frame as usize);
        Ok((thread, Goal::Reach { ops, depth, anywhere }))
    }

    /// Moves a thread to a location in its current function.
    pub(super) fn jump(&mut self, location: &LocationSpec, context: Context) -> Result<(), Failure> {
        let index = self.thread_of(context)?;
        let ops = ops_of(&self.program, location, None)?;
        let function = |op: u32| self.program.functions.iter().rposition(|function| function.entry <= op);
        let here = self.at(index, 0).and_then(|at| function(at.op));
        let inside = ops.iter().copied().find(|op| function(*op) == here);
        let name = here.and_then(|here| self.program.functions.get(here)).map(|function| &*function.name);
        let all: Vec<u64> = ops.iter().map(|op| u64::from(*op)).collect();
        let words = || unreasonable(location, name, &all, &[]);
        let target = inside.ok_or_else(|| Failure::new(ErrorCode::DEBUGGER, words()))?;
        if let Some(thread) = self.machine.threads.get_mut(index) {
            thread.pc = target;
        }
        (self.current, self.passed, self.signal) = (index, false, None);
        Ok(())
    }

    /// Returns the signal of the stop, not yet delivered.
    pub(super) fn waiting_signal(&self) -> Option<SignalName> {
        self.signal.clone()
    }

    /// Resumes the rank with a signal, or with none; [`Self::waiting_signal`] is that of the stop.
    pub(super) fn resume(&mut self, goal: Option<(usize, Goal)>, signal: Option<SignalName>, events: &mut Vec<Event>) {
        self.state = State::Running;
        self.goal = goal;
        events.push(Event::Running);
        if let Some(name) = signal {
            // A signal handler starts elsewhere, where breakpoints have not been checked yet.
            let before = self.machine.threads.get(self.current).map(|t| t.pc);
            if self.deliver(self.current, &name, events) {
                self.passed = self.machine.threads.get(self.current).map(|t| t.pc) == before;
            }
        }
        self.signal = None;
    }
}
