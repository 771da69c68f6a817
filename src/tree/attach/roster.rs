//! The outcome: a process for each rank, or why there is none.

use crate::model::{ProcessSet, Rank};

/// The processes of a job, by rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roster {
    /// The process on this host, or why it cannot be attached to.
    pub places: Vec<Result<i32, String>>,
    /// A stop signal holds them for us, before their first instruction.
    pub held: bool,
    /// One that cannot be attached to does not keep the others from being debugged.
    pub partial: bool,
    /// For the user.
    pub notes: Vec<String>,
}

impl Roster {
    /// Ranks of the job.
    pub fn size(&self) -> u32 {
        self.places.len() as u32
    }

    /// Those that can be attached to.
    pub fn processes(&self) -> Vec<(Rank, i32)> {
        let ranks = (0..).map(Rank).zip(&self.places);
        ranks.filter_map(|(rank, place)| Some((rank, *place.as_ref().ok()?))).collect()
    }

    /// The others, by what is wrong with them.
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

    /// The absent ones in words, when nobody is left.
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
        let roster = Roster { places: vec![Ok(7), gone(), Err("far".into()), gone()], ..Roster::default() };
        assert_eq!(roster.processes(), [(Rank(0), 7)]);
        assert_eq!(roster.explanation(), "[1,3] gone\n[2] far");
        assert_eq!((roster.size(), roster.absent().len()), (4, 2));
    }
}
