//! The ranks that a launcher has started on this host, as their environments say.

use super::processes::{Bystander, Processes};
use super::rank_table::RankTable;
use std::collections::BTreeMap;

/// Returns the ranks among a launcher's descendants; `None` if there are none.
pub fn below(processes: &Processes, launcher: i32) -> Option<RankTable> {
    // A launcher may be a task of another one: it passes on the variables it inherited, so these say nothing.
    let inherited = processes.0.get(&launcher).map(|process| process.claims.clone()).unwrap_or_default();
    let ranks = |pid: &i32, process: &Bystander| process.claims != inherited && processes.is_below(*pid, launcher);
    by_place(processes, ranks)
}

/// Returns the wanted processes that have ranks, each rank with the topmost of its processes.
pub fn by_place(processes: &Processes, wanted: impl Fn(&i32, &Bystander) -> bool) -> Option<RankTable> {
    let mut candidates: BTreeMap<u32, Vec<i32>> = BTreeMap::new();
    let mut size = 0;
    for (pid, process) in processes.0.iter().filter(|(pid, process)| wanted(pid, process)) {
        let Some(place) = process.place else { continue };
        size = size.max(place.size);
        candidates.entry(place.rank.0).or_default().push(*pid);
    }
    if candidates.is_empty() {
        return None;
    }
    let mut notes = Vec::new();
    let places = (0..size).map(|rank| {
        let all = candidates.remove(&rank).unwrap_or_default();
        let of_these = |pid: &i32| all.iter().any(|other| processes.is_below(*pid, *other));
        let topmost: Vec<i32> = all.iter().copied().filter(|pid| !of_these(pid)).collect();
        match topmost.as_slice() {
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
}
