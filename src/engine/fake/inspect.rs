//! Queries to one stopped rank.

use super::{
    breakpoints::{names_file, ops_of, source_of},
    code::{Place, Program},
    ctype::{CType, LONG, Scalar},
    datum::{datum, datum_at},
    evaluate::{At, Compiled, compile, type_of, visible},
    machine::stored,
    slot::{Slot, State},
};
use model::glob_matches_bytes;
use model::{
    Answer, ArgumentDetail, Context, ErrorCode, Failure, Frame, FrameArgument, FrameArguments, FunctionLine, Library,
    LibraryEvents, LocationSpec, MemoryPage, NamedThread, Observation, Operation, RegisterValue, SignalName,
    SignalTable, SourceOrigin, ThreadAnswers, ThreadId, ThreadInfo, ThreadStackList, ThreadStacks, Variable,
    VariableValue, VirtualAddress, literal_address, within_argument_limits,
};
use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

/// The expressions of one query, compiled once for all ranks at the same place.
#[derive(Default)]
pub(super) struct Readings(HashMap<Option<u32>, Result<Arc<Compiled>, Failure>>);

impl Readings {
    pub(super) fn get(&mut self, slot: &Slot, op: Option<u32>, text: &str) -> Result<Arc<Compiled>, Failure> {
        let reading = self.0.entry(op);
        reading.or_insert_with(|| compile(&slot.program, op, text).map(Arc::new)).clone()
    }
}

pub(super) fn no_such_place(location: &LocationSpec) -> Failure {
    match location {
        LocationSpec::Function(name) => {
            Failure::new(ErrorCode::NO_FUNCTION, format!("Function \"{name}\" not defined."))
        }
        LocationSpec::FileLine { file, .. } => Failure::new(ErrorCode::NO_SOURCE, format!("no source file \"{file}\"")),
        LocationSpec::Line(line) => Failure::new(ErrorCode::NO_LINE, format!("no code at line {line} or after it")),
        LocationSpec::Address(text) => Failure::new(ErrorCode::MEMORY, format!("no code at {text}")),
    }
}

fn declined() -> Failure {
    Failure::new(ErrorCode::NOT_IMPLEMENTED, "the simulated engine does not support this")
}

impl Slot {
    /// Answers a query that changes nothing but values.
    pub(super) fn inspect(&mut self, operation: &Operation, readings: &mut Readings) -> Answer {
        self.try_inspect(operation, readings).unwrap_or_else(Answer::Failed)
    }

    /// The address that an expression or a number means.
    fn base(&mut self, readings: &mut Readings, context: Context, text: &str) -> Result<u64, Failure> {
        match literal_address(text) {
            Some(address) => Ok(address.0),
            None => {
                let at = self.context(context)?;
                self.address(readings, at, text)
            }
        }
    }

