//! From a line that is understood to what is asked of whom.

use crate::command::{Command, Invocation, WaitFor, help};
use crate::core::tasks::task::{Asked, Doing, Owner, Then};
use crate::core::{CommandId, Controller};
use crate::report::Content;
use crate::sets::{ConditionResults, SetExpr, conditions, parse_prefix, parse_set, resolve};
use crate::state::{Focus, Phase, StateKind};
use model::{Answer, Inquiry, Operation, Point, PointAction, ProcessSet, ThreadId, Watch};
use std::ops::Range;

/// Whom a command means.
#[derive(Clone, Debug)]
pub(in crate::core) struct Target {
    pub(in crate::core) ranks: ProcessSet,
    pub(in crate::core) thread: Option<ThreadId>,
    /// Named on the line, not the focus.
    pub(in crate::core) named: bool,
    /// It says itself that it means ranks that are lost.
    pub(in crate::core) means_lost: bool,
}

impl Controller {
    /// Asks ranks about the conditions in a command's sets, if there are any, and then runs it.
    pub(in crate::core) fn prepare(&mut self, id: CommandId, invocation: Invocation) {
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
        let stopped = self.at_rest();
        if texts.is_empty() || stopped.is_empty() {
            self.run(id, invocation, &ConditionResults::new());
            return;
        }
        let mut open = 0;
        for (slot, expression) in texts.iter().enumerate() {
            // What `print` would say of the names there.
            let operation = Operation::Evaluate { context: self.own_context(), expression: expression.clone() };
            for (ranks, operation) in self.at_own_frames(stopped.clone(), operation) {
                self.send(Owner::Command(id, slot), ranks, operation);
                open += 1;
            }
        }
        if let Some(task) = self.tasks.get_mut(&id) {
            let asked = Asked { open, ..Asked::default() };
            task.doing = Doing::Conditions(Box::new(invocation), texts, asked);
        }
    }

