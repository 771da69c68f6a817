//! Breakpoints: locations, conditions, counts.

use crate::session::{Kind, Session, all, at_mark, breakpoint, function_of, integer_of, line, line_of, on_function};
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, ErrorCode, Event, LocationSpec, Operation, ProcessSet, Rank, StopReason,
    ThreadId,
};

contract!(
    by_function_it_stops_behind_the_prologue_each_time,
    by_line_and_by_the_next_line_with_code,
    by_address,
    sites_name_their_place,
    temporary_ones_stop_once_and_say_that_they_are_gone,
    conditions_are_looked_at_on_arrival,
    a_condition_that_cannot_be_computed_stops_with_a_note,
    a_condition_that_cannot_be_read_is_an_error,
    conditions_change_and_go,
    ignore_counts_are_counted_down_per_rank,
    ignored_arrivals_are_those_whose_condition_holds,
    disabled_ones_do_nothing,
    deleted_ones_do_nothing,
    unknown_places_are_pending,
    unknown_numbers_are_errors,
    one_may_be_for_some_ranks_only,
    two_at_one_place_name_the_first,
    they_can_be_set_while_ranks_run,
    what_is_asked_after_one_finds_it_in_place,
    the_thread_is_looked_at,
    going_on_from_one_does_not_stop_there_again,
);

fn hit(id: u32) -> StopReason {
    StopReason::Breakpoint(BreakpointId(id))
}

fn one(rank: u32) -> ProcessSet {
    ProcessSet::one(Rank(rank))
}

fn by_function_it_stops_behind_the_prologue_each_time(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    session.break_at(on_function(1, "leaf"));
    // Two calls by `work`, one of them with the first one's result, one at the bottom of the recursion.
    for x in [1, 2, 2, 0] {
        let stop = session.go(0);
        assert_eq!((function_of(&stop.frame), line_of(&stop.frame), stop.reason), ("leaf", line("leaf"), hit(1)));
        assert_eq!(session.integer("x"), x);
    }
    assert_eq!(session.go_to_end(0), Event::Exited(1));
}

fn by_line_and_by_the_next_line_with_code(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    session.break_at(at_mark(1, "bottom"));
    // The line before the first call holds only a brace: the breakpoint goes to the call.
    session.break_at(breakpoint(2, LocationSpec::Line(line("first call") - 1)));
    let stop = session.go(0);
    assert_eq!((function_of(&stop.frame), line_of(&stop.frame)), ("work", line("first call")));
    assert_eq!(stop.reason, hit(2));
    let stop = session.go(0);
    assert_eq!((function_of(&stop.frame), line_of(&stop.frame)), ("recurse", line("bottom")));
    assert_eq!(session.integer("n"), 0);
}

fn by_address(kind: Kind) {
    let mut session = Session::at(kind, &[], "sum");
    let Answer::Stack(frames) = session.ask(0, Operation::Stack { thread: None, low: 0, high: Some(0), most: None })
    else {
        panic!()
    };
    let address = frames[0].code.address.unwrap();
    session.break_at(breakpoint(5, LocationSpec::Address(format!("{address}"))));
    let stop = session.go(0);
    assert_eq!((line_of(&stop.frame), stop.reason), (line("sum"), hit(5)));
    assert_eq!(stop.frame.code.address, Some(address));
}

fn sites_name_their_place(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    let Answer::Breakpoint(id, sites) = session.ask(0, Operation::SetBreakpoint(on_function(3, "branch"))) else {
        panic!()
    };
    assert_eq!((id, sites.len()), (BreakpointId(3), 1));
    assert_eq!(sites[0].function.as_deref(), Some("branch"));
    let source = sites[0].source.as_ref().unwrap();
    assert!(source.file.starts_with('/') && source.file.ends_with("/contract.c"), "{source:?}");
    let frame = session.go(0).frame;
    assert_eq!((frame.source, frame.code.module), (sites[0].source.clone(), sites[0].module.clone()));
    assert_eq!((frame.code.offset, frame.code.address), (sites[0].offset, sites[0].address));
}

