//! Conditions of breakpoints: whether their names mean anything where the breakpoint is.

use super::evaluate::{EvalError, Expression};
use super::symbols::{FrameView, LoadedImages, StackFrame, ThreadAccess};
use super::tracee::Tracee;
use crate::model::{BreakpointRequest, Failure, PointAction, Site, VirtualAddress};

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
