//! From a line that is understood to what is asked of whom.

use crate::command::CommandId;
use crate::command::{Command, Invocation, WaitFor, help};
use crate::core::commands::applying;
use crate::core::commands::breakpoints;
use crate::core::commands::clearing;
use crate::core::commands::displays;
use crate::core::commands::examine;
use crate::core::commands::frames;
use crate::core::commands::inspect;
use crate::core::commands::lookups;
use crate::core::commands::reverse;
use crate::core::commands::running;
use crate::core::commands::scripts;
use crate::core::commands::session;
use crate::core::commands::stacks;
use crate::core::commands::waits;
use crate::core::interpreter::Interpreter;
use crate::core::own_frames::{at_own_frames, own_context};
use crate::core::target::Target;
use crate::core::tasks::query::Owner;
use crate::core::tasks::task::{Asked, Doing};
use crate::core::tasks::then::{Change, Then};
use crate::report::Content;
use crate::sets::{ConditionResults, SetExpr, conditions, parse_set, resolve};
use crate::state::{Focus, Phase, StateKind};
use model::{Answer, Inquiry, Operation, Point, PointAction, ProcessSet, Watch};
use std::ops::Range;

/// Asks ranks about the conditions in a command's sets, if there are any, and then runs it.
pub(in crate::core) fn prepare(core: &mut Interpreter, id: CommandId, invocation: Invocation) {
    let mut texts: Vec<String> = Vec::new();
    let own = match &invocation.command {
        Command::Focus(Some(scope)) => Some(&scope.set),
        Command::Group(_, set) | Command::Output(set) | Command::Wait(WaitFor::Set(set), _) => Some(set),
        _ => None,
    };
    for set in invocation.scope.as_ref().map(|scope| &scope.set).into_iter().chain(own) {
        texts.extend(conditions(set).into_iter().map(str::to_owned));
    }
    texts.sort();
    texts.dedup();
    let stopped = core.state.ranks.at_rest();
    if texts.is_empty() || stopped.is_empty() {
        run(core, id, invocation, &ConditionResults::new());
        return;
    }
    let mut open = 0;
    for (slot, expression) in texts.iter().enumerate() {
        // What `print` would say of the names there.
        let operation = Operation::Evaluate { context: own_context(), expression: expression.clone() };
        for (ranks, operation) in at_own_frames(&core.state.frames, stopped.clone(), operation) {
            core.send(Owner::Command(id, slot), ranks, operation);
            open += 1;
        }
    }
    if let Some(task) = core.tasks.get_mut(&id) {
        let asked = Asked { open, ..Asked::default() };
        task.doing = Doing::Conditions(Box::new(invocation), texts, asked);
    }
}

/// The conditions have been answered: ranks that cannot evaluate one are not in its set; when none can, why is told.
pub(in crate::core) fn conditions_known(
    core: &mut Interpreter,
    id: CommandId,
    invocation: Invocation,
    texts: &[String],
    asked: Asked,
) {
    let mut results = ConditionResults::new();
    let mut known = vec![false; texts.len()];
    let mut refusal = None;
    for (slot, ranks, answer) in asked.answers {
        let Some(text) = texts.get(slot) else { continue };
        match answer {
            Answer::Data(datum) => {
                if let Some(known) = known.get_mut(slot) {
                    *known = true;
                }
                if datum.as_bool() == Some(true) {
                    results.entry(text.clone()).or_default().extend_with(&ranks);
                }
            }
            Answer::Failed(failure) => refusal = Some((slot, ranks, failure)),
            _ => {}
        }
    }
    if let Some((slot, ranks, failure)) = refusal
        && known.get(slot) == Some(&false)
    {
        let position = core.position_in_line(id, texts.get(slot).map_or("", |text| text), failure.position);
        core.error(id, ranks, failure.message, position);
        core.done(id);
        return;
    }
    run(core, id, invocation, &results);
}

/// Whom a set of a command means, which stands in this part of its line (in characters).
fn resolved(
    core: &mut Interpreter,
    id: CommandId,
    set: &SetExpr,
    results: &ConditionResults,
    part: Range<usize>,
) -> Option<ProcessSet> {
    resolved_or(core, id, set, results, part, "")
}

