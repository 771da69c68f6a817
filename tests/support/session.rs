//! A session for tests: a real master, its servers and ranks, driven over the front end's socket. At the end of a test
//! all that is left of it is killed, and its absence is checked.

use super::ports::free_port;
use rankscope::model::{Answer, Event, LaunchSpec, Operation, ProcessSet, ProcessState, StopAt, Stream, TransactionId};
use rankscope::protocol::{
    Connection, Hello, LaunchPlan, Listener, Receiver, Reply, Request, Role, Sender, SessionCommand, SessionDirectory,
    SessionEvent, WaitPolicy, dial_unix,
};
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub use super::wait::{LIMIT, until};

/// Kills, when dropped, every process with the path of the session on its command line.
pub struct Guard {
    path: String,
    master: Option<Child>,
    _base: Option<tempfile::TempDir>,
}

impl Guard {
    /// For processes of a session without a master.
    pub fn new(directory: &SessionDirectory) -> Self {
        Self { path: directory.path().to_str().unwrap().to_owned(), master: None, _base: None }
    }

    /// Live processes of the session, with their command lines.
    pub fn processes(&self) -> Vec<(i32, String)> {
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
            let Ok(words) = fs::read(entry.path().join("cmdline")) else { continue };
            let words = String::from_utf8_lossy(&words).replace('\0', " ");
            let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let dead = stat.rsplit(") ").next().is_none_or(|rest| rest.starts_with(['Z', 'X']));
            if words.contains(&self.path) && !dead {
                found.push((pid, words));
            }
        }
        found
    }

    pub fn server(&self, index: u32) -> i32 {
        let wanted = format!("--index {index} ");
        let found = self.processes().into_iter().find(|(_, words)| words.contains(&wanted));
        found.unwrap_or_else(|| panic!("no server {index}")).0
    }

    pub fn master(&self) -> i32 {
        self.master.as_ref().unwrap().id() as i32
    }

    /// Kills a process with SIGKILL.
    pub fn kill(pid: i32) {
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL);
    }

    /// Waits until no process of the session is left.
    pub async fn assert_gone(&mut self) {
        until("the end of all processes of the session", || {
            if let Some(master) = &mut self.master {
                let _ = master.try_wait();
            }
            self.processes().is_empty().then_some(())
        })
        .await;
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // Not a panic: one may be in progress already, and remaining processes are asserted below.
        super::wait::within(Duration::from_secs(10), || {
            let left = self.processes();
            left.iter().for_each(|(pid, _)| Self::kill(*pid));
            left.is_empty().then_some(())
        });
        if let Some(mut master) = self.master.take() {
            let _ = master.kill();
            let _ = master.wait();
        }
        if std::thread::panicking() {
            for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
                if entry.path().extension().is_some_and(|e| e == "log") {
                    let text = fs::read_to_string(entry.path()).unwrap_or_default();
                    eprintln!("--- {}\n{text}", entry.file_name().to_string_lossy());
                }
            }
        } else {
            assert!(self.processes().is_empty(), "processes of the session are left: {:?}", self.processes());
        }
    }
}

/// A front end without a screen.
pub struct Session {
    pub guard: Guard,
    pub directory: SessionDirectory,
    sender: Sender<Request>,
    receiver: Receiver<Reply>,
    unread: VecDeque<Reply>,
    next: u32,
    /// All output of the ranks so far, also that skipped while waiting.
    pub written: BTreeMap<(u32, Stream), String>,
    /// Ranks that have exited with code 0 so far.
    pub exited: ProcessSet,
    /// True to stop acknowledging output, so that the rest is not sent.
    pub is_full: bool,
}

/// The replies to a request.
#[derive(Debug, Default)]
pub struct Outcome {
    pub answers: Vec<(String, Answer)>,
    pub missing: String,
}

pub fn set(text: &str) -> ProcessSet {
    ProcessSet::parse(text).unwrap()
}

pub fn free_ports() -> [u16; 3] {
    [(); 3].map(|()| free_port())
}

pub fn fake(program: &str, stop_at: StopAt) -> LaunchSpec {
    LaunchSpec { program: format!("fake:{program}"), stop_at, ..LaunchSpec::default() }
}

