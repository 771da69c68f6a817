//! Dispatches the commands about stacks, frames and threads.

use super::line::Line;
use crate::command::StackCommand;
use crate::core::commands::{applying, frames, stacks, why as explaining};
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::then::Then;
use crate::sets::SetExpr;
use model::{Inquiry, Operation};

pub(super) fn run(core: &mut Interpreter, line: Line<'_>, command: StackCommand) {
    let id = line.id();
    if let StackCommand::Why(set) = command {
        return why(core, line, set.as_ref());
    }
    let target = line.into_target();
    match command {
        StackCommand::Where(stacks) => stacks::stacks(core, id, target, stacks),
        StackCommand::Frame(level) => frames::choose_frame(core, id, target, level),
        StackCommand::FrameOf(function) => frames::ask_for_function(core, id, target, function),
        StackCommand::Apply(to, line) => applying::apply(core, id, target, to, line),
        StackCommand::Up(n) => frames::go_up(core, id, target, n),
        StackCommand::Down(n) => frames::go_down(core, id, target, n),
        StackCommand::Threads => core.ask_stopped(id, target, Operation::Threads, Then::Threads),
        StackCommand::Thread(None) => core.ask_stopped(id, target, Operation::Threads, Then::Threads),
        StackCommand::Thread(Some(thread)) => {
            core.ask_stopped(id, target, Operation::Threads, Then::ChooseThread(thread));
        }
        StackCommand::Why(_) => {}
        StackCommand::Tell(inquiry) => {
            let inquiry = match inquiry {
                Inquiry::Scope(location) => Inquiry::Scope(core.state.completed(location)),
                other => other,
            };
            core.ask_stopped(id, target.clone(), Operation::Tell(core.context(&target), inquiry), Then::Told);
        }
    }
}

fn why(core: &mut Interpreter, line: Line<'_>, set: Option<&SetExpr>) {
    let id = line.id();
    let target = match set {
        Some(set) => {
            let Some(ranks) = line.resolved(core, set) else { return };
            if core.refused_as(id, &ranks, &set.to_string()) {
                return;
            }
            Target { ranks, ..line.into_target() }
        }
        None => line.into_target(),
    };
    explaining::ask_why(core, id, target);
}
