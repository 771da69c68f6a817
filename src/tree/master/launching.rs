//! Starts a job and brings its servers and ranks together.

use super::assembly::{Assembly, Outcome, Stage};
use super::attaching::seek_processes;
use super::child_servers::send_to_parents;
use super::ending::{Ending, Then};
use super::input::Input;
use super::job::{Job, LOCAL_LIMIT};
use super::meeting::leaves_host;
use super::processes::Launcher;
use super::servers::JobServers;
use super::setup::MasterSetup;
use super::state::Master;
use crate::arguments::EngineKind;
use crate::join::plan::JoinPlan;
use crate::node::Node;
use crate::own_program::own_words;
use crate::restart::{JOIN, changed, former_directory};
use crate::routing::topology::Topology;
use model::{LaunchSpec, Operation, Rank, StartChanges, TransactionId};
use protocol::{LaunchPlan, ServerIndex, SessionEvent, TreeDown, WaitPolicy};
use std::time::Instant;

/// Maximum number of real processes on one host.
const MOST_PROCESSES: u32 = 4096;
/// Maximum number of simulated ranks.
const MOST_SIMULATED: u32 = 1 << 20;

impl Master {
    /// Starts a job; with `again` it takes the breakpoints of the one before.
    pub(super) fn launch(&mut self, now: Instant, tid: TransactionId, plan: LaunchPlan, again: bool) {
        match &mut self.job {
            Job::None => {}
            // A job whose ranks have all ended makes room.
            Job::Running if self.node.states().ranks_that(|state| !state.is_ended()).is_empty() => {
                return self.end(now, Ending::new(true, Then::Launch { tid, plan, again }));
            }
            Job::Running => return self.front.refuse(tid, "the session already has a job: restart it, or quit first"),
            // The remains of a job that could not start are being cleared away.
            Job::Ending(ending) => {
                if !ending.and_then_launch(tid, &plan) {
                    self.front.refuse(tid, "the session is ending, or already starting another job");
                }
                return;
            }
            Job::Assembling(_) => return self.front.refuse(tid, "the job is already starting"),
        }
        if !again {
            self.breakpoints.clear();
            self.signals.clear();
            self.changes = StartChanges::default();
        }
        self.plan = Some(plan.clone());
        if let Some(step) = &mut self.step {
            step.launched();
        }
        let begun = match &changed(plan, &self.changes) {
            LaunchPlan::Local { ranks, .. } => self.launch_local(now, tid, *ranks),
            LaunchPlan::Hosts { hosts, .. } => self.servers.launch_on_hosts(now, tid, hosts),
            LaunchPlan::Attach { target, .. } => seek_processes(&self.inputs, tid, target),
            LaunchPlan::Starter { command, spec } => self.servers.start_debugged(tid, command, spec).map(|launcher| {
                self.launcher = Some(launcher);
                Assembly::new(tid, None, None, None)
            }),
            LaunchPlan::Joined { command, spec } => {
                let mut join = JoinPlan {
                    spec: spec.clone(),
                    master: self.servers.address.clone(),
                    listen: self.setup.listen.clone(),
                    ports: self.setup.ports_of_servers(),
                    engine: self.setup.engine.clone(),
                    shape: self.setup.shape,
                    ranks_per_server: self.setup.ranks_per_server,
                    routing_file: self.setup.routing_file.clone(),
                    meeting: None,
                    dialling: self.setup.dialling,
                    changes: StartChanges {
                        directory: self.changes.directory_from(&former_directory(spec)),
                        input: None,
                        ..self.changes.clone()
                    },
                };
                self.servers.start_launcher(command, &mut join).map(|launcher| {
                    self.launcher = Some(launcher);
                    Assembly::new(tid, None, None, None)
                })
            }
        };
        match begun {
            Ok(mut assembly) => {
                assembly.again = again;
                self.job = Job::Assembling(Box::new(assembly));
            }
            Err(why) => {
                self.front.refuse(tid, &why);
                if !self.servers.running.is_empty() {
                    self.end(now, Ending::new(true, Then::Nothing));
                }
            }
        }
    }

