//! Arrivals where inlined functions begin: finds the function that the thread counts as being in.

use super::points::Breakpoints;
use crate::native::inspect::inferior::{Inferior, Outside};
use crate::native::ptrace::Tid;
use debuginfo::{InlineFrame, inlined_at_entry};
use model::{StopReason, VirtualAddress};

/// Sets `$_hit_bpnum` to the point that stopped a thread, and `$_hit_locno` to the number of its site.
pub(in crate::native) fn note_hit(breakpoints: &Breakpoints, inferior: &mut Inferior, tid: Tid, reason: &StopReason) {
    let Some(id) = reason.point() else { return };
    let pc = inferior.pc(tid).ok().map(VirtualAddress);
    let sites = breakpoints.points.get(&id).map_or(&[][..], |point| &point.sites);
    let site = sites.iter().position(|site| pc.is_some() && site.address == pc).unwrap_or(0);
    inferior.note_number("_hit_bpnum", id.0 as i32);
    inferior.note_number("_hit_locno", i32::try_from(site + 1).unwrap_or(i32::MAX));
}

impl Breakpoints {
    /// Where inlined functions begin, a thread counts as outside them unless a breakpoint is on one or a step has
    /// entered it.
    pub(in crate::native) fn note_outside(&mut self, inferior: &mut Inferior, tid: Tid, reason: &StopReason) {
        let Ok(pc) = inferior.pc(tid) else { return };
        if inferior.outside.is_some_and(|outside| outside.tid == tid && outside.pc == pc) {
            return;
        }
        let count = match reason {
            StopReason::Breakpoint(_) => self.outside_by_breakpoints(inferior, VirtualAddress(pc)),
            _ => inlined_at_entry(inferior.images(), VirtualAddress(pc)),
        };
        inferior.outside = Some(Outside { tid, pc, count });
    }

    /// Notes a thread's arrival at a breakpoint: expressions are evaluated in the function that the breakpoint is on.
    pub(in crate::native) fn note_arrival(&mut self, inferior: &mut Inferior, tid: Tid) {
        let Ok(pc) = inferior.pc(tid) else { return };
        inferior.outside = Some(Outside { tid, pc, count: self.outside_by_breakpoints(inferior, VirtualAddress(pc)) });
    }

    /// Returns how many of the inlined functions that begin at an address a thread stopped by the breakpoints there has
    /// not entered: it is in the innermost function that one of them is on.
    fn outside_by_breakpoints(&self, inferior: &Inferior, pc: VirtualAddress) -> u32 {
        let count = inlined_at_entry(inferior.images(), pc);
        let located = inferior.images().locate(pc).filter(|_| count > 0);
        let Some((loaded, at)) = located else { return count };
        let frames = loaded.image.inline_frames(at);
        let enabled = self.points.values().filter(|breakpoint| breakpoint.request.enabled);
        let here: Vec<_> = enabled.flat_map(|one| &one.sites).filter(|site| site.address == Some(pc)).collect();
        let is_on = |frame: &InlineFrame| here.iter().any(|site| site.function.as_ref() == Some(&frame.function));
        frames.iter().take(count as usize).position(is_on).map_or(count, |entered| entered as u32)
    }
}
