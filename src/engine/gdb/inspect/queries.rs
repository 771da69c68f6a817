//! Queries about the stopped program, which gdb answers without resuming it.

use crate::gdb::inferior::frames::DEEPEST;
use crate::gdb::inferior::state::InferiorState;
use crate::gdb::inspect::all_threads::thread_stacks;
use crate::gdb::inspect::values::Values;
use crate::gdb::mi::Command;
use crate::gdb::session::fault::{GdbError, failure};
use crate::gdb::session::gdb::Gdb;
use crate::source_file::SourcePlaces;
use model::{Answer, ErrorCode, Failure, LaunchSpec, MyCode, Operation, PrintOptions};

/// Maximum number of bytes per read.
const MOST_MEMORY: u32 = 16 << 20;

/// Answers queries about a program through its gdb.
pub(in crate::gdb) struct Inspector<'a> {
    pub(super) gdb: &'a mut Gdb,
    pub(super) inferior: &'a mut InferiorState,
    pub(super) values: &'a mut Values,
    /// The print limits for a query without any.
    pub(super) usual: PrintOptions,
    my_code: &'a MyCode,
    pub(super) sources: SourcePlaces,
}

impl<'a> Inspector<'a> {
    pub(in crate::gdb) fn new(
        gdb: &'a mut Gdb,
        inferior: &'a mut InferiorState,
        values: &'a mut Values,
        spec: &'a LaunchSpec,
    ) -> Self {
        let (usual, my_code) = (spec.settings.print, &spec.settings.my_code);
        Self { gdb, inferior, values, usual, my_code, sources: SourcePlaces::of(spec) }
    }

    /// Answers a query; declines any other operation. No expression may change `$_rank`.
    pub(in crate::gdb) fn answer(&mut self, operation: &Operation) -> Result<Answer, GdbError> {
        let names_rank = match operation {
            Operation::Evaluate { expression, .. } | Operation::Print { expression, .. } => {
                expression.contains("$_rank")
            }
            _ => false,
        };
        if !names_rank {
            return self.answer_to(operation);
        }
        let rank = self.rank()?;
        let answer = self.answer_to(operation)?;
        if self.rank()? == rank {
            return Ok(answer);
        }
        self.gdb.ask(&Command::console(&format!("set $_rank = {rank}")))?;
        Ok(Answer::Failed(failure("Left operand of assignment is not a modifiable lvalue.")))
    }

    /// Returns gdb's text for `$_rank`.
    fn rank(&mut self) -> Result<String, GdbError> {
        let answered = self.gdb.ask(&Command::new("data-evaluate-expression").word("$_rank"))?;
        Ok(answered.results.text("value").unwrap_or_default().to_owned())
    }

