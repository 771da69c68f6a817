//! Functions of the program called by expressions, with gdb as the judge.

use crate::beside_gdb::Beside;
use crate::driver::{Built, Session, build, line_of, place};
use crate::support::points::{change, watch};
use rankscope::model::{
    Answer, Armed, BreakpointRequest, Context, Event, Operation, ProcessSet, Rank, RunSettings, StepKind, StopReason,
    WatchAccess,
};

const SOURCE: &str = include_str!("../programs/expressions.c");

fn deepest() -> String {
    format!("program.c:{}", line_of(SOURCE, "/* deepest */"))
}

fn beside(program: &Built) -> Beside {
    Beside::at(&program.path, &deepest())
}

fn stopped(program: &Built) -> Session {
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    session.breakpoint(0, 1, &deepest());
    session.go(0);
    session.stop(0);
    session
}

fn print(session: &mut Session, expression: &str) -> Answer {
    session.ask(
        0,
        Operation::Print {
            context: Context::default(),
            expression: expression.to_owned(),
            raw: false,
            limits: None,
            unrecorded: false,
            most: None,
            picture: None,
        },
    )
}

fn refused(session: &mut Session, expression: &str) -> String {
    match print(session, expression) {
        Answer::Failed(failure) => failure.message,
        other => panic!("{other:?}"),
    }
}

fn frames(session: &mut Session) -> Vec<String> {
    match session.ask(0, Operation::Stack { thread: None, low: 0, high: None, most: None }) {
        Answer::Stack(frames) => frames.iter().map(|f| f.function.as_deref().unwrap_or("?").to_owned()).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn arguments_and_results_of_every_class() {
    let program = build(SOURCE, &[]);
    let mut beside = beside(&program);
    beside.print(&[
        "add(2, 3)",
        "add(counter, level)",
        "half(3)",
        "half(2.5)",
        "quarter(1)",
        "quarter(counter)",
        "eighth(4)",
        "eighth(ratio)",
        "next_letter('a')",
        "lower_byte(300)",
        "is_odd(3)",
        "is_odd(4)",
        "many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)",
        "many(1.9, 2, 3, 'a', -1, 6, 7, 8, 9.5, 10)",
        "reals(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)",
        "reals(1.5, 2.5f, 3, 4, 5, 6, 7, 8, 9, 10.25)",
        "length(text)",
        "length(\"four\")",
        "greeting()",
        "*greeting()@3",
        "made(3, 4.5)",
        "made(3, 4.5).y",
        "widened(5)",
        "widened(5).c",
        "both(1.5, 2.5)",
        "blend(2.5, 4)",
        "three('x')",
        "three('x').bytes[1]",
        "norm(corner)",
        "norm(corners[1])",
        "total(widened(10))",
        "summed(both(1, 2))",
        "blended(blend(1.5, 4), 7)",
        "tiny_sum(three(1))",
        "after(paint)",
        "after(RED)",
        "doubled(either)",
        "where(2)",
        "*where(2)",
        "nothing_returned(12)",
        "counter",
        "apply(add, 5)",
        "apply(chosen, 6)",
        "chosen(1, 2)",
        "(*chosen)(3, 4)",
        "sum_of(3, 10, 20, 30)",
        "factorial(6)",
        "add(add(1, 2), add(3, 4))",
        "calls",
        "add(1)",
        "add(1, 2, 3)",
        "nosuch(1)",
        "$",
        "$n = add(1, 1)",
        "$n++ + add($n, 0)",
        "$n",
        "add($n++, $n++)",
        "$n",
        "level = add(level, 5)",
        "level",
        "strlen(\"abc\")",
        "(int)strlen(\"abc\")",
        "(long)abs(-3)",
        "&add",
        "$_strlen(text)",
        "$_streq(text, \"a text\")",
        "$_isvoid($zz)",
        "$_memeq(numbers, grid, 4)",
        "text == \"a text\"",
        "*(text = \"another\")@3",
        "*text@3",
        "sizeof(add(1, 2))",
        "$rip == $pc",
        "argument",
    ]);
    beside.whatis(&["add(1, 2)", "half(1)", "made(1, 2)", "greeting()", "where(1)", "&made"]);
    beside.select_frame(3);
    beside.print(&["add(argument, 1)", "argument", "made(argument, ratio)"]);
    beside.judge();
}

#[test]
fn a_crash_is_undone() {
    let program = build(SOURCE, &[]);
    let mut session = stopped(&program);
    let before = frames(&mut session);
    let message = refused(&mut session, "crash(3)");
    assert!(message.contains("crash") && message.contains("SIGSEGV") && message.contains("undone"), "{message}");
    assert!(refused(&mut session, "gives_up()").contains("SIGABRT"));
    assert_eq!(frames(&mut session), before);
    assert!(matches!(print(&mut session, "calls"), Answer::Data(_)));
    assert!(matches!(print(&mut session, "add(1, 2)"), Answer::Data(_)), "it can go on calling");
    // The vector registers and the stack are restored: the program computes the same result.
    session.ok(0, Operation::DeleteBreakpoint(rankscope::model::BreakpointId(1)));
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(0));
    let said: String = session
        .all(0)
        .iter()
        .filter_map(|event| if let Event::Output(_, text) = event { Some(text.as_str()) } else { None })
        .collect();
    let alone = std::process::Command::new(&program.path).output().unwrap();
    assert_eq!(said, String::from_utf8_lossy(&alone.stdout));
}

#[test]
fn a_function_that_does_not_return_is_taken_back() {
    let program = build(SOURCE, &[]);
    let mut session = stopped(&program);
    session.ok(0, Operation::Configure(RunSettings { call_limit_ms: Some(200), ..RunSettings::default() }));
    let before = frames(&mut session);
    let message = refused(&mut session, "forever()");
    assert!(message.contains("did not return within 0.2 s"), "{message}");
    assert_eq!(frames(&mut session), before);
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(0));
}

