//! The task that owns the session.

use super::breakpoints::Breakpoints;
use super::child_dialler::ChildDialler;
use super::ending::Ending;
use super::front_end::base_client::{self, BaseClient};
use super::front_end::front::Front;
use super::front_end::idle::Idle;
use super::input::Input;
use super::job::Job;
use super::job_ranks::JobRanks;
use super::processes::{Started, exit_code};
use super::servers::{JobServers, accept_servers};
use super::setup::MasterSetup;
use super::signal_settings::SignalSettings;
use super::state::Master;
use super::step::Step;
use crate::attach::RankTable;
use crate::error::{TreeError, io_fault};
use crate::link_tasks::{LinkNews, Pace, accept_askers, read_asker};
use crate::node::{LinkId, Node};
use crate::routing::dialling::ChildNews;
use protocol::{
    Connection, Hello, Listener, Pass, PendingConnections, ProcessIdentity, Reply, Request, Role, dial_unix,
    expect_role, is_loopback, listen_everywhere, own_addresses, reachable,
};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Instant;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::time::sleep_until;

/// Runs the session to its end, for a base-dialect client if given, or for a front end that was already dialled.
/// Returns the exit status when no process of the session is left and its directory is removed.
pub async fn run(
    setup: MasterSetup,
    client: Option<BaseClient>,
    dialled: Option<Connection>,
) -> Result<i32, TreeError> {
    let (inputs, mut input) = mpsc::unbounded_channel();
    let numbers = Arc::<AtomicU64>::default();
    let listener = listen_for_servers(&setup).await?;
    let (address, outward) = place_for_servers(&setup, &listener);
    tokio::spawn(accept_servers(listener, &setup.key, &numbers, &inputs));

    let pace = Pace::default();
    // Later front ends find the master here.
    let path = setup.directory.path().join("master.sock");
    accept_front_ends(&path, &inputs, &pace).await?;
    watch_signals(inputs.clone())?;
    if let Some(client) = client {
        base_client::serve(client, path, inputs.clone());
    }
    // What can fail comes first: a front end that is connected takes our end for a lost session.
    write_session_info(&setup, dialled.is_some() || setup.front_end.is_some())?;
    let step =
        if setup.own_files { Some(Step::new().map_err(io_fault("write what the program writes"))?) } else { None };
    let front = first_front_end(&setup, dialled, &inputs, &pace).await?;
    let setup = Arc::new(setup);
    let mut master = Master {
        servers: JobServers::new(&setup, address, outward, &numbers, &inputs),
        dialler: ChildDialler::new(&setup, &numbers, &inputs),
        node: Node::default(),
        front,
        breakpoints: Breakpoints::default(),
        signals: SignalSettings::default(),
        job: Job::None,
        plan: None,
        changes: model::StartChanges::default(),
        ranks: JobRanks::default(),
        launcher: None,
        rank_table: RankTable::default(),
        step,
        kept: None,
        idle: Idle::default(),
        warned: None,
        inputs,
        pace,
        replay: None,
        is_over: false,
        setup,
    };
    master.dialler.dial_listed();
    master.work(&mut input).await;
    master.servers.end_meeting();
    master.setup.directory.remove()?;
    let step = master.step.take();
    Ok(step.map_or(0, Step::finish))
}

async fn listen_for_servers(setup: &MasterSetup) -> Result<Listener, TreeError> {
    Ok(match setup.ports {
        // A user who says which ports are open has hosts beside this one.
        ports @ Some(_) if is_loopback(&setup.listen) => listen_everywhere(ports)?,
        Some(ports) => ports.listen(&setup.listen).await?,
        None => Listener::tcp(&format!("{}:0", setup.listen)).await?,
    })
}

/// Returns the address at which servers find the master, and true if those of other hosts do, too.
fn place_for_servers(setup: &MasterSetup, listener: &Listener) -> (String, bool) {
    let port = listener.port().unwrap_or_default();
    let outward = setup.ports.is_some() || !is_loopback(&setup.listen);
    let address = match setup.listen.as_str() {
        "0.0.0.0" | "::" => reachable(&own_addresses(), port),
        listen if outward && is_loopback(listen) => reachable(&own_addresses(), port),
        listen => format!("{listen}:{port}"),
    };
    (address, outward)
}

async fn accept_front_ends(path: &Path, inputs: &UnboundedSender<Input>, pace: &Pace) -> Result<(), TreeError> {
    let listener = Listener::unix(path).await?;
    let pass = Pass { key: None, hello: Hello::new(Role::Master), expected: Role::FrontEnd };
    let pending = PendingConnections::new(listener, pass);
    tokio::spawn(accept_askers(pending, Arc::default(), pace.clone(), Request::is_urgent, front_teller(inputs)));
    Ok(())
}

