//! The task that owns the state of a server.

use super::joiners::{JoinNews, accept_joiners};
use super::links::{reach_parent, welcome};
use super::parent::Parent;
use super::place::{Place, find_place};
use super::setup::ServerSetup;
use super::signals::watch_signals;
use super::state::{Input, Server};
use crate::error::{TreeError, io_fault};
use crate::guests::ServerEngines;
use crate::merging::output_lane::OutputLane;
use crate::merging::states::state_after;
use crate::merging::window::Spoken;
use crate::node::Node;
use crate::own_program::host_name;
use crate::routing::dialling::{ANSWER_LIMIT, ChildNews, Dialler, START_LIMIT};
use engine::{Acquisition, Engine, OutputPace, Report};
use model::{Answer, Event, ProcessSet};
use protocol::{JobRank, ProcessIdentity, TreeDown, TreeUp, own_file};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Instant;
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::time::sleep_until;

/// Reports taken from the engine in one batch, so that a job with much output does not starve the links.
const REPORTS_AT_ONCE: usize = 1024;

/// Written when joiners may connect.
pub(crate) const READY: &[u8] = b"+";

/// Runs a server to its end. Returns when it has no rank and no link left.
pub async fn run(setup: ServerSetup) -> Result<(), TreeError> {
    let host = setup.host.clone().unwrap_or_else(host_name);
    let Place { listener, address, path, children } = find_place(&setup, &host).await?;
    let (report_sink, mut reports) = mpsc::unbounded_channel();
    let pace = OutputPace::limited();
    let (choice, directory) = (setup.engine.clone(), setup.directory.clone());
    let engine = ServerEngines::start(choice, directory, setup.index, report_sink, pace.clone())?;
    let (inputs, mut input) = mpsc::unbounded_channel();

    let pid_file = setup.directory.server_identity(setup.index.0);
    own_file::replace(&pid_file, ProcessIdentity::own().to_string().as_bytes())
        .map_err(io_fault(format!("write {}", pid_file.display())))?;
    let numbers = Arc::<AtomicU64>::default();
    welcome(&setup, listener, &numbers, &inputs);
    let told = inputs.clone();
    accept_joiners(setup.index, &setup.directory, move |join| told.send(Input::Joiner(join)).is_ok())?;
    if let Some(sign) = &setup.sign {
        sign.put_up(setup.index, &address).map_err(io_fault("announce where this server listens"))?;
    }

    let parent = if setup.dialling.is_down() { Parent::awaited() } else { reach_parent(&setup, path, &inputs).await? };
    if setup.ready {
        say_ready().map_err(io_fault("tell joiners that this server is ready"))?;
    }
    watch_signals(&inputs)?;
    let mut server = Server {
        host,
        address,
        node: Node::default(),
        parent,
        alone_until: setup.dialling.is_down().then(|| Instant::now() + START_LIMIT),
        dialler: Dialler::new(&setup.key, &numbers),
        output: OutputLane::default(),
        pace,
        engine,
        inputs,
        next_link: 1,
        size: 0,
        ending: None,
        engine_ended: false,
        offered: Vec::new(),
        setup,
    };
    if server.setup.dialling.is_down() {
        server.dial(children, START_LIMIT);
    } else {
        let here = server.here();
        server.parent.send(here);
    }
    server.work(&mut input, &mut reports).await;
    server.pace.end();
    // If one of them cannot be removed, it goes with the directory. Without the second the master takes us for gone; by
    // then a joiner of its next job must not find us through the first.
    let _ = std::fs::remove_file(server.setup.directory.server_socket(server.setup.index.0));
    let _ = std::fs::remove_file(&pid_file);
    if server.is_outlived() {
        // We have left the tree.
        drop((server.node, server.parent));
        while reports.recv().await.is_some() {}
    }
    Ok(())
}

/// Tells the process that started this server, and closes the pipe.
fn say_ready() -> std::io::Result<()> {
    let nothing = std::fs::File::open("/dev/null")?;
    // It does not matter if that process is gone.
    let _ = nix::unistd::write(std::io::stdin(), READY);
    Ok(nix::unistd::dup2_stdin(nothing)?)
}

impl Server {
    async fn work(&mut self, input: &mut UnboundedReceiver<Input>, reports: &mut UnboundedReceiver<Report>) {
        let mut batch = Vec::new();
        loop {
            let own = self.ending.as_ref().map(|ending| ending.by).or(self.alone_until);
            let deadline = self.node.deadline().into_iter().chain(own).min();
            let alarm = deadline.map(|deadline| sleep_until(deadline.into()));
            tokio::select! {
                Some(input) = input.recv() => self.take(input),
                taken = reports.recv_many(&mut batch, REPORTS_AT_ONCE), if !self.engine_ended => {
                    if taken == 0 {
                        self.engine_ended = true;
                        if self.ending.is_none() {
                            tracing::error!("the engine ended by itself");
                            self.end(true);
                        }
                    }
                    self.take_reports(&mut batch);
                }
                () = async { if let Some(alarm) = alarm { alarm.await } }, if deadline.is_some() => {}
            }
            let now = Instant::now();
            let output = self.output.let_out(self.size);
            self.say_output(now, output);
            let up = self.node.due(now);
            self.pass_up(up);
            self.look_up_and_down(now);
            if self.is_over() {
                self.parent.flushed().await;
                return;
            }
        }
    }

