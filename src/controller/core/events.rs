//! What ranks and the master report unasked.

use crate::core::commands::breakpoints::move_sites;
use crate::core::commands::scripts;
use crate::core::controller::Controller;
use crate::core::tasks::query::Owner;
use crate::core::tasks::task::{Doing, Task};
use crate::core::unplaced::Unplaced;
use crate::report::{Content, printed_variable};
use crate::state::{ChosenFrames, Downfall, ForeignEngines, Phase, RankTable, SessionInfo};
use model::{
    Breakpoint, BreakpointId, Event, Operation, ProcessSet, ProcessState, Severity, Stop, Trace, TransactionId,
};
use protocol::SessionEvent;
use std::sync::Arc;

/// Of what a launcher says, so many bytes are kept beside the failure.
const LAUNCHER_KEPT: usize = 8 << 10;

impl Controller {
    pub(super) fn rank_event(&mut self, ranks: &ProcessSet, event: Event) {
        self.core.state.downfall.saw(ranks, &event);
        if let Event::Running | Event::Stopped(_) | Event::Executed(_) = &event {
            self.core.forget_ahead();
        }
        match event {
            Event::Acquired { pid } => {
                for rank in ranks.iter() {
                    self.core.state.ranks.set_pid(rank, pid);
                }
            }
            Event::Running => self.become_state(ranks, &ProcessState::Running, Content::Running),
            Event::Stopped(stop) => self.stopped(ranks, stop),
            Event::Exited(code) => {
                self.become_state(ranks, &ProcessState::Exited(code), |ranks| Content::Exited(ranks, code));
            }
            Event::Killed(signal) => {
                let state = ProcessState::Killed(signal.clone());
                self.become_state(ranks, &state, |ranks| Content::Killed(ranks, signal));
            }
            Event::Detached => self.become_state(ranks, &ProcessState::Detached, Content::Detached),
            Event::Failed(why) => {
                self.core.state.messages.push(Severity::Error, ranks.clone(), why.clone());
                self.become_state(ranks, &ProcessState::Failed(why.clone()), |ranks| Content::Failed(ranks, why));
            }
            Event::Lost(message) => self.lost(ranks, message),
            Event::Output(stream, text) => {
                self.core.state.output.push(ranks, stream, &text);
                self.core.state.limit_output();
                self.core.report(Content::Output(ranks.clone(), stream, text));
            }
            Event::BreakpointMoved(id, sites) => {
                self.breakpoint_changed(id, ranks, |breakpoint| move_sites(&mut breakpoint.sites, ranks, sites));
            }
            Event::BreakpointArmed(id, armed) => {
                self.breakpoint_changed(id, ranks, |breakpoint| breakpoint.arm(ranks, &armed));
            }
            Event::LibrariesChanged { loaded, unloaded } => {
                self.core.report(Content::LibrariesChanged { ranks: ranks.clone(), loaded, unloaded });
                // They wait for it; what comes of it is told by the breakpoints that moved.
                self.core.send(Owner::Nobody, ranks.clone(), Operation::Reevaluate);
            }
            Event::Traced(trace) => {
                if let Some(breakpoint) = self.core.state.breakpoints.get_mut(&trace.id) {
                    breakpoint.hits.add(ranks, 1);
                }
                self.tell_trace(ranks, trace);
            }
            Event::BreakpointGone(id) => {
                self.core.unplaced.placed(id, ranks);
                if self.core.state.breakpoints.get_mut(&id).is_some_and(|breakpoint| breakpoint.leave(ranks)) {
                    self.core.state.breakpoints.remove(&id);
                }
            }
            Event::Counted(id, arrivals) => {
                if let Some(breakpoint) = self.core.state.breakpoints.get_mut(&id) {
                    breakpoint.counted(ranks, arrivals);
                }
            }
            Event::UnderEngine(engine) => {
                self.core.state.engines.change(ranks, engine);
                self.core.views.stale_values();
            }
            Event::SignalSeen(name) => {
                self.core.tell(Severity::Note, ranks.clone(), &format!("received signal {name}"));
            }
            Event::Executed(program) => {
                self.core.tell(Severity::Note, ranks.clone(), &format!("is executing new program: {program}"));
            }
            Event::Message(severity, text) => self.core.tell(severity, ranks.clone(), &text),
        }
    }

