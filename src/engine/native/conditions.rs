//! Conditions of breakpoints: whether they hold, and whether their names mean anything where the breakpoint is.

use super::evaluate::{EvalError, Expression};
use super::prepared::Prepared;
use super::symbols::{FrameView, LoadedImages, StackFrame, ThreadAccess};
use super::trace::{Fetched, LONGEST, Tid};
use super::tracee::Tracee;
use crate::model::{BreakpointId, BreakpointRequest, Failure, PointAction, Site, VirtualAddress};
use std::sync::Arc;

/// What is evaluated when a thread arrives at a point of the user's.
#[derive(Clone, Debug, Default)]
pub(super) struct Evaluated {
    condition: Option<Expression>,
    traced: Vec<Expression>,
}

impl Evaluated {
    /// As far as it can be parsed; what cannot is refused elsewhere.
    pub(super) fn of(request: &BreakpointRequest) -> Self {
        let parse = |text: &String| Expression::parse(text).ok();
        let traced = match &request.action {
            PointAction::Trace(expressions) => expressions.iter().filter_map(parse).collect(),
            PointAction::Stop | PointAction::Barrier => Vec::new(),
        };
        Self { condition: request.condition.as_ref().and_then(parse), traced }
    }

    /// Reads what all of it needs, so that an arrival finds it read; fails when a name of the condition means nothing at
    /// any of the sites.
    pub(super) fn check(
        &self,
        images: &LoadedImages,
        access: &dyn ThreadAccess,
        sites: &[Site],
    ) -> Result<(), Failure> {
        for expression in &self.traced {
            // What means nothing is shown so.
            let _ = check(images, access, expression, sites);
        }
        self.condition.as_ref().map_or(Ok(()), |condition| check(images, access, condition, sites))
    }
}

impl Tracee {
    /// Whether the condition of a breakpoint is true in a frame, or else where the thread is.
    pub(super) fn holds(
        &mut self,
        id: BreakpointId,
        tid: Tid,
        condition: &Expression,
        frame: Option<&StackFrame>,
    ) -> Result<bool, Failure> {
        if let None = frame
            && let Some(holds) = self.holds_as_prepared(id, tid, condition)
        {
            return Ok(holds);
        }
        if frame.is_none() {
            self.note_arrival(tid);
        }
        self.look(tid, |thread| match frame {
            Some(_) => Ok(condition.condition(&FrameView::new(thread.images, frame, thread.access))?),
            None => thread.at(0, |view| Ok(condition.condition(view)?)),
        })
    }

    /// The same where the thread is, by what was found out when one first came there. `None`: it takes more.
    fn holds_as_prepared(&mut self, id: BreakpointId, tid: Tid, condition: &Expression) -> Option<bool> {
        let pc = self.pc(tid).ok().filter(|pc| self.claims.contains_key(pc))?;
        let images = &self.program.images;
        let breakpoint = self.breakpoints.get_mut(&id)?;
        let known = breakpoint.prepared.remove(&pc).filter(|known| known.as_ref().is_none_or(|one| one.is_of(images)));
        let mut prepared = known.unwrap_or_else(|| Prepared::at(images, condition, VirtualAddress(pc)));
        let holds = prepared.as_mut().and_then(|prepared| self.holds_in_one_look(tid, pc, condition, prepared));
        self.breakpoints.get_mut(&id)?.prepared.insert(pc, prepared);
        holds
    }

    /// What the condition is likely to read, and the code that the thread goes on with, is read in one call.
    fn holds_in_one_look(
        &mut self,
        tid: Tid,
        pc: u64,
        condition: &Expression,
        prepared: &mut Prepared,
    ) -> Option<bool> {
        let stack = self.process.registers(tid).ok()?.rsp;
        let memory = Arc::clone(self.process.memory());
        let fetched = prepared.foresight.fetch(&memory, (pc, LONGEST), stack);
        let holds =
            self.look_by(tid, Some(&fetched), |thread| prepared.holds(condition, &thread.registers, thread.access));
        self.note_code(&fetched);
        prepared.foresight.learn(&fetched);
        holds
    }

    /// The code that has been fetched need not be read again to pass the breakpoint in it.
    pub(super) fn note_code(&mut self, fetched: &Fetched<'_>) {
        if let Some((address, code)) = fetched.code() {
            self.process.note_code(address, code);
        }
    }

    /// Fails when a condition has a name that means nothing at any of the sites. Without sites nothing can be said yet.
    pub(super) fn check_condition(&mut self, condition: &Expression, sites: &[Site]) -> Result<(), Failure> {
        let current = self.current;
        self.look(current, |thread| check(thread.images, thread.access, condition, sites))
    }
}

/// Fails when a name of a condition means nothing at any of the sites. Reads debug information.
pub(super) fn check(
    images: &LoadedImages,
    access: &dyn ThreadAccess,
    condition: &Expression,
    sites: &[Site],
) -> Result<(), Failure> {
    let mut refused = None;
    for address in sites.iter().filter_map(|site| site.address) {
        match check_at(images, access, condition, address) {
            Ok(()) => return Ok(()),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    refused.map_or(Ok(()), |error| Err(error.into()))
}

/// Looks in the innermost inlined function first, then in those around it: which of them a thread is in that arrives
/// depends on how it came.
fn check_at(
    images: &LoadedImages,
    access: &dyn ThreadAccess,
    condition: &Expression,
    address: VirtualAddress,
) -> Result<(), EvalError> {
    let located = images.locate(address);
    let frames = located.map_or(1, |(loaded, address)| loaded.image.inline_frames(address).len().max(1));
    let mut frame = StackFrame::at_address(address);
    let innermost = condition.check_names(&FrameView::new(images, Some(&frame), access));
    for depth in 1..frames as u32 {
        if innermost.is_ok() {
            break;
        }
        frame.inline_depth = depth;
        if condition.check_names(&FrameView::new(images, Some(&frame), access)).is_ok() {
            return Ok(());
        }
    }
    innermost
}
