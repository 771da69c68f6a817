//! The life of a job at the master: how it is started and comes together.

use super::actor::{Input, Master};
use super::assembly::{Assembly, Outcome, Stage};
use super::ending::{Ending, Then};
use super::meeting::leaves_host;
use super::processes::{Launcher, ServerCommand, Started, start};
use crate::arguments::EngineKind;
use crate::join::plan::JoinPlan;
use crate::own_program::own_words;
use crate::routing::dialling::{Dialling, clear_place};
use crate::routing::topology::Topology;
use crate::server::EVERYWHERE;
use model::{Operation, ProcessSet, Rank, TransactionId};
use protocol::{LaunchPlan, PortRange, ServerIndex, SessionEvent, TreeDown, WaitPolicy};
use std::time::{Duration, Instant};

/// Real processes on one host at most.
const MOST_PROCESSES: u32 = 4096;
/// Simulated ranks at most.
const MOST_SIMULATED: u32 = 1 << 20;
/// Servers on one host at most.
const MOST_SERVERS: usize = 1024;
/// Local servers and ranks must be there in this time. A launcher may queue for hours and has no limit.
pub(super) const LOCAL_LIMIT: Duration = Duration::from_secs(60);
/// How often the words of a launcher are looked for while its ranks are awaited, or write through it.
pub(super) const LAUNCHER_POLL: Duration = Duration::from_millis(100);

/// Where the job is in its life.
pub(super) enum Job {
    /// There is none.
    None,
    /// On its way.
    Assembling(Box<Assembly>),
    /// All ranks are there, or were.
    Running,
    /// On its way out.
    Ending(Ending),
}

impl Job {
    /// When something happens by itself.
    pub(super) fn deadline(&self, dialling: Dialling) -> Option<Instant> {
        match self {
            Self::None | Self::Running => None,
            Self::Assembling(assembly) => {
                let looks = assembly.servers.is_none() || (dialling.is_down() && assembly.stage == Stage::Gathering);
                let poll = looks.then(|| Instant::now() + LAUNCHER_POLL);
                assembly.deadline().into_iter().chain(poll).min()
            }
            Self::Ending(ending) => Some(ending.next_look()),
        }
    }
}

impl Master {
    /// Starts a job; `again` when it takes the breakpoints of the one before.
    pub(super) fn launch(&mut self, now: Instant, tid: TransactionId, plan: LaunchPlan, again: bool) {
        match &mut self.job {
            Job::None => {}
            // One whose ranks have all ended makes room.
            Job::Running if self.node.states().ranks_that(|state| !state.is_ended()).is_empty() => {
                return self.end(now, Ending::new(true, Then::Launch { tid, plan, again }));
            }
            Job::Running => return self.refuse(tid, "the session has a job already: restart it, or quit first"),
            // What is left of a job that could not start is being cleared away.
            Job::Ending(ending) => {
                if !ending.and_then_launch(tid, &plan) {
                    self.refuse(tid, "the session is ending, or has another job on its way");
                }
                return;
            }
            Job::Assembling(_) => return self.refuse(tid, "the job is on its way already"),
        }
        if !again {
            self.breakpoints.clear();
            self.signals.clear();
        }
        self.plan = Some(plan.clone());
        if let Some(step) = &mut self.step {
            step.launched();
        }
        let begun = match &plan {
            LaunchPlan::Local { ranks, .. } => self.launch_local(now, tid, *ranks),
            LaunchPlan::Hosts { hosts, .. } => self.launch_on_hosts(now, tid, hosts),
            LaunchPlan::Attach { target, .. } => self.seek_processes(tid, target),
            LaunchPlan::Starter { command, spec } => self.launch_starter(tid, command, spec),
            LaunchPlan::Joined { command, spec } => {
                let mut join = JoinPlan {
                    spec: spec.clone(),
                    master: self.address.clone(),
                    listen: self.setup.listen.clone(),
                    ports: self.ports_of_servers(),
                    engine: self.setup.engine.clone(),
                    shape: self.setup.shape,
                    ranks_per_server: self.setup.ranks_per_server,
                    routing_file: self.setup.routing_file.clone(),
                    meeting: None,
                    dialling: self.setup.dialling,
                };
                self.launch_joined(tid, command, &mut join)
            }
        };
        match begun {
            Ok(mut assembly) => {
                assembly.again = again;
                self.job = Job::Assembling(Box::new(assembly));
            }
            Err(why) => {
                self.refuse(tid, &why);
                if !self.servers.is_empty() {
                    self.end(now, Ending::new(true, Then::Nothing));
                }
            }
        }
    }