impl Session {
    /// A session without a job. `options` are the master's.
    pub async fn start(options: &[&str]) -> Self {
        let base = tempfile::Builder::new().prefix("rs").tempdir_in("/tmp").unwrap();
        let directory = SessionDirectory::create_in(&base.path().join("s"), None).unwrap();
        directory.create_key().unwrap();
        let socket = directory.front_socket();
        let listener = Listener::unix(&socket).await.unwrap();
        let mut master = Command::new(env!("CARGO_BIN_EXE_rankscope-sdm"));
        master.args(["--master", "--session"]).arg(directory.path()).arg("--front-end").arg(&socket).args(options);
        master.stdin(Stdio::null()).stdout(Stdio::null());
        let path = directory.path().to_str().unwrap().to_owned();
        let guard = Guard { path, master: Some(master.spawn().unwrap()), _base: Some(base) };
        let arrival = tokio::time::timeout(LIMIT, listener.accept()).await.expect("no master").unwrap();
        let connection = arrival.establish(None, &Hello::new(Role::FrontEnd)).await.unwrap();
        Self::over(guard, directory, connection)
    }

    fn over(guard: Guard, directory: SessionDirectory, connection: Connection) -> Self {
        let (sender, receiver) = connection.split();
        let (unread, written, exited, is_full) = Default::default();
        Self { guard, directory, sender, receiver, unread, next: 1, written, exited, is_full }
    }

    /// A session whose job is stopped at its start.
    pub async fn with_job(options: &[&str], ranks: u32, program: &str) -> Self {
        let mut session = Self::start(options).await;
        session.launch(LaunchPlan::Local { ranks, spec: fake(program, StopAt::Main) }).await.unwrap();
        session.until_stopped(&ProcessSet::all(ranks)).await;
        session
    }

    /// Bytes of requests that wait here until the master takes them.
    pub fn waiting(&self) -> usize {
        self.sender.waiting()
    }

    /// Waits until at most this many of those are left.
    pub async fn until_taken(&self, bytes: usize) {
        self.sender.room(bytes).await.unwrap();
    }

    /// Disconnects as in a crash, and reconnects as another front end.
    pub async fn come_back(self) -> Self {
        let Self { mut guard, directory, sender, receiver, .. } = self;
        drop((sender, receiver));
        let end = Instant::now() + LIMIT;
        loop {
            let path = directory.path().join("master.sock");
            let connection = dial_unix(&path, &Hello::new(Role::FrontEnd)).await.unwrap();
            let mut session = Self::over(guard, directory.clone(), connection);
            let tid = session.command(SessionCommand::Replay);
            // The master may not have noticed yet that the other front end is gone.
            if session.try_next().await.is_some_and(|reply| {
                let refused = matches!(&reply, Reply::Session { event: SessionEvent::Failed(_), .. });
                session.unread.push_back(reply);
                !refused
            }) {
                assert_eq!(tid, TransactionId(1));
                return session;
            }
            assert!(Instant::now() < end, "not let in");
            Self { guard, .. } = session;
        }
    }

    pub fn command(&mut self, command: SessionCommand) -> TransactionId {
        let tid = self.tid();
        let _ = self.sender.send(&Request::Session { tid, command });
        tid
    }

    pub async fn launch(&mut self, plan: LaunchPlan) -> Result<(u32, Vec<(String, ProcessSet)>), String> {
        let tid = self.command(SessionCommand::Launch(plan));
        self.session_outcome(tid).await
    }

    pub async fn session_outcome(&mut self, wanted: TransactionId) -> Result<(u32, Vec<(String, ProcessSet)>), String> {
        let mut launcher = String::new();
        loop {
            if let Reply::Session { tid, event } = self.next().await
                && tid == wanted
            {
                match event {
                    SessionEvent::Session { size, hosts, .. } => return Ok((size, hosts)),
                    SessionEvent::LauncherOutput(words) => launcher.push_str(&words),
                    SessionEvent::Failed(why) => return Err(launcher + &why),
                    _ => {}
                }
            }
        }
    }

    pub fn ask(&mut self, ranks: &str, wait: WaitPolicy, operation: Operation) -> TransactionId {
        let tid = self.tid();
        let ranks = set(ranks);
        self.sender.send(&Request::Ranks { tid, ranks, wait, operation }).unwrap();
        tid
    }

    /// Sends a request, and waits until answers and missing ranks together are those asked. Other replies are kept.
    pub async fn query(&mut self, ranks: &str, wait: WaitPolicy, operation: Operation) -> Outcome {
        let tid = self.ask(ranks, wait, operation);
        self.outcome(tid, ranks).await
    }

