//! One thread runs while the others stay stopped.

use crate::{
    session::{Kind, Session, all, line_of, on_mark},
    support::marks,
};
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, Context, Event, Locking, Operation, RunSettings, StepKind, StopReason,
    ThreadId,
};

const FILE: &str = "threads_locked.c";

of_processes!(
    others_stay_while_one_steps_and_while_it_runs,
    others_stay_only_while_it_steps,
    others_run_otherwise,
    another_thread_can_be_the_one,
    the_thread_that_is_chosen_goes,
);

fn lock(session: &mut Session, locking: Locking) {
    let settings = RunSettings { locking, ..RunSettings::default() };
    session.ok(&all(1), Operation::Configure(settings));
}

/// Stopped in the first thread, with eight others that count.
fn begun(kind: Kind, locking: Locking, arguments: &[&str]) -> Session {
    let mut session = Session::new(kind);
    session.launch(kind.spec(FILE, arguments), 1);
    session.stop(0);
    session.break_at(on_mark(1, FILE, "first"));
    session.go(0);
    session.ok(&all(1), Operation::DeleteBreakpoint(BreakpointId(1)));
    lock(&mut session, locking);
    session
}

fn counted(session: &mut Session) -> Vec<i64> {
    (0..8).map(|index| session.integer(&format!("counts[{index}]"))).collect()
}

/// A breakpoint that a counting thread reaches when it has continued.
fn ahead(id: u32, index: usize, before: &[i64]) -> BreakpointRequest {
    let condition = format!("own == (void *)&counts[{index}] && counts[{index}] > {}", before[index]);
    BreakpointRequest { condition: Some(condition), ..on_mark(id, FILE, "count") }
}

fn step_to(session: &mut Session, kind: StepKind, mark: &str) {
    let stop = session.step(0, kind);
    assert_eq!((stop.reason.clone(), line_of(&stop.frame)), (StopReason::Step, marks::line(FILE, mark)), "{stop:?}");
}

fn others_stay_while_one_steps_and_while_it_runs(kind: Kind) {
    let mut session = begun(kind, Locking::On, &[]);
    let before = counted(&mut session);
    step_to(&mut session, StepKind::Over, "second");
    step_to(&mut session, StepKind::Over, "third");
    step_to(&mut session, StepKind::Into, "called");
    step_to(&mut session, StepKind::Into, "leaves");
    session.break_at(on_mark(2, FILE, "fourth"));
    let stop = session.go(0);
    assert_eq!(stop.reason, StopReason::Breakpoint(BreakpointId(2)));
    session.step(0, StepKind::Instruction);
    session.step(0, StepKind::InstructionOver);
    assert_eq!(counted(&mut session), before);
    lock(&mut session, Locking::Off);
    assert_eq!(session.go_to_end(0), Event::Exited(2));
}

fn others_stay_only_while_it_steps(kind: Kind) {
    let mut session = begun(kind, Locking::Step, &[]);
    let before = counted(&mut session);
    step_to(&mut session, StepKind::Over, "second");
    step_to(&mut session, StepKind::Into, "called");
    assert_eq!(counted(&mut session), before);
    // One of them gets that far only if they run.
    session.break_at(ahead(2, 3, &before));
    let stop = session.go(0);
    assert_eq!(stop.reason, StopReason::Breakpoint(BreakpointId(2)));
    assert_ne!(counted(&mut session), before);
    session.ok(&all(1), Operation::DeleteBreakpoint(BreakpointId(2)));
    assert_eq!(session.go_to_end(0), Event::Exited(2));
}

fn others_run_otherwise(kind: Kind) {
    for locking in [Locking::Off, Locking::Replay] {
        let mut session = begun(kind, locking, &[]);
        let before = counted(&mut session);
        step_to(&mut session, StepKind::Over, "second");
        session.break_at(ahead(2, 5, &before));
        // Stepping the first thread lets the others run.
        let stop = session.go(0);
        assert_eq!(stop.reason, StopReason::Breakpoint(BreakpointId(2)));
        session.ok(&all(1), Operation::DeleteBreakpoint(BreakpointId(2)));
        assert_eq!(session.go_to_end(0), Event::Exited(2));
    }
}

