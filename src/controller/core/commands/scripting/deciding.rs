//! Evaluates the conditions of `if` and `while`.

use super::blocks;
use crate::command::{Combine, CommandId, Condition, Invocation, ScriptCommand};
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::task::{Answers, Nature};
use crate::core::tasks::then::Then;
use crate::report::Content;
use model::{Answer, Operation, ProcessSet};

/// Has the ranks evaluate the condition of a block.
pub(in crate::core) fn decide(core: &mut Interpreter, id: CommandId, target: Target, condition: Condition) {
    let Some(task) = core.tasks.get_mut(&id) else { return };
    if task.block.is_none() {
        return core.refuse(id, ProcessSet::new(), "expected its lines up to \"end\" after this line");
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
    core.ask_stopped(id, target, operation, Then::Decide(condition));
}

/// Makes a loop of the command, in its first round.
pub(in crate::core) fn begin_loop(core: &mut Interpreter, id: CommandId, invocation: &Invocation) {
    if let Some(task) = core.tasks.get_mut(&id)
        && matches!(task.nature, Nature::Plain)
    {
        task.nature = Nature::Loop { invocation: Box::new(invocation.clone()), rounds: 0, left: false };
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
    condition: &Condition,
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
    if condition.combine == Combine::Agree && !yes.is_empty() && !no.is_empty() {
        let expression = &condition.expression;
        let message = format!(
            "the ranks disagree: {expression} is true on [{yes}], false on [{no}]; use \"any {{{expression}}}\" or \
             \"all {{{expression}}}\", or put a set in front"
        );
        core.say(id, Content::Error { ranks: yes.union(&no), message, position: None });
        if let Some(task) = core.tasks.get_mut(&id) {
            task.failed = true;
        }
        return false;
    }
    let holds = combined(condition.combine, yes.len(), yes.len() + no.len());
    blocks::decided(core, id, holds);
    true
}
