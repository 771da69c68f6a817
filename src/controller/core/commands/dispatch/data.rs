//! Dispatches the commands about the program's data.

use super::line::Line;
use crate::command::{CodeRange, DataCommand, Examined, Form, VariableChoice};
use crate::core::commands::saving::{restoring, writing};
use crate::core::commands::source::{inspect, searching};
use crate::core::commands::values::snapshots;
use crate::core::commands::{displays, examine, lookups};
use crate::core::interpreter::Interpreter;
use crate::core::tasks::then::Then;
use crate::report::{Scope, first_page};
use model::aif::FormatLetter;
use model::{ArrayLook, Operation, PrintSwitch, raw_text, raw_word};
use std::path::PathBuf;

/// The bytes that `memory` prints.
const MEMORY_BYTES: u32 = 128;

pub(super) fn run(core: &mut Interpreter, line: Line<'_>, command: DataCommand) {
    let id = line.id();
    let target = line.into_target();
    match command {
        DataCommand::Print(form, expression) => {
            let context = core.context(&target);
            let usual = core.state.variables.print_options();
            let options = form.changes.over(usual);
            let operation = Operation::Print {
                context,
                expression: expression.clone(),
                raw: options.has(PrintSwitch::RawValues),
                limits: (options != usual).then_some(options),
                unrecorded: false,
                most: core.state.variables.most_values(),
                picture: None,
            };
            core.ask_stopped(id, target, operation, Then::Value(expression, form));
        }
        DataCommand::Display(expression) => displays::display(core, id, target, expression),
        DataCommand::EnableDisplays(numbers, enabled) => displays::enable(core, id, &numbers, enabled),
        DataCommand::ListDisplays => displays::list(core, id),
        DataCommand::Undisplay(numbers) => displays::undisplay(core, id, &target, numbers),
        DataCommand::Compare(expression) => {
            let context = core.context(&target);
            let operation = Operation::Evaluate { context, expression: expression.clone() };
            core.ask_stopped(id, target, operation, Then::Compare(expression));
        }
        DataCommand::Snapshot(order) => snapshots::order(core, id, &target, order),
        DataCommand::Stats(expression) => {
            let context = core.context(&target);
            let operation = Operation::Statistics {
                context,
                expression: expression.clone(),
                most: core.state.variables.most_values(),
            };
            core.ask_stopped(id, target, operation, Then::Statistics(expression));
        }
        DataCommand::Scan(expression, condition) => {
            let (context, then) = (core.context(&target), Then::Found(expression.clone(), condition.clone()));
            let most = core.state.variables.most_values();
            core.ask_stopped(id, target, Operation::Scan { context, expression, condition, most }, then);
        }
        DataCommand::Array(expression) => {
            let look = Box::new(ArrayLook::Page { section: first_page(), condition: None });
            let operation = Operation::Array { context: core.context(&target), expression: expression.clone(), look };
            core.ask_stopped(id, target, operation, Then::Array(expression));
        }
        DataCommand::Memory(address) => {
            let (count, unit, form) = (Some(MEMORY_BYTES), Some(1), Some(Form::Values(FormatLetter::Hexadecimal)));
            examine::examine(core, id, target, Examined { count, unit, form, back: false }, Some(address));
        }
        DataCommand::Locals(choice) => {
            let operation = Operation::Locals(core.context(&target));
            core.ask_stopped(id, target, operation, Then::Variables(Scope::Locals, choice));
        }
        DataCommand::Arguments(choice) => {
            let operation = Operation::Arguments(core.context(&target));
            core.ask_stopped(id, target, operation, Then::Variables(Scope::Arguments, choice));
        }
        DataCommand::Globals(pattern) => {
            let operation = Operation::Globals(pattern);
            core.ask_stopped(id, target, operation, Then::Variables(Scope::Globals, VariableChoice::default()));
        }
        DataCommand::ThreadLocals(pattern) => {
            let operation = Operation::ThreadLocals(core.context(&target), pattern);
            core.ask_stopped(id, target, operation, Then::Variables(Scope::ThreadLocals, VariableChoice::default()));
        }
        DataCommand::Ptype(detail, expression) => inspect::type_of(core, id, target, expression, detail),
        DataCommand::Assign(expression) => {
            let operation = Operation::Evaluate { context: core.context(&target), expression: expression.clone() };
            core.ask_stopped(id, target, operation, Then::Assigned(expression));
        }
        DataCommand::Examine(examined, address) => examine::examine(core, id, target, examined, address),
        DataCommand::Disassemble(form, range) => {
            let flavor = core.state.variables.disassembly_flavor();
            let context = core.context(&target);
            let operation = match range {
                CodeRange::Function(at) => {
                    let at = at.map(|location| core.state.completed(location));
                    Operation::Disassemble { context, at, count: None, flavor }
                }
                CodeRange::Addresses(start, end) => Operation::DisassembleRange { context, start, end, flavor },
            };
            core.ask_stopped(id, target, operation, Then::Instructions { skip: 0, examined: None, form });
        }
        DataCommand::SymbolAt(expression) => lookups::symbol_at(core, id, target, expression),
        DataCommand::CodeOf(at) => lookups::code_of(core, id, target, at),
        DataCommand::Write(address, data) => {
            let context = core.context(&target);
            let operation = Operation::WriteMemory { context, address: address.clone(), offset: 0, data };
            core.ask_stopped(id, target, operation, Then::Assigned(address));
        }
        DataCommand::Registers(names) => {
            let operation = Operation::Registers(core.context(&target), names);
            core.ask_stopped(id, target, operation, Then::Registers);
        }
        DataCommand::Edit(location) => inspect::edit(core, id, target, location),
        DataCommand::List(range) => inspect::list(core, id, target, range),
        DataCommand::Search { forward, pattern } => searching::search(core, id, target, forward, pattern),
        DataCommand::WriteCore(directory) => {
            let named = core.directory.join(raw_word(&directory.unwrap_or_default()));
            let directory = raw_text(named.components().collect::<PathBuf>().as_os_str());
            core.ask_stopped(id, target, Operation::WriteCore(directory), Then::CoreFiles);
        }
        DataCommand::Save(order) => writing::save(core, id, target, order),
        DataCommand::Restore(order) => restoring::restore(core, id, target, order),
        DataCommand::Libraries(wanted) => {
            core.ask_alive_then(id, target, Operation::Libraries, Then::Libraries(wanted));
        }
        DataCommand::Limits => core.ask_alive_then(id, target, Operation::Limits, Then::Limits),
    }
}
