//! Ranks that write more than anybody can take, and clients that ask more than they read.

use crate::support::base_client::{Bench, packet};
use crate::support::session::Session;
use crate::support::wait::{LIMIT, wait_for, within};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rankscope::model::{Event, LaunchSpec, Operation, ProcessSet, Stream};
use rankscope::protocol::{LaunchPlan, Reply, SessionCommand, SessionEvent, WaitPolicy};
use std::io::{Read, Write};
use std::path::Path;

/// Far more than all queues on the way up may hold together: 4 MiB at the server, as much at the master.
const MUCH: u64 = 16 << 20;
/// More than a front end that acknowledges nothing may get.
const MOST_UNDER_WAY: u64 = 512 << 10;

/// Bytes written by a process so far (proc(5), `wchar`).
fn written_by(pid: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/io")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("wchar: "));
    line.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
}

async fn flooding(options: &[&str], ranks: u32) -> (Session, Vec<u32>) {
    let program = crate::support::build::build("gcc", "flood.c", &["-g", "-O0"]);
    let spec = LaunchSpec { program: path_text(&program), ..LaunchSpec::default() };
    let mut session = Session::start(options).await;
    session.launch(LaunchPlan::Local { ranks, spec }).await.unwrap();
    session.until_stopped(&ProcessSet::all(ranks)).await;
    session.command(SessionCommand::Replay);
    let state = session.until_session(|event| matches!(event, SessionEvent::State { .. })).await;
    let SessionEvent::State { ranks: job, .. } = state else { unreachable!() };
    session.is_full = true;
    session.ask(&ProcessSet::all(ranks).to_string(), WaitPolicy::All, Operation::Go);
    session.until_event(&ProcessSet::all(ranks), |event| matches!(event, Event::Running)).await;
    (session, job.iter().map(|rank| rank.pid).collect())
}

/// The number in a complete line.
fn number(line: &str) -> Option<u64> {
    let (number, filler) = line.strip_prefix("line ")?.split_once(' ')?;
    number.parse().ok().filter(|_| filler.len() == 120)
}

fn path_text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// Reads until an event of all ranks fits; returns the weight of the output before it, and the ranks with dropped
/// output.
async fn until(session: &mut Session, ranks: u32, fits: impl Fn(&Event) -> bool) -> (u64, ProcessSet) {
    let (mut left, mut weight, mut dropped) = (ProcessSet::all(ranks), 0, ProcessSet::new());
    while !left.is_empty() {
        let reply = session.next().await;
        weight += reply.output_weight();
        match reply {
            Reply::Event { ranks, event, .. } if fits(&event) => left.remove_all(&ranks),
            Reply::Event { ranks, event: Event::Message(_, words), .. } if words.contains("bytes of output") => {
                dropped.extend_with(&ranks);
            }
            _ => {}
        }
    }
    (weight, dropped)
}

async fn a_stop_overtakes(options: &[&str], ranks: u32) {
    let (mut session, pids) = flooding(options, ranks).await;
    let all = ProcessSet::all(ranks);
    wait_for("much output", || pids.iter().all(|&pid| written_by(pid) > MUCH).then_some(()));
    session.ask(&all.to_string(), WaitPolicy::All, Operation::Interrupt);
    let (weight, mut dropped) = until(&mut session, ranks, |event| matches!(event, Event::Stopped(_))).await;
    assert!(weight < MOST_UNDER_WAY, "{weight} bytes came before the stop");

    // Now all kept output arrives, before its rank's end; the missing part was reported.
    session.is_full = false;
    session.take(weight);
    session.ask(&all.to_string(), WaitPolicy::All, Operation::Terminate);
    dropped.extend_with(&until(&mut session, ranks, |event| matches!(event, Event::Killed(_))).await.1);
    assert_eq!(dropped, all);
    for rank in all.iter() {
        let text = &session.written[&(rank.0, Stream::Stdout)];
        // If some was dropped, the end of one line may meet the beginning of another: neither is complete then.
        let numbers: Vec<u64> = text.lines().filter_map(number).collect();
        assert!(!numbers.is_empty() && numbers.is_sorted(), "rank {rank} is heard out of order");
    }
    session.quit().await;
}

#[tokio::test]
async fn a_stop_is_not_behind_the_output_of_its_rank() {
    a_stop_overtakes(&[], 1).await;
}

#[tokio::test]
async fn nor_in_a_chain_of_servers() {
    a_stop_overtakes(&["--ranks-per-server", "1", "--fan-out", "1"], 2).await;
}