    fn take(&mut self, input: Input) {
        let now = Instant::now();
        match input {
            Input::Parent(news) => self.parent_news(now, news),
            Input::Dialled(outcome) => self.dialled(outcome),
            Input::Child(ChildNews::Link(news)) => self.child_news(now, news),
            Input::Child(ChildNews::Silent(server, why)) => self.silent(server, &why),
            Input::Joiner(JoinNews::Offered(join)) => self.join(join),
            Input::Joiner(JoinNews::Refused { rank, pid, why }) => self.refused(rank, pid, &why),
            Input::Asked(signal) => self.leave(signal),
        }
    }

    pub(super) fn told(&mut self, message: TreeDown) {
        tracing::debug!("received {message:?}");
        match message {
            TreeDown::Request(request) => {
                let (own, up) = self.node.request(Instant::now(), &request);
                if let Some(query) = own {
                    if query.operation.resumes() {
                        self.output.start(&query.ranks);
                    }
                    self.engine.submit(query);
                }
                self.pass_up(up);
            }
            TreeDown::Launch { server, first, count, size, spec } => {
                if server == self.setup.index {
                    self.size = size;
                    let inputs = BTreeMap::new();
                    self.engine.acquire(Acquisition::Launch { first, count, size, spec, inputs });
                } else {
                    self.node.pass_down(server, TreeDown::Launch { server, first, count, size, spec });
                }
            }
            TreeDown::Attach { server, processes, size, held, spec } => {
                if server != self.setup.index {
                    return self.node.pass_down(server, TreeDown::Attach { server, processes, size, held, spec });
                }
                self.size = size;
                self.attach(processes, held, &spec);
            }
            TreeDown::OpenCores { server, cores, size, spec } => {
                if server != self.setup.index {
                    return self.node.pass_down(server, TreeDown::OpenCores { server, cores, size, spec });
                }
                self.size = size;
                let cores = cores.into_iter().map(|(rank, path)| (rank, path.into())).collect();
                self.engine.acquire(Acquisition::OpenCores { cores, spec });
            }
            TreeDown::Children { server, children } => {
                if server == self.setup.index {
                    self.dial(children, ANSWER_LIMIT);
                } else {
                    self.node.pass_down(server, TreeDown::Children { server, children });
                }
            }
            TreeDown::Ancestors { server, path } => {
                if server == self.setup.index {
                    if self.setup.dialling.is_down() {
                        // Our parent will dial us.
                    } else if let Some(ahead) = self.parent.follow(path) {
                        self.seek(ahead);
                    }
                } else {
                    self.node.pass_down(server, TreeDown::Ancestors { server, path });
                }
            }
            TreeDown::Shutdown { kill } => self.end(kill),
            TreeDown::OutputTaken(weight) => self.output.taken(weight),
        }
    }

    /// Says what must not come after a report of ranks.
    pub(super) fn before(&mut self, now: Instant, ranks: &ProcessSet, event: &Event) {
        let output = self.output.let_out_before(ranks, event);
        self.say_output(now, output);
    }

    pub(super) fn say_output(&mut self, now: Instant, output: Vec<Spoken>) {
        for Spoken { tid, ranks, event } in output {
            let up = self.node.engine_said(now, Report::Event { tid, ranks, event });
            self.pass_up(up);
        }
    }

    pub(super) fn pass_up(&mut self, messages: Vec<TreeUp>) {
        for message in messages {
            self.parent.send(message);
        }
    }

    /// Acquired ranks are reported in one message, before other reports about them in the same batch.
    fn take_reports(&mut self, batch: &mut Vec<Report>) {
        let now = Instant::now();
        let mut acquired = Vec::new();
        let mut set = ProcessSet::new();
        for report in batch.iter() {
            if let Report::Event { ranks, event: Event::Acquired { pid }, .. } = report {
                set.extend_with(ranks);
                acquired.extend(ranks.iter().map(|rank| JobRank { rank, host: self.host.clone(), pid: *pid }));
            }
        }
        if !acquired.is_empty() {
            self.node.add_own(&set);
            self.parent.send(TreeUp::Acquired { server: self.setup.index, ranks: acquired, size: self.size });
        }
        batch.retain(|report| !matches!(report, Report::Event { event: Event::Acquired { .. }, .. }));
        for report in batch.drain(..) {
            match report {
                Report::Event { tid, ranks, event } if event.endless_bytes().is_some() => {
                    if let Event::Output(_, text) = &event {
                        self.pace.taken(text.len());
                    }
                    self.output.push(tid, ranks, event);
                    let output = self.output.let_out(self.size);
                    self.say_output(now, output);
                }
                other => {
                    let settled = match &other {
                        Report::Event { ranks, event, .. } => {
                            self.before(now, ranks, event);
                            state_after(event).map(|_| ranks.clone())
                        }
                        Report::Answer { ranks, answer: Answer::Failed(_), .. } => Some(ranks.clone()),
                        Report::Answer { .. } => None,
                    };
                    let up = self.node.engine_said(now, other);
                    self.pass_up(up);
                    if let Some(ranks) = settled {
                        self.output.started(&ranks);
                    }
                }
            }
        }
    }

    pub(super) fn host(&self) -> &str {
        &self.host
    }

    pub(super) fn here(&self) -> TreeUp {
        TreeUp::Here {
            server: self.setup.index,
            host: self.host.clone(),
            address: self.address.clone(),
            ranks: self.node.relay().own().clone(),
        }
    }
}
