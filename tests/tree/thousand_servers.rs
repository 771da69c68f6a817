//! As many servers as one host may start.

use crate::support::session::{Guard, Session, set};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rankscope::model::{Answer, Event, Operation, ProcessSet};
use rankscope::protocol::WaitPolicy;

const SERVERS: u32 = 1024;
const STACK: Operation = Operation::Stack { thread: None, low: 0, high: None, most: None };

/// They all start, though they are far more than the processors. A server with 32 children stands still: only its part of
/// the tree is missing. It and a server without children are killed: what it had not passed on is missing, and its children,
/// which have the master as their parent, answer what they are asked then.
#[tokio::test]
async fn a_thousand_servers_start_and_lose_two_of_them() {
    let mut session = Session::with_job(&["--engine", "fake", "--ranks-per-server", "1"], SERVERS, "stencil").await;
    let all = ProcessSet::all(SERVERS);
    let stack = session.query(&all.to_string(), WaitPolicy::All, STACK).await;
    assert_eq!((stack.answers.len(), stack.missing.as_str()), (1, ""));
    // With a fan-out of 32, servers 32 to 63 are the children of server 0.
    let (first, held_up) = (session.guard.server(0), set("0,32-63"));
    kill(Pid::from_raw(first), Signal::SIGSTOP).unwrap();
    let partly = session.query(&all.to_string(), WaitPolicy::Within(3000), STACK).await;
    let rest = all.difference(&held_up).to_string();
    assert!(matches!(&partly.answers[..], [(ranks, Answer::Stack(_))] if *ranks == rest), "{:?}", partly.answers);
    assert_eq!(partly.missing, held_up.to_string());
    let open = session.ask("32-63", WaitPolicy::All, Operation::StackDepth(None));
    let gone = set("0,1023");
    for pid in [first, session.guard.server(SERVERS - 1)] {
        Guard::kill(pid);
    }
    session.until_event(&gone, |event| matches!(event, Event::Lost(_))).await;
    let depth = session.outcome(open, "32-63").await;
    assert_eq!((depth.answers.len(), depth.missing.as_str()), (0, "32-63"));
    let rest = all.difference(&gone).to_string();
    let after = session.query(&rest, WaitPolicy::All, STACK).await;
    assert_eq!(after.missing, "");
    assert!(matches!(&after.answers[..], [(ranks, Answer::Stack(_))] if *ranks == rest), "{:?}", after.answers);
    session.quit().await;
}
