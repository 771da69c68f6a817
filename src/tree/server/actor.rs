//! The one task that owns the state of a server.

use super::joiners::{JoinNews, JoinRequest, accept_joiners};
use super::parent::{Parent, ParentNews, dial_first};
use super::place::{dial_parent, find_place};
use crate::engine::{Acquisition, Engine, Engines, Report};
use crate::model::{Answer, Event, ProcessSet, ProcessState, Rank};
use crate::protocol::{
    Connection, Doorstep, Hello, JobRank, Pass, PortRange, Reply, Role, ServerIndex, SessionDirectory, SessionKey,
    TreeDown, TreeUp,
};
use crate::tree::arguments::EngineChoice;
use crate::tree::engines;
use crate::tree::error::{TreeError, io_fault};
use crate::tree::links::{LinkNews, accept_all, read_all};
use crate::tree::node::{LinkId, Node};
use crate::tree::output_lane::OutputLane;
use crate::tree::own_program::host_name;
use crate::tree::states::state_after;
use crate::tree::topology::Shape;
use crate::tree::window::Spoken;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::time::sleep_until;

/// An engine and children that do not end in this time are left behind.
const END_LIMIT: Duration = Duration::from_secs(4);
/// Reports taken from the engine in one go, so that links are not starved by a talkative job.
const REPORTS_AT_ONCE: usize = 1024;

/// The word that joiners may come.
pub(crate) const READY: &[u8] = b"+";

/// What a server is told on its command line.
#[derive(Clone, Debug)]
pub struct ServerSetup {
    /// The session.
    pub directory: SessionDirectory,
    /// Its key.
    pub key: SessionKey,
    /// Which server.
    pub index: ServerIndex,
    /// Of how many.
    pub size: u32,
    /// The form of the tree.
    pub shape: Shape,
    /// `host:port` of the master.
    pub master: String,
    /// The host to listen on.
    pub listen: String,
    /// The ports to listen on where all addresses are listened on; any by default.
    pub ports: Option<PortRange>,
    /// What debugs the ranks.
    pub engine: EngineChoice,
    /// Where the others are; otherwise the master says it.
    pub routing_file: Option<PathBuf>,
    /// Whoever started it waits on standard input for the word that joiners may come.
    pub ready: bool,
    /// The name of this host for whoever has started a server on it from another; otherwise its own.
    pub host: Option<String>,
}

enum Input {
    Parent(ParentNews),
    Dialled(Result<(ServerIndex, Connection), String>),
    Child(LinkNews<TreeDown, TreeUp>),
    Joiner(JoinNews),
}

pub(super) struct Server {
    pub(super) setup: ServerSetup,
    host: String,
    address: String,
    pub(super) node: Node,
    parent: Parent,
    /// Of the ranks here and below.
    output: OutputLane,
    pub(super) engine: Engines,
    inputs: UnboundedSender<Input>,
    /// Links to parents are numbered too.
    next_link: u64,
    /// Of the job, once known.
    size: u32,
    ending: Option<Ending>,
    engine_ended: bool,
    /// What joiners said that they are.
    offered: Vec<Rank>,
}

/// On the way out.
struct Ending {
    kill: bool,
    by: Instant,
    told_parent: bool,
}