fn temporary_ones_stop_once_and_say_that_they_are_gone(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    session.break_at(BreakpointRequest { temporary: true, ..on_function(4, "leaf") });
    assert_eq!(session.go(0).reason, hit(4));
    session.wait_until("the breakpoint to go", |session| {
        let events = &session.events[&Rank(0)];
        events.iter().any(|(_, event)| *event == Event::BreakpointGone(BreakpointId(4))).then_some(())
    });
    assert_eq!(session.fails(0, Operation::DeleteBreakpoint(BreakpointId(4))).code, ErrorCode::NO_BREAKPOINT);
    assert_eq!(session.go_to_end(0), Event::Exited(1));
}

fn conditions_are_looked_at_on_arrival(kind: Kind) {
    let mut session = Session::launched(kind, &[], 2);
    let request = BreakpointRequest { condition: Some("i == 3 + rank".to_owned()), ..at_mark(1, "sum") };
    session.set_breakpoint(&all(2), request);
    session.ok(&all(2), Operation::Go);
    session.stops(&all(2));
    for rank in 0..2 {
        let Answer::Data(i) = session.evaluate_at(rank, 0, "i") else { panic!() };
        assert_eq!(integer_of(&i), 3 + i64::from(rank));
    }
    session.ok(&all(2), Operation::Go);
    assert_eq!((session.end(0), session.end(1)), (Event::Exited(1), Event::Exited(1)));
}

fn a_condition_that_cannot_be_computed_stops_with_a_note(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    session.break_at(BreakpointRequest { condition: Some("i / (i - i) > 1".to_owned()), ..at_mark(1, "sum") });
    let stop = session.go(0);
    assert_eq!(stop.reason, hit(1));
    assert!(stop.note.as_ref().is_some_and(|note| note.contains("ivision by zero")), "{stop:?}");
}

fn a_condition_that_cannot_be_read_is_an_error(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    let request = BreakpointRequest { condition: Some("i ==".to_owned()), ..at_mark(1, "sum") };
    session.fails(0, Operation::SetBreakpoint(request));
    session.break_at(at_mark(2, "sum"));
    session.fails(0, Operation::SetCondition(BreakpointId(2), Some("(i".to_owned())));
    assert_eq!(session.go(0).reason, hit(2));
}

fn conditions_change_and_go(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    session.break_at(at_mark(1, "sum"));
    session.ok(&one(0), Operation::SetCondition(BreakpointId(1), Some("i > 6".to_owned())));
    session.go(0);
    assert_eq!(session.integer("i"), 7);
    session.ok(&one(0), Operation::SetCondition(BreakpointId(1), None));
    session.go(0);
    assert_eq!(session.integer("i"), 8);
}

fn ignore_counts_are_counted_down_per_rank(kind: Kind) {
    let mut session = Session::launched(kind, &[], 2);
    session.set_breakpoint(&all(2), BreakpointRequest { ignore: 4, ..at_mark(1, "sum") });
    session.ok(&one(1), Operation::SetIgnore(BreakpointId(1), 6));
    session.ok(&all(2), Operation::Go);
    session.stops(&all(2));
    for (rank, i) in [(0, 4), (1, 6)] {
        let Answer::Data(value) = session.evaluate_at(rank, 0, "i") else { panic!() };
        assert_eq!(integer_of(&value), i);
    }
    session.go(0);
    assert_eq!(session.integer("i"), 5);
}

fn ignored_arrivals_are_those_whose_condition_holds(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    let condition = Some("i % 2 == 1".to_owned());
    session.break_at(BreakpointRequest { condition, ignore: 2, ..at_mark(1, "sum") });
    session.go(0);
    assert_eq!(session.integer("i"), 5);
}

fn disabled_ones_do_nothing(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    session.break_at(BreakpointRequest { enabled: false, ..on_function(1, "leaf") });
    session.break_at(on_function(2, "sum"));
    assert_eq!(session.go(0).reason, hit(2));
    session.ok(&one(0), Operation::EnableBreakpoint(BreakpointId(2), false));
    assert_eq!(session.go_to_end(0), Event::Exited(1));

    let mut session = Session::launched(kind, &[], 1);
    session.break_at(BreakpointRequest { enabled: false, ..on_function(1, "leaf") });
    session.ok(&one(0), Operation::EnableBreakpoint(BreakpointId(1), true));
    assert_eq!(session.go(0).reason, hit(1));
}

