//! Selects the ranks of a command that can be asked, and reports why the others cannot.

use crate::command::CommandId;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::then::Then;
use crate::report::{Content, STILL_RUNNING, killed_words};
use crate::state::{State, StateKind};
use model::{Operation, ProcessSet, ProcessState, nearest};

impl Interpreter {
    /// Asks the stopped ranks of the target. The others are reported as missing, or, if none is stopped, as an error.
    pub(in crate::core) fn ask_stopped(&mut self, id: CommandId, target: Target, operation: Operation, then: Then) {
        self.ask_all_stopped(id, target, vec![operation], then);
    }

    /// As [`Self::ask_stopped`], with several requests.
    pub(in crate::core) fn ask_all_stopped(
        &mut self,
        id: CommandId,
        target: Target,
        operations: Vec<Operation>,
        then: Then,
    ) {
        let outlives = operations.iter().all(Operation::outlives_the_process);
        let asked = if outlives { readable_of(self, id, &target) } else { self.stopped_of(id, &target) };
        if let Some(stopped) = asked {
            let questions = operations.into_iter().map(|operation| (stopped.clone(), operation)).collect();
            self.ask(id, questions, then);
        }
    }

    /// Returns the stopped ranks of the target; reports why the others are left out. If none is left, the command ends.
    pub(in crate::core) fn stopped_of(&mut self, id: CommandId, target: &Target) -> Option<ProcessSet> {
        if self.refused(id, &target.ranks) {
            return None;
        }
        let stopped = target.ranks.intersection(&self.state.ranks.at_rest());
        let mut others = target.ranks.difference(&stopped);
        if !stopped.is_empty() {
            others.remove_all(&self.miss_lost(id, target));
        }
        if stopped.is_empty() {
            none_can(self, id, &others);
            self.done(id);
            return None;
        }
        if !target.named {
            others.remove_all(&without_core_file(&self.state));
        }
        for (ranks, why) in why_not_stopped(&self.state, &others) {
            self.say(id, Content::Missing(ranks, why));
        }
        Some(stopped)
    }

    /// Asks the ranks of the target that have not ended; if all have, those that can still answer.
    pub(in crate::core) fn ask_alive_then(&mut self, id: CommandId, target: Target, operation: Operation, then: Then) {
        if self.refused(id, &target.ranks) {
            return;
        }
        let alive = target.ranks.difference(&self.state.ranks.ended());
        let remains = remains_of(&self.state, &target.ranks);
        if operation.outlives_the_process() && !remains.is_empty() {
            self.ask(id, vec![(remains, operation)], then);
        } else if alive.is_empty() {
            none_can(self, id, &target.ranks);
            self.done(id);
        } else {
            self.miss_lost(id, &target);
            self.ask(id, vec![(alive, operation)], then);
        }
    }

    /// Reports lost ranks of the target to a script whose line does not name them as lost, and returns these; a user
    /// sees them on the screen.
    pub(in crate::core) fn miss_lost(&mut self, id: CommandId, target: &Target) -> ProcessSet {
        let lost = target.ranks.intersection(self.state.ranks.of_kind(StateKind::Lost));
        if !self.batch || target.means_lost || lost.is_empty() {
            return ProcessSet::new();
        }
        for (ranks, why) in why_not_stopped(&self.state, &lost) {
            self.error(id, ranks, why, None);
        }
        lost
    }

    /// True if there is no rank to ask; then the command ends.
    pub(in crate::core) fn refused(&mut self, id: CommandId, ranks: &ProcessSet) -> bool {
        let in_line = self.tasks.get(&id).and_then(|task| task.set_in_line());
        let set = in_line.unwrap_or(&self.state.focus.text).to_owned();
        self.refused_as(id, ranks, &set)
    }

    /// As [`Self::refused`], for ranks named by a set among the arguments.
    pub(in crate::core) fn refused_as(&mut self, id: CommandId, ranks: &ProcessSet, set: &str) -> bool {
        let message = if self.state.session.is_none() {
            "no job yet".to_owned()
        } else if ranks.is_empty() {
            format!("no rank matches {set}{}", nearest_in(set, &self.state))
        } else {
            return false;
        };
        self.refuse(id, ProcessSet::new(), message);
        true
    }
}