/// Runs a server to its end. Returns when no rank of it and no link is left.
pub async fn run(setup: ServerSetup) -> Result<(), TreeError> {
    let host = setup.host.clone().unwrap_or_else(host_name);
    let (listener, address, path) = find_place(&setup, &host).await?;
    let (report_sink, mut reports) = mpsc::unbounded_channel();
    let engine = engines::start(setup.engine.clone(), report_sink)?;
    let (inputs, mut input) = mpsc::unbounded_channel();

    let pid_file = setup.directory.path().join(format!("server-{}.pid", setup.index.0));
    std::fs::write(&pid_file, std::process::id().to_string())
        .map_err(io_fault(format!("write {}", pid_file.display())))?;
    let pass = Pass { key: Some(setup.key.clone()), hello: Hello::new(Role::Server), expected: Role::Server };
    let told = inputs.clone();
    let tell = move |news| told.send(Input::Child(news)).is_ok();
    tokio::spawn(accept_all(Doorstep::new(listener, pass), Arc::default(), tell));
    let told = inputs.clone();
    accept_joiners(setup.index, &setup.directory, move |join| told.send(Input::Joiner(join)).is_ok())?;

    let (above, connection) = dial_parent(&setup, &path).await?;
    if setup.ready {
        say_ready().map_err(io_fault("say that joiners may come"))?;
    }
    let place = path.iter().position(|(server, _)| *server == above).unwrap_or(0);
    let (sender, receiver) = connection.split();
    let id = LinkId(0);
    spawn_parent_reader(id, receiver, inputs.clone());
    let mut server = Server {
        host,
        address,
        node: Node::default(),
        parent: Parent::new(path, place, id, sender),
        output: OutputLane::default(),
        engine,
        inputs,
        next_link: 1,
        size: 0,
        ending: None,
        engine_ended: false,
        offered: Vec::new(),
        setup,
    };
    let here = server.here();
    server.parent.send(here);
    server.work(&mut input, &mut reports).await;
    // What could not be removed goes with the directory.
    let _ = std::fs::remove_file(&pid_file);
    if server.ending.as_ref().is_some_and(|ending| !ending.kill) {
        // Out of the tree, but ranks that were let go still write through the engine.
        drop((server.node, server.parent));
        while reports.recv().await.is_some() {}
    }
    Ok(())
}

/// Tells whoever started this server, and lets go of the pipe on which it is told.
fn say_ready() -> std::io::Result<()> {
    let nothing = std::fs::File::open("/dev/null")?;
    // Somebody who is gone meanwhile is no reason to end.
    let _ = nix::unistd::write(std::io::stdin(), READY);
    Ok(nix::unistd::dup2_stdin(nothing)?)
}

fn spawn_parent_reader(id: LinkId, receiver: crate::protocol::Receiver<TreeDown>, inputs: UnboundedSender<Input>) {
    tokio::spawn(read_all(id, receiver, move |news| inputs.send(Input::Parent(news)).is_ok()));
}

impl Server {
    async fn work(&mut self, input: &mut UnboundedReceiver<Input>, reports: &mut UnboundedReceiver<Report>) {
        let mut batch = Vec::new();
        loop {
            let deadline = self.node.deadline().into_iter().chain(self.ending.as_ref().map(|e| e.by)).min();
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
            if self.is_over() {
                self.parent.flushed().await;
                return;
            }
        }
    }

    fn take(&mut self, input: Input) {
        let now = Instant::now();
        match input {
            Input::Parent(LinkNews::Opened(..) | LinkNews::Refused(_)) | Input::Child(LinkNews::Refused(_)) => {}
            Input::Parent(LinkNews::Said(_, message)) => self.told(message),
            Input::Parent(LinkNews::Closed(id, why)) => {
                tracing::debug!("link {} up: {why}", id.0);
                if self.parent.closed(id) {
                    self.orphaned(&why);
                }
            }
            Input::Dialled(Ok((above, connection))) => {
                let id = LinkId(self.next_link);
                self.next_link += 1;
                tracing::debug!("link {} up: to server {}", id.0, above.0);
                let (sender, receiver) = connection.split();
                spawn_parent_reader(id, receiver, self.inputs.clone());
                let mut account = vec![self.here()];
                account.extend(self.node.account());
                self.parent.adopt(above, id, sender, account);
                self.output.start_anew();
            }
            Input::Dialled(Err(why)) => {
                tracing::warn!("{why}");
                if self.parent.is_gone() {
                    self.end(true);
                } else {
                    // We stay where we are, and say so.
                    let here = self.here();
                    self.parent.send(here);
                }
            }
            Input::Child(LinkNews::Opened(link, sender)) => {
                if self.ending.is_none() {
                    self.node.link_opened(link, sender);
                }
            }
            Input::Child(LinkNews::Said(link, TreeUp::Reply(reply))) if reply.output_weight() > 0 => {
                self.node.took_output(link, reply.output_weight());
                if let Reply::Event { tid, ranks, event: Event::Output(stream, text) } = reply {
                    self.output.push(tid, ranks, stream, text);
                }
            }
            Input::Child(LinkNews::Said(link, message)) => {
                if let TreeUp::Reply(Reply::Event { ranks, event, .. }) = &message {
                    self.before(now, ranks, event);
                }
                let up = self.node.child_said(now, link, message);
                self.pass_up(up);
            }
            Input::Child(LinkNews::Closed(link, why)) => {
                let up = self.node.link_closed(now, link, &why);
                self.pass_up(up);
            }
            Input::Joiner(JoinNews::Offered(join)) => self.join(join),
            Input::Joiner(JoinNews::Refused { rank, pid, why }) => self.refused(rank, pid, &why),
        }
    }

