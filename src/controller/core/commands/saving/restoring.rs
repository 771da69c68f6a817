//! Writes the bytes of files to the memory of ranks, block by block.

use crate::command::{CommandId, RestoreOrder};
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::data_files::restoring::Restoring;
use crate::core::tasks::task::{Answers, Doing};
use crate::core::tasks::then::Then;
use crate::core::{DataRead, Effect};
use crate::report::{Content, RestoredData};
use model::{DataSource, Operation, ProcessSet, VirtualAddress};

/// Bytes that are read from a file and sent to ranks at once.
const BLOCK: u64 = 1 << 20;

/// Asks the ranks for the address, and the range of the file.
pub(in crate::core) fn restore(core: &mut Interpreter, id: CommandId, target: Target, order: RestoreOrder) {
    let context = core.context(&target);
    let value = |start: &str, end: &str| Operation::ReadData {
        context,
        source: DataSource::Memory { start: start.to_owned(), end: end.to_owned() },
        from: 0,
        length: 0,
    };
    let mut operations = vec![value(&order.offset, &order.offset)];
    operations.extend(order.start.as_deref().map(|start| value(start, start)));
    operations.extend(order.end.as_deref().map(|end| value(end, end)));
    let restoring = Restoring::new(order, context);
    core.ask_all_stopped(id, target, operations, Then::Restoring(Box::new(restoring)));
}

/// Goes on when ranks have answered; true if the command continues.
pub(in crate::core) fn answered(
    core: &mut Interpreter,
    id: CommandId,
    mut restoring: Box<Restoring>,
    good: Answers,
    bad: &ProcessSet,
) -> bool {
    if restoring.jobs.is_empty() {
        restoring.begin(&good, bad);
        return go_on(core, id, restoring);
    }
    core.state.focus.stays();
    core.views.stale_values();
    let (sent, whole) = restoring.sent;
    if let Some(job) = restoring.jobs.last_mut() {
        job.ranks.remove_all(bad);
    }
    restoring.done += sent;
    if restoring.done >= whole {
        finish_job(core, id, &mut restoring);
    }
    go_on(core, id, restoring)
}

/// Reads the next bytes of the file; true if the command continues.
fn go_on(core: &mut Interpreter, id: CommandId, mut restoring: Box<Restoring>) -> bool {
    restoring.jobs.retain(|job| !job.ranks.is_empty());
    let Some(job) = restoring.jobs.last() else { return false };
    if let Some(why) = restoring.broken.take() {
        let (ranks, why) = (job.ranks.clone(), format!("{why}: {} bytes of {} are written", restoring.done, job.path));
        core.error(id, ranks, why, None);
        return false;
    }
    let (from, path) = (job.start.saturating_add(restoring.done), job.path.clone());
    if let Some(task) = core.tasks.get_mut(&id) {
        task.doing = Doing::Restoring(restoring);
    }
    core.outbox.effect(Effect::ReadData { command: id, path, from, length: BLOCK });
    true
}

/// Sends bytes of the file to the ranks.
pub(in crate::core) fn read(core: &mut Interpreter, id: CommandId, outcome: Result<DataRead, String>) {
    let Some(task) = core.tasks.get_mut(&id) else { return };
    let Doing::Restoring(restoring) = std::mem::replace(&mut task.doing, Doing::Beginning) else { return };
    let ranks = restoring.jobs.last().map_or_else(ProcessSet::new, |job| job.ranks.clone());
    match outcome.and_then(|read| send(core, id, restoring, read)) {
        Ok(true) => {}
        Ok(false) => core.done(id),
        Err(why) => core.refuse(id, ranks, why),
    }
}

fn send(core: &mut Interpreter, id: CommandId, mut restoring: Box<Restoring>, read: DataRead) -> Result<bool, String> {
    let Some(job) = restoring.jobs.last() else { return Ok(false) };
    if job.start >= read.size && job.start > 0 {
        return Err(format!("byte {} is not in {}, which has {} bytes", job.start, job.path, read.size));
    }
    if let Some(end) = job.end.filter(|end| *end <= job.start) {
        return Err(format!("the end, byte {end} of the file, is not after its start, byte {}", job.start));
    }
    let whole = job.end.unwrap_or(u64::MAX).min(read.size).saturating_sub(job.start);
    let mut data = read.bytes;
    data.truncate(usize::try_from(whole.saturating_sub(restoring.done)).unwrap_or(usize::MAX));
    if data.is_empty() {
        finish_job(core, id, &mut restoring);
        return Ok(go_on(core, id, restoring));
    }
    // As in gdb: the bytes before the start are skipped, and so is their place.
    let address = VirtualAddress(job.address.0.wrapping_add(job.start).wrapping_add(restoring.done));
    let ranks = job.ranks.clone();
    let gone = ranks.difference(&core.state.ranks.at_rest());
    if let Some(rank) = gone.first() {
        return Err(format!("rank {} is not stopped any more: {} bytes are written", rank.0, restoring.done));
    }
    restoring.sent = (data.len() as u64, whole);
    let context = restoring.context;
    let operation = Operation::WriteMemory { context, address: address.to_string(), offset: 0, data };
    core.ask(id, vec![(ranks, operation)], Then::Restoring(restoring));
    Ok(true)
}

/// Reports the present job, whose bytes are in memory.
fn finish_job(core: &mut Interpreter, id: CommandId, restoring: &mut Restoring) {
    let bytes = std::mem::take(&mut restoring.done);
    restoring.sent = (0, 0);
    let Some(job) = restoring.jobs.pop().filter(|job| !job.ranks.is_empty()) else { return };
    let address = VirtualAddress(job.address.0.wrapping_add(job.start));
    core.say(id, Content::RestoredData(RestoredData { ranks: job.ranks, file: job.path, bytes, address }));
}
