//! Commands for a group of threads, `[0-3.{2,5}] where`: they run for one thread after another, as gdb's `thread apply`,
//! but say once what is the same for several threads.

use crate::command::{
    Apply, BreakpointCommand, Command, CommandId, DataCommand, FindingCommand, Merged, RunCommand, SampleOrder,
    ScriptCommand, SignalCommand, SnapshotOrder, StackCommand,
};
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::script::ScriptLine;
use crate::core::tasks::task::Answers;
use crate::core::tasks::then::Then;
use crate::report::Content;
use crate::sets::{ThreadGroup, parse_prefix};
use model::{Answer, Operation, ProcessSet, ThreadId};
use std::collections::BTreeMap;

/// What a command means for a group of threads.
pub(in crate::core) enum Reach {
    /// It is about whole processes, whichever threads are named.
    Processes,
    /// It runs for each thread.
    EachThread,
    /// It takes one thread of each rank.
    OneThread,
}

/// Returns what a command means for a group of threads.
pub(in crate::core) fn reach(command: &Command) -> Reach {
    match command {
        Command::Stack(StackCommand::Where(stacks)) if stacks.merged == Merged::AllThreads => Reach::Processes,
        Command::Running(
            RunCommand::Step(..) | RunCommand::Until(_) | RunCommand::Advance(_) | RunCommand::Return(_),
        )
        | Command::Stack(
            StackCommand::Where(_)
            | StackCommand::Frame(_)
            | StackCommand::FrameOf(_)
            | StackCommand::FrameAt(_)
            | StackCommand::Up(_)
            | StackCommand::Down(_)
            | StackCommand::Silently(_)
            | StackCommand::Tell(_)
            | StackCommand::Thread(None)
            | StackCommand::NameThread(_)
            | StackCommand::Why(_)
            | StackCommand::Apply(Apply::Frames(_) | Apply::Levels(_), ..),
        )
        | Command::Data(
            DataCommand::Print(..)
            | DataCommand::Compare(_)
            | DataCommand::Stats(_)
            | DataCommand::Scan(..)
            | DataCommand::Locals(_)
            | DataCommand::Arguments(_)
            | DataCommand::ThreadLocals(_)
            | DataCommand::Ptype(..)
            | DataCommand::Assign(_)
            | DataCommand::Examine(..)
            | DataCommand::Disassemble(..)
            | DataCommand::SymbolAt(_)
            | DataCommand::Write(..)
            | DataCommand::Registers(_)
            | DataCommand::Display(None | Some((_, true))),
        )
        | Command::Finding(FindingCommand::Memory { .. } | FindingCommand::Address(_))
        | Command::Scripts(ScriptCommand::Call(..) | ScriptCommand::Printf(..)) => Reach::EachThread,
        Command::Running(RunCommand::Jump(_))
        | Command::Signals(SignalCommand::Signal(_) | SignalCommand::Queue(_))
        | Command::Stack(StackCommand::Sample(SampleOrder { threads: false, .. }))
        // A display shows one thread, unless it keeps that of its line.
        | Command::Data(
            DataCommand::Save(_)
            | DataCommand::Restore(_)
            | DataCommand::Display(Some((_, false)))
            | DataCommand::Snapshot(SnapshotOrder::Keep(_) | SnapshotOrder::Compare(_)),
        )
        | Command::Breakpoints(BreakpointCommand::Watch { .. })
        | Command::Scripts(ScriptCommand::If(_) | ScriptCommand::While(_)) => Reach::OneThread,
        _ => Reach::Processes,
    }
}

/// Refuses a command that takes one thread, and says what to type.
pub(in crate::core) fn refuse(core: &mut Interpreter, id: CommandId, target: &Target) {
    let command = command_of(core, id);
    let name = command.split_whitespace().next().unwrap_or_default().to_owned();
    let thread = target.group.as_ref().and_then(ThreadGroup::first).unwrap_or(ThreadId(1));
    let why = format!("{name} takes one thread of each rank, such as [{}.{thread}] {command}", target.ranks);
    core.refuse(id, ProcessSet::new(), why);
}

/// Requests the threads that the ranks have.
pub(in crate::core) fn ask(core: &mut Interpreter, id: CommandId, target: Target) {
    let Some(group) = target.group.clone() else { return };
    core.ask_stopped(id, target, Operation::Threads, Then::EachThread(group));
}

/// Runs the command for each of the threads; true if it continues.
pub(in crate::core) fn run(core: &mut Interpreter, id: CommandId, group: &ThreadGroup, good: Answers) -> bool {
    let found = of_group(core, id, group, &good);
    if found.is_empty() {
        return false;
    }
    let command = command_of(core, id);
    core.each_thread.begin(id);
    let line = |(thread, ranks): (ThreadId, ProcessSet)| ScriptLine {
        thread: Some((thread, ranks.clone())),
        ..ScriptLine::plain(format!("[{ranks}.{thread}] {command}"))
    };
    core.run_lines(id, found.into_iter().map(line).collect(), true)
}

/// Returns the threads of a group that ranks have, with these ranks, and reports those that ranks lack.
pub(in crate::core) fn of_group(
    core: &mut Interpreter,
    id: CommandId,
    group: &ThreadGroup,
    good: &Answers,
) -> BTreeMap<ThreadId, ProcessSet> {
    let mut found: BTreeMap<ThreadId, ProcessSet> = BTreeMap::new();
    let mut lacking: BTreeMap<ThreadGroup, ProcessSet> = BTreeMap::new();
    for (_, ranks, answer) in good {
        let Answer::Threads(threads) = answer else { continue };
        let named: Vec<ThreadId> =
            threads.iter().map(|thread| thread.id).filter(|thread| group.contains(*thread)).collect();
        for thread in &named {
            found.entry(*thread).or_default().extend_with(ranks);
        }
        let lacked = group.without(&ThreadGroup::of_threads(named));
        if !group.is_all() && !lacked.is_empty() {
            lacking.entry(lacked).or_default().extend_with(ranks);
        }
    }
    for (lacked, ranks) in lacking {
        let why = format!("no thread {}", lacked.numbers());
        if found.is_empty() {
            core.error(id, ranks, format!("{why}; \"threads\" lists them"), None);
        } else {
            core.say(id, Content::Missing(ranks, why));
        }
    }
    found
}

/// Returns the line of a command without the set before it.
fn command_of(core: &Interpreter, id: CommandId) -> String {
    let line = core.tasks.get(&id).map_or("", |task| &*task.origin.line).trim();
    let length = if line.starts_with('[') { parse_prefix(line).map_or(0, |(_, length)| length) } else { 0 };
    line.get(length..).unwrap_or("").trim().to_owned()
}
