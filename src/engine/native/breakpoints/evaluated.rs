//! What is evaluated at a point of the user's, and the sites at which it means something.

use debuginfo::{LoadedImages, StackFrame};
use expr::{EvalError, Expression, FrameContext, ParseCache, StoppedAccess};
use model::{BreakpointRequest, Failure, PointAction, Site, VirtualAddress};
use std::sync::Arc;

/// What is evaluated when a thread arrives at a point of the user's.
#[derive(Clone, Debug, Default)]
pub(in crate::native) struct Evaluated {
    condition: Option<Arc<Expression>>,
    traced: Vec<Arc<Expression>>,
}

impl Evaluated {
    /// As far as it can be parsed; what cannot is refused elsewhere.
    pub(in crate::native) fn of(request: &BreakpointRequest, expressions: &ParseCache) -> Self {
        let parse = |text: &String| expressions.parse(text).ok();
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
