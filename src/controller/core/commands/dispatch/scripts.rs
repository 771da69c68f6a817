//! Dispatches the commands of scripts.

use super::line::Line;
use crate::command::ScriptCommand;
use crate::core::commands::scripting::{blocks, deciding, definitions, occasions, printing};
use crate::core::interpreter::Interpreter;
use model::ProcessSet;

pub(super) fn run(core: &mut Interpreter, line: Line<'_>, command: ScriptCommand) {
    let id = line.id();
    let target = line.into_target();
    let is_for_all =
        matches!(command, ScriptCommand::Commands(_) | ScriptCommand::Define(_) | ScriptCommand::Document(_));
    if is_for_all && target.named {
        return core.refuse(id, ProcessSet::new(), "unexpected set: put it in front of the lines inside");
    }
    match command {
        ScriptCommand::If(condition) | ScriptCommand::While(condition) => deciding::decide(core, id, target, condition),
        ScriptCommand::Else | ScriptCommand::End => {
            core.refuse(
                id,
                ProcessSet::new(),
                "no block is open: \"if\", \"while\", \"commands\" or \"define\" opens one",
            );
        }
        ScriptCommand::Break => blocks::leave_loop(core, id, true),
        ScriptCommand::Continue => blocks::leave_loop(core, id, false),
        ScriptCommand::Define(name) => definitions::define(core, id, name),
        ScriptCommand::Document(name) => definitions::document(core, id, &name),
        ScriptCommand::Call(name, arguments) => definitions::call(core, id, target, &name, &arguments),
        ScriptCommand::Commands(ids) => definitions::commands(core, id, ids),
        ScriptCommand::Silent if occasions::is_of_occasion(core, id) => core.done(id),
        ScriptCommand::Silent => {
            core.refuse(id, ProcessSet::new(), "\"silent\" is for the commands of breakpoints: see \"help commands\"");
        }
        ScriptCommand::Printf(format, expressions) => printing::printf(core, id, target, format, &expressions),
        ScriptCommand::Echo(text) => printing::echo(core, id, text),
        ScriptCommand::OutputValue(form, expression) => printing::output(core, id, target, form, expression),
        ScriptCommand::Eval(format, expressions) => printing::eval(core, id, target, format, &expressions),
        ScriptCommand::DontRepeat => core.done(id),
        ScriptCommand::ListDefinitions(name) => definitions::list(core, id, name.as_deref()),
        ScriptCommand::CompleteLine(text) => definitions::complete(core, id, &text),
        ScriptCommand::On(occasion, command) => occasions::on(core, id, occasion, command),
        ScriptCommand::Occasions => occasions::list(core, id),
    }
}