    pub async fn outcome(&mut self, wanted: TransactionId, ranks: &str) -> Outcome {
        let asked = set(ranks);
        let (mut outcome, mut covered, mut absent) = (Outcome::default(), ProcessSet::new(), ProcessSet::new());
        let mut kept = VecDeque::new();
        while covered.union(&absent) != asked {
            match self.next().await {
                Reply::Answer { tid, ranks, missing, late, answer } if tid == wanted => {
                    assert!(!late, "late before all had been accounted for");
                    assert!(!covered.meets(&ranks), "{ranks:?} answered twice");
                    covered.extend_with(&ranks);
                    absent.extend_with(&missing);
                    outcome.answers.push((ranks.to_string(), answer));
                }
                Reply::Missing { tid, ranks } if tid == wanted => absent.extend_with(&ranks),
                other => kept.push_back(other),
            }
        }
        outcome.missing = absent.to_string();
        kept.append(&mut self.unread);
        self.unread = kept;
        outcome
    }

    /// Reads until matching events have covered the ranks. Other replies are kept.
    pub async fn until_event(&mut self, ranks: &ProcessSet, fits: impl Fn(&Event) -> bool) -> Vec<(String, Event)> {
        let (mut left, mut seen, mut kept) = (ranks.clone(), Vec::new(), VecDeque::new());
        while !left.is_empty() {
            match self.next().await {
                Reply::Event { ranks, event, .. } if left.meets(&ranks) && fits(&event) => {
                    left.remove_all(&ranks);
                    seen.push((ranks.to_string(), event));
                }
                other => kept.push_back(other),
            }
        }
        kept.append(&mut self.unread);
        self.unread = kept;
        seen
    }

    pub async fn until_stopped(&mut self, ranks: &ProcessSet) -> Vec<(String, Event)> {
        self.until_event(ranks, |event| matches!(event, Event::Stopped(_))).await
    }

    pub async fn until_session(&mut self, fits: impl Fn(&SessionEvent) -> bool) -> SessionEvent {
        loop {
            if let Reply::Session { event, .. } = self.next().await
                && fits(&event)
            {
                return event;
            }
        }
    }

    pub async fn states(&mut self) -> Vec<(ProcessSet, ProcessState)> {
        self.command(SessionCommand::Replay);
        match self.until_session(|event| matches!(event, SessionEvent::State { .. })).await {
            SessionEvent::State { states, .. } => states,
            _ => unreachable!(),
        }
    }

    /// Ends the session in order.
    pub async fn quit(mut self) {
        self.command(SessionCommand::Quit { kill: true });
        self.until_session(|event| *event == SessionEvent::Ended).await;
        self.guard.assert_gone().await;
        assert!(!self.directory.path().exists(), "the session directory is left");
    }

    pub async fn next(&mut self) -> Reply {
        self.try_next().await.expect("the master closed the link")
    }

    pub async fn try_next(&mut self) -> Option<Reply> {
        if let Some(reply) = self.unread.pop_front() {
            return Some(reply);
        }
        let received = tokio::time::timeout(LIMIT, self.receiver.receive()).await;
        let reply = received.expect("nothing comes").ok().flatten();
        let weight = reply.as_ref().map_or(0, Reply::output_weight);
        if weight > 0 && !self.is_full {
            self.take(weight);
        }
        match &reply {
            Some(Reply::Event { ranks, event: Event::Output(stream, text), .. }) => {
                ranks.iter().for_each(|rank| self.written.entry((rank.0, *stream)).or_default().push_str(text));
            }
            Some(Reply::Event { ranks, event: Event::Exited(0), .. }) => self.exited.extend_with(ranks),
            _ => {}
        }
        reply
    }

    /// Replies that were skipped come again, before the others.
    pub fn unread_again(&mut self, skipped: Vec<Reply>) {
        for reply in skipped.into_iter().rev() {
            self.unread.push_front(reply);
        }
    }

    /// Acknowledges all output from now on, and what was skipped.
    pub fn take_unread(&mut self) {
        self.is_full = false;
        self.take(self.unread.iter().map(Reply::output_weight).sum());
    }

    /// Acknowledges output.
    pub fn take(&mut self, weight: u64) {
        let (tid, command) = (TransactionId(0), SessionCommand::OutputTaken(weight));
        let _ = self.sender.send(&Request::Session { tid, command });
    }

    fn tid(&mut self) -> TransactionId {
        let tid = TransactionId(self.next);
        self.next += 1;
        tid
    }
}
