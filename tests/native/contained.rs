//! Variables of the functions around a nested one, with gdb as the judge: procedures behind `contains` of Fortran, and
//! functions within functions of GNU C.

use crate::beside_gdb::Beside;
use crate::driver::Session;
use crate::support::build::build;
use crate::support::marks::line;
use crate::support::points::{change, watch};
use rankscope::model::{Armed, BreakpointId, Operation, StopReason, WatchAccess, Watched};

const CONTAINED: &str = "contained.f90";
const NESTED: &str = "nested_functions.c";

#[test]
fn procedures_behind_contains_see_the_variables_of_the_procedure_around_them() {
    for level in ["-O0", "-Og"] {
        let program = build("gfortran", CONTAINED, &["-g", level]);
        let mut beside = Beside::at(&program, &format!("{CONTAINED}:{}", line(CONTAINED, "deeper")));
        beside.print(&["grank", "field", "field(2)", "m + grank", "GRANK", "m"]);
        // In gdb 13, each of these frames has a place of its own.
        beside.select_frame(1);
        beside.print(&["grank", "n", "rows", "field(3)"]);
        beside.select_frame(2);
        beside.print(&["grank", "field"]);
        beside.judge();
    }
}

/// The function was passed to another instance of the one around it, so that the nearest is not its own.
#[test]
fn the_static_link_tells_which_instance_of_the_function_around_it_is_meant() {
    let program = build("gcc", NESTED, &["-g", "-O0"]);
    let mut beside = Beside::at(&program, &format!("{NESTED}:{}", line(NESTED, "deepest")));
    beside.print(&["total", "hidden", "own", "n", "depth", "k", "total + k", "&depth", "earlier"]);
    beside.ptype(&["total", "depth"]);
    for level in 1..4 {
        beside.select_frame(level);
        beside.print(&["total", "hidden", "depth"]);
    }
    beside.judge();
}

#[test]
fn a_watched_variable_of_the_function_around_outlives_the_nested_one() {
    let program = build("gfortran", CONTAINED, &["-g", "-O0"]);
    let mut session = Session::launch(&program, 1);
    session.stop(0);
    session.breakpoint(0, 1, &format!("{CONTAINED}:{}", line(CONTAINED, "work")));
    session.go(0);
    session.stop(0);
    session.ok(0, Operation::DeleteBreakpoint(BreakpointId(1)));
    assert_eq!(session.arm(watch(2, WatchAccess::Change, "grank")), Armed::Hardware);
    session.go(0);
    let stop = session.stop(0);
    let (_, old, new) = change(&stop.reason);
    assert_eq!((old.as_str(), new.as_str()), ("7", "8"));
    assert_eq!(stop.frame.function.as_deref(), Some("deeper"));
    // It ends with the main program.
    session.go(0);
    let ended = session.stop(0);
    assert_eq!(ended.reason, StopReason::Watchpoint(BreakpointId(2), Watched::ScopeEnded));
}

#[test]
fn conditions_of_breakpoints_and_watchpoints_use_variables_of_the_function_around() {
    let program = build("gfortran", CONTAINED, &["-g", "-O0"]);
    let mut session = Session::launch(&program, 1);
    session.stop(0);
    let mut request = crate::driver::request(1, &format!("{CONTAINED}:{}", line(CONTAINED, "row")));
    request.condition = Some("grank == 7 .and. i == 3 .and. rows == 10".into());
    session.set(0, request);
    session.go(0);
    assert_eq!(session.stop(0).reason, StopReason::Breakpoint(BreakpointId(1)));
    let mut request = watch(2, WatchAccess::Change, "field(4)");
    request.condition = Some("i == 4 .and. rows == 10".into());
    assert_eq!(session.arm(request), Armed::Hardware);
    session.go(0);
    let stop = session.stop(0);
    let (id, old, new) = change(&stop.reason);
    assert_eq!((id, old.as_str(), new.as_str()), (2, "4", "40"));
}
