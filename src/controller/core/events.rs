//! What ranks and the master report unasked.

use super::Controller;
use super::tasks::task::Owner;
use crate::command::OUTPUT_LINES;
use crate::report::Content;
use crate::report::printed_variable;
use crate::state::{ChosenFrames, Downfall, ForeignEngines, Phase, RankTable, SessionInfo};
use model::{BreakpointId, Event, Operation, ProcessSet, ProcessState, Severity, Trace, TransactionId};
use protocol::SessionEvent;
use std::sync::Arc;

/// Of what a launcher says, so many bytes are kept beside the failure.
const LAUNCHER_KEPT: usize = 8 << 10;

impl Controller {
    pub(super) fn rank_event(&mut self, ranks: &ProcessSet, event: Event) {
        self.state.downfall.saw(ranks, &event);
        if let Event::Running | Event::Stopped(_) | Event::Executed(_) = &event {
            self.forget_ahead();
        }
        match event {
            Event::Acquired { pid } => {
                for rank in ranks.iter() {
                    self.state.ranks.set_pid(rank, pid);
                }
            }
            Event::Running => self.become_state(ranks, &ProcessState::Running, Content::Running),
            Event::Stopped(mut stop) => {
                self.arrive(ranks, &mut stop);
                if let Some(id) = stop.reason.point()
                    && let Some(breakpoint) = self.state.breakpoints.get_mut(&id)
                    && breakpoint.stopped(ranks, &stop.reason)
                {
                    self.state.breakpoints.remove(&id);
                }
                let state = ProcessState::Stopped(Box::new(stop.clone()));
                self.become_state(ranks, &state, |ranks| Content::Stopped(ranks, stop));
                self.settle_barriers();
            }
            Event::Exited(code) => {
                self.become_state(ranks, &ProcessState::Exited(code), |ranks| Content::Exited(ranks, code));
            }
            Event::Killed(signal) => {
                let state = ProcessState::Killed(signal.clone());
                self.become_state(ranks, &state, |ranks| Content::Killed(ranks, signal));
            }
            Event::Detached => self.become_state(ranks, &ProcessState::Detached, Content::Detached),
            Event::Failed(why) => {
                self.state.messages.push(Severity::Error, ranks.clone(), why.clone());
                self.become_state(ranks, &ProcessState::Failed(why.clone()), |ranks| Content::Failed(ranks, why));
            }
            Event::Lost(message) => {
                let host = ranks.first().and_then(|rank| self.state.ranks.get(rank)).map_or("", |view| view.host);
                let host = host.to_owned();
                self.state.messages.push(Severity::Error, ranks.clone(), message.clone());
                self.become_state(ranks, &ProcessState::Lost(message.clone()), |ranks| Content::Lost {
                    ranks,
                    host,
                    message,
                });
            }
            Event::Output(stream, text) => {
                self.state.output.push(ranks, stream, &text);
                self.limit_output();
                self.report(Content::Output(ranks.clone(), stream, text));
            }
            Event::BreakpointMoved(id, sites) => {
                self.placed(id, ranks);
                if let Some(breakpoint) = self.state.breakpoints.get_mut(&id) {
                    super::commands::breakpoints::move_sites(&mut breakpoint.sites, ranks, sites);
                    let content = Content::Breakpoint(breakpoint.clone());
                    self.report(content);
                }
            }
            Event::BreakpointArmed(id, armed) => {
                self.placed(id, ranks);
                if let Some(breakpoint) = self.state.breakpoints.get_mut(&id) {
                    breakpoint.arm(ranks, &armed);
                    let content = Content::Breakpoint(breakpoint.clone());
                    self.report(content);
                }
            }
            Event::LibrariesChanged { loaded, unloaded } => {
                self.report(Content::LibrariesChanged { ranks: ranks.clone(), loaded, unloaded });
                // They wait for it; what comes of it is told by the breakpoints that moved.
                self.send(Owner::Nobody, ranks.clone(), Operation::Reevaluate);
            }
            Event::Traced(trace) => {
                if let Some(breakpoint) = self.state.breakpoints.get_mut(&trace.id) {
                    breakpoint.hits.add(ranks, 1);
                }
                self.tell_trace(ranks, trace);
            }
            Event::BreakpointGone(id) => {
                self.placed(id, ranks);
                if self.state.breakpoints.get_mut(&id).is_some_and(|breakpoint| breakpoint.leave(ranks)) {
                    self.state.breakpoints.remove(&id);
                }
            }
            Event::Counted(id, arrivals) => {
                if let Some(breakpoint) = self.state.breakpoints.get_mut(&id) {
                    breakpoint.counted(ranks, arrivals);
                }
            }
            Event::UnderEngine(engine) => {
                self.state.engines.change(ranks, engine);
                self.stale_values();
            }
            Event::SignalSeen(name) => self.tell(Severity::Note, ranks.clone(), &format!("received signal {name}")),
            Event::Executed(program) => {
                self.tell(Severity::Note, ranks.clone(), &format!("is executing new program: {program}"));
            }
            Event::Message(severity, text) => self.tell(severity, ranks.clone(), &text),
        }
    }

