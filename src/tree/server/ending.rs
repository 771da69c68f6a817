//! The end of a server: those below first, then its own ranks.

use super::actor::Server;
use crate::engine::Engine;
use crate::model::ProcessState;
use crate::protocol::{TreeDown, TreeUp};
use std::time::{Duration, Instant};

/// An engine and children that do not end in this time are left behind.
const END_LIMIT: Duration = Duration::from_secs(4);

/// On the way out.
pub(super) struct Ending {
    pub(super) kill: bool,
    pub(super) by: Instant,
    told_parent: bool,
}

impl Server {
    /// First those below, then our own.
    pub(super) fn end(&mut self, kill: bool) {
        if self.ending.is_some() {
            return;
        }
        self.node.broadcast(&TreeDown::Shutdown { kill });
        self.engine.shutdown(kill);
        self.ending = Some(Ending { kill, by: Instant::now() + END_LIMIT, told_parent: false });
    }

    pub(super) fn is_over(&mut self) -> bool {
        let Some(ending) = &mut self.ending else { return false };
        let own = self.node.relay().own();
        let let_go = !ending.kill && own.is_subset(&self.node.states().ranks_that(ProcessState::is_ended));
        let done = (self.engine_ended || let_go) && self.node.all_down();
        if !done && Instant::now() < ending.by {
            return false;
        }
        if !done {
            tracing::error!("not everything ended in time: engine {}, {} links", self.engine_ended, self.node.links());
        }
        if !ending.told_parent {
            ending.told_parent = true;
            let output = self.output.let_out_all();
            self.say_output(Instant::now(), output);
            let up = self.node.flush();
            self.pass_up(up);
            self.parent.send(TreeUp::Down);
        }
        true
    }
}
