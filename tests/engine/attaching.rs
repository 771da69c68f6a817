//! Attaching to running processes.

use crate::session::{Kind, Session, all, function_of, on_function};
use crate::support::{
    build,
    process::{Guard, is_alive},
    served::Served,
    wait::wait_for,
};
use nix::sys::signal::Signal;
use rankscope::engine::{Acquisition, Adoption};
use rankscope::model::{Answer, Event, LaunchSpec, Operation, Rank, SignalName, StopAt, StopReason};
use std::process::Command;

of_processes!(
    a_running_process_stops_where_it_is_and_is_let_go_clean,
    a_running_process_may_go_on_at_once,
    a_stopped_process_stays_stopped,
    a_process_that_ends_meanwhile_is_an_ended_rank,
    what_cannot_be_attached_to_is_a_lost_rank_with_a_reason,
    a_process_that_was_there_before_survives_the_engine,
    a_process_that_is_held_for_us_stops_in_main,
    a_process_is_killed_only_by_name,
    a_program_that_rewrote_its_code_is_left_as_it_is,
);

fn attach(session: &Session, rank: u32, pid: i32, stop_at: StopAt, adoption: Adoption) {
    let program = build::plain("served.c").display().to_string();
    let spec = LaunchSpec { program, stop_at, ..LaunchSpec::default() };
    session.acquire(Acquisition::Attach { rank: Rank(rank), pid, spec, adoption });
}

fn attached(kind: Kind, pid: i32) -> Session {
    let mut session = Session::new(kind);
    attach(&session, 0, pid, StopAt::Main, Adoption::Running);
    assert_eq!(session.stop(0).reason, StopReason::Attached);
    let events: Vec<_> = session.events[&Rank(0)].iter().map(|(_, event)| event).collect();
    assert_eq!(events[0], &Event::Acquired { pid: pid as u32 });
    session
}

#[track_caller]
fn detach(session: &mut Session) {
    session.ok(&all(1), Operation::Detach);
    assert_eq!(session.end(0), Event::Detached);
}

fn a_running_process_stops_where_it_is_and_is_let_go_clean(kind: Kind) {
    let mut served = Served::start();
    let mut requests = 1;
    for turn in 0..3 {
        let mut session = attached(kind, served.pid());
        assert_eq!(served.state(), 't');
        let Answer::Threads(threads) = session.ask(0, Operation::Threads) else { panic!() };
        assert!(threads.len() >= 5, "{threads:?}");
        let stack = session.stack(0);
        assert!(stack.iter().any(|frame| function_of(frame) == "main"), "{stack:?}");
        session.break_at(on_function(1, "serve"));
        session.break_at(on_function(2, "once"));
        session.ok(&all(1), Operation::EnableBreakpoint(rankscope::model::BreakpointId(2), false));
        session.ok(&all(1), Operation::Go);
        served.ask('a');
        assert_eq!(function_of(&session.stop(0).frame), "serve");
        assert_eq!(session.integer("served"), requests);
        session.ok(&all(1), Operation::EnableBreakpoint(rankscope::model::BreakpointId(2), true));
        assert_eq!(function_of(&session.go(0).frame), "once");
        if turn == 2 {
            // Detached while it runs.
            let off = |id| Operation::EnableBreakpoint(rankscope::model::BreakpointId(id), false);
            session.ok(&all(1), off(2));
            session.ok(&all(1), Operation::Go);
        }
        detach(&mut session);
        served.hears('a');
        served.works();
        requests += 2;
    }
    assert_eq!(i64::from(served.ends()), requests);
}

fn a_program_that_rewrote_its_code_is_left_as_it_is(kind: Kind) {
    let mut served = Served::start_as(&mut Command::new(build::plain("rewritten.c")));
    let mut session = attached(kind, served.pid());
    let events: Vec<_> = session.events[&Rank(0)].iter().map(|(_, event)| event).collect();
    assert!(!events.iter().any(|event| matches!(event, Event::Message(..))), "{events:?}");
    detach(&mut session);
    served.ask('a');
    served.hears('a');
    assert_eq!(served.ends(), 7);
}

fn a_running_process_may_go_on_at_once(kind: Kind) {
    let mut served = Served::start();
    let mut session = Session::new(kind);
    attach(&session, 0, served.pid(), StopAt::Nowhere, Adoption::Running);
    session.event(Rank(0), "running", |event| (*event == Event::Running).then_some(()));
    served.works();
    session.ok(&all(1), Operation::Interrupt);
    assert_eq!(session.stop(0).reason, StopReason::Interrupted);
    detach(&mut session);
    served.works();
    assert_eq!(served.ends(), 3);
}

fn a_stopped_process_stays_stopped(kind: Kind) {
    let mut served = Served::start();
    served.signal(Signal::SIGSTOP);
    served.waits_for_state('T');
    let mut session = attached(kind, served.pid());
    let note = session.events[&Rank(0)].iter().find_map(|(_, event)| match event {
        Event::Stopped(stop) => stop.note.clone(),
        _ => None,
    });
    assert!(note.is_some_and(|note| note.contains("SIGCONT")), "{:?}", session.events);
    detach(&mut session);
    served.waits_for_state('T');
    served.signal(Signal::SIGCONT);
    served.works();
    assert_eq!(served.ends(), 2);
}

