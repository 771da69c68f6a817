//! The code on the screen: a page of instructions is requested when it is shown.

use super::glance::{Kind, Subject};
use super::view_refresh::ViewRefresh;
use crate::state::{Inspection, Lookup, State};
use model::{Answer, Context, ErrorCode, Failure, Operation, ProcessSet};

/// A request of the screen with its subject.
type Wanted = (Kind, Subject, ProcessSet, Operation);

impl ViewRefresh {
    /// Returns the request about the code on the screen.
    pub(super) fn wanted_of_code(state: &State, subject: &Subject, context: Context) -> Option<Wanted> {
        let wish = state.gaze.code?;
        // Code is compared by neither frame nor assignments, if an address is given.
        let subject = Subject { code: Some(wish), ..subject.clone() };
        let flavor = state.variables.disassembly_flavor();
        let operation = Operation::CodePage { context, at: wish.at, before: wish.before, count: wish.count, flavor };
        Some((Kind::Code, subject, ProcessSet::one(state.lead), operation))
    }

    /// Keeps the known instructions while others are requested.
    pub(super) fn code_is_loading(inspection: &mut Inspection) {
        let page = &mut inspection.code.page;
        *page = std::mem::take(page).reloading();
    }

    /// Records an answer about the code on the screen.
    pub(super) fn know_code(state: &mut State, subject: &Subject, answer: Result<Answer, Failure>) {
        let shown = &mut state.inspection.code;
        shown.answered = subject.code;
        shown.pages += 1;
        shown.page = match answer {
            Ok(Answer::Instructions(instructions)) => Lookup::Known(instructions),
            Ok(_) => Lookup::Failed(Failure::new(ErrorCode::BAD_MESSAGE, "unexpected reply from the rank")),
            Err(failure) => Lookup::Failed(failure),
        };
    }
}
