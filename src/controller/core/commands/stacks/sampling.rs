//! Looks at the stacks of running ranks several times, and shows how often each call was seen.

use crate::command::{CommandId, SampleOrder};
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::asking::none_can;
use crate::core::tasks::sampling::Sampling;
use crate::core::tasks::task::{Answers, Doing};
use crate::core::tasks::then::Then;
use crate::report::Content;
use crate::state::{Lookup, SampledStacks, StackTree};
use model::{Operation, ProcessSet};
use std::time::Duration;

/// Begins to look at the ranks of a command.
pub(in crate::core) fn begin(core: &mut Interpreter, id: CommandId, target: &Target, order: SampleOrder) {
    if core.refused(id, &target.ranks) {
        return;
    }
    let ranks = target.ranks.difference(&core.state.ranks.ended());
    if ranks.is_empty() {
        none_can(core, id, &target.ranks);
        return core.done(id);
    }
    if running(core, &ranks).is_empty() {
        let why = "no rank of the set is running: \"where -merge\" shows their stacks, \"go\" continues them";
        return core.refuse(id, ranks, why);
    }
    core.miss_lost(id, target);
    let most = Some(StackTree::MOST_STACKS);
    let high = Some(core.state.most_frames().saturating_sub(1));
    let look = if order.threads {
        Operation::ThreadStacks { high, most }
    } else {
        Operation::Stack { thread: target.thread, low: 0, high, most }
    };
    let begun = core.clock.now();
    let sampling = Sampling {
        ranks,
        operation: Operation::Sample(Box::new(look)),
        all: order.all,
        begun,
        until: begun + Duration::from_secs_f64(order.seconds),
        asked: begun,
        looks: SampledStacks::new(core.state.variables.my_code()),
    };
    look_at(core, id, sampling);
}

/// The ranks of a set that run, as far as is known.
fn running(core: &Interpreter, ranks: &ProcessSet) -> ProcessSet {
    ranks.difference(&core.state.ranks.ended()).difference(&core.state.ranks.at_rest())
}

fn look_at(core: &mut Interpreter, id: CommandId, mut sampling: Sampling) {
    sampling.asked = core.clock.now();
    let question = (sampling.ranks.clone(), sampling.operation.clone());
    core.ask(id, vec![question], Then::Sampled(Box::new(sampling)));
}

/// Adds a look, without the ranks that could not be looked at; true if others follow.
pub(in crate::core) fn known(
    core: &mut Interpreter,
    id: CommandId,
    mut sampling: Box<Sampling>,
    good: &Answers,
    bad: &ProcessSet,
) -> bool {
    sampling.looks.add(good.iter().map(|(_, ranks, answer)| (ranks, answer)));
    sampling.ranks.remove_all(bad);
    sampling.ranks.remove_all(&core.state.ranks.ended());
    let now = core.clock.now();
    let tree = sampling.looks.tree(now.saturating_duration_since(sampling.begun));
    if tree.roots.is_empty() {
        return false;
    }
    core.state.inspection.sampled = Lookup::Known(tree.clone());
    let goes_on = !running(core, &sampling.ranks).is_empty();
    if let Some(next) = sampling.next(now).filter(|_| goes_on)
        && let Some(task) = core.tasks.get_mut(&id)
    {
        task.doing = Doing::Sampling(next, sampling);
        return true;
    }
    core.say(id, Content::Tree { tree, all: sampling.all });
    false
}

/// Begins the looks that are due.
pub(in crate::core) fn look_again(core: &mut Interpreter) {
    let now = core.clock.now();
    let due = core.tasks.iter().filter_map(|(&id, task)| match &task.doing {
        Doing::Sampling(next, sampling) if *next <= now => Some((id, Sampling::clone(sampling))),
        _ => None,
    });
    for (id, sampling) in due.collect::<Vec<_>>() {
        look_at(core, id, sampling);
    }
}

/// Forgets for the screen where ranks were while they ran, once they have stopped.
pub(in crate::core) fn stopped(core: &mut Interpreter, ranks: &ProcessSet) {
    let sampled = &mut core.state.inspection.sampled;
    if sampled.value().is_some_and(|tree| tree.ranks.meets(ranks)) {
        *sampled = Lookup::Absent;
    }
}
