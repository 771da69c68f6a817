//! Handles events of ranks.

use super::interpreter::Interpreter;
use crate::core::commands::breakpoints::move_sites;
use crate::core::commands::scripting::{occasions, printing};
use crate::core::commands::stacks::sampling;
use crate::core::tasks::query::Owner;
use crate::core::tasks::{calls, stalls};
use crate::report::{Content, printed_variable};
use model::{
    Armed, Breakpoint, BreakpointId, Context, Event, Operation, Point, ProcessSet, ProcessState, Severity, Stop, Trace,
};

pub(super) fn rank_event(core: &mut Interpreter, ranks: &ProcessSet, event: Event) {
    core.state.downfall.saw(ranks, &event);
    calls::arrived(core, ranks, &event);
    stalls::broken(core);
    core.history.saw(ranks, &event);
    if let Event::Running | Event::Stopped(_) | Event::Executed(_) = &event {
        core.forget_ahead();
    }
    if let Event::Running | Event::Exited(_) | Event::Killed(_) | Event::Detached = &event {
        core.state.note_place();
    }
    match event {
        Event::Acquired { pid } => {
            for rank in ranks.iter() {
                core.state.ranks.set_pid(rank, pid);
            }
        }
        Event::Running => {
            let loud = core.occasions.loud(ranks);
            become_state(core, &ranks.difference(&loud), &ProcessState::Running, |_| None);
            become_state(core, &loud, &ProcessState::Running, Content::Running);
        }
        Event::Stopped(stop) => stopped(core, ranks, stop),
        Event::Exited(code) => {
            become_state(core, ranks, &ProcessState::Exited(code), |ranks| Content::Exited(ranks, code));
            restore_numbers(core, ranks);
            occasions::exited(core, ranks);
        }
        Event::Killed(termination) => {
            let state = ProcessState::Killed(termination.clone());
            become_state(core, ranks, &state, |ranks| Content::Killed(ranks, termination));
            occasions::exited(core, ranks);
        }
        Event::Detached => become_state(core, ranks, &ProcessState::Detached, Content::Detached),
        Event::Failed(why) => {
            core.state.messages.push(Severity::Error, ranks.clone(), why.clone());
            become_state(core, ranks, &ProcessState::Failed(why.clone()), |ranks| Content::Failed(ranks, why));
        }
        Event::Lost(message) => lost(core, ranks, message),
        Event::Output(stream, text) => {
            let after = core.clock.now().saturating_duration_since(core.begun);
            core.state.output.push(ranks, stream, &text, after);
            core.state.limit_output();
            core.report(Content::Output(ranks.clone(), stream, text));
        }
        Event::BreakpointMoved(id, sites) => {
            breakpoint_changed(core, id, ranks, |breakpoint| move_sites(&mut breakpoint.sites, ranks, sites));
        }
        // A watchpoint of a program that is being started again is reported when all ranks have come to their first stop.
        Event::BreakpointArmed(id, armed) if is_watchpoint(core, id) => {
            core.unplaced.placed(id, ranks);
            if let Some(breakpoint) = core.state.breakpoints.get_mut(&id) {
                breakpoint.arm(ranks, &armed);
                if breakpoint.armed.iter().all(|(_, armed)| *armed != Armed::Pending) {
                    let content = Content::Breakpoint(breakpoint.clone());
                    core.report(content);
                }
            }
        }
        Event::BreakpointArmed(id, armed) => {
            breakpoint_changed(core, id, ranks, |breakpoint| breakpoint.arm(ranks, &armed));
        }
        Event::LibrariesChanged { loaded, unloaded } => {
            core.report(Content::LibrariesChanged { ranks: ranks.clone(), loaded, unloaded });
            // The ranks wait for it; the breakpoints that moved report the result.
            core.send(Owner::Nobody, ranks.clone(), Operation::Reevaluate);
        }
        Event::Traced(trace) => {
            if let Some(breakpoint) = core.state.breakpoints.get_mut(&trace.id) {
                breakpoint.hits.add(ranks, 1);
            }
            tell_trace(core, ranks, trace);
        }
        Event::BreakpointGone(id) => {
            core.unplaced.placed(id, ranks);
            if core.state.breakpoints.get_mut(&id).is_some_and(|breakpoint| breakpoint.leave(ranks)) {
                core.state.breakpoints.remove(&id);
            }
        }
        Event::Counted(id, arrivals) => {
            if let Some(breakpoint) = core.state.breakpoints.get_mut(&id) {
                breakpoint.counted(ranks, arrivals);
            }
        }
        Event::UnderEngine(engine) => {
            core.state.engines.change(ranks, engine);
            core.views.stale_values();
        }
        Event::SignalSeen(name) => {
            core.tell(Severity::Note, ranks.clone(), &format!("received signal {name}"));
        }
        Event::Executed(program) => {
            core.tell(Severity::Note, ranks.clone(), &format!("is executing new program: {program}"));
        }
        Event::Message(severity, text) => core.tell(severity, ranks.clone(), &text),
    }
}

