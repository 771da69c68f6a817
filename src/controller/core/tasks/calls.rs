//! Ranks that have stopped in a function that an expression called: the answer comes before the report of the stop, which
//! is merged with those of other ranks on its way. The command goes on when both are there, so that the next one finds
//! the ranks where they are.

use super::task::{Doing, Task};
use crate::command::CommandId;
use crate::core::due::Due;
use crate::core::interpreter::Interpreter;
use model::{Event, ProcessSet};

/// True if no stop of the ranks of a command is awaited.
pub(in crate::core) fn have_stopped(task: &Task) -> bool {
    match &task.doing {
        Doing::Asking(_, asked) | Doing::Conditions(_, _, asked) => asked.has_all_stops(),
        _ => true,
    }
}

/// Records that ranks have stopped or ended; commands that have all their answers and wait for that go on.
pub(in crate::core) fn arrived(core: &mut Interpreter, ranks: &ProcessSet, event: &Event) {
    let is_at_rest = matches!(
        event,
        Event::Stopped(_) | Event::Exited(_) | Event::Killed(_) | Event::Detached | Event::Failed(_) | Event::Lost(_)
    );
    if !is_at_rest {
        return;
    }
    let mut complete: Vec<CommandId> = Vec::new();
    for (id, task) in &mut core.tasks {
        let (Doing::Asking(_, asked) | Doing::Conditions(_, _, asked)) = &mut task.doing else { continue };
        let waited = asked.open == 0 && !asked.has_all_stops();
        asked.arrived.extend_with(ranks);
        if waited && asked.has_all_stops() {
            complete.push(*id);
        }
    }
    for id in complete {
        core.due.push(Due::Answered(id));
    }
}