    fn launch_local(&mut self, now: Instant, tid: TransactionId, ranks: u32) -> Result<Assembly, String> {
        let most = match self.setup.engine.kind {
            EngineKind::Native | EngineKind::Gdb => MOST_PROCESSES,
            EngineKind::Fake => MOST_SIMULATED,
        };
        if ranks == 0 || ranks > most {
            return Err(format!("{ranks} ranks cannot be started on one host: 1 to {most} can"));
        }
        if let Some(listed) = self.launch_listed(now, tid, ranks) {
            return listed;
        }
        let servers = self.start_servers(ranks)?;
        Ok(Assembly::new(tid, Some(servers), Some(ranks), Some(now + LOCAL_LIMIT)))
    }

    /// Starts as many servers on this host as so many ranks take.
    fn start_servers(&mut self, ranks: u32) -> Result<u32, String> {
        let servers = self.setup.ranks_per_server.map_or(1, |share| ranks.div_ceil(share.max(1)));
        self.start_here(0..servers, servers)?;
        Ok(servers)
    }

    /// Starts these servers of so many on this host.
    pub(super) fn start_here(&mut self, indices: impl ExactSizeIterator<Item = u32>, size: u32) -> Result<(), String> {
        let servers = indices.len();
        if servers > MOST_SERVERS {
            return Err(format!(
                "{servers} servers cannot be started on one host, {MOST_SERVERS} can: take more ranks per server"
            ));
        }
        let spread = servers < size as usize;
        let server = ServerCommand {
            directory: &self.setup.directory,
            size,
            master: &self.address,
            // Servers of other hosts may be below these.
            listen: if spread { EVERYWHERE } else { &self.setup.listen },
            ports: self.ports_of_servers(),
            engine: &self.setup.engine,
            shape: self.setup.shape,
            routing_file: self.setup.routing_file.as_deref(),
            own_directory: false,
            // Alone on this host they find us on the loopback.
            sign: (spread && self.setup.dialling.is_down()).then(|| self.setup.directory.path()),
        };
        for index in indices.map(ServerIndex) {
            if let Some(directory) = server.sign {
                clear_place(directory, index).map_err(|error| format!("cannot start a server: {error}"))?;
            }
            let inputs = self.inputs.clone();
            let tell = move |started, status| {
                // The master may have ended meanwhile.
                let _ = inputs.send(Input::Ended(started, status));
            };
            let pid = server.command(index).and_then(|command| start(command, Started::Server(index), tell));
            self.servers.insert(index, pid.map_err(|error| format!("cannot start a server: {error}"))?);
        }
        Ok(())
    }

    /// One port is the master's own.
    pub(super) fn ports_of_servers(&self) -> Option<PortRange> {
        self.setup.ports.filter(|ports| ports.is_wide())
    }

