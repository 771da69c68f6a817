//! Steps of every kind.

use crate::session::{Kind, Session, all, at_mark, function_of, line, line_of, on_function};
use rankscope::model::aif::{FormatOptions, format};
use rankscope::model::{
    BreakpointId, Context, ErrorCode, Event, LocationSpec, Operation, ProcessSet, Rank, StepKind, Stop, StopReason,
};

contract!(
    a_step_goes_to_the_next_line,
    a_step_enters_a_function_behind_its_prologue,
    a_next_passes_over_calls,
    a_step_out_of_a_function_goes_on_to_a_new_line,
    a_next_goes_round_a_loop,
    a_count_repeats,
    a_next_over_recursion_stays_in_its_frame,
    a_breakpoint_ends_a_next,
    finish_returns_to_the_caller,
    finish_leaves_the_frame_of_the_context,
    finish_of_main_is_an_error,
    until_runs_to_a_place,
    until_ends_when_the_function_returns,
    until_nowhere_is_an_error,
    until_alone_leaves_a_loop,
    until_alone_leaves_a_function,
    until_stays_in_its_frame_and_advance_does_not,
    one_instruction_at_a_time,
    an_instruction_step_over_passes_over_calls,
    the_program_may_end_in_a_step,
    some_ranks_step_while_others_stay,
    running_comes_before_the_stop,
    a_step_from_a_frame_further_out_ends_on_its_next_line,
    a_step_from_a_frame_further_out_does_not_end_in_deeper_calls_of_its_function,
    a_step_from_a_frame_further_out_enters_the_next_call_of_its_line,
    a_step_from_a_frame_further_out_stops_at_a_breakpoint_on_the_way,
    a_step_from_a_frame_further_out_repeats,
    until_from_a_frame_further_out_leaves_its_loop,
    a_step_by_instructions_begins_in_the_innermost_frame,
    a_step_from_a_frame_that_is_not_there_is_an_error,
);

fn place(stop: &Stop) -> (&str, u32) {
    (function_of(&stop.frame), line_of(&stop.frame))
}

fn stepped(stop: &Stop) -> (&str, u32) {
    assert_eq!(stop.reason, StopReason::Step);
    place(stop)
}

fn a_step_goes_to_the_next_line(kind: Kind) {
    let mut session = Session::at(kind, &[], "leaf");
    for mark in ["count", "leaf return", "leaf end"] {
        assert_eq!(stepped(&session.step(0, StepKind::Into)), ("leaf", line(mark)));
    }
}

fn a_step_enters_a_function_behind_its_prologue(kind: Kind) {
    let mut session = Session::at(kind, &[], "first call");
    assert_eq!(stepped(&session.step(0, StepKind::Into)), ("leaf", line("leaf")));
    assert_eq!(session.integer("x"), 1);
}

fn a_next_passes_over_calls(kind: Kind) {
    let mut session = Session::at(kind, &[], "first call");
    assert_eq!(stepped(&session.step(0, StepKind::Over)), ("work", line("two calls")));
    assert_eq!(stepped(&session.step(0, StepKind::Over)), ("work", line("recursion")));
    assert_eq!((session.integer("a"), session.integer("b"), session.integer("counter")), (2, 6, 3));
}

fn a_step_out_of_a_function_goes_on_to_a_new_line(kind: Kind) {
    let mut session = Session::at(kind, &[], "leaf end");
    // The rest of the line after the call is no line of its own.
    assert_eq!(stepped(&session.step(0, StepKind::Over)), ("work", line("two calls")));
}

fn a_next_goes_round_a_loop(kind: Kind) {
    let mut session = Session::at(kind, &[], "sum");
    let head = line("sum") - 1;
    for _ in 0..2 {
        assert_eq!(stepped(&session.step(0, StepKind::Over)), ("sum", head));
        assert_eq!(stepped(&session.step(0, StepKind::Over)), ("sum", line("sum")));
    }
    assert_eq!((session.integer("i"), session.integer("result")), (2, 1));
}

