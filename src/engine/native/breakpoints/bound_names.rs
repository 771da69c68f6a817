//! The names of a watchpoint's condition, bound to the code where it was set: the write may happen in any function.

use crate::native::inspect::StoppedThread;
use debuginfo::types::NamedValue;
use debuginfo::{Block, CodeScope, StackFrame};
use expr::{Expression, FrameContext};
use model::Failure;
use std::cell::RefCell;

/// The meaning of a condition's names.
#[derive(Clone, Debug)]
pub(in crate::native) struct BoundNames {
    scope: CodeScope,
    /// The innermost block that declares one of the variables; `None` if they need no frame.
    block: Option<Block>,
}

/// The reason why a condition could not be tested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::native) enum Untested {
    /// In gdb's words.
    #[error("Watchpoint condition cannot be tested in the current scope")]
    OutOfScope,
    #[error("Watchpoint condition cannot be tested: the stack is too deep to find the frame of its variables in time")]
    TooDeep,
    #[error("{}", .0.message)]
    Failed(Failure),
}

impl From<Failure> for Untested {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl BoundNames {
    /// Binds the names of a condition as a frame has them; fails if it cannot be evaluated there. `None` without debug
    /// information.
    pub(in crate::native) fn of(condition: &Expression, view: &FrameContext<'_>) -> Result<Option<Self>, Failure> {
        let innermost: RefCell<Option<Block>> = RefCell::new(None);
        let hears = |named: &NamedValue| {
            let Some(block) = view.declaring_block(named) else { return };
            let mut innermost = innermost.borrow_mut();
            if innermost.as_ref().is_none_or(|known| block.is_inside(known)) {
                *innermost = Some(block);
            }
        };
        condition.check(&view.eval().observed(&hears))?;
        Ok(view.code_scope().map(|scope| Self { scope, block: innermost.into_inner() }))
    }

    /// Binds the names of a condition as they are at other code than a frame's.
    pub(in crate::native) fn at(
        condition: &Expression,
        scope: &CodeScope,
        thread: &StoppedThread<'_>,
    ) -> Result<Option<Self>, Failure> {
        let Some(frame) = scope.bare_frame(thread.images) else { return Ok(None) };
        Self::of(condition, &thread.in_frame(Some(&frame)))
    }

    /// True if the condition holds in the innermost frame that has its variables.
    pub(in crate::native) fn hold(&self, condition: &Expression, thread: &StoppedThread<'_>) -> Result<bool, Untested> {
        let frame = self.frame(thread)?;
        let bound = frame.as_ref().and_then(|frame| thread.bound(&self.scope, frame));
        let holds = match bound {
            Some(view) => condition.condition(&view.eval()).map_err(Failure::from),
            // The file that it was set in is not loaded any more.
            None => thread.at(0, |view| Ok(condition.condition(&view.eval())?)),
        };
        Ok(holds?)
    }

    /// Returns the level of the innermost frame that has the variables; `None` if there is none.
    pub(in crate::native) fn level(&self, thread: &StoppedThread<'_>) -> Option<u32> {
        let wanted = self.frame(thread).ok()??;
        let same = |frame: &StackFrame| frame.cfa == wanted.cfa && frame.inline_depth == wanted.inline_depth;
        thread.stack(0, None).frames.into_iter().find(same).map(|frame| frame.frame.level)
    }

    /// Returns the level of the frame that has the variables as seen from a frame: its own, or, if all of them are
    /// those of functions around its function, that of the innermost of these.
    pub(in crate::native) fn level_seen_from(
        names: &Expression,
        thread: &StoppedThread<'_>,
        level: u32,
    ) -> Result<u32, Failure> {
        let around = thread.at(level, |view| {
            let block = Self::of(names, view)?.and_then(|bound| bound.block);
            Ok(block.and_then(|block| view.frame_around(&block)))
        })?;
        let Some(wanted) = around else { return Ok(level) };
        let same = |frame: &StackFrame| frame.cfa == wanted.cfa && frame.inline_depth == wanted.inline_depth;
        Ok(thread.stack(level, None).frames.into_iter().find(same).map_or(level, |frame| frame.frame.level))
    }

    fn frame(&self, thread: &StoppedThread<'_>) -> Result<Option<StackFrame>, Untested> {
        let Some(block) = &self.block else { return Ok(thread.frame(0).ok()) };
        let budget = thread.access.budget();
        let goes_on = || budget.is_none_or(|budget| budget.read(0).is_ok());
        let found = block.innermost_frame(thread.images, &thread.registers, thread.access, goes_on);
        found.map_err(|_| Untested::TooDeep)?.ok_or(Untested::OutOfScope).map(Some)
    }
}
