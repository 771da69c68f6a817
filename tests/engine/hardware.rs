//! Breakpoints in debug registers of the processor.

use crate::session::{Kind, Session, at_mark, breakpoint, function_of, on_function, on_mark};
use crate::support::build;
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, ErrorCode, Event, LaunchSpec, LocationSpec, Operation, ProcessSet, Rank,
    StepKind, StopReason,
};

const FILE: &str = "self_check.c";

of_processes!(
    they_stop_each_time_and_leave_the_code_as_it_is,
    breakpoints_in_the_code_change_it,
    conditions_and_counts_hold_for_them_too,
    they_are_disabled_and_deleted,
    steps_go_over_them,
    they_are_set_and_changed_while_the_rank_runs,
);

fn launched(kind: Kind) -> Session {
    let mut session = Session::new(kind);
    session.launch(kind.spec(FILE, &[]), 1);
    session.stop(0);
    session
}

fn in_hardware(request: BreakpointRequest) -> BreakpointRequest {
    BreakpointRequest { hardware: true, ..request }
}

fn hit(id: u32) -> StopReason {
    StopReason::Breakpoint(BreakpointId(id))
}

fn they_stop_each_time_and_leave_the_code_as_it_is(kind: Kind) {
    let mut session = launched(kind);
    session.break_at(in_hardware(on_function(1, "work")));
    for n in 0..4 {
        let stop = session.go(0);
        assert_eq!((stop.reason, function_of(&stop.frame)), (hit(1), "work"));
        assert_eq!(session.integer("n"), n);
    }
    assert_eq!(session.go_to_end(0), Event::Exited(0), "the program found its code unchanged");
}

fn breakpoints_in_the_code_change_it(kind: Kind) {
    let mut session = launched(kind);
    session.break_at(on_function(1, "work"));
    for _ in 0..4 {
        assert_eq!(session.go(0).reason, hit(1));
    }
    assert_eq!(session.go_to_end(0), Event::Exited(4));
}

fn conditions_and_counts_hold_for_them_too(kind: Kind) {
    let mut session = launched(kind);
    session.break_at(in_hardware(BreakpointRequest { condition: Some("n == 2".into()), ..on_function(1, "work") }));
    session.break_at(in_hardware(BreakpointRequest { ignore: 3, ..on_function(2, "other") }));
    session.break_at(in_hardware(BreakpointRequest { temporary: true, ..on_mark(3, FILE, "work") }));
    assert_eq!(session.go(0).reason, hit(3));
    assert_eq!(session.go(0).reason, hit(1));
    assert_eq!(session.integer("n"), 2);
    assert_eq!(session.go(0).reason, hit(2));
    assert_eq!(session.go_to_end(0), Event::Exited(0));
}

fn they_are_disabled_and_deleted(kind: Kind) {
    let mut session = launched(kind);
    let all = ProcessSet::one(Rank(0));
    session.break_at(in_hardware(on_function(1, "work")));
    session.break_at(in_hardware(on_function(2, "other")));
    assert_eq!(session.go(0).reason, hit(1));
    session.ok(&all, Operation::EnableBreakpoint(BreakpointId(1), false));
    assert_eq!(session.go(0).reason, hit(2));
    session.ok(&all, Operation::DeleteBreakpoint(BreakpointId(2)));
    session.ok(&all, Operation::EnableBreakpoint(BreakpointId(1), true));
    assert_eq!(session.go(0).reason, hit(1));
    assert_eq!(session.integer("n"), 1);
    session.ok(&all, Operation::DeleteBreakpoint(BreakpointId(1)));
    assert_eq!(session.go_to_end(0), Event::Exited(0));
}

fn steps_go_over_them(kind: Kind) {
    let mut session = launched(kind);
    session.break_at(in_hardware(on_function(1, "work")));
    assert_eq!(session.go(0).reason, hit(1));
    // From the breakpoint, by an instruction and by a line; then into the breakpoint of the next round.
    assert_eq!(session.step(0, StepKind::Instruction).reason, StopReason::Step);
    assert_eq!(session.step(0, StepKind::Over).reason, StopReason::Step);
    assert_eq!(session.go(0).reason, hit(1));
    assert_eq!(session.integer("n"), 1);
    assert_eq!(session.step(0, StepKind::Over).reason, StopReason::Step);
    session.ok(&ProcessSet::one(Rank(0)), Operation::DeleteBreakpoint(BreakpointId(1)));
    assert_eq!(session.go_to_end(0), Event::Exited(0));
}

/// A rank that adds to a counter for ever.
fn spinning(kind: Kind) -> Session {
    let mut session = Session::launched(kind, &["spin"], 1);
    run(&mut session);
    session
}

fn run(session: &mut Session) {
    session.ok(&ProcessSet::one(Rank(0)), Operation::Go);
    session.event(Rank(0), "running", |event| (*event == Event::Running).then_some(()));
}

fn at_counter(id: u32) -> BreakpointRequest {
    in_hardware(at_mark(id, "spin"))
}

