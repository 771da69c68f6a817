//! Commands about the session as a whole and the focus.

use crate::command::{CommandId, GivenArguments, apropos as texts_with, help, why_no_help};
use crate::core::commands::running;
use crate::core::commands::threads::each_thread;
use crate::core::interpreter::Interpreter;
use crate::core::rank_events::rank_event;
use crate::core::target::Target;
use crate::core::tasks::query::Owner;
use crate::core::tasks::script::ScriptLine;
use crate::core::tasks::task::{Answers, Doing, Nature};
use crate::core::tasks::then::{Awaits, Then};
use crate::report::Content;
use crate::sets::{Scope, SetExpr, ThreadChoice};
use crate::state::{Focus, Phase};
use model::{Answer, Event, Operation, ProcessSet, RegularExpression, Severity, StartChanges, StopAt, ThreadId};
use protocol::SessionCommand;

/// Restarts the job, always as a whole, since a launcher starts it as a whole.
/// `stop_at` is the first stop of this start, if it is not that of the command line.
pub(in crate::core) fn restart(
    core: &mut Interpreter,
    id: CommandId,
    target: &Target,
    given: Option<GivenArguments>,
    stop_at: Option<StopAt>,
) {
    if core.state.session.is_none() {
        core.refuse(id, ProcessSet::new(), "no job yet");
        return;
    }
    let all = ProcessSet::all(core.state.size());
    if target.ranks != all {
        if target.named {
            let why = "cannot restart single ranks: use \"restart\" without a set, or \"kill\" to end some";
            core.refuse(id, target.ranks.clone(), why);
            return;
        }
        core.say(id, Content::Message(Severity::Note, all, "restarting all ranks, not only the focus".into()));
    }
    if let Some(given) = given.filter(|_| !core.state.is_attached) {
        core.state.start.give(given);
    }
    core.state.start.begins();
    let tid =
        core.outbox.session(SessionCommand::Restart(StartChanges { stop_at, ..core.state.start.changes.clone() }));
    if let Some(task) = core.tasks.get_mut(&id) {
        task.doing = Doing::Session(tid);
    }
}

/// Runs the program from its start to the first breakpoint.
pub(in crate::core) fn run(core: &mut Interpreter, id: CommandId, target: Target, given: Option<GivenArguments>) {
    let all = ProcessSet::all(core.state.size());
    let names_some = target.named && target.ranks != all;
    if names_some || core.state.session.is_none() || core.state.is_attached {
        // It says why not.
        return restart(core, id, &target, given, None);
    }
    if given.is_none() && core.state.is_at_its_start() {
        return begin(core, id, Target { ranks: all, ..target });
    }
    if let Some(given) = given {
        core.state.start.give(given);
    }
    if let Some(task) = core.tasks.get_mut(&id) {
        task.nature = Nature::Run;
    }
    core.run_lines(id, vec![ScriptLine::plain("[all] restart")], false);
}

/// Continues the job that `run` has restarted; false for other commands, and for a job that did not stop at its start.
pub(in crate::core) fn goes_on(core: &mut Interpreter, id: CommandId) -> bool {
    let Some(task) = core.tasks.get_mut(&id).filter(|task| matches!(task.nature, Nature::Run)) else { return false };
    task.nature = Nature::Plain;
    let goes_on = !task.failed && core.state.is_at_its_start();
    if goes_on {
        let ranks = ProcessSet::all(core.state.size());
        begin(core, id, Target { ranks, thread: None, group: None, named: false, means_lost: false });
    }
    goes_on
}

/// Continues ranks from their first stop. Those with a breakpoint there are stopped by it, as in gdb.
fn begin(core: &mut Interpreter, id: CommandId, target: Target) {
    let mut staying = ProcessSet::new();
    for (stop, ranks) in core.state.stops_at_start() {
        let ranks = ranks.difference(&staying);
        let point = stop.reason.point().filter(|_| !ranks.is_empty());
        staying.extend_with(&ranks);
        if let Some(point) = point
            && core.state.breakpoints.get(&point).is_some_and(|breakpoint| breakpoint.request.temporary)
        {
            core.send(Owner::Nobody, ranks.clone(), Operation::DeleteBreakpoint(point));
        }
        if !ranks.is_empty() {
            rank_event(core, &ranks, Event::Stopped(stop));
        }
    }
    let ranks = target.ranks.difference(&staying);
    if ranks.is_empty() {
        // The commands of the breakpoint come before the next line.
        return core.settle_step(id, staying, Awaits::Stop);
    }
    running::resume(core, id, Target { ranks, ..target }, Operation::Go, Awaits::Stop);
}

/// Sends the engines' settings to all ranks.
pub(in crate::core) fn configure(core: &mut Interpreter, id: CommandId, then: Then) {
    let alive = ProcessSet::all(core.state.size()).difference(&core.state.ranks.ended());
    let settings = core.state.variables.run_settings();
    core.ask(id, vec![(alive, Operation::Configure(settings))], then);
}

