//! Commands about the next start of the program.

use crate::command::{CommandId, StartCommand, quote_word, start_text};
use crate::core::interpreter::Interpreter;
use crate::report::Content;
use model::ProcessSet;

/// Shows or changes how the program is started next.
pub(in crate::core) fn start(core: &mut Interpreter, id: CommandId, command: StartCommand) {
    match command {
        _ if core.state.is_attached => {
            let ranks = if core.state.is_of_core_files { "are core files" } else { "were attached to" };
            let why = format!("the ranks {ranks}: only a program that rankscope run starts is started again");
            core.refuse(id, ProcessSet::new(), why);
        }
        StartCommand::ShowArguments => show(core, id, arguments_text(core)),
        StartCommand::ShowEnvironment(name) => show(core, id, environment_text(core, name.as_deref())),
        StartCommand::ShowDirectory => show(core, id, directory_text(core)),
        StartCommand::ShowRandomisation => show(core, id, randomisation_text(core)),
        StartCommand::SetRandomisation(randomise) => {
            core.state.start.changes.randomise = Some(randomise);
            changed(core, id, randomisation_text(core));
        }
        StartCommand::SetArguments(given) => {
            core.state.start.give(given);
            changed(core, id, arguments_text(core));
        }
        StartCommand::SetVariable(name, value) => change_variable(core, id, name, Some(value)),
        StartCommand::UnsetVariable(name) => change_variable(core, id, name, None),
        StartCommand::SetDirectory(directory) => {
            core.state.start.changes.directory = directory;
            changed(core, id, directory_text(core));
        }
    }
}

fn change_variable(core: &mut Interpreter, id: CommandId, name: String, value: Option<String>) {
    core.state.start.changes.environment.insert(name.clone(), value);
    changed(core, id, environment_text(core, Some(&name)));
}

fn changed(core: &mut Interpreter, id: CommandId, text: String) {
    core.acknowledge(id, format!("at the next start: {text}"));
    core.done(id);
}

fn show(core: &mut Interpreter, id: CommandId, text: String) {
    core.say(id, Content::Text(ProcessSet::new(), text));
    core.done(id);
}

fn arguments_text(core: &Interpreter) -> String {
    match start_text(&core.state.start.next()) {
        text if text.is_empty() => "no arguments".to_owned(),
        text => format!("arguments: {text}"),
    }
}

fn directory_text(core: &Interpreter) -> String {
    let start = &core.state.start;
    match start.changes.directory.as_ref().or(start.directory.as_ref()) {
        Some(directory) => format!("working directory: {}", quote_word(directory)),
        None => "working directory: the one in which the session was started".to_owned(),
    }
}

fn randomisation_text(core: &Interpreter) -> String {
    match core.state.start.changes.randomise {
        Some(true) => "addresses are randomised".to_owned(),
        Some(false) => "addresses are not randomised".to_owned(),
        None => "addresses are not randomised, unless rankscope was started with --randomise".to_owned(),
    }
}

fn environment_text(core: &Interpreter, name: Option<&str>) -> String {
    let changes = &core.state.start.changes.environment;
    let line = |(name, value): (&String, &Option<String>)| match value {
        Some(value) => format!("{name}={}", quote_word(value)),
        None => format!("{name} is unset"),
    };
    let lines: Vec<String> = changes.iter().filter(|(of, _)| name.is_none_or(|name| *of == name)).map(line).collect();
    match (lines.as_slice(), name) {
        ([], None) => {
            "no changed variables: the program gets those of the session's start or of its launcher".to_owned()
        }
        ([], Some(name)) => format!("{name} is not changed: print getenv({name:?}) shows it in the program"),
        _ => lines.join("\n"),
    }
}
