//! Conditions of breakpoints: whether they hold, and whether their names mean anything where the breakpoint is.

use super::prepared_condition::Prepared;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{Fetched, LONGEST, Tid};
use crate::native::tracer::shared::TracerShared;
use crate::native::tracer::tracee::Tracee;
use crate::refused_condition::refused_condition;
use debuginfo::{LoadedImages, StackFrame};
use expr::{EvalError, Expression, FrameContext, StoppedAccess};
use model::{BreakpointId, BreakpointRequest, Event, Failure, Point, PointAction, Severity, Site, VirtualAddress};
use std::sync::Arc;

/// What is evaluated when a thread arrives at a point of the user's.
#[derive(Clone, Debug, Default)]
pub(in crate::native) struct Evaluated {
    condition: Option<Expression>,
    traced: Vec<Expression>,
}

impl Evaluated {
    /// As far as it can be parsed; what cannot is refused elsewhere.
    pub(in crate::native) fn of(request: &BreakpointRequest) -> Self {
        let parse = |text: &String| Expression::parse(text).ok();
        let traced = match &request.action {
            PointAction::Trace(expressions) => expressions.iter().filter_map(parse).collect(),
            PointAction::Stop | PointAction::Barrier => Vec::new(),
        };
        Self { condition: request.condition.as_ref().and_then(parse), traced }
    }

    /// Reads what all of it needs, so that an arrival finds it read, and parts the sites at which the condition means
    /// something from the others.
    pub(in crate::native) fn place(
        &self,
        images: &LoadedImages,
        access: &dyn StoppedAccess,
        sites: Vec<Site>,
    ) -> Placed {
        for expression in &self.traced {
            // What means nothing is shown so.
            let _ = place(images, access, expression, sites.clone());
        }
        match &self.condition {
            Some(condition) => place(images, access, condition, sites),
            None => Placed { sites, refused: Vec::new() },
        }
    }
}

/// The sites of a breakpoint, by what its condition means there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::native) struct Placed {
    /// It can be evaluated there, or there is none.
    pub(in crate::native) sites: Vec<Site>,
    /// It cannot, whatever the variables hold; and why.
    pub(in crate::native) refused: Vec<(Site, Failure)>,
}

impl Placed {
    /// Why the condition can be evaluated nowhere.
    pub(in crate::native) fn refusal(&self) -> Option<&Failure> {
        self.refused.first().filter(|_| self.sites.is_empty()).map(|(_, failure)| failure)
    }
}

impl Inferior {
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
        let fetched = prepared.prefetch.fetch(&memory, (pc, LONGEST), stack);
        let holds =
            self.look_by(tid, Some(&fetched), |thread| prepared.holds(condition, &thread.registers, thread.access));
        self.note_code(&fetched);
        prepared.prefetch.learn(&fetched);
        holds
    }

    /// The code that has been fetched need not be read again to pass the breakpoint in it.
    pub(in crate::native) fn note_code(&mut self, fetched: &Fetched<'_>) {
        if let Some((address, code)) = fetched.code() {
            self.process.note_code(address, code);
        }
    }
}

impl Tracee {
    /// Whether the condition of a breakpoint is true in a frame, or else where the thread is.
    pub(in crate::native) fn holds(
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
        self.inferior.look(tid, |thread| match frame {
            Some(_) => Ok(condition.condition(&thread.in_frame(frame).eval())?),
            None => thread.at(0, |view| Ok(condition.condition(&view.eval())?)),
        })
    }

    /// The same where the thread is, by what was found out when one first came there. `None`: it takes more.
    fn holds_as_prepared(&mut self, id: BreakpointId, tid: Tid, condition: &Expression) -> Option<bool> {
        let pc = self.inferior.pc(tid).ok().filter(|pc| self.claims.is_claimed(*pc))?;
        let images = &self.inferior.program.images;
        let breakpoint = self.breakpoints.get_mut(&id)?;
        let known = breakpoint.prepared.remove(&pc).filter(|known| known.as_ref().is_none_or(|one| one.is_of(images)));
        let mut prepared = known.unwrap_or_else(|| Prepared::at(images, condition, VirtualAddress(pc)));
        let holds =
            prepared.as_mut().and_then(|prepared| self.inferior.holds_in_one_look(tid, pc, condition, prepared));
        self.breakpoints.get_mut(&id)?.prepared.insert(pc, prepared);
        holds
    }

