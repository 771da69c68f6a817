//! Snapshots: the values that variables had at a stop, kept to be compared with later ones.

use model::{Datum, Frame, ProcessSet, Rank, ThreadId, ValueSummary};

/// The most snapshots that are kept.
pub const MOST_SNAPSHOTS: usize = 16;

/// The memory that all snapshots may use, in bytes.
pub const MOST_SNAPSHOT_BYTES: usize = 64 << 20;

/// A value as it was.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum KeptValue {
    /// A value that ranks shared.
    Known(Datum),
    /// There was none; holds the reason.
    Unknown(String),
    /// More different values than are kept each.
    Summed(Box<ValueSummary>),
}

impl KeptValue {
    fn bytes(&self) -> usize {
        match self {
            Self::Known(datum) => datum.descriptor.len() + datum.data.len() + datum.type_name.len(),
            Self::Unknown(why) => why.len(),
            // The numbers of its histogram and of its sketch are bounded.
            Self::Summed(summary) => 4096 + summary.first.iter().map(|kept| kept.value.data.len()).sum::<usize>(),
        }
    }
}

/// A variable or a displayed expression, with its values by the ranks that shared them.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptVariable {
    /// The name, or the expression.
    pub name: String,
    /// True for a displayed expression: it may be compared in any function.
    pub is_displayed: bool,
    /// The values.
    pub values: Vec<(ProcessSet, KeptValue)>,
}

impl KeptVariable {
    /// Returns the value on a rank.
    pub fn on(&self, rank: Rank) -> Option<&KeptValue> {
        self.values.iter().find(|(ranks, _)| ranks.contains(rank)).map(|(_, value)| value)
    }
}

/// The values of some ranks at a stop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The name that the user gave it, or a number.
    pub name: String,
    /// The thread whose variables they are; `None`: in each rank the one that stopped.
    pub thread: Option<ThreadId>,
    /// The selected frames, by the ranks that shared them.
    pub places: Vec<(ProcessSet, Frame)>,
    /// The variables of these frames, then the displayed expressions.
    pub variables: Vec<KeptVariable>,
}

impl Snapshot {
    /// Returns its ranks.
    pub fn ranks(&self) -> ProcessSet {
        self.places.iter().fold(ProcessSet::new(), |all, (ranks, _)| all.union(ranks))
    }

    /// Returns the frame in which a rank was.
    pub fn place_of(&self, rank: Rank) -> Option<&Frame> {
        self.places.iter().find(|(ranks, _)| ranks.contains(rank)).map(|(_, frame)| frame)
    }

    /// Returns a variable, or a displayed expression.
    pub fn variable(&self, name: &str, is_displayed: bool) -> Option<&KeptVariable> {
        self.variables.iter().find(|kept| kept.name == name && kept.is_displayed == is_displayed)
    }

    /// Returns about how many bytes it uses.
    pub fn bytes(&self) -> usize {
        let values = self.variables.iter().flat_map(|variable| &variable.values);
        let places = self.places.iter().map(|(ranks, _)| ranks.bytes() + size_of::<Frame>());
        let values = values.map(|(ranks, value)| ranks.bytes() + size_of::<KeptValue>() + value.bytes());
        places.sum::<usize>() + values.sum::<usize>()
    }
}

/// All snapshots, the newest last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshots(Vec<Snapshot>);

impl Snapshots {
    /// Keeps a snapshot; one of the same name is replaced. Refuses what would exceed the limits.
    ///
    /// # Errors
    ///
    /// The limit that is exceeded, and what to do.
    pub fn keep(&mut self, snapshot: Snapshot) -> Result<(), String> {
        let others = || self.0.iter().filter(|kept| kept.name != snapshot.name);
        if others().count() >= MOST_SNAPSHOTS {
            return Err(format!(
                "there are {MOST_SNAPSHOTS} snapshots, the most that are kept: \"snapshot delete NAME\""
            ));
        }
        let bytes = snapshot.bytes() + others().map(Snapshot::bytes).sum::<usize>();
        if bytes > MOST_SNAPSHOT_BYTES {
            let (needed, most) = (bytes >> 20, MOST_SNAPSHOT_BYTES >> 20);
            return Err(format!(
                "snapshots may use {most} MiB, and these values would make {needed}: take one of fewer ranks ([SET] \
                 snapshot), or \"snapshot delete NAME\""
            ));
        }
        self.0.retain(|kept| kept.name != snapshot.name);
        self.0.push(snapshot);
        Ok(())
    }

    /// Returns the snapshot with this name.
    pub fn get(&self, name: &str) -> Option<&Snapshot> {
        self.0.iter().find(|kept| kept.name == name)
    }

    /// Returns the newest one.
    pub fn newest(&self) -> Option<&Snapshot> {
        self.0.last()
    }

    /// Returns all, the newest last.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Snapshot> {
        self.0.iter()
    }

    /// Removes a snapshot; false if there is none of this name.
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|kept| kept.name != name);
        self.0.len() < before
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns a number that names none: one more than the greatest.
    pub fn fresh_name(&self) -> String {
        let greatest = self.0.iter().filter_map(|kept| kept.name.parse::<u32>().ok()).max();
        greatest.map_or(1, |greatest| greatest.saturating_add(1)).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(name: &str, bytes: usize) -> Snapshot {
        let datum = Datum { descriptor: String::new(), data: vec![0; bytes], type_name: String::new() };
        let values = vec![(ProcessSet::one(Rank(0)), KeptValue::Known(datum))];
        let variables = vec![KeptVariable { name: "x".into(), is_displayed: false, values }];
        Snapshot { name: name.into(), variables, ..Snapshot::default() }
    }

    #[test]
    fn a_snapshot_takes_the_place_of_another_of_its_name_and_numbers_go_on() {
        let mut snapshots = Snapshots::default();
        assert_eq!(snapshots.fresh_name(), "1");
        for name in ["1", "start", "1"] {
            snapshots.keep(snapshot(name, 1)).unwrap();
        }
        assert_eq!(snapshots.iter().map(|kept| kept.name.as_str()).collect::<Vec<_>>(), ["start", "1"]);
        assert_eq!(
            (snapshots.newest().map(|kept| kept.name.as_str()), snapshots.fresh_name()),
            (Some("1"), "2".into())
        );
        assert!(snapshots.remove("start") && !snapshots.remove("start"));
    }

    #[test]
    fn snapshots_beyond_the_limits_are_refused_and_leave_the_others() {
        let mut snapshots = Snapshots::default();
        snapshots.keep(snapshot("large", MOST_SNAPSHOT_BYTES / 2)).unwrap();
        let error = snapshots.keep(snapshot("another", MOST_SNAPSHOT_BYTES / 2)).unwrap_err();
        assert!(error.starts_with("snapshots may use 64 MiB, and these values would make 64: "), "{error}");
        snapshots.keep(snapshot("large", MOST_SNAPSHOT_BYTES / 2)).expect("its old values do not count");
        for number in 1..MOST_SNAPSHOTS {
            snapshots.keep(snapshot(&number.to_string(), 1)).unwrap();
        }
        let error = snapshots.keep(snapshot("one more", 1)).unwrap_err();
        assert!(error.starts_with("there are 16 snapshots"), "{error}");
        assert_eq!(snapshots.iter().count(), MOST_SNAPSHOTS);
    }
}