    fn launch_joined(
        &mut self,
        tid: TransactionId,
        command: &[String],
        plan: &mut JoinPlan,
    ) -> Result<Assembly, String> {
        let by_number = plan.ranks_per_server.is_some() || plan.routing_file.is_some();
        if !by_number && leaves_host(command, |name| std::env::var_os(name).is_some()) {
            self.meet(plan)?;
        }
        plan.write(&self.setup.directory).map_err(|error| error.to_string())?;
        let joiner = match self.meeting.clone().filter(|_| plan.meeting.is_some()) {
            Some(meeting) => self.words_for(&meeting)?,
            None => own_words().map_err(|error| format!("cannot find the joiner: {error}"))?,
        };
        let joiner: Option<Vec<String>> = joiner.into_iter().map(|word| word.into_string().ok()).collect();
        let mut joiner = joiner.ok_or("the path of rankscope is not UTF-8: move it")?;
        let directory = self.setup.directory.path().to_str().ok_or("the session directory is not UTF-8")?.to_owned();
        joiner.extend(["--join".into(), "--session".into(), directory]);
        if let Some(meeting) = &plan.meeting {
            let meeting = meeting.to_str().ok_or("the directory that hosts share is not UTF-8")?;
            joiner.extend(["--meeting".into(), meeting.to_owned()]);
        }
        joiner.push("--".into());
        if !command.iter().any(|word| word == "{join}") {
            return Err("the launcher's command has no place for the joiner ({join})".to_owned());
        }
        let words = command.iter().flat_map(|word| match word.as_str() {
            "{join}" => joiner.clone(),
            _ => vec![word.clone()],
        });
        let words: Vec<String> = words.collect();
        let inputs = self.inputs.clone();
        let tell = move |started, status| {
            // The master may have ended meanwhile.
            let _ = inputs.send(Input::Ended(started, status));
        };
        self.launcher = Some(Launcher::start(
            &self.setup.directory,
            &words,
            plan.spec.directory.as_deref(),
            self.setup.own_files,
            tell,
        )?);
        Ok(Assembly::new(tid, None, None, None))
    }

    /// Whatever can be done now.
    pub(super) fn advance(&mut self, now: Instant) {
        if matches!(self.job, Job::Ending(_)) {
            return self.advance_ending(now);
        }
        if matches!(self.job, Job::Running) {
            return self.pass_words();
        }
        self.look_for_places();
        let Job::Assembling(assembly) = &mut self.job else { return };
        let tid = assembly.tid;
        if assembly.servers.is_none()
            && let Some(words) = self.launcher.as_mut().and_then(Launcher::news)
        {
            self.front.tell(tid, SessionEvent::LauncherOutput(words));
        }
        match assembly.outcome(now) {
            Outcome::Failed(why) => {
                self.front.tell(tid, SessionEvent::Failed(why));
                self.end(now, Ending::new(true, Then::Nothing));
                return;
            }
            Outcome::Complete if assembly.servers.is_none() => {
                // Only now is it known which servers there are.
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
            self.send_to_parents(&tree);
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

    /// Has the servers come by their ranks.
    fn acquire(&mut self, servers: u32) {
        match &self.plan {
            Some(LaunchPlan::Local { ranks, spec }) => {
                let share = self.setup.ranks_per_server.unwrap_or(*ranks).max(1);
                for server in 0..servers {
                    let first = server * share;
                    let message = TreeDown::Launch {
                        server: ServerIndex(server),
                        first: Rank(first),
                        count: share.min(ranks.saturating_sub(first)),
                        size: *ranks,
                        spec: spec.clone(),
                    };
                    self.node.pass_down(ServerIndex(server), message);
                }
            }
            Some(LaunchPlan::Hosts { hosts, spec }) => {
                let size = hosts.iter().map(|(_, count)| *count).sum();
                let mut first = 0;
                for (server, (_, count)) in (0..).map(ServerIndex).zip(hosts.clone()) {
                    let launch = TreeDown::Launch { server, first: Rank(first), count, size, spec: spec.clone() };
                    self.node.pass_down(server, launch);
                    first += count;
                }
            }
            Some(LaunchPlan::Attach { spec, .. } | LaunchPlan::Starter { spec, .. }) => {
                let spec = spec.clone();
                self.attach(&spec);
            }
            Some(LaunchPlan::Joined { .. }) | None => {}
        }
    }

    fn complete(&mut self, now: Instant) {
        let Job::Assembling(mut assembly) = std::mem::replace(&mut self.job, Job::Running) else { return };
        self.size = assembly.size.unwrap_or(0);
        if let Ok(mut info) = self.setup.directory.info() {
            info.size = self.size;
            if info.command.is_empty() {
                // There was no front end to say it before there was a session.
                info.command = self.plan.as_ref().map(LaunchPlan::words).unwrap_or_default();
            }
            if let Err(error) = self.setup.directory.write_info(&info) {
                tracing::warn!("{error}");
            }
        }
        self.front.tell(assembly.tid, self.session_event());
        self.front.told_job();
        if assembly.again {
            let all = ProcessSet::all(self.size);
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