    /// Changes when a breakpoint stops. Of several places it has only those at which the condition can be evaluated.
    pub(in crate::native) fn set_condition(
        &mut self,
        shared: &mut TracerShared,
        id: BreakpointId,
        condition: Option<String>,
    ) -> Result<(), Failure> {
        let parsed = parse_condition(condition.as_deref())?;
        let breakpoint = self.breakpoint(id)?;
        let is_watch = matches!(breakpoint.request.point, Point::Watch(_));
        let is_place = breakpoint.request.point.place().is_some();
        let all: Vec<Site> =
            breakpoint.sites.iter().chain(breakpoint.refused.iter().map(|(site, _)| site)).cloned().collect();
        let placed = match &parsed {
            Some(parsed) if is_place => {
                let current = self.inferior.current;
                self.inferior.look(current, |thread| place(thread.images, thread.access, parsed, all))
            }
            _ => Placed { sites: all, refused: Vec::new() },
        };
        if let Some(refusal) = placed.refusal() {
            return Err(refusal.clone());
        }
        if let Some(parsed) = parsed.as_ref().filter(|_| is_watch) {
            self.check_watch_condition(id, parsed)?;
        }
        let breakpoint = self.breakpoint(id)?;
        breakpoint.condition = parsed;
        breakpoint.prepared.clear();
        breakpoint.request.condition = condition;
        if is_place {
            let sites = placed.sites.clone();
            if self.place_breakpoint(shared, id, placed)? {
                self.report(shared, Event::BreakpointMoved(id, sites));
            }
        }
        Ok(())
    }

    /// Puts a breakpoint where its condition can be evaluated, and says where else it would be; whether it moved.
    pub(in crate::native) fn place_breakpoint(
        &mut self,
        shared: &mut TracerShared,
        id: BreakpointId,
        placed: Placed,
    ) -> Result<bool, Failure> {
        let Some(breakpoint) = self.breakpoints.get_mut(&id) else { return Ok(false) };
        let nowhere = placed.sites.is_empty();
        let before = std::mem::replace(&mut breakpoint.refused, placed.refused.clone());
        let moved = self.move_breakpoint(id, placed.sites);
        for (site, failure) in &placed.refused {
            if before.iter().any(|(known, why)| known.address == site.address && why == failure) {
                continue;
            }
            let text = refused_condition(id, site, nowhere, Some(&failure.message));
            self.report(shared, Event::Message(Severity::Warning, text));
            if nowhere {
                break;
            }
        }
        moved
    }

    /// Fails when the condition of a watchpoint means nothing in the frame whose names the watchpoint is of.
    pub(in crate::native) fn check_watch_condition(
        &mut self,
        id: BreakpointId,
        condition: &Expression,
    ) -> Result<(), Failure> {
        if self.phase.require_stopped().is_err() {
            return Ok(());
        }
        if let Some((tid, frame)) = self.watched_frame(id) {
            return self.inferior.look(tid, |thread| Ok(condition.check(&thread.in_frame(Some(&frame)).eval())?));
        }
        let context = self.watch_context(id).filter(|_| !self.is_watching(id)).unwrap_or_default();
        let tid = self.inferior.thread(context.thread)?;
        self.inferior.look(tid, |thread| thread.at(context.frame, |view| Ok(condition.check(&view.eval())?)))
    }
}

/// Parts the sites at which a condition means something from the others. Reads debug information.
pub(in crate::native) fn place(
    images: &LoadedImages,
    access: &dyn StoppedAccess,
    condition: &Expression,
    sites: Vec<Site>,
) -> Placed {
    let mut placed = Placed::default();
    for site in sites {
        match site.address.map_or(Ok(()), |address| check_at(images, access, condition, address)) {
            Ok(()) => placed.sites.push(site),
            Err(error) => placed.refused.push((site, error.into())),
        }
    }
    placed
}

/// A condition as it is evaluated; nothing is looked up.
pub(in crate::native) fn parse_condition(text: Option<&str>) -> Result<Option<Arc<Expression>>, Failure> {
    Ok(text.map(Expression::parse).transpose()?.map(Arc::new))
}

/// Looks in the innermost inlined function first, then in those around it: which of them a thread is in that arrives
/// depends on how it came.
fn check_at(
    images: &LoadedImages,
    access: &dyn StoppedAccess,
    condition: &Expression,
    address: VirtualAddress,
) -> Result<(), EvalError> {
    let located = images.locate(address);
    let frames = located.map_or(1, |(loaded, address)| loaded.image.inline_frames(address).len().max(1));
    let mut frame = StackFrame::at_address(address);
    let innermost = condition.check(&FrameContext::new(images, Some(&frame), access).eval());
    for depth in 1..frames as u32 {
        if innermost.is_ok() {
            break;
        }
        frame.inline_depth = depth;
        if condition.check(&FrameContext::new(images, Some(&frame), access).eval()).is_ok() {
            return Ok(());
        }
    }
    innermost
}
