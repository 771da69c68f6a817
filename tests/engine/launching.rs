//! From launch to ranks stopped in main.

use crate::session::{CONTRACT, Kind, Session, all, at_mark, function_of, line, line_of};
use rankscope::model::{BreakpointId, Event, LaunchSpec, LocationSpec, Operation, Rank, StopAt, StopReason};

contract!(
    a_launched_rank_is_acquired_and_stops_in_main,
    a_rank_may_be_told_not_to_stop,
    a_rank_may_stop_first_elsewhere,
    arguments_and_environment_are_those_of_the_rank,
    a_program_that_is_not_there_is_a_rank_that_failed_with_a_reason,
    ranks_can_be_launched_again,
    randomised_ranks_agree_in_module_and_offset,
);

fn a_launched_rank_is_acquired_and_stops_in_main(kind: Kind) {
    let mut session = Session::new(kind);
    session.launch(kind.spec(CONTRACT, &[]), 2);
    for (rank, stop) in session.stops(&all(2)) {
        assert_eq!(stop.reason, StopReason::Start);
        assert_eq!((function_of(&stop.frame), line_of(&stop.frame)), ("main", line("main")));
        assert_eq!((stop.thread.0, stop.frame.level), (1, 0));
        let events: Vec<_> = session.events[&rank].iter().map(|(tid, event)| (tid.0, event)).collect();
        assert!(matches!(events[0], (0, Event::Acquired { pid: 1.. })), "{events:?}");
        assert!(events.iter().all(|(tid, _)| *tid == 0));
    }
    let pid = |session: &Session, rank| match session.events[&Rank(rank)][0].1 {
        Event::Acquired { pid } => pid,
        ref other => panic!("{other:?}"),
    };
    assert_ne!(pid(&session, 0), pid(&session, 1));
}

fn a_rank_may_be_told_not_to_stop(kind: Kind) {
    let mut session = Session::new(kind);
    session.launch(LaunchSpec { stop_at: StopAt::Nowhere, ..kind.spec(CONTRACT, &["exit", "3"]) }, 2);
    for rank in 0..2 {
        assert_eq!(session.end(rank), Event::Exited(3));
        let events: Vec<_> = session.events[&Rank(rank)].iter().map(|(_, event)| event).collect();
        assert!(matches!(events[..], [Event::Acquired { .. }, Event::Running, Event::Exited(3)]), "{events:?}");
    }
}

fn a_rank_may_stop_first_elsewhere(kind: Kind) {
    let mut session = Session::new(kind);
    let stop_at = StopAt::Location(LocationSpec::Function("recurse".to_owned()));
    session.launch(LaunchSpec { stop_at, ..kind.spec(CONTRACT, &[]) }, 1);
    let stop = session.stop(0);
    assert_eq!(function_of(&stop.frame), "recurse");
    // It was hit once.
    assert_eq!(session.go_to_end(0), Event::Exited(1));
}

fn arguments_and_environment_are_those_of_the_rank(kind: Kind) {
    let mut session = Session::launched(kind, &["exit", "{rank}"], 3);
    session.ok(&all(3), Operation::Go);
    for rank in 0..3 {
        assert_eq!(session.end(rank), Event::Exited(rank as i32));
    }
    let mut session = Session::launched(kind, &["output"], 3);
    session.ok(&all(3), Operation::Go);
    for rank in 0..3 {
        session.end(rank);
        let wanted = format!("hello from everyone\nrank {rank} of 3\n");
        assert_eq!(session.output(rank, rankscope::model::Stream::Stdout), wanted);
    }
}

fn a_program_that_is_not_there_is_a_rank_that_failed_with_a_reason(kind: Kind) {
    let mut session = Session::new(kind);
    let program = if kind == Kind::Fake { "fake:nonesuch" } else { "/nonexistent/nonesuch" };
    session.launch(LaunchSpec { program: program.to_owned(), ..LaunchSpec::default() }, 2);
    for rank in 0..2 {
        assert!(matches!(session.end(rank), Event::Failed(why) if why.contains("nonesuch")));
        // It is reported once.
        let messages = session.events[&Rank(rank)].iter().filter(|(_, event)| matches!(event, Event::Message(..)));
        assert_eq!(messages.count(), 0, "{:?}", session.events);
    }
}

fn ranks_can_be_launched_again(kind: Kind) {
    let mut session = Session::launched(kind, &["exit", "1"], 2);
    session.ok(&all(2), Operation::Terminate);
    for rank in 0..2 {
        assert!(matches!(session.end(rank), Event::Killed(_)));
    }
    session.launch(kind.spec(CONTRACT, &["exit", "2"]), 2);
    for stop in session.stops(&all(2)).values() {
        assert_eq!(stop.reason, StopReason::Start);
    }
    session.break_at(at_mark(7, "exit"));
    assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(7)));
    session.ok(&all(2), Operation::Go);
    for rank in 0..2 {
        assert_eq!(session.end(rank), Event::Exited(2));
    }
}

fn randomised_ranks_agree_in_module_and_offset(kind: Kind) {
    let mut session = Session::new(kind);
    session.launch(LaunchSpec { randomise: true, ..kind.spec(CONTRACT, &[]) }, 3);
    let stops = session.stops(&all(3));
    let codes: Vec<_> = stops.values().map(|stop| stop.frame.code.without_address()).collect();
    assert!(codes.windows(2).all(|pair| pair[0] == pair[1]), "{codes:?}");
    session.break_at(crate::session::on_function(1, "recurse"));
    assert_eq!(function_of(&session.go(0).frame), "recurse");
    assert_eq!(session.stack(0).len(), 3);
}
