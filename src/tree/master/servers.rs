//! The servers of a job that were started here, and the address at which all of its servers find the master.

use super::input::Input;
use super::processes::{ServerCommand, Started, start};
use super::setup::MasterSetup;
use crate::link_tasks::accept_all;
use crate::own_program::{own_words, static_words};
use crate::routing::dialling::{ChildNews, clear_place};
use crate::server::EVERYWHERE;
use nix::unistd::Pid;
use protocol::{Hello, Listener, Pass, PendingConnections, Role, ServerIndex, SessionDirectory, SessionKey};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tokio::sync::mpsc::UnboundedSender;

/// Maximum number of servers on one host.
const MOST_SERVERS: usize = 1024;
/// Servers of this host that start at the same time. More would only share the processors, and keep the master from
/// welcoming those that are ready.
const STARTING_AT_ONCE: usize = 32;
/// Name of the copy of rankscope in the directory that hosts share.
const COPY: &str = "rankscope";

/// Servers, and the addresses and directories by which they and the master find each other.
pub(super) struct JobServers {
    pub(super) setup: Arc<MasterSetup>,
    /// `host:port` of the master, for servers.
    pub(super) address: String,
    /// True if servers of other hosts find the master there, too.
    pub(super) outward: bool,
    /// The number of the last link to a server.
    pub(super) numbers: Arc<AtomicU64>,
    /// Number of meeting directories made so far.
    pub(super) launches: u32,
    /// The directory in which hosts of the present job meet.
    pub(super) meeting: Option<SessionDirectory>,
    pub(super) hosts: BTreeMap<ServerIndex, String>,
    /// Servers started here that have not ended.
    pub(super) running: BTreeMap<ServerIndex, Pid>,
    /// Servers of this host that are to be started, and those that have not announced themselves yet.
    to_start: VecDeque<ServerIndex>,
    starting: BTreeSet<ServerIndex>,
    /// Number of servers in the tree of those to start.
    size: u32,
    /// True if others of them are on other hosts.
    spread: bool,
    /// Number of jobs before the present one: servers of theirs may live on.
    jobs_before: u32,
    pub(super) inputs: UnboundedSender<Input>,
}

/// Accepts servers on a listener.
pub(super) fn accept_servers(
    listener: Listener,
    key: &SessionKey,
    numbers: &Arc<AtomicU64>,
    inputs: &UnboundedSender<Input>,
) -> impl Future<Output = ()> + use<> {
    let pass = Pass { key: Some(key.clone()), hello: Hello::new(Role::Master), expected: Role::Server };
    let told = inputs.clone();
    accept_all(PendingConnections::new(listener, pass), Arc::clone(numbers), move |news| {
        told.send(Input::Child(ChildNews::Link(news))).is_ok()
    })
}

impl JobServers {
    pub(super) fn new(
        setup: &Arc<MasterSetup>,
        address: String,
        outward: bool,
        numbers: &Arc<AtomicU64>,
        inputs: &UnboundedSender<Input>,
    ) -> Self {
        Self {
            setup: Arc::clone(setup),
            address,
            outward,
            numbers: Arc::clone(numbers),
            launches: 0,
            meeting: None,
            hosts: BTreeMap::new(),
            running: BTreeMap::new(),
            to_start: VecDeque::new(),
            starting: BTreeSet::new(),
            size: 0,
            spread: false,
            jobs_before: 0,
            inputs: inputs.clone(),
        }
    }

    pub(super) fn host_of(&self, server: ServerIndex) -> String {
        self.hosts.get(&server).cloned().unwrap_or_else(|| "this host".to_owned())
    }

    /// Starts the servers on this host that this many ranks need; returns their number.
    pub(super) fn start_servers(&mut self, ranks: u32) -> Result<u32, String> {
        let servers = self.setup.ranks_per_server.map_or(1, |share| ranks.div_ceil(share.max(1)));
        self.start_here(0..servers, servers)?;
        Ok(servers)
    }

