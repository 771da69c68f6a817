//! Conditions in threads: each arrival is checked once.

use crate::session::{Kind, Session, integer_of, on_mark};
use rankscope::model::{Answer, BreakpointRequest, Event, Operation};

const FILE: &str = "threads_hot.c";

fn launched() -> Session {
    let mut session = Session::new(Kind::Native);
    session.launch(Kind::Native.spec(FILE, &[]), 1);
    session.stop(0);
    session
}

#[test]
fn a_condition_that_is_false_everywhere_loses_no_arrival() {
    let mut session = launched();
    session.break_at(BreakpointRequest { condition: Some("round < 0".to_owned()), ..on_mark(1, FILE, "pass") });
    assert_eq!(session.go_to_end(0), Event::Exited(0));
}

#[test]
fn a_condition_with_an_ignore_count_is_counted_exactly() {
    let mut session = launched();
    // 6 threads, each 4 times at a round that ends in 99; all but the last arrival are ignored.
    session.break_at(BreakpointRequest {
        condition: Some("round % 100 == 99".to_owned()),
        ignore: 23,
        ..on_mark(1, FILE, "pass")
    });
    session.break_at(on_mark(2, FILE, "joined"));
    let stop = session.go(0);
    assert_eq!(stop.reason, rankscope::model::StopReason::Breakpoint(rankscope::model::BreakpointId(1)));
    let Answer::Data(round) = session.evaluate_at(0, 0, "round") else { panic!() };
    assert_eq!(integer_of(&round) % 100, 99);
    let Answer::Threads(threads) = session.ask(0, Operation::Threads) else { panic!() };
    assert!(threads.iter().any(|thread| thread.current && thread.id == stop.thread), "{threads:?}");
    let stop = session.go(0);
    assert_eq!(stop.reason, rankscope::model::StopReason::Breakpoint(rankscope::model::BreakpointId(2)));
    assert_eq!(session.integer("sum"), 2400);
    assert_eq!(session.go_to_end(0), Event::Exited(0));
}
