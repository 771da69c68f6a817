//! The tree as processes over sockets, with simulated ranks.

use crate::support::session::{Guard, Session, fake, free_ports, set, until};
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, Context, ErrorCode, Event, LocationSpec, Operation, ProcessSet,
    ProcessState, StopAt, StopReason,
};
use rankscope::protocol::{
    Hello, LaunchPlan, Listener, Reply, Role, SessionCommand, SessionDirectory, SessionEvent, TreeDown, TreeUp,
    WaitPolicy,
};
use std::collections::HashSet;
use std::time::Duration;

fn breakpoint(function: &str) -> Operation {
    Operation::SetBreakpoint(BreakpointRequest::at(BreakpointId(1), LocationSpec::Function(function.to_owned())))
}

fn is_breakpoint(event: &Event) -> bool {
    matches!(event, Event::Stopped(stop) if matches!(stop.reason, StopReason::Breakpoint(_)))
}

const STACK: Operation = Operation::Stack { thread: None, low: 0, high: None, most: None };

/// A whole session: a breakpoint, all arrive, one stack for all, the end.
async fn whole_session(options: &[&str], ranks: u32, servers: usize) {
    let mut session = Session::with_job(options, ranks, "stencil").await;
    assert_eq!(session.guard.processes().len(), servers + 1);
    let all = ProcessSet::all(ranks).to_string();
    let set = session.query(&all, WaitPolicy::All, breakpoint("kernel")).await;
    assert_eq!(set.answers.len(), 1, "{set:?}");
    let go = session.query(&all, WaitPolicy::All, Operation::Go).await;
    assert_eq!(go.answers, [(all.clone(), Answer::Ok)]);
    session.until_event(&ProcessSet::all(ranks), is_breakpoint).await;
    let stack = session.query(&all, WaitPolicy::All, STACK).await;
    assert_eq!((stack.answers.len(), stack.missing.as_str()), (1, ""));
    let Answer::Stack(frames) = &stack.answers[0].1 else { panic!("{stack:?}") };
    assert_eq!(frames[0].function.as_deref(), Some("kernel"));
    session.quit().await;
}

#[tokio::test]
async fn one_server() {
    whole_session(&["--engine", "fake"], 4, 1).await;
}

#[tokio::test]
async fn two_servers() {
    whole_session(&["--engine", "fake", "--ranks-per-server", "2"], 4, 2).await;
}

#[tokio::test]
async fn seven_servers_as_a_binomial_tree() {
    whole_session(&["--engine", "fake", "--ranks-per-server", "3", "--topology", "binomial"], 20, 7).await;
}

#[tokio::test]
async fn sixty_four_servers_with_four_children_each() {
    whole_session(&["--engine", "fake", "--ranks-per-server", "4", "--fan-out", "4"], 256, 64).await;
}

#[tokio::test]
async fn ten_thousand_ranks_on_eight_servers_answer_as_one() {
    let mut session = Session::with_job(&["--engine", "fake", "--ranks-per-server", "1250"], 10_000, "stencil").await;
    let stack = session.query("0-9999", WaitPolicy::All, STACK).await;
    assert_eq!(stack.answers.len(), 1);
    session.quit().await;
}

#[tokio::test]
async fn the_slow_and_the_hung_are_missing_and_a_late_answer_still_comes() {
    let mut session = Session::with_job(&["--engine", "fake", "--ranks-per-server", "2"], 4, "hang").await;
    session.query("0-3", WaitPolicy::All, breakpoint("compute")).await;
    session.query("0-3", WaitPolicy::All, Operation::Go).await;
    session.until_event(&set("1-3"), is_breakpoint).await;
    let tid = session.ask("0-3", WaitPolicy::Within(150), STACK);
    let outcome = session.outcome(tid, "0-3").await;
    assert_eq!((outcome.answers.len(), outcome.answers[0].0.as_str()), (1, "2-3"));
    assert_eq!(outcome.missing, "0-1");
    loop {
        if let Reply::Answer { tid: of, ranks, late: true, .. } = session.next().await {
            assert_eq!((of, ranks), (tid, set("1")));
            break;
        }
    }
    let first = session.query("0-3", WaitPolicy::First, STACK).await;
    assert!(!first.answers.is_empty() && !first.missing.is_empty(), "{first:?}");
    session.quit().await;
}