fn a_count_repeats(kind: Kind) {
    let mut session = Session::at(kind, &[], "sum");
    let operation = |kind, count| Operation::Step { kind, count, context: Context::default() };
    assert_eq!(stepped(&session.resume(0, operation(StepKind::Over, 4))), ("sum", line("sum")));
    assert_eq!(session.integer("i"), 2);
    // A count of 0 counts as 1.
    assert_eq!(stepped(&session.resume(0, operation(StepKind::Into, 0))), ("sum", line("sum") - 1));
    session.break_at(at_mark(1, "sum return"));
    let stop = session.resume(0, operation(StepKind::Over, 1000));
    assert_eq!(
        (place(&stop), stop.reason.clone()),
        (("sum", line("sum return")), StopReason::Breakpoint(BreakpointId(1)))
    );
}

fn a_next_over_recursion_stays_in_its_frame(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    session.break_at(on_function(1, "recurse"));
    session.go(0);
    session.ok(&ProcessSet::one(Rank(0)), Operation::DeleteBreakpoint(BreakpointId(1)));
    assert_eq!(session.integer("n"), 3);
    session.step(0, StepKind::Over);
    let stop = session.step(0, StepKind::Over);
    assert_eq!(function_of(&stop.frame), "recurse");
    assert_eq!((session.integer("n"), session.stack(0).len()), (3, 3));
}

fn a_breakpoint_ends_a_next(kind: Kind) {
    let mut session = Session::at(kind, &[], "recursion");
    session.break_at(at_mark(1, "bottom"));
    let stop = session.step(0, StepKind::Over);
    assert_eq!((place(&stop), &stop.reason), (("recurse", line("bottom")), &StopReason::Breakpoint(BreakpointId(1))));
    assert_eq!(session.stack(0).len(), 6);
}

fn finish_returns_to_the_caller(kind: Kind) {
    let mut session = Session::at(kind, &[], "bottom");
    let stop = session.step(0, StepKind::Finish);
    assert_eq!(function_of(&stop.frame), "recurse");
    assert_eq!(session.integer("n"), 1);
    let StopReason::Finished(Some(value)) = stop.reason else { panic!("the value returned is missing: {stop:?}") };
    assert_eq!(format(&value, &FormatOptions::default()).unwrap(), "1");
}

fn finish_leaves_the_frame_of_the_context(kind: Kind) {
    let mut session = Session::at(kind, &[], "bottom");
    let context = Context { thread: None, frame: 3 };
    let stop = session.resume(0, Operation::Step { kind: StepKind::Finish, count: 1, context });
    assert_eq!((stop.reason.word(), place(&stop)), ("finished", ("work", line("recursion"))));
}

fn finish_of_main_is_an_error(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    let operation = Operation::Step { kind: StepKind::Finish, count: 1, context: Context::default() };
    session.fails(0, operation);
    // The frame is still there.
    assert_eq!(session.stack(0).len(), 1);
}

fn until_runs_to_a_place(kind: Kind) {
    let mut session = Session::at(kind, &[], "sum");
    let location = LocationSpec::Line(line("sum return"));
    let stop = session.resume(0, Operation::Until(location, Context::default()));
    assert_eq!(stepped(&stop), ("sum", line("sum return")));
    assert_eq!(session.integer("result"), 45);
}

fn until_ends_when_the_function_returns(kind: Kind) {
    let mut session = Session::at(kind, &[], "sum return");
    let location = LocationSpec::Line(line("sum"));
    let stop = session.resume(0, Operation::Until(location, Context::default()));
    assert_eq!(function_of(&stop.frame), "work");
}

fn until_nowhere_is_an_error(kind: Kind) {
    let mut session = Session::at(kind, &[], "sum");
    let nowhere = LocationSpec::Function("not_in_there".to_owned());
    assert_eq!(session.fails(0, Operation::Until(nowhere, Context::default())).code, ErrorCode::NO_FUNCTION);
    assert_eq!(session.integer("i"), 0);
}

fn until_alone_leaves_a_loop(kind: Kind) {
    let mut session = Session::at(kind, &[], "sum");
    // To the loop's head first, which is above, but on the way into the next round.
    let until = |session: &mut Session| {
        let stop = session.step(0, StepKind::Onward);
        (stepped(&stop).0.to_owned(), stepped(&stop).1)
    };
    let head = line("sum") - 1;
    let mut place = until(&mut session);
    if place.1 == head {
        place = until(&mut session);
    }
    assert_eq!(place, ("sum".to_owned(), line("sum return")));
    assert_eq!(session.integer("result"), 45);
}

