//! The ranks that a launcher has started on this host, as their environments say.

use super::processes::{Bystander, Processes};
use super::rank_table::RankTable;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the ranks among a launcher's descendants; `None` if there are none.
pub fn below(processes: &Processes, launcher: i32) -> Option<RankTable> {
    by_place(processes, are_below(processes, launcher))
}

fn are_below(processes: &Processes, launcher: i32) -> impl Fn(&i32, &Bystander) -> bool {
    // A launcher may be a task of another one: it passes on the variables it inherited, so these say nothing.
    let inherited = processes.0.get(&launcher).map(|process| process.claims.clone()).unwrap_or_default();
    move |pid, process| process.claims != inherited && processes.is_below(*pid, launcher)
}

/// Returns the parents of descendants that claim one rank: the launchers of several jobs. Empty if there is one job.
pub fn rival_launchers(processes: &Processes, launcher: i32) -> BTreeSet<i32> {
    let (claimants, _) = claimants(processes, are_below(processes, launcher));
    let parents = |pids: Vec<i32>| -> BTreeSet<i32> {
        pids.iter().filter_map(|pid| Some(processes.0.get(pid)?.parent)).collect()
    };
    claimants.into_values().map(parents).filter(|parents| parents.len() > 1).flatten().collect()
}

/// Returns the processes that have ranks among their children, with the number of these ranks: daemons that start ranks
/// for a launcher that is no ancestor of them. Ranks that a session of rankscope has started are debugged already.
pub fn starters(processes: &Processes) -> BTreeMap<i32, usize> {
    let mut found: BTreeMap<i32, usize> = BTreeMap::new();
    for process in processes.0.values().filter(|process| process.place.is_some() && may_be_rank(processes, process)) {
        let parent = processes.0.get(&process.parent);
        let passed_on = |parent: &Bystander| parent.claims == process.claims;
        if process.parent > 1 && !parent.is_some_and(|parent| passed_on(parent) || parent.is_ours()) {
            *found.entry(process.parent).or_default() += 1;
        }
    }
    found
}

/// False for what is no rank, and for what has only inherited the variables of that: the helpers of a broker of Flux. Our
/// servers are given the variables of the ranks that they start.
fn may_be_rank(processes: &Processes, process: &Bystander) -> bool {
    let inherits = |parent: &Bystander| parent.is_no_rank() && !parent.is_ours() && parent.claims == process.claims;
    !process.is_no_rank() && !processes.0.get(&process.parent).is_some_and(inherits)
}

/// Returns the topmost of the wanted processes that claim each rank, and the size of the job.
fn claimants(processes: &Processes, wanted: impl Fn(&i32, &Bystander) -> bool) -> (BTreeMap<u32, Vec<i32>>, u32) {
    let mut all: BTreeMap<u32, Vec<i32>> = BTreeMap::new();
    let mut size = 0;
    for (pid, process) in
        processes.0.iter().filter(|(pid, process)| wanted(pid, process) && may_be_rank(processes, process))
    {
        let Some(place) = process.place else { continue };
        size = size.max(place.size);
        all.entry(place.rank.0).or_default().push(*pid);
    }
    for pids in all.values_mut() {
        let of_these = |pid: i32| pids.iter().any(|other| processes.is_below(pid, *other));
        let topmost: Vec<i32> = pids.iter().copied().filter(|pid| !of_these(*pid)).collect();
        *pids = topmost;
    }
    (all, size)
}

/// Returns the wanted processes that have ranks, each rank with the topmost of its processes.
pub fn by_place(processes: &Processes, wanted: impl Fn(&i32, &Bystander) -> bool) -> Option<RankTable> {
    let (mut claimants, size) = claimants(processes, wanted);
    if claimants.is_empty() {
        return None;
    }
    let mut notes = Vec::new();
    let places = (0..size).map(|rank| match claimants.remove(&rank).unwrap_or_default().as_slice() {
        [] => Err("no process on this host: it has ended, or runs on another host".to_owned()),
        [one] => {
            let (pid, note) = processes.below_shells(*one);
            notes.extend(note.map(|note| format!("rank {rank}: {note}")));
            Ok(pid.into())
        }
        several => {
            let several: Vec<String> = several.iter().map(ToString::to_string).collect();
            Err(format!("processes {} all claim this rank in their environments", several.join(", ")))
        }
    });
    let places = places.collect();
    Some(RankTable { places, partial: true, notes, ..RankTable::default() })
}

#[cfg(test)]
mod tests {
    use super::super::processes::tests::table;
    use super::*;

    #[test]
    fn ranks_are_the_topmost_processes_that_say_so() {
        let table = table(&[
            (10, 1, "mpiexec.hydra", None),
            (11, 10, "hydra_pmi_proxy", None),
            (12, 11, "app", Some(1)),
            (13, 12, "helper", Some(1)),
            (14, 11, "sh", Some(0)),
            (15, 14, "app", Some(0)),
            (16, 11, "app", Some(3)),
            (17, 11, "app", Some(3)),
            (20, 1, "app", Some(2)),
        ]);
        let rank_table = below(&table, 10).unwrap();
        assert_eq!(
            (&rank_table.places[0], &rank_table.places[1], rank_table.partial),
            (&Ok(15.into()), &Ok(12.into()), true)
        );
        assert!(rank_table.places[2].as_ref().unwrap_err().contains("another host"));
        assert!(rank_table.places[3].as_ref().unwrap_err().contains("16, 17"));
        assert!(rank_table.notes[0].starts_with("rank 0: process 14"), "{:?}", rank_table.notes);
        assert_eq!(below(&table, 20), None);
    }

    #[test]
    fn what_a_launcher_inherited_is_no_rank_of_its_own() {
        let table = table(&[(10, 1, "mpiexec", Some(0)), (11, 10, "proxy", Some(0)), (12, 11, "app", Some(1))]);
        let rank_table = below(&table, 10).unwrap();
        assert!(rank_table.places[0].is_err());
        assert_eq!(rank_table.places[1], Ok(12.into()));
    }

    #[test]
    fn ranks_of_another_session_have_no_launcher_to_name() {
        let table = table(&[
            (10, 1, "rankscope", None),
            (11, 10, "app", Some(0)),
            (20, 1, "proxy", None),
            (21, 20, "app", Some(1)),
        ]);
        assert_eq!(starters(&table), BTreeMap::from([(20, 1)]));
    }

    #[test]
    fn what_started_two_jobs_is_the_launcher_of_neither() {
        let table = table(&[
            (10, 1, "mpiexec", None),
            (11, 10, "app", Some(0)),
            (12, 10, "app", Some(1)),
            (20, 1, "mpiexec", None),
            (21, 20, "rankscope", Some(0)),
            (22, 21, "app", Some(0)),
        ]);
        assert_eq!(rival_launchers(&table, 1), BTreeSet::from([10, 21]));
        assert_eq!(rival_launchers(&table, 10), BTreeSet::new());
        assert_eq!(below(&table, 20).unwrap().places[0], Ok(22.into()), "the rank, not its server");
    }
}
