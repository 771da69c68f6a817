//! Commands of a shell on the front end's host, and reports that are piped into one.

use crate::command::CommandId;
use crate::core::Effect;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::piping::Piped;
use crate::core::tasks::script::ScriptLine;
use crate::core::tasks::task::Doing;
use crate::report::Content;
use model::ProcessSet;

/// Runs a command of the shell.
pub(in crate::core) fn shell(core: &mut Interpreter, id: CommandId, line: String) {
    core.effect(id, Effect::Shell { command: id, line, input: None }, None);
}

/// Runs a command, and gives its reports to one of the shell.
pub(in crate::core) fn pipe(core: &mut Interpreter, id: CommandId, target: Target, line: String, shell: String) {
    if let Some(task) = core.tasks.get_mut(&id) {
        task.focus = Some(target).filter(|target| target.named);
    }
    core.piping.begin(id, shell);
    core.run_lines(id, vec![ScriptLine::plain(line)], false);
}

/// Gives the reports of a piped command to the shell, once the command is over; true if the shell runs.
pub(in crate::core) fn goes_on(core: &mut Interpreter, id: CommandId) -> bool {
    let Some(Piped { shell, text }) = core.piping.end(id) else { return false };
    core.effect(id, Effect::Shell { command: id, line: shell, input: Some(text) }, None);
    true
}

/// Reports what an effect has said, and ends its command.
pub(in crate::core) fn answered(core: &mut Interpreter, id: CommandId, text: &str, failure: Option<String>) {
    if !core.tasks.get(&id).is_some_and(|task| matches!(task.doing, Doing::Effect(_))) {
        return;
    }
    let text = text.trim_end_matches('\n');
    if !text.is_empty() {
        core.say(id, Content::Text(ProcessSet::new(), text.to_owned()));
    }
    if let Some(why) = failure {
        core.error(id, ProcessSet::new(), why, None);
    }
    core.done(id);
}
