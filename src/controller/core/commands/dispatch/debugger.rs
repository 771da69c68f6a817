//! Dispatches the commands about the session and the debugger itself.

use super::line::Line;
use crate::command::{DebuggerCommand, PrintForm};
use crate::core::commands::rules::{printers, sources};
use crate::core::commands::scripting::ignoring;
use crate::core::commands::scripting::{command_files, printing, shell};
use crate::core::commands::{report, reverse, session};
use crate::core::interpreter::Interpreter;
use crate::core::tasks::then::Then;
use crate::report::Content;
use crate::sets::SetExpr;
use crate::triage::ReportOrder;
use model::{Operation, ProcessSet};

pub(super) fn run(core: &mut Interpreter, line: &Line<'_>, command: DebuggerCommand) {
    let id = line.id();
    let target = line.target().clone();
    match command {
        DebuggerCommand::Quit => session::quit(core, id),
        DebuggerCommand::WhichEngine => {
            core.ask_alive_then(id, target, Operation::WhichEngine, Then::UnderEngine(None));
        }
        DebuggerCommand::UseEngine(name) => {
            core.ask_alive_then(id, target, Operation::UseEngine(name), Then::UnderEngine(Some(name)));
        }
        DebuggerCommand::Engine(text) => core.ask_alive_then(id, target, Operation::Engine(text), Then::EngineText),
        DebuggerCommand::Output(SetExpr::Group(name), text) if !core.state.groups.contains_key(&name) => {
            printing::output(core, id, target, PrintForm::default(), text);
        }
        DebuggerCommand::Output(set, _) => {
            let Some(ranks) = line.resolved_or(core, &set, "") else { return };
            core.state.output_of = Some(ranks).filter(|_| set != SetExpr::All);
            core.done(id);
        }
        DebuggerCommand::Report(directory) => {
            let reason = "requested by the user".to_owned();
            let order = ReportOrder { directory, reason, ..ReportOrder::default() };
            report::report(core, id, order);
        }
        DebuggerCommand::Log(path) => command_files::log(core, id, path),
        DebuggerCommand::Logging(change) => command_files::change_logging(core, id, change),
        DebuggerCommand::Source(path) => command_files::source(core, id, path),
        DebuggerCommand::Save(path) => command_files::save(core, id, path),
        DebuggerCommand::SaveRun(name) => command_files::save_run(core, id, name),
        DebuggerCommand::SaveBreakpoints(path) => command_files::save_breakpoints(core, id, path),
        DebuggerCommand::Alias(None) => {
            let aliases = core.state.aliases.iter().map(|(name, text)| (name.clone(), text.clone())).collect();
            core.say(id, Content::Aliases(aliases));
            core.done(id);
        }
        DebuggerCommand::Alias(Some((name, text))) => {
            core.acknowledge(id, format!("alias {name} = {text}"));
            core.state.aliases.insert(name, text);
            core.done(id);
        }
        DebuggerCommand::Set(name, value) => {
            let rules = core.state.variables.sources().clone();
            let is_for_engines = match core.state.variables.set(&name, &value) {
                Ok(is_for_engines) => is_for_engines,
                Err(error) => {
                    let position = core.position_in_line(id, &value, Some(0));
                    core.error(id, ProcessSet::new(), error.to_string(), position);
                    return core.done(id);
                }
            };
            core.acknowledge(id, core.state.variables.sentence(&name));
            if rules != *core.state.variables.sources() {
                session::configure(core, id, Then::SourceRules);
            } else if is_for_engines {
                session::configure(core, id, Then::Configured);
            } else {
                core.state.limit_output();
                core.done(id);
            }
        }
        DebuggerCommand::SetAsItIs(name, value, words) => {
            core.acknowledge(id, format!("{name} is {value}: {words}"));
            core.done(id);
        }
        DebuggerCommand::Ignored(name, why) => ignoring::ignore(core, id, &name, why),
        DebuggerCommand::ShowAsItIs(name, value) => {
            core.say(id, Content::Settings(vec![(name.to_owned(), value.to_owned())]));
            core.done(id);
        }
        DebuggerCommand::Show(name) => {
            core.say(id, Content::Settings(core.state.variables.rows(name.as_deref())));
            core.done(id);
        }
        DebuggerCommand::Shell(line) => shell::shell(core, id, line),
        DebuggerCommand::Pipe { line, shell } => shell::pipe(core, id, target, line, shell),
        DebuggerCommand::ShowVersion => {
            let text = format!("rankscope {}", env!("CARGO_PKG_VERSION"));
            core.say(id, Content::Text(ProcessSet::new(), text));
            core.done(id);
        }
        DebuggerCommand::With { name, value, line } => command_files::with(core, id, target, (&name, &value), line),
        DebuggerCommand::SearchSources(directories) => sources::search_first(core, id, &directories),
        DebuggerCommand::KeepSourcePath(from) => sources::keep(core, id, from.as_deref()),
        DebuggerCommand::LoadPrinters(path) => printers::load(core, id, path),
        DebuggerCommand::ListPrinters(containing) => printers::list(core, id, containing.as_deref()),
        DebuggerCommand::EnablePrinters(enabled, first, second) => {
            printers::enable(core, id, enabled, (first.as_deref(), second.as_deref()));
        }
        DebuggerCommand::Reverse(what) => reverse::reverse(core, id, what),
        DebuggerCommand::Apropos(pattern, whole) => session::apropos(core, id, &pattern, whole),
        DebuggerCommand::Help(topic) => session::help_on(core, id, topic.as_deref()),
    }
}