pub(in crate::core) fn quit(core: &mut Interpreter, id: CommandId) {
    if matches!(core.state.phase, Phase::Idle | Phase::Ended | Phase::Failed(_)) {
        core.state.phase = Phase::Ended;
        core.done(id);
        return;
    }
    let alive = ProcessSet::all(core.state.size()).difference(&core.state.ranks.ended());
    let kill = alive.is_empty() || alive != core.state.ranks.detaching();
    let tid = core.outbox.session(SessionCommand::Quit { kill });
    if let Some(task) = core.tasks.get_mut(&id) {
        task.doing = Doing::Session(tid);
    }
}

pub(in crate::core) fn say_focus(core: &mut Interpreter, id: CommandId) {
    let focus = &core.state.focus;
    let (ranks, text) = (focus.set.clone(), focus.text.clone());
    let content = Content::Focus { ranks, text, thread: focus.thread, group: focus.group.clone() };
    core.say(id, content);
}

/// Makes a set the focus; a thread that it names must exist.
pub(in crate::core) fn focus_on(core: &mut Interpreter, id: CommandId, ranks: ProcessSet, scope: Scope) {
    if core.refused_as(id, &ranks, &scope.set.to_string()) {
        return;
    }
    if scope.threads.is_some() {
        let target = Target { ranks: ranks.clone(), thread: None, group: None, named: true, means_lost: false };
        core.ask_alive_then(id, target, Operation::Threads, Then::Focus(scope, ranks));
        return;
    }
    set_focus(core, ranks, &scope, None);
    say_focus(core, id);
    core.done(id);
}

/// Sets the focus once the threads of its ranks are known.
pub(in crate::core) fn focus_known(
    core: &mut Interpreter,
    id: CommandId,
    scope: Scope,
    ranks: ProcessSet,
    good: &Answers,
) {
    let thread = match &scope.threads {
        None => return,
        Some(ThreadChoice::One(thread)) => *thread,
        Some(ThreadChoice::Each(group)) => {
            let found = each_thread::of_group(core, id, group, good);
            if let Some((first, _)) = found.first_key_value() {
                set_focus(core, ranks, &scope, Some(*first));
                say_focus(core, id);
            }
            return;
        }
    };
    let (mut with, mut without) = (ProcessSet::new(), ProcessSet::new());
    for (_, of, answer) in good {
        let Answer::Threads(threads) = answer else { continue };
        let has = threads.iter().any(|known| known.id == thread);
        (if has { &mut with } else { &mut without }).extend_with(of);
    }
    if with.is_empty() {
        if !without.is_empty() {
            let position = core.position_in_line(id, &format!(".{thread}"), Some(1));
            let why = format!("no thread {thread}; \"threads\" lists them");
            core.error(id, without, why, position);
        }
        return;
    }
    if !without.is_empty() {
        core.say(id, Content::Missing(without, format!("no thread {thread}")));
    }
    set_focus(core, ranks, &scope, Some(thread));
    say_focus(core, id);
}

/// Sets the focus; the screen shows `thread`, the first of those that the scope names.
fn set_focus(core: &mut Interpreter, ranks: ProcessSet, scope: &Scope, thread: Option<ThreadId>) {
    if !ranks.contains(core.state.lead) {
        let stopped = ranks.intersection(core.state.ranks.stopped());
        if let Some(first) = stopped.first().or(ranks.first()) {
            core.state.lead = first;
            core.state.listed = None;
        }
    }
    core.state.thread = thread;
    let text = scope.to_string();
    let group = scope.threads.as_ref().and_then(ThreadChoice::group).cloned();
    let chosen_by = scope.set.changes().then(|| scope.set.to_string());
    core.state.focus = Focus { set: ranks, text, thread, group, chosen_by };
    if scope.set.mentions(&|part| *part == SetExpr::Focus) {
        // The focus that the expression mentions is another one now.
        core.state.focus.call_by_ranks();
    }
}

/// Shows help on a command of rankscope or of the user, or an overview.
/// Lists the commands, the user's own and the settings in which a regular expression is found.
pub(in crate::core) fn apropos(core: &mut Interpreter, id: CommandId, pattern: &str, whole: bool) {
    let Ok(expression) = RegularExpression::parse(pattern, true) else { return core.done(id) };
    let mut found = texts_with(&expression, whole);
    for (name, definition) in &core.state.scripts.definitions {
        let page = definition.help(name);
        if expression.is_found_in(name) || expression.is_found_in(&page) {
            let text = if whole { &page } else { page.lines().nth(1).or(page.lines().next()).unwrap_or_default() };
            found.push(format!("{name} -- {text}"));
        }
    }
    if found.is_empty() {
        found.push(format!("no command or setting matches {pattern:?}; \"help\" lists all commands"));
    }
    core.say(id, Content::Text(ProcessSet::new(), found.join("\n")));
    core.done(id);
}

pub(in crate::core) fn help_on(core: &mut Interpreter, id: CommandId, topic: Option<&str>) {
    let definitions = &core.state.scripts.definitions;
    let own = topic.and_then(|name| Some(definitions.get(name)?.help(name)));
    match topic.filter(|_| own.is_none()).and_then(why_no_help) {
        Some(why) => {
            let position = core.position_in_line(id, topic.unwrap_or(""), Some(0));
            core.error(id, ProcessSet::new(), why, position);
        }
        None => core.say(id, Content::Text(ProcessSet::new(), own.unwrap_or_else(|| help(topic)))),
    }
    core.done(id);
}
