//! Resuming, halting, ending.

use crate::session::{CONTRACT, Kind, Session, all, function_of, line, line_of};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rankscope::model::{
    Answer, Context, ErrorCode, Event, Operation, ProcessSet, Rank, SignalName, StopReason, Stream,
};

contract!(
    a_running_rank_answers_that_it_runs,
    an_ended_rank_answers_that_it_has_ended,
    a_rank_of_somebody_else_is_an_error,
    a_running_rank_is_halted,
    halting_a_stopped_rank_does_nothing,
    a_rank_is_killed,
    a_running_rank_is_killed,
    a_rank_is_let_go,
    exit_codes_are_reported,
    output_comes_before_the_end,
    shutdown_kills,
    shutdown_lets_go,
    shutdown_does_not_overtake_a_detach,
    shutdown_does_not_kill_what_is_being_detached,
    unknown_work_is_declined,
);

fn rank_0() -> ProcessSet {
    ProcessSet::one(Rank(0))
}

fn needing_a_stop() -> Vec<Operation> {
    let context = Context::default();
    let expression = "$pc".to_owned();
    vec![
        Operation::Go,
        Operation::Stack { thread: None, low: 0, high: None, most: None },
        // A global variable has a value in the file of the program, too.
        Operation::Evaluate { context, expression },
        Operation::Locals(context),
        Operation::Registers(context, Vec::new()),
        Operation::Step { kind: rankscope::model::StepKind::Over, count: 1, context },
    ]
}

fn spinning(kind: Kind) -> Session {
    let mut session = Session::at(kind, &["spin"], "spin");
    session.ok(&rank_0(), Operation::Go);
    session.event(Rank(0), "running", |event| (*event == Event::Running).then_some(()));
    session
}

fn killed() -> Event {
    Event::Killed(SignalName::parse("KILL").unwrap().into())
}

fn a_running_rank_answers_that_it_runs(kind: Kind) {
    let mut session = spinning(kind);
    for operation in needing_a_stop() {
        assert_eq!(session.fails(0, operation).code, ErrorCode::RUNNING);
    }
    let Answer::Threads(threads) = session.ask(0, Operation::Threads) else { panic!() };
    assert!(threads.len() == 1 && threads[0].frame.is_none(), "{threads:?}");
}

fn an_ended_rank_answers_that_it_has_ended(kind: Kind) {
    let mut session = Session::launched(kind, &["exit", "0"], 1);
    assert_eq!(session.go_to_end(0), Event::Exited(0));
    for operation in needing_a_stop() {
        assert_eq!(session.fails(0, operation).code, ErrorCode::NOT_RUN);
    }
    for operation in [Operation::Interrupt, Operation::Terminate, Operation::Detach] {
        assert_eq!(session.fails(0, operation).code, ErrorCode::NOT_RUN);
    }
}

