//! As many servers as one host may start.

use crate::support::session::{Guard, Session, set};
use rankscope::model::{Answer, Event, Operation, ProcessSet};
use rankscope::protocol::WaitPolicy;

const SERVERS: u32 = 1024;
const STACK: Operation = Operation::Stack { thread: None, low: 0, high: None, most: None };

/// They all start, though they are far more than the processors; then a server without children and one with 32 are
/// killed.
#[tokio::test]
async fn a_thousand_servers_start_and_lose_two_of_them() {
    let mut session = Session::with_job(&["--engine", "fake", "--ranks-per-server", "1"], SERVERS, "stencil").await;
    let all = ProcessSet::all(SERVERS);
    let stack = session.query(&all.to_string(), WaitPolicy::All, STACK).await;
    assert_eq!((stack.answers.len(), stack.missing.as_str()), (1, ""));
    let gone = set("0,1023");
    for server in [0, SERVERS - 1] {
        Guard::kill(session.guard.server(server));
    }
    session.until_event(&gone, |event| matches!(event, Event::Lost(_))).await;
    let rest = all.difference(&gone).to_string();
    let after = session.query(&rest, WaitPolicy::All, STACK).await;
    assert_eq!(after.missing, "");
    assert!(matches!(&after.answers[..], [(ranks, Answer::Stack(_))] if *ranks == rest), "{:?}", after.answers);
    session.quit().await;
}
