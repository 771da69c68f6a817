//! Stops and steps in optimised code with inlined functions: the same places and frames as gdb's.

use crate::driver::{Session, build, line_of, place, request};
use crate::trails::{Act, compare_of};
use rankscope::model::{Answer, BreakpointId, BreakpointRequest, Context, Operation};

const SOURCE: &str = include_str!("../programs/inlined.c");
const NESTED: &str = include_str!("../programs/nested.c");

fn compare(options: &[&str], breakpoint: &str, acts: &[Act]) {
    compare_of("gcc", SOURCE, options, breakpoint, acts);
}

#[test]
fn code_that_begins_where_other_code_ends_has_its_lines() {
    let source = include_str!("../programs/cold_first.c");
    let built = build(source, &["-g", "-O2", "-falign-functions=1", "-fno-toplevel-reorder"]);
    let mut session = Session::launch(&built.path, 1);
    let stop = session.stop(0);
    assert_eq!(place(&stop), ("main".to_owned(), line_of(source, "/* first */")));
}

/// The first instruction of the line is one of the function that is inlined into it.
const AROUND: &str = "
struct measure { double energy, peak; long active; };
static int quiet(const struct measure *m, int round)
{
    if (round < 4 || m->active > 0)
        return 1;
    return m->peak < 1e-9 ? 2 : 1;
}
static struct measure step(int round)
{
    struct measure m = {0.5 * round, 10.0 * round, round % 7};
    __asm__ volatile(\"\" : : \"r\"(&m) : \"memory\");
    return m;
}
int main(void)
{
    int rest = 1;
    for (int round = 0; round < 20; round++) {
        struct measure mine = step(round);
        rest += quiet(&mine, round); /* here */
        if (round % 5 == 4)
            __asm__ volatile(\"\" : : \"r\"(&mine) : \"memory\");
    }
    return rest == 0;
}
";

#[test]
fn a_condition_has_the_names_of_its_line_although_the_line_begins_in_an_inlined_function() {
    for options in [["-g", "-O1"], ["-g", "-O2"]] {
        let built = build(AROUND, &options);
        let mut session = Session::launch(&built.path, 1);
        session.stop(0);
        let place = format!("program.c:{}", line_of(AROUND, "/* here */"));
        session.set(0, BreakpointRequest { condition: Some("mine.peak > 75".to_owned()), ..request(1, &place) });
        session.go(0);
        let stop = session.stop(0);
        assert_eq!((stop.reason.point(), &stop.note), (Some(BreakpointId(1)), &None), "{options:?}");
        let Answer::Variables(locals) = session.ask(0, Operation::Locals(Context { thread: None, frame: 1 })) else {
            panic!("{options:?}: {stop:?}");
        };
        assert!(locals.iter().any(|local| local.name == "mine"), "the line is that of the frame around: {locals:?}");
    }
}

#[test]
fn stepping_through_plain_code() {
    compare(&["-g", "-O0"], "second", &[Act::Step; 20]);
    compare(&["-g", "-O0"], "first", &[Act::Next; 12]);
}

#[test]
fn stepping_into_inlined_functions() {
    compare(&["-g", "-O1"], "first", &[Act::Step; 12]);
    compare(&["-g", "-O2"], "second", &[Act::Step; 12]);
}

#[test]
fn stepping_over_inlined_functions() {
    compare(&["-g", "-O1"], "first", &[Act::Next; 8]);
    compare(&["-g", "-O2"], "first", &[Act::Next; 8]);
    compare(&["-g", "-O2"], "second", &[Act::Next; 8]);
    // After the inlined code is a line that begins a statement, with the line of the call, which does not.
    compare(&["-g", "-O1"], "second", &[Act::Next; 10]);
    // A function begins in the middle of its caller's other lines.
    compare(&["-g", "-O2"], "twice", &[Act::Next; 4]);
}

#[test]
fn finishing_inlined_functions() {
    for (options, breakpoint) in [(["-g", "-O1"], "inner"), (["-g", "-O1"], "outer"), (["-g", "-O2"], "outer")] {
        compare_of("gcc", NESTED, &options, breakpoint, &[Act::Finish, Act::Next]);
    }
}

#[test]
fn a_breakpoint_on_an_inlined_function_is_inside() {
    compare(&["-g", "-O2"], "twice", &[Act::Step; 3]);
    compare(&["-g", "-O1"], "limited", &[Act::Next; 3]);
}

#[test]
fn a_breakpoint_is_in_the_function_that_it_names_where_several_begin() {
    for (compiler, options) in
        [("gcc", ["-g", "-O1"]), ("gcc", ["-g", "-O2"]), ("clang", ["-g", "-O1"]), ("clang", ["-g", "-O2"])]
    {
        for breakpoint in ["outer", "inner", "program.c:6", "program.c:19", "outer if y == 2", "inner if x == 2"] {
            compare_of(compiler, NESTED, &options, breakpoint, &[Act::Step; 3]);
        }
    }
}

/// A part that is rarely executed may be listed first: gdb 13 takes that one, and this program never reaches it.
#[test]
fn a_breakpoint_is_where_an_inlined_function_is_entered() {
    let source = include_str!("../programs/cold_part.c");
    let built = build(source, &["-g", "-O1", "-lm"]);
    let mut session = Session::launch(&built.path, 1);
    session.stop(0);
    assert_eq!(session.breakpoint(0, 1, "take_roots"), 1);
    session.go(0);
    let stop = session.stop(0);
    assert_eq!((place(&stop).0.as_str(), stop.reason.point()), ("take_roots", Some(BreakpointId(1))));
}