    fn try_inspect(&mut self, operation: &Operation, readings: &mut Readings) -> Result<Answer, Failure> {
        Ok(match operation {
            Operation::Stack { thread, low, high, .. } => {
                Answer::Stack(self.frames(self.thread(*thread)?, *low, *high))
            }
            Operation::ThreadStacks { high, .. } => Answer::ThreadStacks(Box::new(self.thread_stacks(*high))),
            Operation::FrameArguments { thread, levels, detail } => self.frame_arguments(*thread, levels, *detail)?,
            Operation::EachThread { threads, operation } => {
                let mut answers = ThreadAnswers::default();
                for thread in threads {
                    let Some(single) = operation.of_thread(*thread) else { return Err(declined()) };
                    answers.add(*thread, self.inspect(&single, readings));
                    if answers.is_full() {
                        break;
                    }
                }
                answers.into_answer()
            }
            Operation::StackDepth(thread) => {
                let thread = self.thread(*thread)?;
                Answer::Depth(self.machine.threads.get(thread).map_or(0, |t| t.calls.len() as u32))
            }
            Operation::Evaluate { context, expression } | Operation::Print { context, expression, .. } => {
                let at = self.context(*context)?;
                let reading = readings.get(self, Some(at.op), expression)?;
                let program = self.program.clone();
                Answer::Data(reading.datum(&mut self.machine, &program, at)?)
            }
            Operation::TypeOf { context, expression, detail } => {
                let op = if self.state == State::Stopped { self.context(*context).ok().map(|at| at.op) } else { None };
                Answer::Type(type_of(&self.program, op, expression, *detail)?)
            }
            Operation::Locals(context) => self.variables(*context, false)?,
            Operation::Arguments(context) => self.variables(*context, true)?,
            Operation::Globals(glob) => Answer::Variables(self.globals(glob)),
            Operation::Threads => Answer::Threads(self.thread_list()),
            Operation::Observe(_) => {
                let mut hasher = DefaultHasher::new();
                self.machine.threads.get(self.current).map(|thread| &thread.stack).hash(&mut hasher);
                let fingerprint = Some(hasher.finish()).filter(|_| self.state == State::Stopped);
                Answer::Observed(Box::new(Observation { fingerprint, ..Observation::default() }))
            }
            Operation::ReadMemory { context, address, offset, length, .. } => {
                let at = self.context(*context)?;
                let start = self.address(readings, at, address)?.wrapping_add_signed(*offset);
                let bytes = self.machine.read_some(&self.program, start, *length as usize);
                if bytes.is_empty() && *length > 0 {
                    return Err(super::machine::Unmapped(start).into());
                }
                Answer::Memory(VirtualAddress(start), bytes.to_vec())
            }
            Operation::MemoryPage { context, address, offset, length, compared } => {
                let base = self.base(readings, *context, address)?;
                let read =
                    |at: VirtualAddress, count: usize| self.machine.read_some(&self.program, at.0, count).to_vec();
                let page = MemoryPage::read(VirtualAddress(base), *offset, *length, read);
                Answer::of_page(page, *compared)
            }
            Operation::ReadData { context, source, from, length } => {
                let at = self.context(*context)?;
                // The second expression of a range is not shared: the readings are of one text.
                self.data_part([readings, &mut Readings::default()], at, source, (*from, *length))?
            }
            Operation::WriteMemory { context, address, offset, data } => {
                let at = self.context(*context)?;
                let start = self.address(readings, at, address)?.wrapping_add_signed(*offset);
                self.machine.write(start, data)?;
                Answer::Ok
            }
            Operation::Registers(context, names) => self.registers(*context, names)?,
            Operation::Resolve(location, _, line) => lines_of(&self.program, location, *line)?,
            Operation::Source(file) if names_file(&self.program, file) => {
                Answer::Source { file: file.clone(), text: self.program.text.clone(), origin: SourceOrigin::default() }
            }
            Operation::Source(file) => {
                return Err(Failure::new(ErrorCode::NO_SOURCE, format!("no source file \"{file}\"")));
            }
            Operation::Libraries => {
                let path = self.program.path.to_string();
                let address = Some(VirtualAddress(self.bias));
                let program = Library { path, address, debug_information: true };
                Answer::Libraries(vec![program], LibraryEvents::default())
            }
            // Simulated programs have no limits, and load no libraries.
            Operation::Limits => Answer::Limits(Vec::new()),
            Operation::Configure(_) | Operation::Reevaluate | Operation::StopLooking | Operation::ReachHistory(_) => {
                Answer::Ok
            }
            Operation::ListSignals(None) => Answer::Signals(self.signal_table().rows().to_vec()),
            Operation::ListSignals(Some(name)) => {
                let row = self.signal_table().get(name).cloned().ok_or_else(|| no_signal(name))?;
                Answer::Signals(vec![row])
            }
            Operation::QueueSignal(thread, name) => {
                if self.thread(*thread)? != self.current {
                    return Err(declined());
                }
                self.signal_table().check_passes(name.as_ref())?;
                self.signal.clone_from(name);
                Answer::Ok
            }
            Operation::HandleSignal { name, stop, print, pass } => {
                let table = self.signals.get_or_insert_default();
                let row = table.change(name, *stop, *print, *pass).cloned().ok_or_else(|| no_signal(name))?;
                Answer::Signals(vec![row])
            }
            _ => return Err(declined()),
        })
    }

    fn frames(&self, thread: usize, low: u32, high: Option<u32>) -> Vec<Frame> {
        let depth = self.machine.threads.get(thread).map_or(0, |t| t.calls.len() as u32);
        let end = high.map_or(depth, |high| high.saturating_add(1).min(depth));
        (low..end).filter_map(|level| self.frame(thread, level)).collect()
    }

    /// Threads of simulated programs have no names of their own.
    fn thread_stacks(&self, high: Option<u32>) -> ThreadStacks {
        let mut list = ThreadStackList::default();
        let live = self.machine.threads.iter().enumerate().filter(|(_, thread)| !thread.calls.is_empty());
        for (index, thread) in live {
            let named = NamedThread { id: ThreadId(thread.number + 1), name: "".into() };
            list.add(named, self.frames(index, 0, high));
        }
        list.finish()
    }

    fn signal_table(&self) -> SignalTable {
        self.signals.as_deref().cloned().unwrap_or_default()
    }

    fn thread(&self, id: Option<ThreadId>) -> Result<usize, Failure> {
        let Some(id) = id else { return Ok(self.current) };
        self.thread_index(id).ok_or_else(|| Failure::new(ErrorCode::NO_THREAD, format!("no thread {id} on this rank")))
    }

    fn context(&self, context: Context) -> Result<At, Failure> {
        let thread = self.thread(context.thread)?;
        self.at(thread, context.frame)
            .ok_or_else(|| Failure::new(ErrorCode::NO_STACK, format!("no frame at level {}", context.frame)))
    }

    pub(super) fn address(&mut self, readings: &mut Readings, at: At, text: &str) -> Result<u64, Failure> {
        let reading = readings.get(self, Some(at.op), text)?;
        let program = self.program.clone();
        reading.number(&mut self.machine, &program, at)
    }

