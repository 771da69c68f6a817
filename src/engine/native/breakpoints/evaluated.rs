//! The expressions that are evaluated at a point of the user, and the sites at which they can be.

use debuginfo::{LoadedImages, StackFrame};
use expr::{EvalError, Expression, FrameContext, ParseCache, StoppedAccess};
use model::{BreakpointRequest, Failure, PointAction, Site, VirtualAddress};
use std::sync::Arc;

/// The expressions that are evaluated when a thread arrives at a point of the user.
#[derive(Clone, Debug, Default)]
pub(in crate::native) struct Evaluated {
    condition: Option<Arc<Expression>>,
    traced: Vec<Arc<Expression>>,
}

impl Evaluated {
    /// Parses the expressions of a request. Those that do not parse are left out; they are refused elsewhere.
    pub(in crate::native) fn of(request: &BreakpointRequest, expressions: &ParseCache) -> Self {
        let parse = |text: &String| expressions.parse(text).ok();
        let traced = match &request.action {
            PointAction::Trace(expressions) => expressions.iter().filter_map(parse).collect(),
            PointAction::Stop | PointAction::Barrier => Vec::new(),
        };
        Self { condition: request.condition.as_ref().and_then(parse), traced }
    }

    /// Reads the debug information that the expressions need before any arrival, and separates the sites at which the
    /// condition can be evaluated from the others.
    pub(in crate::native) fn place(
        &self,
        images: &LoadedImages,
        access: &dyn StoppedAccess,
        sites: Vec<Site>,
    ) -> Placed {
        for expression in &self.traced {
            // An expression that cannot be evaluated is shown with the error.
            let _ = place(images, access, expression, sites.clone());
        }
        match &self.condition {
            Some(condition) => place(images, access, condition, sites),
            None => Placed { sites, refused: Vec::new() },
        }
    }
}

/// The sites of a breakpoint, divided by whether its condition can be evaluated there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::native) struct Placed {
    /// Sites at which the condition can be evaluated, or all if there is no condition.
    pub(in crate::native) sites: Vec<Site>,
    /// Sites at which it cannot be evaluated whatever the variables hold, with the reason.
    pub(in crate::native) refused: Vec<(Site, Failure)>,
}

impl Placed {
    /// Returns the reason if the condition can be evaluated at no site.
    pub(in crate::native) fn refusal(&self) -> Option<&Failure> {
        self.refused.first().filter(|_| self.sites.is_empty()).map(|(_, failure)| failure)
    }
}

/// Separates the sites at which a condition can be evaluated from the others. Reads debug information.
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

/// Checks the condition in the innermost inlined function first, then in those around it: which of them an arriving
/// thread is in depends on how it got there.
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
