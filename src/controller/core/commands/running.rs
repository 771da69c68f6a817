//! Making ranks go and stop.

use super::dispatch::Target;
use crate::core::tasks::task::{Doing, Postponed, Task, Then};
use crate::core::{CommandId, Controller};
use crate::report::Content;
use model::{Operation, ProcessSet, SignalName};

impl Controller {
    /// Resumes those that are stopped and not held. `step`: a script waits until they stop again.
    pub(in crate::core) fn resume(&mut self, id: CommandId, target: Target, operation: Operation, step: bool) {
        if self.refused(id, &target.ranks) {
            return;
        }
        if self.are_unplaced(&target.ranks) {
            let deadline = self.clock.now() + self.seconds("patience");
            if let Some(task) = self.tasks.get_mut(&id) {
                task.doing = Doing::Postponed(Box::new(Postponed { target, operation, step, deadline }));
            }
            return;
        }
        self.resume_now(id, target, operation, step);
    }

    /// Whether ranks are still to get the breakpoints that their job had before it started again: the master asks
    /// them, and what is asked of them meanwhile must not overtake that.
    fn are_unplaced(&self, ranks: &ProcessSet) -> bool {
        let alive = ranks.difference(&self.state.ranks.ended());
        self.unplaced.values().any(|unplaced| unplaced.meets(&alive))
    }

    /// Lets go whoever has got the breakpoints, or was waited for long enough.
    pub(in crate::core) fn resume_postponed(&mut self) {
        let due = |(&id, task): (&CommandId, &Task)| match &task.doing {
            Doing::Postponed(postponed)
                if postponed.deadline <= self.clock.now() || !self.are_unplaced(&postponed.target.ranks) =>
            {
                Some((id, Postponed::clone(postponed)))
            }
            _ => None,
        };
        let due: Vec<(CommandId, Postponed)> = self.tasks.iter().filter_map(due).collect();
        for (id, Postponed { target, operation, step, .. }) in due {
            self.resume_now(id, target, operation, step);
        }
    }

    fn resume_now(&mut self, id: CommandId, target: Target, operation: Operation, step: bool) {
        let stopped = target.ranks.intersection(&self.at_rest());
        let going = stopped.difference(&self.state.held);
        if going.is_empty() {
            if stopped.is_empty() {
                for (ranks, why) in self.why_not_stopped(&target.ranks) {
                    self.error(id, ranks, why, None);
                }
            } else {
                self.error(id, stopped, "held: \"unhold\" lets it go again", None);
            }
            self.done(id);
            return;
        }
        self.miss_lost(id, &target);
        self.in_flight.extend_with(&going);
        // What it means goes by the frames that the ranks look at; once they run, they look at none.
        self.ask(id, vec![(going.clone(), operation)], Then::Run { settle: step && self.batch });
        self.state.frames.forget(&going);
        self.part_from(&going);
        self.focus_stays();
    }

    /// Stops those that run. A script goes on when they have stopped.
    pub(in crate::core) fn halt(&mut self, id: CommandId, target: Target) {
        let settle = self.batch;
        self.ask_alive_then(id, target, Operation::Interrupt, Then::Run { settle });
    }

    /// Ends processes or lets them go: they are no longer at rest, and a script goes on when they are gone.
    pub(in crate::core) fn give_up(&mut self, id: CommandId, target: Target, operation: Operation) {
        let alive = target.ranks.difference(&self.state.ranks.ended());
        self.in_flight.extend_with(&alive);
        let settle = self.batch;
        // Nothing is left to be done for those that are lost.
        let target = Target { means_lost: true, ..target };
        self.ask_alive_then(id, target, operation, Then::Run { settle });
    }

    pub(in crate::core) fn hold(&mut self, id: CommandId, target: Target, held: bool) {
        if self.refused(id, &target.ranks) {
            return;
        }
        if held {
            self.state.held.extend_with(&target.ranks);
        } else {
            self.state.held.remove_all(&target.ranks);
            self.no_longer_waiting(&target.ranks);
        }
        self.focus_stays();
        self.say(id, Content::Held(self.state.held.clone()));
        self.done(id);
    }

    pub(in crate::core) fn handle(
        &mut self,
        id: CommandId,
        target: Target,
        names: Vec<SignalName>,
        stop: Option<bool>,
        print: Option<bool>,
        pass: Option<bool>,
    ) {
        if self.refused(id, &target.ranks) {
            return;
        }
        let alive: ProcessSet = target.ranks.difference(&self.state.ranks.ended());
        if alive.is_empty() {
            self.refuse(id, target.ranks, "every rank of the set has ended");
            return;
        }
        let change = |name| (alive.clone(), Operation::HandleSignal { name, stop, print, pass });
        self.ask(id, names.into_iter().map(change).collect(), Then::Signals);
    }
}
