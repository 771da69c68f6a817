//! Turns requests for a debugger into sessions, and resets the state when a session ends.

use crate::command::{CommandId, Parting};
use crate::core::Effect;
use crate::core::commands::report;
use crate::core::controller::Controller;
use crate::core::go_on::go_on;
use crate::core::kept_numbers::KeptNumbers;
use crate::core::last_looks::LastLooks;
use crate::core::session_history::SessionHistory;
use crate::core::tasks::task::{Doing, Task};
use crate::core::tasks::then::Then;
use crate::core::unplaced::Unplaced;
use crate::report::Content;
use crate::state::{Ask, ListedRequest, Phase, ProgramStart, Requests, State};
use model::{ProcessSet, ProcessState, Severity};
use protocol::{LaunchPlan, SessionCommand};

impl Controller {
    /// True if the directory of requests is to be watched.
    pub fn listens(&self) -> bool {
        let awaited = self.core.tasks.values().any(|task| matches!(task.doing, Doing::Requests(_)));
        let setting = self.core.state.variables.get("reverse-listen");
        let free = !self.core.batch && matches!(self.core.state.phase, Phase::Idle | Phase::Ended | Phase::Failed(_));
        awaited || setting >= 2.0 || (setting >= 1.0 && free)
    }

    /// Returns the tasks for the watcher.
    pub fn take_asks(&mut self) -> Vec<(CommandId, Ask)> {
        self.core.outbox.take_asks()
    }

    /// Records the result of reading the directory of requests.
    pub fn requests_seen(&mut self, seen: Result<Vec<ListedRequest>, String>) {
        self.core.looks += 1;
        let listening = self.listens();
        let (listed, trouble) = match seen {
            Ok(listed) => (listed, None),
            Err(why) => (Vec::new(), Some(why)),
        };
        if let Some(why) = &trouble
            && self.core.state.requests.trouble != trouble
        {
            self.core.tell(Severity::Warning, ProcessSet::new(), why);
        }
        let known = |listed: &ListedRequest| self.core.state.requests.listed.iter().any(|known| known.id == listed.id);
        let news: Vec<_> = listed.iter().filter(|listed| listed.is_open() && !known(listed)).cloned().collect();
        let requests = Requests { listed, trouble, listening };
        if self.core.state.requests == requests && self.core.tasks.is_empty() {
            return;
        }
        self.core.state.requests = requests;
        let awaited = self.core.tasks.values().any(|task| matches!(task.doing, Doing::Requests(_)));
        if listening && !awaited && !news.is_empty() {
            self.core.report(Content::Requests(news));
        }
        self.settle();
    }

    /// Concludes a command that the watcher carried out or could not.
    pub fn request_done(&mut self, command: CommandId, outcome: Result<String, String>) {
        let Some(Doing::Directory(ask)) = self.core.tasks.get(&command).map(|task| &task.doing) else { return };
        match (outcome, ask) {
            (Err(why), _) => self.core.refuse(command, ProcessSet::new(), why),
            (Ok(_), Ask::List) => {
                self.core.say(command, Content::Requests(self.core.state.requests.listed.clone()));
                self.core.done(command);
            }
            (Ok(sentence), Ask::Accept(_) | Ask::Reject(..)) => {
                self.core.say(command, Content::Text(ProcessSet::new(), sentence));
                self.core.done(command);
            }
        }
        self.settle();
    }

    /// True if a command still waits for the session of a request.
    pub fn awaits_session(&self, command: CommandId) -> bool {
        matches!(self.core.tasks.get(&command).map(|task| &task.doing), Some(Doing::Directory(Ask::Accept(_))))
    }

    /// Makes the session of an accepted request, at the other end of the link from now on, the present one and launches
    /// its job. Returns false if no command waits for it any more.
    pub fn take_session(&mut self, command: CommandId, mut plan: LaunchPlan, title: String) -> bool {
        if !self.awaits_session(command) {
            return false;
        }
        self.forget_session(Some(command));
        self.core.state.program = title;
        self.core.state.phase = Phase::Connecting;
        self.core.state.is_attached = !plan.starts();
        self.core.state.is_of_core_files = plan.is_of_core_files();
        self.core.state.start = ProgramStart::of_plan(&mut plan);
        if !self.listens() {
            // The watcher looks for them again when a session is possible.
            self.core.state.requests = Requests::default();
        }
        let tid = self.core.outbox.session(SessionCommand::Launch(plan));
        if let Some(task) = self.core.tasks.get_mut(&command) {
            task.doing = Doing::Accepted(tid);
        }
        self.settle();
        true
    }

    /// Asks the present session to end because another one replaces it, unless it is to continue without a front end.
    pub fn leave_session(&mut self) {
        if self.core.parting == Parting::Leave && self.core.state.has_live_ranks() {
            let name = self.core.state.session.as_ref().map_or_else(String::new, |session| format!(" {}", session.id));
            let words = format!("the previous session is still running; to take it back: rankscope resume{name}");
            self.core.tell(Severity::Note, ProcessSet::new(), &words);
            return;
        }
        if self.core.state.session.is_some() && !matches!(self.core.state.phase, Phase::Ended | Phase::Failed(_)) {
            self.core.outbox.session(SessionCommand::Quit { kill: true });
        }
    }

