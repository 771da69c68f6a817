//! The result of a search: a process for each rank, or why there is none.

use model::{ProcessSet, Rank};
use std::collections::BTreeMap;

/// A process of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// `None` for this host.
    pub host: Option<String>,
    /// Process ID on that host.
    pub pid: i32,
}

impl From<i32> for Spot {
    fn from(pid: i32) -> Self {
        Self { host: None, pid }
    }
}

/// The processes that one server takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// `None` for this host.
    pub host: Option<String>,
    /// Ranks with their process IDs on that host.
    pub processes: Vec<(Rank, i32)>,
}

/// The processes of a job, by rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RankTable {
    /// For each rank its process, or why it cannot be attached to.
    pub places: Vec<Result<Spot, String>>,
    /// The Slurm job they belong to, if known.
    pub slurm: Option<String>,
    /// True if a stop signal holds the processes for us, before their first instruction.
    pub held: bool,
    /// True if the ranks that can be attached to are debugged without the others.
    pub partial: bool,
    /// The core files of the ranks, if the job is made of core files: their processes have ended.
    pub core_files: BTreeMap<Rank, String>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

impl RankTable {
    /// Number of ranks of the job.
    pub fn size(&self) -> u32 {
        self.places.len() as u32
    }

    /// Returns the ranks that can be attached to.
    pub fn processes(&self) -> Vec<(Rank, &Spot)> {
        let ranks = (0..).map(Rank).zip(&self.places);
        ranks.filter_map(|(rank, place)| Some((rank, place.as_ref().ok()?))).collect()
    }

    /// Divides the processes: `ranks_per_server` to each server on this host, one server for every other host.
    pub fn shares(&self, ranks_per_server: Option<u32>) -> Vec<Share> {
        let (mut here, mut elsewhere) = (Vec::new(), Vec::<Share>::new());
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        for (rank, spot) in self.processes() {
            let Some(host) = &spot.host else {
                here.push((rank, spot.pid));
                continue;
            };
            let at = *known.entry(host).or_insert_with(|| {
                elsewhere.push(Share { host: Some(host.clone()), processes: Vec::new() });
                elsewhere.len() - 1
            });
            if let Some(share) = elsewhere.get_mut(at) {
                share.processes.push((rank, spot.pid));
            }
        }
        let share = ranks_per_server.map_or(here.len(), |share| share as usize).max(1);
        let here = here.chunks(share).map(|processes| Share { host: None, processes: processes.to_vec() });
        here.chain(elsewhere).collect()
    }

    /// Returns the ranks that cannot be attached to, grouped by reason.
    pub fn absent(&self) -> Vec<(ProcessSet, String)> {
        let mut absent: Vec<(ProcessSet, String)> = Vec::new();
        for (rank, place) in (0..).map(Rank).zip(&self.places) {
            let Err(why) = place else { continue };
            match absent.iter_mut().find(|(_, known)| known == why) {
                Some((ranks, _)) => drop(ranks.insert(rank)),
                None => absent.push((ProcessSet::one(rank), why.clone())),
            }
        }
        absent
    }

    /// Describes the absent ranks, for a job that has no others.
    pub fn explanation(&self) -> String {
        let lines: Vec<String> = self.absent().iter().map(|(ranks, why)| format!("[{ranks}] {why}")).collect();
        if lines.is_empty() { "the job has no processes".to_owned() } else { lines.join("\n") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_that_are_missing_for_one_reason_are_said_together() {
        let gone = || Err("gone".to_owned());
        let rank_table =
            RankTable { places: vec![Ok(7.into()), gone(), Err("far".into()), gone()], ..RankTable::default() };
        assert_eq!(rank_table.processes(), [(Rank(0), &Spot::from(7))]);
        assert_eq!(rank_table.explanation(), "[1,3] gone\n[2] far");
        assert_eq!((rank_table.size(), rank_table.absent().len()), (4, 2));
    }

    #[test]
    fn every_host_has_its_own_servers() {
        let at = |host: &str, pid| Ok(Spot { host: Some(host.to_owned()), pid });
        let places =
            vec![at("b", 1), Ok(2.into()), at("a", 3), Ok(4.into()), at("b", 5), Err(String::new()), Ok(6.into())];
        let rank_table = RankTable { places, ..RankTable::default() };
        let share = |host: Option<&str>, processes: &[(u32, i32)]| Share {
            host: host.map(str::to_owned),
            processes: processes.iter().map(|(rank, pid)| (Rank(*rank), *pid)).collect(),
        };
        let (b, a) = (share(Some("b"), &[(0, 1), (4, 5)]), share(Some("a"), &[(2, 3)]));
        assert_eq!(rank_table.shares(None), [share(None, &[(1, 2), (3, 4), (6, 6)]), b.clone(), a.clone()]);
        assert_eq!(rank_table.shares(Some(2)), [share(None, &[(1, 2), (3, 4)]), share(None, &[(6, 6)]), b, a]);
    }
}
