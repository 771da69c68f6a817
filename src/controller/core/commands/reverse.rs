//! Programs that ask for a debugger: what is asked of the watcher, and how a request becomes the session.

use crate::command::{Parting, Reverse};
use crate::core::tasks::task::Doing;
use crate::core::{CommandId, Controller};
use crate::report::Content;
use crate::state::{Ask, ListedRequest};
use crate::state::{Phase, Requests, State};
use model::{ProcessSet, ProcessState, Severity};
use protocol::{LaunchPlan, SessionCommand};
use std::time::{Duration, Instant};

/// Requests that are waited for.
#[derive(Clone, Debug)]
pub(in crate::core) struct Vigil {
    pub(in crate::core) deadline: Option<Instant>,
    /// The user's limit in seconds.
    pub(in crate::core) limit: Option<f64>,
    /// Looks into the directory when it began: what was seen before does not count.
    pub(in crate::core) looks: u64,
}

impl Controller {
    pub(in crate::core) fn reverse(&mut self, id: CommandId, what: Reverse) {
        match what {
            Reverse::List => self.ask_desk(id, Ask::List),
            Reverse::Reject(meant, reason) => self.ask_desk(id, Ask::Reject(meant, reason)),
            Reverse::Accept(meant, parting) => match self.why_no_room(parting) {
                None => {
                    self.parting = parting;
                    self.ask_desk(id, Ask::Accept(meant));
                }
                Some(why) => self.refuse(id, ProcessSet::new(), why),
            },
            Reverse::Wait(limit) => {
                let deadline = limit.map(|seconds| self.clock.now() + Duration::from_secs_f64(seconds));
                if let Some(task) = self.tasks.get_mut(&id) {
                    task.doing = Doing::Requests(Vigil { deadline, limit, looks: self.looks });
                }
            }
            Reverse::Listen(always) => {
                let value = if always { "2" } else { "0" };
                if let Err(error) = self.state.variables.set("reverse-listen", value) {
                    self.error(id, ProcessSet::new(), error.to_string(), None);
                }
                self.done(id);
            }
        }
    }

    fn ask_desk(&mut self, id: CommandId, ask: Ask) {
        if let Some(task) = self.tasks.get_mut(&id) {
            task.doing = Doing::Directory(ask.clone());
        }
        self.asks.push((id, ask));
    }

    /// Why there can be no other session now.
    fn why_no_room(&self, parting: Parting) -> Option<String> {
        let accepting = |task: &crate::core::tasks::task::Task| {
            matches!(task.doing, Doing::Directory(Ask::Accept(_)) | Doing::Accepted(_))
        };
        if self.tasks.values().any(accepting) {
            return Some("another request is being accepted".to_owned());
        }
        match self.state.phase {
            Phase::Idle | Phase::Ended | Phase::Failed(_) => return None,
            Phase::Connecting | Phase::Launching(_) => return Some("a session is being started".to_owned()),
            Phase::Live => {}
        }
        (parting == Parting::Stay && self.has_live_ranks()).then(|| {
            "there are live ranks: \"reverse accept ID leave\" lets them be, \"reverse accept ID kill\" ends them"
                .to_owned()
        })
    }

    /// Whether the directory of requests is to be looked at again and again.
    pub fn listens(&self) -> bool {
        let awaited = self.tasks.values().any(|task| matches!(task.doing, Doing::Requests(_)));
        let setting = self.state.variables.get("reverse-listen");
        let free = !self.batch && matches!(self.state.phase, Phase::Idle | Phase::Ended | Phase::Failed(_));
        awaited || setting >= 2.0 || (setting >= 1.0 && free)
    }

    /// What the watcher is to do.
    pub fn take_asks(&mut self) -> Vec<(CommandId, Ask)> {
        std::mem::take(&mut self.asks)
    }

