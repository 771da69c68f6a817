//! A stop inside a library says which frame of the user's code called it.

use crate::session::{Kind, Session, function_of, line_of};
use crate::support::marks;
use crate::support::process::is_asleep;
use crate::support::wait::wait_for;
use rankscope::model::{
    Event, Frame, LaunchSpec, MyCode, Operation, ProcessSet, Rank, RunSettings, SignalName, Stop, StopReason,
};

of_processes!(
    a_signal_raised_in_a_library_names_the_call_of_the_users_code,
    a_rank_halted_in_a_lock_names_the_call_of_the_users_code,
    a_stop_in_the_users_code_has_no_other_frame,
    a_pattern_says_what_the_users_code_is,
);

const PROGRAM: &str = "library_calls.c";

fn launched(kind: Kind, my_code: &str) -> Session {
    let mut session = starting(kind, my_code);
    assert_eq!(session.stop(0).user, None);
    session
}

fn starting(kind: Kind, my_code: &str) -> Session {
    let session = Session::new(kind);
    let settings = RunSettings { my_code: MyCode::parse(my_code).unwrap(), ..RunSettings::default() };
    session.launch(LaunchSpec { settings, ..kind.spec(PROGRAM, &[]) }, 1);
    session
}

/// The frame of the user's code, checked against the stack, and the call.
#[track_caller]
fn user(session: &mut Session, stop: &Stop) -> (Frame, String) {
    let user = stop.user.clone().unwrap_or_else(|| panic!("{stop:?}"));
    assert!(session.stack(0).contains(&user.frame), "{user:?}");
    (user.frame, user.call.unwrap().to_string())
}

fn a_signal_raised_in_a_library_names_the_call_of_the_users_code(kind: Kind) {
    let mut session = launched(kind, "");
    let stop = session.go(0);
    assert_eq!(stop.reason, StopReason::Signal(SignalName::parse("USR1").unwrap()));
    let (frame, call) = user(&mut session, &stop);
    assert_eq!((function_of(&frame), line_of(&frame), &*call), ("complain", marks::line(PROGRAM, "raises"), "raise"));
    assert!(stop.frame.level == 0 && frame.level > 0);
}

fn a_rank_halted_in_a_lock_names_the_call_of_the_users_code(kind: Kind) {
    let mut session = starting(kind, "");
    let pid = session.event(Rank(0), "its process", |event| match event {
        Event::Acquired { pid } => Some(*pid),
        _ => None,
    });
    session.stop(0);
    session.go(0);
    session.ok(&ProcessSet::one(Rank(0)), Operation::Go);
    wait_for("the rank to wait for the lock", || is_asleep(pid).then_some(()));
    let stop = session.resume(0, Operation::Interrupt);
    assert_eq!(stop.reason, StopReason::Interrupted);
    let (frame, call) = user(&mut session, &stop);
    assert_eq!((function_of(&frame), line_of(&frame)), ("lock_twice", marks::line(PROGRAM, "locks")));
    assert!(call.ends_with("pthread_mutex_lock"), "{call}");
}

fn a_stop_in_the_users_code_has_no_other_frame(kind: Kind) {
    let mut session = launched(kind, "");
    session.break_at(crate::session::on_function(1, "complain"));
    let stop = session.go(0);
    assert_eq!((function_of(&stop.frame), stop.user), ("complain", None));
}

fn a_pattern_says_what_the_users_code_is(kind: Kind) {
    let mut session = launched(kind, "-comp*in");
    let stop = session.go(0);
    let (frame, call) = user(&mut session, &stop);
    assert_eq!((function_of(&frame), &*call), ("main", "complain"));
}