fn front_teller(
    inputs: &UnboundedSender<Input>,
) -> impl Fn(LinkNews<Reply, Request>) -> bool + Clone + Send + use<> + 'static {
    let inputs = inputs.clone();
    move |news| inputs.send(Input::Front(news)).is_ok()
}

/// Returns the initial front end: one that was already dialled, or one that is dialled now.
async fn first_front_end(
    setup: &MasterSetup,
    dialled: Option<Connection>,
    inputs: &UnboundedSender<Input>,
    pace: &Pace,
) -> Result<Front, TreeError> {
    let mut front = Front::default();
    let connection = match (dialled, &setup.front_end) {
        (Some(connection), _) => Some(connection),
        (None, Some(path)) => Some(dial_unix(path, &Hello::new(Role::Master)).await?),
        (None, None) => None,
    };
    if let Some(connection) = connection {
        let (sender, receiver) = expect_role(connection, Role::FrontEnd)?.split();
        let id = LinkId(0);
        front.opened(id, sender);
        tokio::spawn(read_asker(id, receiver, pace.clone(), Request::is_urgent, front_teller(inputs)));
    }
    Ok(front)
}

fn write_session_info(setup: &MasterSetup, is_attended: bool) -> Result<(), TreeError> {
    let host = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok());
    let mut info = setup.directory.info().unwrap_or_default();
    setup.directory.name().clone_into(&mut info.session);
    info.host = host.unwrap_or_default();
    let process = ProcessIdentity::own();
    (info.master, info.master_start) = (process.pid, process.start);
    info.attended = is_attended;
    setup.directory.write_info(&info)?;
    Ok(())
}

/// Ends the session in order on the signals that ask for it. A hang-up is no reason: the session outlives terminals.
fn watch_signals(inputs: UnboundedSender<Input>) -> Result<(), TreeError> {
    let fault = || io_fault("watch for signals");
    let mut terminate = signal(SignalKind::terminate()).map_err(fault())?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(fault())?;
    let mut hangup = signal(SignalKind::hangup()).map_err(fault())?;
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
                _ = hangup.recv() => continue,
            }
            if inputs.send(Input::Terminate).is_err() {
                return;
            }
        }
    });
    Ok(())
}

impl Master {
    async fn work(&mut self, input: &mut UnboundedReceiver<Input>) {
        while !self.is_over {
            let deadline = self.deadline();
            let alarm = deadline.map(|deadline| sleep_until(deadline.into()));
            tokio::select! {
                Some(input) = input.recv() => self.take(input),
                () = async { if let Some(alarm) = alarm { alarm.await } }, if deadline.is_some() => {}
            }
            let now = Instant::now();
            let up = self.node.due(now);
            self.heard(now, up);
            if matches!(self.job, Job::Running) {
                self.dialler.adopt_orphans(&self.node);
            }
            self.advance(now);
            self.watch_abandoned(now);
            self.watch_replay(now);
            self.front.let_out(self.ranks.size());
        }
        self.front.flushed().await;
    }

    fn deadline(&self) -> Option<Instant> {
        let words = self.words_due();
        self.node
            .deadline()
            .into_iter()
            .chain(self.job.deadline(self.setup.dialling))
            .chain(self.idle.until())
            .chain(words)
            .chain(self.replay.as_ref().map(|pending| pending.latest))
            .min()
    }

    fn take(&mut self, input: Input) {
        let now = Instant::now();
        match input {
            Input::Front(news) => {
                if matches!(news, LinkNews::Said(..)) {
                    self.pace.taken();
                }
                self.front_news(now, news);
            }
            Input::Child(ChildNews::Link(news)) => self.child_news(now, news),
            Input::Child(ChildNews::Silent(server, why)) => self.silent(now, server, &why),
            Input::Place(server, address) => self.dialler.place_known(server, address),
            Input::Ended { job, started, status } if self.servers.is_present(job) => match started {
                Started::Server(server) => {
                    self.servers.server_gone(server);
                    self.server_ended(now, server, status);
                }
                Started::Step(first, count) => self.step_ended(now, first, count, status),
                Started::Launcher => self.launcher_ended(now, exit_code(status)),
            },
            Input::Ended { started, status, .. } => tracing::debug!("{started:?} of an earlier job ended ({status})"),
            Input::Found(tid, found) => self.found(now, tid, found),
            Input::Starter(tid, news) => self.starter_says(now, tid, news),
            Input::Terminate => {
                tracing::info!("received a signal to end");
                // A batch system sends it to every process of the job. The front end decides what follows its report.
                if !(self.setup.unattended && self.front.is_there()) {
                    self.end(now, Ending::exit(!self.setup.unattended, None));
                }
            }
        }
    }
}