    /// The directory of requests was looked at.
    pub fn requests_seen(&mut self, seen: Result<Vec<ListedRequest>, String>) {
        self.looks += 1;
        let listening = self.listens();
        let (listed, trouble) = match seen {
            Ok(listed) => (listed, None),
            Err(why) => (Vec::new(), Some(why)),
        };
        if let Some(why) = &trouble
            && self.state.requests.trouble != trouble
        {
            self.tell(Severity::Warning, ProcessSet::new(), why);
        }
        let known = |listed: &ListedRequest| self.state.requests.listed.iter().any(|known| known.id == listed.id);
        let news: Vec<_> = listed.iter().filter(|listed| listed.is_open() && !known(listed)).cloned().collect();
        let requests = Requests { listed, trouble, listening };
        if self.state.requests == requests && self.tasks.is_empty() {
            return;
        }
        self.state.requests = requests;
        let awaited = self.tasks.values().any(|task| matches!(task.doing, Doing::Requests(_)));
        if listening && !awaited && !news.is_empty() {
            self.report(Content::Requests(news));
        }
        self.settle();
    }

    /// A command that the watcher was asked for is done, or was not possible.
    pub fn request_done(&mut self, command: CommandId, outcome: Result<String, String>) {
        let Some(Doing::Directory(ask)) = self.tasks.get(&command).map(|task| &task.doing) else { return };
        match (outcome, ask) {
            (Err(why), _) => self.refuse(command, ProcessSet::new(), why),
            (Ok(_), Ask::List) => {
                self.say(command, Content::Requests(self.state.requests.listed.clone()));
                self.done(command);
            }
            (Ok(sentence), Ask::Accept(_) | Ask::Reject(..)) => {
                self.say(command, Content::Text(ProcessSet::new(), sentence));
                self.done(command);
            }
        }
        self.settle();
    }

    /// Whether a command still waits for the session of a request.
    pub fn awaits_session(&self, command: CommandId) -> bool {
        matches!(self.tasks.get(&command).map(|task| &task.doing), Some(Doing::Directory(Ask::Accept(_))))
    }

    /// A request was accepted and its session is at the other end of the link from now on: the job is started there.
    /// Returns false when nobody waits for it any more.
    pub fn take_session(&mut self, command: CommandId, plan: LaunchPlan, title: String) -> bool {
        if !self.awaits_session(command) {
            return false;
        }
        self.forget_session(Some(command));
        self.state.program = title;
        self.state.phase = Phase::Connecting;
        if !self.listens() {
            // They are looked for again when there is room for one.
            self.state.requests = Requests::default();
        }
        let tid = self.send_session(SessionCommand::Launch(plan));
        if let Some(task) = self.tasks.get_mut(&command) {
            task.doing = Doing::Accepted(tid);
        }
        self.settle();
        true
    }

    fn has_live_ranks(&self) -> bool {
        self.state.size() as usize > self.state.ranks.ended().len()
    }

    /// Asks the present session to end, since another one takes its place, unless it is left as it is.
    pub fn leave_session(&mut self) {
        if self.parting == Parting::Leave && self.has_live_ranks() {
            let name = self.state.session.as_ref().map_or_else(String::new, |session| format!(" {}", session.id));
            let words = format!("the session before goes on: \"rankscope resume{name}\" takes it back");
            self.tell(Severity::Note, ProcessSet::new(), &words);
            return;
        }
        if self.state.session.is_some() && !matches!(self.state.phase, Phase::Ended | Phase::Failed(_)) {
            self.send_session(SessionCommand::Quit { kill: true });
        }
    }

    /// The job of an accepted request is there: a script goes on when its ranks are where they stop first.
    pub(in crate::core) fn accepted_is_there(&mut self, id: CommandId) {
        if !self.batch {
            self.done(id);
            return;
        }
        if let Some(task) = self.tasks.get_mut(&id) {
            task.doing = Doing::Arriving;
        }
    }