#[test]
fn a_stop_within_a_called_function_can_be_looked_into() {
    let program = build(SOURCE, &[]);
    let mut session = stopped(&program);
    let before = frames(&mut session);
    session.breakpoint(0, 2, "factorial");
    let message = refused(&mut session, "factorial(3)");
    assert!(message.contains("stopped in the called function factorial"), "{message}");
    let stop = session.stop(0);
    assert_eq!(
        (place(&stop).0.as_str(), stop.reason),
        ("factorial", StopReason::Breakpoint(rankscope::model::BreakpointId(2)))
    );
    let within = frames(&mut session);
    assert_eq!(within[..2], ["factorial", "<function called from rankscope>"]);
    assert_eq!(within[2..], before);
    // Another call from within the first, and the end of the first.
    assert!(matches!(print(&mut session, "add(of, 1)"), Answer::Data(datum) if datum.data == [0, 0, 0, 4]));
    session.ok(0, Operation::DeleteBreakpoint(rankscope::model::BreakpointId(2)));
    session.ok(0, Operation::Step { kind: StepKind::Finish, count: 1, context: Context::default() });
    let stop = session.stop(0);
    let StopReason::Finished(Some(returned)) = &stop.reason else { panic!("{stop:?}") };
    assert_eq!(returned.data, [0, 0, 0, 6]);
    assert_eq!(frames(&mut session), before);
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(0));
}

#[test]
fn a_change_of_what_is_watched_stops_within_the_called_function() {
    let program = build(SOURCE, &[]);
    let mut session = stopped(&program);
    let before = frames(&mut session);
    let watched = watch(7, WatchAccess::Change, "::counter");
    assert_eq!(
        session.arm(BreakpointRequest { condition: Some("::counter == 55".to_owned()), ..watched }),
        Armed::Hardware
    );
    assert!(
        matches!(print(&mut session, "nothing_returned(54), ::counter"), Answer::Data(datum) if datum.data[3] == 54)
    );
    let message = refused(&mut session, "nothing_returned(55)");
    assert!(message.contains("stopped in the called function nothing_returned"), "{message}");
    let stop = session.stop(0);
    assert_eq!((place(&stop).0.as_str(), change(&stop.reason)), ("nothing_returned", (7, "54".into(), "55".into())));
    assert_eq!(frames(&mut session)[2..], before);
    session.go(0);
    assert_eq!(session.stop(0).reason, StopReason::Finished(None));
    assert_eq!(frames(&mut session), before);
    assert!(
        matches!(print(&mut session, "::counter"), Answer::Data(datum) if datum.data[3] == 55),
        "what it wrote stays"
    );
}

