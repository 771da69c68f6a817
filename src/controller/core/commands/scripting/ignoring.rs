//! Lines of gdb without an effect here.

use crate::command::{CommandId, is_unknown, may_define_commands};
use crate::core::interpreter::Interpreter;
use crate::report::Content;
use model::{ProcessSet, Severity};

/// Notes that a line has no effect, once a script.
pub(in crate::core) fn ignore(core: &mut Interpreter, id: CommandId, name: &str, why: &str) {
    let first = name.split_whitespace().next().unwrap_or_default();
    core.ignored.commands |= may_define_commands(first);
    note(core, id, name, why);
}

/// Ignores an unknown command of a script if an ignored line may have defined it; true if so.
pub(in crate::core) fn ignores_unknown(core: &mut Interpreter, id: CommandId, line: &str) -> bool {
    let is_ignored = core.ignored.commands && is_of_script(core, id) && is_unknown(line);
    if is_ignored {
        let name = line.split_whitespace().next().unwrap_or_default();
        note(core, id, name, "no command of rankscope; the ignored Python or Guile may have defined it");
    }
    is_ignored
}

fn is_of_script(core: &Interpreter, id: CommandId) -> bool {
    core.batch || core.tasks.get(&id).is_some_and(|task| task.origin.place.is_some())
}

fn note(core: &mut Interpreter, id: CommandId, name: &str, why: &str) {
    let file = core.tasks.get(&id).and_then(|task| task.origin.place.as_ref()?.file.clone());
    if !is_of_script(core, id) || core.ignored.said.insert((file, name.to_owned())) {
        core.say(id, Content::Message(Severity::Note, ProcessSet::new(), format!("ignored: {name}: {why}")));
    }
    core.done(id);
}