    /// As many lines of output are kept as the user wants.
    pub(super) fn limit_output(&mut self) {
        self.state.output.keep(self.state.variables.get(OUTPUT_LINES) as usize);
    }

    fn tell_trace(&mut self, ranks: &ProcessSet, trace: Trace) {
        let limits = self.print_limits();
        let values = trace.values.iter().map(|variable| printed_variable(variable, &limits)).collect();
        let Trace { id, thread, frame, .. } = trace;
        self.report(Content::Traced { ranks: ranks.clone(), id, thread, frame, values });
    }

    /// Ranks have said where a breakpoint is now.
    fn placed(&mut self, id: BreakpointId, ranks: &ProcessSet) {
        if let Some(left) = self.unplaced.get_mut(&id) {
            left.remove_all(ranks);
            if left.is_empty() {
                self.unplaced.remove(&id);
            }
        }
    }

    fn become_state(&mut self, ranks: &ProcessSet, state: &ProcessState, content: impl FnOnce(ProcessSet) -> Content) {
        self.in_flight.remove_all(ranks);
        let moved = self.state.ranks.change(ranks, state);
        self.moved(&moved);
        if !moved.is_empty() {
            self.report(content(moved));
        }
        if !matches!(state, ProcessState::Stopped(_)) {
            self.settle_barriers();
        }
    }

    pub(super) fn session_event(&mut self, tid: TransactionId, event: SessionEvent) {
        match event {
            SessionEvent::Session { session, size, hosts } => {
                let mut ranks = RankTable::new(size);
                for (host, set) in &hosts {
                    ranks.set_host(set, host);
                }
                self.state.ranks = ranks;
                self.state.frames = ChosenFrames::default();
                self.state.downfall = Downfall::default();
                self.state.engines = ForeignEngines::default();
                for breakpoint in self.state.breakpoints.values_mut() {
                    breakpoint.begin_again();
                }
                let breakpoints = self.state.breakpoints.iter();
                self.unplaced = breakpoints.map(|(&id, breakpoint)| (id, breakpoint.ranks.clone())).collect();
                self.in_flight = ProcessSet::new();
                self.forget_barriers();
                self.forget_glances();
                let hosts = hosts.into_iter().map(|(host, set)| (Arc::from(host), set)).collect();
                let info = SessionInfo { id: session, size, hosts };
                self.state.session = Some(info.clone());
                self.state.launcher.clear();
                self.state.phase = Phase::Live;
                self.focus_in_new_job(size);
                self.begin_keeping();
                self.offer_saved();
                self.report(Content::Session(info));
                self.session_done(tid, None);
            }
            SessionEvent::Progress(text) => self.state.phase = Phase::Launching(text),
            SessionEvent::Failed(text) => {
                if self.session_done(tid, Some(&text)) {
                    self.state.messages.push(Severity::Error, ProcessSet::new(), text);
                } else {
                    self.state.phase = Phase::Failed(text.clone());
                    self.tell(Severity::Error, ProcessSet::new(), &text);
                }
            }
            SessionEvent::LauncherOutput(text) => {
                self.state.launcher.push_str(&text);
                let surplus = self.state.launcher.len().saturating_sub(LAUNCHER_KEPT);
                let cut = (surplus..).find(|&at| self.state.launcher.is_char_boundary(at));
                self.state.launcher.drain(..cut.unwrap_or(0));
                self.tell(Severity::Note, ProcessSet::new(), text.trim_end());
            }
            SessionEvent::LauncherExited(code) => {
                let severity = if code == 0 { Severity::Note } else { Severity::Warning };
                let all = ProcessSet::all(self.state.size());
                self.tell(severity, all, &format!("the launcher ended with exit status {code}"));
            }
            SessionEvent::Message(severity, text) => self.tell(severity, ProcessSet::new(), &text),
            SessionEvent::State { breakpoints, states, ranks, kept } => {
                self.resumed(breakpoints, &states, ranks, kept.as_deref());
            }
            SessionEvent::Joined => {}
            SessionEvent::Taken => {
                let words = "another front end has taken this session over";
                self.state.is_taken = true;
                self.state.phase = Phase::Failed(words.to_owned());
                self.tell(Severity::Error, ProcessSet::new(), words);
            }
            SessionEvent::Ended => self.session_over(),
        }
    }

    /// The master did what a command asked, or says why not; whether there was such a command.
    fn session_done(&mut self, tid: TransactionId, why_not: Option<&str>) -> bool {
        use super::tasks::task::Doing;
        let asked = |task: &super::tasks::task::Task| matches!(task.doing, Doing::Session(of) | Doing::Accepted(of) if of == tid);
        let found = self.tasks.iter().find(|(_, task)| asked(task));
        let Some((id, accepted)) = found.map(|(&id, task)| (id, matches!(task.doing, Doing::Accepted(_)))) else {
            return false;
        };
        match why_not {
            Some(why) if accepted => {
                self.refuse(id, ProcessSet::new(), why);
                self.accepted_failed();
            }
            None if accepted => self.accepted_is_there(id),
            Some(why) => self.refuse(id, ProcessSet::new(), why),
            // A script that starts its job again goes on when the ranks are there, as at its beginning.
            None if self.batch => self.settle_restart(id),
            None => self.done(id),
        }
        true
    }
}
