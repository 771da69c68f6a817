//! Variables of a frame, and registers.

use super::queries::{Inspector, declined};
use super::script_answers::NamedTold;
use crate::gdb::mi::{Command, Results};
use crate::gdb::session::fault::{GdbError, failure};
use debuginfo::register_group;
use model::{
    Answer, ArgumentDetail, Context, ErrorCode, Failure, FrameArgument, FrameArguments, RegisterValue, ThreadId,
    Variable, VariableValue, within_argument_limits,
};
use serde::Deserialize as _;

/// The most frames of which arguments are read: gdb is asked about each.
const MOST_FRAMES: usize = 64;

impl Inspector<'_> {
    pub(super) fn variables(&mut self, context: Context, arguments: bool) -> Result<Answer, GdbError> {
        self.values.set_limits(self.gdb, self.usual)?;
        let thread = self.inferior.checked_thread(self.gdb, context.thread)?;
        if !self.gdb.has_python() {
            return self.variables_as_text(thread, context.frame, arguments);
        }
        let word = if arguments { "True" } else { "False" };
        let told: Vec<serde_json::Value> =
            match self.gdb.script(&format!("variables({thread}, {}, {word})", context.frame))? {
                Ok(told) => told,
                Err(why) => return Ok(Answer::Failed(failure(&why))),
            };
        let mut variables = Vec::with_capacity(told.len());
        for told in told {
            variables.push(match NamedTold::deserialize(&told) {
                Ok(named) => self.values.variable(self.gdb, named)?,
                // Uninitialised array bounds may exceed the range of our numbers: gdb's text is used instead.
                Err(_) => {
                    let name = told.get("name").and_then(serde_json::Value::as_str).unwrap_or_default();
                    self.variable_as_text(thread, context.frame, name, "")?
                }
            });
        }
        Ok(Answer::Variables(variables))
    }

    /// Reads the arguments of frames, until the answer has reached a limit.
    pub(super) fn frame_arguments(
        &mut self,
        thread: Option<ThreadId>,
        levels: &[(u32, u32)],
        detail: ArgumentDetail,
    ) -> Result<Answer, GdbError> {
        let thread = self.inferior.checked_thread(self.gdb, thread)?;
        let command = Command::new("stack-info-depth").word("--thread").word(thread);
        let depth = self.gdb.ask(&command)?.results.number("depth").unwrap_or(0);
        let depth = u32::try_from(depth).unwrap_or(u32::MAX);
        let wanted = levels.iter().flat_map(|(low, high)| *low..(*high).saturating_add(1).min(depth));
        let mut frames = Vec::new();
        for level in wanted.take(MOST_FRAMES) {
            let Answer::Variables(variables) = self.variables(Context { thread: Some(thread), frame: level }, true)?
            else {
                continue;
            };
            let arguments = variables.into_iter().map(|variable| FrameArgument::new(variable).in_detail(detail));
            frames.push(FrameArguments { level, arguments: arguments.collect() });
        }
        Ok(Answer::FrameArguments(within_argument_limits(frames)))
    }

    /// Finds the frame of a stack address.
    pub(super) fn frame_at(&mut self, context: Context, address: &str) -> Result<Answer, GdbError> {
        self.inferior.select(self.gdb, context)?;
        if let Err(fault) = self.gdb.ask(&Command::console(&format!("frame address {address}"))) {
            return match fault {
                GdbError::Refused(why) => Ok(Answer::Failed(failure(&why))),
                GdbError::Gone(_) => Err(fault),
            };
        }
        let results = self.gdb.ask(&Command::new("stack-info-frame"))?.results;
        let level = results.inside("frame").and_then(|frame| frame.number("level")).unwrap_or(0);
        let level = u32::try_from(level).unwrap_or(u32::MAX);
        self.inferior.frames(self.gdb, context.thread, level, level).map(Answer::Stack)
    }

    fn variable_as_text(
        &mut self,
        thread: ThreadId,
        frame: u32,
        name: &str,
        type_name: &str,
    ) -> Result<Variable, GdbError> {
        let value = match self.values.evaluate_as_text(self.gdb, thread, frame, name)? {
            Ok(datum) => VariableValue::Known(datum),
            Err(failure) => {
                VariableValue::Unknown { why: format!("error: {}", failure.message), type_name: type_name.to_owned() }
            }
        };
        Ok(Variable { name: name.to_owned(), value })
    }

    fn variables_as_text(&mut self, thread: ThreadId, frame: u32, arguments: bool) -> Result<Answer, GdbError> {
        let command = Command::new("stack-list-variables").word("--thread").word(thread);
        let command = command.word("--frame").word(frame).word("--simple-values");
        let results = self.gdb.ask(&command)?.results;
        let all = results.inside("variables").into_iter().flat_map(Results::parts).cloned().collect::<Vec<_>>();
        let wanted = all.iter().filter(|variable| variable.number("arg").is_some() == arguments);
        let mut variables = Vec::new();
        for variable in wanted {
            let name = variable.text("name").unwrap_or_default();
            let type_name = variable.text("type").unwrap_or_default();
            variables.push(self.variable_as_text(thread, frame, name, type_name)?);
        }
        Ok(Answer::Variables(variables))
    }

    pub(super) fn registers(&mut self, context: Context, names: &[String]) -> Result<Answer, GdbError> {
        let thread = self.inferior.checked_thread(self.gdb, context.thread)?;
        if !self.gdb.has_python() {
            return Ok(declined());
        }
        let plain = |name: &String| name.trim_start_matches('$').to_ascii_lowercase();
        if !names.is_empty() {
            let mut registers = Vec::new();
            for name in names.iter().map(plain) {
                if let Some(group) = register_group(&name) {
                    for row in group {
                        let value = self.values.evaluate(self.gdb, thread, context.frame, &format!("${}", row.name))?;
                        // The processor may not have all of them.
                        let value = value.ok().filter(|datum| datum.type_name != "void");
                        registers.extend(value.map(|value| RegisterValue { name: row.name.to_owned(), value }));
                    }
                    continue;
                }
                let unknown = || Failure::new(ErrorCode::NO_SYMBOL, format!("Invalid register `{name}'"));
                match self.values.evaluate(self.gdb, thread, context.frame, &format!("${name}"))? {
                    // An unknown name is a convenience variable without a value.
                    Ok(datum) if datum.type_name == "void" => return Ok(Answer::Failed(unknown())),
                    Ok(value) => registers.push(RegisterValue { name, value }),
                    Err(failure) => return Ok(Answer::Failed(failure)),
                }
            }
            return Ok(Answer::Registers(registers));
        }
        match self.gdb.script::<Vec<NamedTold>>(&format!("registers({thread}, {})", context.frame))? {
            Ok(told) => {
                let mut registers = Vec::new();
                for named in told {
                    if let Ok(value) = self.values.datum(self.gdb, &named.value)? {
                        registers.push(RegisterValue { name: named.name, value });
                    }
                }
                Ok(Answer::Registers(registers))
            }
            Err(why) => Ok(Answer::Failed(failure(&why))),
        }
    }
}
