//! Tracepoints with the gdb engine.

use crate::{
    session::{Kind, Session, breakpoint, line_of, on_function},
    support::{marks, points::text},
};
use rankscope::model::{
    BreakpointId, BreakpointRequest, Event, LocationSpec, PointAction, Rank, StepKind, StopReason, VariableValue,
};

const WATCHED: &str = "watched.c";

fn launched(file: &str, arguments: &[&str]) -> Session {
    let mut session = Session::new(Kind::Gdb);
    session.launch(Kind::Gdb.spec(file, arguments), 1);
    session.stop(0);
    session
}

fn traces(session: &Session) -> Vec<Vec<String>> {
    let told = session.events[&Rank(0)].iter().filter_map(|(_, event)| match event {
        Event::Traced(trace) => Some(&trace.values),
        _ => None,
    });
    let shown = |value: &VariableValue| match value {
        VariableValue::Known(datum) => text(datum),
        VariableValue::Unknown { why, .. } => why.clone(),
    };
    told.map(|values| values.iter().map(|variable| shown(&variable.value)).collect()).collect()
}

fn traced(expressions: &[&str], request: BreakpointRequest) -> BreakpointRequest {
    let expressions = expressions.iter().map(|&text| text.to_owned()).collect();
    BreakpointRequest { action: PointAction::Trace(expressions), ..request }
}

#[test]
fn tracepoints_show_values_and_stop_nothing() {
    let mut session = launched(WATCHED, &[]);
    let request = BreakpointRequest { condition: Some("n != 1".to_owned()), ..on_function(1, "recursive") };
    session.break_at(traced(&["n", "n * 2 + 1", "nothing"], request));
    assert!(matches!(session.go_to_end(0), Event::Exited(_)));
    let shown = traces(&session);
    assert_eq!(shown.len(), 3, "{shown:?}");
    for (values, n) in shown.iter().zip([3, 2, 0]) {
        assert_eq!(values[..2], [n.to_string(), (n * 2 + 1).to_string()]);
        assert!(values[2].contains("nothing"), "{values:?}");
    }
    // Each is reported with its text, not counted in addition.
    let counted = |(_, event): &(_, Event)| matches!(event, Event::Counted(id, _) if *id == BreakpointId(1));
    assert!(!session.events[&Rank(0)].iter().any(counted));
}

#[test]
fn a_step_goes_on_over_tracepoints() {
    let source = std::fs::read_to_string(marks::source(WATCHED)).unwrap();
    let line = |mark: &str| source.lines().position(|line| line.contains(&format!("/* {mark} */"))).unwrap() as u32 + 1;
    let at = |id, mark| breakpoint(id, LocationSpec::FileLine { file: WATCHED.to_owned(), line: line(mark) });
    let mut session = launched(WATCHED, &[]);
    session.break_at(traced(&["n"], on_function(1, "recursive")));
    session.break_at(traced(&["sum"], at(2, "scope")));
    session.break_at(at(3, "behind it again"));
    session.go(0);
    // Onto a line with a tracepoint, over it, and over a call in which another one is hit four times.
    for (line, seen) in [(line("scope"), 1), (line("scope") + 1, 1), (line("scope") + 2, 5)] {
        let stop = session.step(0, StepKind::Over);
        assert_eq!((stop.reason, line_of(&stop.frame)), (StopReason::Step, line));
        assert_eq!(traces(&session).len(), seen);
    }
    assert!(matches!(session.go_to_end(0), Event::Exited(_)));
}
