//! `return` and `jump` in unusual frames: left by a tail call, inlined, made by the kernel, undescribed. Threads arrive
//! where gdb's do.

use crate::driver::{Session, build, line_of, place, request};
use crate::trails::{Act, compare_of};
use rankscope::model::aif::{FormatOptions, format};
use rankscope::model::{Answer, Context, LocationSpec, Operation};

const TAILING: &str = include_str!("../programs/tailing.c");
const INLINED: &str = include_str!("../programs/inlined.c");
const NESTED: &str = include_str!("../programs/nested.c");
const HANDLED: &str = include_str!("../programs/handled_steps.c");

const CALLS_FROM_INLINED: &str = "volatile int sink;
__attribute__((noinline)) int leaf(int x)
{
    sink = x;
    sink++;
    return x + 1;
}
static inline __attribute__((always_inline)) int middle(int x)
{
    int r = leaf(x) * 2;
    sink = r;
    return r;
}
__attribute__((noinline)) int outer(int x)
{
    int before = x + 1;
    sink = before;
    int m = middle(before);
    sink += m;
    return m + before;
}
int main(int argc, char **argv)
{
    int k = outer(argc);
    sink = k + (argv == 0);
    return sink == 0;
}
";

/// A function with a symbol only.
const UNDESCRIBED: &str = "__asm__(\".globl four\\n.type four,@function\\nfour: push %rbp\\n mov %rsp,%rbp\\n\"
        \" mov $4,%eax\\n pop %rbp\\n ret\\n.size four,.-four\");
int four(void);
int main(void)
{
    int n = four();
    return n - 6; /* returned */
}
";

#[test]
fn functions_that_gave_up_their_frames_are_passed_over_when_one_is_left_early() {
    for frame in [0, 1, 2, 3] {
        compare_of("gcc", TAILING, &["-g", "-O2"], "leaf", &[Act::Return(frame, None), Act::Next]);
    }
}

#[test]
fn a_function_left_early_returns_into_an_inlined_one() {
    let acts = |frame| [Act::Return(frame, Some("5")), Act::Next];
    for (options, frame) in [("-O1", 0), ("-O1", 2), ("-O2", 0), ("-O2", 2), ("-O2", 3)] {
        compare_of("gcc", CALLS_FROM_INLINED, &["-g", options], "leaf", &acts(frame));
    }
}

/// gdb pops the function that the inlined one calls; it refuses if the inlined one begins where the thread is.
#[test]
fn an_inlined_function_has_no_frame_to_be_left() {
    let program = build(CALLS_FROM_INLINED, &["-g", "-O2"]);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    session.breakpoint(0, 1, "leaf");
    session.go(0);
    session.stop(0);
    let refused = session.ask(0, Operation::Return(None, Context { thread: None, frame: 1 }));
    let Answer::Failed(failure) = refused else { panic!("{refused:?}") };
    assert_eq!(failure.message, "Can not force return from an inlined function.");
    compare_of("gcc", INLINED, &["-g", "-O2"], "twice", &[Act::Return(0, None), Act::Next]);
}

#[test]
fn a_handler_left_early_goes_on_where_the_signal_came() {
    let line = line_of(HANDLED, "__asm__");
    for frame in [0, 1] {
        let acts = [Act::Step, Act::Step, Act::Return(frame, None), Act::Next];
        compare_of("gcc", HANDLED, &["-g", "-O0", "-lm"], &format!("program.c:{line}"), &acts);
    }
}

#[test]
fn what_an_undescribed_function_returns_must_be_said_with_its_type() {
    compare_of("gcc", UNDESCRIBED, &["-g", "-O0"], "four", &[Act::Return(0, Some("6")), Act::Next]);
    compare_of("gcc", UNDESCRIBED, &["-g", "-O0"], "four", &[Act::Return(0, Some("(int) 6")), Act::Next]);
    let program = build(UNDESCRIBED, &["-g", "-O0"]);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    session.breakpoint(0, 1, "four");
    session.go(0);
    session.stop(0);
    let leave = |value: &str| Operation::Return(Some(value.to_owned()), Context::default());
    let refused = session.ask(0, leave("6"));
    let Answer::Failed(failure) = refused else { panic!("{refused:?}") };
    assert!(failure.message.starts_with("Return value type not available"), "{}", failure.message);
    session.ok(0, leave("(int) 6"));
    session.stop(0);
    session.set(0, request(2, &format!("program.c:{}", line_of(UNDESCRIBED, "/* returned */"))));
    session.go(0);
    session.stop(0);
    let operation = Operation::Evaluate { context: Context::default(), expression: "n == 6".to_owned() };
    let Answer::Data(datum) = session.ask(0, operation) else { panic!("no value") };
    assert_eq!(format(&datum, &FormatOptions::default()).unwrap(), "1");
}

#[test]
fn the_main_function_is_left_to_what_called_it() {
    compare_of("gcc", UNDESCRIBED, &["-g", "-O0"], "four", &[Act::Return(1, Some("7"))]);
}

#[test]
fn jumps_into_and_out_of_inlined_code_arrive_where_those_of_gdb_do() {
    let out = [Act::Tbreak("program.c:24"), Act::Jump("program.c:23")];
    compare_of("gcc", INLINED, &["-g", "-O1"], "twice", &out);
    compare_of("gcc", INLINED, &["-g", "-O1"], "first", &[Act::Tbreak("program.c:25"), Act::Jump("program.c:23")]);
    let after = [Act::Tbreak("program.c:20"), Act::Jump("program.c:12")];
    compare_of("gcc", NESTED, &["-g", "-O1"], "caller", &after);
}

/// A thread hits a breakpoint again even if it was stopped by it before.
#[test]
fn a_jump_to_where_the_thread_is_meets_the_breakpoint_there() {
    let acts = [Act::Tbreak("program.c:17"), Act::Jump("program.c:17"), Act::Next];
    compare_of("gcc", NESTED, &["-g", "-O0"], "program.c:17", &acts);
    let program = build(NESTED, &["-g", "-O0"]);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    session.breakpoint(0, 1, "program.c:17");
    session.go(0);
    session.stop(0);
    for _ in 0..2 {
        session.ok(0, Operation::Jump(LocationSpec::parse("program.c:17").unwrap(), Context::default()));
        assert_eq!(place(&session.stop(0)), ("caller".to_owned(), 17));
    }
}