#[tokio::test]
async fn a_killed_server_loses_its_ranks_and_nothing_else() {
    let mut session = Session::with_job(&["--engine", "fake", "--ranks-per-server", "2"], 8, "hang").await;
    session.query("0-7", WaitPolicy::All, breakpoint("compute")).await;
    session.query("0-7", WaitPolicy::All, Operation::Go).await;
    session.until_event(&set("1-7"), is_breakpoint).await;
    // Rank 0 hangs: this waits for it, until its server is gone.
    let waits = session.ask("0-7", WaitPolicy::All, STACK);
    // When this is answered, the previous query is on its way.
    session.query("2-7", WaitPolicy::All, STACK).await;
    Guard::kill(session.guard.server(0));
    let outcome = session.outcome(waits, "0-7").await;
    assert_eq!(outcome.answers.iter().map(|(ranks, _)| ranks.as_str()).collect::<Vec<_>>(), ["2-7"]);
    assert_eq!(outcome.missing, "0-1");
    let lost = session.until_event(&set("0-1"), |event| matches!(event, Event::Lost(_))).await;
    assert_eq!(lost.len(), 1);
    let after = session.query("0-7", WaitPolicy::All, STACK).await;
    assert_eq!(after.missing, "");
    for (ranks, answer) in &after.answers {
        match answer {
            Answer::Stack(_) => assert_eq!(ranks, "2-7"),
            Answer::Failed(failure) => assert_eq!((ranks.as_str(), failure.code), ("0-1", ErrorCode::NOT_RUN)),
            other => panic!("{other:?}"),
        }
    }
    session.quit().await;
}

#[tokio::test]
async fn who_asks_a_server_that_was_just_killed_hears_of_its_loss_first() {
    for operation in [Operation::Go, breakpoint("kernel"), STACK] {
        let mut session = Session::with_job(&["--engine", "fake"], 2, "stencil").await;
        Guard::kill(session.guard.server(0));
        let asked = session.ask("0-1", WaitPolicy::All, operation);
        let mut lost = ProcessSet::new();
        loop {
            match session.next().await {
                Reply::Event { ranks, event: Event::Lost(_), .. } => lost.extend_with(&ranks),
                Reply::Answer { tid, .. } | Reply::Missing { tid, .. } if tid == asked => break,
                _ => {}
            }
        }
        assert_eq!(lost, set("0-1"));
        session.quit().await;
    }
}

#[tokio::test]
async fn orphans_go_to_their_grandparent() {
    let options = ["--engine", "fake", "--ranks-per-server", "2", "--topology", "binomial"];
    let mut session = Session::with_job(&options, 14, "stencil").await;
    // 2 and 4 are children of 0, and 6 is a child of 2 (wire, section 6).
    Guard::kill(session.guard.server(0));
    session.until_event(&set("0-1"), |event| matches!(event, Event::Lost(_))).await;
    // Ranks on their way to another parent are asked there.
    let outcome = session.query("2-13", WaitPolicy::All, STACK).await;
    assert_eq!((outcome.missing.as_str(), outcome.answers.len()), ("", 1), "{outcome:?}");
    session.query("2-13", WaitPolicy::All, breakpoint("kernel")).await;
    session.query("2-13", WaitPolicy::All, Operation::Go).await;
    session.until_event(&set("2-13"), is_breakpoint).await;
    let states = session.states().await;
    let lost: Vec<_> = states.iter().filter(|(_, state)| matches!(state, ProcessState::Lost(_))).collect();
    assert_eq!((lost.len(), &lost[0].0), (1, &set("0-1")));
    session.quit().await;
}

