//! Writes data of ranks to files, block by block: the front end has one block at a time, however large the data is.

use crate::command::{CommandId, SaveOrder};
use crate::core::Effect;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::data_files::saving::Saving;
use crate::core::tasks::task::{Answers, Doing};
use crate::core::tasks::then::Then;
use crate::report::Content;
use model::{Answer, DataPart, ProcessSet, Severity};

/// Asks the ranks for the shapes of their data, and its first bytes.
pub(in crate::core) fn save(core: &mut Interpreter, id: CommandId, target: Target, order: SaveOrder) {
    let several = target.ranks.intersection(&core.state.ranks.at_rest()).len();
    match Saving::new(order, core.context(&target), several, core.clock.now()) {
        Err(why) => core.refuse(id, ProcessSet::new(), why),
        Ok(saving) => {
            let operation = saving.first_request(several);
            core.ask_stopped(id, target, operation, Then::Saving(Box::new(saving)));
        }
    }
}

/// Goes on when parts have come; true if the command continues.
pub(in crate::core) fn parts_known(
    core: &mut Interpreter,
    id: CommandId,
    mut saving: Box<Saving>,
    good: Answers,
    bad: &ProcessSet,
) -> bool {
    let parts = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::DataPart(part) => Some((ranks, *part)),
        _ => None,
    });
    let parts: Vec<(ProcessSet, DataPart)> = parts.collect();
    if saving.has_begun() {
        saving.add(parts);
        if saving.leave_out(bad) {
            return finish(core, id, &saving);
        }
    } else {
        // The errors of the others say why; a file without them would look complete.
        if parts.is_empty() || saving.is_joint() && !bad.is_empty() {
            return false;
        }
        if let Err(why) = saving.begin(parts) {
            core.error(id, ProcessSet::new(), why, None);
            return false;
        }
    }
    go_on(core, id, saving)
}

/// Writes the parts that have come, or asks for the next ones; true if the command continues.
fn go_on(core: &mut Interpreter, id: CommandId, mut saving: Box<Saving>) -> bool {
    if let Some(why) = saving.broken.take() {
        return give_up(core, id, saving, &why);
    }
    let writes = saving.take_writes();
    if !writes.is_empty() {
        if let Some(words) = saving.progress(core.clock.now()) {
            core.state.messages.push(Severity::Note, ProcessSet::new(), words);
        }
        if let Some(task) = core.tasks.get_mut(&id) {
            task.doing = Doing::Saving(saving);
        }
        core.outbox.effect(Effect::WriteData(id, writes));
        return true;
    }
    let Some((ranks, operation)) = saving.next_request() else { return finish(core, id, &saving) };
    if let Some(rank) = ranks.difference(&core.state.ranks.at_rest()).first() {
        return give_up(core, id, saving, &format!("rank {} is not stopped any more", rank.0));
    }
    core.ask(id, vec![(ranks, operation)], Then::Saving(saving));
    true
}

/// Goes on when the files have the bytes, or ends.
pub(in crate::core) fn written(
    core: &mut Interpreter,
    id: CommandId,
    mut saving: Box<Saving>,
    outcome: Result<String, String>,
) {
    let goes_on = match outcome {
        Ok(replaced) => {
            saving.has_replaced(&replaced);
            go_on(core, id, saving)
        }
        Err(why) => give_up(core, id, saving, &why),
    };
    if !goes_on {
        core.done(id);
    }
}

/// Reports why the rest is not written.
fn give_up(core: &mut Interpreter, id: CommandId, mut saving: Box<Saving>, why: &str) -> bool {
    let rest = saving.abandon();
    core.error(id, rest, format!("{why}: {}", saving.fate()), None);
    finish(core, id, &saving)
}

/// Reports what is in files, and drops what is incomplete. The command ends.
fn finish(core: &mut Interpreter, id: CommandId, saving: &Saving) -> bool {
    core.outbox.effect(Effect::DropData(id));
    for saved in saving.results() {
        core.say(id, Content::SavedData(saved));
    }
    false
}
