//! The session as a whole, and whom commands mean.

use super::dispatch::Target;
use crate::core::tasks::task::{Doing, Then};
use crate::core::{CommandId, Controller};
use crate::report::Content;
use crate::sets::{Scope, SetExpr, parse_scope};
use crate::state::{Focus, Phase};
use model::{Answer, Operation, ProcessSet, Severity};
use protocol::SessionCommand;

impl Controller {
    /// A launcher starts a job as a whole, and so do we.
    pub(in crate::core) fn restart(&mut self, id: CommandId, target: &Target) {
        if self.state.session.is_none() {
            self.refuse(id, ProcessSet::new(), "there is no job yet");
            return;
        }
        let all = ProcessSet::all(self.state.size());
        if target.ranks != all {
            if target.named {
                let why =
                    "a job is started again as a whole: \"restart\" without a set does so, \"kill\" ends single ranks";
                self.refuse(id, target.ranks.clone(), why);
                return;
            }
            self.say(
                id,
                Content::Message(Severity::Note, all, "all ranks are started again, not the focus alone".into()),
            );
        }
        let tid = self.send_session(SessionCommand::Restart);
        if let Some(task) = self.tasks.get_mut(&id) {
            task.doing = Doing::Session(tid);
        }
    }

    /// Tells all ranks the settings that engines act on.
    pub(in crate::core) fn configure(&mut self, id: CommandId) {
        let alive = ProcessSet::all(self.state.size()).difference(&self.state.ranks.ended());
        let settings = self.state.variables.run_settings();
        self.ask(id, vec![(alive, Operation::Configure(settings))], Then::Configured);
    }

    pub(in crate::core) fn quit(&mut self, id: CommandId) {
        if matches!(self.state.phase, Phase::Idle | Phase::Ended | Phase::Failed(_)) {
            self.state.phase = Phase::Ended;
            self.done(id);
            return;
        }
        // The end overtakes what was said before it.
        let alive = ProcessSet::all(self.state.size()).difference(&self.state.ranks.ended());
        let kill = alive.is_empty() || !alive.is_subset(&self.being_let_go());
        let tid = self.send_session(SessionCommand::Quit { kill });
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

    pub(in crate::core) fn say_focus(&mut self, id: CommandId) {
        let focus = &self.state.focus;
        let content = Content::Focus { ranks: focus.set.clone(), text: focus.text.clone(), thread: focus.thread };
        self.say(id, content);
    }

    /// Makes a set the focus; a thread that it names must be there.
    pub(in crate::core) fn focus_on(&mut self, id: CommandId, ranks: ProcessSet, scope: Scope) {
        if self.refused(id, &ranks) {
            return;
        }
        if scope.thread.is_some() {
            let target = Target { ranks: ranks.clone(), thread: None, named: true, means_lost: false };
            self.ask_alive_then(id, target, Operation::Threads, Then::Focus(scope, ranks));
            return;
        }
        self.set_focus(ranks, &scope);
        self.say_focus(id);
        self.done(id);
    }

    /// The threads of the ranks are known that are to be the focus.
    pub(in crate::core) fn focus_known(
        &mut self,
        id: CommandId,
        scope: Scope,
        ranks: ProcessSet,
        good: &[(usize, ProcessSet, Answer)],
    ) {
        let Some(thread) = scope.thread else { return };
        let (mut with, mut without) = (ProcessSet::new(), ProcessSet::new());
        for (_, of, answer) in good {
            let Answer::Threads(threads) = answer else { continue };
            let has = threads.iter().any(|known| known.id == thread);
            (if has { &mut with } else { &mut without }).extend_with(of);
        }
        if with.is_empty() {
            if !without.is_empty() {
                let position = self.position_in_line(id, &format!(".{thread}"), Some(1));
                let why = format!("there is no thread {thread}; \"threads\" lists them");
                self.error(id, without, why, position);
            }
            return;
        }
        if !without.is_empty() {
            self.say(id, Content::Missing(without, format!("it has no thread {thread}")));
        }
        self.set_focus(ranks, &scope);
        self.say_focus(id);
    }

    fn set_focus(&mut self, ranks: ProcessSet, scope: &Scope) {
        if !ranks.contains(self.state.lead) {
            let stopped = ranks.intersection(self.state.ranks.stopped());
            if let Some(first) = stopped.first().or(ranks.first()) {
                self.state.lead = first;
                self.listed = None;
            }
        }
        self.state.thread = scope.thread;
        let text = scope.to_string();
        let chosen_by = scope.set.changes().then(|| scope.set.to_string());
        self.state.focus = Focus { set: ranks, text, thread: scope.thread, chosen_by };
        if scope.set.mentions(&|part| *part == SetExpr::Focus) {
            // It is another one from now on.
            self.state.focus.call_by_ranks();
        }
    }

    /// What ranks are doing has changed, or their memory: a focus that was chosen by that is called by its ranks.
    pub(in crate::core) fn focus_stays(&mut self) {
        let focus = &mut self.state.focus;
        if focus.chosen_by.as_ref().is_some_and(|words| focus.text.contains(words.as_str())) {
            focus.call_by_ranks();
        }
    }

    /// A name is to mean other ranks, and the focus stays.
    pub(in crate::core) fn group_changes(&mut self, name: &str) {
        let is_it = |part: &SetExpr| matches!(part, SetExpr::Group(group) if group == name);
        if parse_scope(&self.state.focus.text).is_ok_and(|scope| scope.set.mentions(&is_it)) {
            self.state.focus.call_by_ranks();
        }
    }

    /// A job of so many ranks is there. A focus that was chosen by what the ranks of the one before did is no more
    /// than its ranks, which is said: whoever goes on means them.
    pub(in crate::core) fn focus_in_new_job(&mut self, size: u32) {
        let all = ProcessSet::all(size);
        let focus = &mut self.state.focus;
        if focus.text == "all" {
            focus.set = all;
            return;
        }
        let there = focus.set.intersection(&all);
        if there.is_empty() {
            *focus = Focus { set: all, ..Focus::default() };
            return;
        }
        let fewer = there != focus.set;
        focus.set = there;
        if let Some(words) = focus.chosen_by.take() {
            focus.call_by_ranks();
            let ranks = focus.set.clone();
            let text =
                format!("the focus stays these ranks, chosen by {words} before the restart; \"focus all\" means all");
            self.tell(Severity::Note, ranks, &text);
        } else if fewer {
            focus.call_by_ranks();
        }
    }
}
