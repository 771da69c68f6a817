//! Reports answers about breakpoints.

use crate::command::CommandId;
use crate::core::commands::breakpoints;
use crate::core::commands::points::each_function;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::task::{Answers, Asked};
use crate::core::tasks::then::{Change, Then};
use crate::report::Content;
use model::{
    Answer, Breakpoint, BreakpointId, Context, DID_YOU_MEAN, ErrorCode, FunctionLine, LocationSpec, Operation, Point,
    ProcessSet, Severity,
};

/// The ranks of a request to set breakpoints that have not set them.
#[derive(Clone, Copy)]
pub(super) struct Without<'a> {
    /// They have refused, or ended.
    pub(super) unable: &'a ProcessSet,
    /// They have not replied within patience, and may set it late.
    pub(super) silent: &'a ProcessSet,
}

/// Reports a breakpoint that was set; true if the command continues.
pub(super) fn set(
    core: &mut Interpreter,
    id: CommandId,
    number: BreakpointId,
    good: Answers,
    without: Without<'_>,
) -> bool {
    let is_known = !good.is_empty();
    let answers = good.into_iter().map(|(_, ranks, answer)| (ranks, answer));
    let Some(breakpoint) = record(core, number, answers, without).filter(|_| is_known) else { return false };
    let alive = breakpoint.ranks.difference(&core.state.ranks.ended());
    let misspelt = match &breakpoint.request.point {
        Point::Place(location @ LocationSpec::Function(_)) if breakpoint.is_pending() => Some(location.clone()),
        _ => None,
    };
    core.say(id, breakpoints::shown(core, breakpoint));
    if alive.is_empty() {
        return false;
    }
    // The ranks have the same program: one of them can tell.
    let Some((location, rank)) = misspelt.zip(alive.first()) else { return false };
    let operation = Operation::Resolve(location, Context::default(), FunctionLine::Body);
    core.ask(id, vec![(ProcessSet::one(rank), operation)], Then::NearestFunction(number));
    true
}

/// Records the places of a breakpoint that was set, and returns it; `None` if no rank has it.
fn record(
    core: &mut Interpreter,
    number: BreakpointId,
    answers: impl Iterator<Item = (ProcessSet, Answer)>,
    without: Without<'_>,
) -> Option<Breakpoint> {
    let breakpoint = core.state.breakpoints.get_mut(&number)?;
    breakpoint.leave(without.unable);
    breakpoint.silent.extend_with(&without.silent.intersection(&breakpoint.ranks));
    for (ranks, answer) in answers {
        breakpoint.silent.remove_all(&ranks);
        match answer {
            Answer::Breakpoint(_, sites) => breakpoints::move_sites(&mut breakpoint.sites, &ranks, sites),
            Answer::Armed(_, armed) => breakpoint.arm(&ranks, &armed),
            _ => {}
        }
    }
    if breakpoint.ranks.is_empty() {
        core.state.breakpoints.remove(&number);
        return None;
    }
    Some(breakpoint.clone())
}

/// Reports the breakpoints that one command has set; true if the command continues.
pub(super) fn set_all(
    core: &mut Interpreter,
    id: CommandId,
    numbers: &[BreakpointId],
    good: &[(usize, ProcessSet, Answer)],
    without: Without<'_>,
) -> bool {
    let mut nowhere = Vec::new();
    let mut set = Vec::new();
    for (slot, number) in numbers.iter().enumerate() {
        let own = || good.iter().filter(|(of, _, _)| *of == slot).map(|(_, ranks, answer)| (ranks, answer));
        let ok = own().fold(ProcessSet::new(), |sum, (ranks, _)| sum.union(ranks));
        let answers = own().map(|(ranks, answer)| (ranks.clone(), answer.clone()));
        // Ranks may refuse one, or be slow to set it, and have set another.
        let (unable, silent) = (without.unable.difference(&ok), without.silent.difference(&ok));
        match record(core, *number, answers, Without { unable: &unable, silent: &silent }) {
            // Its answers come late, or have come before this late one of another.
            Some(_) if ok.is_empty() => {}
            // The debug information names functions that have no code under this name.
            Some(breakpoint) if breakpoint.is_pending() => nowhere.push(breakpoint),
            Some(breakpoint) => {
                set.push(*number);
                core.say(id, Content::Breakpoint(breakpoint));
            }
            None => {}
        }
    }
    each_function::told(core, id, &set, &nowhere);
    if nowhere.is_empty() {
        return false;
    }
    let delete = |point: &Breakpoint| (point.ranks.clone(), Operation::DeleteBreakpoint(point.request.id));
    let questions = nowhere.iter().map(delete).collect();
    let numbers = nowhere.iter().map(|point| point.request.id).collect();
    core.ask(id, questions, Then::Change(numbers, Change::Delete));
    true
}

/// Reports the function that a rank suggests in its refusal.
pub(super) fn nearest_function(core: &mut Interpreter, id: CommandId, number: BreakpointId, asked: &Asked) {
    let Some(breakpoint) = core.state.breakpoints.get(&number) else { return };
    let ranks = breakpoint.ranks.clone();
    let advice = asked.answers.iter().find_map(|(_, _, answer)| match answer {
        Answer::Failed(failure) if failure.code == ErrorCode::NO_FUNCTION => {
            let at = failure.message.find(DID_YOU_MEAN)?;
            failure.message.get(at..).map(str::to_owned)
        }
        _ => None,
    });
    if let Some(advice) = advice {
        core.say(id, Content::Message(Severity::Note, ranks, advice));
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
    // A late answer is about one of them.
    let is_late = core.tasks.get(&id).is_some_and(|task| task.late.is_some());
    for (slot, number) in numbers.into_iter().enumerate() {
        let of = good.iter().filter(|(known, _, _)| *known == slot);
        let ok = of.fold(ProcessSet::new(), |sum, (_, ranks, _)| sum.union(ranks));
        if !ok.is_empty() || bad.is_empty() && !is_late {
            if is_late && *change == Change::Delete {
                core.say(id, Content::Message(Severity::Note, ok.clone(), format!("breakpoint {number} is deleted")));
            }
            breakpoints::breakpoint_changed(core, id, number, change, &ok);
        }
    }
}
