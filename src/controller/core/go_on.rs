//! Carries out follow-ups: complete answers, and the next lines of scripts.

use super::commands::scripting::{blocks, hooks, ignoring, shell};
use super::commands::{dispatch, report, session};
use super::due::Due;
use super::interpreter::Interpreter;
use super::replies;
use super::tasks::calls;
use super::tasks::task::{Doing, Nature, Task};
use crate::command::{CommandId, Statement, has_all_arguments, is_blank, parse_call, parse_line, with_arguments};
use model::ProcessSet;

/// Carries out follow-ups, and those that they cause, until there are none.
pub(in crate::core) fn go_on(core: &mut Interpreter) {
    while let Some(due) = core.due.pop() {
        match due {
            Due::Answered(id) => answered(core, id),
            Due::Over { script, command, failed } => command_is_over(core, script, command, failed),
            Due::NextLine(script) => next_line(core, script),
        }
    }
}

/// Begins a command; `parent` is the script that it belongs to.
pub(in crate::core) fn begin(core: &mut Interpreter, statement: &Statement, parent: Option<CommandId>) -> CommandId {
    // A line that `eval` has made in a user's command has its arguments, too.
    let of_call = |task: &Task| if let Nature::Call(given) = &task.nature { Some(given.clone()) } else { None };
    let around = parent.and_then(|id| core.tasks.get(&id));
    let given = around.and_then(of_call).or_else(|| core.above(parent?).find_map(of_call));
    let completed = given.as_ref().and_then(|given| with_arguments(std::slice::from_ref(statement), given).ok()?.pop());
    let statement = completed.as_ref().unwrap_or(statement);
    let head = statement.head();
    let line = head.text.trim_end();
    let id = blocks::begin(core, line, head.place.clone(), parent);
    if let Some(task) = core.tasks.get_mut(&id) {
        task.block = statement.block().cloned();
    }
    if given.is_some()
        && let Err(error) = has_all_arguments(line)
    {
        core.refuse(id, ProcessSet::new(), error.to_string());
        return id;
    }
    if hooks::run_around(core, id, statement) {
        return id;
    }
    let scripts = &core.state.scripts;
    let call = parse_call(line, |name| scripts.definitions.contains_key(name));
    match call.map_or_else(|| parse_line(line, &core.state.aliases), Ok) {
        Ok(invocation) => dispatch::prepare(core, id, invocation),
        Err(_) if ignoring::ignores_unknown(core, id, line) => {}
        Err(error) => {
            core.error(id, ProcessSet::new(), error.message, Some(error.position));
            core.done(id);
        }
    }
    id
}

/// Begins the rounds of loops that are due.
pub(in crate::core) fn begin_rounds(core: &mut Interpreter) {
    for id in std::mem::take(&mut core.rounds) {
        if let Some(invocation) = blocks::next_round(core, id) {
            dispatch::prepare(core, id, invocation);
        }
    }
}

/// Handles a command whose requests are all answered or have timed out.
fn answered(core: &mut Interpreter, id: CommandId) {
    let Some(task) = core.tasks.get_mut(&id) else { return };
    if !calls::have_stopped(task) {
        return;
    }
    match std::mem::replace(&mut task.doing, Doing::Beginning) {
        Doing::Conditions(invocation, texts, asked) => {
            dispatch::conditions_known(core, id, *invocation, &texts, asked);
        }
        Doing::Asking(then, asked) => replies::conclude(core, id, then, asked),
        other => task.doing = other,
    }
}

/// Handles the end of a command of a script.
fn command_is_over(core: &mut Interpreter, script: CommandId, command: CommandId, failed: bool) {
    let Some(task) = core.tasks.get_mut(&script) else { return };
    let Doing::Script(lines) = &mut task.doing else { return };
    task.failed |= failed;
    if lines.command_is_over(command, failed) {
        next_line(core, script);
    }
}

fn next_line(core: &mut Interpreter, script: CommandId) {
    let line = loop {
        let Some(task) = core.tasks.get_mut(&script) else { return };
        let Doing::Script(lines) = &mut task.doing else { return };
        match lines.next() {
            Some(line) if is_blank(&line.statement.head().text) => {}
            line => break line,
        }
    };
    let Some(line) = line else {
        let is_over =
            !report::asks_more(core, script) && !report::is_collected(core, script) && !shell::goes_on(core, script);
        if is_over && !blocks::goes_on(core, script) && !session::goes_on(core, script) {
            core.done(script);
        }
        return;
    };
    if let Some(heading) = line.heading {
        core.say(script, heading);
    }
    if let Some((thread, _)) = &line.thread {
        core.each_thread.goes_on_with(script, *thread);
    }
    core.frame_of_line = line.frame;
    let command = begin(core, &line.statement, Some(script));
    core.frame_of_line = None;
    if let Some(task) = core.tasks.get_mut(&script)
        && let Doing::Script(lines) = &mut task.doing
    {
        lines.goes_on_with(command);
    }
}