    fn variables(&self, context: Context, parameters: bool) -> Result<Answer, Failure> {
        let at = self.context(context)?;
        let thread = self.machine.threads.get(at.thread);
        let call = thread.and_then(|t| Some((t, t.calls.get(at.call)?)));
        let locals = visible(&self.program, at.op).into_iter().filter(|l| l.parameter == parameters);
        let named = locals.map(|local| {
            let address = call.map_or(0, |(thread, call)| thread.place(call, local.place));
            self.variable(&local.name, &local.ty, address)
        });
        Ok(Answer::Variables(named.collect()))
    }

    fn frame_arguments(
        &self,
        thread: Option<ThreadId>,
        levels: &[(u32, u32)],
        detail: ArgumentDetail,
    ) -> Result<Answer, Failure> {
        let number = self.thread(thread)?;
        let depth = self.machine.threads.get(number).map_or(0, |t| t.calls.len() as u32);
        let wanted = levels.iter().flat_map(|(low, high)| *low..high.saturating_add(1).min(depth));
        let of_frame = |level| {
            let arguments = match self.variables(Context { thread, frame: level }, true) {
                Ok(Answer::Variables(list)) => list,
                _ => Vec::new(),
            };
            let arguments = arguments.into_iter().map(|one| FrameArgument::new(one).in_detail(detail));
            FrameArguments { level, arguments: arguments.collect() }
        };
        Ok(Answer::FrameArguments(within_argument_limits(wanted.map(of_frame))))
    }

    fn variable(&self, name: &str, ty: &CType, address: u64) -> Variable {
        let value = match datum_at(&self.machine, &self.program, ty, address) {
            Ok(datum) => VariableValue::Known(datum),
            Err(unmapped) => VariableValue::Unknown { why: Failure::from(unmapped).message, type_name: ty.spelling() },
        };
        Variable { name: name.to_owned(), value }
    }

    fn globals(&self, glob: &str) -> Vec<Variable> {
        let wanted = self.program.globals.iter().filter(|(name, ..)| {
            // An empty glob matches everything.
            glob.is_empty() || glob_matches_bytes(glob.as_bytes(), name.as_bytes())
        });
        wanted.map(|(name, ty, address)| self.variable(name, ty, *address)).collect()
    }

    fn thread_list(&self) -> Vec<ThreadInfo> {
        let live = self.machine.threads.iter().enumerate().filter(|(_, t)| !t.calls.is_empty());
        live.map(|(index, thread)| ThreadInfo {
            id: ThreadId(thread.number + 1),
            current: index == self.current,
            name: self.program.path.trim_start_matches("fake:").to_owned(),
            frame: if self.state == State::Stopped { self.frame(index, 0) } else { None },
            user: None,
        })
        .collect()
    }

    fn registers(&self, context: Context, names: &[String]) -> Result<Answer, Failure> {
        let at = self.context(context)?;
        let thread = self.machine.threads.get(at.thread);
        let call = thread.and_then(|t| Some((t, t.calls.get(at.call)?)));
        let base = call.map_or(0, |(thread, call)| thread.place(call, Place::Frame(0)));
        let top = thread.map_or(0, |t| t.base() + t.stack.len() as u64);
        let counter = self.frame(at.thread, context.frame).and_then(|f| f.code.address).map_or(0, |a| a.0);
        let pointer = CType::Void.pointer();
        let all = [
            ("rax", thread.map_or(0, |t| t.returned), LONG),
            ("rbp", base, pointer.clone()),
            ("rsp", top, pointer.clone()),
            ("rip", counter, pointer),
            ("eflags", 0x202, LONG),
        ];
        let is_group = |name: &String| matches!(name.as_str(), "general" | "all");
        let names = if names.iter().any(is_group) { &[] } else { names };
        if let Some(name) = names.iter().find(|name| !all.iter().any(|(known, ..)| known == *name)) {
            return Err(Failure::new(ErrorCode::NO_SYMBOL, format!("no register \"{name}\"")));
        }
        let wanted = all.into_iter().filter(|(name, ..)| names.is_empty() || names.iter().any(|n| n == name));
        let values = wanted.map(|(name, value, ty)| {
            let (bytes, length) = stored(value, Scalar::Unsigned(8));
            let value = datum(&self.machine, &self.program, &ty, &bytes[..length]);
            RegisterValue { name: name.to_owned(), value }
        });
        Ok(Answer::Registers(values.collect()))
    }
}

fn no_signal(name: &SignalName) -> Failure {
    Failure::new(ErrorCode::DEBUGGER, format!("no signal {name}"))
}

/// Resolves a location to source lines.
fn lines_of(program: &Program, location: &LocationSpec, line: FunctionLine) -> Result<Answer, Failure> {
    let ops = ops_of(program, location, None)?;
    if ops.is_empty() {
        return Err(no_such_place(location));
    }
    let ops = match (location, line) {
        (LocationSpec::Function(_), FunctionLine::Entry) => program.entries_of(&ops),
        _ => ops,
    };
    Ok(Answer::Places(ops.into_iter().map(|op| source_of(program, op)).collect()))
}
