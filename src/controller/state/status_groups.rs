//! Ranks grouped by state and place, for the status line and `status`.

use super::State;
use model::{
    BreakpointId, Caught, Cause, EngineName, FloatExceptions, FloatPlace, FramePlace, ProcessSet, ProcessState,
    StopReason, SystemCall, ThreadId, Watched, join_processes,
};
use std::collections::HashMap;

/// Ranks in the same state at the same place, for the status line and `status`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusGroup {
    /// The ranks of the group.
    pub ranks: ProcessSet,
    /// Their state, without load addresses. The thread of a stop is that of the lowest rank.
    pub state: ProcessState,
    /// The thread that stopped, if it is the same on all of them.
    pub thread: Option<ThreadId>,
    /// True if they ignore continue and step.
    pub held: bool,
    /// Their engine, if it is not the session's own.
    pub engine: Option<EngineName>,
}

impl StatusGroup {
    /// Builds a group of ranks that share a state and are not held.
    pub fn new(ranks: ProcessSet, state: &ProcessState) -> Self {
        let thread = match state {
            ProcessState::Stopped(stop) => Some(stop.thread),
            _ => None,
        };
        Self { ranks, state: state.without_addresses(), thread, held: false, engine: None }
    }

    /// Adds a group at the same place.
    fn join_group(&mut self, other: &Self) {
        self.join(&other.ranks, &other.state);
        if self.thread != other.thread {
            self.thread = None;
        }
    }

    /// Adds ranks at the same place. The group keeps only what all of its ranks share: ranks that finished the same
    /// function returned different values, and stopped in different threads.
    fn join(&mut self, ranks: &ProcessSet, state: &ProcessState) {
        if let (ProcessState::Stopped(own), ProcessState::Stopped(other)) = (&mut self.state, state) {
            if own.note != other.note {
                own.note = None;
            }
            if own.reason.is_alike(&other.reason) {
                own.reason.join(&self.ranks, &other.reason, ranks);
            } else {
                own.reason = StopReason::Finished(None);
            }
            if own.thread != other.thread {
                self.thread = None;
            }
            own.keep_shared_place(other);
        }
        self.ranks.extend_with(ranks);
    }
}

impl State {
    /// Groups ranks by state, stop reason and place, in the order of their lowest ranks. Threads are not distinguished,
    /// nor instructions of one line, or of one function without lines, nor the values of watchpoints.
    pub fn status_groups(&self, among: &ProcessSet) -> Vec<StatusGroup> {
        together(self.status_groups_by_value(among))
    }

    /// As [`State::status_groups`], with a group for each value of a watchpoint.
    pub fn status_groups_by_value(&self, among: &ProcessSet) -> Vec<StatusGroup> {
        let mut groups: Vec<StatusGroup> = Vec::new();
        let mut places = HashMap::new();
        for (ranks, state) in self.ranks.groups() {
            let ranks = ranks.intersection(among);
            for (engine, ranks) in self.engines.parts(&ranks) {
                for (ranks, held) in [(ranks.difference(&self.held), false), (ranks.intersection(&self.held), true)] {
                    if ranks.is_empty() {
                        continue;
                    }
                    let key = (StatusKey::of(state, Watches::ByValue), held, engine);
                    match places.get(&key).and_then(|&i: &usize| groups.get_mut(i)) {
                        Some(group) => group.join(&ranks, state),
                        None => {
                            places.insert(key, groups.len());
                            groups.push(StatusGroup { held, engine, ..StatusGroup::new(ranks, state) });
                        }
                    }
                }
            }
        }
        groups.sort_by_key(|group| group.ranks.first());
        joined_alike(groups)
    }
}

/// Joins ranks that were lost for the same reason into one group, whatever their processes are.
fn joined_alike(groups: Vec<StatusGroup>) -> Vec<StatusGroup> {
    let mut joined: Vec<StatusGroup> = Vec::with_capacity(groups.len());
    for group in groups {
        if !matches!(group.state, ProcessState::Failed(_) | ProcessState::Lost(_)) {
            joined.push(group);
            continue;
        }
        let mut others = joined.iter_mut().filter(|known| (known.held, known.engine) == (group.held, group.engine));
        let alike = others.find_map(|known| match (&mut known.state, &group.state) {
            (ProcessState::Failed(why), ProcessState::Failed(also))
            | (ProcessState::Lost(why), ProcessState::Lost(also)) => {
                join_processes(why, also).then_some(&mut known.ranks)
            }
            _ => None,
        });
        match alike {
            Some(ranks) => ranks.extend_with(&group.ranks),
            None => joined.push(group),
        }
    }
    joined
}

