//! Catchpoints on functions of the C++ run-time library, and the answers and events that report their sites.

use model::{Answer, Armed, BreakpointId, Catch, Caught, Event, LocationSpec, Point, Site, StopReason};

/// Called by code that throws, catches or throws again (Itanium C++ ABI, exception handling, 2.4.3, 2.5.3 and 2.4.4).
const THROWS: &str = "__cxa_throw";
const CATCHES: &str = "__cxa_begin_catch";
const RETHROWS: &str = "__cxa_rethrow";

/// Returns the function that a catchpoint for exceptions waits for; `None` for any other point.
pub(in crate::native) fn catch_location(point: &Point) -> Option<LocationSpec> {
    let name = match point {
        Point::Catch(Catch::Throw) => THROWS,
        Point::Catch(Catch::Catch) => CATCHES,
        Point::Catch(Catch::Rethrow) => RETHROWS,
        _ => return None,
    };
    Some(LocationSpec::Function(name.to_owned()))
}

/// Returns the stop reason for a stop at one of the point's sites.
pub(in crate::native) fn arrival(id: BreakpointId, point: &Point) -> StopReason {
    match point {
        Point::Catch(Catch::Throw) => StopReason::Caught(id, Caught::Thrown),
        Point::Catch(Catch::Catch) => StopReason::Caught(id, Caught::Handled),
        Point::Catch(Catch::Rethrow) => StopReason::Caught(id, Caught::Rethrown),
        _ => StopReason::Breakpoint(id),
    }
}

/// Returns the answer that reports the sites of a point.
pub(in crate::native) fn became(id: BreakpointId, point: &Point, sites: Vec<Site>) -> Answer {
    match point {
        Point::Catch(_) if sites.is_empty() => Answer::Armed(id, Armed::Pending),
        Point::Catch(_) => Answer::Armed(id, Armed::Events),
        _ => Answer::Breakpoint(id, sites),
    }
}

/// Returns the event that reports the sites of a point when they have changed.
pub(in crate::native) fn moved(id: BreakpointId, point: &Point, sites: Vec<Site>) -> Event {
    match became(id, point, sites) {
        Answer::Armed(id, armed) => Event::BreakpointArmed(id, armed),
        Answer::Breakpoint(id, sites) => Event::BreakpointMoved(id, sites),
        _ => Event::BreakpointMoved(id, Vec::new()),
    }
}

/// Returns the location of a point in the files; `None` for a point without one, such as a watchpoint.
pub(in crate::native) fn located(point: &Point) -> Option<LocationSpec> {
    point.place().cloned().or_else(|| catch_location(point))
}
