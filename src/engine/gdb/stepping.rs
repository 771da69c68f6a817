//! Steps: the last run-control command, and how to resume after an unreported stop.

use super::inferior::state::InferiorState;
use super::mi::Command;
use super::session::fault::GdbError;
use super::session::gdb::Gdb;
use super::session::script::FrameId;
use model::{Context, LocationSpec, StepKind, ThreadId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    Go,
    Step,
    Finish,
    Until,
}

/// The start of a step: an unreported stop on its way must not end it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Origin {
    frame: FrameId,
    line: Option<u32>,
    /// `None` when running to a location.
    kind: Option<StepKind>,
}

/// How to proceed after an unreported stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silent {
    GoesOn,
    /// The step ends here nevertheless.
    StepEnds,
}

/// A run-control command after all checks.
#[derive(Debug)]
pub(super) struct Resumption {
    pub(super) goal: Goal,
    pub(super) thread: ThreadId,
    pub(super) command: Command,
    /// The command to repeat after an unreported stop.
    pub(super) again: Command,
}

impl Resumption {
    /// Creates a plain continue, to be continued again after an unreported stop.
    pub(super) fn go(thread: ThreadId, command: Command) -> Self {
        Self { goal: Goal::Go, thread, command, again: Command::new("exec-continue") }
    }

    pub(super) fn repeated(goal: Goal, thread: ThreadId, command: Command) -> Self {
        Self { goal, thread, again: command.clone(), command }
    }
}

/// Returns a location in gdb's syntax, with a file for a bare line: gdb would use the file that it has listed last.
fn place_of(
    gdb: &mut Gdb,
    inferior: &mut InferiorState,
    location: &LocationSpec,
    context: Context,
) -> Result<String, GdbError> {
    let file = inferior.default_file(gdb, context)?;
    Ok(match location {
        LocationSpec::Line(line) => file.map_or_else(|| line.to_string(), |file| format!("{file}:{line}")),
        other => other.to_string(),
    })
}

/// The last run-control command.
#[derive(Debug)]
pub(super) struct Stepper {
    goal: Goal,
    again: Command,
    /// The start of the current step, if gdb may make unreported stops on its way.
    origin: Option<Origin>,
    /// True while the function of an unreported stop is being finished.
    returning: bool,
}

impl Stepper {
    pub(super) fn new() -> Self {
        Self { goal: Goal::Go, again: Command::new("exec-continue"), origin: None, returning: false }
    }

    pub(super) fn goal(&self) -> Goal {
        self.goal
    }

    pub(super) fn is_returning(&self) -> bool {
        self.returning
    }

    /// Records a resumption; `again` repeats it.
    pub(super) fn started(&mut self, goal: Goal, again: Command) {
        (self.goal, self.again) = (goal, again);
        self.returning &= goal != Goal::Go;
    }

    /// Records the start of a step; `kind` is `None` for `until`. `silent`: gdb may make unreported stops.
    fn note_origin(
        &mut self,
        gdb: &mut Gdb,
        inferior: &InferiorState,
        silent: bool,
        kind: Option<StepKind>,
        context: Context,
    ) -> Result<(), GdbError> {
        self.origin = None;
        self.returning = false;
        if silent {
            let level = if kind == Some(StepKind::Finish) { context.frame } else { 0 };
            let frame = gdb.frame_id(inferior.thread_of(context), level)?;
            self.origin = frame.map(|frame| Origin { frame, line: inferior.line(), kind });
        }
        Ok(())
    }

    /// Steps by lines from a frame further out. gdb steps from the innermost one only, so the functions called from
    /// the frame are finished first.
    fn step_in_frame(
        &mut self,
        gdb: &mut Gdb,
        inferior: &mut InferiorState,
        (kind, again): (StepKind, Command),
        context: Context,
    ) -> Result<Resumption, GdbError> {
        let thread = inferior.thread_of(context);
        let line = inferior.frame_at(gdb, context)?.source.map(|place| place.line);
        let frame = gdb.frame_id(thread, context.frame)?;
        self.origin = frame.map(|frame| Origin { frame, line, kind: Some(kind) });
        self.returning = true;
        let command = Command::new("exec-finish").word("--thread").word(thread);
        let command = command.word("--frame").word(context.frame.saturating_sub(1));
        Ok(Resumption { goal: Goal::Step, thread, command, again })
    }

