//! Everything that does not set the rank going.

use super::script_answers::NamedTold;
use crate::gdb::breakpoints::sites::location_words;
use crate::gdb::control::declined;
use crate::gdb::mi::{Command, Results};
use crate::gdb::session::fault::{GdbError, failure};
use crate::gdb::state::{Debuggee, Goal, Phase};
use debuginfo::named_file;
use model::{
    Answer, Context, ErrorCode, Failure, Frame, LocationSpec, Operation, RegisterValue, SignalName, Site, ThreadId,
    ThreadInfo, Variable, VariableValue, VirtualAddress,
};
use serde::Deserialize as _;
use std::path::Path;

/// More than this is not read at once, whatever is asked.
const MOST_MEMORY: u32 = 16 << 20;
/// gdb counts frames no further.
const DEEPEST: u32 = 1 << 30;

impl Debuggee {
    /// Carries out an operation that looks or changes, but does not run.
    pub(in crate::gdb) fn inspect(&mut self, operation: &Operation) -> Result<Answer, GdbError> {
        match operation {
            Operation::SetBreakpoint(request) => self.set_breakpoint(request),
            Operation::DeleteBreakpoint(id) => self.delete_breakpoint(*id),
            Operation::EnableBreakpoint(id, enabled) => self.enable_breakpoint(*id, *enabled),
            Operation::SetCondition(id, condition) => self.set_condition(*id, condition.as_deref()),
            Operation::SetIgnore(id, count) => self.set_ignore(*id, *count),
            Operation::HandleSignal { name, stop, print, pass } => self.handle(name, *stop, *print, *pass),
            Operation::ListSignals(which) => Ok(match which {
                None => Answer::Signals(self.signals.rows().to_vec()),
                Some(name) => match self.signals.get(name) {
                    Some(row) => Answer::Signals(vec![row.clone()]),
                    None => Answer::Failed(Failure::new(ErrorCode::NO_SYMBOL, format!("There is no signal {name}."))),
                },
            }),
            Operation::Stack { thread, low, high } => {
                let high = high.unwrap_or(DEEPEST);
                self.frames(*thread, *low, high).map(Answer::Stack)
            }
            Operation::EachThread { threads, operation } => self.each_thread(threads, operation),
            Operation::StackDepth(thread) => {
                let thread = self.checked_thread(*thread)?;
                let command = Command::new("stack-info-depth").word("--thread").word(thread);
                let depth = self.link.ask(&command)?.results.number("depth");
                Ok(Answer::Depth(depth.unwrap_or(0) as u32))
            }
            Operation::Evaluate { context, expression } => {
                self.limit(self.spec.settings.print)?;
                let thread = self.checked_thread(context.thread)?;
                let value = self.evaluate(thread.0, context.frame, expression)?;
                Ok(value.map_or_else(Answer::Failed, Answer::Data))
            }
            Operation::Print { context, expression, raw, limits } => {
                let limits = limits.unwrap_or(self.spec.settings.print);
                let value = self.limited(limits, |debuggee| debuggee.print(*context, expression, *raw))?;
                Ok(value.map_or_else(Answer::Failed, Answer::Data))
            }
            Operation::TypeOf { context, expression, expand } => self.type_of(*context, expression, *expand),
            Operation::Locals(context) => self.variables(*context, false),
            Operation::Arguments(context) => self.variables(*context, true),
            Operation::Globals(glob) => self.globals(glob),
            Operation::Threads => self.threads(),
            Operation::ReadMemory { context, address, offset, length, examined } => {
                let answer = self.read_memory(*context, address, *offset, (*length).min(MOST_MEMORY))?;
                self.note_examined(*examined, &answer)?;
                Ok(answer)
            }
            Operation::WriteMemory { context, address, offset, data } => {
                let start = self.address(*context, address, *offset)?;
                let digits = model::aif::to_hex(data);
                self.link.ask(&Command::new("data-write-memory-bytes").word(start).word(digits)).map_err(|error| {
                    match error {
                        GdbError::Refused(_) => GdbError::Refused(format!("Cannot access memory at address {start}")),
                        gone => gone,
                    }
                })?;
                Ok(Answer::Ok)
            }
            Operation::Registers(context, names) => self.registers(*context, names),
            Operation::Disassemble { context, at, count } => self.disassemble(*context, at.as_ref(), *count),
            Operation::InstructionsBefore { context, address, count, through } => {
                self.disassemble_before(*context, address, *count, *through)
            }
            Operation::Symbols(addresses) => self.symbols(addresses),
            Operation::Tell(context, inquiry) => self.told_in_words(*context, inquiry),
            Operation::Resolve(location, context) => self.resolve(location, *context),
            Operation::Source(file) => self.source(file),
            Operation::Libraries => self.loaded(),
            Operation::Configure(settings) => self.configure(settings),
            Operation::Reevaluate => self.reevaluate(),
            // gdb has budgets of its own.
            Operation::StopLooking => Ok(Answer::Ok),
            Operation::Engine(text) => self.engine(text),
            _ => Ok(declined()),
        }
    }

