//! Connections to a session's ports without its key are refused and named in the log; the session goes on undisturbed.

use crate::support::session::{LIMIT, Session, free_ports, set, until};
use futures::future::join_all;
use futures::stream::{FuturesUnordered, StreamExt};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use rankscope::model::{Event, Operation, ProcessState, Severity};
use rankscope::protocol::{Hello, Role, SessionEvent, SessionKey, WaitPolicy, dial_tcp};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::time::timeout;

const STACK: Operation = Operation::Stack { thread: None, low: 0, high: None, most: None };
/// A length of 48 and as many bytes: the form of rankscope's first message.
const FORM_OF_GREETING: &[u8; 50] = b"\x00\x30................................................";

/// A session with two servers whose ports are known.
struct Target {
    session: Session,
    doors: [Door; 2],
    _base: tempfile::TempDir,
}

/// A listening process of the session.
#[derive(Clone)]
struct Door {
    address: String,
    log: PathBuf,
    process: i32,
}

impl Target {
    async fn new() -> Self {
        let base = tempfile::Builder::new().prefix("rs").tempdir_in("/tmp").unwrap();
        let file = base.path().join("routes");
        let [port, one, other] = free_ports();
        fs::write(&file, format!("2\n0 127.0.0.1 {one}\n1 127.0.0.1 {other}\n")).unwrap();
        let (file, ports) = (file.to_str().unwrap(), port.to_string());
        let options = ["--engine", "fake", "--ranks-per-server", "2", "--routing-file", file, "--port-range", &ports];
        let session = Session::with_job(&options, 4, "stencil").await;
        let door = |name: &str, port: u16, process: i32| Door {
            address: format!("127.0.0.1:{port}"),
            log: session.directory.log(name),
            process,
        };
        let doors = [door("master", port, session.guard.master()), door("server-0", one, session.guard.server(0))];
        Self { session, doors, _base: base }
    }

    fn key(&self) -> SessionKey {
        self.session.directory.key().unwrap()
    }

    /// Checks that all ranks answer and are in the same state as before.
    async fn is_untouched(&mut self) {
        let stack = self.session.query("0-3", WaitPolicy::All, STACK).await;
        assert_eq!((stack.answers.len(), stack.missing.as_str()), (1, ""));
        let states = self.session.states().await;
        let stopped = |(_, state): &(_, ProcessState)| matches!(state, ProcessState::Stopped(_));
        assert!(states.iter().all(stopped), "{states:?}");
    }
}

impl Door {
    /// Sends the words; returns the answer up to the end of the link.
    async fn say(&self, words: &[u8]) -> Vec<u8> {
        let mut link = TcpStream::connect(&self.address).await.unwrap();
        // The link may be closed before everything is written.
        let _ = link.write_all(words).await;
        let _ = link.shutdown().await;
        closed(link).await
    }

    async fn logs(&self, words: &str) {
        until(&format!("{words:?} in {}", self.log.display()), || {
            let log = fs::read_to_string(&self.log).unwrap();
            log.lines()
                .any(|line| {
                    (line.contains("connection refused") || line.contains("the handshake")) && line.contains(words)
                })
                .then_some(())
        })
        .await;
    }

    /// Largest resident size so far, in KiB (proc(5), `VmHWM`).
    fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process)).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    fn descriptors(&self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.process)).unwrap().count()
    }
}

/// Waits until the other side has closed a link; returns what it sent before.
async fn closed(mut link: impl AsyncReadExt + Unpin) -> Vec<u8> {
    let mut answer = Vec::new();
    // A reset is a close, too.
    let _ = timeout(LIMIT, link.read_to_end(&mut answer)).await.expect("the link stays open");
    answer
}

/// Everything that an eavesdropper sees of a server that joins.
async fn overheard(door: &Door, key: &SessionKey) -> Vec<u8> {
    let between = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = between.local_addr().unwrap().to_string();
    let there = door.address.clone();
    let listening = tokio::spawn(async move {
        let (dialler, _) = between.accept().await.unwrap();
        let (mut from, mut back) = dialler.into_split();
        let (mut answers, mut to) = TcpStream::connect(there).await.unwrap().into_split();
        let answering = tokio::spawn(async move { tokio::io::copy(&mut answers, &mut back).await });
        let mut heard = Vec::new();
        while let Ok(length @ 1..) = from.read_buf(&mut heard).await {
            to.write_all(&heard[heard.len() - length..]).await.unwrap();
        }
        drop(to);
        let _ = answering.await;
        heard
    });
    let hello = Hello::new(Role::Server);
    drop(dial_tcp(&address, key, &hello).await.unwrap());
    listening.await.unwrap()
}