fn stopped(core: &mut Interpreter, ranks: &ProcessSet, mut stop: Stop) {
    sampling::stopped(core, ranks);
    core.may_have_changed |= core.state.arrive(ranks, &mut stop);
    let silent = occasions::stopped(core, ranks, &stop);
    occasions::count_down(core, ranks, &stop);
    if let Some(id) = stop.reason.point()
        && let Some(breakpoint) = core.state.breakpoints.get_mut(&id)
        && breakpoint.stopped(ranks, &stop.reason)
    {
        core.state.breakpoints.remove(&id);
    }
    let state = ProcessState::Stopped(Box::new(stop.clone()));
    become_state(core, ranks, &state, |ranks| (!silent).then_some(Content::Stopped(ranks, stop)));
    restore_numbers(core, ranks);
    core.settle_barriers();
}

/// Gives ranks of a job that has started again the numbers that their convenience variables had.
fn restore_numbers(core: &mut Interpreter, ranks: &ProcessSet) {
    for (ranks, expression) in core.kept_numbers.restore(ranks) {
        core.send(Owner::Nobody, ranks, Operation::Evaluate { context: Context::default(), expression });
    }
}

fn lost(core: &mut Interpreter, ranks: &ProcessSet, message: String) {
    let host = ranks.first().and_then(|rank| core.state.ranks.get(rank)).map_or("", |view| view.host);
    let host = host.to_owned();
    core.state.messages.push(Severity::Error, ranks.clone(), message.clone());
    become_state(core, ranks, &ProcessState::Lost(message.clone()), |ranks| Content::Lost { ranks, host, message });
}

fn is_watchpoint(core: &Interpreter, id: BreakpointId) -> bool {
    core.state.breakpoints.get(&id).is_some_and(|known| matches!(known.request.point, Point::Watch(_)))
}

fn breakpoint_changed(
    core: &mut Interpreter,
    id: BreakpointId,
    ranks: &ProcessSet,
    change: impl FnOnce(&mut Breakpoint),
) {
    core.unplaced.placed(id, ranks);
    if let Some(breakpoint) = core.state.breakpoints.get_mut(&id) {
        change(breakpoint);
        let content = Content::Breakpoint(breakpoint.clone());
        core.report(content);
    }
}

fn tell_trace(core: &mut Interpreter, ranks: &ProcessSet, trace: Trace) {
    if core.state.scripts.formats.contains_key(&trace.id) {
        return printing::traced(core, ranks, &trace);
    }
    let limits = core.state.format_options().on_one_line();
    let values = trace.values.iter().map(|variable| printed_variable(variable, &limits)).collect();
    let Trace { id, thread, frame, .. } = trace;
    core.report(Content::Traced { ranks: ranks.clone(), id, thread, frame, values });
}

/// Records a state, and reports the content if there is one.
fn become_state<C: Into<Option<Content>>>(
    core: &mut Interpreter,
    ranks: &ProcessSet,
    state: &ProcessState,
    content: impl FnOnce(ProcessSet) -> C,
) {
    core.state.ranks.heard_from(ranks);
    let moved = core.state.ranks.change(ranks, state);
    core.views.moved(&mut core.state, &moved);
    core.last_looks.moved(&moved);
    if !moved.is_empty()
        && let Some(content) = content(moved).into()
    {
        core.report(content);
    }
    if !matches!(state, ProcessState::Stopped(_)) {
        core.settle_barriers();
    }
}
