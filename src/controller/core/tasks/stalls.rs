//! Scripts that wait for some ranks while others are stopped: if the former need the latter, nothing happens ever again.

use super::task::{Doing, Silence, Wait};
use crate::command::CommandId;
use crate::core::interpreter::Interpreter;
use model::{ProcessSet, Severity};
use std::time::{Duration, Instant};

/// The time without news after which the user is told.
const QUIET: Duration = Duration::from_secs(3);

/// Begins to wait for news.
pub(super) fn begin(now: Instant) -> Silence {
    Silence::Until(now + QUIET)
}

/// Something has happened.
pub(in crate::core) fn broken(core: &mut Interpreter) {
    let now = core.clock.now();
    for task in core.tasks.values_mut() {
        if let Doing::Waiting(Wait { silence: silence @ (Silence::Until(_) | Silence::Over), .. }) = &mut task.doing {
            *silence = begin(now);
        }
    }
}

/// Handles a wait for these ranks: tells the user if nothing has happened for a while, and ranks that they may need are
/// stopped.
pub(in crate::core) fn check(core: &mut Interpreter, id: CommandId, wait: &Wait, awaited: &ProcessSet) {
    if !matches!(wait.silence, Silence::Until(at) if at <= core.clock.now()) {
        return;
    }
    let others = core.state.ranks.at_rest().difference(awaited);
    let is_stall = !others.is_empty() && !awaited.is_empty();
    if let Some(task) = core.tasks.get_mut(&id)
        && let Doing::Waiting(wait) = &mut task.doing
    {
        wait.silence = if is_stall { Silence::Told } else { Silence::Over };
    }
    // A loop that steps some ranks while others stay stopped is told once.
    let stall = (awaited.clone(), others);
    if is_stall && core.told_stall.as_ref() != Some(&stall) {
        let words = words(core, id, wait, &stall.1);
        core.tell(Severity::Note, awaited.clone(), &words);
        core.told_stall = Some(stall);
    }
}

/// Returns what the user is told about running ranks that a command waits for while others are stopped.
fn words(core: &Interpreter, id: CommandId, wait: &Wait, others: &ProcessSet) -> String {
    let one = others.len() == 1;
    let (which, are, them) = if one { ("rank", "is", "it") } else { ("ranks", "are", "them") };
    let stopped = format!("running, not stopped yet, while {which} {others} {are} stopped");
    if !core.batch {
        return format!("{stopped}; ctrl-c halts them, then \"why\" says what they wait for");
    }
    let Some(origin) = core.tasks.get(&id).map(|task| &task.origin) else { return stopped };
    let place = origin.place.as_ref().map_or_else(String::new, |place| format!(" ({place})"));
    let line = origin.line.trim();
    let way = match wait.deadline {
        Some(_) => {
            format!("after {line:?}{place}, the script goes on without the running ones (setting step-patience)")
        }
        None if !wait.ranks.meets(others) => format!("\"[{others}] go\" before {line:?}{place} continues {them}"),
        None if line.starts_with("wait") => format!("\"wait any\" in place of {line:?}{place} ends at the first stop"),
        None => format!("\"go\" and \"wait any\" in place of {line:?}{place} go on at the first stop"),
    };
    format!(
        "{stopped}, which they may wait for in MPI: {way}; \"halt\" and \"why\" then tell who waits for whom, and \
            --timeout SECONDS ends the script with \"why\""
    )
}

/// Returns the running ranks for which commands wait.
pub(in crate::core) fn awaited(core: &Interpreter) -> ProcessSet {
    let rest = core.state.ranks.ended().union(&core.state.ranks.at_rest());
    let mut awaited = ProcessSet::new();
    for task in core.tasks.values() {
        if let Doing::Waiting(Wait { ranks, .. }) = &task.doing {
            awaited.extend_with(&ranks.difference(&rest));
        }
    }
    awaited
}
