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
    let words = words(core, awaited).filter(|_| core.tells_stalls);
    if let Some(task) = core.tasks.get_mut(&id)
        && let Doing::Waiting(wait) = &mut task.doing
    {
        wait.silence = if words.is_some() { Silence::Told } else { Silence::Over };
    }
    if let Some(words) = words {
        core.tell(Severity::Note, awaited.clone(), &words);
    }
}

/// Returns what the user is told about ranks that a script waits for; `None` if no other rank is stopped.
fn words(core: &Interpreter, awaited: &ProcessSet) -> Option<String> {
    let others = core.state.ranks.at_rest().difference(awaited);
    let advice =
        if core.batch { "ctrl-c ends the script" } else { "ctrl-c halts them, then \"why\" says what they wait for" };
    (!others.is_empty() && !awaited.is_empty()).then(|| {
        format!(
            "running, not stopped yet, while {} {others} {} stopped; {advice}",
            if others.len() == 1 { "rank" } else { "ranks" },
            if others.len() == 1 { "is" } else { "are" },
        )
    })
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
