//! The state of every rank, stored as sets of ranks that share a state.

use model::{Event, ProcessSet, ProcessState};

/// Returns the state of the ranks after an event; `None` for events that do not change it.
pub fn state_after(event: &Event) -> Option<ProcessState> {
    Some(match event {
        Event::Acquired { .. } => ProcessState::Starting,
        Event::Running => ProcessState::Running,
        Event::Stopped(stop) => ProcessState::Stopped(Box::new(stop.clone())),
        Event::Exited(code) => ProcessState::Exited(*code),
        Event::Killed(termination) => ProcessState::Killed(termination.clone()),
        Event::Detached => ProcessState::Detached,
        Event::Failed(why) => ProcessState::Failed(why.clone()),
        Event::Lost(why) => ProcessState::Lost(why.clone()),
        _ => return None,
    })
}

/// Returns the event for a state; `None` for [`ProcessState::Starting`], which `Acquired` reports with a process ID.
pub fn event_saying(state: &ProcessState) -> Option<Event> {
    Some(match state {
        ProcessState::Starting => return None,
        ProcessState::Running => Event::Running,
        ProcessState::Stopped(stop) => Event::Stopped((**stop).clone()),
        ProcessState::Exited(code) => Event::Exited(*code),
        ProcessState::Killed(termination) => Event::Killed(termination.clone()),
        ProcessState::Detached => Event::Detached,
        ProcessState::Failed(why) => Event::Failed(why.clone()),
        ProcessState::Lost(why) => Event::Lost(why.clone()),
    })
}

/// States with the ranks in each. Every rank is in at most one of the sets.
#[derive(Clone, Debug, Default)]
pub struct States {
    entries: Vec<(ProcessSet, ProcessState)>,
}

impl States {
    /// Sets the state of ranks; returns those that changed. A rank that has ended stays so until it starts again.
    pub fn change(&mut self, ranks: &ProcessSet, state: &ProcessState) -> ProcessSet {
        let mut changed = ranks.clone();
        for (those, before) in &self.entries {
            if those.meets(&changed) && (before == state || !before.may_become(state)) {
                changed.remove_all(those);
            }
        }
        if changed.is_empty() {
            return changed;
        }
        for (those, _) in &mut self.entries {
            those.remove_all(&changed);
        }
        match self.entries.iter_mut().find(|(_, known)| known == state) {
            Some((those, _)) => those.extend_with(&changed),
            None => self.entries.push((changed.clone(), state.clone())),
        }
        self.entries.retain(|(those, _)| !those.is_empty());
        changed
    }

    /// Returns the states with the ranks in each.
    pub fn entries(&self) -> &[(ProcessSet, ProcessState)] {
        &self.entries
    }

    /// Returns the ranks whose state satisfies a condition.
    pub fn ranks_that(&self, condition: impl Fn(&ProcessState) -> bool) -> ProcessSet {
        let mut found = ProcessSet::new();
        self.entries.iter().filter(|(_, state)| condition(state)).for_each(|(ranks, _)| found.extend_with(ranks));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    #[test]
    fn ranks_with_one_state_share_an_entry() {
        let mut states = States::default();
        assert_eq!(states.change(&set("0-3"), &ProcessState::Running), set("0-3"));
        assert_eq!(states.change(&set("2"), &ProcessState::Exited(1)), set("2"));
        assert_eq!(states.change(&set("0-3"), &ProcessState::Running), set(""));
        assert_eq!(states.change(&set("1-2"), &ProcessState::Exited(1)), set("1"));
        let expected = [(set("0,3"), ProcessState::Running), (set("1-2"), ProcessState::Exited(1))];
        assert_eq!(states.entries(), expected);
        assert_eq!(states.ranks_that(ProcessState::is_ended), set("1-2"));
    }

    #[test]
    fn what_ended_comes_back_only_by_starting() {
        let mut states = States::default();
        states.change(&set("0-1"), &ProcessState::Lost("gone".into()));
        assert!(states.change(&set("0"), &ProcessState::Running).is_empty());
        assert_eq!(states.change(&set("0"), &ProcessState::Starting), set("0"));
        assert_eq!(states.change(&set("0"), &ProcessState::Running), set("0"));
    }

    #[test]
    fn states_and_events_say_the_same() {
        for state in [
            ProcessState::Running,
            ProcessState::Exited(3),
            ProcessState::Detached,
            ProcessState::Failed("y".into()),
            ProcessState::Lost("x".into()),
        ] {
            assert_eq!(event_saying(&state).as_ref().and_then(state_after), Some(state));
        }
    }
}