    pub(in crate::gdb) fn handle(
        &mut self,
        name: &SignalName,
        stop: Option<bool>,
        print: Option<bool>,
        pass: Option<bool>,
    ) -> Result<Answer, GdbError> {
        let Some(row) = self.signals.change(name, stop, print, pass).cloned() else {
            let failure = Failure::new(ErrorCode::NO_SYMBOL, format!("There is no signal {name}."));
            return Ok(Answer::Failed(failure));
        };
        // Interrupts are made of this one; what the user wants of it is done here.
        if &*name.0 != "SIGSTOP" {
            let word = |yes: bool, word: &str| if yes { word.to_owned() } else { format!("no{word}") };
            let d = row.disposition;
            let words = [word(d.stop, "stop"), word(d.print, "print"), word(d.pass, "pass")].join(" ");
            self.link.ask(&Command::console(&format!("handle {name} {words}")))?;
        }
        Ok(Answer::Signals(vec![row]))
    }

    fn frames(&mut self, thread: Option<ThreadId>, low: u32, high: u32) -> Result<Vec<Frame>, GdbError> {
        let thread = self.checked_thread(thread)?;
        // One more tells whether the last one is inlined into it.
        let command = Command::new("stack-list-frames").word("--thread").word(thread);
        let command = command.word(low).word(high.saturating_add(1).min(DEEPEST));
        let results = match self.link.ask(&command) {
            Ok(answered) => answered.results,
            Err(GdbError::Refused(why)) if why.contains("Not enough frames") => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let told: Vec<Results> = results.inside("stack").into_iter().flat_map(Results::parts).cloned().collect();
        let mut frames: Vec<Frame> = told.iter().map(|frame| self.frame_of(frame)).collect();
        // A function and the one it is inlined into are at one address; callers never are.
        let above: Vec<_> = frames.iter().skip(1).map(|frame| (frame.code.address, frame.function.clone())).collect();
        for (frame, (address, function)) in frames.iter_mut().zip(above) {
            frame.inlined = frame.code.address == address && frame.function != function;
        }
        frames.retain(|frame| frame.level <= high);
        Ok(frames)
    }

    /// The frame that a context means.
    pub(in crate::gdb) fn frame_at(&mut self, context: Context) -> Result<Frame, GdbError> {
        let mut frames = self.frames(context.thread, context.frame, context.frame)?;
        frames.pop().ok_or_else(|| GdbError::Refused(format!("No frame at level {}.", context.frame)))
    }

    fn type_of(&mut self, context: Context, expression: &str, expand: bool) -> Result<Answer, GdbError> {
        if self.phase == Phase::Stopped {
            self.select(context)?;
        }
        let word = if expand { "ptype" } else { "whatis" };
        match self.link.ask(&Command::console(&format!("{word} {expression}"))) {
            Ok(answered) => {
                let text = answered.words.trim_end();
                Ok(Answer::Type(text.strip_prefix("type = ").unwrap_or(text).to_owned()))
            }
            Err(GdbError::Refused(why)) => Ok(Answer::Failed(crate::gdb::session::fault::failure_in(expression, &why))),
            Err(gone) => Err(gone),
        }
    }

    pub(in crate::gdb) fn select(&mut self, context: Context) -> Result<(), GdbError> {
        let thread = self.checked_thread(context.thread)?;
        self.link.ask(&Command::new("thread-select").word(thread))?;
        self.link.ask(&Command::new("stack-select-frame").word(context.frame)).map(drop)
    }

    fn variables(&mut self, context: Context, arguments: bool) -> Result<Answer, GdbError> {
        self.limit(self.spec.settings.print)?;
        let thread = self.checked_thread(context.thread)?;
        if !self.python {
            return self.variables_as_text(thread, context.frame, arguments);
        }
        let word = if arguments { "True" } else { "False" };
        let told: Vec<serde_json::Value> =
            match self.script(&format!("variables({thread}, {}, {word})", context.frame))? {
                Ok(told) => told,
                Err(why) => return Ok(Answer::Failed(failure(&why))),
            };
        let mut variables = Vec::with_capacity(told.len());
        for told in told {
            variables.push(match NamedTold::deserialize(&told) {
                Ok(named) => self.variable(named)?,
                // Bounds that nobody has set yet may be larger than any number of ours: gdb's words then.
                Err(_) => {
                    let name = told.get("name").and_then(serde_json::Value::as_str).unwrap_or_default();
                    self.variable_as_text(thread, context.frame, name, "")?
                }
            });
        }
        Ok(Answer::Variables(variables))
    }

    fn variable_as_text(
        &mut self,
        thread: ThreadId,
        frame: u32,
        name: &str,
        type_name: &str,
    ) -> Result<Variable, GdbError> {
        let value = match self.evaluate_as_text(thread.0, frame, name)? {
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
        let results = self.link.ask(&command)?.results;
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

    fn threads(&mut self) -> Result<Answer, GdbError> {
        let results = self.link.ask(&Command::new("thread-info"))?.results;
        let told: Vec<_> = results.inside("threads").into_iter().flat_map(Results::parts).cloned().collect();
        let current = self.current;
        let mut threads: Vec<_> = told
            .iter()
            .filter_map(|thread| {
                let id = ThreadId(thread.number("id")? as u32);
                let name = thread.text("name").unwrap_or_default().to_owned();
                let frame = thread.inside("frame").filter(|_| thread.text("state") == Some("stopped"));
                let frame = frame.map(|frame| self.frame_of(frame));
                Some(ThreadInfo { id, current: id == current, name, frame })
            })
            .collect();
        threads.sort_by_key(|thread| thread.id);
        Ok(Answer::Threads(threads))
    }

    /// The value of an address expression, and an offset.
    pub(in crate::gdb) fn address(
        &mut self,
        context: Context,
        expression: &str,
        offset: i64,
    ) -> Result<VirtualAddress, GdbError> {
        let thread = self.checked_thread(context.thread)?;
        // The subtraction makes a number of arrays and pointers alike, without a cast that only C knows.
        let command = Command::new("data-read-memory-bytes").word("--thread").word(thread);
        let command = command.word("--frame").word(context.frame).word(expression).word(1);
        let start = match self.link.ask(&command) {
            Ok(answered) => {
                let memory = answered.results.inside("memory").and_then(|memory| memory.parts().next().cloned());
                memory.and_then(|part| part.number("begin"))
            }
            Err(GdbError::Refused(why)) if failure(&why).code == ErrorCode::MEMORY => None,
            Err(error) => return Err(error),
        };
        match start {
            Some(start) => Ok(VirtualAddress(start.wrapping_add_signed(offset))),
            // Nothing can be read there, so gdb does not say where that is.
            None => {
                let command = Command::new("data-evaluate-expression").word("--thread").word(thread);
                let command = command.word("--frame").word(context.frame);
                let answered = self.link.ask(&command.word(format!("(unsigned long)({expression})")))?;
                let start = answered.results.number("value").unwrap_or(0);
                Ok(VirtualAddress(start.wrapping_add_signed(offset)))
            }
        }
    }

    fn read_memory(
        &mut self,
        context: Context,
        expression: &str,
        offset: i64,
        length: u32,
    ) -> Result<Answer, GdbError> {
        let start = self.address(context, expression, offset)?;
        let fault = || GdbError::Refused(format!("Cannot access memory at address {start}"));
        let command = Command::new("data-read-memory-bytes").word(start).word(length);
        let results = match self.link.ask(&command) {
            Ok(answered) => answered.results,
            Err(GdbError::Refused(_)) => return Err(fault()),
            Err(gone) => return Err(gone),
        };
        let first = results.inside("memory").and_then(|memory| memory.parts().next());
        let first = first.filter(|part| part.number("begin") == Some(start.0));
        let bytes = first.and_then(|part| model::aif::from_hex(part.text("contents")?));
        bytes.map(|bytes| Answer::Memory(start, bytes)).ok_or_else(fault)
    }

    fn registers(&mut self, context: Context, names: &[String]) -> Result<Answer, GdbError> {
        let thread = self.checked_thread(context.thread)?;
        if !self.python {
            return Ok(declined());
        }
        let plain = |name: &String| name.trim_start_matches('$').to_ascii_lowercase();
        if !names.is_empty() {
            let mut registers = Vec::new();
            for name in names.iter().map(plain) {
                let unknown = || Failure::new(ErrorCode::NO_SYMBOL, format!("Invalid register `{name}'"));
                match self.evaluate(thread.0, context.frame, &format!("${name}"))? {
                    // An unknown one is a convenience variable that has no value yet.
                    Ok(datum) if datum.type_name == "void" => return Ok(Answer::Failed(unknown())),
                    Ok(value) => registers.push(RegisterValue { name, value }),
                    Err(failure) => return Ok(Answer::Failed(failure)),
                }
            }
            return Ok(Answer::Registers(registers));
        }
        match self.script::<Vec<NamedTold>>(&format!("registers({thread}, {})", context.frame))? {
            Ok(told) => {
                let mut registers = Vec::new();
                for named in told {
                    if let Ok(value) = self.datum(&named.value)? {
                        registers.push(RegisterValue { name: named.name, value });
                    }
                }
                Ok(Answer::Registers(registers))
            }
            Err(why) => Ok(Answer::Failed(failure(&why))),
        }
    }

    /// The places of a location, by a breakpoint that is not enabled, and gone at once: they are where a stop would be.
    pub(in crate::gdb) fn sites_at(
        &mut self,
        location: &LocationSpec,
        context: Context,
    ) -> Result<Vec<Site>, GdbError> {
        let file = self.default_file(context)?;
        let command = Command::new("break-insert").word("-d");
        let words = location_words(location, file.as_deref());
        let answered = self.link.ask(&words.into_iter().fold(command, Command::word))?;
        let bkpt = answered.results.inside("bkpt").cloned().unwrap_or_default();
        let sites = self.sites_of(&bkpt);
        if let Some(number) = bkpt.number("number") {
            self.link.ask(&Command::new("break-delete").word(number))?;
        }
        Ok(sites)
    }

    fn resolve(&mut self, location: &LocationSpec, context: Context) -> Result<Answer, GdbError> {
        let sites = self.sites_at(location, context)?;
        Ok(Answer::Places(sites.into_iter().filter_map(|site| site.source).collect()))
    }

    fn source(&mut self, file: &str) -> Result<Answer, GdbError> {
        let none = || Answer::Failed(Failure::new(ErrorCode::NO_SOURCE, format!("There is no source file {file}.")));
        let mut paths = vec![file.to_owned()];
        if !file.starts_with('/') {
            let results = self.link.ask(&Command::new("file-list-exec-source-files"))?.results;
            let all = results.inside("files").into_iter().flat_map(Results::parts);
            let ending = format!("/{file}");
            paths = all.filter_map(|known| known.text("fullname")).map(str::to_owned).collect();
            paths.retain(|path| path.ends_with(&ending));
        }
        let mut refused = None;
        for path in &paths {
            match named_file::source(Path::new(path)) {
                Ok(text) => return Ok(Answer::Source { file: file.to_owned(), text: text.into() }),
                Err(error) => refused = Some(Failure::new(ErrorCode::NO_SOURCE, format!("{path}: {error}."))),
            }
        }
        Ok(refused.map_or_else(none, Answer::Failed))
    }

    /// gdb's own commands, and what it prints.
    fn engine(&mut self, text: &str) -> Result<Answer, GdbError> {
        if self.phase == Phase::Stopped {
            self.select(Context::default())?;
        }
        let answered = self.link.ask(&Command::console(text))?;
        if answered.class == "running" {
            self.phase = Phase::Running;
            self.goal = (Goal::Go, Command::new("exec-continue"));
            self.after.push(model::Event::Running);
        }
        Ok(Answer::Text(answered.words.trim_end().to_owned()))
    }
}

/// The regular expression of a glob of `*`, `?` and `[…]`.
pub(in crate::gdb) fn regular_expression(glob: &str) -> String {
    let mut out = String::from("^");
    for c in glob.chars() {
        match c {
            '*' => out.push_str(".*"),
            '?' => out.push('.'),
            '[' | ']' | '-' => out.push(c),
            c if c.is_alphanumeric() || c == '_' => out.push(c),
            c => {
                out.push('\\');
                out.push(c);
            }
        }
    }
    out.push('$');
    out
}

#[cfg(test)]
mod tests {
    use super::regular_expression;

    #[test]
    fn globs_are_regular_expressions() {
        assert_eq!(regular_expression("count*"), "^count.*$");
        assert_eq!(regular_expression("a?[0-9].b"), "^a.[0-9]\\.b$");
    }
}
