//! The session as a whole, and whom commands mean.

use super::task::{Doing, Then};
use super::{CommandId, Controller};
use crate::controller::report::Content;
use crate::controller::sets::Scope;
use crate::controller::state::{Focus, Phase};
use crate::model::{Operation, ProcessSet};
use crate::protocol::SessionCommand;

impl Controller {
    pub(super) fn restart(&mut self, id: CommandId) {
        if self.state.session.is_none() {
            self.refuse(id, ProcessSet::new(), "there is no job yet");
            return;
        }
        let tid = self.send_session(SessionCommand::Restart);
        if let Some(task) = self.tasks.get_mut(&id) {
            task.doing = Doing::Session(tid);
        }
    }

    /// Tells all ranks the settings that engines act on.
    pub(super) fn configure(&mut self, id: CommandId) {
        let alive = ProcessSet::all(self.state.size()).difference(&self.state.ranks.ended());
        let settings = self.state.variables.run_settings();
        self.ask(id, vec![(alive, Operation::Configure(settings))], Then::Configured);
    }

    pub(super) fn quit(&mut self, id: CommandId) {
        if matches!(self.state.phase, Phase::Idle | Phase::Ended | Phase::Failed(_)) {
            self.state.phase = Phase::Ended;
            self.done(id);
            return;
        }
        let tid = self.send_session(SessionCommand::Quit { kill: true });
        if let Some(task) = self.tasks.get_mut(&id) {
            task.doing = Doing::Session(tid);
        }
    }

    /// Asks the master to end the session and its ranks, whatever commands are still open. Nothing is reported.
    pub fn end_session(&mut self) {
        match self.state.phase {
            Phase::Idle | Phase::Ended => self.state.phase = Phase::Ended,
            _ => drop(self.send_session(SessionCommand::Quit { kill: true })),
        }
    }

    pub(super) fn say_focus(&mut self, id: CommandId) {
        let focus = &self.state.focus;
        let content = Content::Focus { ranks: focus.set.clone(), text: focus.text.clone(), thread: focus.thread };
        self.say(id, content);
    }

    pub(super) fn set_focus(&mut self, id: CommandId, ranks: ProcessSet, scope: &Scope) {
        if self.refused(id, &ranks) {
            return;
        }
        if !ranks.contains(self.state.lead) {
            let stopped = ranks.intersection(self.state.ranks.stopped());
            if let Some(first) = stopped.first().or(ranks.first()) {
                self.state.lead = first;
                self.state.frame = 0;
                self.chosen_frame = None;
            }
        }
        self.state.thread = scope.thread;
        self.state.focus = Focus { set: ranks, text: scope.to_string(), thread: scope.thread };
        self.say_focus(id);
        self.done(id);
    }
}
