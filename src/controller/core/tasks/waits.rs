//! Waiting until ranks have stopped or ended.

use super::task::Doing;
use super::task::Task;
use crate::core::commands::dispatch::Target;
use crate::core::{CommandId, Controller};
use crate::report::Content;
use crate::state::StateKind;
use model::ProcessSet;
use std::time::{Duration, Instant};

/// Ranks that are waited for.
#[derive(Clone, Debug)]
pub(in crate::core) struct Wait {
    pub(in crate::core) ranks: ProcessSet,
    /// Of these it is no fault to be lost.
    pub(in crate::core) expected: ProcessSet,
    /// Until they have ended, not only stopped.
    pub(in crate::core) exited: bool,
    /// Until one of them is.
    pub(in crate::core) any: bool,
    /// Until they have said where breakpoints are, too.
    pub(in crate::core) placed: bool,
    pub(in crate::core) deadline: Option<Instant>,
    /// The user's limit in seconds; `None` for a step that is given its time.
    pub(in crate::core) limit: Option<f64>,
}

impl Controller {
    /// Waits for ranks; `expected` are those of them that the user knows to be lost.
    pub(in crate::core) fn wait(
        &mut self,
        id: CommandId,
        ranks: ProcessSet,
        expected: ProcessSet,
        exited: bool,
        limit: Option<f64>,
    ) {
        if self.refused(id, &ranks) {
            return;
        }
        let deadline = limit.map(|seconds| self.clock.now() + Duration::from_secs_f64(seconds));
        if let Some(task) = self.tasks.get_mut(&id) {
            task.doing = Doing::Waiting(Wait { ranks, expected, exited, any: false, placed: false, deadline, limit });
        }
    }

    /// Until the first of those that run has stopped or ended.
    pub(in crate::core) fn wait_for_any(&mut self, id: CommandId, target: &Target, limit: Option<f64>) {
        if self.refused(id, &target.ranks) {
            return;
        }
        let running = target.ranks.difference(&self.state.ranks.ended()).difference(&self.at_rest());
        if running.is_empty() {
            self.refuse(id, target.ranks.clone(), "no rank of the set runs: nothing could be waited for");
            return;
        }
        self.wait(id, running, ProcessSet::new(), false, limit);
        if let Some(Task { doing: Doing::Waiting(wait), .. }) = self.tasks.get_mut(&id) {
            wait.any = true;
        }
    }

    /// A step of a script: its ranks are given the time of a setting to stop again.
    pub(in crate::core) fn settle_step(&mut self, id: CommandId, ranks: ProcessSet) {
        self.settle_for(id, ranks, false);
    }

    /// A script that starts its job again goes on when the ranks are there, with their breakpoints: what it tells them
    /// to do must not overtake the master's own requests.
    pub(in crate::core) fn settle_restart(&mut self, id: CommandId) {
        self.settle_for(id, ProcessSet::all(self.state.size()), true);
    }

    fn settle_for(&mut self, id: CommandId, ranks: ProcessSet, placed: bool) {
        let deadline = Some(self.clock.now() + self.seconds("step-patience"));
        if let Some(task) = self.tasks.get_mut(&id) {
            let expected = ProcessSet::new();
            task.doing =
                Doing::Waiting(Wait { ranks, expected, exited: false, any: false, placed, deadline, limit: None });
        }
    }

    /// Ends the waits that are over.
    pub(in crate::core) fn check_waits(&mut self) {
        let waiting: Vec<(CommandId, Wait)> = self
            .tasks
            .iter()
            .filter_map(|(&id, task)| match &task.doing {
                Doing::Waiting(wait) => Some((id, wait.clone())),
                _ => None,
            })
            .collect();
        if waiting.is_empty() {
            return;
        }
        let now = self.clock.now();
        let ended = self.state.ranks.ended();
        let resting = self.at_rest();
        for (id, wait) in waiting {
            let alive = wait.ranks.difference(&ended);
            let mut awaited = if wait.exited { alive.clone() } else { alive.difference(&resting) };
            if wait.placed {
                let unplaced = self.unplaced.values();
                awaited = unplaced.fold(awaited, |sum, ranks| sum.union(&ranks.intersection(&alive)));
            }
            let lost = wait.ranks.intersection(self.state.ranks.of_kind(StateKind::Lost)).difference(&wait.expected);
            let one_is_there = wait.any && awaited != wait.ranks;
            let over = awaited.is_empty()
                || one_is_there
                || wait.deadline.is_some_and(|deadline| deadline <= now)
                || wait.exited && awaited.is_subset(&resting);
            if let Some(task) = self.tasks.get_mut(&id) {
                task.answered = wait.ranks.difference(&awaited).difference(&lost);
            }
            if over && !lost.is_empty() {
                for (ranks, why) in self.why_not_stopped(&lost) {
                    self.error(id, ranks, why, None);
                }
            }
            if awaited.is_empty() || one_is_there {
                self.done(id);
            } else if wait.exited && awaited.is_subset(&resting) {
                self.refuse(id, awaited, "stopped: it will not end before it is told to go");
            } else if wait.deadline.is_some_and(|deadline| deadline <= now) {
                match wait.limit {
                    Some(seconds) => {
                        let what = if wait.exited { "has not ended" } else { "has not stopped" };
                        self.refuse(id, awaited, format!("{what} within {seconds} s"));
                    }
                    None => {
                        let why = "still running: \"wait\" waits until it stops".to_owned();
                        self.say(id, Content::Missing(awaited, why));
                        self.done(id);
                    }
                }
            }
        }
    }
}
