//! Evaluates the conditions in a command's sets before it runs.

use super::line::Line;
use super::{breakpoints, data, debugger, finding, running, scripts, sets, signals, stack};
use crate::command::{Command, CommandId, DebuggerCommand, Invocation, RunCommand, SetCommand, StackCommand, WaitFor};
use crate::core::commands::program_start;
use crate::core::commands::scripting::deciding;
use crate::core::commands::threads::each_thread::{self, Reach};
use crate::core::interpreter::Interpreter;
use crate::core::own_frames::{at_own_frames, own_context};
use crate::core::tasks::query::Owner;
use crate::core::tasks::task::{Asked, Doing};
use crate::core::tasks::then::Onward;
use crate::sets::{ConditionResults, conditions, needed_stacks};
use model::{Answer, Operation, ProcessSet};

/// Requests the conditions in a command's sets, if there are any, and then runs it.
pub(in crate::core) fn prepare(core: &mut Interpreter, id: CommandId, invocation: Invocation) {
    if let Command::Scripts(command) = &invocation.command
        && deciding::is_loop(command)
    {
        deciding::begin_loop(core, id, &invocation);
    }
    let mut texts: Vec<String> = Vec::new();
    let mut stacks = ProcessSet::new();
    let own = match &invocation.command {
        Command::Sets(SetCommand::Focus(Some(scope))) => Some(&scope.set),
        Command::Sets(SetCommand::Group(_, set))
        | Command::Debugger(DebuggerCommand::Output(set, _))
        | Command::Running(RunCommand::Wait(WaitFor::Set(set), _))
        | Command::Stack(StackCommand::Why(Some(set)) | StackCommand::Queues(Some(set))) => Some(set),
        _ => None,
    };
    for set in invocation.scope.as_ref().map(|scope| &scope.set).into_iter().chain(own) {
        texts.extend(conditions(set).into_iter().map(str::to_owned));
        stacks.extend_with(&needed_stacks(set, &core.state));
    }
    texts.sort();
    texts.dedup();
    let stopped = core.state.ranks.at_rest();
    if (texts.is_empty() && stacks.is_empty()) || stopped.is_empty() {
        run(core, id, invocation, &ConditionResults::default());
        return;
    }
    let unknown = if texts.is_empty() { ProcessSet::new() } else { core.state.select_user_frames(&stopped, None) };
    if !unknown.is_empty() {
        return core.await_user_frames(id, unknown, None, Onward::Prepare(Box::new(invocation)));
    }
    let mut open = 0;
    for (slot, expression) in texts.iter().enumerate() {
        // Names have the same meaning as for `print`.
        let operation = Operation::Evaluate { context: own_context(), expression: expression.clone() };
        for (ranks, operation) in at_own_frames(&core.state.frames, stopped.clone(), operation) {
            core.send(Owner::Command(id, slot), ranks, operation);
            open += 1;
        }
    }
    if !stacks.is_empty() {
        let high = Some(core.state.most_frames().saturating_sub(1));
        core.send(Owner::Command(id, texts.len()), stacks, Operation::Stack { thread: None, low: 0, high, most: None });
        open += 1;
    }
    if let Some(task) = core.tasks.get_mut(&id) {
        let asked = Asked { open, ..Asked::default() };
        task.doing = Doing::Conditions(Box::new(invocation), texts, asked);
    }
}

/// Runs the command once the conditions are evaluated: ranks that cannot evaluate one are not in its set; if none can,
/// the reason is reported.
pub(in crate::core) fn conditions_known(
    core: &mut Interpreter,
    id: CommandId,
    invocation: Invocation,
    texts: &[String],
    asked: Asked,
) {
    let mut results = ConditionResults::default();
    let mut known = vec![false; texts.len()];
    let mut refusal = None;
    for (slot, ranks, answer) in asked.answers {
        let Some(text) = texts.get(slot) else {
            if let Answer::Stack(frames) = answer {
                results.add_stack(ranks, frames);
            }
            continue;
        };
        match answer {
            Answer::Data(datum) => {
                if let Some(known) = known.get_mut(slot) {
                    *known = true;
                }
                if datum.as_bool() == Some(true) {
                    results.add_true(text, &ranks);
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

fn run(core: &mut Interpreter, id: CommandId, invocation: Invocation, results: &ConditionResults) {
    let Invocation { scope, command, arguments_at } = invocation;
    let Some(line) = Line::new(core, id, scope.as_ref(), arguments_at, results) else { return };
    if line.target().group.is_some() {
        match each_thread::reach(&command) {
            Reach::Processes => {}
            Reach::EachThread => return each_thread::ask(core, id, line.into_target()),
            Reach::OneThread => return each_thread::refuse(core, id, line.target()),
        }
    }
    match command {
        Command::Nothing => core.done(id),
        Command::Sets(command) => sets::run(core, &line, command),
        Command::Breakpoints(command) => breakpoints::run(core, line, command),
        Command::Running(command) => running::run(core, line, command),
        Command::Stack(command) => stack::run(core, line, command),
        Command::Data(command) => data::run(core, line, command),
        Command::Finding(command) => finding::run(core, line, command),
        Command::Signals(command) => signals::run(core, line, command),
        Command::Scripts(command) => scripts::run(core, line, command),
        Command::Start(command) => program_start::start(core, id, command),
        Command::Debugger(command) => debugger::run(core, &line, command),
    }
}
