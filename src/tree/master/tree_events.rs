//! Handles the reports of the tree and of processes.

use super::job::Job;
use super::remote_servers::STEP_LOG;
use super::server_logs::{lack_of, last_log_line, last_log_line_of, start_hint};
use super::state::Master;
use model::{Answer, BreakpointId, Event, Failure, Operation, Severity, TransactionId};
use nix::unistd::Pid;
use protocol::{LaunchPlan, Reply, ServerIndex, SessionEvent, TreeDown, TreeUp, WaitPolicy};
use std::process::ExitStatus;
use std::time::Instant;

impl Master {
    /// Handles messages of the tree.
    pub(super) fn heard(&mut self, now: Instant, up: Vec<TreeUp>) {
        for message in up {
            tracing::debug!("received {message:?}");
            match message {
                TreeUp::Reply(reply) => self.heard_reply(now, reply),
                TreeUp::Here { server, host, .. } => {
                    self.servers.hosts.insert(server, host);
                    match &mut self.job {
                        Job::Assembling(assembly) => {
                            assembly.server_here(now, server);
                            if let Err(why) = self.servers.server_here(server) {
                                self.fault(now, why);
                            }
                        }
                        Job::Ending(ending) => {
                            // It announced itself after the others had been told.
                            self.node.pass_down(server, TreeDown::Shutdown { kill: ending.kill });
                        }
                        Job::None | Job::Running => {}
                    }
                }
                TreeUp::Acquired { server, ranks, size } => {
                    let set = self.ranks.acquired(server, ranks);
                    if let Job::Assembling(assembly) = &mut self.job {
                        assembly.ranks_here(now, &set, size);
                    }
                }
                TreeUp::LaunchFailed { server, message } => {
                    let message = format!("server {} on {}: {message}", server.0, self.servers.host_of(server));
                    if self.node.stays(server) {
                        tracing::warn!("{message}; it stays connected to the master");
                    } else {
                        self.fault(now, message);
                    }
                }
                TreeUp::ServerLost { server, message } => self.server_lost(now, server, &message),
                TreeUp::Down => {}
            }
        }
    }

    fn heard_reply(&mut self, now: Instant, reply: Reply) {
        if let (Some(step), Some(LaunchPlan::Local { .. }), Reply::Event { event, .. }) =
            (&mut self.step, &self.plan, &reply)
        {
            step.process_reports(event);
        }
        match &reply {
            Reply::Answer { tid, ranks, missing, answer, .. } => {
                let refused = self.breakpoints.answered(*tid, ranks, answer);
                self.breakpoints.heard_of(*tid, missing);
                // We set the breakpoint again: the front end learns the new sites as if the old ones had moved.
                let events = match (answer, refused) {
                    (Answer::Breakpoint(id, sites), _) => vec![Event::BreakpointMoved(*id, sites.clone())],
                    (Answer::Armed(id, armed), _) => vec![Event::BreakpointArmed(*id, armed.clone())],
                    (Answer::Failed(failure), Some((id, word))) => not_set_again(id, word, failure),
                    _ => Vec::new(),
                };
                for event in events.into_iter().filter(|_| self.front.ids.outward(*tid).is_none()) {
                    self.front.say(&Reply::Event { tid: TransactionId(0), ranks: ranks.clone(), event });
                }
            }
            Reply::Event { ranks, event, .. } => {
                self.breakpoints.reported(ranks, event);
                if let Event::UnderEngine(engine) = event {
                    self.ranks.under_engine(ranks, *engine);
                }
                if matches!(event, Event::LibrariesChanged { .. }) && !self.front.is_there() {
                    // Nobody else would continue them.
                    let tid = self.front.ids.own();
                    self.pass_down(now, tid, ranks.clone(), WaitPolicy::All, Operation::Reevaluate);
                }
            }
            Reply::Missing { tid, ranks } => self.breakpoints.heard_of(*tid, ranks),
            Reply::Session { .. } => {}
        }
        match &mut self.job {
            Job::Assembling(assembly) => assembly.hold(now, reply),
            _ => self.front.pass(reply),
        }
    }

    pub(super) fn fault(&mut self, now: Instant, message: String) {
        tracing::error!("{message}");
        if let Job::Assembling(assembly) = &mut self.job {
            assembly.fault(now, message);
        }
    }

