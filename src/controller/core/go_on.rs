//! Carries out follow-ups: complete answers, and the next lines of scripts.

use super::commands::{dispatch, report};
use super::due::Due;
use super::interpreter::Interpreter;
use super::replies;
use super::tasks::task::{Doing, Task};
use crate::command::{CommandId, is_blank, parse_line};
use crate::report::Origin;
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

/// Begins a command line; `parent` is the script that it belongs to.
pub(in crate::core) fn begin(core: &mut Interpreter, line: &str, parent: Option<CommandId>) -> CommandId {
    let id = core.numbers.take_command();
    let origin = Origin { id, line: line.trim_end().into(), parent };
    core.tasks.insert(id, Task::new(origin, parent, core.clock.now()));
    match parse_line(line.trim_end(), &core.state.aliases) {
        Ok(invocation) => dispatch::prepare(core, id, invocation),
        Err(error) => {
            core.error(id, ProcessSet::new(), error.message, Some(error.position));
            core.done(id);
        }
    }
    id
}

/// Handles a command whose requests are all answered or have timed out.
fn answered(core: &mut Interpreter, id: CommandId) {
    let Some(task) = core.tasks.get_mut(&id) else { return };
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
            Some(line) if is_blank(&line.text) => {}
            line => break line,
        }
    };
    let Some(line) = line else {
        if !report::asks_more(core, script) && !report::is_collected(core, script) {
            core.done(script);
        }
        return;
    };
    if let Some(heading) = line.heading {
        core.say(script, heading);
    }
    core.frame_of_line = line.frame;
    let command = begin(core, &line.text, Some(script));
    core.frame_of_line = None;
    if let Some(task) = core.tasks.get_mut(&script)
        && let Doing::Script(lines) = &mut task.doing
    {
        lines.goes_on_with(command);
    }
}