    /// Ends the commands whose ranks stand where they stop first, or have come to nothing.
    pub(in crate::core) fn check_arrivals(&mut self) {
        let arriving = self.tasks.iter().find(|(_, task)| matches!(task.doing, Doing::Arriving));
        let Some(id) = arriving.map(|(&id, _)| id) else { return };
        let all = ProcessSet::all(self.state.size());
        if !all.is_subset(&self.state.ranks.ended().union(self.state.ranks.stopped())) {
            return;
        }
        if all.is_subset(&self.state.ranks.absent()) {
            let said = self.state.ranks.groups().find_map(|(_, state)| match state {
                ProcessState::Failed(why) | ProcessState::Lost(why) => Some(why.clone()),
                _ => None,
            });
            self.refuse(id, all, said.unwrap_or_else(|| "no rank could be started".to_owned()));
            self.accepted_failed();
            return;
        }
        if let Some(task) = self.tasks.get_mut(&id) {
            task.answered = all;
        }
        self.done(id);
    }

    /// The job of an accepted request could not be started: its session is of no use.
    pub(in crate::core) fn accepted_failed(&mut self) {
        self.abandoned = true;
        self.send_session(SessionCommand::Quit { kill: true });
    }

    /// The session has ended. Who began without one begins again.
    pub(in crate::core) fn session_over(&mut self) {
        self.state.phase = Phase::Ended;
        self.fail_all("the session has ended");
        if std::mem::take(&mut self.abandoned) || (self.began_idle && !self.batch && !self.state.program.is_empty()) {
            self.forget_session(None);
            self.state.phase = Phase::Idle;
        }
    }

    /// Everything that is of a session goes; what is of the user stays.
    fn forget_session(&mut self, keeping: Option<CommandId>) {
        self.queries.clear();
        let kept = |id: CommandId, tasks: &std::collections::BTreeMap<CommandId, crate::core::tasks::task::Task>| {
            let mut at = keeping;
            while let Some(one) = at {
                if one == id {
                    return true;
                }
                at = tasks.get(&one).and_then(|task| task.parent);
            }
            false
        };
        let beyond = self.beyond_session();
        let of_session = |id: &CommandId| !beyond.contains(id) && !kept(*id, &self.tasks);
        let others: Vec<CommandId> = self.tasks.keys().copied().filter(of_session).collect();
        // Children first: the commands of a script have higher numbers than the script.
        for id in others.into_iter().rev() {
            self.refuse(id, ProcessSet::new(), "the session has ended");
        }
        let before = std::mem::take(&mut self.state);
        self.state = State {
            variables: before.variables,
            aliases: before.aliases,
            messages: before.messages,
            requests: before.requests,
            busy: before.busy,
            revision: before.revision,
            ..State::default()
        };
        self.next_breakpoint = 1;
        self.in_flight = ProcessSet::new();
        self.unplaced.clear();
        self.listed = None;
        self.forget_glances();
    }

    /// Ends the waits for requests that are over.
    pub(in crate::core) fn check_vigils(&mut self) {
        let waiting: Vec<(CommandId, Vigil)> = self
            .tasks
            .iter()
            .filter_map(|(&id, task)| match &task.doing {
                Doing::Requests(vigil) => Some((id, vigil.clone())),
                _ => None,
            })
            .collect();
        for (id, vigil) in waiting {
            let open: Vec<_> = self.state.requests.listed.iter().filter(|listed| listed.is_open()).cloned().collect();
            if self.looks > vigil.looks && !open.is_empty() {
                self.say(id, Content::Requests(open));
                self.done(id);
            } else if vigil.deadline.is_some_and(|deadline| deadline <= self.clock.now()) {
                let why = match (&self.state.requests.trouble, vigil.limit) {
                    (Some(why), _) => why.clone(),
                    (None, limit) => format!("nobody asked for a debugger within {} s", limit.unwrap_or_default()),
                };
                self.refuse(id, ProcessSet::new(), why);
            }
        }
    }
}

#[cfg(test)]
mod tests;
