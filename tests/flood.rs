//! Ranks that write more than anybody can take.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

mod session;
mod support;

use rankscope::model::{Event, LaunchSpec, Operation, ProcessSet, Stream};
use rankscope::protocol::{LaunchPlan, Reply, SessionCommand, SessionEvent, WaitPolicy};
use session::Session;
use std::path::Path;
use support::wait::wait_for;

/// Far more than all queues on the way up together are allowed to hold: 4 MiB at the server, as much at the master.
const MUCH: u64 = 16 << 20;
/// More than a front end that takes nothing may get.
const MOST_UNDER_WAY: u64 = 512 << 10;

/// Bytes that a process has written so far (proc(5), `wchar`).
fn written_by(pid: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/io")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("wchar: "));
    line.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
}

async fn flooding(options: &[&str], ranks: u32) -> (Session, Vec<u32>) {
    let program = support::build::build("gcc", "flood.c", &["-g", "-O0"]);
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

/// Of a whole line.
fn number(line: &str) -> Option<u64> {
    let (number, filler) = line.strip_prefix("line ")?.split_once(' ')?;
    number.parse().ok().filter(|_| filler.len() == 120)
}

fn path_text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// Reads until all ranks have fulfilled something; what the output that came first weighs, and who was told that some
/// was dropped.
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

    // Now everything that was kept comes, before the end of its rank; what is missing was said to be.
    session.is_full = false;
    session.take(weight);
    session.ask(&all.to_string(), WaitPolicy::All, Operation::Terminate);
    dropped.extend_with(&until(&mut session, ranks, |event| matches!(event, Event::Killed(_))).await.1);
    assert_eq!(dropped, all);
    for rank in all.iter() {
        let text = &session.written[&(rank.0, Stream::Stdout)];
        // Where some was dropped, the end of one line may meet the beginning of another: neither is whole then.
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