    /// Handles a ready job of an accepted request: a script continues when its ranks are at their first stop.
    pub(in crate::core) fn accepted_is_there(&mut self, id: CommandId) {
        if !self.core.batch {
            self.core.done(id);
            return;
        }
        if let Some(task) = self.core.tasks.get_mut(&id) {
            task.doing = Doing::Arriving;
        }
    }

    /// Ends the commands whose ranks have come to their first stop, or have ended.
    pub(in crate::core) fn check_arrivals(&mut self) {
        let arriving = self.core.tasks.iter().find(|(_, task)| matches!(task.doing, Doing::Arriving));
        let Some(id) = arriving.map(|(&id, _)| id) else { return };
        let all = ProcessSet::all(self.core.state.size());
        if !all.is_subset(&self.core.state.ranks.ended().union(self.core.state.ranks.stopped())) {
            return;
        }
        if all.is_subset(&self.core.state.ranks.absent()) {
            let said = self.core.state.ranks.groups().find_map(|(_, state)| match state {
                ProcessState::Failed(why) | ProcessState::Lost(why) => Some(why.clone()),
                _ => None,
            });
            self.core.refuse(id, all, said.unwrap_or_else(|| "no rank could be started".to_owned()));
            self.accepted_failed();
            return;
        }
        if let Some(task) = self.core.tasks.get_mut(&id) {
            task.answered = all;
        }
        self.core.done(id);
    }

    /// Ends the session of an accepted request whose job could not be started.
    pub(in crate::core) fn accepted_failed(&mut self) {
        self.abandoned = true;
        self.core.outbox.session(SessionCommand::Quit { kill: true });
    }

    /// Handles the end of the session. A controller that began without a session is idle again.
    pub(in crate::core) fn session_over(&mut self) {
        self.core.state.phase = Phase::Ended;
        self.fail_all("the session has ended");
        if std::mem::take(&mut self.abandoned)
            || (self.began_idle && !self.core.batch && !self.core.state.program.is_empty())
        {
            self.forget_session(None);
            self.core.state.phase = Phase::Idle;
        }
    }

    /// Drops the session's data; the user's data stay.
    fn forget_session(&mut self, keeping: Option<CommandId>) {
        self.core.queries.clear();
        let kept = |id: CommandId, tasks: &std::collections::BTreeMap<CommandId, Task>| {
            let mut at = keeping;
            while let Some(one) = at {
                if one == id {
                    return true;
                }
                at = tasks.get(&one).and_then(|task| task.parent);
            }
            false
        };
        let beyond = self.core.beyond_session();
        let of_session = |id: &CommandId| !beyond.contains(id) && !kept(*id, &self.core.tasks);
        let others: Vec<CommandId> = self.core.tasks.keys().copied().filter(of_session).collect();
        // Children first: the commands of a script have higher numbers than the script.
        for id in others.into_iter().rev() {
            self.core.refuse(id, ProcessSet::new(), "the session has ended");
            go_on(&mut self.core);
        }
        let before = std::mem::take(&mut self.core.state);
        self.core.state = State {
            variables: before.variables,
            aliases: before.aliases,
            scripts: before.scripts.without_breakpoints(),
            messages: before.messages,
            requests: before.requests,
            busy: before.busy,
            revision: before.revision,
            ..State::default()
        };
        self.core.numbers.forget_breakpoints();
        self.core.history = SessionHistory::default();
        self.core.unplaced = Unplaced::default();
        self.core.state.listed = None;
        self.core.kept_numbers = KeptNumbers::default();
        self.core.views.forget(&mut self.core.state);
        self.core.last_looks = LastLooks::default();
        self.core.state.unmoved = ProcessSet::new();
    }

    /// Fails all unfinished commands.
    pub(in crate::core) fn fail_all(&mut self, why: &str) {
        self.core.queries.clear();
        self.core.forget_latecomers();
        // Children first: the commands of a script have higher numbers than the script.
        let kept = self.core.beyond_session();
        let ids: Vec<CommandId> = self.core.tasks.keys().rev().copied().filter(|id| !kept.contains(id)).collect();
        for id in ids {
            let Some(task) = self.core.tasks.get(&id) else { continue };
            if let Doing::Session(_) = task.doing
                && matches!(self.core.state.phase, Phase::Ended)
            {
                self.core.done(id);
                go_on(&mut self.core);
                continue;
            }
            if let Doing::Saving(_) | Doing::Asking(Then::Saving(_), _) = task.doing {
                self.core.outbox.effect(Effect::DropData(id));
            }
            // A report is written with the parts collected so far.
            if !report::is_collected(&mut self.core, id) {
                self.core.refuse(id, ProcessSet::new(), why);
            }
            go_on(&mut self.core);
        }
    }
}

#[cfg(test)]
mod tests;
