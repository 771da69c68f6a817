//! A stop inside a library says which frame of the user's code called it.

use crate::session::{CONTRACT, Kind, Session, function_of, line_of, on_mark};
use crate::support::marks;
use crate::support::process::is_asleep;
use crate::support::wait::wait_for;
use rankscope::model::{
    Context, Event, Frame, LaunchSpec, MyCode, Operation, ProcessSet, Rank, RunSettings, SignalName, StepKind, Stop,
    StopReason,
};

of_processes!(
    a_signal_raised_in_a_library_names_the_call_of_the_users_code,
    a_rank_halted_in_a_lock_names_the_call_of_the_users_code,
    a_stop_in_the_users_code_has_no_other_frame,
    a_pattern_says_what_the_users_code_is,
    a_step_in_the_frame_of_the_users_code_ends_behind_its_call,
    a_step_in_a_frame_that_a_signal_interrupted_runs_through_the_handler,
    a_step_in_a_frame_with_inlined_functions_leaves_these,
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

fn a_step_in_the_frame_of_the_users_code_ends_behind_its_call(kind: Kind) {
    for step in [StepKind::Over, StepKind::Into, StepKind::Onward] {
        let mut session = launched(kind, "");
        let stop = session.go(0);
        let (frame, _) = user(&mut session, &stop);
        let context = Context { thread: None, frame: frame.level };
        let stop = session.resume(0, Operation::Step { kind: step, count: 1, context });
        assert_eq!(stop.reason, StopReason::Step, "{stop:?}");
        assert_eq!((function_of(&stop.frame), line_of(&stop.frame)), ("complain", marks::line(PROGRAM, "raises") + 1));
        let stop = session.step(0, step);
        assert_eq!(function_of(&stop.frame), "main", "the step is over");
    }
}

fn a_step_in_a_frame_that_a_signal_interrupted_runs_through_the_handler(kind: Kind) {
    let mut session = Session::launched(kind, &["signal"], 1);
    let name = SignalName::parse("USR1").unwrap();
    session.ask(0, Operation::HandleSignal { name, stop: Some(false), print: Some(false), pass: Some(true) });
    session.run_to("handler");
    let stack = session.stack(0);
    let main = stack.iter().find(|frame| function_of(frame) == "main").unwrap();
    let context = Context { thread: None, frame: main.level };
    let stop = session.resume(0, Operation::Step { kind: StepKind::Over, count: 1, context });
    assert_eq!((function_of(&stop.frame), &stop.reason), ("main", &StopReason::Step));
    assert_eq!(line_of(&stop.frame), marks::line(CONTRACT, "after signal"));
    assert_eq!(session.integer("handled"), 10);
}

fn a_step_in_a_frame_with_inlined_functions_leaves_these(kind: Kind) {
    const INLINED: &str = "inlined_callers.c";
    for step in [StepKind::Over, StepKind::Into] {
        for (stops, level, ends) in [
            ("deep", 1, ("wrapper", "after deep")),
            ("deep", 2, ("main", "wrapped")),
            ("after deep", 1, ("main", "wrapped")),
        ] {
            let mut session = Session::new(kind);
            session.launch(kind.spec(INLINED, &[]), 1);
            session.stop(0);
            session.break_at(on_mark(1, INLINED, stops));
            session.go(0);
            let context = Context { thread: None, frame: level };
            let stop = session.resume(0, Operation::Step { kind: step, count: 1, context });
            assert_eq!(stop.reason, StopReason::Step, "{stop:?}");
            let place = (function_of(&stop.frame), line_of(&stop.frame));
            assert_eq!(place, (ends.0, marks::line(INLINED, ends.1)), "{step:?} from {stops}, frame {level}");
        }
    }
}
