//! Dispatches the commands that find things.

use super::line::Line;
use crate::command::FindingCommand;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::then::Then;
use model::{Inquiry, Operation};

pub(super) fn run(core: &mut Interpreter, line: Line<'_>, command: FindingCommand) {
    let id = line.id();
    let target = line.into_target();
    let context = core.context(&target);
    match command {
        FindingCommand::Symbols { query, quiet } => {
            let operation = Operation::ListSymbols(context, query.clone());
            core.ask_stopped(id, target, operation, Then::SymbolList(query, quiet));
        }
        FindingCommand::Memory { search, limited } => {
            core.ask_stopped(id, target, Operation::FindBytes(context, search), Then::BytesFound { limited });
        }
        FindingCommand::Process(part) => {
            core.ask_alive_then(id, target, Operation::ProcessFacts(part), Then::ProcessFacts);
        }
        FindingCommand::VirtualTables(object) => {
            core.ask_stopped(id, target, Operation::Tell(context, Inquiry::VirtualTables(object)), Then::Told);
        }
        FindingCommand::Address(name) => {
            core.ask_stopped(id, target, Operation::Tell(context, Inquiry::Address(name)), Then::Told);
        }
    }
}
