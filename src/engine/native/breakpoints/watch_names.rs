//! Binds the names of a watchpoint's condition when it is set or changed.

use super::bound_names::BoundNames;
use super::points::UserBreakpoint;
use crate::native::inspect::inferior::Inferior;
use crate::native::tracer::phase::Phase;
use debuginfo::CodeScope;
use expr::Expression;
use model::{Context, Failure};

impl UserBreakpoint {
    /// Notes the code of the frame in which a watchpoint is set.
    pub(in crate::native) fn note_scope(&mut self, inferior: &mut Inferior) {
        let Some(context) = self.watch_context() else { return };
        let Ok(tid) = inferior.thread(context.thread) else { return };
        let scope = inferior.look(tid, |thread| thread.at(context.frame, |view| Ok(view.code_scope())));
        self.scope = scope.ok().flatten();
    }

    /// Gives a watchpoint that was set before the program started, as by a restart, the names of the main program.
    pub(in crate::native) fn bind_in_main_program(&mut self, inferior: &mut Inferior) {
        self.scope = CodeScope::of_main_program(inferior.images());
        self.bind_where_set(inferior);
    }

    /// Binds the names of the condition where the watchpoint was set, if they have a meaning there.
    pub(in crate::native) fn bind_where_set(&mut self, inferior: &mut Inferior) {
        self.names = self.condition.as_deref().and_then(|condition| self.names_where_set(inferior, condition));
    }

    /// Binds the names of a new watchpoint's condition in the frame where it is set; fails if they have no meaning there.
    pub(in crate::native) fn bind_condition(&mut self, inferior: &mut Inferior, phase: &Phase) -> Result<(), Failure> {
        let context = self.watch_context().unwrap_or_default();
        if let Some(condition) = self.condition.clone() {
            self.names = self.names_of(inferior, phase, context, &condition)?;
        }
        Ok(())
    }

    /// Finds what the names of a condition mean: in the frame that the watchpoint ends with, or else that of `context`,
    /// or else where the watchpoint was set.
    pub(in crate::native) fn names_of(
        &self,
        inferior: &mut Inferior,
        phase: &Phase,
        context: Context,
        condition: &Expression,
    ) -> Result<Option<BoundNames>, Failure> {
        if phase.require_stopped().is_err() {
            return Ok(self.names_where_set(inferior, condition));
        }
        let here = if let Some((tid, frame)) = self.watched_frame() {
            inferior.look(tid, |thread| BoundNames::of(condition, &thread.in_frame(Some(&frame))))
        } else {
            let tid = inferior.thread(context.thread)?;
            inferior.look(tid, |thread| thread.at(context.frame, |view| BoundNames::of(condition, view)))
        };
        here.or_else(|failure| self.names_where_set(inferior, condition).map(Some).ok_or(failure))
    }

    fn names_where_set(&self, inferior: &mut Inferior, condition: &Expression) -> Option<BoundNames> {
        let (scope, current) = (self.scope.as_ref()?, inferior.current);
        inferior.look(current, |thread| BoundNames::at(condition, scope, thread)).ok().flatten()
    }
}
