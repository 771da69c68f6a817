//! The connection to a session: its directory, its master process, the link between. The front end's only socket.

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

/// A master that has not dialled by then will not.
const DIAL_LIMIT: Duration = Duration::from_secs(20);
/// A front end that is gone is noticed in this time; one that is still there then keeps the session.
const REFUSED_LIMIT: Duration = Duration::from_secs(1);
/// Between two looks at a master that is no child of ours, or that still believes another front end to be there: neither
/// comes with a notice, and both are over in a moment.
const LOOK: Duration = Duration::from_millis(10);
/// Bytes that are kept free for the words of a master that cannot go on: a page.
const ROOM: usize = 4096;
/// A master whose link is closed has ended within this time, if it has.
const FATE_LIMIT: Duration = Duration::from_secs(2);
/// A master that has said `Ended` is given this long to leave.
const LEAVE_LIMIT: Duration = Duration::from_secs(10);

/// How the tree of servers is to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeOptions {
    /// The word that makes our own program one of the tree: a master of another build would be a trap.
    pub word: Option<&'static str>,
    /// `native`, `gdb` or `fake`.
    pub engine: String,
    /// The gdb to use; `None`: that in `PATH`.
    pub gdb: Option<String>,
    /// Ranks that one server takes; `None`: all of a host.
    pub ranks_per_server: Option<u32>,
    /// Children of a node; `None`: the default of the tree.
    pub fan_out: Option<u32>,
    /// A binomial tree.
    pub binomial: bool,
    /// Where the master listens for servers; `None`: any port.
    pub ports: Option<PortRange>,
    /// Where the servers are; `None`: they find places themselves.
    pub routing_file: Option<PathBuf>,
    /// The words that reach another host; `None`: the default of the tree.
    pub ssh: Option<String>,
    /// Hosts that do not have rankscope get a copy.
    pub stage: bool,
    /// Servers are dialled by those above them.
    pub parents_dial: bool,
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
        words.extend(self.parents_dial.then(|| "--parents-dial".to_owned()));
        if let Some(file) = &self.routing_file {
            words.extend(["--routing-file".to_owned(), file.display().to_string()]);
        }
        words
    }
}

