//! The states of all ranks, kept by ranks that share one, so that an event of 65,536 ranks costs one entry.

pub(super) mod hosts;

use hosts::JobHosts;
use model::{ProcessSet, ProcessState, Rank};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A state without its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StateKind {
    /// Expected, but not reported yet.
    Starting,
    /// Executing code.
    Running,
    /// Stopped under the debugger.
    Stopped,
    /// Exited by itself.
    Exited,
    /// Killed by a signal.
    Killed,
    /// Detached from the debugger.
    Detached,
    /// Failed to start.
    Failed,
    /// Unreachable since its host or server was lost.
    Lost,
}

impl StateKind {
    /// All kinds, in the order of the variants.
    pub const ALL: [Self; 8] = [
        Self::Starting,
        Self::Running,
        Self::Stopped,
        Self::Exited,
        Self::Killed,
        Self::Detached,
        Self::Failed,
        Self::Lost,
    ];

    /// Returns the kind of a state.
    pub fn of(state: &ProcessState) -> Self {
        match state {
            ProcessState::Starting => Self::Starting,
            ProcessState::Running => Self::Running,
            ProcessState::Stopped(_) => Self::Stopped,
            ProcessState::Exited(_) => Self::Exited,
            ProcessState::Killed(_) => Self::Killed,
            ProcessState::Detached => Self::Detached,
            ProcessState::Failed(_) => Self::Failed,
            ProcessState::Lost(_) => Self::Lost,
        }
    }
}

/// One rank as the table knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankView<'a> {
    /// The rank's state.
    pub state: &'a ProcessState,
    /// The rank's host; empty if not known.
    pub host: &'a str,
    /// The process id there; 0 if not known.
    pub pid: u32,
}

#[derive(Clone, Debug)]
struct Group {
    ranks: ProcessSet,
    state: Arc<ProcessState>,
}

/// The states of all ranks of a job.
#[derive(Clone, Debug, Default)]
pub struct RankTable {
    groups: FxHashMap<u32, Group>,
    by_state: FxHashMap<Arc<ProcessState>, u32>,
    next: u32,
    group_of: Vec<u32>,
    kinds: [ProcessSet; 8],
    hosts: Box<JobHosts>,
    pids: Vec<u32>,
    /// Ranks that were continued and have not reported `Running` yet: they are not stopped, whatever their state is.
    in_flight: ProcessSet,
    /// Ranks that were asked to be detached and did not refuse.
    detaching: ProcessSet,
    /// Ranks that have not answered a request in time, nor been heard from since.
    silent: ProcessSet,
}

impl RankTable {
    /// Builds a table of `size` ranks that are starting.
    pub fn new(size: u32) -> Self {
        let mut table = Self {
            group_of: vec![0; size as usize],
            hosts: Box::new(JobHosts::new(size)),
            pids: vec![0; size as usize],
            ..Self::default()
        };
        if size > 0 {
            let all = ProcessSet::all(size);
            let state = Arc::new(ProcessState::Starting);
            table.by_state.insert(state.clone(), 0);
            table.groups.insert(0, Group { ranks: all.clone(), state });
            table.next = 1;
            table.kinds[StateKind::Starting as usize] = all;
        }
        table
    }

    /// Returns the number of ranks.
    pub fn len(&self) -> usize {
        self.group_of.len()
    }

    /// True if there are no ranks.
    pub fn is_empty(&self) -> bool {
        self.group_of.is_empty()
    }

