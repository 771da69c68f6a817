//! The connection to a session: its directory, its master process, the link to it. The front end's only socket.

use super::{LinkEnd, pump};
use crate::link::{LinkCarrier, SessionLink};
use model::TransactionId;
use protocol::{
    DirectoryError, Hello, HelloError, LinkError, Listener, PortRange, ProcessIdentity, Receiver, Reply, Request, Role,
    Sender, SessionCommand, SessionDirectory, SessionEvent, SessionInfo, dial_unix, own_file, ran_out,
};
use std::{
    io,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use tokio::{
    process::{Child, Command},
    task::JoinHandle,
    time::{sleep, timeout},
};

/// A master that has not connected within this time will not.
const DIAL_LIMIT: Duration = Duration::from_secs(20);
/// The master notices a lost front end within this time; a front end that is still there after it keeps the session.
const REFUSED_LIMIT: Duration = Duration::from_secs(1);
/// Poll interval for a master that is not our child, or that still believes another front end is connected: neither
/// sends a notification, and both last only a moment.
const LOOK: Duration = Duration::from_millis(10);
/// Bytes reserved for the last words of a master that cannot continue: one page.
const ROOM: usize = 4096;
/// If a master has ended, it is gone within this time after its link closed.
const FATE_LIMIT: Duration = Duration::from_secs(2);
/// How long a master may take to exit after its `Ended`.
const LEAVE_LIMIT: Duration = Duration::from_secs(10);

/// Options of the tree of servers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line, given or not")]
pub struct TreeOptions {
    /// The subcommand that makes our own program a part of the tree: a master of another build might not match.
    pub word: Option<&'static str>,
    /// Engine of the servers: `native`, `gdb` or `fake`.
    pub engine: String,
    /// The gdb to use; `None`: the one in `PATH`.
    pub gdb: Option<String>,
    /// Ranks per server; `None`: all ranks of a host.
    pub ranks_per_server: Option<u32>,
    /// Children of a node; `None`: the tree's default.
    pub fan_out: Option<u32>,
    /// Use a binomial tree.
    pub binomial: bool,
    /// Ports on which the master listens for servers; `None`: any port.
    pub ports: Option<PortRange>,
    /// File with the hosts and ports of the servers; `None`: they choose ports themselves.
    pub routing_file: Option<PathBuf>,
    /// The command that reaches another host; `None`: the tree's default.
    pub ssh: Option<String>,
    /// Copy rankscope to hosts that do not have it.
    pub stage: bool,
    /// Each server is dialled by its parent.
    pub parents_dial: bool,
    /// The job has our standard files, and continues without a debugger if we are killed.
    pub unattended: bool,
}

impl TreeOptions {
    fn words(&self) -> Vec<String> {
        let mut words = vec!["--engine".to_owned(), self.engine.clone()];
        words.extend(self.gdb.iter().flat_map(|path| ["--gdb".to_owned(), path.clone()]));
        if let Some(k) = self.ranks_per_server {
            words.extend(["--ranks-per-server".to_owned(), k.to_string()]);
        }
        match (self.binomial, self.fan_out) {
            (true, _) => words.extend(["--topology".to_owned(), "binomial".to_owned()]),
            (false, Some(k)) => words.extend(["--fan-out".to_owned(), k.to_string()]),
            (false, None) => {}
        }
        if let Some(ports) = self.ports {
            words.extend(["--port-range".to_owned(), ports.to_string()]);
        }
        words.extend(self.ssh.iter().flat_map(|ssh| ["--ssh".to_owned(), ssh.clone()]));
        words.extend(self.stage.then(|| "--stage".to_owned()));
        words.extend(self.unattended.then(|| "--unattended".to_owned()));
        words.extend(self.parents_dial.then(|| "--parents-dial".to_owned()));
        if let Some(file) = &self.routing_file {
            words.extend(["--routing-file".to_owned(), file.display().to_string()]);
        }
        words
    }
}

/// Errors of starting or resuming a session, worded for the user.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The session directory cannot be used.
    #[error("cannot create the session directory: {0}")]
    Directory(#[from] DirectoryError),
    /// The socket failed.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The handshake with the process that connected failed.
    #[error(transparent)]
    Hello(#[from] HelloError),
    /// The master cannot be started.
    #[error("cannot start {}: {source}", program.display())]
    Start {
        /// The program that should run as the master.
        program: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The master ended before it connected.
    #[error("the session's master ended before it connected ({status}){words}")]
    Ended {
        /// Its exit status.
        status: String,
        /// Its output.
        words: String,
    },
    /// There is no such session to resume.
    #[error(transparent)]
    NotThere(DirectoryError),
    /// The session has ended.
    #[error("session {session:?} has ended; \"rankscope sessions\" lists the running ones")]
    Gone {
        /// The session's name.
        session: String,
    },
    /// Another front end has the session.
    #[error("{why}; to take it over: rankscope resume --take {session}")]
    Attended {
        /// The session's name.
        session: String,
        /// The reason, in the master's words.
        why: String,
    },
    /// The master has not connected.
    #[error("the session's master did not connect within {} s; see its log {}", DIAL_LIMIT.as_secs(), log.display())]
    Silent {
        /// Path of the master's log.
        log: PathBuf,
    },
}

/// A connected session.
pub struct Session {
    sender: Sender<Request>,
    receiver: Receiver<Reply>,
    directory: SessionDirectory,
    master: Master,
    // Keeps the name of the socket for as long as the front end lives.
    _listener: Option<Listener>,
}

enum Master {
    Ours(Child),
    /// A process that already runs on this host.
    Found(ProcessIdentity),
}

impl Master {
    /// Returns how the master failed, if it is our child. Removes the session's files unless it was killed by a signal.
    async fn fate(&mut self, directory: &SessionDirectory) -> Option<String> {
        let Self::Ours(child) = self else { return None };
        let status = timeout(FATE_LIMIT, child.wait()).await.ok()?.ok().filter(|status| !status.success())?;
        let words = last_words(&directory.log("master-words"));
        let words = ran_out(&words).map_or(words, |lack| format!(": {lack}"));
        let end = Instant::now() + FATE_LIMIT;
        // Servers write to the directory until they notice.
        while !directory.live_servers().is_empty() && Instant::now() < end {
            sleep(LOOK).await;
        }
        let left = match status.code().map(|_| directory.remove()) {
            Some(Ok(())) => "",
            Some(Err(_)) | None => "; \"rankscope sessions\" lists the stale session",
        };
        Some(format!("ended ({status}){words}{left}"))
    }

    async fn gone(&mut self) {
        match self {
            Self::Ours(child) => drop(child.wait().await),
            Self::Found(process) => {
                while process.is_ours_and_alive() {
                    sleep(LOOK).await;
                }
            }
        }
    }
}

impl Session {
    /// Starts a session and its master. `command` is what the user debugs, for `rankscope sessions`.
    pub async fn start(tree: &TreeOptions, command: &[String]) -> Result<Self, SessionError> {
        let program = std::env::current_exe()
            .map_err(|source| SessionError::Start { program: PathBuf::from("rankscope"), source })?;
        let directory = SessionDirectory::create(None)?;
        match Self::start_in(&directory, &program, tree, command).await {
            Ok(session) => Ok(session),
            Err(error) => {
                // What is left is useful only to readers of its log.
                if !matches!(error, SessionError::Silent { .. }) {
                    let _ = directory.remove();
                }
                Err(error)
            }
        }
    }

    async fn start_in(
        directory: &SessionDirectory,
        program: &Path,
        tree: &TreeOptions,
        command: &[String],
    ) -> Result<Self, SessionError> {
        directory.create_key()?;
        let socket = directory.front_socket();
        let listener = Listener::unix(&socket).await?;
        // The master replaces our identity by its own: until then we are the process by which the session is alive.
        let own = ProcessIdentity::own();
        directory.write_info(&SessionInfo {
            session: directory.name().to_owned(),
            host: host_name(),
            master: own.pid,
            master_start: own.start,
            command: command.to_vec(),
            size: 0,
            started: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            attended: true,
        })?;
        let words = directory.log("master-words");
        let failed = |source| SessionError::Start { program: program.to_owned(), source };
        let errors = room_for_words(&words)?;
        let mut master = Command::new(program)
            .args(tree.word)
            .arg("--master")
            .arg("--session")
            .arg(directory.path())
            .arg("--front-end")
            .arg(&socket)
            .args(tree.words())
            .stdin(if tree.unattended { Stdio::inherit() } else { Stdio::null() })
            .stdout(if tree.unattended { Stdio::inherit() } else { Stdio::null() })
            .stderr(if tree.unattended { Stdio::inherit() } else { Stdio::from(errors) })
            // A process group of its own: signals from the keyboard are for the front end only, and the session
            // outlives it.
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let own = Hello::new(Role::FrontEnd);
        let connected = async {
            let connection = listener.accept().await?.establish(None, &own).await?;
            if let Some(hello) = connection.hello() {
                hello.must_be(Role::Master)?;
            }
            Ok::<_, SessionError>(connection)
        };
        let connection = tokio::select! {
            connection = timeout(DIAL_LIMIT, connected) => connection,
            status = master.wait() => {
                let status = status.map_or_else(|error| error.to_string(), |status| status.to_string());
                return Err(SessionError::Ended { status, words: last_words(&words) });
            }
        };
        match connection {
            Ok(Ok(connection)) => {
                let (sender, receiver) = connection.split();
                let (directory, master) = (directory.clone(), Master::Ours(master));
                Ok(Self { sender, receiver, directory, master, _listener: Some(listener) })
            }
            Ok(Err(error)) => {
                let _ = master.start_kill();
                Err(error)
            }
            Err(_) => {
                let _ = master.start_kill();
                Err(SessionError::Silent { log: directory.log("master") })
            }
        }
    }

    /// Resumes an existing session, taking it over from another front end if `take`.
    pub async fn resume(name: &str, take: bool) -> Result<Self, SessionError> {
        let directory = SessionDirectory::open(name).map_err(SessionError::NotThere)?;
        let gone = || SessionError::Gone { session: directory.name().to_owned() };
        let info = directory.info().map_err(SessionError::NotThere)?;
        let process = ProcessIdentity { pid: info.master, start: info.master_start };
        let end = Instant::now() + REFUSED_LIMIT;
        loop {
            if !process.is_ours_and_alive() {
                return Err(gone());
            }
            let socket = directory.path().join("master.sock");
            let connection = dial_unix(&socket, &Hello::new(Role::FrontEnd)).await?;
            if let Some(hello) = connection.hello() {
                hello.must_be(Role::Master)?;
            }
            let (sender, mut receiver) = connection.split();
            let (tid, command) = (TransactionId(0), SessionCommand::Join { take });
            sender.send(&Request::Session { tid, command }).map_err(|_| gone())?;
            loop {
                match timeout(DIAL_LIMIT, receiver.receive()).await {
                    Ok(Ok(Some(Reply::Session { event: SessionEvent::Joined, .. }))) => {
                        let master = Master::Found(process);
                        return Ok(Self { sender, receiver, directory, master, _listener: None });
                    }
                    // The master may not have noticed yet that the previous front end is gone.
                    Ok(Ok(Some(Reply::Session { event: SessionEvent::Failed(_), .. }))) if Instant::now() < end => {
                        break;
                    }
                    Ok(Ok(Some(Reply::Session { event: SessionEvent::Failed(why), .. }))) => {
                        return Err(SessionError::Attended { session: directory.name().to_owned(), why });
                    }
                    // Replies to the previous front end; they are repeated after the join.
                    Ok(Ok(Some(_))) => {}
                    Ok(Ok(None) | Err(_)) => return Err(gone()),
                    Err(_) => return Err(SessionError::Silent { log: directory.log("master") }),
                }
            }
            sleep(LOOK).await;
        }
    }

    /// The command that is debugged, as the user gave it.
    pub fn command(&self) -> String {
        self.directory.info().map_or_else(|_| String::new(), |info| info.command.join(" "))
    }

    /// The name for `rankscope resume`.
    pub fn name(&self) -> &str {
        self.directory.name()
    }

    /// Starts carrying requests and replies. The handle finishes when the link is closed and the master has exited, or
    /// did not in time.
    pub fn carry(self) -> (SessionLink, JoinHandle<()>) {
        let (link, carrier) = SessionLink::pair();
        (link, tokio::spawn(self.carry_on(carrier)))
    }

    async fn carry_on(mut self, mut carrier: LinkCarrier) {
        let fate = self.master.fate(&self.directory);
        let end = pump(&self.sender, &mut self.receiver, &mut carrier, fate).await;
        drop(carrier);
        // The last request, such as the one to end, must arrive before the link closes.
        let _ = timeout(LEAVE_LIMIT, self.sender.flushed()).await;
        drop(self.sender);
        if end == LinkEnd::Session {
            let _ = timeout(LEAVE_LIMIT, self.master.gone()).await;
        }
    }
}

pub(crate) fn host_name() -> String {
    nix::unistd::gethostname().map_or_else(|_| String::new(), |name| name.to_string_lossy().into_owned())
}

/// Creates the file for what the master prints outside its log. Its size is reserved, since its message may be that the
/// file system is full.
fn room_for_words(path: &Path) -> Result<std::fs::File, DirectoryError> {
    use std::os::unix::fs::FileExt as _;
    let made = own_file::create(path).and_then(|file| file.write_all_at(&[b'\n'; ROOM], 0).map(|()| file));
    made.map_err(|source| DirectoryError::Io { what: "write", path: path.display().to_string(), source })
}

/// Returns the master's output before it ended, formatted as the end of an error line.
fn last_words(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let text = text.trim();
    if text.is_empty() { String::new() } else { format!(": {text}") }
}
