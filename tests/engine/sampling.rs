//! Stacks of ranks that run: they stop for a moment, and nothing else changes.

use crate::session::{Kind, Session, breakpoint, function_of, line_of, on_mark};
use crate::support::marks;
use rankscope::model::{
    Answer, Context, ErrorCode, Event, LaunchSpec, LocationSpec, Operation, ProcessSet, Rank, StepKind, StopReason,
};
use tempfile::TempDir;

fn sampled(look: Operation) -> Operation {
    Operation::Sample(Box::new(look))
}

fn of_current() -> Operation {
    sampled(Operation::Stack { thread: None, low: 0, high: None, most: None })
}

fn of_all_threads() -> Operation {
    sampled(Operation::ThreadStacks { high: None, most: None })
}

/// The number of events of rank 0.
fn events(session: &Session) -> usize {
    session.events.get(&Rank(0)).map_or(0, Vec::len)
}

/// The functions of each stack of rank 0, outermost first.
fn stacks(session: &mut Session) -> Vec<Vec<String>> {
    let Answer::ThreadStacks(threads) = session.ask(0, of_all_threads()) else { panic!("no stacks of threads") };
    let names = |frames: &[rankscope::model::Frame]| frames.iter().rev().map(|f| function_of(f).to_owned()).collect();
    threads.stacks.iter().map(|stack| names(&stack.frames)).collect()
}

/// Stopped before it waits for a file.
fn before_the_wait(kind: Kind, scratch: &TempDir) -> Session {
    let mut session = Session::new(kind);
    let file = scratch.path().join("there");
    session.launch(kind.spec("sampled.c", &[file.to_str().unwrap()]), 1);
    session.stop(0);
    session.break_at(on_mark(1, "sampled.c", "waits"));
    session.go(0);
    session
}

#[test]
fn a_running_rank_says_where_its_threads_are_and_its_step_goes_on() {
    let scratch = TempDir::new().unwrap();
    let mut session = before_the_wait(Kind::Native, &scratch);
    let step = Operation::Step { kind: StepKind::Over, count: 1, context: Context::default() };
    session.ok(&ProcessSet::one(Rank(0)), step);
    let mut seen = Vec::new();
    while !["wait_for", "spin"].iter().all(|name| seen.iter().flatten().any(|known: &String| known == name)) {
        seen = stacks(&mut session);
        assert_eq!(seen.len(), 2, "{seen:?}");
    }
    let before = events(&session);
    for _ in 0..50 {
        let seen = stacks(&mut session);
        assert!(seen.iter().any(|stack| stack.iter().any(|name| name == "spin")), "{seen:?}");
    }
    assert_eq!(events(&session), before, "{:?}", session.events);
    std::fs::write(scratch.path().join("there"), "").unwrap();
    let stop = session.stop(0);
    assert_eq!((line_of(&stop.frame), stop.reason), (marks::line("sampled.c", "found"), StopReason::Step));
}

#[test]
fn no_arrival_is_lost_or_counted_twice_while_a_rank_is_looked_at() {
    let mut session = Session::new(Kind::Native);
    session.launch(Kind::Native.spec("threads_hot.c", &[]), 1);
    session.stop(0);
    // Six threads pass it 400 times each.
    session.break_at(on_mark(1, "threads_hot.c", "pass"));
    session.ok(&ProcessSet::one(Rank(0)), Operation::SetIgnore(rankscope::model::BreakpointId(1), 2399));
    session.ok(&ProcessSet::one(Rank(0)), Operation::Go);
    let mut looks = 0;
    let stopped = |session: &Session| {
        session.events[&Rank(0)].iter().filter(|(_, event)| matches!(event, Event::Stopped(_))).count() == 2
    };
    while !stopped(&session) {
        assert!(!stacks(&mut session).is_empty());
        looks += 1;
    }
    assert!(looks > 0);
    let stop = session.stop(0);
    assert_eq!(stop.reason, StopReason::Breakpoint(rankscope::model::BreakpointId(1)));
    assert_eq!(session.go_to_end(0), Event::Exited(0));
}

#[test]
fn an_interrupt_and_a_look_at_once_leave_the_rank_stopped_and_both_answered() {
    let scratch = TempDir::new().unwrap();
    let mut session = before_the_wait(Kind::Native, &scratch);
    let one = ProcessSet::one(Rank(0));
    for round in 0..40 {
        session.ok(&one, Operation::Go);
        let looks = [of_all_threads(), of_current()].map(|look| session.submit(&one, look));
        let halt = session.submit(&one, Operation::Interrupt);
        let late = session.submit(&one, of_current());
        for look in looks.into_iter().chain([late]) {
            let answers = session.answers(look, &one);
            let is_stack = |answer: &Answer| matches!(answer, Answer::Stack(_) | Answer::ThreadStacks(_));
            assert!(is_stack(&answers[0].1), "round {round}: {answers:?}");
        }
        assert_eq!(session.answers(halt, &one)[0].1, Answer::Ok);
        assert_eq!(session.stop(0).reason, StopReason::Interrupted, "round {round}");
    }
    session.ok(&one, Operation::Go);
    let look = session.submit(&one, of_all_threads());
    session.ok(&one, Operation::Terminate);
    assert!(matches!(session.end(0), Event::Killed(_)));
    assert_eq!(session.answers(look, &one).len(), 1, "also a rank that is killed answers");
    assert_eq!(session.fails(0, of_all_threads()).code, ErrorCode::NOT_RUN);
}

#[test]
fn gdb_looks_only_at_stopped_ranks() {
    let scratch = TempDir::new().unwrap();
    let mut session = before_the_wait(Kind::Gdb, &scratch);
    assert!(matches!(session.ask(0, of_current()), Answer::Stack(_)));
    session.ok(&ProcessSet::one(Rank(0)), Operation::Go);
    session.event(Rank(0), "that it runs", |event| matches!(event, Event::Running).then_some(()));
    let refused = session.fails(0, of_current());
    assert_eq!(refused.code, ErrorCode::NOT_IMPLEMENTED);
    assert!(refused.message.contains("halt"), "{refused:?}");
}

#[test]
fn simulated_ranks_are_looked_at_while_they_run() {
    let mut session = Session::new(Kind::Fake);
    session.launch(LaunchSpec { program: "fake:spin".to_owned(), ..Default::default() }, 1);
    session.stop(0);
    session.ok(&ProcessSet::one(Rank(0)), Operation::Go);
    let Answer::Stack(frames) = session.ask(0, of_current()) else { panic!("no stack") };
    assert!(!frames.is_empty());
    let other = sampled(Operation::Evaluate { context: Context::default(), expression: "1".to_owned() });
    assert!(matches!(session.ask(0, other), Answer::Failed(_)), "only stacks are looked at");
    session.ok(&ProcessSet::one(Rank(0)), Operation::Interrupt);
    assert_eq!(session.stop(0).reason, StopReason::Interrupted);
    session.break_at(breakpoint(1, LocationSpec::Function("turn".to_owned())));
    session.go(0);
}
