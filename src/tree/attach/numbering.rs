//! Assigns ranks to processes that the user names one by one.

use crate::join::Place;

/// Processes by rank, and why they are not numbered as their environments say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbering {
    /// Process IDs; the index is the rank.
    pub pids: Vec<i32>,
    /// For the user: why the environments' ranks are not used.
    pub note: Option<String>,
}

/// Numbers processes as their environments say if these are consistent, otherwise in the order given.
pub fn number(processes: &[(i32, Option<Place>)]) -> Numbering {
    let given: Vec<i32> = processes.iter().map(|(pid, _)| *pid).collect();
    let mut claimed: Vec<(u32, u32, i32)> =
        processes.iter().filter_map(|(pid, place)| place.map(|place| (place.rank.0, place.size, *pid))).collect();
    if claimed.is_empty() {
        return Numbering { pids: given, note: None };
    }
    claimed.sort_unstable();
    let misfit = misfit(processes, &claimed);
    let Some(why) = misfit else {
        return Numbering { pids: claimed.into_iter().map(|(_, _, pid)| pid).collect(), note: None };
    };
    let note = format!("{why}: ranks are numbered in the order given");
    Numbering { pids: given, note: Some(note) }
}

fn misfit(processes: &[(i32, Option<Place>)], claimed: &[(u32, u32, i32)]) -> Option<String> {
    if let Some((pid, _)) = processes.iter().find(|(_, place)| place.is_none()) {
        return Some(format!("process {pid} has no rank in its environment, others do"));
    }
    let twice = claimed.windows(2).find_map(|pair| match pair {
        [(rank, _, first), (other, _, second)] if rank == other => Some((*rank, *first, *second)),
        _ => None,
    });
    if let Some((rank, first, second)) = twice {
        return Some(format!("processes {first} and {second} both claim rank {rank} in their environments"));
    }
    let (rank, size, pid) = *claimed.iter().zip(0..).find(|((rank, ..), wanted)| rank != wanted)?.0;
    Some(format!("process {pid} is rank {rank} of {size} in its environment, and not all lower ranks are given"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Rank;

    fn of(rank: u32) -> Option<Place> {
        Some(Place { rank: Rank(rank), size: 4 })
    }

    #[test]
    fn the_environment_says_the_ranks() {
        let found = number(&[(10, of(2)), (11, of(0)), (12, of(1))]);
        assert_eq!(found, Numbering { pids: vec![11, 12, 10], note: None });
        assert_eq!(number(&[(10, None), (9, None)]), Numbering { pids: vec![10, 9], note: None });
    }

    #[test]
    fn gaps_and_duplicates_are_said() {
        for (processes, words) in [
            ([(10, of(1)), (11, of(1))], "processes 10 and 11 both claim rank 1"),
            ([(11, of(3)), (10, of(0))], "process 11 is rank 3 of 4"),
            ([(11, of(1)), (10, None)], "process 10 has no rank"),
        ] {
            let found = number(&processes);
            assert_eq!(found.pids, processes.map(|(pid, _)| pid));
            assert!(found.note.as_ref().is_some_and(|note| note.contains(words)), "{found:?}");
        }
    }
}