fn they_are_set_and_changed_while_the_rank_runs(kind: Kind) {
    let mut session = spinning(kind);
    let all = ProcessSet::one(Rank(0));
    session.break_at(at_counter(1));
    assert_eq!(session.stop(0).reason, hit(1));
    session.ok(&all, Operation::EnableBreakpoint(BreakpointId(1), false));
    run(&mut session);
    session.ok(&all, Operation::EnableBreakpoint(BreakpointId(1), true));
    assert_eq!(session.stop(0).reason, hit(1));
    session.ok(&all, Operation::EnableBreakpoint(BreakpointId(1), false));
    // The registers that are given up while the rank runs serve other places.
    for (id, name) in [(2, "leaf"), (3, "sum"), (4, "branch"), (5, "inspect")] {
        session.break_at(in_hardware(on_function(id, name)));
    }
    run(&mut session);
    session.ok(&all, Operation::EnableBreakpoint(BreakpointId(3), false));
    session.ok(&all, Operation::DeleteBreakpoint(BreakpointId(4)));
    session.break_at(at_counter(6));
    assert_eq!(session.stop(0).reason, hit(6));
}

#[test]
fn native_leaves_one_that_cannot_be_enabled_disabled() {
    let mut session = launched(Kind::Native);
    let all = ProcessSet::one(Rank(0));
    session.break_at(in_hardware(on_function(1, "work")));
    session.ok(&all, Operation::EnableBreakpoint(BreakpointId(1), false));
    for (id, name) in [(2, "other"), (3, "main"), (4, "sum_of"), (5, "remember")] {
        session.break_at(in_hardware(on_function(id, name)));
    }
    for _ in 0..2 {
        let refused = session.fails(0, Operation::EnableBreakpoint(BreakpointId(1), true));
        assert!(refused.message.contains("all debug registers are in use"), "{}", refused.message);
    }
    session.ok(&all, Operation::DeleteBreakpoint(BreakpointId(4)));
    session.ok(&all, Operation::EnableBreakpoint(BreakpointId(1), true));
    assert_eq!(session.go(0).reason, hit(1));
}

#[test]
fn native_gives_back_the_registers_of_one_that_cannot_be_enabled() {
    let mut session = Session::new(Kind::Native);
    let program = build::build("g++", "scopes.cpp", &["-g"]).display().to_string();
    session.launch(LaunchSpec { program, ..LaunchSpec::default() }, 1);
    session.stop(0);
    let all = ProcessSet::one(Rank(0));
    // It has two places.
    let answer = session.ask(0, Operation::SetBreakpoint(in_hardware(on_function(1, "ns::add"))));
    assert!(matches!(&answer, Answer::Breakpoint(_, sites) if sites.len() == 2), "{answer:?}");
    session.ok(&all, Operation::EnableBreakpoint(BreakpointId(1), false));
    for (id, name) in [(2, "use"), (3, "ns::derived::f"), (4, "ns::base::f")] {
        session.break_at(in_hardware(on_function(id, name)));
    }
    session.fails(0, Operation::EnableBreakpoint(BreakpointId(1), true));
    session.break_at(in_hardware(on_function(5, "ns::add<double>")));
    session.ok(&all, Operation::DeleteBreakpoint(BreakpointId(2)));
    session.ok(&all, Operation::DeleteBreakpoint(BreakpointId(3)));
    session.ok(&all, Operation::EnableBreakpoint(BreakpointId(1), true));
    assert_eq!(session.go(0).reason, hit(1));
}

#[test]
fn native_says_that_a_program_has_no_code_at_an_address() {
    let mut session = spinning(Kind::Native);
    let at = |id, address: &str| in_hardware(breakpoint(id, LocationSpec::Address(address.to_owned())));
    for address in ["0xffffffffffff0000", "0x7ffffffff000", "0x0123456789abcdef"] {
        let refused = session.fails(0, Operation::SetBreakpoint(at(1, address)));
        assert_eq!(refused.code, ErrorCode::MEMORY);
        let wanted = format!("a program has no code at {address}");
        assert!(refused.message.contains(wanted.replace("0x0", "0x").as_str()), "{}", refused.message);
    }
    // Nothing is lost: the same number is free, and code may be put at an address later.
    session.break_at(at(1, "0x7fffffffe000"));
    session.break_at(at_counter(2));
    assert_eq!(session.stop(0).reason, hit(2));
}

#[test]
fn native_says_that_there_is_no_register_left() {
    let mut session = launched(Kind::Native);
    for (id, mark) in [(1, "work"), (2, "other"), (3, "end")] {
        session.break_at(in_hardware(on_mark(id, FILE, mark)));
    }
    session.break_at(in_hardware(on_function(4, "main")));
    let refused = session.fails(0, Operation::SetBreakpoint(in_hardware(on_function(5, "sum_of"))));
    assert_eq!(refused.code, ErrorCode::DEBUGGER);
    assert!(refused.message.contains("all debug registers are in use"), "{}", refused.message);
    session.ok(&ProcessSet::one(Rank(0)), Operation::DeleteBreakpoint(BreakpointId(4)));
    let answer = session.ask(0, Operation::SetBreakpoint(in_hardware(on_function(5, "sum_of"))));
    assert!(matches!(answer, Answer::Breakpoint(_, sites) if !sites.is_empty()), "the register is free again");
    assert_eq!(session.go(0).reason, hit(5));
}
