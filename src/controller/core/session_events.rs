//! Handles unrequested messages of the master.

use crate::command::RankLayout;
use crate::core::commands::running;
use crate::core::commands::scripting::command_files;
use crate::core::controller::Controller;
use crate::core::last_looks::LastLooks;
use crate::core::session_history::SessionHistory;
use crate::core::tasks::task::{Doing, Task};
use crate::core::unplaced::Unplaced;
use crate::report::Content;
use crate::state::{ChosenFrames, Downfall, ForeignEngines, Phase, RankTable, SessionInfo, ThreadNames};
use model::{ProcessSet, Severity, TransactionId};
use protocol::SessionEvent;
use std::sync::Arc;

/// The bytes of a launcher's output that are kept beside the failure.
const LAUNCHER_KEPT: usize = 8 << 10;

impl Controller {
    pub(super) fn session_event(&mut self, tid: TransactionId, event: SessionEvent) {
        match event {
            SessionEvent::Session { session, size, hosts } => {
                let after = self.core.clock.now().saturating_duration_since(self.core.begun);
                self.core.state.output.begin_run(ProcessSet::all(size), after);
                let mut ranks = RankTable::new(size);
                for (host, set) in &hosts {
                    ranks.set_host(set, host);
                }
                self.core.state.ranks = ranks;
                self.core.state.frames = ChosenFrames::default();
                self.core.state.thread_names = ThreadNames::default();
                self.core.state.downfall = Downfall::default();
                self.core.state.engines = ForeignEngines::default();
                for breakpoint in self.core.state.breakpoints.values_mut() {
                    breakpoint.begin_again();
                }
                self.core.kept_numbers.begin_again(size);
                self.core.history = SessionHistory::default();
                self.core.unplaced = Unplaced::begin(&self.core.state.breakpoints);
                self.core.state.forget_barriers();
                if !self.core.state.layout.fits(size) {
                    self.core.state.layout = RankLayout::Plain;
                }
                self.core.views.forget(&mut self.core.state);
                self.core.last_looks = LastLooks::default();
                self.core.state.unmoved = ProcessSet::new();
                let hosts = hosts.into_iter().map(|(host, set)| (Arc::from(host), set)).collect();
                let info = SessionInfo { id: session, size, hosts };
                self.core.state.session = Some(info.clone());
                self.core.state.launcher.clear();
                self.core.state.launcher_ended = None;
                self.core.state.phase = Phase::Live;
                if let Some(words) = self.core.state.focus.begin_again(size) {
                    let ranks = self.core.state.focus.set.clone();
                    self.core.tell(Severity::Note, ranks, &words);
                }
                self.begin_keeping();
                command_files::offer_saved(&mut self.core);
                self.core.report(Content::Session(info));
                self.session_done(tid, None);
            }
            SessionEvent::Progress(text) => self.core.state.phase = Phase::Launching(text),
            SessionEvent::Failed(text) => {
                if self.session_done(tid, Some(&text)) {
                    self.core.state.messages.push(Severity::Error, ProcessSet::new(), text);
                } else {
                    self.core.state.phase = Phase::Failed(text.clone());
                    self.core.tell(Severity::Error, ProcessSet::new(), &text);
                }
            }
            SessionEvent::LauncherOutput(text) => {
                self.core.state.launcher.push_str(&text);
                let surplus = self.core.state.launcher.len().saturating_sub(LAUNCHER_KEPT);
                let cut = (surplus..).find(|&at| self.core.state.launcher.is_char_boundary(at));
                self.core.state.launcher.drain(..cut.unwrap_or(0));
                let text = text.trim_end();
                self.core.state.messages.push(Severity::Note, ProcessSet::new(), text.to_owned());
                self.core.report(Content::LauncherOutput(text.to_owned()));
            }
            SessionEvent::LauncherExited(code) => {
                self.core.state.launcher_ended = Some(code);
                // Of a job that has not begun, the failure says it.
                if self.core.state.phase != Phase::Live {
                    return;
                }
                let severity = if code == 0 { Severity::Note } else { Severity::Warning };
                let all = ProcessSet::all(self.core.state.size());
                self.core.tell(severity, all, &format!("the launcher exited with status {code}"));
            }
            SessionEvent::Message(severity, text) => self.core.tell(severity, ProcessSet::new(), &text),
            SessionEvent::State { breakpoints, states, ranks, kept } => {
                self.resumed(breakpoints, &states, ranks, kept.as_deref());
            }
            SessionEvent::Joined => {}
            SessionEvent::Taken => {
                let words = "another front end took over this session";
                self.core.state.is_taken = true;
                self.core.state.phase = Phase::Failed(words.to_owned());
                self.core.tell(Severity::Error, ProcessSet::new(), words);
            }
            SessionEvent::Ended => self.session_over(),
        }
    }

    /// Handles the master's reply to a command (`why_not`: it failed); true if there was such a command.
    fn session_done(&mut self, tid: TransactionId, why_not: Option<&str>) -> bool {
        let asked = |task: &Task| matches!(task.doing, Doing::Session(of) | Doing::Accepted(of) if of == tid);
        let found = self.core.tasks.iter().find(|(_, task)| asked(task));
        let Some((id, accepted)) = found.map(|(&id, task)| (id, matches!(task.doing, Doing::Accepted(_)))) else {
            return false;
        };
        match why_not {
            Some(why) if accepted => {
                self.core.refuse(id, ProcessSet::new(), why);
                self.accepted_failed();
            }
            None if accepted => self.accepted_is_there(id),
            Some(why) => self.core.refuse(id, ProcessSet::new(), why),
            // A script that restarts its job continues when the ranks are ready, as at its beginning.
            None if running::waits_for_ranks(&self.core, id) => self.core.settle_restart(id),
            None => self.core.done(id),
        }
        true
    }
}
