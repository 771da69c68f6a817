//! Commands that the user defines, and the commands of breakpoints.

use super::{blocks, hooks};
use crate::command::{CommandId, arguments_of, complete as complete_line, entries, with_arguments};
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::task::{Doing, Nature};
use crate::report::Content;
use model::{BreakpointId, ProcessSet};

/// The most calls inside each other.
const DEEPEST: usize = 256;

pub(in crate::core) fn define(core: &mut Interpreter, id: CommandId, name: String) {
    let Some(block) = core.tasks.get(&id).and_then(|task| task.block.clone()) else {
        return core.refuse(id, ProcessSet::new(), "expected the lines of the command up to \"end\" after this line");
    };
    if entries().any(|entry| entry.name == name) {
        let words = format!("{name} is a command of rankscope and cannot be redefined: choose another name");
        return core.refuse(id, ProcessSet::new(), words);
    }
    if let Some(why) = hooks::why_no_hook(core, &name) {
        return core.refuse(id, ProcessSet::new(), why);
    }
    core.acknowledge(id, format!("defined {name}"));
    core.state.scripts.definitions.entry(name).or_default().body.clone_from(&block.body);
    core.done(id);
}

pub(in crate::core) fn document(core: &mut Interpreter, id: CommandId, name: &str) {
    let block = core.tasks.get(&id).and_then(|task| task.block.clone());
    let known = core.state.scripts.definitions.get_mut(name);
    match (block, known) {
        (Some(block), Some(definition)) => {
            definition.page.clone_from(&block.body);
            core.done(id);
        }
        (None, _) => core.refuse(id, ProcessSet::new(), "expected its text up to \"end\" after this line"),
        (_, None) => core.refuse(id, ProcessSet::new(), format!("no command {name:?}: \"define\" it first")),
    }
}

/// Shows the commands that the user defined, or one of them.
pub(in crate::core) fn list(core: &mut Interpreter, id: CommandId, name: Option<&str>) {
    let definitions = &core.state.scripts.definitions;
    let chosen = definitions.iter().filter(|(known, _)| name.is_none_or(|name| name == *known));
    let texts: Vec<String> = chosen.map(|(name, definition)| definition.help(name)).collect();
    match (name, texts.as_slice()) {
        (Some(name), []) => {
            let words = format!("no command {name:?} is defined; \"show user\" lists those that are");
            core.refuse(id, ProcessSet::new(), words);
        }
        (None, []) => {
            core.acknowledge(id, "no commands are defined: \"define NAME\" defines one".to_owned());
            core.done(id);
        }
        _ => {
            core.say(id, Content::Text(ProcessSet::new(), texts.join("\n")));
            core.done(id);
        }
    }
}

/// Lists how a line can go on, as whole lines.
pub(in crate::core) fn complete(core: &mut Interpreter, id: CommandId, text: &str) {
    let completion = complete_line(text, &core.state);
    let begun = text.get(..completion.start).unwrap_or_default();
    let lines: Vec<String> = completion.candidates.iter().map(|candidate| format!("{begun}{candidate}")).collect();
    if !lines.is_empty() {
        core.say(id, Content::Text(ProcessSet::new(), lines.join("\n")));
    }
    core.done(id);
}

/// Runs a command that the user defined.
pub(in crate::core) fn call(core: &mut Interpreter, id: CommandId, target: Target, name: &str, arguments: &str) {
    let depth = core.above(id).filter(|task| matches!(task.nature, Nature::Call(_))).count();
    if depth >= DEEPEST {
        let words = format!("{name} is called more than {DEEPEST} times inside itself or others: does it end?");
        return core.refuse(id, ProcessSet::new(), words);
    }
    let Some(definition) = core.state.scripts.definitions.get(name) else { return core.done(id) };
    let given = arguments_of(arguments);
    match with_arguments(&definition.body, &given) {
        Err(error) => core.refuse(id, ProcessSet::new(), format!("{name}: {error}")),
        Ok(lines) => {
            if let Some(task) = core.tasks.get_mut(&id) {
                task.nature = Nature::Call(given.into());
                task.focus = target.named.then_some(target);
                task.doing = Doing::Beginning;
            }
            blocks::run(core, id, lines);
        }
    }
}

/// Sets the commands of breakpoints.
pub(in crate::core) fn commands(core: &mut Interpreter, id: CommandId, ids: Vec<BreakpointId>) {
    let Some(block) = core.tasks.get(&id).and_then(|task| task.block.clone()) else {
        return core.refuse(id, ProcessSet::new(), "expected the commands up to \"end\" after this line");
    };
    let latest = core.state.breakpoints.last_key_value().map(|(&id, _)| id);
    let together = core.numbers.first_of_latest();
    let ids = match latest {
        _ if !ids.is_empty() => ids,
        // As in gdb, those that one command has set get the same commands.
        Some(latest) if together < latest => {
            core.state.breakpoints.range(together..).map(|(&number, _)| number).collect()
        }
        _ => vec![BreakpointId::LATEST],
    };
    for number in ids {
        let real = if number == BreakpointId::LATEST { latest } else { Some(number) };
        let Some(real) = real.filter(|real| core.state.breakpoints.contains_key(real)) else {
            let words = match number {
                BreakpointId::LATEST => "no breakpoint to which the commands could belong: set one first".to_owned(),
                number => format!("no breakpoint {number}; \"breakpoints\" lists them"),
            };
            return core.refuse(id, ProcessSet::new(), words);
        };
        if block.body.is_empty() {
            core.state.scripts.commands.remove(&real);
        } else {
            core.state.scripts.commands.insert(real, block.body.clone());
        }
    }
    core.done(id);
}
