//! The end of a server: its descendants first, then its own ranks.

use super::state::{Ending, Server};
use engine::{Engine, Report};
use model::{Event, ProcessState, Severity, TransactionId};
use nix::sys::signal::Signal;
use protocol::{TreeDown, TreeUp};
use std::time::{Duration, Instant};

/// Time for the engine and the children to end; after it they are left behind.
const END_LIMIT: Duration = Duration::from_secs(4);

impl Server {
    /// Ends the servers below first, then our own ranks.
    pub(super) fn end(&mut self, kill: bool) {
        if self.ending.is_some() {
            return;
        }
        self.node.broadcast(&TreeDown::Shutdown { kill });
        self.engine.shutdown(kill);
        self.ending = Some(Ending { kill, by: Instant::now() + END_LIMIT, all_below: true, told_parent: false });
    }

    /// Ends this server alone: its own ranks as at any end, so that no breakpoint stays in attached processes. The
    /// others treat it as a lost server; its ranks have reported why by then.
    pub(super) fn leave(&mut self, signal: Signal) {
        if self.ending.is_some() {
            return;
        }
        tracing::warn!("received {}: ending", signal.as_str());
        let (tid, ranks) = (TransactionId(0), self.node.relay().own().clone());
        if !ranks.is_empty() {
            let words = format!(
                "received {} for server {} on {}: it detaches from attached processes, kills started ones, and ends",
                signal.as_str(),
                self.setup.index.0,
                self.host()
            );
            let event = Event::Message(Severity::Warning, words);
            let up = self.node.engine_said(Instant::now(), Report::Event { tid, ranks, event });
            self.pass_up(up);
        }
        self.engine.shutdown(true);
        let by = Instant::now() + END_LIMIT;
        self.ending = Some(Ending { kill: true, by, all_below: false, told_parent: false });
    }

    /// True if ranks that were started here may outlive the session: they still write through the engine.
    pub(super) fn is_outlived(&self) -> bool {
        let Some(ending) = &self.ending else { return false };
        let detached = self.node.states().ranks_that(|state| *state == ProcessState::Detached);
        let started = self.node.relay().own().difference(&self.engine.guests());
        !ending.kill || (ending.all_below && detached.meets(&started))
    }

    pub(super) fn is_over(&mut self) -> bool {
        let outlived = self.is_outlived();
        let Some(ending) = &mut self.ending else { return false };
        let own = self.node.relay().own();
        let let_go = outlived && own.is_subset(&self.node.states().ranks_that(ProcessState::is_ended));
        let done = (self.engine_ended || let_go) && (self.node.all_down() || !ending.all_below);
        if !done && Instant::now() < ending.by {
            return false;
        }
        if !done {
            tracing::error!(
                "shutdown timed out: engine ended: {}, links open: {}",
                self.engine_ended,
                self.node.links()
            );
        }
        if !ending.told_parent {
            ending.told_parent = true;
            let all_below = ending.all_below;
            let output = self.output.let_out_all();
            self.say_output(Instant::now(), output);
            let up = self.node.flush();
            self.pass_up(up);
            if all_below {
                self.parent.send(TreeUp::Down);
            }
        }
        true
    }
}