/// As [`resolved`]; what is said when it means nobody ends with these words.
fn resolved_or(
    core: &mut Interpreter,
    id: CommandId,
    set: &SetExpr,
    results: &ConditionResults,
    part: Range<usize>,
    words: &str,
) -> Option<ProcessSet> {
    match resolve(set, &core.state, results) {
        Ok(ranks) => Some(ranks),
        Err(error) => {
            let line = core.tasks.get(&id).map_or("", |task| &*task.origin.line);
            let text: String = line.chars().skip(part.start).take(part.len()).collect();
            let position = error.place_in(&text).map(|place| part.start + place);
            core.error(id, ProcessSet::new(), format!("{error}{words}"), position);
            core.done(id);
            None
        }
    }
}

fn run(core: &mut Interpreter, id: CommandId, invocation: Invocation, results: &ConditionResults) {
    let (before, behind) = (0..invocation.arguments_at, invocation.arguments_at..usize::MAX);
    let target = match &invocation.scope {
        None => {
            let Focus { set, text, thread, chosen_by } = &core.state.focus;
            let spelled = chosen_by.as_ref().unwrap_or(text);
            let means_lost = parse_set(spelled).is_ok_and(|set| set.names_lost());
            Target { ranks: set.clone(), thread: *thread, named: false, means_lost }
        }
        Some(scope) => {
            let Some(ranks) = resolved(core, id, &scope.set, results, before) else { return };
            let thread = scope.thread.or(core.state.focus.thread);
            Target { ranks, thread, named: true, means_lost: scope.set.names_lost() }
        }
    };
    match invocation.command {
        Command::Nothing => core.done(id),
        Command::Focus(None) => {
            session::say_focus(core, id);
            core.done(id);
        }
        Command::Focus(Some(scope)) => {
            let Some(ranks) = resolved(core, id, &scope.set, results, behind) else { return };
            session::focus_on(core, id, ranks, scope);
        }
        Command::Group(name, set) => {
            let Some(ranks) = resolved(core, id, &set, results, behind) else { return };
            core.state.focus.group_changes(&name);
            core.state.groups.insert(name.clone(), ranks.clone());
            core.say(id, Content::Groups(vec![(name, ranks)]));
            core.done(id);
        }
        Command::Groups => {
            let groups = core.state.groups.iter().map(|(name, ranks)| (name.clone(), ranks.clone())).collect();
            core.say(id, Content::Groups(groups));
            core.done(id);
        }
        Command::Ungroup(name) => {
            core.state.focus.group_changes(&name);
            if core.state.groups.remove(&name).is_none() {
                let position = core.position_in_line(id, &name, Some(0));
                core.error(id, ProcessSet::new(), format!("no group is called {name:?}"), position);
            }
            core.done(id);
        }
        Command::Status => {
            if target.named && target.ranks.is_empty() {
                core.say(id, Content::Text(ProcessSet::new(), "no rank matches the set".to_owned()));
            }
            if core.state.session.is_none() {
                let words = match &core.state.phase {
                    Phase::Connecting => "the job is being started".to_owned(),
                    Phase::Launching(progress) => format!("the job is being started: {progress}"),
                    _ => "there is no job yet".to_owned(),
                };
                core.say(id, Content::Text(ProcessSet::new(), words));
            }
            let among = if target.named { target.ranks } else { ProcessSet::all(core.state.size()) };
            core.say(id, Content::Status(core.state.status_groups(&among)));
            core.done(id);
        }
        Command::Break { location, temporary, when } => {
            breakpoints::set_breakpoint(core, id, target, location, temporary, when);
        }
        Command::Barrier(location, when) => {
            let Some(location) = breakpoints::location_or_shown(core, id, location) else { return };
            breakpoints::set_point(core, id, target, location.into(), PointAction::Barrier, when);
        }
        Command::Watch { access, expression, when } => {
            let watch = Watch { expression, access, context: core.context(&target) };
            breakpoints::set_point(core, id, target, Point::Watch(watch), PointAction::Stop, when);
        }
        Command::Catch(what, when) => {
            breakpoints::set_point(core, id, target, Point::Catch(what), PointAction::Stop, when);
        }
        Command::Trace { location, expressions, when } => {
            let Some(location) = breakpoints::location_or_shown(core, id, location) else { return };
            breakpoints::set_point(core, id, target, location.into(), PointAction::Trace(expressions), when);
        }
        Command::Breakpoints => {
            let all: Vec<_> = core.state.breakpoints.values().cloned().collect();
            let last = lookups::last_place(all.iter().flat_map(|breakpoint| &breakpoint.sites));
            for breakpoint in all {
                core.say(id, Content::Breakpoint(breakpoint));
            }
            if !lookups::note_places(core, id, last) {
                core.done(id);
            }
        }
        Command::Delete(ids) => breakpoints::delete_breakpoints(core, id, target, ids),
        Command::Clear(location) => clearing::clear(core, id, target, location),
        Command::Enable(ids, enabled) => {
            breakpoints::change_breakpoints(core, id, target, ids, Change::Enable(enabled));
        }
        Command::Condition(breakpoint, condition) => {
            breakpoints::change_breakpoints(core, id, target, vec![breakpoint], Change::Condition(condition));
        }
        Command::After(breakpoint, n) => {
            breakpoints::change_breakpoints(core, id, target, vec![breakpoint], Change::Ignore(n));
        }
        Command::Go => {
            let locks = core.state.variables.run_settings().locking.locks(false);
            let chosen = target.thread.filter(|_| locks);
            running::resume(core, id, target, chosen.map_or(Operation::Go, Operation::GoWith), false);
        }
        Command::GoPast(count) => applying::go_past(core, id, target, count),
        Command::Signal(name) => running::resume(core, id, target, Operation::Signal(name), false),
        Command::Step(kind, count) => {
            let context = core.context(&target);
            running::resume(core, id, target, Operation::Step { kind, count, context }, true);
        }
        Command::Until(location) => {
            let operation = Operation::Until(core.state.of_shown(location), core.context(&target));
            running::resume(core, id, target, operation, true);
        }
        Command::Advance(location) => {
            let operation = Operation::Advance(core.state.of_shown(location), core.context(&target));
            running::resume(core, id, target, operation, true);
        }
        Command::Jump(location) => {
            let operation = Operation::Jump(core.state.of_shown(location), core.context(&target));
            running::resume(core, id, target, operation, false);
        }
        Command::Return(value) => {
            let operation = Operation::Return(value, core.context(&target));
            running::resume(core, id, target, operation, true);
        }
        Command::Halt => running::halt(core, id, target),
        Command::Hold(held) => running::hold(core, id, target, held),
        Command::Wait(what, limit) => {
            let (ranks, means_lost) = match &what {
                WaitFor::Set(set) => {
                    let Some(ranks) = resolved(core, id, set, results, behind) else { return };
                    (ranks, set.names_lost())
                }
                WaitFor::Stopped | WaitFor::Exited => (target.ranks, target.means_lost),
                WaitFor::Any => return waits::wait_for_any(core, id, &target, limit),
            };
            let lost = core.state.ranks.of_kind(StateKind::Lost);
            let expected = if means_lost { ranks.intersection(lost) } else { ProcessSet::new() };
            core.wait(id, ranks, expected, what == WaitFor::Exited, limit);
        }
        Command::Kill => running::give_up(core, id, target, Operation::Terminate),
        Command::Detach => running::give_up(core, id, target, Operation::Detach),
        Command::Restart => session::restart(core, id, &target),
        Command::Quit => session::quit(core, id),
        Command::Where(stacks) => stacks::stacks(core, id, target, stacks),
        Command::Frame(level) => frames::choose_frame(core, id, target, level),
        Command::FrameOf(function) => frames::ask_for_function(core, id, target, function),
        Command::Apply(to, line) => applying::apply(core, id, target, to, line),
        Command::Up(n) => frames::go_up(core, id, target, n),
        Command::Down(n) => frames::go_down(core, id, target, n),
        Command::Threads => core.ask_stopped(id, target, Operation::Threads, Then::Threads),
        Command::Thread(None) => core.ask_stopped(id, target, Operation::Threads, Then::Threads),
        Command::Thread(Some(thread)) => {
            core.ask_stopped(id, target, Operation::Threads, Then::ChooseThread(thread));
        }
        Command::Print(form, expression) => {
            let context = core.context(&target);
            let limits = form.limits(core.state.variables.print_limits());
            let operation = Operation::Print { context, expression: expression.clone(), raw: form.raw, limits };
            core.ask_stopped(id, target, operation, Then::Value(expression, form));
        }
        Command::Display(expression) => displays::display(core, id, target, expression),
        Command::Undisplay(numbers) => displays::undisplay(core, id, numbers),
        Command::Compare(expression) => {
            let context = core.context(&target);
            let operation = Operation::Evaluate { context, expression: expression.clone() };
            core.ask_stopped(id, target, operation, Then::Compare(expression));
        }
        Command::Assign(expression) => {
            let operation = Operation::Evaluate { context: core.context(&target), expression: expression.clone() };
            core.ask_stopped(id, target, operation, Then::Assigned(expression));
        }
        Command::Whatis(expression) => inspect::type_of(core, id, target, expression, false),
        Command::Ptype(expression) => inspect::type_of(core, id, target, expression, true),
        Command::Locals => {
            let operation = Operation::Locals(core.context(&target));
            core.ask_stopped(id, target, operation, Then::Variables(crate::report::Scope::Locals));
        }
        Command::Arguments => {
            let operation = Operation::Arguments(core.context(&target));
            core.ask_stopped(id, target, operation, Then::Variables(crate::report::Scope::Arguments));
        }
        Command::Globals(pattern) => {
            let operation = Operation::Globals(pattern);
            core.ask_stopped(id, target, operation, Then::Variables(crate::report::Scope::Globals));
        }
        Command::Registers(names) => {
            let operation = Operation::Registers(core.context(&target), names);
            core.ask_stopped(id, target, operation, Then::Registers);
        }
        Command::Tell(inquiry) => {
            let inquiry = match inquiry {
                Inquiry::Scope(location) => Inquiry::Scope(core.state.completed(location)),
                other => other,
            };
            core.ask_stopped(id, target.clone(), Operation::Tell(core.context(&target), inquiry), Then::Told);
        }
        Command::Examine(examined, address) => examine::examine(core, id, target, examined, address),
        Command::SymbolAt(expression) => lookups::symbol_at(core, id, target, expression),
        Command::CodeOf(at) => lookups::code_of(core, id, target, at),
        Command::Disassemble(at) => {
            let at = at.map(|location| core.state.completed(location));
            let operation = Operation::Disassemble { context: core.context(&target), at, count: None };
            core.ask_stopped(id, target, operation, Then::Instructions { skip: 0, examined: None });
        }
        Command::Write(address, data) => {
            let context = core.context(&target);
            let operation = Operation::WriteMemory { context, address: address.clone(), offset: 0, data };
            core.ask_stopped(id, target, operation, Then::Assigned(address));
        }
        Command::List(range) => inspect::list(core, id, target, range),
        Command::Signals(name) => core.ask_alive_then(id, target, Operation::ListSignals(name), Then::Signals),
        Command::Handle { names, stop, print, pass } => running::handle(core, id, target, names, stop, print, pass),
        Command::Libraries => core.ask_alive_then(id, target, Operation::Libraries, Then::Libraries),
        Command::WhichEngine => core.ask_alive_then(id, target, Operation::WhichEngine, Then::UnderEngine),
        Command::UseEngine(name) => {
            core.ask_alive_then(id, target, Operation::UseEngine(name), Then::UnderEngine);
        }
        Command::Engine(text) => core.ask_alive_then(id, target, Operation::Engine(text), Then::EngineText),
        Command::Output(set) => {
            let words = "; \"print EXPRESSION\" shows a value";
            let Some(ranks) = resolved_or(core, id, &set, results, behind, words) else { return };
            core.state.output_of = Some(ranks).filter(|_| set != SetExpr::All);
            core.done(id);
        }
        Command::Log(path) => core.effect(id, crate::core::Effect::Log(id, path)),
        Command::Source(path) => scripts::source(core, id, path),
        Command::Save(path) => scripts::save(core, id, path),
        Command::Alias(None) => {
            let aliases = core.state.aliases.iter().map(|(name, text)| (name.clone(), text.clone())).collect();
            core.say(id, Content::Aliases(aliases));
            core.done(id);
        }
        Command::Alias(Some((name, text))) => {
            core.state.aliases.insert(name, text);
            core.done(id);
        }
        Command::Set(name, value) => {
            match core.state.variables.set(&name, &value) {
                Ok(true) => return session::configure(core, id),
                Ok(false) => core.state.limit_output(),
                Err(error) => {
                    let position = core.position_in_line(id, &value, Some(0));
                    core.error(id, ProcessSet::new(), error.to_string(), position);
                }
            }
            core.done(id);
        }
        Command::Show(name) => {
            core.say(id, Content::Settings(core.state.variables.rows(name.as_deref())));
            core.done(id);
        }
        Command::Reverse(what) => reverse::reverse(core, id, what),
        Command::Help(topic) => {
            core.say(id, Content::Text(ProcessSet::new(), help(topic.as_deref())));
            core.done(id);
        }
    }
}
