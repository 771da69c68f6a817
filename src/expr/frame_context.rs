//! One frame of a stopped thread, for evaluating expressions.

use crate::EvalError;
use crate::context::{EvalContext, TypePrinters};
use crate::expression::Expression;
use crate::printers::rules::table::PrinterTable;
use crate::stopped_access::StoppedAccess;
use debuginfo::{CodeScope, FrameView, LoadedImages, StackFrame};
use std::ops::Deref;
use std::sync::Arc;

/// One frame of a stopped thread of a rank, for evaluating expressions.
pub struct FrameContext<'a> {
    view: FrameView<'a>,
    access: &'a dyn StoppedAccess,
}

impl<'a> FrameContext<'a> {
    /// Creates the context of a frame. `frame` `None`: only what needs no frame is available.
    pub fn new(images: &'a LoadedImages, frame: Option<&'a StackFrame>, access: &'a dyn StoppedAccess) -> Self {
        Self { view: FrameView::new(images, frame, access), access }
    }

    /// Creates the context of a frame in which names mean what they do in other code; `None` if that is not loaded.
    pub fn bound(
        images: &'a LoadedImages,
        scope: &CodeScope,
        frame: &'a StackFrame,
        access: &'a dyn StoppedAccess,
    ) -> Option<Self> {
        Some(Self { view: FrameView::bound(images, scope, frame, access)?, access })
    }

    /// Returns the context for evaluating expressions in this frame.
    pub fn eval(&self) -> EvalContext<'_> {
        let context = EvalContext::new(&self.view, &self.view);
        context.of_rank(self.access.value_history(), self.access.budget()).with_printers(
            self.access.printers().map(|table| table as &dyn TypePrinters),
            Some(PrinterTable::shipped_with(self.access.printers())),
        )
    }

    /// Parses an expression, once for all ranks of the engine.
    pub fn parse(&self, text: &str) -> Result<Arc<Expression>, EvalError> {
        self.access.parse(text)
    }

    /// Returns the frame without the rank's history and budget.
    pub fn view(&self) -> &FrameView<'a> {
        &self.view
    }
}

impl<'a> Deref for FrameContext<'a> {
    type Target = FrameView<'a>;

    fn deref(&self) -> &Self::Target {
        &self.view
    }
}
