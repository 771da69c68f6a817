//! Servers that stand still: the tree waits for them, its other ranks answer, and what they say late belongs to the
//! question that was asked.

use crate::support::session::{Guard, Outcome, Session, set, until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, Event, LocationSpec, Operation, ProcessSet, ProcessState, StopReason,
    TransactionId,
};
use rankscope::protocol::{Reply, WaitPolicy};
use std::time::{Duration, Instant};

/// One rank each, eight below the master and below each of its children: 8 to 15 are children of 0, and 63 has none.
const OPTIONS: &[&str] = &["--engine", "fake", "--ranks-per-server", "1", "--fan-out", "8"];
const SERVERS: u32 = 64;
const BELOW_FIRST: &str = "0,8-15";
const LEAF: &str = "63";

const STACK: Operation = Operation::Stack { thread: None, low: 0, high: None, most: None };
const DEPTH: Operation = Operation::StackDepth(None);
/// Longer than the others take, and short for the test.
const SOON: WaitPolicy = WaitPolicy::Within(500);
/// Longer than the silence after which a host is lost.
const LONG: Duration = Duration::from_secs(6);

fn breakpoint() -> Operation {
    Operation::SetBreakpoint(BreakpointRequest::at(BreakpointId(1), LocationSpec::Function("kernel".to_owned())))
}

fn is_breakpoint(event: &Event) -> bool {
    matches!(event, Event::Stopped(stop) if matches!(stop.reason, StopReason::Breakpoint(_)))
}

fn signal(pid: i32, signal: Signal) {
    kill(Pid::from_raw(pid), signal).unwrap();
}

fn asked_of(outcome: &Outcome) -> (&str, &str, &Answer) {
    let [(ranks, answer)] = outcome.answers.as_slice() else { panic!("{outcome:?}") };
    (ranks, &outcome.missing, answer)
}

async fn lost(session: &mut Session) -> ProcessSet {
    let is_lost = |(ranks, state): (ProcessSet, ProcessState)| matches!(state, ProcessState::Lost(_)).then_some(ranks);
    session.states().await.into_iter().filter_map(is_lost).fold(ProcessSet::new(), |sum, ranks| sum.union(&ranks))
}

/// Reads late answers to a question until these ranks have answered; each must be what was asked for.
async fn late(session: &mut Session, tid: TransactionId, ranks: &ProcessSet, fits: fn(&Answer) -> bool) {
    let mut left = ranks.clone();
    let mut others = Vec::new();
    while !left.is_empty() {
        match session.next().await {
            Reply::Answer { tid: of, ranks, late, answer, .. } if of == tid => {
                assert!(late && ranks.is_subset(&left) && fits(&answer), "{ranks}: {answer:?}");
                left.remove_all(&ranks);
            }
            other => others.push(other),
        }
    }
    session.unread_again(others);
}

/// A server stands still, is asked in every way, and goes on.
async fn stands_still(server: u32, silent: &str) {
    let mut session = Session::with_job(OPTIONS, SERVERS, "stencil").await;
    let all = ProcessSet::all(SERVERS);
    let silent = set(silent);
    let rest = all.difference(&silent);
    let pid = session.guard.server(server);
    signal(pid, Signal::SIGSTOP);
    let since = Instant::now();

    let stack = session.ask(&all.to_string(), SOON, STACK);
    let depth = session.ask(&all.to_string(), SOON, DEPTH);
    let of_stack = session.outcome(stack, &all.to_string()).await;
    let (ranks, missing, answer) = asked_of(&of_stack);
    assert_eq!((ranks, missing), (&*rest.to_string(), &*silent.to_string()));
    assert!(matches!(answer, Answer::Stack(_)), "{answer:?}");
    let of_depth = session.outcome(depth, &all.to_string()).await;
    let (ranks, missing, answer) = asked_of(&of_depth);
    assert_eq!((ranks, missing), (&*rest.to_string(), &*silent.to_string()));
    assert!(matches!(answer, Answer::Depth(_)), "{answer:?}");
    let first = session.query(&all.to_string(), WaitPolicy::First, Operation::Threads).await;
    assert!(!first.answers.is_empty() && silent.is_subset(&set(&first.missing)), "{first:?}");
    assert_eq!(session.query(&rest.to_string(), WaitPolicy::All, STACK).await.missing, "");

    // Those that hear it act at once, the others when they hear it.
    let set_at = session.ask(&all.to_string(), WaitPolicy::All, breakpoint());
    let go = session.ask(&all.to_string(), WaitPolicy::All, Operation::Go);
    session.until_event(&rest, is_breakpoint).await;
    until("the time in which a silent host is lost", || (since.elapsed() > LONG).then_some(())).await;
    assert_eq!(lost(&mut session).await, ProcessSet::new());

    signal(pid, Signal::SIGCONT);
    late(&mut session, stack, &silent, |answer| matches!(answer, Answer::Stack(_))).await;
    late(&mut session, depth, &silent, |answer| matches!(answer, Answer::Depth(_))).await;
    assert_eq!(session.outcome(set_at, &all.to_string()).await.missing, "");
    assert_eq!(session.outcome(go, &all.to_string()).await.missing, "");
    session.until_event(&silent, is_breakpoint).await;
    let now = session.query(&all.to_string(), WaitPolicy::All, STACK).await;
    let (ranks, missing, answer) = asked_of(&now);
    assert_eq!((ranks, missing), (&*all.to_string(), ""));
    assert!(matches!(answer, Answer::Stack(frames) if frames[0].function.as_deref() == Some("kernel")), "{answer:?}");
    session.quit().await;
}