/// Returns the end of a sentence about a set without ranks: the function that a misspelt one most likely means.
fn nearest_in(set: &str, state: &State) -> String {
    let after = ["in(", "top("].into_iter().find_map(|word| Some(set.split_once(word)?.1));
    let Some((name, _)) = after.and_then(|rest| rest.split_once(')')) else { return String::new() };
    let known = state.known_functions();
    if known.contains(name) {
        return String::new();
    }
    let near = nearest(name, known.iter().map(String::as_str));
    near.map_or_else(String::new, |near| format!("; did you mean {near:?}?"))
}

/// Returns the ranks of the target that can answer from the files of their program: the stopped ones; if all have ended,
/// these. Reports why the others are left out. If none is left, the command ends.
pub(in crate::core) fn readable_of(core: &mut Interpreter, id: CommandId, target: &Target) -> Option<ProcessSet> {
    let readable = remains_of(&core.state, &target.ranks);
    if readable.is_empty() {
        return core.stopped_of(id, target);
    }
    for (ranks, why) in why_not_stopped(&core.state, &target.ranks.difference(&readable)) {
        core.say(id, Content::Missing(ranks, why));
    }
    Some(readable)
}

/// The ranks of a session of core files that have none. It was said when the session began.
fn without_core_file(state: &State) -> ProcessSet {
    if state.is_of_core_files { state.ranks.of_kind(StateKind::Failed).clone() } else { ProcessSet::new() }
}

/// Returns the ranks whose files can still be read, if all ranks of a set have ended.
fn remains_of(state: &State, ranks: &ProcessSet) -> ProcessSet {
    let all_ended = ranks.is_subset(&state.ranks.ended());
    if all_ended { ranks.intersection(&state.ranks.with_files_only()) } else { ProcessSet::new() }
}

/// Reports why no rank of a set can do what a command asks, and what to do next.
pub(in crate::core) fn none_can(core: &mut Interpreter, id: CommandId, ranks: &ProcessSet) {
    for (ranks, why) in why_not_stopped(&core.state, ranks) {
        let has_ended = ranks.is_subset(&core.state.ranks.with_files_only());
        let next = if has_ended { how_to_go_on(&core.state, &ranks) } else { "" };
        core.error(id, ranks, format!("{why}{next}"), None);
    }
}

/// Returns the end of a sentence about ranks that have ended: how they can be debugged again.
fn how_to_go_on(state: &State, ranks: &ProcessSet) -> &'static str {
    if state.is_of_core_files {
        ""
    } else if state.is_attached && ranks.is_subset(state.ranks.of_kind(StateKind::Detached)) {
        ": \"rankscope attach\" attaches to it again"
    } else if state.is_attached {
        ": start the program again and attach to it"
    } else {
        ": \"run\" starts the job again"
    }
}

/// Returns sentences why ranks cannot carry out what needs a stop.
pub(in crate::core) fn why_not_stopped(job: &State, ranks: &ProcessSet) -> Vec<(ProcessSet, String)> {
    let mut parts: Vec<(ProcessSet, String)> = Vec::new();
    let mut add = |ranks: ProcessSet, why: String| {
        if ranks.is_empty() {
            return;
        }
        match parts.iter_mut().find(|(_, known)| *known == why) {
            Some((set, _)) => set.extend_with(&ranks),
            None => parts.push((ranks, why)),
        }
    };
    add(
        ranks.intersection(&job.ranks.in_flight().intersection(job.ranks.of_kind(StateKind::Stopped))),
        STILL_RUNNING.into(),
    );
    for (set, state) in job.ranks.groups() {
        let common = set.intersection(ranks);
        let why = match state {
            ProcessState::Stopped(_) => continue,
            ProcessState::Starting => "not started yet".to_owned(),
            ProcessState::Running => STILL_RUNNING.to_owned(),
            ProcessState::Exited(code) => format!("has exited with code {code}"),
            ProcessState::Killed(by) => format!("was {}", killed_words(by)),
            ProcessState::Detached => "has been detached".to_owned(),
            ProcessState::Failed(why) if job.is_of_core_files => why.clone(),
            ProcessState::Failed(why) => format!("failed to start or attach: {why}"),
            ProcessState::Lost(why) => format!("is lost: {why}"),
        };
        add(common, why);
    }
    parts.sort_by_key(|(set, _)| set.first());
    parts
}