    pub(super) fn step(
        &mut self,
        gdb: &mut Gdb,
        inferior: &mut InferiorState,
        silent: bool,
        (kind, count): (StepKind, u32),
        context: Context,
    ) -> Result<Resumption, GdbError> {
        let name = match kind {
            StepKind::Into => "exec-step",
            StepKind::Over => "exec-next",
            StepKind::Onward => "exec-until",
            StepKind::Finish => "exec-finish",
            StepKind::Instruction => "exec-step-instruction",
            StepKind::InstructionOver => "exec-next-instruction",
        };
        let thread = inferior.checked_thread(gdb, context.thread)?;
        let command = Command::new(name).word("--thread").word(thread);
        let (goal, command) = match kind {
            StepKind::Finish => (Goal::Finish, command.word("--frame").word(context.frame)),
            // gdb takes any argument as a location, even a number.
            StepKind::Onward => (Goal::Until, command.word("--frame").word(0)),
            _ => (Goal::Step, command.word("--frame").word(0).word(count)),
        };
        let context = Context { thread: Some(thread), ..context };
        if context.frame > 0 && matches!(kind, StepKind::Into | StepKind::Over | StepKind::Onward) {
            return self.step_in_frame(gdb, inferior, (kind, command), context);
        }
        self.note_origin(gdb, inferior, silent, Some(kind), context)?;
        Ok(Resumption::repeated(goal, thread, command))
    }

    pub(super) fn until(
        &mut self,
        gdb: &mut Gdb,
        inferior: &mut InferiorState,
        silent: bool,
        location: &LocationSpec,
        context: Context,
    ) -> Result<Resumption, GdbError> {
        let place = place_of(gdb, inferior, location, context)?;
        let thread = inferior.checked_thread(gdb, context.thread)?;
        let command = Command::new("exec-until").word("--thread").word(thread);
        let command = command.word("--frame").word(context.frame).word(place);
        self.note_origin(gdb, inferior, silent, None, Context { thread: Some(thread), ..context })?;
        Ok(Resumption::repeated(Goal::Until, thread, command))
    }

    /// GDB/MI lacks `advance`, and the console command uses the selected frame and thread.
    pub(super) fn advance(
        &mut self,
        gdb: &mut Gdb,
        inferior: &mut InferiorState,
        silent: bool,
        location: &LocationSpec,
        context: Context,
    ) -> Result<Resumption, GdbError> {
        let place = place_of(gdb, inferior, location, context)?;
        let thread = inferior.checked_thread(gdb, context.thread)?;
        self.note_origin(gdb, inferior, silent, None, Context { thread: Some(thread), ..context })?;
        gdb.select_frame(thread, context.frame)?;
        Ok(Resumption::repeated(Goal::Until, thread, Command::console(&format!("advance {place}"))))
    }

    /// Repeats the last command after an unreported stop.
    pub(super) fn go_on(&self, gdb: &mut Gdb, inferior: &mut InferiorState) -> Result<(), GdbError> {
        inferior.run(gdb, &self.again)
    }

    /// Resumes after an unreported stop, unless the step ends there.
    pub(super) fn pass_silently(&mut self, gdb: &mut Gdb, inferior: &mut InferiorState) -> Result<Silent, GdbError> {
        let Some(origin) = self.origin.clone().filter(|_| self.goal != Goal::Go) else {
            return self.go_on(gdb, inferior).map(|()| Silent::GoesOn);
        };
        let level = gdb.level_of(&origin.frame)?;
        let in_thread = origin.frame.thread == inferior.current();
        let steps = matches!(origin.kind, Some(StepKind::Into | StepKind::Over | StepKind::Onward));
        let ends = match (origin.kind, level) {
            (Some(StepKind::Instruction), _) | (Some(StepKind::InstructionOver), Some(0)) => true,
            (Some(StepKind::Into), Some(1)) => !self.returning,
            (_, Some(0)) => steps && inferior.line() != origin.line,
            _ => false,
        };
        if in_thread && ends {
            return Ok(Silent::StepEnds);
        }
        let finish = |level: u32| {
            Command::new("exec-finish").word("--thread").word(origin.frame.thread).word("--frame").word(level)
        };
        let command = match (origin.kind, level) {
            (Some(StepKind::Finish), Some(level)) => finish(level),
            (_, Some(level)) if level > 0 => {
                self.returning = true;
                finish(level - 1)
            }
            _ => self.again.clone(),
        };
        inferior.run(gdb, &command)?;
        Ok(Silent::GoesOn)
    }

    /// Continues the step after the function of an unreported stop has returned.
    pub(super) fn has_returned(&mut self, gdb: &mut Gdb, inferior: &mut InferiorState) -> Result<Silent, GdbError> {
        self.returning = false;
        let ends = match &self.origin {
            Some(Origin { kind: Some(StepKind::InstructionOver), .. }) => true,
            // The call was the last instruction of its line.
            Some(Origin { kind: Some(StepKind::Into | StepKind::Over | StepKind::Onward), frame, line }) => {
                *line != inferior.line() && gdb.level_of(frame)? == Some(0)
            }
            _ => false,
        };
        if ends {
            return Ok(Silent::StepEnds);
        }
        self.go_on(gdb, inferior).map(|()| Silent::GoesOn)
    }
}
