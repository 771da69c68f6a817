//! Continues and stops ranks.

use crate::command::CommandId;
use crate::core::commands::saving;
use crate::core::commands::scripting::{blocks, occasions};
use crate::core::interpreter::Interpreter;
use crate::core::own_frames::ranks_at_own_frames;
use crate::core::target::Target;
use crate::core::tasks::asking::none_can;
use crate::core::tasks::task::{Doing, Postponed, Task};
use crate::core::tasks::then::{Awaits, Onward, Then};
use crate::report::Content;
use crate::state::ChosenFrames;
use model::{Operation, ProcessSet, Severity, SignalName};

/// Continues the ranks that are stopped and not held.
pub(in crate::core) fn resume(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    operation: Operation,
    awaits: Awaits,
) {
    if core.refused(id, &target.ranks) {
        return;
    }
    if are_unplaced(core, &target.ranks) {
        let deadline = core.clock.now() + core.state.variables.seconds("patience");
        if let Some(task) = core.tasks.get_mut(&id) {
            task.doing = Doing::Postponed(Box::new(Postponed { target, operation, awaits, deadline }));
        }
        return;
    }
    resume_now(core, id, target, operation, awaits);
}

/// True if ranks have not yet set their breakpoints after a restart: the master requests that, and no other request may
/// overtake it.
fn are_unplaced(core: &Interpreter, ranks: &ProcessSet) -> bool {
    let alive = ranks.difference(&core.state.ranks.ended());
    !core.unplaced.among(&alive).is_empty()
}

/// Continues the postponed ranks that have their breakpoints, or whose time is over.
pub(in crate::core) fn resume_postponed(core: &mut Interpreter) {
    let due = |(&id, task): (&CommandId, &Task)| match &task.doing {
        Doing::Postponed(postponed)
            if postponed.deadline <= core.clock.now() || !are_unplaced(core, &postponed.target.ranks) =>
        {
            Some((id, Postponed::clone(postponed)))
        }
        _ => None,
    };
    let due: Vec<(CommandId, Postponed)> = core.tasks.iter().filter_map(due).collect();
    for (id, Postponed { target, operation, awaits, .. }) in due {
        resume_now(core, id, target, operation, awaits);
    }
}

/// As [`resume`], with the breakpoints in place.
pub(in crate::core) fn resume_now(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    operation: Operation,
    awaits: Awaits,
) {
    let stopped = target.ranks.intersection(&core.state.ranks.at_rest());
    let going = stopped.difference(&core.state.held);
    if going.is_empty() {
        if stopped.is_empty() {
            none_can(core, id, &target.ranks);
        } else {
            core.error(id, stopped, "held: use \"unhold\" first", None);
        }
        core.done(id);
        return;
    }
    core.state.note_place();
    let mut questions = vec![(going.clone(), operation)];
    let (looking, thread) = ranks_at_own_frames(&mut questions);
    let unknown = core.state.select_user_frames(&looking, thread);
    if !unknown.is_empty() {
        let Some((_, operation)) = questions.pop() else { return };
        return core.await_user_frames(id, unknown, thread, Onward::Resume { target, operation, awaits });
    }
    core.miss_lost(id, &target);
    occasions::resumed(core, id, &going);
    saving::resumed(core, &going);
    core.state.ranks.told_to_run(&going);
    // The operation refers to the selected frames; once the ranks run, they have none.
    // The commands of a stop end here: nobody waits for `continue` in them.
    let is_last = awaits == Awaits::Stop && occasions::is_of_occasion(core, id);
    let awaits = if is_last || !waits_for_ranks(core, id) { Awaits::Nothing } else { awaits };
    let left = core.state.frames.among(&going);
    core.ask(id, questions, Then::Run { awaits, left });
    core.state.frames.forget(&going);
    core.views.part_from(&going);
    core.state.focus.stays();
}

/// True if a command is done only when its ranks have stopped: the next line of a script, or the next thread of a group,
/// finds them stopped.
pub(in crate::core) fn waits_for_ranks(core: &Interpreter, id: CommandId) -> bool {
    core.batch || core.tasks.get(&id).is_some_and(|task| task.parent.is_some())
}

/// What a command that stops ranks waits for.
fn halted(core: &Interpreter, id: CommandId) -> Awaits {
    if waits_for_ranks(core, id) { Awaits::Halt } else { Awaits::Nothing }
}

/// Stops the running ranks. A script continues when they have stopped.
pub(in crate::core) fn halt(core: &mut Interpreter, id: CommandId, target: Target) {
    let awaits = halted(core, id);
    if !occasions::is_of_occasion(core, id) {
        blocks::interrupt(core, id);
        saving::interrupt(core, id);
    }
    core.ask_alive_then(id, target, Operation::Interrupt, Then::Run { awaits, left: ChosenFrames::default() });
}

/// Kills ranks, except those that are being detached.
pub(in crate::core) fn kill(core: &mut Interpreter, id: CommandId, target: Target) {
    let spared = target.ranks.intersection(&core.state.ranks.detaching());
    if spared.is_empty() {
        return give_up(core, id, target, Operation::Terminate);
    }
    let ranks = target.ranks.difference(&spared);
    core.say(id, Content::Message(Severity::Note, spared, "not killed: being detached".to_owned()));
    if ranks.is_empty() {
        return core.done(id);
    }
    give_up(core, id, Target { ranks, ..target }, Operation::Terminate);
}

pub(in crate::core) fn detach(core: &mut Interpreter, id: CommandId, target: Target) {
    let alive = target.ranks.difference(&core.state.ranks.ended());
    core.state.ranks.told_to_detach(&alive);
    give_up(core, id, target, Operation::Detach);
}

/// Kills or detaches ranks: they are no longer stopped, and a script continues when they are gone.
fn give_up(core: &mut Interpreter, id: CommandId, target: Target, operation: Operation) {
    let alive = target.ranks.difference(&core.state.ranks.ended());
    core.state.ranks.told_to_run(&alive);
    let awaits = halted(core, id);
    // Lost ranks cannot be killed or detached.
    let target = Target { means_lost: true, ..target };
    core.ask_alive_then(id, target, operation, Then::Run { awaits, left: ChosenFrames::default() });
}

pub(in crate::core) fn hold(core: &mut Interpreter, id: CommandId, target: Target, held: bool) {
    if core.refused(id, &target.ranks) {
        return;
    }
    if held {
        core.state.held.extend_with(&target.ranks);
    } else {
        core.state.held.remove_all(&target.ranks);
        core.state.no_longer_waiting(&target.ranks);
    }
    core.state.focus.stays();
    core.say(id, Content::Held(core.state.held.clone()));
    core.done(id);
}

pub(in crate::core) fn handle(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    names: Vec<SignalName>,
    stop: Option<bool>,
    print: Option<bool>,
    pass: Option<bool>,
) {
    if core.refused(id, &target.ranks) {
        return;
    }
    let alive: ProcessSet = target.ranks.difference(&core.state.ranks.ended());
    if alive.is_empty() {
        core.refuse(id, target.ranks, "all ranks of the set have ended");
        return;
    }
    let change = |name| (alive.clone(), Operation::HandleSignal { name, stop, print, pass });
    core.ask(id, names.into_iter().map(change).collect(), Then::Signals);
}