    fn launch_local(&mut self, now: Instant, tid: TransactionId, ranks: u32) -> Result<Assembly, String> {
        let most = match self.setup.engine.kind {
            EngineKind::Native | EngineKind::Gdb | EngineKind::Core => MOST_PROCESSES,
            EngineKind::Fake => MOST_SIMULATED,
        };
        if ranks == 0 || ranks > most {
            return Err(format!("cannot start {ranks} ranks on one host: the limit is 1 to {most}"));
        }
        if let Some(listed) = launch_listed(&self.setup, &self.node, now, tid, ranks) {
            return listed;
        }
        let servers = self.servers.start_servers(ranks)?;
        Ok(Assembly::new(tid, Some(servers), Some(ranks), Some(now + LOCAL_LIMIT)))
    }

    /// Takes every step of the start that is possible now.
    pub(super) fn advance(&mut self, now: Instant) {
        if matches!(self.job, Job::Ending(_)) {
            return self.advance_ending(now);
        }
        if matches!(self.job, Job::Running) {
            return self.pass_words();
        }
        self.dialler.look_for_places(self.servers.meeting.as_ref());
        let Job::Assembling(assembly) = &mut self.job else { return };
        let tid = assembly.tid;
        if assembly.servers.is_none()
            && let Some(words) = self.launcher.as_mut().and_then(Launcher::news)
        {
            self.front.tell(tid, SessionEvent::LauncherOutput(words));
        }
        if let Some(progress) = assembly.news(now) {
            self.front.tell(tid, SessionEvent::Progress(progress));
        }
        match assembly.outcome(now) {
            Outcome::Failed(why) => {
                self.front.tell(tid, SessionEvent::Failed(why));
                self.end(now, Ending::new(true, Then::Nothing));
                return;
            }
            Outcome::Complete if assembly.servers.is_none() => {
                // Only now is the number of servers known.
                assembly.servers = Some(assembly.servers_here());
            }
            Outcome::Complete | Outcome::Open => {}
        }
        self.advance_assembly(now);
    }

    fn advance_assembly(&mut self, now: Instant) {
        let Job::Assembling(assembly) = &mut self.job else { return };
        if assembly.stage == Stage::Gathering && assembly.all_here() {
            assembly.stage = Stage::Moving;
            let tree = Topology::new(assembly.servers.unwrap_or(0), self.setup.shape);
            send_to_parents(&mut self.node, &self.setup, &self.servers.address, &tree);
        }
        let Job::Assembling(assembly) = &mut self.job else { return };
        if assembly.stage == Stage::Moving && self.node.is_settled() {
            assembly.stage = Stage::Acquiring;
            let servers = assembly.servers.unwrap_or(0);
            self.acquire(servers);
            return self.advance_assembly(now);
        }
        if assembly.stage == Stage::Acquiring && assembly.outcome(now) == Outcome::Complete {
            self.complete(now);
        }
    }

    /// Has the servers launch or attach to their ranks.
    fn acquire(&mut self, servers: u32) {
        match self.plan.clone().map(|plan| changed(plan, &self.changes)) {
            Some(LaunchPlan::Local { ranks, spec }) => {
                let share = self.setup.ranks_per_server.unwrap_or(ranks).max(1);
                for server in 0..servers {
                    let first = server * share;
                    let message = TreeDown::Launch {
                        server: ServerIndex(server),
                        first: Rank(first),
                        count: share.min(ranks.saturating_sub(first)),
                        size: ranks,
                        spec: spec.clone(),
                    };
                    self.node.pass_down(ServerIndex(server), message);
                }
            }
            Some(LaunchPlan::Hosts { hosts, spec }) => {
                let size = hosts.iter().map(|(_, count)| *count).sum();
                let mut first = 0;
                for (server, (_, count)) in (0..).map(ServerIndex).zip(hosts) {
                    let launch = TreeDown::Launch { server, first: Rank(first), count, size, spec: spec.clone() };
                    self.node.pass_down(server, launch);
                    first += count;
                }
            }
            Some(LaunchPlan::Attach { spec, .. } | LaunchPlan::Starter { spec, .. }) => {
                self.attach(&spec);
            }
            Some(LaunchPlan::Joined { .. }) | None => {}
        }
    }

