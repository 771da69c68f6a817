//! Lets commands wait for ranks.

use crate::command::CommandId;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::stalls;
use crate::core::tasks::task::{Doing, Silence, Wait};
use crate::core::tasks::then::Awaits;
use model::ProcessSet;
use std::time::{Duration, Instant};

/// Until when a script waits for ranks that have stepped, or that have started again and lack breakpoints.
pub(in crate::core) fn step_deadline(core: &Interpreter) -> Option<Instant> {
    Some(core.clock.now() + core.state.variables.seconds("step-patience"))
}

impl Interpreter {
    /// Waits for ranks; `expected` are those that the user knows to be lost.
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
            // On the screen, the user who asked for it looks on.
            let silence =
                if self.batch && limit.is_none() { stalls::begin(self.clock.now()) } else { Silence::Expected };
            task.doing =
                Doing::Waiting(Wait { ranks, expected, exited, any: false, placed: false, deadline, limit, silence });
        }
    }

    /// Waits for the ranks that a script has continued to stop again; after a step, within the limit of a setting.
    pub(in crate::core) fn settle_step(&mut self, id: CommandId, ranks: ProcessSet, awaits: Awaits) {
        self.settle_for(id, ranks, false);
        if let Some(Doing::Waiting(wait)) = self.tasks.get_mut(&id).map(|task| &mut task.doing) {
            if awaits != Awaits::Halt {
                wait.silence = stalls::begin(self.clock.now());
            }
            if awaits == Awaits::Stop {
                wait.deadline = None;
            }
        }
    }

    /// Lets a script that restarts its job continue once the ranks are ready and have their breakpoints: its requests
    /// must not overtake the master's own.
    pub(in crate::core) fn settle_restart(&mut self, id: CommandId) {
        self.settle_for(id, ProcessSet::all(self.state.size()), true);
    }

    fn settle_for(&mut self, id: CommandId, ranks: ProcessSet, placed: bool) {
        let deadline = step_deadline(self);
        if let Some(task) = self.tasks.get_mut(&id) {
            let expected = ProcessSet::new();
            task.doing = Doing::Waiting(Wait {
                ranks,
                expected,
                exited: false,
                any: false,
                placed,
                deadline,
                limit: None,
                silence: Silence::Expected,
            });
        }
    }
}