    /// The conditions have been answered: ranks that cannot evaluate one are not in its set; when none can, why is told.
    pub(in crate::core) fn conditions_known(
        &mut self,
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
            let position = self.position_in_line(id, texts.get(slot).map_or("", |text| text), failure.position);
            self.error(id, ranks, failure.message, position);
            self.done(id);
            return;
        }
        self.run(id, invocation, &results);
    }

    /// Whom a set of a command means, which stands in this part of its line (in characters).
    fn resolved(
        &mut self,
        id: CommandId,
        set: &SetExpr,
        results: &ConditionResults,
        part: Range<usize>,
    ) -> Option<ProcessSet> {
        self.resolved_or(id, set, results, part, "")
    }

    /// As [`Self::resolved`]; what is said when it means nobody ends with these words.
    fn resolved_or(
        &mut self,
        id: CommandId,
        set: &SetExpr,
        results: &ConditionResults,
        part: Range<usize>,
        words: &str,
    ) -> Option<ProcessSet> {
        match resolve(set, &self.state, results) {
            Ok(ranks) => Some(ranks),
            Err(error) => {
                let line = self.tasks.get(&id).map_or("", |task| &*task.origin.line);
                let text: String = line.chars().skip(part.start).take(part.len()).collect();
                let position = error.place_in(&text).map(|place| part.start + place);
                self.error(id, ProcessSet::new(), format!("{error}{words}"), position);
                self.done(id);
                None
            }
        }
    }

    fn run(&mut self, id: CommandId, invocation: Invocation, results: &ConditionResults) {
        let (before, behind) = (0..invocation.arguments_at, invocation.arguments_at..usize::MAX);
        let target = match &invocation.scope {
            None => {
                let Focus { set, text, thread, chosen_by } = &self.state.focus;
                let spelled = chosen_by.as_ref().unwrap_or(text);
                let means_lost = parse_set(spelled).is_ok_and(|set| set.names_lost());
                Target { ranks: set.clone(), thread: *thread, named: false, means_lost }
            }
            Some(scope) => {
                let Some(ranks) = self.resolved(id, &scope.set, results, before) else { return };
                let thread = scope.thread.or(self.state.focus.thread);
                Target { ranks, thread, named: true, means_lost: scope.set.names_lost() }
            }
        };
        match invocation.command {
            Command::Nothing => self.done(id),
            Command::Focus(None) => {
                self.say_focus(id);
                self.done(id);
            }
            Command::Focus(Some(scope)) => {
                let Some(ranks) = self.resolved(id, &scope.set, results, behind) else { return };
                self.focus_on(id, ranks, scope);
            }
            Command::Group(name, set) => {
                let Some(ranks) = self.resolved(id, &set, results, behind) else { return };
                self.group_changes(&name);
                self.state.groups.insert(name.clone(), ranks.clone());
                self.say(id, Content::Groups(vec![(name, ranks)]));
                self.done(id);
            }
            Command::Groups => {
                let groups = self.state.groups.iter().map(|(name, ranks)| (name.clone(), ranks.clone())).collect();
                self.say(id, Content::Groups(groups));
                self.done(id);
            }
            Command::Ungroup(name) => {
                self.group_changes(&name);
                if self.state.groups.remove(&name).is_none() {
                    let position = self.position_in_line(id, &name, Some(0));
                    self.error(id, ProcessSet::new(), format!("no group is called {name:?}"), position);
                }
                self.done(id);
            }
            Command::Status => {
                if target.named && target.ranks.is_empty() {
                    self.say(id, Content::Text(ProcessSet::new(), "no rank matches the set".to_owned()));
                }
                if self.state.session.is_none() {
                    let words = match &self.state.phase {
                        Phase::Connecting => "the job is being started".to_owned(),
                        Phase::Launching(progress) => format!("the job is being started: {progress}"),
                        _ => "there is no job yet".to_owned(),
                    };
                    self.say(id, Content::Text(ProcessSet::new(), words));
                }
                let among = if target.named { target.ranks } else { ProcessSet::all(self.state.size()) };
                self.say(id, Content::Status(self.state.status_groups(&among)));
                self.done(id);
            }
            Command::Break { location, temporary, when } => {
                self.set_breakpoint(id, target, location, temporary, when);
            }
            Command::Barrier(location, when) => {
                let Some(location) = self.location_or_shown(id, location) else { return };
                self.set_point(id, target, location.into(), PointAction::Barrier, when);
            }
            Command::Watch { access, expression, when } => {
                let watch = Watch { expression, access, context: self.context(&target) };
                self.set_point(id, target, Point::Watch(watch), PointAction::Stop, when);
            }
            Command::Catch(what, when) => self.set_point(id, target, Point::Catch(what), PointAction::Stop, when),
            Command::Trace { location, expressions, when } => {
                let Some(location) = self.location_or_shown(id, location) else { return };
                self.set_point(id, target, location.into(), PointAction::Trace(expressions), when);
            }
            Command::Breakpoints => {
                let all: Vec<_> = self.state.breakpoints.values().cloned().collect();
                let last = super::lookups::last_place(all.iter().flat_map(|breakpoint| &breakpoint.sites));
                for breakpoint in all {
                    self.say(id, Content::Breakpoint(breakpoint));
                }
                if !self.note_places(id, last) {
                    self.done(id);
                }
            }
            Command::Delete(ids) => self.delete_breakpoints(id, target, ids),
            Command::Clear(location) => self.clear(id, target, location),
            Command::Enable(ids, enabled) => {
                self.change_breakpoints(id, target, ids, crate::core::tasks::task::Change::Enable(enabled));
            }
            Command::Condition(breakpoint, condition) => {
                self.change_breakpoints(
                    id,
                    target,
                    vec![breakpoint],
                    crate::core::tasks::task::Change::Condition(condition),
                );
            }
            Command::After(breakpoint, n) => {
                self.change_breakpoints(id, target, vec![breakpoint], crate::core::tasks::task::Change::Ignore(n));
            }
            Command::Go => {
                let locks = self.state.variables.run_settings().locking.locks(false);
                let chosen = target.thread.filter(|_| locks);
                self.resume(id, target, chosen.map_or(Operation::Go, Operation::GoWith), false);
            }
            Command::GoPast(count) => self.go_past(id, target, count),
            Command::Signal(name) => self.resume(id, target, Operation::Signal(name), false),
            Command::Step(kind, count) => {
                let context = self.context(&target);
                self.resume(id, target, Operation::Step { kind, count, context }, true);
            }
            Command::Until(location) => {
                let operation = Operation::Until(self.of_shown(location), self.context(&target));
                self.resume(id, target, operation, true);
            }
            Command::Advance(location) => {
                let operation = Operation::Advance(self.of_shown(location), self.context(&target));
                self.resume(id, target, operation, true);
            }
            Command::Jump(location) => {
                let operation = Operation::Jump(self.of_shown(location), self.context(&target));
                self.resume(id, target, operation, false);
            }
            Command::Return(value) => {
                let operation = Operation::Return(value, self.context(&target));
                self.resume(id, target, operation, true);
            }
            Command::Halt => self.halt(id, target),
            Command::Hold(held) => self.hold(id, target, held),
            Command::Wait(what, limit) => {
                let (ranks, means_lost) = match &what {
                    WaitFor::Set(set) => {
                        let Some(ranks) = self.resolved(id, set, results, behind) else { return };
                        (ranks, set.names_lost())
                    }
                    WaitFor::Stopped | WaitFor::Exited => (target.ranks, target.means_lost),
                    WaitFor::Any => return self.wait_for_any(id, &target, limit),
                };
                let lost = self.state.ranks.of_kind(StateKind::Lost);
                let expected = if means_lost { ranks.intersection(lost) } else { ProcessSet::new() };
                self.wait(id, ranks, expected, what == WaitFor::Exited, limit);
            }
            Command::Kill => self.give_up(id, target, Operation::Terminate),
            Command::Detach => self.give_up(id, target, Operation::Detach),
            Command::Restart => self.restart(id, &target),
            Command::Quit => self.quit(id),
            Command::Where(stacks) => self.stacks(id, target, stacks),
            Command::Frame(level) => self.choose_frame(id, target, level),
            Command::FrameOf(function) => self.ask_for_function(id, target, function),
            Command::Apply(to, line) => self.apply(id, target, to, line),
            Command::Up(n) => self.go_up(id, target, n),
            Command::Down(n) => self.go_down(id, target, n),
            Command::Threads => self.ask_stopped(id, target, Operation::Threads, Then::Threads),
            Command::Thread(None) => self.ask_stopped(id, target, Operation::Threads, Then::Threads),
            Command::Thread(Some(thread)) => {
                self.ask_stopped(id, target, Operation::Threads, Then::ChooseThread(thread));
            }
            Command::Print(form, expression) => {
                let context = self.context(&target);
                let limits = form.limits(self.state.variables.print_limits());
                let operation = Operation::Print { context, expression: expression.clone(), raw: form.raw, limits };
                self.ask_stopped(id, target, operation, Then::Value(expression, form));
            }
            Command::Display(expression) => self.display(id, target, expression),
            Command::Undisplay(numbers) => self.undisplay(id, numbers),
            Command::Compare(expression) => {
                let context = self.context(&target);
                let operation = Operation::Evaluate { context, expression: expression.clone() };
                self.ask_stopped(id, target, operation, Then::Compare(expression));
            }
            Command::Assign(expression) => {
                let operation = Operation::Evaluate { context: self.context(&target), expression: expression.clone() };
                self.ask_stopped(id, target, operation, Then::Assigned(expression));
            }
            Command::Whatis(expression) => self.type_of(id, target, expression, false),
            Command::Ptype(expression) => self.type_of(id, target, expression, true),
            Command::Locals => {
                let operation = Operation::Locals(self.context(&target));
                self.ask_stopped(id, target, operation, Then::Variables(crate::report::Scope::Locals));
            }
            Command::Arguments => {
                let operation = Operation::Arguments(self.context(&target));
                self.ask_stopped(id, target, operation, Then::Variables(crate::report::Scope::Arguments));
            }
            Command::Globals(pattern) => {
                let operation = Operation::Globals(pattern);
                self.ask_stopped(id, target, operation, Then::Variables(crate::report::Scope::Globals));
            }
            Command::Registers(names) => {
                let operation = Operation::Registers(self.context(&target), names);
                self.ask_stopped(id, target, operation, Then::Registers);
            }
            Command::Tell(inquiry) => {
                let inquiry = match inquiry {
                    Inquiry::Scope(location) => Inquiry::Scope(self.completed(location)),
                    other => other,
                };
                self.ask_stopped(id, target.clone(), Operation::Tell(self.context(&target), inquiry), Then::Told);
            }
            Command::Examine(examined, address) => self.examine(id, target, examined, address),
            Command::SymbolAt(expression) => self.symbol_at(id, target, expression),
            Command::CodeOf(at) => self.code_of(id, target, at),
            Command::Disassemble(at) => {
                let at = at.map(|location| self.completed(location));
                let operation = Operation::Disassemble { context: self.context(&target), at, count: None };
                self.ask_stopped(id, target, operation, Then::Instructions { skip: 0, examined: None });
            }
            Command::Write(address, data) => {
                let context = self.context(&target);
                let operation = Operation::WriteMemory { context, address: address.clone(), offset: 0, data };
                self.ask_stopped(id, target, operation, Then::Assigned(address));
            }
            Command::List(range) => self.list(id, target, range),
            Command::Signals(name) => self.ask_alive_then(id, target, Operation::ListSignals(name), Then::Signals),
            Command::Handle { names, stop, print, pass } => self.handle(id, target, names, stop, print, pass),
            Command::Libraries => self.ask_alive_then(id, target, Operation::Libraries, Then::Libraries),
            Command::WhichEngine => self.ask_alive_then(id, target, Operation::WhichEngine, Then::UnderEngine),
            Command::UseEngine(name) => {
                self.ask_alive_then(id, target, Operation::UseEngine(name), Then::UnderEngine);
            }
            Command::Engine(text) => self.ask_alive_then(id, target, Operation::Engine(text), Then::EngineText),
            Command::Output(set) => {
                let words = "; \"print EXPRESSION\" shows a value";
                let Some(ranks) = self.resolved_or(id, &set, results, behind, words) else { return };
                self.state.output_of = Some(ranks).filter(|_| set != SetExpr::All);
                self.done(id);
            }
            Command::Log(path) => self.effect(id, crate::core::Effect::Log(id, path)),
            Command::Source(path) => self.source(id, path),
            Command::Save(path) => self.save(id, path),
            Command::Alias(None) => {
                let aliases = self.state.aliases.iter().map(|(name, text)| (name.clone(), text.clone())).collect();
                self.say(id, Content::Aliases(aliases));
                self.done(id);
            }
            Command::Alias(Some((name, text))) => {
                self.state.aliases.insert(name, text);
                self.done(id);
            }
            Command::Set(name, value) => {
                match self.state.variables.set(&name, &value) {
                    Ok(true) => return self.configure(id),
                    Ok(false) => self.limit_output(),
                    Err(error) => {
                        let position = self.position_in_line(id, &value, Some(0));
                        self.error(id, ProcessSet::new(), error.to_string(), position);
                    }
                }
                self.done(id);
            }
            Command::Show(name) => {
                self.say(id, Content::Settings(self.state.variables.rows(name.as_deref())));
                self.done(id);
            }
            Command::Reverse(what) => self.reverse(id, what),
            Command::Help(topic) => {
                self.say(id, Content::Text(ProcessSet::new(), help(topic.as_deref())));
                self.done(id);
            }
        }
    }

    /// Ranks that are stopped and were not told to run.
    pub(in crate::core) fn at_rest(&self) -> ProcessSet {
        self.state.ranks.stopped().difference(&self.in_flight)
    }

    /// Where the set in front of a line names a thread.
    pub(in crate::core) fn thread_in_line(&self, id: CommandId) -> Option<usize> {
        let line = &self.tasks.get(&id)?.origin.line;
        let blank = line.len() - line.trim_start().len();
        let (scope, length) = parse_prefix(line.get(blank..)?).ok()?;
        scope.thread?;
        let set = line.get(..blank + length)?;
        Some(set.get(..set.rfind('.')?)?.chars().count() + 1)
    }

    /// Where a text of a command stands in its line, and a place in it.
    pub(in crate::core) fn position_in_line(&self, id: CommandId, text: &str, place: Option<u32>) -> Option<usize> {
        let line = &self.tasks.get(&id)?.origin.line;
        let at = line.rfind(text).filter(|_| !text.is_empty())?;
        let before = line.get(..at)?.chars().count();
        Some(before + place? as usize)
    }
}
