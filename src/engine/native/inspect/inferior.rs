//! A process under the debugger: its threads and files, and what expressions of the user may refer to.

use super::answer;
use crate::native::calls::called_frame::LeftCalls;
use crate::native::ptrace::{Process, Tid};
use crate::native::startup::program::Program;
use debuginfo::LoadedImages;
use expr::value_history::ValueHistory;
use expr::{ParseCache, number_note};
use model::{Answer, Context, ErrorCode, Failure, LaunchSpec, Operation, SignalName, ThreadId};
use std::sync::Arc;

/// A process, and what is known of it while it stands still.
pub(in crate::native) struct Inferior {
    pub process: Process,
    /// How it came to be, with the settings that hold now.
    pub spec: LaunchSpec,
    /// The files it has mapped, and how they were found.
    pub program: Program,
    /// The thread commands mean when they name none.
    pub current: Tid,
    /// The thread that is at the first instruction of inlined functions, and not yet in all of them.
    pub outside: Option<Outside>,
    /// What was printed and named before.
    pub value_history: ValueHistory,
    /// Expressions, parsed once for all ranks of the engine.
    pub expressions: Arc<ParseCache>,
    /// Functions that were called and stopped in, which return some day.
    pub left_calls: LeftCalls,
}

/// Inlined functions begin where a thread is. As gdb sees it, it is still outside of the innermost `count` of them: a
/// step enters one without executing anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) struct Outside {
    pub tid: Tid,
    pub pc: u64,
    pub count: u32,
}

impl Inferior {
    /// A process whose files are not known yet.
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

    /// The files it has mapped.
    pub(in crate::native) fn images(&self) -> &LoadedImages {
        &self.program.images
    }

    /// Sets a convenience variable to a number.
    pub(in crate::native) fn note_number(&self, name: &str, value: i32) {
        self.value_history.set_variable(name, number_note(name, value));
    }

    /// Sets the variable that says how the process has ended, and no other.
    pub(in crate::native) fn note_end(&self, name: &str, value: i32) {
        ["_exitcode", "_exitsignal"].into_iter().for_each(|name| self.value_history.forget_variable(name));
        self.note_number(name, value);
    }

    /// The thread of a context.
    pub(in crate::native) fn thread(&self, number: Option<ThreadId>) -> Result<Tid, Failure> {
        match number {
            None => Ok(self.current),
            Some(number) => match self.process.threads().numbered(number) {
                Some(thread) => Ok(thread.tid),
                None => Err(Failure::new(ErrorCode::NO_THREAD, format!("Unknown thread {number}."))),
            },
        }
    }

    /// The user's number of a thread.
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

    /// What expressions call the thread.
    pub(in crate::native) fn note_thread(&self, tid: Tid) {
        let number = self.number(tid).0 as i32;
        [("_thread", number), ("_gthread", number), ("_inferior", 1)]
            .iter()
            .for_each(|(name, value)| self.note_number(name, *value));
    }

    /// The signal the current thread is resumed with, or none, instead of the one it was stopped for.
    pub(in crate::native) fn send_signal(&mut self, name: Option<&SignalName>) -> Result<(), Failure> {
        let number = name.map(|name| name.number().ok_or_else(|| no_signal(name))).transpose()?;
        let Some(thread) = self.process.thread_mut(self.current) else { return Ok(()) };
        thread.delivery = 0;
        let Some(number) = number else { return Ok(()) };
        thread.expected_signal = Some(number);
        if thread.takes_signal() {
            // Asked for, whatever the table says of passing.
            thread.deferred_signal = Some(number);
        } else {
            thread.send(number);
        }
        Ok(())
    }
}

/// Where an operation looks.
pub(in crate::native) fn context_of(operation: &Operation) -> Context {
    match operation {
        Operation::Stack { thread, .. } | Operation::StackDepth(thread) => Context { thread: *thread, frame: 0 },
        Operation::Evaluate { context, .. }
        | Operation::Print { context, .. }
        | Operation::TypeOf { context, .. }
        | Operation::Locals(context)
        | Operation::Arguments(context)
        | Operation::ReadMemory { context, .. }
        | Operation::WriteMemory { context, .. }
        | Operation::Disassemble { context, .. }
        | Operation::InstructionsBefore { context, .. }
        | Operation::Tell(context, _)
        | Operation::Registers(context, _)
        | Operation::Resolve(_, context)
        | Operation::Step { context, .. }
        | Operation::Until(_, context)
        | Operation::Advance(_, context)
        | Operation::Jump(_, context)
        | Operation::Return(_, context) => *context,
        _ => Context::default(),
    }
}

/// The failure of what names a signal that is none.
pub(in crate::native) fn no_signal(name: &SignalName) -> Failure {
    Failure::new(ErrorCode::DEBUGGER, format!("No signal {name} on this system."))
}
