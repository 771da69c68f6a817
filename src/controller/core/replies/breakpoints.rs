//! Reports answers about breakpoints.

use crate::command::CommandId;
use crate::core::commands::breakpoints;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::task::Answers;
use crate::core::tasks::then::Change;
use crate::report::Content;
use model::{Answer, BreakpointId, ProcessSet};

pub(super) fn set(core: &mut Interpreter, id: CommandId, number: BreakpointId, good: Answers, bad: &ProcessSet) {
    let Some(breakpoint) = core.state.breakpoints.get_mut(&number) else { return };
    breakpoint.ranks.remove_all(bad);
    for (_, ranks, answer) in good {
        match answer {
            Answer::Breakpoint(_, sites) => {
                breakpoints::move_sites(&mut breakpoint.sites, &ranks, sites);
            }
            Answer::Armed(_, armed) => breakpoint.arm(&ranks, &armed),
            _ => {}
        }
    }
    if breakpoint.ranks.is_empty() {
        core.state.breakpoints.remove(&number);
    } else {
        let content = Content::Breakpoint(breakpoint.clone());
        core.say(id, content);
    }
}

pub(super) fn changed(
    core: &mut Interpreter,
    id: CommandId,
    numbers: Vec<BreakpointId>,
    change: &Change,
    good: &[(usize, ProcessSet, Answer)],
    bad: &ProcessSet,
) {
    for (slot, number) in numbers.into_iter().enumerate() {
        let of = good.iter().filter(|(known, _, _)| *known == slot);
        let ok = of.fold(ProcessSet::new(), |sum, (_, ranks, _)| sum.union(ranks));
        if bad.is_empty() || !ok.is_empty() {
            breakpoints::breakpoint_changed(core, id, number, change, &ok);
        }
    }
}