    /// Starts these servers on this host; `size` is the number of servers in the tree.
    pub(super) fn start_here(&mut self, indices: impl ExactSizeIterator<Item = u32>, size: u32) -> Result<(), String> {
        let servers = indices.len();
        if servers > MOST_SERVERS {
            return Err(format!(
                "cannot start {servers} servers on one host, the limit is {MOST_SERVERS}: raise --ranks-per-server"
            ));
        }
        self.size = size;
        self.spread = servers < size as usize;
        self.to_start.extend(indices.map(ServerIndex));
        self.start_more()
    }

    /// A server has announced itself: another one may start.
    pub(super) fn server_here(&mut self, server: ServerIndex) -> Result<(), String> {
        self.starting.remove(&server);
        self.start_more()
    }

    /// A server will not announce itself any more.
    pub(super) fn server_gone(&mut self, server: ServerIndex) {
        self.starting.remove(&server);
        self.running.remove(&server);
    }

    /// Starts none of those that wait for their turn.
    pub(super) fn start_no_more(&mut self) {
        self.to_start.clear();
        self.starting.clear();
    }

    fn start_more(&mut self) -> Result<(), String> {
        while self.starting.len() < STARTING_AT_ONCE
            && let Some(index) = self.to_start.pop_front()
        {
            let pid = self.start_one(index).map_err(|error| {
                self.start_no_more();
                format!("cannot start a server: {error}")
            })?;
            self.running.insert(index, pid);
            self.starting.insert(index);
        }
        Ok(())
    }

    fn start_one(&self, index: ServerIndex) -> std::io::Result<Pid> {
        let server = ServerCommand {
            directory: &self.setup.directory,
            size: self.size,
            master: &self.address,
            // Servers of other hosts may become their children.
            listen: if self.spread { EVERYWHERE } else { &self.setup.listen },
            ports: self.setup.ports_of_servers(),
            engine: &self.setup.engine,
            shape: self.setup.shape,
            routing_file: self.setup.routing_file.as_deref(),
            own_directory: false,
            // Alone on this host they find the master on the loopback.
            sign: (self.spread && self.setup.dialling.is_down()).then(|| self.setup.directory.path()),
        };
        if let Some(directory) = server.sign {
            clear_place(directory, index)?;
        }
        start(server.command(index)?, Started::Server(index), self.end_teller())
    }

    /// Returns the command line of this program for hosts that share a directory: that of a copy there, if wanted.
    pub(super) fn words_for(&self, meeting: &SessionDirectory) -> Result<Vec<OsString>, String> {
        let own = own_words().map_err(|error| format!("cannot find rankscope's own program: {error}"))?;
        if !self.setup.reach.stage {
            return Ok(own);
        }
        let mut words = static_words(&own).unwrap_or(own);
        if let Some(file) = words.first_mut() {
            let copy = meeting.path().join(COPY);
            let copied = std::fs::copy(Path::new(file), &copy);
            copied.map_err(|error| format!("cannot copy {} to {}: {error}", file.display(), copy.display()))?;
            *file = copy.into_os_string();
        }
        Ok(words)
    }

    pub(super) fn end_teller(&self) -> impl FnOnce(Started, ExitStatus) + use<> + Send + 'static {
        let (inputs, job) = (self.inputs.clone(), self.jobs_before);
        // The master may have ended meanwhile.
        move |started, status| drop(inputs.send(Input::Ended { job, started, status }))
    }

    /// True if a process with this number of a job belongs to the present one.
    pub(super) fn is_present(&self, job: u32) -> bool {
        job == self.jobs_before
    }

    /// Forgets the servers of a job that is over.
    pub(super) fn job_over(&mut self) {
        self.end_meeting();
        self.hosts.clear();
        self.running.clear();
        self.start_no_more();
        self.jobs_before += 1;
    }
}