/// Joins groups that differ only in the values of a watchpoint: each rank may have its own.
pub fn together(groups: Vec<StatusGroup>) -> Vec<StatusGroup> {
    let is_watched = |group: &StatusGroup| match &group.state {
        ProcessState::Stopped(stop) => matches!(stop.reason, StopReason::Watchpoint(..)),
        _ => false,
    };
    if !groups.iter().any(is_watched) {
        return groups;
    }
    let mut joined: Vec<StatusGroup> = Vec::new();
    let mut places = HashMap::new();
    for group in &groups {
        let key = (StatusKey::of(&group.state, Watches::Together), group.held, group.engine);
        match places.get(&key).and_then(|&i: &usize| joined.get_mut(i)) {
            Some(known) if is_watched(group) => known.join_group(group),
            _ => {
                places.insert(key, joined.len());
                joined.push(group.clone());
            }
        }
    }
    joined
}

/// The grouping of ranks that stopped at one watchpoint.
#[derive(Clone, Copy)]
enum Watches {
    ByValue,
    Together,
}

/// The key of a group: ranks with equal keys are one group of `status`.
#[derive(PartialEq, Eq, Hash)]
enum StatusKey<'a> {
    Stopped(ReasonKey<'a>, Option<&'a Cause>, FramePlace<'a>),
    /// In a library; holds the place of the user's code, and the function that it called.
    Called(ReasonKey<'a>, Option<&'a Cause>, FramePlace<'a>, Option<&'a str>),
    Other(&'a ProcessState),
}

/// A reason without values that each rank has of its own: what a function returned, the operands of an instruction.
#[derive(PartialEq, Eq, Hash)]
enum ReasonKey<'a> {
    Finished,
    Float(BreakpointId, FloatExceptions, &'a str, Option<&'a FloatPlace>),
    /// Holds true for the end of the call.
    Call(BreakpointId, SystemCall, bool),
    /// Holds true for a change, false for an access.
    Watched(BreakpointId, bool),
    Other(&'a StopReason),
}

impl<'a> ReasonKey<'a> {
    fn of(reason: &'a StopReason, watches: Watches) -> Self {
        match (reason, watches) {
            (StopReason::Finished(_), _) => Self::Finished,
            (StopReason::Caught(id, Caught::Float(trap)), _) => {
                Self::Float(*id, trap.exceptions, &trap.instruction, trap.before.as_ref())
            }
            (StopReason::Caught(id, Caught::Call(call)), _) => Self::Call(*id, call.call, call.returned.is_some()),
            (StopReason::Watchpoint(id, watched), Watches::Together) => match watched {
                Watched::Changed { .. } | Watched::Several { old: Some(_), .. } => Self::Watched(*id, true),
                Watched::Accessed { .. } | Watched::Several { old: None, .. } => Self::Watched(*id, false),
                Watched::ScopeEnded | Watched::GivenUp => Self::Other(reason),
            },
            (other, _) => Self::Other(other),
        }
    }
}

impl<'a> StatusKey<'a> {
    fn of(state: &'a ProcessState, watches: Watches) -> Self {
        let ProcessState::Stopped(stop) = state else { return Self::Other(state) };
        let reason = ReasonKey::of(&stop.reason, watches);
        // Every failed assertion ends at the same place of the C library.
        let cause = stop.cause.as_deref();
        match stop.shown_user() {
            Some(user) => Self::Called(reason, cause, user.frame.place(), user.call.as_deref()),
            None => Self::Stopped(reason, cause, stop.frame.place()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::RankTable;
    use model::{CauseKind, CodePlace, Datum, Frame, Rank, Returned, SignalName, SourcePlace, Stop};

    fn returned(value: i32) -> ProcessState {
        let code = CodePlace { module: None, offset: 64, address: None };
        let source = Some(SourcePlace { file: "ring.c".into(), line: 21 });
        let frame = Frame {
            level: 0,
            function: Some("main".into()),
            source,
            code,
            inlined: false,
            guessed: false,
            thread: None,
        };
        let value = Datum { descriptor: "is4".into(), data: value.to_be_bytes().to_vec(), type_name: "int".into() };
        let reason = StopReason::Finished(Some(Returned { value, number: None }));
        ProcessState::Stopped(Box::new(Stop {
            reason,
            thread: ThreadId(1),
            frame,
            note: None,
            cause: None,
            user: None,
        }))
    }

    #[test]
    fn a_group_says_only_what_all_its_ranks_say() {
        let mut state = State { ranks: RankTable::new(4), ..State::default() };
        let all = ProcessSet::all(4);
        state.ranks.change(&all, &returned(855));
        let value = |state: &State| match &state.status_groups(&all)[..] {
            [StatusGroup { ranks, state: ProcessState::Stopped(stop), .. }] if *ranks == all => match &stop.reason {
                StopReason::Finished(value) => value.as_ref().map(|value| value.data.clone()),
                reason => panic!("{reason:?}"),
            },
            groups => panic!("{groups:?}"),
        };
        assert_eq!(value(&state), Some(vec![0, 0, 3, 0x57]));
        state.ranks.change(&ProcessSet::one(Rank(1)), &returned(1175));
        state.ranks.change(&ProcessSet::one(Rank(2)), &returned(856));
        assert_eq!(value(&state), None);
    }

    #[test]
    fn ranks_that_failed_for_different_causes_are_different_groups() {
        let mut state = State { ranks: RankTable::new(4), ..State::default() };
        for (rank, text) in [(0, "n > 0"), (1, "n < 9"), (2, "n > 0"), (3, "n > 0")] {
            let ProcessState::Stopped(mut stop) = returned(1) else { panic!() };
            stop.reason = StopReason::Signal(SignalName::parse("SIGABRT").unwrap());
            stop.cause = Some(Box::new(Cause { kind: CauseKind::Assert, text: text.into(), source: None }));
            state.ranks.change(&ProcessSet::one(Rank(rank)), &ProcessState::Stopped(stop));
        }
        let groups = state.status_groups(&ProcessSet::all(4));
        let shown: Vec<_> = groups
            .iter()
            .map(|group| match &group.state {
                ProcessState::Stopped(stop) => (group.ranks.to_string(), stop.cause.as_ref().unwrap().text.clone()),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(shown, [("0,2-3".to_owned(), "n > 0".to_owned()), ("1".to_owned(), "n < 9".to_owned())]);
    }

    #[test]
    fn ranks_in_one_function_without_lines_are_one_group_whatever_their_instructions() {
        let mut state = State { ranks: RankTable::new(5), ..State::default() };
        let halted = |function: Option<&str>, module: &str, offset| match returned(1) {
            ProcessState::Stopped(stop) => {
                let code = CodePlace { module: Some(module.into()), offset, address: None };
                let frame = Frame { function: function.map(Into::into), source: None, code, ..stop.frame };
                ProcessState::Stopped(Box::new(Stop { reason: StopReason::Interrupted, frame, ..*stop }))
            }
            other => other,
        };
        let stops = [
            halted(Some("opal_progress"), "libopen-pal.so", 0x40),
            halted(Some("opal_progress"), "libopen-pal.so", 0x48),
            halted(Some("opal_progress"), "libother.so", 0x40),
            halted(None, "libopen-pal.so", 0x40),
            halted(None, "libopen-pal.so", 0x48),
        ];
        for (rank, stop) in (0..).map(Rank).zip(&stops) {
            state.ranks.change(&ProcessSet::one(rank), stop);
        }
        let groups = state.status_groups(&ProcessSet::all(5)).into_iter().map(|group| group.ranks.to_string());
        assert_eq!(groups.collect::<Vec<_>>(), ["0-1", "2", "3", "4"]);
    }

    #[test]
    fn ranks_that_are_held_are_a_group_of_their_own() {
        let mut state = State { ranks: RankTable::new(4), held: ProcessSet::range(1, 3), ..State::default() };
        let all = ProcessSet::all(4);
        let groups = |state: &State| {
            let groups = state.status_groups(&all).into_iter();
            groups.map(|group| (group.ranks.to_string(), group.state.word(), group.held)).collect::<Vec<_>>()
        };
        assert_eq!(groups(&state), [("0,3".into(), "starting", false), ("1-2".into(), "starting", true)]);
        state.ranks.change(&all, &returned(1));
        assert_eq!(groups(&state), [("0,3".into(), "stopped", false), ("1-2".into(), "stopped", true)]);
    }

    #[test]
    fn a_group_names_the_thread_only_when_all_its_ranks_stopped_in_it() {
        let mut state = State { ranks: RankTable::new(3), ..State::default() };
        let all = ProcessSet::all(3);
        let in_thread = |thread| match returned(1) {
            ProcessState::Stopped(stop) => ProcessState::Stopped(Box::new(Stop { thread: ThreadId(thread), ..*stop })),
            other => other,
        };
        state.ranks.change(&all, &in_thread(2));
        let threads = |state: &State| state.status_groups(&all).iter().map(|group| group.thread).collect::<Vec<_>>();
        assert_eq!(threads(&state), [Some(ThreadId(2))]);
        state.ranks.change(&ProcessSet::one(Rank(1)), &in_thread(3));
        assert_eq!(threads(&state), [None]);
    }
}
