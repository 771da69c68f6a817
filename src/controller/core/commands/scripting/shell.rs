//! Commands of a shell on the front end's host, and reports that are piped into one.

use crate::command::CommandId;
use crate::core::Effect;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::script::ScriptLine;
use crate::core::tasks::task::{Doing, Task};
use crate::report::{Content, Report, text_lines};
use model::ProcessSet;
use std::collections::BTreeMap;

/// The most text that is piped, in bytes.
const MOST: usize = 64 << 20;

/// The reports of commands that are piped, by the commands that pipe them.
#[derive(Debug, Default)]
pub(in crate::core) struct Piping(BTreeMap<CommandId, Piped>);

#[derive(Debug)]
struct Piped {
    shell: String,
    text: String,
}

impl Piping {
    /// Takes a report of a piped command; returns others, and errors.
    pub(in crate::core) fn take(&mut self, tasks: &BTreeMap<CommandId, Task>, report: Report) -> Option<Report> {
        let goes_by = matches!(report.content, Content::Error { .. } | Content::Done { .. });
        let mut above = report.origin.as_ref().filter(|_| !goes_by && !self.0.is_empty()).and_then(|of| of.parent);
        while let Some(command) = above {
            if let Some(piped) = self.0.get_mut(&command) {
                for line in text_lines(&report) {
                    if piped.text.len() + line.len() < MOST {
                        piped.text.push_str(&line);
                        piped.text.push('\n');
                    }
                }
                return None;
            }
            above = tasks.get(&command).and_then(|task| task.parent);
        }
        Some(report)
    }
}

/// Runs a command of the shell.
pub(in crate::core) fn shell(core: &mut Interpreter, id: CommandId, line: String) {
    core.effect(id, Effect::Shell { command: id, line, input: None }, None);
}

/// Runs a command, and gives its reports to one of the shell.
pub(in crate::core) fn pipe(core: &mut Interpreter, id: CommandId, target: Target, line: String, shell: String) {
    if let Some(task) = core.tasks.get_mut(&id) {
        task.focus = Some(target).filter(|target| target.named);
    }
    core.piping.0.insert(id, Piped { shell, text: String::new() });
    core.run_lines(id, vec![ScriptLine::plain(line)], false);
}

/// Gives the reports of a piped command to the shell, once the command is over; true if the shell runs.
pub(in crate::core) fn goes_on(core: &mut Interpreter, id: CommandId) -> bool {
    let Some(Piped { shell, text }) = core.piping.0.remove(&id) else { return false };
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