#[tokio::test]
async fn who_has_no_key_is_refused_and_named_and_changes_nothing() {
    let mut target = Target::new().await;
    let (key, doors) = (target.key(), target.doors.clone());
    // These begin a greeting and never finish it.
    let half_open = doors.iter().flat_map(|door| [(door, &b""[..]), (door, &FORM_OF_GREETING[..20])]);
    let half_open = join_all(half_open.map(|(door, words)| async move {
        let mut link = TcpStream::connect(&door.address).await.unwrap();
        link.write_all(words).await.unwrap();
        link
    }));
    let half_open = half_open.await;
    assert_eq!(doors[0].say(b"\0").await, b"");
    assert_eq!(doors[0].say(b"knock, knock").await, b"");
    // The front end reports it, too.
    let log = doors[0].log.display().to_string();
    let is_warning = |event: &SessionEvent| match event {
        SessionEvent::Message(Severity::Warning, words) => words.contains("refused") && words.contains(&log),
        _ => false,
    };
    target.session.until_session(is_warning).await;
    for door in &doors {
        let greeting = overheard(door, &key).await;
        assert_eq!(greeting.get(..2), FORM_OF_GREETING.get(..2));
        let answer = door.say(&greeting).await;
        assert!(!answer.windows(5).any(|part| part == b"HELLO" || part == b"maste"), "{answer:?}");
        door.logs("cannot decrypt a record").await;
        assert_eq!(door.say(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n").await, b"");
        door.logs("does not speak rankscope's protocol").await;
        assert_eq!(door.say(FORM_OF_GREETING).await, b"");
        door.logs("does not have the key").await;
        let impostor = dial_tcp(&door.address, &key, &Hello::new(Role::FrontEnd)).await;
        door.logs("connected to a front-end, expected a server").await;
        drop(impostor);
        let other = SessionKey::generate().unwrap();
        assert!(dial_tcp(&door.address, &other, &Hello::new(Role::Server)).await.is_err());
        assert_eq!(door.say(b"").await, b"");
        door.logs("closed the link during the handshake").await;
        assert_eq!(door.say(&vec![0xff; 100_000]).await, b"");
        target.is_untouched().await;
    }
    // Only the session's user can connect to the socket for front ends: a wrong greeting is refused there as well.
    let mut link = UnixStream::connect(target.session.directory.path().join("master.sock")).await.unwrap();
    link.write_all(b"0000004b 0001:00000001:00000003 00000004:ring").await.unwrap();
    link.shutdown().await.unwrap();
    closed(link).await;
    for link in half_open {
        assert_eq!(closed(link).await, b"");
    }
    for door in &doors {
        door.logs("no reply within").await;
    }
    target.is_untouched().await;
    target.session.quit().await;
}

/// Opens many connections to a door, of every useless kind; most of them stay open.
async fn flood(door: &Door, many: usize) -> Vec<TcpStream> {
    let mut links = Vec::new();
    let mut coming = FuturesUnordered::new();
    for n in 0..many {
        coming.push(async move {
            let mut link = TcpStream::connect(&door.address).await.ok()?;
            let words = [&b""[..], b"", b"garbage", FORM_OF_GREETING, &FORM_OF_GREETING[..7]][n % 5];
            link.write_all(words).await.ok()?;
            Some(link)
        });
        if coming.len() >= 500 {
            links.extend(coming.next().await.flatten());
        }
    }
    while let Some(link) = coming.next().await {
        links.extend(link);
    }
    links
}

async fn is_flooded(mut target: Target, door: Door, many: usize, most_descriptors: usize) {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    setrlimit(Resource::RLIMIT_NOFILE, hard, hard).unwrap();
    assert!(hard as usize > many + 100, "this test holds {many} connections, and may open {soft} files only");
    let (before, key) = (door.memory(), target.key());
    let there = door.clone();
    let flood = tokio::spawn(async move { flood(&there, many).await });
    let mut most = 0;
    while !flood.is_finished() {
        target.is_untouched().await;
        most = most.max(door.descriptors());
    }
    let links = flood.await.unwrap();
    assert!(links.len() > many / 2, "{} of {many}", links.len());
    // A client with the key is accepted while all those wait.
    let end = Instant::now() + LIMIT;
    while let Err(error) = dial_tcp(&door.address, &key, &Hello::new(Role::Server)).await {
        assert!(Instant::now() < end, "{error}");
    }
    target.is_untouched().await;
    let (grown, log) = (door.memory() - before, fs::metadata(&door.log).unwrap().len());
    assert!(grown < 24 << 10, "{grown} KiB more");
    assert!(most <= most_descriptors && log < 64 << 10, "{most} descriptors, {log} bytes of log");
    drop(links);
    target.is_untouched().await;
    target.session.quit().await;
}

#[tokio::test]
async fn ten_thousand_connections_to_a_master() {
    let target = Target::new().await;
    let door = target.doors[0].clone();
    is_flooded(target, door, 10_000, 400).await;
}

#[tokio::test]
async fn a_thousand_connections_to_a_server() {
    let target = Target::new().await;
    let door = target.doors[1].clone();
    is_flooded(target, door, 1_000, 400).await;
}

#[tokio::test]
async fn a_master_that_may_open_few_files_gets_through_a_flood() {
    let target = Target::new().await;
    let door = target.doors[0].clone();
    let limit = door.descriptors() + 16;
    let process = door.process.to_string();
    let status = Command::new("prlimit").args(["--pid", &process, &format!("--nofile={limit}")]).status();
    assert!(status.unwrap().success());
    is_flooded(target, door, 300, limit).await;
}

#[tokio::test]
async fn ranks_stop_and_go_while_somebody_knocks() {
    let mut target = Target::new().await;
    let door = target.doors[0].clone();
    let flood = tokio::spawn(async move { flood(&door, 1_000).await });
    target.session.query("0-3", WaitPolicy::All, Operation::Go).await;
    let ended = |event: &Event| matches!(event, Event::Exited(0));
    target.session.until_event(&set("0-3"), ended).await;
    drop(flood.await.unwrap());
    target.session.quit().await;
}