/// Why there is no session. Each is a sentence for the user.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The directory.
    #[error("cannot create the session directory: {0}")]
    Directory(#[from] DirectoryError),
    /// The socket.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// Who dialled.
    #[error(transparent)]
    Hello(#[from] HelloError),
    /// It cannot be run.
    #[error("cannot start {}: {source}", program.display())]
    Start {
        /// What was to be started.
        program: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It ended at once.
    #[error("the session's master ended before it connected ({status}){words}")]
    Ended {
        /// How.
        status: String,
        /// What it said.
        words: String,
    },
    /// Nothing to resume.
    #[error(transparent)]
    NotThere(DirectoryError),
    /// It was there.
    #[error("session {session:?} has ended; \"rankscope sessions\" lists the running ones")]
    Gone {
        /// Its name.
        session: String,
    },
    /// Somebody has it.
    #[error("{why}; to take it over: rankscope resume --take {session}")]
    Attended {
        /// Its name.
        session: String,
        /// As the master says it.
        why: String,
    },
    /// It does not dial.
    #[error("the session's master did not connect within {} s; see its log {}", DIAL_LIMIT.as_secs(), log.display())]
    Silent {
        /// Where it logs.
        log: PathBuf,
    },
}

/// A session that is connected.
pub struct Session {
    sender: Sender<Request>,
    receiver: Receiver<Reply>,
    directory: SessionDirectory,
    master: Master,
    // The socket's name goes with it: it stays for as long as the front end does.
    _listener: Option<Listener>,
}

/// The master of a session.
enum Master {
    Ours(Child),
    /// There already, on this host.
    Found(ProcessIdentity),
}

impl Master {
    /// How it ended, if it is ours and did not end in order. What one leaves that could say why is removed.
    async fn fate(&mut self, directory: &SessionDirectory) -> Option<String> {
        let Self::Ours(child) = self else { return None };
        let status = timeout(FATE_LIMIT, child.wait()).await.ok()?.ok().filter(|status| !status.success())?;
        let words = last_words(&directory.log("master-words"));
        let words = ran_out(&words).map_or(words, |lack| format!(": {lack}"));
        let end = Instant::now() + FATE_LIMIT;
        // Servers write to the directory until they have noticed.
        while !directory.live_servers().is_empty() && Instant::now() < end {
            sleep(LOOK).await;
        }
        let left = match status.code().map(|_| directory.remove()) {
            Some(Ok(())) => "",
            Some(Err(_)) | None => "; \"rankscope sessions\" lists the stale session",
        };
        Some(format!("ended ({status}){words}{left}"))
    }

    /// Waits until it is gone.
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
    /// Makes a session and its master. `command` is what the user debugs, for `rankscope sessions`.
    pub async fn start(tree: &TreeOptions, command: &[String]) -> Result<Self, SessionError> {
        let program = std::env::current_exe()
            .map_err(|source| SessionError::Start { program: PathBuf::from("rankscope"), source })?;
        let directory = SessionDirectory::create(None)?;
        match Self::start_in(&directory, &program, tree, command).await {
            Ok(session) => Ok(session),
            Err(error) => {
                // What is left of it helps nobody but those who read logs.
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
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(errors)
            // The keyboard's signals are for the front end; the session outlives it.
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let identity = master.id().and_then(ProcessIdentity::of);
        let info = SessionInfo {
            session: directory.name().to_owned(),
            host: host_name(),
            master: identity.map_or(0, |process| process.pid),
            master_start: identity.map_or(0, |process| process.start),
            command: command.to_vec(),
            size: 0,
            started: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            attended: true,
        };
        directory.write_info(&info)?;
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

    /// Takes a session back that is there already, from another front end if `take` says so.
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
                    // The master may not have noticed yet that the other one is gone.
                    Ok(Ok(Some(Reply::Session { event: SessionEvent::Failed(_), .. }))) if Instant::now() < end => {
                        break;
                    }
                    Ok(Ok(Some(Reply::Session { event: SessionEvent::Failed(why), .. }))) => {
                        return Err(SessionError::Attended { session: directory.name().to_owned(), why });
                    }
                    // What is said to whoever has the session; all of it is told again.
                    Ok(Ok(Some(_))) => {}
                    Ok(Ok(None) | Err(_)) => return Err(gone()),
                    Err(_) => return Err(SessionError::Silent { log: directory.log("master") }),
                }
            }
            sleep(LOOK).await;
        }
    }

    /// What is debugged, as the user gave it.
    pub fn command(&self) -> String {
        self.directory.info().map_or_else(|_| String::new(), |info| info.command.join(" "))
    }

    /// The name by which the session can be resumed.
    pub fn name(&self) -> &str {
        self.directory.name()
    }

    /// Carries requests and replies from now on. The handle is done when the link is closed and the master has left, or
    /// was waited for in vain.
    pub fn carry(self) -> (SessionLink, JoinHandle<()>) {
        let (link, carrier) = SessionLink::pair();
        (link, tokio::spawn(self.carry_on(carrier)))
    }

    async fn carry_on(mut self, mut carrier: LinkCarrier) {
        let fate = self.master.fate(&self.directory);
        let end = pump(&self.sender, &mut self.receiver, &mut carrier, fate).await;
        drop(carrier);
        // What was sent last, such as the wish to end, must arrive before the link closes.
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

/// A file for what the master says outside its log. Its first words have room whatever happens to the file system: that
/// this is full may be what they say.
fn room_for_words(path: &Path) -> Result<std::fs::File, DirectoryError> {
    use std::os::unix::fs::FileExt as _;
    let made = own_file::create(path).and_then(|file| file.write_all_at(&[b'\n'; ROOM], 0).map(|()| file));
    made.map_err(|source| DirectoryError::Io { what: "write", path: path.display().to_string(), source })
}

/// What the master said before it ended, on the line of the error.
fn last_words(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let text = text.trim();
    if text.is_empty() { String::new() } else { format!(": {text}") }
}