fn what_cannot_be_attached_to_is_a_lost_rank_with_a_reason(kind: Kind) {
    let mut ended = Guard::spawn(&mut Command::new("true"));
    let pid = ended.0.id() as i32;
    wait_for("a zombie", || {
        std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| stat.contains(") Z ")).then_some(())
    });
    let mut served = Served::start();
    let first = attached(kind, served.pid());
    let own = std::process::id() as i32;
    let thread = nix::unistd::gettid().as_raw();
    let mut session = Session::new(kind);
    for (rank, pid, words) in [
        (0, i32::MAX, "no such process"),
        (1, pid, "has already ended"),
        (2, own, "rankscope itself"),
        (3, thread, "is a thread of process"),
        (4, served.pid(), "already traces it"),
        (5, 0, "no such process"),
        (6, 2, "cannot trace process 2"),
    ] {
        attach(&session, rank, pid, StopAt::Main, Adoption::Running);
        let Event::Failed(why) = session.end(rank) else { panic!("{:?}", session.events) };
        assert!(why.contains(words), "{why}");
        let messages = session.events[&Rank(rank)].iter().filter(|(_, event)| matches!(event, Event::Message(..)));
        assert_eq!(messages.count(), 0, "{:?}", session.events);
        if rank == 4 && kind == Kind::Native {
            assert!(why.contains(&format!("process {own} (")), "{why}");
        }
    }
    drop((session, first));
    ended.wait();
    served.works();
    assert_eq!(served.ends(), 2);
}

fn a_process_that_was_there_before_survives_the_engine(kind: Kind) {
    let mut served = Served::start();
    for kill in [true, false] {
        let mut session = attached(kind, served.pid());
        session.break_at(on_function(1, "once"));
        assert_eq!(function_of(&session.go(0).frame), "once");
        session.shutdown(kill);
        assert_eq!(session.end(0), Event::Detached);
        drop(session);
        served.works();
    }
    assert_eq!(served.ends(), 3);
}

fn a_process_that_is_held_for_us_stops_in_main(kind: Kind) {
    let mut shell = Command::new("sh");
    shell.args(["-c", "kill -STOP $$; exec \"$0\""]).arg(build::plain("served.c"));
    let mut served = Served::begin(&mut shell);
    served.waits_for_state('T');
    let mut session = Session::new(kind);
    attach(&session, 0, served.pid(), StopAt::Main, Adoption::Held);
    let stop = session.stop(0);
    assert_eq!((function_of(&stop.frame), stop.reason), ("main", StopReason::Start));
    assert_eq!(session.integer("served"), 0);
    detach(&mut session);
    served.hears('r');
    served.works();
    assert_eq!(served.ends(), 2);
}

fn a_process_is_killed_only_by_name(kind: Kind) {
    let served = Served::start();
    let mut session = attached(kind, served.pid());
    session.ok(&all(1), Operation::Terminate);
    assert!(matches!(session.end(0), Event::Killed(_)));
    wait_for("its end", || (!is_alive(served.pid() as u32)).then_some(()));
}

#[test]
fn a_stopped_process_goes_on_when_it_is_told() {
    // gdb leaves a stop of its own pending in each thread.
    let kind = Kind::Native;
    let mut served = Served::start();
    served.signal(Signal::SIGSTOP);
    served.waits_for_state('T');
    let mut session = attached(kind, served.pid());
    let go_on = SignalName::from_number(Signal::SIGCONT as i32);
    session.ok(&all(1), Operation::Signal(Some(go_on)));
    served.works();
    session.ok(&all(1), Operation::Interrupt);
    assert_eq!(session.stop(0).reason, StopReason::Interrupted);
    detach(&mut session);
    served.works();
    assert_eq!(served.ends(), 3);
}

/// A process may end at any moment during attach.
fn a_process_that_ends_meanwhile_is_an_ended_rank(kind: Kind) {
    let mut session = Session::new(kind);
    let rounds = if kind == Kind::Gdb { 6 } else { 60 };
    for rank in 0..rounds {
        let pause = format!("read -t 0.{:03} x", rank * 3 % 60);
        let mut process = Guard::spawn(Command::new("bash").args(["-c", &pause]).stdin(std::process::Stdio::piped()));
        attach(&session, rank, process.0.id() as i32, StopAt::Main, Adoption::Running);
        let over = |event: &Event| match event {
            Event::Stopped(_) | Event::Exited(_) | Event::Killed(_) | Event::Failed(_) => Some(event.clone()),
            _ => None,
        };
        if let Event::Stopped(_) = session.event(Rank(rank), "a stop or an end", over) {
            session.submit(&rankscope::model::ProcessSet::one(Rank(rank)), Operation::Go);
            process.0.stdin = None;
            session
                .event(Rank(rank), "an end", |event| over(event).filter(|event| !matches!(event, Event::Stopped(_))));
        }
    }
}
