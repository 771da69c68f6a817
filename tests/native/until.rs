//! Running to a location in the same frame.

use crate::driver::{Session, build, line_of, place};
use rankscope::model::{Answer, BreakpointId, Context, LocationSpec, Operation};

const GROWN: &str = include_str!("../programs/until_grown.c");

#[test]
fn a_frame_that_has_grown_is_the_same_frame_and_a_deeper_one_is_not() {
    let program = build(GROWN, &[]);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    session.breakpoint(0, 1, &format!("program.c:{}", line_of(GROWN, "/* BREAK first */")));
    session.go(0);
    session.stop(0);
    session.ok(0, Operation::DeleteBreakpoint(BreakpointId(1)));
    let last = line_of(GROWN, "/* BREAK last */");
    let location = LocationSpec::parse(&format!("program.c:{last}")).unwrap();
    session.ok(0, Operation::Until(location, Context::default()));
    assert_eq!(place(&session.stop(0)), ("grow".to_owned(), last));
    let depth = Operation::Evaluate { context: Context::default(), expression: "depth".to_owned() };
    let Answer::Data(datum) = session.ask(0, depth) else { panic!("no value") };
    assert_eq!(datum.data, [0, 0, 0, 2]);
    session.shutdown(true);
}
