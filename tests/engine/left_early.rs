//! `return` before a function's end, and jumps to any address.

use crate::session::{Kind, Session, all, function_of, on_function, on_mark};
use rankscope::model::aif::{FormatOptions, format};
use rankscope::model::{
    Answer, BreakpointRequest, Context, Event, LocationSpec, Operation, StepKind, Stop, StopReason,
};

of_processes!(
    a_jump_to_an_address_goes_anywhere,
    a_function_left_early_returns_what_is_said,
    registers_are_those_of_the_caller,
    a_frame_further_out_is_left_with_those_inside,
    what_cannot_be_returned_is_refused,
);

const LEFT: &str = "left_early.c";

fn leave(value: Option<&str>, frame: u32) -> Operation {
    Operation::Return(value.map(str::to_owned), Context { thread: None, frame })
}

fn a_jump_to_an_address_goes_anywhere(kind: Kind) {
    let mut session = Session::at(kind, &[], "first call");
    session.break_at(on_function(1, "leaf"));
    let stop = session.resume(0, Operation::Jump(LocationSpec::Address("&leaf".to_owned()), Context::default()));
    assert_eq!(function_of(&stop.frame), "leaf");
}

fn left(kind: Kind) -> Session {
    let mut session = Session::new(kind);
    session.launch(kind.spec(LEFT, &[]), 1);
    session.stops(&all(1));
    session
}

fn enter(session: &mut Session, function: &str) -> Stop {
    let request = BreakpointRequest { temporary: true, ..on_function(900, function) };
    session.break_at(request);
    session.go(0)
}

fn a_function_left_early_returns_what_is_said(kind: Kind) {
    let mut session = left(kind);
    for (function, value, variable, expected) in [
        ("letter", Some("'q'"), "c", "113 'q'"),
        ("whole", Some("given * 3"), "w", "15"),
        ("single", Some("2.25"), "f", "2.25"),
        ("twice", Some("1"), "d", "1"),
        ("text", Some("(char *) 0"), "t", "0x0"),
        ("pair", Some("spare"), "p", "{a = 3, b = -4}"),
        ("mixed", Some("other"), "m", "{d = 2.5, n = 9}"),
        // `big` has run to its end on the way.
        ("nothing", None, "ended", "1"),
    ] {
        assert_eq!(function_of(&enter(&mut session, function).frame), function);
        let stop = session.resume(0, leave(value, 0));
        assert_eq!((&stop.reason, function_of(&stop.frame), stop.frame.level), (&StopReason::Step, "main", 0));
        session.step(0, StepKind::Over);
        let datum = session.value(variable);
        assert_eq!(format(&datum, &FormatOptions::default()).unwrap(), expected, "{function}");
    }
}

fn registers_are_those_of_the_caller(kind: Kind) {
    let mut session = left(kind);
    session.break_at(on_mark(1, LEFT, "clobbered"));
    session.go(0);
    let register = |session: &mut Session, frame| match session.evaluate_at(0, frame, "$rbx") {
        Answer::Data(datum) => datum.data,
        other => panic!("{other:?}"),
    };
    let (own, callers) = (register(&mut session, 0), register(&mut session, 1));
    assert_ne!(own, callers);
    session.resume(0, leave(Some("-1"), 0));
    assert_eq!(register(&mut session, 0), callers);
    session.step(0, StepKind::Over);
    assert_eq!(session.integer("k"), -1);
}

fn a_frame_further_out_is_left_with_those_inside(kind: Kind) {
    let mut session = left(kind);
    session.break_at(on_mark(1, LEFT, "bottom"));
    session.go(0);
    assert_eq!(session.stack(0).len(), 5);
    let stop = session.resume(0, leave(Some("n * 10"), 2));
    assert_eq!((function_of(&stop.frame), session.stack(0).len()), ("deep", 2));
    assert_eq!(session.integer("n"), 3);
    let finish = Operation::Step { kind: StepKind::Finish, count: 1, context: Context::default() };
    let StopReason::Finished(Some(returned)) = session.resume(0, finish).reason else { panic!("no value") };
    assert_eq!(format(&returned, &FormatOptions::default()).unwrap(), "21");
}

fn what_cannot_be_returned_is_refused(kind: Kind) {
    let mut session = left(kind);
    enter(&mut session, "twice");
    session.fails(0, leave(Some("no_such_name"), 0));
    session.fails(0, leave(None, 9));
    assert_eq!(function_of(&session.stack(0)[0]), "twice");
    if kind == Kind::Native {
        // gdb omits the value without a message.
        enter(&mut session, "big");
        let failure = session.fails(0, leave(Some("large"), 0));
        assert!(failure.message.contains("in memory"), "{}", failure.message);
        enter(&mut session, "nothing");
        let failure = session.fails(0, leave(Some("1"), 0));
        assert!(failure.message.contains("returns no value"), "{}", failure.message);
    }
    assert!(matches!(session.go_to_end(0), Event::Exited(_)));
}
