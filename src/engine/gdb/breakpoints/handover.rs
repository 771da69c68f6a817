//! Breakpoints handed over from or to another engine.

use super::table::BreakpointTable;
use crate::gdb::inferior::state::InferiorState;
use crate::gdb::inspect::values::Values;
use crate::gdb::reporter::Reporter;
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use crate::gdb::session::script::FrameId;
use crate::portable;
use model::{Answer, BreakpointRequest, Context, Point};

/// Returns the current context of a watchpoint's frame; the innermost frame if it has returned and is not needed.
fn frame_now(gdb: &mut Gdb, inferior: &InferiorState, frame: &FrameId) -> Result<Context, GdbError> {
    Ok(match gdb.level_of(frame)? {
        Some(level) => Context { thread: Some(frame.thread), frame: level },
        None => Context { thread: Some(inferior.current()), frame: 0 },
    })
}

impl BreakpointTable {
    /// Sets the breakpoints of a process from another engine; returns warnings about those that gdb rejects.
    pub(in crate::gdb) fn take_over(
        &mut self,
        gdb: &mut Gdb,
        inferior: &mut InferiorState,
        values: &mut Values,
        reporter: &Reporter,
        points: &[BreakpointRequest],
    ) -> Result<Vec<String>, GdbError> {
        let mut notes = Vec::new();
        for request in points {
            let why = match self.set(gdb, inferior, values, reporter, request) {
                Ok(Answer::Failed(failure)) => failure.message,
                Ok(_) => continue,
                Err(GdbError::Refused(why)) => why,
                Err(gone) => return Err(gone),
            };
            notes.push(format!("could not take over {} {}: {why}", request.point.word(), request.id));
        }
        Ok(notes)
    }

    /// Returns the user's breakpoints in a form that another engine understands.
    pub(in crate::gdb) fn portable(
        &self,
        gdb: &mut Gdb,
        inferior: &InferiorState,
    ) -> Result<Vec<BreakpointRequest>, GdbError> {
        let mut points = Vec::new();
        for planted in &self.planted {
            let mut request = portable(&planted.request, &planted.sites);
            request.ignore = planted.ignore;
            if let Point::Watch(watch) = &mut request.point {
                watch.context = match &planted.frame {
                    Some(frame) => frame_now(gdb, inferior, frame)?,
                    None => watch.context,
                };
            }
            points.push(request);
        }
        Ok(points)
    }
}
