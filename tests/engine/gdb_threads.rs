//! Threads and interrupts with the gdb engine.

use crate::session::{Kind, Session, integer_of, on_mark};
use rankscope::model::{Answer, BreakpointId, BreakpointRequest, Event, Operation, ProcessSet, Rank, StopReason};

const FILE: &str = "threads_hot.c";

#[test]
fn conditions_in_many_threads_lose_no_arrival() {
    let mut session = Session::new(Kind::Gdb);
    session.launch(Kind::Gdb.spec(FILE, &[]), 1);
    session.stop(0);
    // 6 threads, each 4 times at a round that ends in 99; all but the last arrival are ignored.
    session.break_at(BreakpointRequest {
        condition: Some("round % 100 == 99".to_owned()),
        ignore: 23,
        ..on_mark(1, FILE, "pass")
    });
    session.break_at(on_mark(2, FILE, "joined"));
    let stop = session.go(0);
    assert_eq!(stop.reason, StopReason::Breakpoint(BreakpointId(1)));
    let Answer::Data(round) = session.evaluate_at(0, 0, "round") else { panic!() };
    assert_eq!(integer_of(&round) % 100, 99);
    let Answer::Threads(threads) = session.ask(0, Operation::Threads) else { panic!() };
    let current: Vec<_> = threads.iter().filter(|thread| thread.current).map(|thread| thread.id).collect();
    assert_eq!(current, [stop.thread]);
    assert!(threads.iter().all(|thread| thread.frame.is_some()));
    assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(2)));
}

#[test]
fn an_interrupt_that_comes_too_late_stops_nothing_later() {
    let mut session = Session::launched(Kind::Gdb, &["spin"], 1);
    session.break_at(crate::session::at_mark(1, "spin"));
    let rank_0 = ProcessSet::one(Rank(0));
    // Breakpoint and interrupt race each time; whichever wins, the rank stops once per continue.
    for _ in 0..20 {
        session.ok(&rank_0, Operation::Go);
        session.ok(&rank_0, Operation::Interrupt);
        let reason = session.stop(0).reason;
        let either = [StopReason::Breakpoint(BreakpointId(1)), StopReason::Interrupted];
        assert!(either.contains(&reason), "{reason:?}");
    }
    session.ok(&rank_0, Operation::DeleteBreakpoint(BreakpointId(1)));
    session.ok(&rank_0, Operation::Terminate);
    let killed = |event: &Event| matches!(event, Event::Killed(_)).then_some(());
    session.event(Rank(0), "its end", killed);
    let stops = session.events[&Rank(0)].iter().filter(|(_, event)| matches!(event, Event::Stopped(_))).count();
    assert_eq!(stops, 21, "the first and one for each go");
}
