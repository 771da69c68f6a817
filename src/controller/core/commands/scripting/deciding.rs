//! Evaluates the conditions of `if` and `while`.

use super::{blocks, diverging};
use crate::command::{Combine, CommandId, Condition, Invocation, ScriptCommand};
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::task::{Answers, Nature};
use crate::core::tasks::then::Then;
use model::{Answer, Operation, ProcessSet};

/// Has the ranks evaluate the condition of a block.
pub(in crate::core) fn decide(core: &mut Interpreter, id: CommandId, mut target: Target, condition: Condition) {
    let Some(task) = core.tasks.get_mut(&id) else { return };
    if task.block.is_none() {
        return core.refuse(id, ProcessSet::new(), "expected its lines up to \"end\" after this line");
    }
    if let Nature::Loop { among: Some(among), .. } = &task.nature {
        target.ranks = target.ranks.intersection(among);
        if target.ranks.is_empty() {
            return blocks::decided(core, id, false);
        }
    }
    if target.named {
        task.focus = Some(target.clone());
    }
    if let Some(holds) = condition.constant() {
        return blocks::decided(core, id, holds);
    }
    // A set in front may have no rank any more: then a loop over it is over.
    if target.named && target.ranks.is_empty() && condition.combine != Combine::Agree {
        let holds = combined(condition.combine, 0, 0);
        return blocks::decided(core, id, holds);
    }
    let operation = Operation::Evaluate { context: core.context(&target), expression: condition.expression.clone() };
    core.ask_stopped(id, target.clone(), operation, Then::Decide(condition, target));
}

/// Makes a loop of the command, in its first round.
pub(in crate::core) fn begin_loop(core: &mut Interpreter, id: CommandId, invocation: &Invocation) {
    if let Some(task) = core.tasks.get_mut(&id)
        && matches!(task.nature, Nature::Plain)
    {
        task.nature = Nature::Loop { invocation: Box::new(invocation.clone()), rounds: 0, left: false, among: None };
    }
}

/// True if a command is a loop.
pub(in crate::core) fn is_loop(command: &ScriptCommand) -> bool {
    matches!(command, ScriptCommand::While(_))
}

fn combined(combine: Combine, holds: usize, of: usize) -> bool {
    match combine {
        Combine::Agree | Combine::All => holds == of,
        Combine::Any => holds > 0,
        Combine::Count(relation, number) => relation.holds(holds as u64, number),
    }
}

/// Runs the block that follows from the ranks' results; true if the command continues. `bad` ranks have no result: then
/// the condition is undecided.
pub(in crate::core) fn known(
    core: &mut Interpreter,
    id: CommandId,
    (condition, target): (&Condition, Target),
    good: Answers,
    bad: &ProcessSet,
) -> bool {
    let (mut yes, mut no, mut unclear) = (ProcessSet::new(), ProcessSet::new(), bad.clone());
    for (_, ranks, answer) in good {
        let holds = match answer {
            Answer::Data(datum) => datum.as_bool(),
            _ => None,
        };
        match holds {
            Some(true) => yes.extend_with(&ranks),
            Some(false) => no.extend_with(&ranks),
            None => {
                let message = format!("{} is neither true nor false: expected a number", condition.expression);
                core.error(id, ranks.clone(), message, None);
                unclear.extend_with(&ranks);
            }
        }
    }
    if !unclear.is_empty() {
        if let Some(task) = core.tasks.get_mut(&id) {
            task.failed = true;
        }
        return false;
    }
    if condition.combine == Combine::Agree && diverging::divide(core, id, target, &yes, &no) {
        return true;
    }
    let holds = combined(condition.combine, yes.len(), yes.len() + no.len());
    blocks::decided(core, id, holds);
    true
}