#[tokio::test]
async fn a_parent_that_stands_still_holds_up_its_subtree_alone() {
    stands_still(0, BELOW_FIRST).await;
}

#[tokio::test]
async fn a_leaf_that_stands_still_holds_up_itself_alone() {
    stands_still(63, LEAF).await;
}

/// What the parent had not passed on is missing; its children are asked again under their grandparent.
#[tokio::test]
async fn a_parent_that_is_killed_while_it_stands_still_takes_nobody_along() {
    let mut session = Session::with_job(OPTIONS, SERVERS, "stencil").await;
    let all = ProcessSet::all(SERVERS);
    let below = set(BELOW_FIRST);
    let pid = session.guard.server(0);
    signal(pid, Signal::SIGSTOP);
    let stack = session.ask(&all.to_string(), WaitPolicy::All, STACK);
    let go = session.ask(&below.to_string(), WaitPolicy::All, Operation::Go);
    // Both have been sent to it when the others have answered a later question.
    session.query(&all.difference(&below).to_string(), WaitPolicy::All, DEPTH).await;
    Guard::kill(pid);
    assert_eq!(session.outcome(stack, &all.to_string()).await.missing, below.to_string());
    assert_eq!(session.outcome(go, &below.to_string()).await.missing, below.to_string());
    session.until_event(&set("0"), |event| matches!(event, Event::Lost(_))).await;

    let rest = all.difference(&set("0")).to_string();
    let now = session.query(&rest, WaitPolicy::All, STACK).await;
    let (ranks, missing, answer) = asked_of(&now);
    assert_eq!((ranks, missing), (&*rest, ""));
    assert!(matches!(answer, Answer::Stack(_)), "{answer:?}");
    session.query(&rest, WaitPolicy::All, breakpoint()).await;
    session.query(&rest, WaitPolicy::All, Operation::Go).await;
    session.until_event(&set(&rest), is_breakpoint).await;
    assert_eq!(lost(&mut session).await, set("0"));
    session.quit().await;
}

/// A binary tree: the children of 2 find that their grandparent does not answer, and go to the master. What 0 says of
/// them when it goes on is old.
#[tokio::test]
async fn orphans_pass_a_grandparent_that_stands_still() {
    let options = ["--engine", "fake", "--ranks-per-server", "1", "--fan-out", "2"];
    let mut session = Session::with_job(&options, SERVERS, "stencil").await;
    let all = ProcessSet::all(SERVERS);
    let (orphans, still_silent) = (set("6-7,14-17,30-37,62-63"), set("0,3,8-9,18-21,38-45"));
    let (grandparent, parent) = (session.guard.server(0), session.guard.server(2));
    signal(grandparent, Signal::SIGSTOP);
    let before = session.ask(&orphans.to_string(), WaitPolicy::All, STACK);
    Guard::kill(parent);
    // The way on which it was asked is gone.
    assert_eq!(session.outcome(before, &orphans.to_string()).await.missing, orphans.to_string());
    let now = session.query(&orphans.to_string(), WaitPolicy::All, DEPTH).await;
    let (ranks, missing, answer) = asked_of(&now);
    assert_eq!((ranks, missing), (&*orphans.to_string(), ""));
    assert!(matches!(answer, Answer::Depth(_)), "{answer:?}");
    assert_eq!(session.query(&all.to_string(), SOON, STACK).await.missing, still_silent.union(&set("2")).to_string());

    signal(grandparent, Signal::SIGCONT);
    session.until_event(&set("2"), |event| matches!(event, Event::Lost(_))).await;
    let rest = all.difference(&set("2")).to_string();
    session.query(&rest, WaitPolicy::All, breakpoint()).await;
    session.query(&rest, WaitPolicy::All, Operation::Go).await;
    session.until_event(&set(&rest), is_breakpoint).await;
    assert_eq!(lost(&mut session).await, set("2"));
    session.quit().await;
}
