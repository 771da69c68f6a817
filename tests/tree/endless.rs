//! Ranks of many servers that report without end: what waits for a reader is limited at every process of the session,
//! and other commands are answered meanwhile.

use crate::support::batch::Place;
use crate::support::session::Session;
use crate::support::wait::{LIMIT, until, wait_for};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, Context, Event, LaunchSpec, LocationSpec, Operation, PointAction,
    ProcessSet, Rank, SignalName,
};
use rankscope::protocol::{LaunchPlan, SessionCommand, SessionEvent, WaitPolicy};
use std::io::Write;
use std::process::Stdio;

/// Each with one rank, in a tree with two levels below the master.
const SERVERS: u32 = 8;
const OPTIONS: &[&str] = &["--ranks-per-server", "1", "--fan-out", "4"];
/// Reports of all ranks that nobody has read; they would need far more memory than is allowed here.
const MANY: u64 = 50_000;
/// Most memory that a process of the session may ever use, in KiB. With nothing to do it is half of that.
const MOST_RESIDENT: u64 = 64 << 10;
/// The same with the memory in which the first server reads the system's libraries, which it finds in no cache.
const MOST_WITH_LIBRARIES: u64 = 96 << 10;

fn field(pid: u32, file: &str, name: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// Checks the peak resident size (proc(5), `VmHWM`) of every process of a session that is no rank.
fn little_is_used(processes: &[(i32, String)], most: u64) {
    for (pid, words) in processes {
        let resident = field(*pid as u32, "status", "VmHWM:");
        assert!(resident < most, "{resident} KiB: {words}");
    }
}

/// Starts a job whose front end acknowledges nothing; its ranks are stopped in main.
async fn job(what: &str) -> (Session, Vec<u32>) {
    let program = crate::support::build::build("gcc", "endless.c", &["-g", "-O0"]);
    let (program, arguments) = (program.to_str().unwrap().to_owned(), vec![what.to_owned()]);
    let spec = LaunchSpec { program, arguments, ..LaunchSpec::default() };
    let mut session = Session::start(OPTIONS).await;
    session.launch(LaunchPlan::Local { ranks: SERVERS, spec }).await.unwrap();
    session.until_stopped(&ProcessSet::all(SERVERS)).await;
    session.command(SessionCommand::Replay);
    let state = session.until_session(|event| matches!(event, SessionEvent::State { .. })).await;
    let SessionEvent::State { ranks, .. } = state else { unreachable!() };
    session.is_full = true;
    (session, ranks.iter().map(|rank| rank.pid).collect())
}

/// Lets the ranks run until they have been stopped often, asks and stops them; checks the memory of all others.
async fn flood(session: &mut Session, pids: &[u32]) {
    let all = ProcessSet::all(SERVERS);
    let stops = || -> u64 { pids.iter().map(|&pid| field(pid, "status", "voluntary_ctxt_switches:")).sum() };
    let before = stops();
    session.ask(&all.to_string(), WaitPolicy::All, Operation::Go);
    session.until_event(&all, |event| matches!(event, Event::Running)).await;
    until("many reports", || (stops() > before + MANY).then_some(())).await;
    let signals = session.query(&all.to_string(), WaitPolicy::All, Operation::ListSignals(None)).await;
    assert_eq!((signals.answers.len(), signals.missing.as_str()), (1, ""));
    session.ask(&all.to_string(), WaitPolicy::All, Operation::Interrupt);
    session.until_stopped(&all).await;
    little_is_used(&session.guard.processes(), MOST_RESIDENT);
}

/// The value of a variable on a rank.
async fn number(session: &mut Session, rank: Rank, expression: &str) -> u64 {
    let operation = Operation::Evaluate { context: Context::default(), expression: expression.to_owned() };
    let outcome = session.query(&rank.0.to_string(), WaitPolicy::All, operation).await;
    let Answer::Data(datum) = &outcome.answers[0].1 else { panic!("{outcome:?}") };
    datum.data.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

#[tokio::test]
async fn traces_without_end_need_little_memory_and_every_hit_is_counted() {
    let (mut session, pids) = job("call").await;
    let all = ProcessSet::all(SERVERS);
    let id = BreakpointId(1);
    let trace = BreakpointRequest {
        action: PointAction::Trace(vec!["calls".to_owned()]),
        ..BreakpointRequest::at(id, LocationSpec::Function("call".to_owned()))
    };
    session.query(&all.to_string(), WaitPolicy::All, Operation::SetBreakpoint(trace)).await;
    flood(&mut session, &pids).await;
    let mut calls = Vec::new();
    for rank in all.iter() {
        calls.push(number(&mut session, rank, "calls").await);
    }
    // All that still waits comes now; what was dropped on the way is known as a number.
    session.take_unread();
    let end = std::time::Instant::now() + LIMIT;
    loop {
        session.command(SessionCommand::Replay);
        let state = session.until_session(|event| matches!(event, SessionEvent::State { .. })).await;
        let SessionEvent::State { breakpoints, .. } = state else { unreachable!() };
        let hits: Vec<u64> = all.iter().map(|rank| breakpoints[0].hits.get(rank)).collect();
        // A rank may stand between its hit and the increment.
        if hits.iter().zip(&calls).all(|(hits, calls)| hits == calls || *hits == calls + 1) {
            break;
        }
        assert!(std::time::Instant::now() < end, "{hits:?} hits are known of {calls:?} calls");
    }
    session.quit().await;
}

#[tokio::test]
async fn signals_without_end_need_little_memory() {
    let (mut session, pids) = job("signal").await;
    let name = SignalName::parse("SIGUSR1").unwrap();
    let quiet = Operation::HandleSignal { name, stop: Some(false), print: Some(true), pass: Some(true) };
    session.query(&format!("0-{}", SERVERS - 1), WaitPolicy::All, quiet).await;
    flood(&mut session, &pids).await;
    session.quit().await;
}

/// More than all queues from the ranks to the front end together may hold.
const MUCH: u64 = 6 << 20;

/// A script whose reader has stopped reading, as in `rankscope run … | less`.
#[test]
fn output_that_nobody_reads_needs_little_memory_in_the_front_end() {
    let program = crate::support::build::build("gcc", "endless.c", &["-g", "-O0"]);
    let place = Place::new();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rankscope"));
    place.be_home_of(&mut command);
    command.args(["run", "--batch", "-", "-n", &SERVERS.to_string()]).args(OPTIONS).arg(&program).arg("write");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut front = crate::support::process::Guard::spawn(&mut command);
    front.0.stdin.take().unwrap().write_all(b"go\nwait exited\n").unwrap();
    let ranks = || -> Vec<u32> {
        let is_rank = |pid: &i32| crate::support::process::runs(*pid, program.file_name().unwrap().to_str().unwrap());
        place.processes().into_iter().filter(is_rank).map(|pid| pid as u32).collect()
    };
    wait_for("much output of every rank", || {
        let ranks = ranks();
        let much = ranks.iter().all(|&pid| field(pid, "io", "wchar:") > MUCH);
        (ranks.len() == SERVERS as usize && much).then_some(())
    });
    let ranks = ranks();
    let others = place.processes().into_iter().filter(|pid| !ranks.contains(&(*pid as u32)));
    let others: Vec<_> = others.map(|pid| (pid, "a process of the session".to_owned())).collect();
    assert_eq!(others.len(), SERVERS as usize + 2);
    little_is_used(&others, MOST_WITH_LIBRARIES);
    kill(Pid::from_raw(front.0.id() as i32), Signal::SIGTERM).unwrap();
    // Its last words need a reader.
    drop(front.0.stdout.take());
    front.wait();
    place.until_empty();
}