#[tokio::test]
async fn a_session_survives_its_front_end() {
    let mut session = Session::with_job(&["--engine", "fake", "--ranks-per-server", "2"], 4, "stencil").await;
    session.query("0-3", WaitPolicy::All, breakpoint("kernel")).await;
    session.query("0-1", WaitPolicy::All, Operation::Go).await;
    session.until_event(&set("0-1"), is_breakpoint).await;
    let mut session = session.come_back().await;
    let size = session.until_session(|event| matches!(event, SessionEvent::Session { .. })).await;
    assert!(matches!(size, SessionEvent::Session { size: 4, .. }));
    let state = session.until_session(|event| matches!(event, SessionEvent::State { .. })).await;
    let SessionEvent::State { breakpoints, states, ranks, .. } = state else { unreachable!() };
    assert_eq!((breakpoints.len(), breakpoints[0].hits.total(), &breakpoints[0].ranks), (1, 2, &set("0-3")));
    assert_eq!(breakpoints[0].sites[0].0, set("0-3"));
    assert_eq!(ranks.len(), 4);
    let mut stopped: Vec<_> = states
        .iter()
        .map(|(ranks, state)| match state {
            ProcessState::Stopped(stop) => (ranks.to_string(), stop.reason.word()),
            other => panic!("{other:?}"),
        })
        .collect();
    stopped.sort();
    assert_eq!(stopped, [("0-1".to_owned(), "breakpoint"), ("2-3".to_owned(), "start")]);
    assert_eq!(session.query("0-3", WaitPolicy::All, Operation::Go).await.answers.len(), 1);
    session.quit().await;
}

#[tokio::test]
async fn nothing_outlives_a_killed_master() {
    let options = ["--engine", "fake", "--ranks-per-server", "1", "--fan-out", "2"];
    let mut session = Session::with_job(&options, 7, "stencil").await;
    Guard::kill(session.guard.master());
    session.guard.assert_gone().await;
}

#[tokio::test]
async fn a_terminated_master_ends_the_session_in_order() {
    let mut session = Session::with_job(&["--engine", "fake", "--ranks-per-server", "2"], 4, "stencil").await;
    let master = nix::unistd::Pid::from_raw(session.guard.master());
    nix::sys::signal::kill(master, nix::sys::signal::Signal::SIGTERM).unwrap();
    session.until_session(|event| *event == SessionEvent::Ended).await;
    session.guard.assert_gone().await;
    assert!(!session.directory.path().exists());
}

#[tokio::test]
async fn detaching_lets_the_ranks_go() {
    let mut session = Session::with_job(&["--engine", "fake", "--ranks-per-server", "2"], 4, "stencil").await;
    session.command(SessionCommand::Quit { kill: false });
    let mut detached = ProcessSet::new();
    loop {
        match session.next().await {
            Reply::Event { ranks, event: Event::Detached, .. } => detached.extend_with(&ranks),
            Reply::Session { event: SessionEvent::Ended, .. } => break,
            _ => {}
        }
    }
    assert_eq!(detached, set("0-3"));
    session.guard.assert_gone().await;
}

#[tokio::test]
async fn a_job_that_cannot_start_says_why_once_and_leaves_the_session_usable() {
    let mut session = Session::start(&["--engine", "fake", "--ranks-per-server", "2"]).await;
    let spec = fake("nonsense", StopAt::Main);
    let why = session.launch(LaunchPlan::Local { ranks: 4, spec: spec.clone() }).await.unwrap_err();
    assert!(why.starts_with("[0-3] ") && why.contains("nonsense") && why.lines().count() == 1, "{why}");
    for ranks in [0, u32::MAX] {
        let why = session.launch(LaunchPlan::Local { ranks, spec: spec.clone() }).await.unwrap_err();
        assert!(why.starts_with(&format!("cannot start {ranks} ranks")), "{why}");
    }
    let not_started = session.query("0", WaitPolicy::All, Operation::Go).await;
    assert!(matches!(&not_started.answers[0].1, Answer::Failed(f) if f.code == ErrorCode::NOT_STARTED));
    session.quit().await;
}

#[tokio::test]
async fn ranks_that_are_not_there_are_named() {
    let mut session = Session::with_job(&["--engine", "fake"], 4, "stencil").await;
    let outcome = session.query("2-5", WaitPolicy::All, STACK).await;
    let refused = outcome.answers.iter().find(|(ranks, _)| ranks == "4-5").map(|(_, answer)| answer);
    assert!(matches!(refused, Some(Answer::Failed(failure)) if failure.code == ErrorCode::BAD_SET), "{outcome:?}");
    assert!(outcome.answers.iter().any(|(ranks, answer)| ranks == "2-3" && matches!(answer, Answer::Stack(_))));
    session.quit().await;
}

