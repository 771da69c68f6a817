//! Catchpoints and tracepoints of one rank: stops at events of the process, and reports without a stop.

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
    Answer, Armed, BreakpointId, BreakpointRequest, Catch, Caught, CaughtSignals, Event, Failure, Point, PointAction,
    StopReason, Trace, Variable, VariableValue,
};

/// Signals that debuggers and their users send: caught only by a catchpoint that names them.
const OF_DEBUGGERS: [&str; 2] = ["SIGTRAP", "SIGINT"];

impl Breakpoints {
    /// Adds a catchpoint that waits for an event rather than a location.
    pub(in crate::native) fn set_catchpoint(
        &mut self,
        inferior: &mut Inferior,
        request: &BreakpointRequest,
    ) -> Result<Answer, Failure> {
        self.add(inferior, request.clone())?;
        Ok(Answer::Armed(request.id, Armed::Events))
    }

    /// True if an enabled catchpoint waits for libraries to be loaded or unloaded.
    pub(in crate::native) fn catches_libraries(&self) -> bool {
        self.points.values().any(|point| {
            point.request.enabled && matches!(point.request.point, Point::Catch(Catch::Load(_) | Catch::Unload(_)))
        })
    }

    /// Returns the stop of the first catchpoint that waits for this event. All of them count it.
    pub(in crate::native) fn caught(&mut self, inferior: &mut Inferior, tid: Tid, caught: &Caught) -> Option<Halt> {
        let fits = |catch: &Catch| match (catch, caught) {
            (Catch::Exec, Caught::Executed(_)) | (Catch::Fork, Caught::Forked) | (Catch::Vfork, Caught::Vforked) => {
                true
            }
            (Catch::Signal(signals), Caught::Signal(name)) => match signals {
                CaughtSignals::Usual => !OF_DEBUGGERS.contains(&&*name.0),
                CaughtSignals::All => true,
                CaughtSignals::These(wanted) => wanted.contains(name),
            },
            (Catch::Load(glob), Caught::Loaded(names)) | (Catch::Unload(glob), Caught::Unloaded(names)) => {
                let is_it = |name: &String| {
                    let base = base_name(name).as_bytes();
                    glob.as_ref().is_none_or(|glob| glob_matches_bytes(glob.as_bytes(), base))
                };
                names.iter().any(is_it)
            }
            (Catch::Call(choice), Caught::Call(caught)) => choice.contains(caught.call),
            (Catch::Fpe(kinds), Caught::Float(trap)) => !kinds.and(trap.exceptions).is_empty(),
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
            if let Verdict::Stop(reason, note) = self.weigh(inferior, id, tid, StopReason::Caught(id, caught.clone())) {
                first.get_or_insert(Halt::Stop { tid, reason, note });
            }
        }
        first
    }

    /// Reports the values of a tracepoint's expressions where a thread is; the rank does not stop.
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

/// Evaluates an expression of a tracepoint; a failure becomes the text of the value.
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
