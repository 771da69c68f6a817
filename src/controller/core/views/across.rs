//! Values of expressions on many ranks: requested from the ranks whose values are not known.

use super::glance::{Kind, Subject};
use super::view_refresh::ViewRefresh;
use crate::state::{AcrossKey, State};
use model::{Answer, Context, ErrorCode, Failure, Operation, ProcessSet, Rank};

/// A request of the screen with its subject.
type Wanted = (Kind, Subject, ProcessSet, Operation);

impl ViewRefresh {
    /// Returns the requests for the values that the screen lacks.
    pub(super) fn wanted_across(&mut self, state: &mut State) -> Vec<Wanted> {
        let wishes = state.gaze.across.clone();
        state.inspection.across.keep(|key| wishes.iter().any(|wish| wish.key == *key));
        if self.across_change != self.change {
            self.across_change = self.change;
            state.inspection.across.keep(|_| false);
        }
        let at_rest = state.ranks.at_rest();
        let mut wanted = Vec::new();
        for wish in wishes {
            let among = wish.ranks.as_ref().map_or_else(|| at_rest.clone(), |ranks| ranks.intersection(&at_rest));
            for (frame, ranks) in state.frames.parts(&among, wish.key.thread) {
                let lacking = ranks.difference(&state.inspection.across.known(&wish.key, frame));
                if lacking.is_empty() {
                    continue;
                }
                let thread = wish.key.thread;
                let subject = Subject {
                    thread,
                    frame,
                    stop: self.moves,
                    change: self.change,
                    ranks: Some(lacking.clone()),
                    ..Subject::of(Rank(0))
                };
                let context = Context { thread, frame };
                let operation = Operation::Evaluate { context, expression: wish.key.expression.clone() };
                wanted.push((Kind::Across(wish.key.clone(), frame), subject, lacking, operation));
            }
        }
        wanted
    }

    /// Records the answer of ranks, and why `silent` ones gave none. Ranks that have moved meanwhile are asked again.
    pub(super) fn learn_across(
        &self,
        state: &mut State,
        (key, frame): (&AcrossKey, u32),
        subject: &Subject,
        (ranks, answer): (&ProcessSet, Option<Answer>),
        silent: Option<(&ProcessSet, Failure)>,
    ) {
        if (subject.stop, subject.change) != (self.moves, self.change) {
            return;
        }
        let across = &mut state.inspection.across;
        if let Some((silent, failure)) = silent {
            across.learn(key, silent, frame, Err(failure));
        }
        let value = match answer {
            Some(Answer::Data(datum)) => Ok(datum),
            Some(Answer::Failed(failure)) => Err(failure),
            Some(_) => Err(Failure::new(ErrorCode::BAD_MESSAGE, "unexpected reply from the rank")),
            None => return,
        };
        across.learn(key, ranks, frame, value);
    }
}