#[tokio::test]
async fn a_restart_keeps_the_breakpoints() {
    let mut session = Session::with_job(&["--engine", "fake", "--ranks-per-server", "2"], 4, "stencil").await;
    session.query("0-3", WaitPolicy::All, breakpoint("kernel")).await;
    let tid = session.command(SessionCommand::Restart(Default::default()));
    session.session_outcome(tid).await.unwrap();
    let moved = session.until_event(&set("0-3"), |event| matches!(event, Event::BreakpointMoved(..))).await;
    assert_eq!(moved.len(), 1);
    session.until_stopped(&set("0-3")).await;
    session.query("0-3", WaitPolicy::All, Operation::Go).await;
    session.until_event(&set("0-3"), is_breakpoint).await;
    session.quit().await;
}

#[tokio::test]
async fn stops_of_many_ranks_come_as_one_event() {
    let mut session = Session::with_job(&["--engine", "fake", "--ranks-per-server", "8"], 64, "stencil").await;
    session.query("0-63", WaitPolicy::All, breakpoint("kernel")).await;
    session.query("0-63", WaitPolicy::All, Operation::Go).await;
    let stops = session.until_event(&ProcessSet::all(64), is_breakpoint).await;
    // One if the machine delays nothing; never one per rank, or one per server and rank.
    assert!(stops.len() <= 8, "{} events", stops.len());
    session.quit().await;
}

#[tokio::test]
async fn a_hung_server_holds_nobody_up_and_does_not_outlive_the_session() {
    let mut session = Session::with_job(&["--engine", "fake", "--ranks-per-server", "2"], 4, "stencil").await;
    let hung = nix::unistd::Pid::from_raw(session.guard.server(1));
    nix::sys::signal::kill(hung, nix::sys::signal::Signal::SIGSTOP).unwrap();
    let outcome = session.query("0-3", WaitPolicy::Within(200), STACK).await;
    assert_eq!((outcome.answers.len(), outcome.answers[0].0.as_str()), (1, "0-1"));
    assert_eq!(outcome.missing, "2-3");
    assert_eq!(session.query("0-1", WaitPolicy::All, STACK).await.missing, "");
    session.quit().await;
}

/// The TCP links of a process that both ends hold, and the bytes that have come on them and wait to be read.
fn links(pid: nix::unistd::Pid) -> (usize, u64) {
    let sockets: HashSet<String> = std::fs::read_dir(format!("/proc/{pid}/fd"))
        .unwrap()
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok())
        .filter_map(|link| Some(link.to_str()?.strip_prefix("socket:[")?.trim_end_matches(']').to_owned()))
        .collect();
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    // proc(5): the state, of which 01 is an established connection, the queues, and the inode.
    let held: Vec<u64> = table
        .lines()
        .skip(1)
        .filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (_, come) = words.get(4)?.split_once(':')?;
            (*words.get(3)? == "01" && sockets.contains(*words.get(9)?)).then(|| u64::from_str_radix(come, 16).unwrap())
        })
        .collect();
    (held.len(), held.iter().sum())
}

/// Longer than the silence after which a peer is lost.
const LONG: Duration = Duration::from_secs(8);

#[tokio::test]
async fn a_master_that_stands_still_while_a_thousand_ranks_answer_loses_none() {
    let mut session = Session::with_job(&["--engine", "fake", "--ranks-per-server", "100"], 1000, "stencil").await;
    session.query("0-999", WaitPolicy::All, breakpoint("kernel")).await;
    session.query("0-999", WaitPolicy::All, Operation::Go).await;
    session.until_event(&ProcessSet::all(1000), is_breakpoint).await;
    let print = || Operation::Evaluate { context: Context::default(), expression: "rod".to_owned() };
    let master = nix::unistd::Pid::from_raw(session.guard.master());
    let servers: Vec<nix::unistd::Pid> =
        (0..10).map(|at| nix::unistd::Pid::from_raw(session.guard.server(at))).collect();
    let send = |pid: nix::unistd::Pid, signal| nix::sys::signal::kill(pid, signal).unwrap();
    // The servers have the questions, and answer when the master takes nothing any more.
    servers.iter().for_each(|server| send(*server, nix::sys::signal::Signal::SIGSTOP));
    let asked: Vec<_> = (0..20).map(|_| session.ask("0-999", WaitPolicy::All, print())).collect();
    until("questions that have come", || servers.iter().all(|server| links(*server).1 > 1 << 10).then_some(())).await;
    send(master, nix::sys::signal::Signal::SIGSTOP);
    servers.iter().for_each(|server| send(*server, nix::sys::signal::Signal::SIGCONT));
    until("answers that come", || (links(master).1 > 1 << 15).then_some(())).await;
    let (held, _) = links(master);
    let since = std::time::Instant::now();
    until("the time in which a silent peer is lost", || (since.elapsed() > LONG).then_some(())).await;
    let (after, left) = links(master);
    assert!(held >= 10, "{held} links of ten servers");
    assert_eq!(after, held, "links are gone");
    assert!(left > 1 << 15, "the master has taken answers");
    send(master, nix::sys::signal::Signal::SIGCONT);

    for tid in &asked {
        assert_eq!(session.outcome(*tid, "0-999").await.missing, "");
    }
    assert_eq!(session.query("0-999", WaitPolicy::All, print()).await.missing, "");
    session.quit().await;
}

