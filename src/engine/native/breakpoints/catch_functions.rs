//! Catchpoints that wait for a function of the run-time library of C++, and what is said of their sites.

use model::{Answer, Armed, BreakpointId, Catch, Caught, Event, LocationSpec, Point, Site, StopReason};

/// Where the run-time library of C++ comes by (Itanium C++ ABI, exception handling, 2.4.3 and 2.5.3).
const THROWS: &str = "__cxa_throw";
const CATCHES: &str = "__cxa_begin_catch";

/// The function a catchpoint waits for, when it is one.
pub(in crate::native) fn catch_location(point: &Point) -> Option<LocationSpec> {
    let name = match point {
        Point::Catch(Catch::Throw) => THROWS,
        Point::Catch(Catch::Catch) => CATCHES,
        _ => return None,
    };
    Some(LocationSpec::Function(name.to_owned()))
}

/// What a stop at one of its sites is.
pub(in crate::native) fn arrival(id: BreakpointId, point: &Point) -> StopReason {
    match point {
        Point::Catch(Catch::Throw) => StopReason::Caught(id, Caught::Thrown),
        Point::Catch(Catch::Catch) => StopReason::Caught(id, Caught::Handled),
        _ => StopReason::Breakpoint(id),
    }
}

/// What is said of the sites that a point became.
pub(in crate::native) fn became(id: BreakpointId, point: &Point, sites: Vec<Site>) -> Answer {
    match point {
        Point::Catch(_) if sites.is_empty() => Answer::Armed(id, Armed::Pending),
        Point::Catch(_) => Answer::Armed(id, Armed::Events),
        _ => Answer::Breakpoint(id, sites),
    }
}

/// The same, told unasked.
pub(in crate::native) fn moved(id: BreakpointId, point: &Point, sites: Vec<Site>) -> Event {
    match became(id, point, sites) {
        Answer::Armed(id, armed) => Event::BreakpointArmed(id, armed),
        Answer::Breakpoint(id, sites) => Event::BreakpointMoved(id, sites),
        _ => Event::BreakpointMoved(id, Vec::new()),
    }
}

/// What a point of the user's is in the files, when it is anywhere there.
pub(in crate::native) fn located(point: &Point) -> Option<LocationSpec> {
    point.place().cloned().or_else(|| catch_location(point))
}
