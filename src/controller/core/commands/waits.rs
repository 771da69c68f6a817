//! Waits until ranks have stopped or ended.

use crate::command::CommandId;
use crate::core::commands::scripting::occasions;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::asking::why_not_stopped;
use crate::core::tasks::stalls;
use crate::core::tasks::task::{Doing, Task, Wait};
use crate::core::tasks::waiting::step_deadline;
use crate::report::Content;
use crate::state::StateKind;
use model::ProcessSet;

/// Waits until the first running rank has stopped or ended.
pub(in crate::core) fn wait_for_any(core: &mut Interpreter, id: CommandId, target: &Target, limit: Option<f64>) {
    if core.refused(id, &target.ranks) {
        return;
    }
    let running = target.ranks.difference(&core.state.ranks.ended()).difference(&core.state.ranks.at_rest());
    if running.is_empty() {
        core.refuse(id, target.ranks.clone(), "no rank of the set is running: nothing to wait for");
        return;
    }
    core.wait(id, running, ProcessSet::new(), false, limit);
    if let Some(Task { doing: Doing::Waiting(wait), .. }) = core.tasks.get_mut(&id) {
        wait.any = true;
    }
}

/// Ends the waits that are over.
pub(in crate::core) fn check_waits(core: &mut Interpreter) {
    let waiting: Vec<(CommandId, Wait)> = core
        .tasks
        .iter()
        .filter_map(|(&id, task)| match &task.doing {
            Doing::Waiting(wait) => Some((id, wait.clone())),
            _ => None,
        })
        .collect();
    if waiting.is_empty() {
        return;
    }
    let now = core.clock.now();
    let ended = core.state.ranks.ended();
    let at_rest = core.state.ranks.at_rest();
    // A stop whose commands have not ended is not final; these commands themselves do not wait for each other.
    let busy = occasions::busy(core);
    for (id, mut wait) in waiting {
        let alive = wait.ranks.difference(&ended);
        let resting = if occasions::is_of_occasion(core, id) { at_rest.clone() } else { at_rest.difference(&busy) };
        let mut awaited = if wait.exited { alive.clone() } else { alive.difference(&resting) };
        if wait.placed {
            // After a restart ranks run only if the job starts without a first stop.
            let running = core.state.ranks.of_kind(StateKind::Running);
            awaited = awaited.difference(running).union(&core.unplaced.among(&alive));
            // As at the beginning of a script, nobody knows how long a start takes.
            if awaited.meets(core.state.ranks.of_kind(StateKind::Starting)) {
                wait.deadline = step_deadline(core);
                if let Some(Doing::Waiting(known)) = core.tasks.get_mut(&id).map(|task| &mut task.doing) {
                    known.deadline = wait.deadline;
                }
            }
        }
        let lost = wait.ranks.intersection(core.state.ranks.of_kind(StateKind::Lost)).difference(&wait.expected);
        let one_is_there = wait.any && awaited != wait.ranks;
        let over = awaited.is_empty()
            || one_is_there
            || wait.deadline.is_some_and(|deadline| deadline <= now)
            || wait.exited && awaited.is_subset(&resting);
        if let Some(task) = core.tasks.get_mut(&id) {
            task.answered = wait.ranks.difference(&awaited).difference(&lost);
        }
        if over && !lost.is_empty() {
            for (ranks, why) in why_not_stopped(&core.state, &lost) {
                core.error(id, ranks, why, None);
            }
        }
        if awaited.is_empty() || one_is_there {
            core.done(id);
        } else if wait.exited && awaited.is_subset(&resting) {
            core.refuse(id, awaited, "stopped: it cannot end before it continues");
        } else if wait.deadline.is_some_and(|deadline| deadline <= now) {
            match wait.limit {
                Some(seconds) => {
                    let what = if wait.exited { "has not ended" } else { "has not stopped" };
                    core.refuse(id, awaited, format!("{what} within {seconds} s"));
                }
                None => {
                    let why = "still running: use \"wait\" to wait until it stops".to_owned();
                    core.say(id, Content::Missing(awaited, why));
                    core.done(id);
                }
            }
        } else {
            stalls::check(core, id, &wait, &awaited);
        }
    }
}
