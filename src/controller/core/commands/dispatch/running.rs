//! Dispatches the commands that continue and stop ranks.

use super::line::Line;
use crate::command::{RunCommand, WaitFor};
use crate::core::commands::threads::{applying, each_thread};
use crate::core::commands::{running, session, waits};
use crate::core::interpreter::Interpreter;
use crate::core::tasks::then::{Awaits, Then};
use crate::state::StateKind;
use model::{Operation, ProcessSet, StepKind, StopAt};

pub(super) fn run(core: &mut Interpreter, line: Line<'_>, command: RunCommand) {
    let id = line.id();
    let target = line.target().clone();
    match command {
        RunCommand::Go { past: Some(count), waits } => applying::go_past(core, id, target, count, waits),
        RunCommand::Go { past: None, waits } => {
            let locks = core.state.variables.run_settings().locking.locks(false);
            if locks && target.group.is_some() {
                // The locked scheduler runs one thread.
                return each_thread::refuse(core, id, &target);
            }
            let chosen = target.thread.filter(|_| locks);
            running::resume(core, id, target, chosen.map_or(Operation::Go, Operation::GoWith), stop_if(waits));
        }
        RunCommand::Halt => running::halt(core, id, target),
        RunCommand::Step(kind, count) => {
            let mut context = core.context(&target);
            if matches!(kind, StepKind::Instruction | StepKind::InstructionOver) {
                // The instructions of other frames are not the next ones.
                context.frame = 0;
            }
            running::resume(core, id, target, Operation::Step { kind, count, context }, Awaits::Step);
        }
        RunCommand::Until(location) => {
            let operation = Operation::Until(core.state.of_shown(location), core.context(&target));
            running::resume(core, id, target, operation, Awaits::Step);
        }
        RunCommand::Advance(location) => {
            let operation = Operation::Advance(core.state.of_shown(location), core.context(&target));
            running::resume(core, id, target, operation, Awaits::Step);
        }
        RunCommand::Jump(location) => {
            let operation = Operation::Jump(core.state.of_shown(location), core.context(&target));
            running::resume(core, id, target, operation, Awaits::Stop);
        }
        RunCommand::Return(value) => {
            let operation = Operation::Return(value, core.context(&target));
            running::resume(core, id, target, operation, Awaits::Step);
        }
        RunCommand::Hold(held) => running::hold(core, id, target, held),
        RunCommand::Wait(what, limit) => wait(core, line, &what, limit),
        RunCommand::Kill => running::kill(core, id, target),
        RunCommand::Restart(words) => session::restart(core, id, &target, words, None),
        RunCommand::Run(given) => session::run(core, id, target, given),
        RunCommand::RestartAtFirstInstruction(words) => {
            session::restart(core, id, &target, words, Some(StopAt::FirstInstruction));
        }
        RunCommand::Send(text) => {
            core.ask_alive_then(id, target, Operation::Send { text, end: false }, Then::Sent);
        }
        RunCommand::SendEnd => {
            core.ask_alive_then(id, target, Operation::Send { text: String::new(), end: true }, Then::Sent);
        }
        RunCommand::Detach => running::detach(core, id, target),
    }
}

fn stop_if(waits: bool) -> Awaits {
    if waits { Awaits::Stop } else { Awaits::Nothing }
}

fn wait(core: &mut Interpreter, line: Line<'_>, what: &WaitFor, limit: Option<f64>) {
    let id = line.id();
    let (ranks, means_lost) = match what {
        WaitFor::Set(set) => {
            let Some(ranks) = line.resolved(core, set) else { return };
            if core.refused_as(id, &ranks, &set.to_string()) {
                return;
            }
            (ranks, set.names_lost())
        }
        WaitFor::Stopped | WaitFor::Exited => {
            let target = line.into_target();
            (target.ranks, target.means_lost)
        }
        WaitFor::Any => return waits::wait_for_any(core, id, line.target(), limit),
    };
    let lost = core.state.ranks.of_kind(StateKind::Lost);
    let expected = if means_lost { ranks.intersection(lost) } else { ProcessSet::new() };
    core.wait(id, ranks, expected, *what == WaitFor::Exited, limit);
}
