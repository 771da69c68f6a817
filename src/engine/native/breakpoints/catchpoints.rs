//! Catchpoints and tracepoints of one rank: stops for what a process does, and reports without a stop.

use super::points::Breakpoints;
use super::verdict::Verdict;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;
use crate::native::startup::program::base_name;
use crate::native::tracer::outbox::RankReports;
use crate::native::tracer::phase::{Halt, Phase};
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::TracerShared;
use expr::FrameContext;
use model::glob_matches_bytes;
use model::{
    Answer, Armed, BreakpointId, BreakpointRequest, Catch, Caught, Event, Failure, Point, PointAction, SignalName,
    StopReason, Trace, Variable, VariableValue,
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

    /// The first catchpoint that stops for what a thread did. Every one of them counts it.
    fn catches(&mut self, inferior: &mut Inferior, tid: Tid, caught: &Caught) -> Option<(StopReason, Option<String>)> {
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
                first.get_or_insert((reason, note));
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

impl Tracee {
    /// Stops the rank when a catchpoint waits for what a thread did; whether it does. While the rank is being stopped
    /// for something else, this comes next.
    pub(in crate::native) fn catch(&mut self, shared: &mut TracerShared, tid: Tid, caught: &Caught) -> bool {
        if self.phase == Phase::Waiting {
            return false;
        }
        let Some((reason, note)) = self.breakpoints.catches(&mut self.inferior, tid, caught) else { return false };
        if self.phase == Phase::Running {
            self.halt(shared, Halt::Stop { tid, reason, note });
        } else {
            self.breakpoints.uncaught.push_back((tid, reason, note));
        }
        true
    }

    /// Stops for what was caught while the rank was being stopped for something else; whether it does.
    pub(in crate::native) fn report_caught(&mut self, shared: &mut TracerShared) -> bool {
        let Some((tid, reason, note)) = self.breakpoints.uncaught.pop_front() else { return false };
        self.halt(shared, Halt::Stop { tid, reason, note });
        true
    }

    /// Whether a catchpoint stops for a signal that a thread is about to get.
    pub(in crate::native) fn catch_signal(&mut self, shared: &mut TracerShared, tid: Tid, signal: i32) -> bool {
        let caught = Caught::Signal(SignalName::from_number(signal));
        let Some((reason, note)) = self.breakpoints.catches(&mut self.inferior, tid, &caught) else { return false };
        if let Some(thread) = self.inferior.process.thread_mut(tid) {
            thread.delivery = signal;
        }
        self.halt(shared, Halt::Stop { tid, reason, note });
        true
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