/// Queries of a client that does not read: the answers would be some hundred megabytes.
const QUESTIONS: usize = 200_000;
/// Most memory that a master may use meanwhile, in KiB.
const MOST_RESIDENT: u64 = 150 << 10;
const STACK: Operation = Operation::Stack { thread: None, low: 0, high: None, most: None };

/// Peak resident size of a process in KiB (proc(5), `VmHWM`).
fn resident(pid: i32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Waits until a process is idle (proc(5), `utime` and `stime`).
fn until_idle(pid: i32) {
    let used = || -> Vec<String> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        stat.rsplit(") ").next().unwrap().split(' ').skip(11).take(2).map(str::to_owned).collect()
    };
    let (mut before, mut same) = (used(), 0);
    wait_for("a master that waits", || {
        let now = used();
        same = if now == before { same + 1 } else { 0 };
        before = now;
        (same > 400).then_some(())
    });
}

#[tokio::test]
async fn a_front_end_that_asks_and_does_not_read_costs_the_master_little() {
    let mut session = Session::with_job(&["--engine", "fake"], 64, "stencil").await;
    let master = session.guard.master();
    for _ in 0..QUESTIONS {
        session.ask("0-63", WaitPolicy::All, STACK);
    }
    let all = session.waiting();
    // Requests that cannot be written wait here, in the test.
    tokio::task::yield_now().await;
    let mut before = all;
    loop {
        let taken = tokio::time::timeout(std::time::Duration::from_millis(500), session.until_taken(before - 1)).await;
        if taken.is_err() {
            break;
        }
        before = session.waiting();
        if before == 0 {
            break;
        }
    }
    until_idle(master);
    let resident = resident(master);
    assert!(resident < MOST_RESIDENT, "{resident} KiB, and {} of {all} bytes of questions are left", session.waiting());
    // It ends on request, though nobody reads its reply.
    kill(Pid::from_raw(master), Signal::SIGTERM).unwrap();
    session.guard.assert_gone().await;
}

/// Enough that the answers exceed the queues by far, and few enough to be kept.
const FLOOD: usize = 20_000;

#[tokio::test]
async fn a_session_ends_when_told_to_though_commands_of_one_who_does_not_read_wait_before() {
    let mut session = Session::with_job(&["--engine", "fake"], 64, "stencil").await;
    for _ in 0..FLOOD {
        session.ask("0-63", WaitPolicy::All, STACK);
    }
    // Otherwise the request to quit would overtake them here.
    tokio::time::timeout(LIMIT, session.until_taken(0)).await.expect("commands are not read");
    until_idle(session.guard.master());
    session.command(SessionCommand::Quit { kill: true });
    session.guard.assert_gone().await;
    let mut answers = 0;
    while let Some(reply) = session.try_next().await {
        answers += usize::from(matches!(reply, Reply::Answer { .. }));
    }
    assert!(answers < FLOOD, "all commands were carried out before");
}

#[test]
fn a_client_of_the_base_dialect_ends_it_as_well() {
    const FLOOD: usize = 100_000;
    let mut bench = Bench::new(&[]);
    bench.start();
    let mut link = bench.link.try_clone().unwrap();
    link.set_write_timeout(Some(LIMIT)).unwrap();
    link.write_all(packet(14, 7, &["4:0f", "0", "0"]).repeat(FLOOD).as_bytes()).expect("commands are not read");
    until_idle(bench.master());
    bench.say(0, 8, &[]);
    bench.ends();
    // Everything written before the master ended; the link may be cut after it.
    let mut said = Vec::new();
    let _ = link.read_to_end(&mut said);
    let answers = String::from_utf8_lossy(&said).matches(":00000007:").count();
    assert!(answers < FLOOD, "all commands were carried out before");
}

#[test]
fn so_does_a_client_of_the_base_dialect() {
    let mut bench = Bench::new(&[]);
    bench.start();
    let master = bench.master();
    bench.link.set_nonblocking(true).unwrap();
    let question = packet(14, 7, &["4:0f", "0", "0"]);
    let (mut left, mut rest) = (QUESTIONS, question.as_bytes());
    // Until nothing more has been taken for this long, or everything has.
    while left > 0
        && within(std::time::Duration::from_millis(500), || match bench.link.write(rest) {
            Ok(written) => {
                rest = &rest[written..];
                Some(())
            }
            Err(error) => {
                assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
                None
            }
        })
        .is_some()
    {
        if rest.is_empty() {
            (left, rest) = (left - 1, question.as_bytes());
        }
    }
    until_idle(master);
    let resident = resident(master);
    assert!(resident < MOST_RESIDENT, "{resident} KiB, and {left} questions are left");
    kill(Pid::from_raw(master), Signal::SIGTERM).unwrap();
    bench.ends();
}
