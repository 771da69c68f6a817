//! A stop inside a library says which frame of the user's code called it.

use crate::session::{Kind, Session, function_of, line_of};
use crate::support::marks;
use rankscope::model::{
    Frame, LaunchSpec, MyCode, Operation, ProcessSet, Rank, RunSettings, SignalName, Stop, StopReason,
};
use std::time::Duration;

of_processes!(
    a_signal_raised_in_a_library_names_the_call_of_the_users_code,
    a_rank_halted_in_a_lock_names_the_call_of_the_users_code,
    a_stop_in_the_users_code_has_no_other_frame,
    a_pattern_says_what_the_users_code_is,
);

const PROGRAM: &str = "library_calls.c";

fn launched(kind: Kind, my_code: &str) -> Session {
    let mut session = Session::new(kind);
    let settings = RunSettings { my_code: MyCode::parse(my_code).unwrap(), ..RunSettings::default() };
    session.launch(LaunchSpec { settings, ..kind.spec(PROGRAM, &[]) }, 1);
    assert_eq!(session.stop(0).user, None);
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
    let mut session = launched(kind, "");
    session.go(0);
    for _ in 0..100 {
        session.ok(&ProcessSet::one(Rank(0)), Operation::Go);
        std::thread::sleep(Duration::from_millis(50));
        let stop = session.resume(0, Operation::Interrupt);
        assert_eq!(stop.reason, StopReason::Interrupted);
        if stop.user.as_ref().is_some_and(|user| function_of(&user.frame) == "lock_twice") {
            let (frame, call) = user(&mut session, &stop);
            assert_eq!(line_of(&frame), marks::line(PROGRAM, "locks"));
            assert!(call.ends_with("pthread_mutex_lock"), "{call}");
            return;
        }
    }
    panic!("never in the lock");
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
