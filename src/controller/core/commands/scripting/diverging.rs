//! Ranks that disagree about a condition: each goes its own way, as it would in a gdb of its own. The lines of a block run
//! first for the ranks on which the condition is true, then for the others; those that have left a loop wait for the rest.

use crate::command::{BlockKind, CommandId};
use crate::core::due::Due;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::script::{Script, ScriptLine};
use crate::core::tasks::task::{Doing, Nature, Task};
use model::ProcessSet;

/// Runs a block for the ranks on which its condition is true, and later for the others; false if all agree, and always
/// have.
pub(super) fn divide(core: &mut Interpreter, id: CommandId, target: Target, yes: &ProcessSet, no: &ProcessSet) -> bool {
    let Some(task) = core.tasks.get_mut(&id) else { return false };
    let Some(block) = task.block.clone() else { return false };
    let is_divided = matches!(&task.nature, Nature::Loop { among: Some(_), .. });
    if yes.is_empty() || (no.is_empty() && !is_divided) {
        return false;
    }
    match (block.kind, &mut task.nature) {
        (BlockKind::While, Nature::Loop { among, .. }) => *among = Some(yes.clone()),
        (_, nature) => {
            let lines = block.otherwise.clone().unwrap_or_default();
            *nature = Nature::Divided { others: no.clone(), lines };
        }
    }
    task.focus = Some(Target { ranks: yes.clone(), ..target });
    core.run_lines(id, block.body.iter().cloned().map(ScriptLine::of).collect(), false);
    true
}

/// Begins the lines of the ranks on which the condition was false; false if there are none.
pub(super) fn others_go_on(core: &mut Interpreter, id: CommandId) -> bool {
    let Some(task) = core.tasks.get_mut(&id) else { return false };
    let Nature::Divided { others, lines } = &mut task.nature else { return false };
    let (others, lines) = (std::mem::take(others), std::mem::take(lines));
    if task.failed || others.is_empty() || lines.is_empty() {
        task.nature = Nature::Plain;
        return false;
    }
    if let Some(focus) = &mut task.focus {
        focus.ranks = others;
    }
    task.doing = Doing::Script(Script::new(lines.into_iter().map(ScriptLine::of), false));
    core.due.push(Due::NextLine(id));
    true
}

/// True if a command runs for some of the ranks that came to a block around it: the others are on another way.
pub(in crate::core) fn is_on_its_own_way(core: &Interpreter, id: CommandId) -> bool {
    core.above(id).any(|task| matches!(task.nature, Nature::Divided { .. } | Nature::Loop { among: Some(_), .. }))
}

/// Has the ranks of a line leave the innermost loop around it, or its round, if others stay; false if none would.
/// `inside`: the commands between the line and the loop, which is the last one.
pub(super) fn some_leave(core: &mut Interpreter, id: CommandId, inside: &[CommandId], for_good: bool) -> bool {
    let Some(&of_loop) = inside.last() else { return false };
    let (leaving, whole) = (ranks_of(core, inside.first().copied()), ranks_of(core, Some(of_loop)));
    let divides = core.above(id).any(|task| task.focus.is_some());
    if !divides || whole.is_subset(&leaving) {
        return false;
    }
    for &at in inside {
        lose(core, at, &leaving);
    }
    if let Some(task) = core.tasks.get_mut(&of_loop)
        && let Nature::Loop { among, .. } = &mut task.nature
    {
        // Without `for_good` they are back in the next round.
        let among = among.get_or_insert(whole);
        if for_good {
            among.remove_all(&leaving);
        }
    }
    true
}

/// Drops ranks that run again from the commands of a stop.
pub(super) fn some_are_gone(core: &mut Interpreter, root: CommandId, gone: &ProcessSet) {
    let of_root = |(_, task): &(&CommandId, &Task)| task.origin.root == root;
    // Those inside first: they have the ranks of those around them.
    let all: Vec<CommandId> = core.tasks.iter().filter(of_root).map(|(id, _)| *id).rev().collect();
    for at in all {
        lose(core, at, gone);
        match core.tasks.get_mut(&at).map(|task| &mut task.nature) {
            Some(Nature::Loop { among: Some(among), .. }) => among.remove_all(gone),
            Some(Nature::Divided { others, .. }) => others.remove_all(gone),
            _ => {}
        }
    }
}

/// Drops ranks from those of a command; without any, its lines end.
fn lose(core: &mut Interpreter, id: CommandId, gone: &ProcessSet) {
    let left = ranks_of(core, Some(id)).difference(gone);
    let of_state = || {
        let focus = &core.state.focus;
        let (thread, group) = (focus.thread, focus.group.clone());
        Target { ranks: ProcessSet::new(), thread, group, named: false, means_lost: false }
    };
    let inherited = core.above(id).find_map(|task| task.focus.clone()).unwrap_or_else(of_state);
    let Some(task) = core.tasks.get_mut(&id) else { return };
    if left.is_empty()
        && let Doing::Script(script) = &mut task.doing
    {
        script.leave();
    }
    if let Some(focus) = &mut task.focus {
        focus.ranks = left;
    } else if matches!(task.nature, Nature::Loop { .. }) {
        task.focus = Some(Target { ranks: left, ..inherited });
    }
}

/// The ranks of the lines of a command.
fn ranks_of(core: &Interpreter, id: Option<CommandId>) -> ProcessSet {
    let own = id.and_then(|id| core.tasks.get(&id)?.focus.clone());
    let focus = own.or_else(|| core.above(id?).find_map(|task| task.focus.clone()));
    focus.map_or_else(|| core.state.focus.set.clone(), |focus| focus.ranks)
}