fn until_alone_leaves_a_function(kind: Kind) {
    let mut session = Session::at(kind, &[], "leaf end");
    assert_eq!(stepped(&session.step(0, StepKind::Onward)), ("work", line("two calls")));
}

fn until_stays_in_its_frame_and_advance_does_not(kind: Kind) {
    let leaf = || LocationSpec::Function("leaf".to_owned());
    let mut session = Session::at(kind, &[], "first call");
    let stop = session.resume(0, Operation::Advance(leaf(), Context::default()));
    assert_eq!(stepped(&stop), ("leaf", line("leaf")));
    let stop = session.resume(0, Operation::Advance(LocationSpec::Function("sum".to_owned()), Context::default()));
    assert_eq!(function_of(&stop.frame), "work");
    let stop = session.resume(0, Operation::Until(leaf(), Context::default()));
    assert_eq!(function_of(&stop.frame), "main");
    // A deeper call of the same function does not count.
    let mut session = Session::at(kind, &[], "recursion");
    session.resume(0, Operation::Advance(LocationSpec::Function("recurse".to_owned()), Context::default()));
    let last = || LocationSpec::Line(line("bottom") + 1);
    let stop = session.resume(0, Operation::Until(last(), Context::default()));
    assert_eq!((stepped(&stop), session.integer("n")), (("recurse", line("bottom") + 1), 3));
    let stop = session.resume(0, Operation::Advance(last(), Context::default()));
    assert_eq!((stepped(&stop), session.integer("n")), (("recurse", line("bottom") + 1), 2));
}

fn one_instruction_at_a_time(kind: Kind) {
    let mut session = Session::at(kind, &[], "leaf");
    let before = session.stack(0)[0].code.offset;
    let stop = session.step(0, StepKind::Instruction);
    assert_eq!(stop.reason, StopReason::Step);
    assert_eq!(function_of(&stop.frame), "leaf");
    let after = stop.frame.code.offset;
    assert!(after > before && after < before + 16, "{before:#x} {after:#x}");
}

fn an_instruction_step_over_passes_over_calls(kind: Kind) {
    let mut session = Session::at(kind, &[], "first call");
    let mut steps = 0;
    loop {
        let stop = session.step(0, StepKind::InstructionOver);
        assert_eq!((stop.reason.clone(), function_of(&stop.frame)), (StopReason::Step, "work"));
        steps += 1;
        if line_of(&stop.frame) != line("first call") {
            break;
        }
    }
    assert!(steps > 1);
    assert_eq!((session.integer("a"), session.integer("counter")), (2, 1));
}

fn the_program_may_end_in_a_step(kind: Kind) {
    let mut session = Session::at(kind, &["exit", "5"], "exit");
    let operation = Operation::Step { kind: StepKind::Over, count: 1000, context: Context::default() };
    session.ok(&ProcessSet::one(Rank(0)), operation);
    assert_eq!(session.end(0), Event::Exited(5));
}

fn some_ranks_step_while_others_stay(kind: Kind) {
    let mut session = Session::launched(kind, &[], 4);
    session.set_breakpoint(&all(4), on_function(1, "branch"));
    session.ok(&all(4), Operation::Go);
    session.stops(&all(4));
    let some = ProcessSet::range(1, 3);
    let operation = Operation::Step { kind: StepKind::Over, count: 1, context: Context::default() };
    session.ok(&some, operation);
    let stops = session.stops(&some);
    assert_eq!(stepped(&stops[&Rank(1)]), ("branch", line("odd")));
    assert_eq!(stepped(&stops[&Rank(2)]), ("branch", line("even")));
    for rank in [0, 3] {
        assert_eq!(line_of(&session.stack(rank)[0]), line("even") - 1);
    }
}

fn running_comes_before_the_stop(kind: Kind) {
    let mut session = Session::at(kind, &[], "leaf");
    let tid = session.submit(
        &ProcessSet::one(Rank(0)),
        Operation::Step { kind: StepKind::Over, count: 1, context: Context::default() },
    );
    session.stop(0);
    let events = session.events[&Rank(0)].iter().filter(|(of, _)| *of == tid);
    let events: Vec<_> = events.map(|(_, event)| event).collect();
    assert!(matches!(events[..], [Event::Running, Event::Stopped(_)]), "{events:?}");
}

