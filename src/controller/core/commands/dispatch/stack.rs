//! Dispatches the commands about stacks, frames and threads.

use super::line::Line;
use crate::command::StackCommand;
use crate::core::commands::source::inspect::place_after_end;
use crate::core::commands::stacks::{sampling, shown};
use crate::core::commands::threads::applying;
use crate::core::commands::{frames, why as explaining};
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::then::{FrameMove, Then};
use crate::sets::SetExpr;
use model::{Inquiry, LocationSpec, Operation};

pub(super) fn run(core: &mut Interpreter, line: Line<'_>, command: StackCommand) {
    let id = line.id();
    match command {
        StackCommand::Why(set) => {
            if let Some(target) = target_of(core, line, set.as_ref()) {
                explaining::ask_why(core, id, target);
            }
            return;
        }
        StackCommand::Queues(set) => {
            if let Some(target) = target_of(core, line, set.as_ref()) {
                core.ask_stopped(id, target, Operation::MessageQueues, Then::Queues);
            }
            return;
        }
        _ => {}
    }
    let target = line.into_target();
    let (command, silent) = match command {
        StackCommand::Silently(command) => (*command, true),
        command => (command, false),
    };
    match command {
        StackCommand::Where(stacks) => shown::stacks(core, id, target, stacks),
        StackCommand::Sample(order) => sampling::begin(core, id, &target, order),
        StackCommand::Frame(level) => frames::move_frames(core, id, &target, (FrameMove::To(level), silent)),
        StackCommand::FrameOf(function) => frames::ask_for_function(core, id, target, function, silent),
        StackCommand::FrameAt(address) => frames::ask_for_address(core, id, target, address, silent),
        StackCommand::Apply(to, flags, line) => applying::apply(core, id, target, (to, flags), line),
        StackCommand::Up(n) => frames::move_frames(core, id, &target, (FrameMove::Up(n), silent)),
        StackCommand::Down(n) => frames::move_frames(core, id, &target, (FrameMove::Down(n), silent)),
        StackCommand::Threads(which) => core.ask_stopped(id, target, Operation::Threads, Then::Threads(which)),
        StackCommand::Thread(None) => {
            let then = Then::CurrentThread(target.thread);
            core.ask_stopped(id, target, Operation::Threads, then);
        }
        StackCommand::NameThread(name) => {
            let then = Then::NameThread(target.thread, name);
            core.ask_stopped(id, target, Operation::Threads, then);
        }
        StackCommand::FindThreads(pattern) => {
            core.ask_stopped(id, target, Operation::Threads, Then::FindThreads(pattern));
        }
        StackCommand::Thread(Some(thread)) => {
            core.ask_stopped(id, target, Operation::Threads, Then::ChooseThread(thread));
        }
        StackCommand::Why(_) | StackCommand::Queues(_) | StackCommand::Silently(_) => {}
        StackCommand::Tell(inquiry) => {
            let inquiry = match inquiry {
                Inquiry::Scope(location) => Inquiry::Scope(core.state.completed(location)),
                Inquiry::Source => match place_after_end(core, &target) {
                    // A file has code somewhere behind its first line, though maybe not behind the line that was shown.
                    Some(LocationSpec::FileLine { file, .. }) => {
                        Inquiry::SourceAt(LocationSpec::FileLine { file, line: 1 })
                    }
                    _ => Inquiry::Source,
                },
                other => other,
            };
            core.ask_stopped(id, target.clone(), Operation::Tell(core.context(&target), inquiry), Then::Told);
        }
    }
}

/// Returns the ranks of a set, or those of the line if there is none; reports it if there are no such ranks.
fn target_of(core: &mut Interpreter, line: Line<'_>, set: Option<&SetExpr>) -> Option<Target> {
    let Some(set) = set else { return Some(line.into_target()) };
    let ranks = line.resolved(core, set)?;
    let is_refused = core.refused_as(line.id(), &ranks, &set.to_string());
    (!is_refused).then(|| Target { ranks, ..line.into_target() })
}
