//! Dispatches the commands about signals.

use super::line::Line;
use crate::command::SignalCommand;
use crate::core::commands::running;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::then::{Awaits, Then};
use model::Operation;

pub(super) fn run(core: &mut Interpreter, line: Line<'_>, command: SignalCommand) {
    let id = line.id();
    let target = line.into_target();
    match command {
        SignalCommand::Signals(name) => core.ask_alive_then(id, target, Operation::ListSignals(name), Then::Signals),
        SignalCommand::Handle { names, stop, print, pass } => {
            running::handle(core, id, target, names, stop, print, pass);
        }
        SignalCommand::Signal(name) => running::resume(core, id, target, Operation::Signal(name), Awaits::Stop),
        SignalCommand::Queue(name) => {
            let words = match &name {
                Some(name) => format!("{name} is delivered at the next go or step"),
                None => "no signal is delivered at the next go or step".to_owned(),
            };
            let operation = Operation::QueueSignal(target.thread, name);
            core.ask_stopped(id, target, operation, Then::Acknowledged(words));
        }
    }
}
