//! The tree as processes over sockets, with simulated ranks.

mod session;

use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, ErrorCode, Event, LocationSpec, Operation, ProcessSet, ProcessState,
    StopAt, StopReason,
};
use rankscope::protocol::{LaunchPlan, Reply, SessionCommand, SessionEvent, WaitPolicy};
use session::{Guard, Session, fake, set};

fn breakpoint(function: &str) -> Operation {
    Operation::SetBreakpoint(BreakpointRequest {
        id: BreakpointId(1),
        location: LocationSpec::Function(function.to_owned()),
        temporary: false,
        condition: None,
        ignore: 0,
        thread: None,
        enabled: true,
    })
}

fn is_breakpoint(event: &Event) -> bool {
    matches!(event, Event::Stopped(stop) if matches!(stop.reason, StopReason::Breakpoint(_)))
}

const STACK: Operation = Operation::Stack { thread: None, low: 0, high: None };

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
