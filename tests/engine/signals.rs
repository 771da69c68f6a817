//! Signals: dispositions, delivery, death.

use crate::session::{Kind, Session, function_of, line, line_of};
use rankscope::model::{Answer, ErrorCode, Event, Operation, ProcessSet, Rank, SIGNALS, SignalName, StopReason};

contract!(
    the_table_is_that_of_gdb,
    a_signal_stops_and_is_passed_on,
    a_signal_that_is_not_passed_does_nothing,
    a_signal_that_does_not_stop_is_said,
    a_signal_that_is_not_printed_is_silent,
    a_signal_of_the_user_is_delivered,
    a_signal_can_be_kept_from_the_program,
    a_segmentation_fault_stops_at_its_line_and_then_kills,
    an_arithmetic_fault_and_an_abort,
    a_signal_without_a_handler_kills,
);

fn rank_0() -> ProcessSet {
    ProcessSet::one(Rank(0))
}

fn name(text: &str) -> SignalName {
    SignalName::parse(text).unwrap()
}

fn handle(session: &mut Session, signal: &str, stop: bool, print: bool, pass: bool) {
    let operation =
        Operation::HandleSignal { name: name(signal), stop: Some(stop), print: Some(print), pass: Some(pass) };
    let Answer::Signals(rows) = session.ask(0, operation) else { panic!() };
    let d = rows[0].disposition;
    assert_eq!((rows.len(), d.stop, d.print, d.pass), (1, stop, print, pass));
}

fn the_table_is_that_of_gdb(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    let Answer::Signals(rows) = session.ask(0, Operation::ListSignals(None)) else { panic!() };
    for (_, signal, disposition, _) in SIGNALS {
        assert!(rows.iter().any(|row| *row.name.0 == **signal && row.disposition == *disposition), "{signal}");
    }
    handle(&mut session, "SIGUSR1", false, false, true);
    let Answer::Signals(rows) = session.ask(0, Operation::ListSignals(Some(name("USR1")))) else { panic!() };
    assert_eq!((rows.len(), rows[0].disposition.stop), (1, false));
}

fn a_signal_stops_and_is_passed_on(kind: Kind) {
    let mut session = Session::launched(kind, &["signal"], 1);
    assert_eq!(session.go(0).reason, StopReason::Signal(name("USR1")));
    assert_eq!(session.integer("handled"), 0);
    session.break_at(crate::session::at_mark(1, "handler"));
    let stop = session.go(0);
    assert_eq!((function_of(&stop.frame), line_of(&stop.frame)), ("on_signal", line("handler")));
    assert_eq!(session.integer("number"), 10);
    assert!(session.stack(0).iter().any(|frame| function_of(frame) == "main"));
    session.run_to("after signal");
    assert_eq!(session.integer("handled"), 10);
}

fn a_signal_that_is_not_passed_does_nothing(kind: Kind) {
    let mut session = Session::launched(kind, &["signal"], 1);
    handle(&mut session, "SIGUSR1", true, true, false);
    assert_eq!(session.go(0).reason, StopReason::Signal(name("USR1")));
    session.run_to("after signal");
    assert_eq!(session.integer("handled"), 0);
}

fn a_signal_that_does_not_stop_is_said(kind: Kind) {
    let mut session = Session::launched(kind, &["signal"], 1);
    handle(&mut session, "SIGUSR1", false, true, true);
    session.run_to("after signal");
    assert_eq!(session.integer("handled"), 10);
    let said = |(_, event): &&(_, Event)| *event == Event::SignalSeen(name("USR1"));
    assert_eq!(session.events[&Rank(0)].iter().filter(said).count(), 1);
}

fn a_signal_that_is_not_printed_is_silent(kind: Kind) {
    let mut session = Session::launched(kind, &["signal"], 1);
    handle(&mut session, "SIGUSR1", false, false, false);
    session.run_to("after signal");
    assert_eq!(session.integer("handled"), 0);
    assert!(!session.events[&Rank(0)].iter().any(|(_, event)| matches!(event, Event::SignalSeen(_))));
}

fn a_signal_of_the_user_is_delivered(kind: Kind) {
    let mut session = Session::launched(kind, &["signal"], 1);
    handle(&mut session, "SIGUSR1", false, false, false);
    session.run_to("after signal");
    session.break_at(crate::session::at_mark(1, "handler"));
    let stop = session.resume(0, Operation::Signal(Some(name("USR1"))));
    assert_eq!(line_of(&stop.frame), line("handler"));
    session.ok(&rank_0(), Operation::Signal(Some(name("TERM"))));
    assert_eq!(session.end(0), Event::Killed(name("TERM").into()));
}

fn a_signal_can_be_kept_from_the_program(kind: Kind) {
    let mut session = Session::launched(kind, &["signal"], 1);
    session.break_at(crate::session::at_mark(1, "after signal"));
    assert_eq!(session.go(0).reason, StopReason::Signal(name("USR1")));
    let stop = session.resume(0, Operation::Signal(None));
    assert_eq!(line_of(&stop.frame), line("after signal"));
    assert_eq!(session.integer("handled"), 0);
    assert_eq!(session.go(0).reason, StopReason::Signal(name("USR2")));
    session.ok(&rank_0(), Operation::Signal(None));
    assert!(matches!(session.end(0), Event::Exited(_)));
}

fn a_segmentation_fault_stops_at_its_line_and_then_kills(kind: Kind) {
    let mut session = Session::launched(kind, &["segv"], 1);
    let stop = session.go(0);
    assert_eq!(stop.reason, StopReason::Signal(name("SEGV")));
    assert_eq!((function_of(&stop.frame), line_of(&stop.frame)), ("fault", line("segv")));
    assert_eq!(session.integer("nowhere == 0"), 1);
    assert_eq!(session.go_to_end(0), Event::Killed(name("SEGV").into()));
    assert_eq!(session.fails(0, Operation::Go).code, ErrorCode::NOT_RUN);
}

fn an_arithmetic_fault_and_an_abort(kind: Kind) {
    let mut session = Session::launched(kind, &["fpe"], 1);
    let stop = session.go(0);
    assert_eq!((&stop.reason, line_of(&stop.frame)), (&StopReason::Signal(name("FPE")), line("fpe")));
    assert_eq!(session.go_to_end(0), Event::Killed(name("FPE").into()));

    let mut session = Session::launched(kind, &["abort"], 1);
    assert_eq!(session.go(0).reason, StopReason::Signal(name("ABRT")));
    assert!(session.stack(0).iter().any(|frame| function_of(frame) == "fault"));
    assert_eq!(session.go_to_end(0), Event::Killed(name("ABRT").into()));
}

fn a_signal_without_a_handler_kills(kind: Kind) {
    let mut session = Session::launched(kind, &["signal"], 1);
    handle(&mut session, "SIGUSR1", false, false, true);
    session.run_to("deadly");
    assert_eq!(session.go(0).reason, StopReason::Signal(name("USR2")));
    assert_eq!(session.go_to_end(0), Event::Killed(name("USR2").into()));
}