    fn stopped(&mut self, ranks: &ProcessSet, mut stop: Stop) {
        self.core.may_have_changed |= self.core.state.arrive(ranks, &mut stop);
        if let Some(id) = stop.reason.point()
            && let Some(breakpoint) = self.core.state.breakpoints.get_mut(&id)
            && breakpoint.stopped(ranks, &stop.reason)
        {
            self.core.state.breakpoints.remove(&id);
        }
        let state = ProcessState::Stopped(Box::new(stop.clone()));
        self.become_state(ranks, &state, |ranks| Content::Stopped(ranks, stop));
        self.core.settle_barriers();
    }

    fn lost(&mut self, ranks: &ProcessSet, message: String) {
        let host = ranks.first().and_then(|rank| self.core.state.ranks.get(rank)).map_or("", |view| view.host);
        let host = host.to_owned();
        self.core.state.messages.push(Severity::Error, ranks.clone(), message.clone());
        self.become_state(ranks, &ProcessState::Lost(message.clone()), |ranks| Content::Lost { ranks, host, message });
    }

    fn breakpoint_changed(&mut self, id: BreakpointId, ranks: &ProcessSet, change: impl FnOnce(&mut Breakpoint)) {
        self.core.unplaced.placed(id, ranks);
        if let Some(breakpoint) = self.core.state.breakpoints.get_mut(&id) {
            change(breakpoint);
            let content = Content::Breakpoint(breakpoint.clone());
            self.core.report(content);
        }
    }

    fn tell_trace(&mut self, ranks: &ProcessSet, trace: Trace) {
        let limits = self.core.state.format_options();
        let values = trace.values.iter().map(|variable| printed_variable(variable, &limits)).collect();
        let Trace { id, thread, frame, .. } = trace;
        self.core.report(Content::Traced { ranks: ranks.clone(), id, thread, frame, values });
    }

    fn become_state(&mut self, ranks: &ProcessSet, state: &ProcessState, content: impl FnOnce(ProcessSet) -> Content) {
        self.core.state.ranks.heard_from(ranks);
        let moved = self.core.state.ranks.change(ranks, state);
        self.core.views.moved(&mut self.core.state, &moved);
        if !moved.is_empty() {
            self.core.report(content(moved));
        }
        if !matches!(state, ProcessState::Stopped(_)) {
            self.core.settle_barriers();
        }
    }

    pub(super) fn session_event(&mut self, tid: TransactionId, event: SessionEvent) {
        match event {
            SessionEvent::Session { session, size, hosts } => {
                let mut ranks = RankTable::new(size);
                for (host, set) in &hosts {
                    ranks.set_host(set, host);
                }
                self.core.state.ranks = ranks;
                self.core.state.frames = ChosenFrames::default();
                self.core.state.downfall = Downfall::default();
                self.core.state.engines = ForeignEngines::default();
                for breakpoint in self.core.state.breakpoints.values_mut() {
                    breakpoint.begin_again();
                }
                self.core.unplaced = Unplaced::begin(&self.core.state.breakpoints);
                self.core.state.forget_barriers();
                self.core.views.forget(&mut self.core.state);
                let hosts = hosts.into_iter().map(|(host, set)| (Arc::from(host), set)).collect();
                let info = SessionInfo { id: session, size, hosts };
                self.core.state.session = Some(info.clone());
                self.core.state.launcher.clear();
                self.core.state.phase = Phase::Live;
                if let Some(words) = self.core.state.focus.begin_again(size) {
                    let ranks = self.core.state.focus.set.clone();
                    self.core.tell(Severity::Note, ranks, &words);
                }
                self.begin_keeping();
                scripts::offer_saved(&mut self.core);
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
                self.core.tell(Severity::Note, ProcessSet::new(), text.trim_end());
            }
            SessionEvent::LauncherExited(code) => {
                let severity = if code == 0 { Severity::Note } else { Severity::Warning };
                let all = ProcessSet::all(self.core.state.size());
                self.core.tell(severity, all, &format!("the launcher ended with exit status {code}"));
            }
            SessionEvent::Message(severity, text) => self.core.tell(severity, ProcessSet::new(), &text),
            SessionEvent::State { breakpoints, states, ranks, kept } => {
                self.resumed(breakpoints, &states, ranks, kept.as_deref());
            }
            SessionEvent::Joined => {}
            SessionEvent::Taken => {
                let words = "another front end has taken this session over";
                self.core.state.is_taken = true;
                self.core.state.phase = Phase::Failed(words.to_owned());
                self.core.tell(Severity::Error, ProcessSet::new(), words);
            }
            SessionEvent::Ended => self.session_over(),
        }
    }

    /// The master did what a command asked, or says why not; whether there was such a command.
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
            // A script that starts its job again goes on when the ranks are there, as at its beginning.
            None if self.core.batch => self.core.settle_restart(id),
            None => self.core.done(id),
        }
        true
    }
}