    fn told(&mut self, message: TreeDown) {
        tracing::debug!("told {message:?}");
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
                    self.engine.acquire(Acquisition::Launch { first, count, size, spec });
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
            TreeDown::Ancestors { server, path } => {
                if server == self.setup.index {
                    if let Some(ahead) = self.parent.follow(path) {
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

    /// Nothing of a rank comes after its end.
    fn before(&mut self, now: Instant, ranks: &ProcessSet, event: &Event) {
        if state_after(event).is_some_and(|state| state.is_ended()) {
            let output = self.output.let_out_of(ranks);
            self.say_output(now, output);
        }
    }

    fn say_output(&mut self, now: Instant, output: Vec<Spoken>) {
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

    /// Acquired ranks are told in one message, before anything that the same reports say of them.
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
                Report::Event { tid, ranks, event: Event::Output(stream, text) } => {
                    self.output.push(tid, ranks, stream, text);
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

    fn join(&mut self, join: JoinRequest) {
        if self.ending.is_some() {
            // The joiner hears that its request was dropped.
            return;
        }
        if self.size != 0 && self.size != join.size {
            let JoinRequest { rank, size, .. } = join;
            let message = format!("rank {rank} is one of {size} by its environment, others are of {}", self.size);
            self.parent.send(TreeUp::LaunchFailed { server: self.setup.index, message });
        }
        self.size = self.size.max(join.size);
        self.offered.push(join.rank);
        let JoinRequest { rank, pid, spec, stdout, stderr, ready, size: _ } = join;
        self.engine.acquire(Acquisition::Join { rank, pid, spec, stdout, stderr, ready });
    }

    /// Why a rank cannot be had is told as its own; where two processes are one rank, the job as a whole is at fault.
    fn refused(&mut self, rank: Rank, pid: i32, why: &str) {
        if self.offered.iter().filter(|offered| **offered == rank).count() > 1 {
            let message = format!("process {pid} is rank {rank} by its environment: {why}");
            self.parent.send(TreeUp::LaunchFailed { server: self.setup.index, message });
        }
    }

    fn orphaned(&mut self, why: &str) {
        let beyond = self.parent.beyond();
        if self.ending.is_some() {
            return;
        }
        if beyond.is_empty() {
            tracing::error!("{why}; nobody is left above: the ranks are killed");
            self.end(true);
        } else {
            tracing::warn!("{why}; looking for another parent");
            self.seek(beyond);
        }
    }

    fn seek(&self, addresses: Vec<(ServerIndex, String)>) {
        let (key, inputs) = (self.setup.key.clone(), self.inputs.clone());
        tokio::spawn(async move {
            let dialled = dial_first(&addresses, &key).await.map_err(|error| error.to_string());
            // Nobody listens any more when the server has ended meanwhile.
            let _ = inputs.send(Input::Dialled(dialled));
        });
    }

    fn here(&self) -> TreeUp {
        TreeUp::Here {
            server: self.setup.index,
            host: self.host.clone(),
            address: self.address.clone(),
            ranks: self.node.relay().own().clone(),
        }
    }

    /// First those below, then our own.
    fn end(&mut self, kill: bool) {
        if self.ending.is_some() {
            return;
        }
        self.node.broadcast(&TreeDown::Shutdown { kill });
        self.engine.shutdown(kill);
        self.ending = Some(Ending { kill, by: Instant::now() + END_LIMIT, told_parent: false });
    }

    fn is_over(&mut self) -> bool {
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
