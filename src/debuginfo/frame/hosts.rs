//! Variables of the functions around a nested one: procedures behind `contains` of Fortran and nested functions of GNU C
//! see them. Which frame has them is told by the static link (DWARF 5, 3.3.5), if the function has one.

use super::binding::{Block, FunctionCode, innermost_in};
use super::scope::FrameScope;
use super::view::FrameView;
use crate::images::loaded::LoadedImage;
use crate::types::description::NamedValue;
use crate::unwind::stack::StackFrame;
use crate::variables::locator::ThreadMemory;
use model::{FileAddress, VirtualAddress};
use std::ops::Range;

/// Functions are not nested deeper than this.
const DEEPEST: usize = 8;

/// The limit on frames between a function and the one around it, such as those of a library that calls back.
const MOST_FRAMES: usize = 4096;

/// Looks up a variable or parameter of the functions around the frame's, inner ones first.
pub(super) fn of_host(view: &FrameView<'_>, name: &str) -> Option<NamedValue> {
    of_host_within(view, name, DEEPEST)
}

fn of_host_within(view: &FrameView<'_>, name: &str, most: usize) -> Option<NamedValue> {
    let host = view.host_view().filter(|_| most > 0)?;
    match host.local(name) {
        Some((loaded, scope, unit, entry)) => host.locator(loaded, Some(scope))?.value(unit, &entry),
        None => of_host_within(&host, name, most - 1),
    }
}

impl FrameView<'_> {
    /// Returns a view of the frame of the function around the frame's; if the stack has none, of code there, in which
    /// names resolve but few have values.
    pub(super) fn host_view(&self) -> Option<FrameView<'_>> {
        let frame = self.host.get_or_init(|| host_frame(self)).as_ref()?;
        Some(FrameView::new(self.images, Some(frame), self.thread))
    }

    /// Returns the frame of the function around the frame's that has a block; `None` if the frame itself has it.
    pub fn frame_around(&self, block: &Block) -> Option<StackFrame> {
        let (_, scope) = self.scope.as_ref()?;
        let outwards = scope.nesting().checked_sub(block.nesting()).filter(|outwards| *outwards > 0)?;
        let host = self.host_view()?;
        if outwards == 1 { host.frame.cloned() } else { host.frame_around(block) }
    }
}

impl FrameScope<'_> {
    /// The number of functions around the frame's.
    pub(super) fn nesting(&self) -> usize {
        std::iter::successors(self.host(), |host| self.host_of(*host)).take(DEEPEST).count()
    }
}

fn host_frame(view: &FrameView<'_>) -> Option<StackFrame> {
    let (loaded, scope) = view.scope.as_ref()?;
    let host = scope.host()?;
    let parts = scope.code_of_host(host);
    let code = FunctionCode { image: loaded.image.index(), parts: &parts };
    let is_host = |frame: &StackFrame, base: Option<VirtualAddress>| {
        let Some(found) = FrameScope::of(loaded, frame).filter(|found| found.is_of(host)) else { return false };
        let own_base = || Some(VirtualAddress(view.locator(loaded, Some(&found))?.frame_base().ok()?));
        base.is_none() || base == own_base()
    };
    let memory = ThreadMemory(view.thread);
    let with_base = |base| {
        let mut left = MOST_FRAMES;
        let goes_on = || {
            left -= 1;
            left > 0
        };
        let found = innermost_in(&code, view.images, view.frame?, &memory, goes_on, |frame| is_host(frame, base));
        found.ok().flatten()
    };
    // As in gdb, a link that leads nowhere is none: gfortran's are often 0.
    let linked = static_link(view).and_then(|base| with_base(Some(base)));
    linked.or_else(|| with_base(None)).or_else(|| bare(loaded, &parts))
}

/// Returns the frame base of the function around the frame's; `None` if it does not say where that is.
fn static_link(view: &FrameView<'_>) -> Option<VirtualAddress> {
    let (loaded, scope) = view.scope.as_ref()?;
    let (unit, function) = scope.function();
    let value = function.attr_value(gimli::DW_AT_static_link).filter(|_| scope.is_whole_function())?;
    let locator = view.locator(loaded, Some(scope)).filter(|_| scope.has_own_registers())?;
    locator.address_of(unit, locator.expression(unit, value).ok()??)
}

/// Returns a frame that is about to execute the first line of the function.
fn bare(loaded: &LoadedImage, parts: &[Range<u64>]) -> Option<StackFrame> {
    let code = loaded.image.after_prologue(FileAddress(parts.first()?.start));
    Some(StackFrame::at_address(loaded.bias.loaded(code)))
}