#[test]
fn a_function_that_ends_the_program_ends_it() {
    let program = build(SOURCE, &[]);
    let mut session = stopped(&program);
    let message = refused(&mut session, "leaves(3)");
    assert!(message.contains("leaves"), "{message}");
    assert_eq!(session.end(0), Event::Exited(3));
}

#[test]
fn what_is_asked_meanwhile_waits_and_a_halt_takes_the_call_back() {
    let program = build(SOURCE, &[]);
    let mut session = stopped(&program);
    session.ok(0, Operation::Configure(RunSettings { call_limit_ms: Some(0), ..RunSettings::default() }));
    let one = ProcessSet::one(Rank(0));
    let call = session.submit(
        &one,
        Operation::Print {
            context: Context::default(),
            expression: "forever()".to_owned(),
            raw: false,
            limits: None,
            unrecorded: false,
            most: None,
            picture: None,
        },
    );
    let asked = session.submit(
        &one,
        Operation::Print {
            context: Context::default(),
            expression: "counter".to_owned(),
            raw: false,
            limits: None,
            unrecorded: false,
            most: None,
            picture: None,
        },
    );
    session.ok(0, Operation::Interrupt);
    let Answer::Failed(failure) = session.answers(call, &one).remove(0).1 else { panic!("the call returned") };
    assert!(failure.message.contains("was interrupted"), "{failure:?}");
    assert!(matches!(session.answers(asked, &one).remove(0).1, Answer::Data(datum) if datum.data == [0, 0, 0, 3]));
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(0));
}

#[test]
fn conditions_do_not_call() {
    let program = build(SOURCE, &[]);
    let mut session = stopped(&program);
    let context = Context::default();
    let address = "where(1)".to_owned();
    let read = Operation::ReadMemory { context, address, offset: 0, length: 4, examined: None };
    let Answer::Failed(failure) = session.ask(0, read) else { panic!("it was read") };
    assert!(failure.message.contains("cannot call where here"), "{}", failure.message);
}

/// Such a function has the type of the same code under another name; assembly functions have no return type.
#[test]
fn functions_of_libraries_have_the_types_that_gdb_gives_them() {
    let program = crate::support::build::build("g++", "methods.cpp", &["-g", "-O1", "-std=c++17"]);
    let methods = include_str!("../programs/methods.cpp");
    let mut beside = Beside::at(&program, &format!("methods.cpp:{}", line_of(methods, "BREAK here")));
    beside.whatis(&["malloc", "free", "calloc", "getpid", "sqrt", "cos", "__cxa_allocate_exception"]);
    beside.ptype(&["__cxa_allocate_exception", "cos"]);
    beside.print(&["__cxa_allocate_exception", "&__cxa_allocate_exception"]);
    beside.print(&["sqrt(2.0)", "round(2.5)", "malloc(3) == 0", "(int)getppid() > 1"]);
    beside.print(&["(int)getpid() == (int)getpid()"]);
    beside.print(&["alignof(Point)", "_Alignof(long)", "_Alignof(char [3])", "alignof(Point) + 1", "alignof(double)"]);
    beside.print(&["$_streq(\"a\", \"a\")", "$_memeq(\"ab\", \"ac\", 2)", "$_streq(\"a\", \"b\")"]);
    let (ours, theirs) = (beside.ours("getpid()"), beside.theirs("print getpid()"));
    let end = "has unknown return type; cast the call to its declared return type";
    assert_eq!(ours.ends_with(end), theirs.ends_with(end), "{ours}\n{theirs}");
    beside.judge();
}
