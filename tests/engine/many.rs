//! Many ranks: equal reports are merged.

use crate::session::{Kind, Session, all, function_of, integer_of, on_function};
use rankscope::model::{Answer, Context, Event, Operation, ProcessSet, Rank, StepKind, StopReason};

contract!(many_ranks_stop_together, equal_answers_are_one_report, different_answers_are_told_apart, many_ranks_end,);

fn many_ranks_stop_together(kind: Kind) {
    let n = kind.many();
    let mut session = Session::launched(kind, &[], n);
    session.set_breakpoint(&all(n), on_function(1, "sum"));
    session.ok(&all(n), Operation::Go);
    for stop in session.stops(&all(n)).values() {
        assert_eq!(function_of(&stop.frame), "sum");
    }
    let operation = Operation::Step { kind: StepKind::Over, count: 1, context: Context::default() };
    session.ok(&all(n), operation);
    assert!(session.stops(&all(n)).values().all(|stop| stop.reason == StopReason::Step));
}

fn equal_answers_are_one_report(kind: Kind) {
    let n = kind.many();
    let mut session = Session::launched(kind, &[], n);
    for operation in [
        Operation::SetBreakpoint(on_function(1, "leaf")),
        Operation::Stack { thread: None, low: 0, high: None, most: None },
        Operation::Evaluate { context: Context::default(), expression: "table".to_owned() },
        Operation::Threads,
        Operation::ListSignals(None),
        Operation::Go,
    ] {
        let answers = session.ask_all(&all(n), operation.clone());
        assert_eq!(answers.len(), 1, "{operation:?}");
    }
}

fn different_answers_are_told_apart(kind: Kind) {
    let n = kind.many();
    let mut session = Session::launched(kind, &[], n);
    session.set_breakpoint(&all(n), on_function(1, "branch"));
    session.ok(&all(n), Operation::Go);
    session.stops(&all(n));
    let expression = "rank % 2".to_owned();
    let answers = session.ask_all(&all(n), Operation::Evaluate { context: Context::default(), expression });
    assert_eq!(answers.len(), 2);
    for (ranks, answer) in answers {
        let Answer::Data(value) = answer else { panic!("{answer:?}") };
        let first = ranks.first().unwrap().0;
        assert_eq!(integer_of(&value), i64::from(first));
        assert_eq!(ranks, (first..n).step_by(2).map(Rank).collect::<ProcessSet>());
    }
}

fn many_ranks_end(kind: Kind) {
    let n = kind.many();
    let mut session = Session::launched(kind, &["exit", "{rank}"], n);
    session.ok(&all(n), Operation::Go);
    for rank in 0..n {
        assert_eq!(session.end(rank), Event::Exited(rank as i32));
    }
}
