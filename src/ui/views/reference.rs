//! The variables of the lead rank beside those in a snapshot, or of other ranks.

use crate::screen::set_text;
use crate::view::View;
use crate::views::variables_state::Reference;
use controller::State;
use controller::report::is_same_function;
use controller::state::{AcrossKey, AcrossWish, KeptValue, Lookup, ShownVariable, Snapshot};
use model::{Datum, Frame, ProcessSet, ProcessState, VariableValue};

/// Other ranks that are asked: of more, the first ones stand for all.
const MOST_RANKS: usize = 1024;

/// Bytes of a value that is compared: the screen does not read large arrays from many ranks.
const MOST_BYTES: usize = 4096;

/// The source of the values that the variables are compared with.
pub(super) struct Compared<'a> {
    with: With<'a>,
    state: &'a State,
}

enum With<'a> {
    Snapshot {
        snapshot: &'a Snapshot,
        /// True if the lead is in the function in which it was.
        at_home: bool,
    },
    Ranks(&'a ProcessSet),
}

impl<'a> Compared<'a> {
    /// Returns the chosen source; `None` if values are compared with the last stop.
    pub(super) fn chosen(state: &'a State, view: &'a View) -> Option<Self> {
        let with = match &view.variables.reference {
            Reference::LastStop => return None,
            Reference::Snapshot(name) => {
                let snapshot = state.snapshots.get(name)?;
                let there = snapshot.place_of(state.lead).filter(|_| snapshot.thread == state.thread);
                let at_home = there.zip(shown_frame(state)).is_some_and(|(there, here)| is_same_function(there, here));
                With::Snapshot { snapshot, at_home }
            }
            Reference::Ranks(ranks) => With::Ranks(ranks),
        };
        Some(Self { with, state })
    }

    /// Puts the other value in the place of that at the last stop; also returns the words before it if the two differ.
    pub(super) fn compared(
        &self,
        variable: &ShownVariable,
        expression: &str,
        is_displayed: bool,
    ) -> (ShownVariable, String) {
        let (previous, words) = match &self.with {
            With::Snapshot { snapshot, at_home } => {
                let kept = snapshot.variable(expression, is_displayed).filter(|_| is_displayed || *at_home);
                let value = match kept.and_then(|kept| kept.on(self.state.lead)) {
                    Some(KeptValue::Known(datum)) => Some(datum.clone()),
                    _ => None,
                };
                (value, "was".to_owned())
            }
            With::Ranks(ranks) => match of_most(self.state, expression, ranks) {
                Some((of, datum)) => (Some(datum.clone()), format!("[{}]", set_text(&of, 16))),
                None => (None, String::new()),
            },
        };
        let changed = match (&variable.value, &previous) {
            (VariableValue::Known(now), Some(before)) => now.data != before.data,
            _ => false,
        };
        (ShownVariable { changed, previous, ..variable.clone() }, words)
    }

    /// Says what the values are compared with; `Err`: why they are not.
    pub(super) fn words(&self) -> Result<String, String> {
        match &self.with {
            With::Ranks(ranks) => {
                let set = set_text(ranks, 16);
                if ranks.meets(&self.state.ranks.at_rest()) {
                    Ok(format!("beside {set}"))
                } else {
                    Err(format!("beside {set}: not stopped"))
                }
            }
            With::Snapshot { snapshot, at_home } => {
                let Snapshot { name, thread, .. } = snapshot;
                match snapshot.place_of(self.state.lead) {
                    None => Err(format!("not in snapshot {name}")),
                    Some(_) if *thread != self.state.thread => Err(format!("snapshot {name}: another thread")),
                    Some(_) if *at_home => Ok(format!("since snapshot {name}")),
                    Some(frame) => Err(format!("snapshot {name}: {}", crate::words::function_words(frame))),
                }
            }
        }
    }
}

/// The value that most of some ranks have, with these ranks.
fn of_most<'a>(state: &'a State, expression: &str, ranks: &ProcessSet) -> Option<(ProcessSet, &'a Datum)> {
    let here = state.inspection.across.of(&key(expression)).iter();
    let known = here.filter_map(|value| Some((value.ranks.intersection(ranks), value.value.as_ref().ok()?)));
    known.filter(|(of, _)| !of.is_empty()).max_by_key(|(of, _)| (of.len(), std::cmp::Reverse(of.first())))
}

fn key(expression: &str) -> AcrossKey {
    AcrossKey { expression: expression.to_owned(), thread: None }
}

/// The values of other ranks that the view needs.
pub(super) fn wishes(state: &State, view: &View) -> Vec<AcrossWish> {
    let Reference::Ranks(ranks) = &view.variables.reference else { return Vec::new() };
    let among: ProcessSet = ranks.intersection(&state.ranks.at_rest()).iter().take(MOST_RANKS).collect();
    let lists = [&state.inspection.arguments, &state.inspection.locals];
    let variables = lists.into_iter().flat_map(|lookup| lookup.value().into_iter().flatten());
    let variables = variables.map(|variable| (variable.name.as_str(), variable));
    let displayed = state.inspection.expressions.iter();
    let displayed = displayed.filter_map(|(expression, lookup): &(String, Lookup<ShownVariable>)| {
        Some((expression.as_str(), lookup.value()?))
    });
    let mut wishes: Vec<AcrossWish> = Vec::new();
    for (expression, variable) in variables.chain(displayed) {
        let is_small = matches!(&variable.value, VariableValue::Known(datum) if datum.data.len() <= MOST_BYTES);
        let wish = AcrossWish { key: key(expression), ranks: Some(among.clone()) };
        if is_small && !wishes.contains(&wish) {
            wishes.push(wish);
        }
    }
    wishes
}

/// The frame of the lead whose variables are shown.
fn shown_frame(state: &State) -> Option<&Frame> {
    let level = state.frame();
    let stack = state.inspection.stack.value();
    let known = stack.and_then(|stack| stack.iter().find(|frame| frame.level == level));
    known.or(match state.ranks.state(state.lead) {
        Some(ProcessState::Stopped(stop)) if level == 0 => Some(&stop.frame),
        _ => None,
    })
}