    fn answer_to(&mut self, operation: &Operation) -> Result<Answer, GdbError> {
        match operation {
            Operation::Stack { thread, low, high, .. } => {
                let high = high.unwrap_or(DEEPEST);
                self.inferior.frames(self.gdb, *thread, *low, high).map(Answer::Stack)
            }
            Operation::FrameArguments { thread, levels, detail } => self.frame_arguments(*thread, levels, *detail),
            Operation::FrameAt(context, address) => self.frame_at(*context, address),
            Operation::EachThread { threads, operation } => self.each_thread(threads, operation),
            Operation::ThreadStacks { high, .. } => thread_stacks(self.gdb, self.inferior, self.my_code, *high),
            Operation::StackDepth(thread) => {
                let thread = self.inferior.checked_thread(self.gdb, *thread)?;
                let command = Command::new("stack-info-depth").word("--thread").word(thread);
                let depth = self.gdb.ask(&command)?.results.number("depth");
                Ok(Answer::Depth(depth.unwrap_or(0) as u32))
            }
            Operation::Evaluate { context, expression } => {
                self.values.set_limits(self.gdb, self.usual)?;
                let thread = self.inferior.checked_thread(self.gdb, context.thread)?;
                let value = self.values.evaluate(self.gdb, thread, context.frame, expression)?;
                Ok(value.map_or_else(Answer::Failed, Answer::Data))
            }
            Operation::Print { context, expression, raw, limits, unrecorded, .. } => {
                let limits = limits.unwrap_or(self.usual);
                self.values.set_limits(self.gdb, limits)?;
                let value = if *unrecorded {
                    let thread = self.inferior.checked_thread(self.gdb, context.thread)?;
                    self.values.evaluate(self.gdb, thread, context.frame, expression)
                } else {
                    self.values.print(self.gdb, self.inferior, *context, expression, *raw)
                };
                self.values.set_limits(self.gdb, self.usual)?;
                Ok(value?.map_or_else(Answer::Failed, Answer::Data))
            }
            Operation::ReachHistory(count) => {
                self.values.history.reach(self.gdb, *count)?;
                Ok(Answer::Ok)
            }
            Operation::Statistics { .. } | Operation::Scan { .. } | Operation::Array { .. } => {
                let why = "stats, scan and array need the native engine: use \"engine use native\" first";
                Ok(Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, why)))
            }
            Operation::ReadData { context, source, from, length } => {
                self.read_data(*context, source, (*from, (*length).min(MOST_MEMORY)))
            }
            Operation::MessageQueues => {
                let why = "queues needs the native engine: use \"engine use native\" first";
                Ok(Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, why)))
            }
            Operation::TypeOf { context, expression, detail } => self.type_of(*context, expression, *detail),
            Operation::Locals(context) => self.variables(*context, false),
            Operation::Arguments(context) => self.variables(*context, true),
            Operation::Globals(glob) => self.globals(glob),
            Operation::ThreadLocals(context, glob) => self.thread_locals(*context, glob),
            Operation::Threads => self.inferior.threads(self.gdb, self.my_code).map(Answer::Threads),
            Operation::ReadMemory { context, address, offset, length, examined } => {
                let answer = self.read_memory(*context, address, *offset, (*length).min(MOST_MEMORY))?;
                self.note_examined(*examined, &answer)?;
                Ok(answer)
            }
            Operation::MemoryPage { context, address, offset, length, compared } => {
                self.memory_page(*context, (address, *offset), *length, *compared)
            }
            Operation::CodePage { context, at, before, count, flavor } => {
                self.set_flavor(*flavor)?;
                self.code_page(*context, (*at, *before, *count))
            }
            Operation::WriteMemory { context, address, offset, data } => {
                self.write_memory(*context, address, *offset, data)
            }
            Operation::Registers(context, names) => self.registers(*context, names),
            Operation::Disassemble { context, at, count, flavor } => {
                self.set_flavor(*flavor)?;
                self.disassemble(*context, at.as_ref(), *count)
            }
            Operation::DisassembleRange { context, start, end, flavor } => {
                self.set_flavor(*flavor)?;
                self.disassemble_range(*context, start, end)
            }
            Operation::InstructionsBefore { context, address, count, through, flavor } => {
                self.set_flavor(*flavor)?;
                self.disassemble_before(*context, address, *count, *through)
            }
            Operation::Symbols(addresses) => self.symbols(addresses),
            Operation::ListSymbols(context, query) => self.list_symbols(*context, query),
            Operation::FindBytes(context, search) => self.find_bytes(*context, search),
            Operation::Observe(context) => self.observe(*context),
            Operation::Tell(context, inquiry) => self.told_in_words(*context, inquiry),
            Operation::Resolve(location, context, line) => self.resolve(location, *context, *line),
            Operation::Source(file) => self.source(file),
            // gdb has its own time limits.
            Operation::StopLooking => Ok(Answer::Ok),
            _ => Ok(declined()),
        }
    }
}

/// Returns the answer to an operation that this engine does not support.
pub(in crate::gdb) fn declined() -> Answer {
    let message = "the gdb engine does not support this yet";
    Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, message))
}
