//! The array on the screen: its page, picture, statistics and matches are requested when they are shown.

use super::glance::{ArraySubject, Kind, Subject};
use super::view_refresh::ViewRefresh;
use crate::state::{ArrayTiles, ArrayWish, Inspection, Lookup, ShownArray, ShownPart, State};
use model::{Answer, ArrayFinding, ArrayLook, ArrayPart, Context, ErrorCode, Failure, Operation, ProcessSet, Rank};

/// A request of the screen with its subject.
type Wanted = (Kind, Subject, ProcessSet, Operation);

/// Returns the requests about an array.
fn wanted(wish: &ArrayWish, subject: &Subject, context: Context) -> Vec<Wanted> {
    let lead = ProcessSet::one(subject.lead);
    let about = |kind: Kind, look: Option<&ArrayLook>, operation: Operation| {
        let array = ArraySubject { expression: wish.expression.clone(), look: look.cloned() };
        (kind, Subject { array: Some(Box::new(array)), ..subject.clone() }, lead.clone(), operation)
    };
    let look = |look: &ArrayLook| Operation::Array {
        context,
        expression: wish.expression.clone(),
        look: Box::new(look.clone()),
    };
    let mut wanted = vec![about(Kind::Array, Some(&wish.shown), look(&wish.shown))];
    if wish.statistics {
        let operation = Operation::Statistics { context, expression: wish.expression.clone(), most: None };
        wanted.push(about(Kind::ArrayStatistics, None, operation));
    }
    wanted.extend(wish.sought.as_ref().map(|sought| about(Kind::ArrayMatch, Some(sought), look(sought))));
    wanted
}

impl ViewRefresh {
    /// Returns the requests about the array on the screen.
    pub(super) fn wanted_of_array(state: &State, subject: &Subject, context: Context) -> Vec<Wanted> {
        state.gaze.array.as_ref().map(|wish| wanted(wish, subject, context)).unwrap_or_default()
    }

    /// Returns the requests for the parts of other ranks.
    pub(super) fn wanted_tiles(&self, state: &mut State) -> Vec<Wanted> {
        let at_rest = state.ranks.at_rest();
        let Some((wish, tiles)) = state.gaze.array.as_ref().and_then(|wish| Some((wish, wish.tiles.as_ref()?))) else {
            state.inspection.array.tiles = ArrayTiles::default();
            return Vec::new();
        };
        let (thread, ranks) = (state.thread, tiles.tiling.ranks.intersection(&at_rest));
        let (expression, look) = (wish.expression.clone(), tiles.look.clone());
        let wanted = state.frames.parts(&ranks, thread).into_iter().map(|(frame, ranks)| {
            let subject = Subject {
                thread,
                frame,
                stop: self.moves,
                change: self.change,
                ranks: Some(ranks.clone()),
                array: Some(Box::new(ArraySubject { expression: expression.clone(), look: Some(look.clone()) })),
                ..Subject::of(Rank(0))
            };
            let context = Context { thread, frame };
            let operation = Operation::Array { context, expression: expression.clone(), look: Box::new(look.clone()) };
            (Kind::ArrayTiles(frame), subject, ranks, operation)
        });
        wanted.collect()
    }

    /// Records parts of other ranks. Ranks that have moved meanwhile are asked again.
    pub(super) fn know_tiles(&self, state: &mut State, subject: &Subject, ranks: &ProcessSet, answer: Option<Answer>) {
        let Some(ArraySubject { expression, look: Some(look) }) = subject.array.as_deref() else { return };
        let shown = &mut state.inspection.array;
        if (subject.stop, subject.change) != (self.moves, self.change) || shown.expression != *expression {
            return;
        }
        let part = match answer {
            Some(Answer::Array(part)) => Ok(*part),
            Some(Answer::Failed(failure)) => Err(failure),
            Some(_) => Err(Failure::new(ErrorCode::BAD_MESSAGE, "unexpected reply from the rank")),
            None => return,
        };
        shown.tiles.learn(look, ranks, part);
    }

    /// Keeps what is known of the array on the screen while it is requested again, unless it is about another one.
    pub(super) fn array_is_loading(inspection: &mut Inspection, kind: &Kind, subject: &Subject) {
        fn reload<T>(lookup: &mut Lookup<T>) {
            *lookup = std::mem::take(lookup).reloading();
        }
        let Some(array) = &subject.array else { return };
        let shown = &mut inspection.array;
        if shown.expression != array.expression {
            *shown = ShownArray { expression: array.expression.clone(), ..ShownArray::default() };
        }
        if shown.searched != (subject.lead, subject.stop) {
            // A match in the array of another rank, or at another stop, is not one in this array.
            (shown.searched, shown.found) = ((subject.lead, subject.stop), None);
        }
        match kind {
            Kind::ArrayStatistics => reload(&mut shown.statistics),
            Kind::ArrayMatch => shown.found = array.look.clone().map(|look| (look, Lookup::Loading(None))),
            _ => reload(&mut shown.shown),
        }
    }

    /// Records an answer about the array on the screen.
    pub(super) fn know_array(
        &mut self,
        state: &mut State,
        kind: &Kind,
        subject: &Subject,
        answer: Result<Answer, Failure>,
    ) {
        let Some(asked) = &subject.array else { return };
        let shown = &mut state.inspection.array;
        if shown.expression != asked.expression {
            return;
        }
        let part = match answer {
            Ok(Answer::Array(part)) => Ok(*part),
            Ok(Answer::Statistics(statistics)) if *kind == Kind::ArrayStatistics => {
                shown.statistics = Lookup::Known(*statistics);
                return;
            }
            Ok(_) => Err(Failure::new(ErrorCode::BAD_MESSAGE, "unexpected reply from the rank")),
            Err(failure) => Err(failure),
        };
        match (kind, part) {
            (Kind::ArrayStatistics, Err(failure)) => shown.statistics = Lookup::Failed(failure),
            (Kind::ArrayStatistics, Ok(_)) => {}
            (Kind::ArrayMatch, part) => {
                let answer = part.map_or_else(Lookup::Failed, Lookup::Known);
                shown.found = asked.look.clone().map(|look| (look, answer));
            }
            (_, Ok(part)) => {
                let changed = self.changed(subject, &asked.expression, &part);
                shown.shown = Lookup::Known(ShownPart { part, changed });
            }
            (_, Err(failure)) => shown.shown = Lookup::Failed(failure),
        }
    }

    fn changed(&mut self, subject: &Subject, expression: &str, part: &ArrayPart) -> Vec<bool> {
        match &part.finding {
            ArrayFinding::Page(page) => self.seen_elements.compared(subject, expression, page),
            ArrayFinding::Picture(_) | ArrayFinding::Match(_) => Vec::new(),
        }
    }
}