fn deleted_ones_do_nothing(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    session.break_at(on_function(1, "leaf"));
    session.go(0);
    session.ok(&one(0), Operation::DeleteBreakpoint(BreakpointId(1)));
    assert_eq!(session.go_to_end(0), Event::Exited(1));
}

fn unknown_places_are_pending(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    let nowhere = LocationSpec::FileLine { file: "elsewhere.c".to_owned(), line: 3 };
    for request in [on_function(1, "not_in_there"), breakpoint(2, nowhere)] {
        let id = request.id;
        assert_eq!(session.ask(0, Operation::SetBreakpoint(request)), Answer::Breakpoint(id, Vec::new()));
    }
    assert_eq!(session.go_to_end(0), Event::Exited(1));
}

fn unknown_numbers_are_errors(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    let id = BreakpointId(77);
    for operation in [
        Operation::DeleteBreakpoint(id),
        Operation::EnableBreakpoint(id, true),
        Operation::SetCondition(id, None),
        Operation::SetIgnore(id, 1),
    ] {
        assert_eq!(session.fails(0, operation).code, ErrorCode::NO_BREAKPOINT);
    }
}

fn one_may_be_for_some_ranks_only(kind: Kind) {
    let mut session = Session::launched(kind, &[], 3);
    session.set_breakpoint(&one(1), on_function(1, "sum"));
    session.ok(&all(3), Operation::Go);
    assert_eq!((session.end(0), session.end(2)), (Event::Exited(1), Event::Exited(1)));
    assert_eq!(session.stop(1).reason, hit(1));
}

fn two_at_one_place_name_the_first(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    session.break_at(on_function(8, "sum"));
    session.break_at(on_function(3, "sum"));
    assert_eq!(session.go(0).reason, hit(3));
    session.ok(&one(0), Operation::DeleteBreakpoint(BreakpointId(3)));
    assert_eq!(session.go_to_end(0), Event::Exited(1));
}

fn they_can_be_set_while_ranks_run(kind: Kind) {
    let mut session = Session::launched(kind, &["spin"], 1);
    session.ok(&one(0), Operation::Go);
    session.event(Rank(0), "running", |event| (*event == Event::Running).then_some(()));
    session.break_at(at_mark(1, "spin"));
    let stop = session.stop(0);
    assert_eq!((stop.reason, line_of(&stop.frame)), (hit(1), line("spin")));
}

fn what_is_asked_after_one_finds_it_in_place(kind: Kind) {
    let mut session = Session::launched(kind, &["work"], 2);
    let set = session.submit(&all(2), Operation::SetBreakpoint(on_function(1, "leaf")));
    let go = session.submit(&all(2), Operation::Go);
    let stops = session.stops(&all(2));
    assert!(stops.values().all(|stop| stop.reason == hit(1)), "{stops:?}");
    for (_, answer) in session.answers(set, &all(2)) {
        assert!(matches!(&answer, Answer::Breakpoint(_, sites) if sites.len() == 1), "{answer:?}");
    }
    assert!(session.answers(go, &all(2)).iter().all(|(_, answer)| *answer == Answer::Ok));
}

fn the_thread_is_looked_at(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    session.break_at(BreakpointRequest { thread: Some(ThreadId(2)), ..on_function(1, "leaf") });
    session.break_at(BreakpointRequest { thread: Some(ThreadId(1)), ..on_function(2, "sum") });
    assert_eq!(session.go(0).reason, hit(2));
}

fn going_on_from_one_does_not_stop_there_again(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    session.break_at(at_mark(1, "sum"));
    for i in 0..10 {
        assert_eq!(session.go(0).reason, hit(1));
        assert_eq!(session.integer("i"), i);
    }
    assert_eq!(session.go_to_end(0), Event::Exited(1));
    let failure = session.fails(0, Operation::StackDepth(None));
    assert_eq!(failure.code, ErrorCode::NOT_RUN);
}