fn step_at(kind: StepKind, count: u32, frame: u32) -> Operation {
    Operation::Step { kind, count, context: Context { thread: None, frame } }
}

/// The level of the innermost frame of a function.
#[track_caller]
fn level_of(session: &mut Session, function: &str) -> u32 {
    session.stack(0).iter().find(|frame| function_of(frame) == function).unwrap().level
}

fn a_step_from_a_frame_further_out_ends_on_its_next_line(kind: Kind) {
    for step in [StepKind::Over, StepKind::Into, StepKind::Onward] {
        let mut session = Session::at(kind, &[], "bottom");
        let level = level_of(&mut session, "work");
        assert_eq!(level, 4);
        assert_eq!(stepped(&session.resume(0, step_at(step, 1, level))), ("work", line("loop call")));
        assert_eq!(session.integer("a"), 4);
    }
}

fn a_step_from_a_frame_further_out_does_not_end_in_deeper_calls_of_its_function(kind: Kind) {
    for step in [StepKind::Over, StepKind::Into] {
        let mut session = Session::at(kind, &[], "bottom");
        // Of the four frames of the function, that in which n is 2.
        let stop = session.resume(0, step_at(step, 1, 2));
        assert_eq!((function_of(&stop.frame), &stop.reason), ("recurse", &StopReason::Step));
        assert_eq!((session.integer("n"), session.stack(0).len()), (2, 4));
    }
}

fn a_step_from_a_frame_further_out_enters_the_next_call_of_its_line(kind: Kind) {
    let mut session = Session::at(kind, &[], "two calls");
    session.break_at(at_mark(1, "count"));
    session.go(0);
    session.ok(&ProcessSet::one(Rank(0)), Operation::DeleteBreakpoint(BreakpointId(1)));
    assert_eq!(session.integer("x"), 2);
    assert_eq!(stepped(&session.resume(0, step_at(StepKind::Into, 1, 1))), ("leaf", line("leaf")));
    assert_eq!(session.integer("x"), 2, "the other argument is that of a, which is 2 too");
    assert_eq!(session.integer("counter"), 2);
    // The second call is the last of the line.
    assert_eq!(stepped(&session.resume(0, step_at(StepKind::Into, 1, 1))), ("work", line("recursion")));
}

fn a_step_from_a_frame_further_out_stops_at_a_breakpoint_on_the_way(kind: Kind) {
    let mut session = Session::at(kind, &[], "recursion");
    session.run_to("bottom");
    session.break_at(at_mark(1, "leaf return"));
    let stop = session.resume(0, step_at(StepKind::Over, 1, 4));
    assert_eq!((place(&stop), &stop.reason), (("leaf", line("leaf return")), &StopReason::Breakpoint(BreakpointId(1))));
    // The step is over.
    session.break_at(at_mark(2, "work return"));
    assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(2)));
}

fn a_step_from_a_frame_further_out_repeats(kind: Kind) {
    let mut session = Session::at(kind, &[], "bottom");
    assert_eq!(stepped(&session.resume(0, step_at(StepKind::Over, 2, 4))), ("work", line("branch call")));
}

fn until_from_a_frame_further_out_leaves_its_loop(kind: Kind) {
    let mut session = Session::at(kind, &[], "sum");
    assert_eq!(stepped(&session.resume(0, step_at(StepKind::Onward, 1, 1))), ("work", line("branch call")));
    assert_eq!(session.integer("b"), 6 + 45);
}

fn a_step_by_instructions_begins_in_the_innermost_frame(kind: Kind) {
    for step in [StepKind::Instruction, StepKind::InstructionOver] {
        let mut session = Session::at(kind, &[], "sum");
        let stop = session.resume(0, step_at(step, 1, 1));
        assert_eq!((function_of(&stop.frame), &stop.reason), ("sum", &StopReason::Step));
    }
}

fn a_step_from_a_frame_that_is_not_there_is_an_error(kind: Kind) {
    let mut session = Session::at(kind, &[], "sum");
    let failure = session.fails(0, step_at(StepKind::Over, 1, 40));
    assert!(failure.message.contains("frame at level"), "{failure:?}");
    assert_eq!(stepped(&session.step(0, StepKind::Over)), ("sum", line("sum") - 1), "no step is left behind");
}
