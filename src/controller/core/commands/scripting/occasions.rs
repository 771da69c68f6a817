//! Runs commands when ranks stop, exit or are killed.

use super::{blocks, diverging};
use crate::command::{CommandId, Countdown, Occasion, PlacedLine, Statement};
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::occasions::{Cause, Collected};
use crate::core::tasks::query::Owner;
use crate::core::tasks::task::{Nature, Occurrence};
use crate::report::Content;
use crate::state::StateKind;
use model::{Operation, ProcessSet, Stop};

/// Has the commands for a stop run; true if it is not to be reported.
pub(in crate::core) fn stopped(core: &mut Interpreter, ranks: &ProcessSet, stop: &Stop) -> bool {
    let scripts = &core.state.scripts;
    let point = stop.reason.point().filter(|id| scripts.commands.contains_key(id));
    let hook = scripts.on(Occasion::Stop).map(|command| Statement::Line(PlacedLine::typed(command)));
    let lines = point.and_then(|id| scripts.commands.get(&id)).cloned().unwrap_or_default();
    let silent = point.is_some_and(|id| scripts.silences(id));
    // The screen shows displayed expressions by itself; a silent breakpoint shows none, as in gdb.
    let shows = core.batch && !silent && !core.state.displays.is_empty();
    let display = shows.then(|| Statement::Line(PlacedLine::typed("display")));
    if point.is_some() || hook.is_some() || display.is_some() {
        let lines = hook.into_iter().chain(display).chain(lines).collect();
        core.occasions.add(Cause::Stop(point), ranks, lines, silent, core.clock.now());
    }
    silent
}

/// Counts the stop at a breakpoint that is enabled for some stops: ranks that have used them up disable or delete it.
pub(in crate::core) fn count_down(core: &mut Interpreter, ranks: &ProcessSet, stop: &Stop) {
    let Some(point) = stop.reason.point() else { return };
    let Some((countdown, done, all)) = core.state.scripts.counted(point, ranks) else { return };
    let operation = match countdown {
        Countdown::Disable(_) => Operation::EnableBreakpoint(point, false),
        Countdown::Delete => Operation::DeleteBreakpoint(point),
    };
    core.send(Owner::Nobody, done.clone(), operation);
    let Some(breakpoint) = core.state.breakpoints.get_mut(&point) else { return };
    match countdown {
        Countdown::Disable(_) => breakpoint.request.enabled &= !all,
        Countdown::Delete => {
            if breakpoint.leave(&done) {
                core.state.breakpoints.remove(&point);
            }
        }
    }
}

/// Has the command for exits run.
pub(in crate::core) fn exited(core: &mut Interpreter, ranks: &ProcessSet) {
    if let Some(command) = core.state.scripts.on(Occasion::Exit) {
        let lines = vec![Statement::Line(PlacedLine::typed(command))];
        core.occasions.add(Cause::Exit, ranks, lines, false, core.clock.now());
    }
}

/// Begins the commands whose time has come.
pub(in crate::core) fn begin_due(core: &mut Interpreter) {
    if core.occasions.deadline().is_none() {
        return;
    }
    let running = core.state.ranks.of_kind(StateKind::Running).clone();
    for Collected { cause, ranks, lines, silent, .. } in core.occasions.take_due(core.clock.now(), &running) {
        let is_stop = matches!(cause, Cause::Stop(_));
        let ranks = if is_stop { ranks.intersection(&core.state.ranks.at_rest()) } else { ranks };
        if ranks.is_empty() {
            continue;
        }
        let line = match &cause {
            Cause::Stop(Some(point)) => format!("commands {point}"),
            Cause::Stop(None) => "on stop".to_owned(),
            Cause::Exit => "on exit".to_owned(),
        };
        let id = blocks::begin(core, &line, None, None);
        if let Some(task) = core.tasks.get_mut(&id) {
            task.focus = Some(Target { ranks, thread: None, group: None, named: false, means_lost: false });
            task.nature = Nature::Occasion(Occurrence { silent, stopped: is_stop, resumed: false });
        }
        blocks::run(core, id, lines);
    }
}

/// Returns the ranks whose stop has commands that have not ended: their stop is not final.
pub(in crate::core) fn busy(core: &Interpreter) -> ProcessSet {
    let mut busy = core.occasions.stopped();
    for task in core.tasks.values() {
        if let (Nature::Occasion(Occurrence { stopped: true, resumed: false, .. }), Some(focus)) =
            (&task.nature, &task.focus)
        {
            busy.extend_with(&focus.ranks);
        }
    }
    busy
}

/// True if the command belongs to commands that run by themselves.
pub(in crate::core) fn is_of_occasion(core: &Interpreter, id: CommandId) -> bool {
    core.above(id).any(|task| matches!(task.nature, Nature::Occasion(_)))
}

/// Records that a command continues ranks: the commands of their stop end there.
pub(in crate::core) fn resumed(core: &mut Interpreter, id: CommandId, going: &ProcessSet) {
    let found = core.above(id).find(|task| matches!(task.nature, Nature::Occasion(_))).map(|task| task.origin.id);
    let Some(task) = found.and_then(|root| core.tasks.get_mut(&root)) else { return };
    let (own, stay) = match &task.focus {
        Some(focus) => (focus.ranks.meets(going), !focus.ranks.is_subset(going)),
        None => (false, false),
    };
    let Nature::Occasion(occurrence) = &mut task.nature else { return };
    if !own || !occurrence.stopped {
        return;
    }
    occurrence.resumed = !stay;
    let silent = occurrence.silent;
    if silent {
        core.occasions.continue_quietly(going);
    }
    let Some(root) = core.tasks.get(&id).map(|task| task.origin.root) else { return };
    if stay {
        return diverging::some_are_gone(core, root, going);
    }
    for task in core.tasks.values_mut().filter(|task| task.origin.root == root) {
        task.leave_lines();
    }
}

/// Sets or removes the command of an occasion.
pub(in crate::core) fn on(core: &mut Interpreter, id: CommandId, occasion: Occasion, command: Option<String>) {
    let word = occasion.word();
    match command {
        Some(command) => {
            core.acknowledge(id, format!("on {word} {command}"));
            core.state.scripts.occasions.insert(occasion, command);
        }
        None => {
            core.acknowledge(id, format!("no command on {word}"));
            core.state.scripts.occasions.remove(&occasion);
        }
    }
    core.done(id);
}

pub(in crate::core) fn list(core: &mut Interpreter, id: CommandId) {
    let on = |occasion| core.state.scripts.on(occasion).map(|command| (occasion, command));
    let lines = Occasion::ALL.into_iter().filter_map(on);
    let lines: Vec<String> = lines.map(|(occasion, command)| format!("on {} {command}", occasion.word())).collect();
    let text = if lines.is_empty() { "no command runs when ranks stop or exit".to_owned() } else { lines.join("\n") };
    core.say(id, Content::Text(ProcessSet::new(), text));
    core.done(id);
}