    /// Returns one rank; `None` beyond the job's size.
    pub fn get(&self, rank: Rank) -> Option<RankView<'_>> {
        let state = self.state(rank)?;
        let pid = self.pids.get(rank.index()).copied().unwrap_or(0);
        Some(RankView { state, host: self.hosts.name_of(rank), pid })
    }

    /// Returns the state of a rank; `None` beyond the job's size.
    pub fn state(&self, rank: Rank) -> Option<&ProcessState> {
        self.groups.get(self.group_of.get(rank.index())?).map(|group| &*group.state)
    }

    /// Iterates over ranks that share a state in every detail; in no order.
    pub fn groups(&self) -> impl Iterator<Item = (&ProcessSet, &ProcessState)> {
        self.groups.values().map(|group| (&group.ranks, &*group.state))
    }

    /// Returns the ranks whose state is of a kind.
    pub fn of_kind(&self, kind: StateKind) -> &ProcessSet {
        &self.kinds[kind as usize]
    }

    /// Returns the stopped ranks, including those just continued.
    pub fn stopped(&self) -> &ProcessSet {
        self.of_kind(StateKind::Stopped)
    }

    /// Returns the stopped ranks that were not continued.
    pub fn at_rest(&self) -> ProcessSet {
        self.stopped().difference(&self.in_flight)
    }

    /// Returns the ranks that were continued and have not reported it yet.
    pub(crate) fn in_flight(&self) -> &ProcessSet {
        &self.in_flight
    }

    /// Records that ranks were continued.
    pub(crate) fn told_to_run(&mut self, ranks: &ProcessSet) {
        self.in_flight.extend_with(ranks);
    }

    /// Records that ranks have reported their state, or will not run.
    pub(crate) fn heard_from(&mut self, ranks: &ProcessSet) {
        self.in_flight.remove_all(ranks);
        self.silent.remove_all(ranks);
    }

    /// Returns the ranks that have not answered in time, nor been heard from since.
    pub fn silent(&self) -> ProcessSet {
        self.silent.difference(&self.ended())
    }

    /// Records that ranks have not answered in time.
    pub(crate) fn not_answered(&mut self, ranks: &ProcessSet) {
        self.silent.extend_with(ranks);
    }

    /// Records that ranks have answered a request.
    pub(crate) fn answered(&mut self, ranks: &ProcessSet) {
        self.silent.remove_all(ranks);
    }

    /// Returns the ranks that are being detached: they are alive, but no longer ours to kill.
    pub fn detaching(&self) -> ProcessSet {
        self.detaching.difference(&self.ended())
    }

    /// Records that ranks were asked to be detached.
    pub(crate) fn told_to_detach(&mut self, ranks: &ProcessSet) {
        self.detaching.extend_with(ranks);
    }

    /// Records that ranks will not be detached.
    pub(crate) fn not_detached(&mut self, ranks: &ProcessSet) {
        self.detaching.remove_all(ranks);
    }

    /// Returns the ranks that exited, were killed or detached, failed to start, or were lost.
    pub fn ended(&self) -> ProcessSet {
        [StateKind::Exited, StateKind::Killed, StateKind::Detached]
            .into_iter()
            .fold(self.absent(), |sum, kind| sum.union(self.of_kind(kind)))
    }

    /// Returns the ranks that have ended and of whose program the files can still be read.
    pub fn with_files_only(&self) -> ProcessSet {
        self.ended().difference(&self.absent())
    }

    /// Returns the ranks that failed to start or were lost: it is not known how they ended.
    pub fn absent(&self) -> ProcessSet {
        self.of_kind(StateKind::Failed).union(self.of_kind(StateKind::Lost))
    }

    /// Sets the state of ranks, except those that cannot get there (ended ones); returns the changed ranks.
    pub fn change(&mut self, ranks: &ProcessSet, state: &ProcessState) -> ProcessSet {
        let mut left: FxHashMap<u32, ProcessSet> = FxHashMap::default();
        for rank in ranks.iter() {
            if let Some(&group) = self.group_of.get(rank.index()) {
                left.entry(group).or_default().insert(rank);
            }
        }
        let mut moved = ProcessSet::new();
        for (id, part) in left {
            let Some(group) = self.groups.get_mut(&id) else { continue };
            if *group.state == *state || !group.state.may_become(state) {
                continue;
            }
            group.ranks.remove_all(&part);
            self.kinds[StateKind::of(&group.state) as usize].remove_all(&part);
            if group.ranks.is_empty() {
                self.by_state.remove(&group.state);
                self.groups.remove(&id);
            }
            moved.extend_with(&part);
        }
        if moved.is_empty() {
            return moved;
        }
        let id = self.group_for(state);
        if let Some(group) = self.groups.get_mut(&id) {
            group.ranks.extend_with(&moved);
        }
        self.kinds[StateKind::of(state) as usize].extend_with(&moved);
        for rank in moved.iter() {
            if let Some(group) = self.group_of.get_mut(rank.index()) {
                *group = id;
            }
        }
        moved
    }

    fn group_for(&mut self, state: &ProcessState) -> u32 {
        if let Some(&id) = self.by_state.get(state) {
            return id;
        }
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        let state = Arc::new(state.clone());
        self.by_state.insert(state.clone(), id);
        self.groups.insert(id, Group { ranks: ProcessSet::new(), state });
        id
    }

    /// Sets the host of ranks.
    pub fn set_host(&mut self, ranks: &ProcessSet, host: &str) {
        self.hosts.place(ranks, host);
    }

    /// Sets the process id of a rank.
    pub fn set_pid(&mut self, rank: Rank, pid: u32) {
        if let Some(known) = self.pids.get_mut(rank.index()) {
            *known = pid;
        }
    }

    /// Returns the hosts with their ranks.
    pub fn hosts(&self) -> &JobHosts {
        &self.hosts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::SignalName;
    use proptest::prelude::*;

    fn a_state() -> impl Strategy<Value = ProcessState> {
        prop_oneof![
            Just(ProcessState::Starting),
            Just(ProcessState::Running),
            (0..3i32).prop_map(ProcessState::Exited),
            Just(ProcessState::Killed(SignalName("SIGKILL".into()).into())),
            Just(ProcessState::Lost("gone".into())),
        ]
    }

    proptest! {
        #[test]
        fn groups_agree_with_a_plain_list(
            changes in proptest::collection::vec((proptest::collection::vec(0u32..90, 0..40), a_state()), 0..20)
        ) {
            let mut table = RankTable::new(80);
            let mut plain = vec![ProcessState::Starting; 80];
            for (ranks, state) in changes {
                let set: ProcessSet = ranks.into_iter().map(Rank).collect();
                let moved = table.change(&set, &state);
                for rank in set.iter().filter(|rank| rank.0 < 80) {
                    let old = &mut plain[rank.index()];
                    let moves = *old != state && old.may_become(&state);
                    prop_assert_eq!(moved.contains(rank), moves);
                    if moves {
                        *old = state.clone();
                    }
                }
            }
            for (i, state) in plain.iter().enumerate() {
                let rank = Rank(i as u32);
                prop_assert_eq!(table.state(rank), Some(state));
                for kind in StateKind::ALL {
                    prop_assert_eq!(table.of_kind(kind).contains(rank), kind == StateKind::of(state));
                }
                let holders: Vec<_> = table.groups().filter(|(ranks, _)| ranks.contains(rank)).collect();
                prop_assert_eq!(holders.len(), 1);
                prop_assert_eq!(holders[0].1, state);
            }
        }
    }

    #[test]
    fn hosts_and_process_ids_are_found_by_rank() {
        let mut table = RankTable::new(4);
        table.set_host(&ProcessSet::range(0, 2), "node1");
        table.set_host(&ProcessSet::range(2, 4), "node2");
        table.set_pid(Rank(3), 77);
        assert_eq!(table.get(Rank(3)), Some(RankView { state: &ProcessState::Starting, host: "node2", pid: 77 }));
        assert_eq!(table.get(Rank(4)), None);
        assert_eq!(table.hosts().len(), 2);
    }
}