#[tokio::test]
async fn servers_find_their_parents_in_a_routing_file() {
    let base = tempfile::Builder::new().prefix("rs").tempdir_in("/tmp").unwrap();
    let directory = SessionDirectory::create_in(&base.path().join("s"), None).unwrap();
    let key = directory.create_key().unwrap();
    let master = Listener::tcp("127.0.0.1:0").await.unwrap();
    let address = format!("127.0.0.1:{}", master.port().unwrap());
    let file = base.path().join("routes");
    let start = |index: u32| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rankscope-sdm"));
        command.args(["--server", "--engine", "fake", "--size", "3", "--topology", "binomial", "--master", &address]);
        command.args(["--index", &index.to_string(), "--session"]).arg(directory.path());
        command.arg("--routing-file").arg(&file).spawn().unwrap()
    };
    // 2 is a child of 0 (wire, section 6). It starts first, and finds half a file.
    let mut guard = Guard::new(&directory);
    let mut children = vec![start(2)];
    let ports = free_ports();
    std::fs::write(&file, format!("3\n0 127.0.0.1 {}\n", ports[0])).unwrap();
    children.extend([start(1), start(0)]);
    std::fs::write(&file, (0..3).fold("3\n".to_owned(), |text, i| text + &format!("{i} 127.0.0.1 {}\n", ports[i])))
        .unwrap();
    let mut links = Vec::new();
    for _ in 0..2 {
        let arrival = tokio::time::timeout(crate::support::session::LIMIT, master.accept()).await.unwrap().unwrap();
        let connection = arrival.establish(Some(&key), &Hello::new(Role::Master)).await.unwrap();
        links.push(connection.split::<TreeDown, TreeUp>());
    }
    let mut found = Vec::new();
    for (_, receiver) in &mut links {
        let mut below = Vec::new();
        loop {
            match tokio::time::timeout(crate::support::session::LIMIT, receiver.receive()).await.unwrap().unwrap() {
                Some(TreeUp::Here { server, .. }) => below.push(server.0),
                other => panic!("{other:?}"),
            }
            if below[0] == 1 || below.len() == 2 {
                break;
            }
        }
        found.push(below);
    }
    found.sort();
    assert_eq!(found, [vec![0, 2], vec![1]]);
    drop(links);
    guard.assert_gone().await;
    children.iter_mut().for_each(|child| assert!(child.wait().unwrap().success()));
}

#[tokio::test]
async fn a_master_gives_its_servers_the_routing_file_and_keeps_to_its_ports() {
    let base = tempfile::Builder::new().prefix("rs").tempdir_in("/tmp").unwrap();
    let file = base.path().join("routes");
    let [port, one, other] = free_ports();
    std::fs::write(&file, format!("2\n0 127.0.0.1 {one}\n1 127.0.0.1 {other}\n")).unwrap();
    let (file, port) = (file.to_str().unwrap(), port.to_string());
    let options = ["--engine", "fake", "--ranks-per-server", "2", "--routing-file", file, "--port-range", &port];
    let mut session = Session::with_job(&options, 4, "stencil").await;
    let listens = |wanted: &str| std::net::TcpListener::bind(format!("127.0.0.1:{wanted}")).is_err();
    assert!(listens(&port) && listens(&one.to_string()) && listens(&other.to_string()));
    assert_eq!(session.query("0-3", WaitPolicy::All, STACK).await.answers.len(), 1);
    session.quit().await;
}
