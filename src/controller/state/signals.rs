//! The settings of each signal, by ranks if they differ.

use model::{Disposition, ProcessSet, SignalInfo, SignalName, SignalTable};
use serde::{Deserialize, Serialize};

/// A signal and its settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignalRow {
    /// The name, and the settings on ranks not in `others`.
    pub info: SignalInfo,
    /// Ranks with different settings.
    pub others: Vec<(ProcessSet, Disposition)>,
}

impl SignalRow {
    /// Returns the settings on these ranks: one entry for each disposition among them.
    pub fn among(&self, ranks: &ProcessSet) -> Vec<(ProcessSet, Disposition)> {
        let mut rest = ranks.clone();
        let mut parts = Vec::new();
        for (set, disposition) in &self.others {
            let common = ranks.intersection(set);
            rest.remove_all(set);
            if !common.is_empty() {
                parts.push((common, *disposition));
            }
        }
        if !rest.is_empty() {
            parts.insert(0, (rest, self.info.disposition));
        }
        parts
    }
}

/// All signals by number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignalRows(Vec<SignalRow>);

impl Default for SignalRows {
    fn default() -> Self {
        let table = SignalTable::default();
        Self(table.rows().iter().map(|info| SignalRow { info: info.clone(), others: Vec::new() }).collect())
    }
}

impl SignalRows {
    /// Iterates over the signals by number.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &SignalRow> {
        self.0.iter()
    }

    /// Returns the row of a signal.
    pub fn get(&self, name: &SignalName) -> Option<&SignalRow> {
        self.0.iter().find(|row| row.info.name == *name)
    }

    /// Records the settings that ranks of a job of `size` report.
    pub fn note(&mut self, ranks: &ProcessSet, size: u32, said: &SignalInfo) {
        let Some(row) = self.0.iter_mut().find(|row| row.info.name == said.name) else {
            self.0.push(SignalRow { info: said.clone(), others: Vec::new() });
            return;
        };
        for (set, _) in &mut row.others {
            set.remove_all(ranks);
        }
        if ProcessSet::all(size).is_subset(ranks) {
            row.info.disposition = said.disposition;
        } else if said.disposition != row.info.disposition {
            match row.others.iter_mut().find(|(_, disposition)| *disposition == said.disposition) {
                Some((set, _)) => set.extend_with(ranks),
                None => row.others.push((ranks.clone(), said.disposition)),
            }
        }
        row.others.retain(|(set, _)| !set.is_empty());
        // When no rank has the common disposition any more, the most frequent one becomes it.
        let told: usize = row.others.iter().map(|(set, _)| set.len()).sum();
        if told > 0
            && told == size as usize
            && let Some(most) = (0..row.others.len()).max_by_key(|&i| row.others[i].0.len())
        {
            row.info.disposition = row.others.swap_remove(most).1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_that_differ_are_told_apart_until_they_agree_again() {
        let mut rows = SignalRows::default();
        let name = SignalName("SIGUSR1".into());
        let loud = rows.get(&name).unwrap().info.clone();
        let quiet = SignalInfo { disposition: Disposition { stop: false, print: false, pass: true }, ..loud.clone() };
        rows.note(&ProcessSet::range(0, 1), 4, &quiet);
        assert_eq!(
            rows.get(&name).unwrap().among(&ProcessSet::all(4)),
            [(ProcessSet::range(1, 4), loud.disposition), (ProcessSet::range(0, 1), quiet.disposition)]
        );
        rows.note(&ProcessSet::range(1, 4), 4, &quiet);
        assert_eq!(rows.get(&name).unwrap(), &SignalRow { info: quiet, others: Vec::new() });
    }
}
