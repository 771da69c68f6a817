//! Catchpoints and tracepoints of one rank: stops for what a process does, and reports without a stop.

use super::points::Breakpoints;
use super::verdict::Verdict;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;
use crate::native::startup::program::base_name;
use crate::native::tracer::outbox::RankReports;
use crate::native::tracer::phase::Halt;
use expr::FrameContext;
use model::glob_matches_bytes;
use model::{
    Answer, Armed, BreakpointId, BreakpointRequest, Catch, Caught, Event, Failure, Point, PointAction, StopReason,
    Trace, Variable, VariableValue,
};

/// Signals that a debugger and its user send: caught only when they are named.
const OF_DEBUGGERS: [&str; 2] = ["SIGTRAP", "SIGINT"];

impl Breakpoints {
    /// Takes a catchpoint over that waits for no place.
    pub(in crate::native) fn set_catchpoint(
        &mut self,
        inferior: &mut Inferior,
        request: &BreakpointRequest,
    ) -> Result<Answer, Failure> {
        self.add(inferior, request.clone())?;
        Ok(Answer::Armed(request.id, Armed::Events))
    }

    /// Whether libraries are to be caught.
    pub(in crate::native) fn catches_libraries(&self) -> bool {
        self.points
            .values()
            .any(|point| point.request.enabled && matches!(point.request.point, Point::Catch(Catch::Load(_))))
    }

    /// The stop by the first catchpoint that waits for what a thread did. Every one of them counts it.
    pub(in crate::native) fn caught(&mut self, inferior: &mut Inferior, tid: Tid, caught: &Caught) -> Option<Halt> {
        let fits = |catch: &Catch| match (catch, caught) {
            (Catch::Exec, Caught::Executed(_)) | (Catch::Fork, Caught::Forked) | (Catch::Vfork, Caught::Vforked) => {
                true
            }
            (Catch::Signal(None), Caught::Signal(name)) => !OF_DEBUGGERS.contains(&&*name.0),
            (Catch::Signal(Some(wanted)), Caught::Signal(name)) => wanted == name,
            (Catch::Load(None), Caught::Loaded(names)) => !names.is_empty(),
            (Catch::Load(Some(glob)), Caught::Loaded(names)) => {
                names.iter().any(|name| glob_matches_bytes(glob.as_bytes(), base_name(name).as_bytes()))
            }
            _ => false,
        };
        let ids: Vec<BreakpointId> = self
            .points
            .values()
            .filter(|point| point.request.enabled)
            .filter(|point| matches!(&point.request.point, Point::Catch(catch) if fits(catch)))
            .map(|point| point.request.id)
            .collect();
        let mut first = None;
        for id in ids {
            if let Verdict::Stop(reason, note) =
                self.weigh(inferior, id, tid, StopReason::Caught(id, caught.clone()), None)
            {
                first.get_or_insert(Halt::Stop { tid, reason, note });
            }
        }
        first
    }

    /// What a tracepoint shows where a thread is; nothing stops.
    pub(in crate::native) fn trace(
        &mut self,
        inferior: &mut Inferior,
        reports: &mut RankReports<'_>,
        tid: Tid,
        id: BreakpointId,
    ) {
        let Some(PointAction::Trace(expressions)) = self.points.get(&id).map(|point| point.request.action.clone())
        else {
            return;
        };
        self.note_arrival(inferior, tid);
        let thread = inferior.number(tid);
        let (frame, values) = inferior.look(tid, |thread| {
            let values = expressions.iter().map(|text| thread.at(0, |view| Ok(shown(text, view))));
            (thread.innermost(), values.filter_map(Result::ok).collect())
        });
        reports.event(Event::Traced(Trace { id, thread, frame, values }));
    }
}

/// The value of an expression, or why it has none.
fn shown(text: &str, view: &FrameContext<'_>) -> Variable {
    let value = view
        .parse(text)
        .and_then(|parsed| parsed.evaluate(&view.eval()))
        .and_then(|value| value.to_datum(&view.eval()));
    let value = match value {
        Ok(datum) => VariableValue::Known(datum),
        Err(error) => VariableValue::Unknown { why: error.to_string(), type_name: String::new() },
    };
    Variable { name: text.to_owned(), value }
}