    fn complete(&mut self, now: Instant) {
        let Job::Assembling(mut assembly) = std::mem::replace(&mut self.job, Job::Running) else { return };
        self.ranks.complete(assembly.size.unwrap_or(0));
        if let Ok(mut info) = self.setup.directory.info() {
            info.size = self.ranks.size();
            if info.command.is_empty() {
                // There was no front end to set it before there was a session.
                info.command = self.plan.as_ref().map(LaunchPlan::words).unwrap_or_default();
            }
            if let Err(error) = self.setup.directory.write_info(&info) {
                tracing::warn!("{error}");
            }
        }
        self.front.tell(assembly.tid, self.ranks.session_event(self.setup.directory.name()));
        self.front.told_job();
        if assembly.again {
            let all = self.ranks.all();
            for (ranks, operation) in self.signals.ask_again() {
                let tid = self.front.ids.own();
                self.pass_down(now, tid, ranks.intersection(&all), WaitPolicy::All, operation);
            }
            for (ranks, request) in self.breakpoints.ask_again() {
                let tid = self.front.ids.own();
                self.pass_down(now, tid, ranks.intersection(&all), WaitPolicy::All, Operation::SetBreakpoint(request));
            }
        }
        for reply in assembly.take_held() {
            self.front.pass(reply);
        }
        self.tell_absent(now);
        if let Some(launcher) = &self.launcher {
            launcher.release();
        }
    }
}

impl JobServers {
    /// Starts a launcher whose processes join the session.
    fn start_launcher(&mut self, command: &[String], plan: &mut JoinPlan) -> Result<Launcher, String> {
        let by_number = plan.ranks_per_server.is_some() || plan.routing_file.is_some();
        if !by_number && leaves_host(command, |name| std::env::var_os(name).is_some()) {
            self.meet(plan)?;
        }
        plan.write(&self.setup.directory).map_err(|error| error.to_string())?;
        let joiner = match self.meeting.clone().filter(|_| plan.meeting.is_some()) {
            Some(meeting) => self.words_for(&meeting)?,
            None => {
                own_words().map_err(|error| format!("cannot find rankscope's own program for the joiner: {error}"))?
            }
        };
        let joiner: Option<Vec<String>> = joiner.into_iter().map(|word| word.into_string().ok()).collect();
        let mut joiner = joiner.ok_or(
            "the path of rankscope is not UTF-8: move rankscope to a directory whose path \
            is",
        )?;
        let directory =
            self.setup.directory.path().to_str().ok_or("the path of the session directory is not UTF-8")?.to_owned();
        joiner.extend(["--join".into(), "--session".into(), directory]);
        if let Some(meeting) = &plan.meeting {
            let meeting = meeting.to_str().ok_or("the path of the shared directory (RANKSCOPE_SHARED) is not UTF-8")?;
            joiner.extend(["--meeting".into(), meeting.to_owned()]);
        }
        joiner.push("--".into());
        if !command.iter().any(|word| word == JOIN) {
            return Err("the launcher's command has no {join} where the joiner goes".to_owned());
        }
        let words = command.iter().flat_map(|word| match word.as_str() {
            JOIN => joiner.clone(),
            _ => vec![word.clone()],
        });
        let words: Vec<String> = words.collect();
        let tell = self.end_teller();
        let own_files = self.setup.own_files || self.setup.unattended;
        Launcher::start(&self.setup.directory, &words, &plan.spec, own_files, tell)
    }

    /// Starts a launcher under the debugger.
    fn start_debugged(&self, tid: TransactionId, command: &[String], spec: &LaunchSpec) -> Result<Launcher, String> {
        let inputs = self.inputs.clone();
        // The master may have ended meanwhile.
        let tell = move |news| drop(inputs.send(Input::Starter(tid, news)));
        let (directory, own_files) = (&self.setup.directory, self.setup.own_files || self.setup.unattended);
        Launcher::start_debugged(directory, command, spec, own_files, tell)
    }
}

/// Starts a job for which others have started a server for each rank.
fn launch_listed(
    setup: &MasterSetup,
    node: &Node,
    now: Instant,
    tid: TransactionId,
    ranks: u32,
) -> Option<Result<Assembly, String>> {
    let servers = setup.routes.as_ref()?.servers();
    if ranks != servers {
        return Some(Err(format!(
            "the routing file lists {servers} servers, one for each rank, but {ranks} ranks \
                were requested"
        )));
    }
    let mut assembly = Assembly::new(tid, Some(servers), Some(ranks), Some(now + LOCAL_LIMIT));
    for (server, _) in node.relay().routing.servers() {
        assembly.server_here(now, server);
    }
    Some(Ok(assembly))
}
