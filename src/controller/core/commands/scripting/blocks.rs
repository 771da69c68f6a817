//! Runs the lines of blocks: each block is a command that runs others.

use super::diverging;
use crate::command::{BlockError, BlockKind, CommandId, Invocation, ScriptPlace, Statement};
use crate::core::due::Due;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::script::{Script, ScriptLine};
use crate::core::tasks::task::{Doing, Nature, Task};
use crate::report::Origin;
use model::{ProcessSet, Severity};

/// Begins a command of a line; a line without a place has that of its script.
pub(in crate::core) fn begin(
    core: &mut Interpreter,
    line: &str,
    place: Option<ScriptPlace>,
    parent: Option<CommandId>,
) -> CommandId {
    let id = core.numbers.take_command();
    let above = parent.and_then(|parent| core.tasks.get(&parent)).map(|task| &task.origin);
    let place = place.or_else(|| above.and_then(|above| above.place.clone()));
    let root = above.map_or(id, |above| above.root);
    let origin = Origin { id, line: line.into(), parent, root, place };
    core.tasks.insert(id, Task::new(origin, parent, core.clock.now()));
    id
}

/// Reports a script that cannot be read.
pub(in crate::core) fn refuse(core: &mut Interpreter, error: BlockError) -> CommandId {
    let id = begin(core, &error.line.text, error.line.place, None);
    core.refuse(id, ProcessSet::new(), error.message);
    id
}

/// Runs statements under a line that stands for them.
pub(in crate::core) fn run_all(core: &mut Interpreter, line: &str, statements: Vec<Statement>) -> CommandId {
    let id = begin(core, line, None, None);
    run(core, id, statements);
    id
}

/// Runs the lines of a command.
pub(in crate::core) fn run(core: &mut Interpreter, id: CommandId, statements: Vec<Statement>) {
    core.run_lines(id, statements.into_iter().map(ScriptLine::of).collect(), false);
}

/// Handles a script without further lines: true if it is a loop that goes on, or if other ranks have lines.
pub(in crate::core) fn goes_on(core: &mut Interpreter, id: CommandId) -> bool {
    if diverging::others_go_on(core, id) {
        return true;
    }
    let goes_on =
        core.tasks.get(&id).is_some_and(|task| matches!(task.nature, Nature::Loop { left: false, .. }) && !task.failed);
    if goes_on {
        core.rounds.push_back(id);
    }
    goes_on
}

/// Begins the next round of a loop; returns the line with its condition.
pub(in crate::core) fn next_round(core: &mut Interpreter, id: CommandId) -> Option<Invocation> {
    let limit = core.state.variables.get("loop-limit");
    let Nature::Loop { invocation, rounds, .. } = &mut core.tasks.get_mut(&id)?.nature else { return None };
    *rounds += 1;
    if *rounds as f64 >= limit {
        let words = format!("the loop has run {rounds} rounds; \"set loop-limit N\" allows more");
        core.refuse(id, ProcessSet::new(), words);
        return None;
    }
    let invocation = invocation.as_ref().clone();
    if let Some(task) = core.tasks.get_mut(&id) {
        task.doing = Doing::Beginning;
    }
    Some(invocation)
}

/// Runs the part of an `if`, or the next round of a `while`, that follows from its condition.
pub(in crate::core) fn decided(core: &mut Interpreter, id: CommandId, holds: bool) {
    let Some(task) = core.tasks.get_mut(&id) else { return };
    let Some(block) = task.block.clone() else { return };
    let lines = match block.kind {
        BlockKind::While if !holds => {
            if let Nature::Loop { left, .. } = &mut task.nature {
                *left = true;
            }
            Vec::new()
        }
        _ if holds => block.body.clone(),
        _ => block.otherwise.clone().unwrap_or_default(),
    };
    run(core, id, lines);
}

/// Leaves the innermost loop around a command, or begins its next round.
pub(in crate::core) fn leave_loop(core: &mut Interpreter, id: CommandId, for_good: bool) {
    let mut inside = Vec::new();
    let mut above = core.tasks.get(&id).and_then(|task| task.parent);
    let found = loop {
        let Some((at, task)) = above.and_then(|at| Some((at, core.tasks.get(&at)?))) else { break false };
        inside.push(at);
        match &task.nature {
            Nature::Loop { .. } => break true,
            Nature::Plain | Nature::Divided { .. } if task.block.is_some() => above = task.parent,
            _ => break false,
        }
    };
    if !found {
        return core.refuse(id, ProcessSet::new(), "there is no \"while\" around this line");
    }
    if diverging::some_leave(core, id, &inside, for_good) {
        return core.done(id);
    }
    for at in inside {
        let Some(task) = core.tasks.get_mut(&at) else { continue };
        if let Doing::Script(script) = &mut task.doing {
            script.leave();
        }
        if let Nature::Loop { left, .. } = &mut task.nature {
            *left |= for_good;
        }
    }
    core.done(id);
}

/// Ends all scripts: their present commands finish, no other begins. Returns false if none was running.
pub(in crate::core) fn interrupt(core: &mut Interpreter, but: CommandId) -> bool {
    let but = core.tasks.get(&but).map(|task| task.origin.root);
    let mut roots = ProcessSet::new();
    let mut found = false;
    for task in core.tasks.values_mut().filter(|task| Some(task.origin.root) != but) {
        found |= matches!(task.doing, Doing::Script(_));
        task.leave_lines();
    }
    for id in std::mem::take(&mut core.rounds) {
        core.due.push(Due::NextLine(id));
    }
    roots.extend_with(&core.occasions.stopped());
    core.occasions.forget();
    if found {
        core.tell(Severity::Note, roots, "the running scripts were ended");
    }
    found
}

/// Puts the lines of a file into the command that read it.
pub(in crate::core) fn file_read(core: &mut Interpreter, id: CommandId, statements: Vec<Statement>) {
    let Some(task) = core.tasks.get_mut(&id) else { return };
    task.doing = Doing::Script(Script::new(statements.into_iter().map(ScriptLine::of), false));
    core.due.push(Due::NextLine(id));
}