    fn server_lost(&mut self, now: Instant, server: ServerIndex, why: &str) {
        let lack = lack_of(&self.setup.directory, server).map_or_else(String::new, |lack| format!("; {lack}"));
        let message = format!("lost server {} on {}: {why}{lack}", server.0, self.servers.host_of(server));
        if matches!(self.job, Job::Assembling(_)) {
            return self.fault(now, message);
        }
        tracing::error!("{message}");
        if let Some(ranks) = self.ranks.server_lost(server) {
            let up = self.node.speak_for(now, ranks, Event::Lost(message));
            self.heard(now, up);
        }
    }

    /// Handles the end of a server process started here. Without a link to it, only this reports its end.
    pub(super) fn server_ended(&mut self, now: Instant, server: ServerIndex, status: ExitStatus) {
        if let Job::Assembling(_) = self.job {
            let words = last_log_line(&self.setup.directory, server);
            let host = self.servers.hosts.get(&server).map_or_else(String::new, |host| format!(" on {host}"));
            let hint = if host.is_empty() {
                ""
            } else {
                let (log, stage) = (format!("server-{}", server.0), self.setup.reach.stage);
                start_hint(&self.setup.directory, &log, status.code(), stage)
            };
            self.fault(now, format!("server {}{host} ended ({status}): {words}{hint}", server.0));
        } else {
            let up = self.node.orphan_ended(server, &format!("it ended ({status})"));
            self.heard(now, up);
        }
    }

    /// Handles the end of a step that had started servers; the links show which of them are still there.
    pub(super) fn step_ended(&mut self, now: Instant, first: ServerIndex, count: u32, status: ExitStatus) {
        let step: Option<Pid> = self.servers.running.get(&first).copied();
        let of_step: Vec<ServerIndex> =
            self.servers.running.iter().filter(|(_, pid)| Some(**pid) == step).map(|(server, _)| *server).collect();
        for server in &of_step {
            self.servers.running.remove(server);
        }
        if self.job.is_assembling() {
            let words = last_log_line_of(&self.setup.directory, STEP_LOG);
            // Its code is that of a task, and codes of srun itself mean something else.
            let hint = start_hint(&self.setup.directory, STEP_LOG, None, self.setup.reach.stage);
            self.fault(now, format!("srun, which started {count} servers, ended ({status}): {words}{hint}"));
        } else {
            of_step.into_iter().for_each(|server| self.server_ended(now, server, status));
        }
    }

    pub(super) fn launcher_ended(&mut self, now: Instant, code: i32) {
        let Some(launcher) = &mut self.launcher else { return };
        launcher.ended = Some(code);
        if let Some(step) = &mut self.step {
            step.launcher_ended(code);
        }
        match &self.job {
            Job::Assembling(assembly) => {
                while let Some(words) = launcher.news() {
                    self.front.tell(assembly.tid, SessionEvent::LauncherOutput(words));
                }
                let progress = assembly.progress();
                self.front.tell(assembly.tid, SessionEvent::LauncherExited(code));
                let words = format!("the launcher exited with code {code} before all ranks had connected ({progress})");
                self.fault(now, words);
            }
            Job::Running => {
                self.pass_words();
                self.front.tell(TransactionId(0), SessionEvent::LauncherExited(code));
            }
            Job::None | Job::Ending(_) => {}
        }
    }
}

/// Returns the events about a breakpoint that restarted ranks refuse.
fn not_set_again(id: BreakpointId, word: &str, failure: &Failure) -> Vec<Event> {
    let words = format!("deleted {word} {id}: cannot set it again after the restart: {}", failure.message);
    vec![Event::Message(Severity::Error, words), Event::BreakpointGone(id)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ErrorCode;

    #[test]
    fn a_breakpoint_that_is_not_taken_again_does_not_go_silently() {
        let failure = Failure::new(ErrorCode::UNKNOWN_VARIABLE, "No symbol \"n\" in current context.");
        let events = not_set_again(BreakpointId(3), "watchpoint", &failure);
        let [Event::Message(Severity::Error, words), Event::BreakpointGone(BreakpointId(3))] = &events[..] else {
            panic!("{events:?}");
        };
        assert!(words.contains("watchpoint 3") && words.ends_with(&failure.message), "{words}");
    }
}