fn a_rank_of_somebody_else_is_an_error(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    let mut strangers = ProcessSet::new();
    for (ranks, answer) in session.ask_all(&all(3), Operation::StackDepth(None)) {
        match answer {
            Answer::Depth(1) => assert_eq!(ranks, rank_0()),
            Answer::Failed(_) => strangers.extend_with(&ranks),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(strangers, ProcessSet::range(1, 3));
}

fn a_running_rank_is_halted(kind: Kind) {
    let mut session = spinning(kind);
    session.ok(&rank_0(), Operation::Interrupt);
    let stop = session.stop(0);
    assert_eq!((&stop.reason, function_of(&stop.frame)), (&StopReason::Interrupted, "spin"));
    let first = session.integer("counter");
    session.ok(&rank_0(), Operation::Go);
    session.ok(&rank_0(), Operation::Interrupt);
    session.stop(0);
    assert!(session.integer("counter") >= first);
    // Stopping in the middle of a line does not disturb a step.
    session.break_at(crate::session::at_mark(1, "spin"));
    assert_eq!(line_of(&session.go(0).frame), line("spin"));
}

fn halting_a_stopped_rank_does_nothing(kind: Kind) {
    let mut session = Session::launched(kind, &["exit", "4"], 1);
    session.ok(&rank_0(), Operation::Interrupt);
    session.ok(&rank_0(), Operation::Interrupt);
    assert_eq!(session.go_to_end(0), Event::Exited(4));
    let stops = session.events[&Rank(0)].iter().filter(|(_, event)| matches!(event, Event::Stopped(_))).count();
    assert_eq!(stops, 1);
}

fn a_rank_is_killed(kind: Kind) {
    let mut session = Session::launched(kind, &[], 2);
    session.ok(&rank_0(), Operation::Terminate);
    assert_eq!(session.end(0), killed());
    assert_eq!(session.go_to_end(1), Event::Exited(1));
}

fn a_running_rank_is_killed(kind: Kind) {
    let mut session = spinning(kind);
    session.ok(&rank_0(), Operation::Terminate);
    assert_eq!(session.end(0), killed());
}

fn a_rank_is_let_go(kind: Kind) {
    let mut session = Session::launched(kind, &["exit", "0"], 1);
    session.break_at(crate::session::at_mark(1, "exit"));
    session.ok(&rank_0(), Operation::Detach);
    assert_eq!(session.end(0), Event::Detached);
    assert_eq!(session.fails(0, Operation::Go).code, ErrorCode::NOT_RUN);
}

fn exit_codes_are_reported(kind: Kind) {
    for code in [0, 1, 42, 255] {
        let mut session = Session::launched(kind, &["exit", &code.to_string()], 1);
        assert_eq!(session.go_to_end(0), Event::Exited(code));
    }
}

fn output_comes_before_the_end(kind: Kind) {
    let mut session = Session::launched(kind, &["output"], 2);
    session.ok(&all(2), Operation::Go);
    for rank in 0..2 {
        assert_eq!(session.end(rank), Event::Exited(0));
        let wanted = format!("hello from everyone\nrank {rank} of 2\n");
        assert_eq!(session.output(rank, Stream::Stdout), wanted);
        assert_eq!(session.output(rank, Stream::Stderr), "to standard error\n");
        assert_eq!(session.events[&Rank(rank)].last().map(|(_, event)| event), Some(&Event::Exited(0)));
    }
}

fn pids(session: &Session) -> Vec<u32> {
    let events = session.events.values().flatten();
    events.filter_map(|(_, event)| if let Event::Acquired { pid } = event { Some(*pid) } else { None }).collect()
}

fn shutdown_kills(kind: Kind) {
    let mut session = Session::launched(kind, &["spin"], 3);
    session.ok(&ProcessSet::range(0, 2), Operation::Go);
    session.shutdown(true);
    session.drain();
    for rank in 0..3 {
        assert_eq!(session.end(rank), killed());
    }
    if kind != Kind::Fake {
        assert!(pids(&session).iter().all(|pid| !crate::support::process::is_alive(*pid)));
    }
}

fn shutdown_lets_go(kind: Kind) {
    let mut session = Session::new(kind);
    session.launch(kind.spec(CONTRACT, &["exit", "0"]), 2);
    session.stops(&all(2));
    session.shutdown(false);
    session.drain();
    for rank in 0..2 {
        assert_eq!(session.end(rank), Event::Detached);
    }
    if kind != Kind::Fake {
        // Without the breakpoint's instruction they run to their end.
        let pids = pids(&session);
        let gone = || pids.iter().all(|pid| !crate::support::process::is_alive(*pid)).then_some(());
        crate::support::wait::wait_for("the ranks to end by themselves", gone);
    }
}

fn shutdown_does_not_overtake_a_detach(kind: Kind) {
    for kill in [false, true] {
        let mut session = Session::new(kind);
        session.launch(kind.spec(CONTRACT, &["exit", "0"]), 2);
        session.stops(&all(2));
        // The detach may have to wait for these.
        for _ in 0..5 {
            session.submit(&rank_0(), Operation::Locals(Context::default()));
        }
        let detach = session.submit(&rank_0(), Operation::Detach);
        session.shutdown(kill);
        session.drain();
        assert_eq!(session.answers(detach, &rank_0()), [(rank_0(), Answer::Ok)]);
        assert_eq!([session.end(0), session.end(1)], [Event::Detached, if kill { killed() } else { Event::Detached }]);
    }
}

fn shutdown_does_not_kill_what_is_being_detached(kind: Kind) {
    for runs in [true, false] {
        let mut session = Session::launched(kind, &["spin"], 2);
        if runs {
            session.ok(&all(2), Operation::Go);
        } else {
            // The detach waits for these, and is done while the engine ends.
            for _ in 0..5 {
                session.submit(&rank_0(), Operation::Locals(Context::default()));
            }
        }
        session.submit(&rank_0(), Operation::Detach);
        session.shutdown(true);
        let ends = [session.end(0), session.end(1)];
        // The engine reads the output of the detached rank, and so lives as long.
        if kind != Kind::Fake {
            let detached = pids(&session)[0];
            let is_alive = crate::support::process::is_alive(detached);
            let killed = kill(Pid::from_raw(detached as i32), Signal::SIGKILL);
            assert!(is_alive && killed.is_ok(), "{ends:?}");
        }
        session.drain();
        assert_eq!(ends, [Event::Detached, killed()]);
    }
}

fn unknown_work_is_declined(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    if kind == Kind::Gdb {
        // It has its own commands, and reports unknown ones.
        let text = session.ask(0, Operation::Engine("help step".to_owned()));
        assert!(matches!(&text, Answer::Text(text) if text.contains("Usage: step")), "{text:?}");
        let failure = session.fails(0, Operation::Engine("nonesuch".to_owned()));
        assert!(failure.message.contains("nonesuch"), "{failure:?}");
        return;
    }
    let failure = session.fails(0, Operation::Engine("help".to_owned()));
    assert_eq!(failure.code, ErrorCode::NOT_IMPLEMENTED);
}
