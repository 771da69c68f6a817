//! Tracepoints: gdb stops at them, what they show is reported, and the rank goes on with what it was doing.

use crate::gdb::breakpoints::planted::Planted;
use crate::gdb::mi::Command;
use crate::gdb::session::fault::GdbError;
use crate::gdb::state::{Debuggee, Goal, Origin, Phase};
use model::{BreakpointId, Context, Event, PointAction, StepKind, Trace, Variable, VariableValue};

/// What becomes of a stop that nobody is to be told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gdb) enum Silent {
    /// The rank runs again.
    GoesOn,
    /// The step that was under way ends here all the same.
    StepEnds,
}

impl Debuggee {
    /// Whether gdb may stop where nobody is to be told of it.
    fn has_silent_points(&self) -> bool {
        let silent =
            |planted: &Planted| matches!(planted.request.action, PointAction::Trace(_)) || planted.is_checked();
        self.breakpoints.iter().any(silent)
    }

    /// Takes note of where a step begins; `kind`: none for `until`.
    pub(in crate::gdb) fn note_origin(&mut self, kind: Option<StepKind>, context: Context) -> Result<(), GdbError> {
        self.origin = None;
        self.returning = false;
        if self.has_silent_points() {
            let level = if kind == Some(StepKind::Finish) { context.frame } else { 0 };
            let line = self.frame.as_ref().and_then(|frame| frame.source.as_ref()).map(|place| place.line);
            let place = self.frame_place(Context { frame: level, ..context })?;
            self.origin = place.map(|place| Origin { place, line, kind });
        }
        Ok(())
    }

    /// Reports what a tracepoint shows where the current thread is.
    pub(in crate::gdb) fn trace(&mut self, id: BreakpointId, expressions: &[String]) -> Result<(), GdbError> {
        let mut values = Vec::new();
        for expression in expressions {
            let value = match self.evaluate(self.current.0, 0, expression)? {
                Ok(datum) => VariableValue::Known(datum),
                Err(failure) => VariableValue::Unknown { why: failure.message, type_name: String::new() },
            };
            values.push(Variable { name: expression.clone(), value });
        }
        let frame = self.stop_frame()?;
        self.report(Event::Traced(Trace { id, thread: self.current, frame, values }));
        Ok(())
    }

    /// The rank goes on after a stop that nobody is told of.
    pub(in crate::gdb) fn pass_silently(&mut self) -> Result<Silent, GdbError> {
        let Some(origin) = self.origin.clone().filter(|_| self.goal.0 != Goal::Go) else {
            return self.go_on().map(|()| Silent::GoesOn);
        };
        let level = self.level_of(&origin.place)?;
        let line = self.frame.as_ref().and_then(|frame| frame.source.as_ref()).map(|place| place.line);
        let in_thread = origin.place.thread == self.current;
        let steps = matches!(origin.kind, Some(StepKind::Into | StepKind::Over | StepKind::Onward));
        let ends = match (origin.kind, level) {
            (Some(StepKind::Instruction), _) | (Some(StepKind::InstructionOver), Some(0)) => true,
            (Some(StepKind::Into), Some(1)) => true,
            (_, Some(0)) => steps && line != origin.line,
            _ => false,
        };
        if in_thread && ends {
            return Ok(Silent::StepEnds);
        }
        let command = match (origin.kind, level) {
            (Some(StepKind::Finish), Some(level)) => {
                let command = Command::new("exec-finish").word("--thread").word(origin.place.thread);
                command.word("--frame").word(level)
            }
            (_, Some(level)) if level > 0 => {
                self.returning = true;
                let command = Command::new("exec-finish").word("--thread").word(origin.place.thread);
                command.word("--frame").word(level - 1)
            }
            _ => self.goal.1.clone(),
        };
        self.link.ask(&command)?;
        self.phase = Phase::Running;
        Ok(Silent::GoesOn)
    }

    /// The function that a silent stop was in has returned: the step goes on where it was.
    pub(in crate::gdb) fn has_returned(&mut self) -> Result<Silent, GdbError> {
        self.returning = false;
        let over = self.origin.as_ref().is_some_and(|origin| origin.kind == Some(StepKind::InstructionOver));
        if over {
            return Ok(Silent::StepEnds);
        }
        self.go_on().map(|()| Silent::GoesOn)
    }
}
