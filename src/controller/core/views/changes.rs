//! Detects changes since the previous stop: keeps the values at the last two stops in each function.

use super::glance::{Kind, Subject};
use crate::state::{ShownVariable, State};
use model::{Datum, ProcessState, Rank, ThreadId, Variable, VariableValue};
use std::collections::HashMap;

/// The most functions whose variables' values are kept.
const REMEMBERED: usize = 256;

/// The values at the last stop in a function, and at the one before.
#[derive(Debug, Default)]
struct Remembered {
    stop: u64,
    now: HashMap<String, Datum>,
    before: Option<HashMap<String, Datum>>,
}

/// The values shown at earlier stops, by rank, kind of list, thread and function.
#[derive(Debug, Default)]
pub(in crate::core) struct Changes(HashMap<(Rank, Kind, Option<ThreadId>, String), Remembered>);

impl Changes {
    /// Combines variables with their values at the previous stop in the same function.
    pub(in crate::core) fn compared(
        &mut self,
        state: &State,
        kind: &Kind,
        subject: &Subject,
        variables: Vec<Variable>,
    ) -> Vec<ShownVariable> {
        let key = (subject.lead, kind.clone(), subject.thread, function_at(state, subject));
        if self.0.len() >= REMEMBERED && !self.0.contains_key(&key) {
            self.0.clear();
        }
        let remembered = self.0.entry(key).or_default();
        if remembered.stop != subject.stop {
            let known = std::mem::take(&mut remembered.now);
            remembered.before = (remembered.stop != 0).then_some(known);
            remembered.stop = subject.stop;
        }
        remembered.now.clear();
        let mut shown = Vec::with_capacity(variables.len());
        let mut seen: HashMap<String, u32> = HashMap::new();
        for Variable { name, value } in variables {
            // Inner blocks may have variables of the same name.
            let nth = seen.entry(name.clone()).and_modify(|n| *n += 1).or_insert(0);
            let key = format!("{name}\n{nth}");
            let previous = remembered.before.as_ref().and_then(|values| values.get(&key)).cloned();
            let changed = match (&value, &previous) {
                (VariableValue::Known(now), Some(before)) => now.data != before.data,
                _ => false,
            };
            if let VariableValue::Known(datum) = &value {
                remembered.now.insert(key, datum.clone());
            }
            shown.push(ShownVariable { name, value, changed, previous });
        }
        shown
    }
}

fn function_at(state: &State, subject: &Subject) -> String {
    if subject.frame == 0
        && let Some(ProcessState::Stopped(stop)) = state.ranks.state(subject.lead)
    {
        return stop.frame.function.as_deref().unwrap_or("").to_owned();
    }
    let stack = state.inspection.stack.value();
    let frame = stack.and_then(|stack| stack.iter().find(|frame| frame.level == subject.frame));
    frame.and_then(|frame| frame.function.as_deref()).map_or_else(|| format!("{}", subject.frame), str::to_owned)
}
