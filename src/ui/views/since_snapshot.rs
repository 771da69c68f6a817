//! The variables of the lead rank beside their values in a snapshot.

use crate::view::View;
use controller::State;
use controller::report::is_same_function;
use controller::state::{KeptValue, ShownVariable, Snapshot};
use model::{Frame, ProcessState, VariableValue};

/// The snapshot that the variables are compared with.
pub(super) struct Since<'a> {
    snapshot: &'a Snapshot,
    state: &'a State,
    /// True if the lead is in the function in which it was.
    at_home: bool,
}

impl<'a> Since<'a> {
    /// Returns the chosen snapshot; `None` if values are compared with the last stop.
    pub(super) fn chosen(state: &'a State, view: &View) -> Option<Self> {
        let snapshot = state.snapshots.get(view.variables.since.as_deref()?)?;
        let there = snapshot.place_of(state.lead).filter(|_| snapshot.thread == state.thread);
        let at_home = there.zip(shown_frame(state)).is_some_and(|(there, here)| is_same_function(there, here));
        Some(Self { snapshot, state, at_home })
    }

    /// Puts the value of the snapshot in the place of that at the last stop.
    pub(super) fn compared(&self, variable: &ShownVariable, expression: &str, is_displayed: bool) -> ShownVariable {
        let kept = self.snapshot.variable(expression, is_displayed).filter(|_| is_displayed || self.at_home);
        let previous = match kept.and_then(|kept| kept.on(self.state.lead)) {
            Some(KeptValue::Known(datum)) => Some(datum.clone()),
            _ => None,
        };
        let changed = match (&variable.value, &previous) {
            (VariableValue::Known(now), Some(before)) => now.data != before.data,
            _ => false,
        };
        ShownVariable { changed, previous, ..variable.clone() }
    }

    /// Says what the values are compared with; `Err`: why they are not.
    pub(super) fn words(&self) -> Result<String, String> {
        let Snapshot { name, thread, .. } = self.snapshot;
        match self.snapshot.place_of(self.state.lead) {
            None => Err(format!("not in snapshot {name}")),
            Some(_) if *thread != self.state.thread => Err(format!("snapshot {name}: another thread")),
            Some(_) if self.at_home => Ok(format!("since snapshot {name}")),
            Some(frame) => Err(format!("snapshot {name}: {}", crate::words::function_words(frame))),
        }
    }
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