fn another_thread_can_be_the_one(kind: Kind) {
    let mut session = begun(kind, Locking::Step, &[]);
    let Answer::Threads(threads) = session.ask(0, Operation::Threads) else { panic!() };
    let context = |thread| Context { thread: Some(thread), frame: 0 };
    let counts = |thread: &&rankscope::model::ThreadInfo| {
        let names = thread.frame.as_ref().and_then(|frame| frame.function.as_deref());
        names == Some("count") && thread.id != ThreadId(1)
    };
    let before = counted(&mut session);
    let Some(other) = threads.iter().find(counts) else {
        // All of them are in the library now; it shows so for the first.
        step_to(&mut session, StepKind::Over, "second");
        return assert_eq!(counted(&mut session), before);
    };
    let own = Operation::Evaluate { context: context(other.id), expression: "(long *)own - (long *)counts".into() };
    let Answer::Data(own) = session.ask(0, own) else { panic!() };
    let own = crate::session::integer_of(&own) as usize;
    for _ in 0..6 {
        session.resume(0, Operation::Step { kind: StepKind::Over, count: 1, context: context(other.id) });
    }
    let after = counted(&mut session);
    assert!(after[own] > before[own], "{own}: {before:?} {after:?}");
    for index in (0..8).filter(|index| *index != own) {
        assert_eq!(after[index], before[index], "{index}");
    }
    assert_eq!(session.go_to_end(0), Event::Exited(2));
}

fn the_thread_that_is_chosen_goes(kind: Kind) {
    let mut session = begun(kind, Locking::On, &[]);
    let before = counted(&mut session);
    let Answer::Threads(threads) = session.ask(0, Operation::Threads) else { panic!() };
    let mut counts = threads.iter().map(|thread| thread.id).filter_map(|thread| {
        let Answer::Stack(frames) =
            session.ask(0, Operation::Stack { thread: Some(thread), low: 0, high: None, most: None })
        else {
            panic!()
        };
        let frame = frames.iter().position(|frame| frame.function.as_deref() == Some("count"))? as u32;
        Some(Context { thread: Some(thread), frame })
    });
    let context = counts.nth(2).unwrap();
    let own = Operation::Evaluate { context, expression: "(long *)own - (long *)counts".into() };
    let Answer::Data(own) = session.ask(0, own) else { panic!() };
    let own = crate::session::integer_of(&own) as usize;
    session.break_at(on_mark(2, FILE, "count"));
    session.break_at(on_mark(3, FILE, "second"));
    let thread = context.thread.unwrap();
    // The first time from wherever the thread is, then a full round.
    let stop = session.resume(0, Operation::GoWith(thread));
    assert_eq!((stop.reason, stop.thread), (StopReason::Breakpoint(BreakpointId(2)), thread));
    let first = session.resume(0, Operation::GoWith(ThreadId(1)));
    assert_eq!((first.reason, first.thread), (StopReason::Breakpoint(BreakpointId(3)), ThreadId(1)));
    let at_the_line = counted(&mut session);
    let stop = session.resume(0, Operation::GoWith(thread));
    assert_eq!((stop.reason, stop.thread), (StopReason::Breakpoint(BreakpointId(2)), thread));
    let after = counted(&mut session);
    assert_eq!(after[own], at_the_line[own] + 1);
    for index in (0..8).filter(|index| *index != own) {
        assert_eq!(after[index], before[index], "{index}");
    }
    lock(&mut session, Locking::Off);
    for id in [2, 3] {
        session.ok(&all(1), Operation::DeleteBreakpoint(BreakpointId(id)));
    }
    assert_eq!(session.go_to_end(0), Event::Exited(2));
}

#[test]
fn the_end_of_the_one_thread_stops_the_rank() {
    let mut session = Session::new(Kind::Native);
    session.launch(Kind::Native.spec(FILE, &[]), 1);
    session.stop(0);
    session.break_at(on_mark(1, FILE, "ends"));
    let stop = session.go(0);
    session.ok(&all(1), Operation::DeleteBreakpoint(BreakpointId(1)));
    lock(&mut session, Locking::On);
    let ended = session.go(0);
    assert!(ended.thread != stop.thread, "{ended:?}");
    assert!(ended.note.as_deref().is_some_and(|note| note.contains("has ended")), "{ended:?}");
    lock(&mut session, Locking::Off);
    assert_eq!(session.go_to_end(0), Event::Exited(2));
}

#[test]
fn the_end_of_the_process_is_no_end_of_a_thread() {
    for _ in 0..20 {
        let mut session = begun(Kind::Native, Locking::On, &["leave"]);
        assert_eq!(session.go_to_end(0), Event::Exited(7));
    }
}
