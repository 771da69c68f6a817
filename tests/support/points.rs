//! Watchpoints and catchpoints, and their reports.

use rankscope::model::aif::{FormatOptions, format};
use rankscope::model::{
    Answer, Armed, BreakpointId, BreakpointRequest, Context, Datum, Point, StopReason, Watch, WatchAccess, Watched,
};

pub fn watch(id: u32, access: WatchAccess, expression: &str) -> BreakpointRequest {
    let expression = expression.to_owned();
    let watch = Watch { expression, access, context: Context::default() };
    BreakpointRequest::at(BreakpointId(id), Point::Watch(watch))
}

/// The implementation of a point, from the reply to the request for it.
#[track_caller]
pub fn armed(answer: Answer) -> Armed {
    match answer {
        Answer::Armed(_, armed) => armed,
        other => panic!("{other:?}"),
    }
}

/// A value as printed.
pub fn text(datum: &Datum) -> String {
    format(datum, &FormatOptions::default()).unwrap()
}

/// The number, old and new value of a change.
#[track_caller]
pub fn change(reason: &StopReason) -> (u32, String, String) {
    match reason {
        StopReason::Watchpoint(id, Watched::Changed { old: Some(old), new: Some(new) }) => (id.0, text(old), text(new)),
        other => panic!("{other:?}"),
    }
}
