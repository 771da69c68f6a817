//! The inferior: a process under the debugger with its threads, its files and the user's value history.

use super::answer;
use crate::native::calls::called_frame::LeftCalls;
use crate::native::ptrace::{Process, Tid};
use crate::native::startup::program::Program;
use crate::source_file::{SourcePlaces, SourceSearch};
use debuginfo::LoadedImages;
use expr::value_history::ValueHistory;
use expr::{ParseCache, number_note};
use model::{Answer, Context, ErrorCode, Failure, LaunchSpec, Operation, Rank, SignalName, ThreadId};
use std::sync::Arc;

/// A process, and what the debugger knows of it.
pub(in crate::native) struct Inferior {
    pub process: Process,
    /// The launch or attach specification, with the current settings.
    pub spec: LaunchSpec,
    pub program: Program,
    /// The thread of commands that name none.
    pub current: Tid,
    /// Set if a thread is at the first instruction of inlined functions and has not entered all of them.
    pub outside: Option<Outside>,
    /// Printed values and convenience variables.
    pub value_history: ValueHistory,
    /// Expressions, parsed once for all ranks of the engine.
    pub expressions: Arc<ParseCache>,
    /// Called functions that the rank has stopped in and that have not returned yet.
    pub left_calls: LeftCalls,
}

/// A thread where inlined functions begin. As in gdb, it is still outside the innermost `count` of them: a step enters
/// one without executing anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) struct Outside {
    pub tid: Tid,
    pub pc: u64,
    pub count: u32,
}

impl Inferior {
    /// Creates an inferior whose files are not known yet.
    pub(in crate::native) fn new(process: Process, spec: LaunchSpec, expressions: Arc<ParseCache>) -> Self {
        Self {
            current: process.threads().first(),
            process,
            spec,
            program: Program::default(),
            outside: None,
            value_history: ValueHistory::default(),
            expressions,
            left_calls: LeftCalls::default(),
        }
    }

    /// Returns the files that the process has mapped.
    pub(in crate::native) fn images(&self) -> &LoadedImages {
        &self.program.images
    }

    /// Returns what finding its source files depends on.
    pub(in crate::native) fn sources(&self) -> SourceSearch {
        SourcePlaces::of(&self.spec).search(self.images())
    }

    /// Sets a convenience variable to a number.
    pub(in crate::native) fn note_number(&self, name: &str, value: i32) {
        self.value_history.set_variable(name, number_note(name, value));
    }

    /// Sets `$_exitcode` or `$_exitsignal` and unsets the other.
    pub(in crate::native) fn note_end(&self, name: &str, value: i32) {
        ["_exitcode", "_exitsignal"].into_iter().for_each(|name| self.value_history.forget_variable(name));
        self.note_number(name, value);
    }

    /// Returns the thread with the user's number, the current one for `None`; fails if there is no such thread.
    pub(in crate::native) fn thread(&self, number: Option<ThreadId>) -> Result<Tid, Failure> {
        match number {
            None => Ok(self.current),
            Some(number) => match self.process.threads().numbered(number) {
                Some(thread) => Ok(thread.tid),
                None => Err(Failure::new(ErrorCode::NO_THREAD, format!("Unknown thread {number}."))),
            },
        }
    }

    /// Returns the user's number of a thread; 1 if the thread has ended.
    pub(in crate::native) fn number(&self, tid: Tid) -> ThreadId {
        self.process.thread(tid).map_or(ThreadId(1), |thread| thread.number)
    }

    pub(in crate::native) fn inspect(&mut self, operation: &Operation) -> Result<Answer, Failure> {
        let context = context_of(operation);
        let tid = self.thread(context.thread)?;
        self.note_thread(tid);
        let unknown = || Failure::new(ErrorCode::NOT_IMPLEMENTED, "The native engine cannot do this.");
        self.look(tid, |thread| answer(operation, thread)).ok_or_else(unknown)
    }

    /// Sets `$_thread`, `$_gthread` and `$_inferior` for a thread.
    pub(in crate::native) fn note_thread(&self, tid: Tid) {
        let number = self.number(tid).0 as i32;
        [("_thread", number), ("_gthread", number), ("_inferior", 1)]
            .iter()
            .for_each(|(name, value)| self.note_number(name, *value));
    }

    /// Replaces the signal that the current thread is resumed with; `None` discards the one it was stopped for.
    pub(in crate::native) fn send_signal(&mut self, name: Option<&SignalName>) -> Result<(), Failure> {
        self.queue_signal(self.current, name)?;
        send_queued(&mut self.process, Some(self.current));
        Ok(())
    }

    /// Keeps the signal that a thread is to be resumed with; `None` discards the one it was stopped for.
    pub(in crate::native) fn queue_signal(&mut self, tid: Tid, name: Option<&SignalName>) -> Result<(), Failure> {
        let number = name.map(|name| name.number().ok_or_else(|| no_signal(name))).transpose()?;
        if let Some(thread) = self.process.thread_mut(tid) {
            thread.delivery = 0;
            thread.queued_signal = number;
        }
        Ok(())
    }
}

/// Sets `$_rank`.
pub(in crate::native) fn note_rank(inferior: &Inferior, rank: Rank) {
    inferior.note_number("_rank", i32::try_from(rank.0).unwrap_or(i32::MAX));
}

/// Gives threads that are about to continue their queued signals: this one, or all.
pub(in crate::native) fn send_queued(process: &mut Process, alone: Option<Tid>) {
    let threads = process.threads_mut().iter_mut();
    for thread in threads.filter(|thread| alone.is_none_or(|tid| tid == thread.tid)) {
        let Some(number) = thread.queued_signal.take() else { continue };
        thread.expected_signal = Some(number);
        if thread.takes_signal() {
            // The user asked for it, so the signal table does not apply.
            thread.deferred_signal = Some(number);
        } else {
            thread.send(number);
        }
    }
}

/// Returns the thread and frame that an operation refers to.
pub(crate) fn context_of(operation: &Operation) -> Context {
    match operation {
        Operation::Stack { thread, .. } | Operation::FrameArguments { thread, .. } | Operation::StackDepth(thread) => {
            Context { thread: *thread, frame: 0 }
        }
        Operation::Evaluate { context, .. }
        | Operation::Print { context, .. }
        | Operation::Statistics { context, .. }
        | Operation::Scan { context, .. }
        | Operation::Array { context, .. }
        | Operation::ReadData { context, .. }
        | Operation::TypeOf { context, .. }
        | Operation::Locals(context)
        | Operation::Arguments(context)
        | Operation::ThreadLocals(context, _)
        | Operation::ReadMemory { context, .. }
        | Operation::MemoryPage { context, .. }
        | Operation::CodePage { context, .. }
        | Operation::WriteMemory { context, .. }
        | Operation::Disassemble { context, .. }
        | Operation::DisassembleRange { context, .. }
        | Operation::InstructionsBefore { context, .. }
        | Operation::ListSymbols(context, _)
        | Operation::FindBytes(context, _)
        | Operation::Tell(context, _)
        | Operation::FrameAt(context, _)
        | Operation::Observe(context)
        | Operation::Registers(context, _)
        | Operation::Resolve(_, context, _)
        | Operation::Step { context, .. }
        | Operation::Until(_, context)
        | Operation::Advance(_, context)
        | Operation::Jump(_, context)
        | Operation::Return(_, context) => *context,
        _ => Context::default(),
    }
}

/// The failure of an operation that names an unknown signal.
pub(in crate::native) fn no_signal(name: &SignalName) -> Failure {
    Failure::new(ErrorCode::DEBUGGER, format!("No signal {name} on this system."))
}
