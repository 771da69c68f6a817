//! Files of commands, and the log.

use super::ahead::Ahead;
use super::task::Doing;
use crate::command::is_blank;
use crate::core::{CommandId, Controller, Effect};
use crate::report::Content;
use crate::saved::commands;
use model::{ProcessSet, Severity, ThreadId};

/// Files may run files to this depth: one that runs itself must end.
const DEPTH: usize = 16;

/// A line of a script.
#[derive(Debug)]
pub(in crate::core) struct ScriptLine {
    pub(in crate::core) text: String,
    /// Said before it.
    pub(in crate::core) heading: Option<Content>,
    /// The frame it is for; `None`: the one that each rank looks at.
    pub(in crate::core) frame: Option<u32>,
    /// The thread that it names, when the lines differ in that alone, and whose it is.
    pub(in crate::core) thread: Option<(ThreadId, ProcessSet)>,
}

impl ScriptLine {
    /// As a file has it.
    pub(in crate::core) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), heading: None, frame: None, thread: None }
    }
}

impl Controller {
    /// The file that is named, or that of the program; without one the command is over.
    fn file_or_own(&mut self, id: CommandId, path: Option<String>) -> Option<String> {
        let own = || self.saved.as_ref().map(|saved| saved.path.display().to_string());
        let found = path.or_else(own);
        if found.is_none() {
            self.refuse(id, ProcessSet::new(), "name a file: for this session there is none of its own");
        }
        found
    }

    pub(in crate::core) fn save(&mut self, id: CommandId, path: Option<String>) {
        let Some(path) = self.file_or_own(id, path) else { return };
        let text = commands(&self.state);
        self.say(id, Content::Text(ProcessSet::new(), format!("saved in {path}")));
        self.effect(id, Effect::Write(id, path, text));
    }

    /// A job is there: what was saved of its program is offered once.
    pub(in crate::core) fn offer_saved(&mut self) {
        if let Some(saved) = &mut self.saved
            && std::mem::take(&mut saved.exists)
            && !self.batch
        {
            let words = "breakpoints and settings of an earlier session are kept: \":source\" sets them again";
            self.tell(Severity::Note, ProcessSet::new(), words);
        }
    }

    pub(in crate::core) fn source(&mut self, id: CommandId, path: Option<String>) {
        let Some(path) = self.file_or_own(id, path) else { return };
        let mut depth = 0;
        let mut above = self.tasks.get(&id).and_then(|task| task.parent);
        while let Some(parent) = above {
            depth += 1;
            above = self.tasks.get(&parent).and_then(|task| task.parent);
        }
        if depth >= DEPTH {
            self.refuse(id, ProcessSet::new(), "files run each other too deeply; does one run itself?");
            return;
        }
        self.effect(id, Effect::Read(id, path));
    }

    pub(in crate::core) fn effect(&mut self, id: CommandId, effect: Effect) {
        if let Some(task) = self.tasks.get_mut(&id) {
            task.doing = Doing::Effect;
        }
        self.effects.push(effect);
    }

    pub(in crate::core) fn provided(&mut self, id: CommandId, outcome: Result<String, String>) {
        let Some(task) = self.tasks.get_mut(&id) else { return };
        if !matches!(task.doing, Doing::Effect) {
            return;
        }
        match outcome {
            Err(why) => self.refuse(id, ProcessSet::new(), why),
            Ok(text) => {
                let lines = text.lines().map(ScriptLine::plain).collect();
                task.doing = Doing::Script { lines, current: None, beyond_errors: false, ahead: Ahead::default() };
                self.next_line(id);
            }
        }
    }

    /// A command of a script is over.
    pub(in crate::core) fn script_goes_on(&mut self, script: CommandId, child: CommandId, failed: bool) {
        let Some(task) = self.tasks.get_mut(&script) else { return };
        let Doing::Script { lines, current, beyond_errors, .. } = &mut task.doing else { return };
        // A command that is over before it is noted as the current one is seen by the loop of `next_line`.
        let noted = *current == Some(child);
        *current = None;
        if failed {
            task.failed = true;
            if !*beyond_errors {
                lines.clear();
            }
        }
        if noted {
            self.next_line(script);
        }
    }

    pub(in crate::core) fn next_line(&mut self, script: CommandId) {
        loop {
            let Some(task) = self.tasks.get_mut(&script) else { return };
            let Doing::Script { lines, .. } = &mut task.doing else { return };
            let Some(line) = lines.pop_front() else {
                self.done(script);
                return;
            };
            if is_blank(&line.text) {
                continue;
            }
            if let Some(heading) = line.heading {
                self.say(script, heading);
            }
            self.frame_of_line = line.frame;
            let child = self.begin(&line.text, Some(script));
            self.frame_of_line = None;
            if self.tasks.contains_key(&child) {
                if let Some(task) = self.tasks.get_mut(&script)
                    && let Doing::Script { current, .. } = &mut task.doing
                {
                    *current = Some(child);
                }
                return;
            }
        }
    }
}
