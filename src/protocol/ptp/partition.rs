//! A map from ranks to values, kept by ranks that share a value.

use model::ProcessSet;

/// Disjoint sets, each with a value; ranks outside them have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Partition<T> {
    parts: Vec<(ProcessSet, T)>,
}

impl<T> Default for Partition<T> {
    fn default() -> Self {
        Self { parts: Vec::new() }
    }
}

impl<T: PartialEq> Partition<T> {
    /// Removes the values of these ranks.
    pub(super) fn clear(&mut self, ranks: &ProcessSet) {
        for (part, _) in &mut self.parts {
            part.remove_all(ranks);
        }
        self.parts.retain(|(part, _)| !part.is_empty());
    }

    /// True if no rank has a value.
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Gives these ranks a value.
    pub(super) fn set(&mut self, ranks: &ProcessSet, value: T) {
        self.clear(ranks);
        match self.parts.iter_mut().find(|(_, other)| *other == value) {
            Some((part, _)) => part.extend_with(ranks),
            None => self.parts.push((ranks.clone(), value)),
        }
    }

    /// Splits these ranks by value; those without a value come last.
    pub(super) fn split(&self, ranks: &ProcessSet) -> Vec<(ProcessSet, Option<&T>)> {
        let mut left = ranks.clone();
        let mut split = Vec::new();
        for (part, value) in &self.parts {
            let here = part.intersection(ranks);
            if !here.is_empty() {
                left.remove_all(&here);
                split.push((here, Some(value)));
            }
        }
        if !left.is_empty() {
            split.push((left, None));
        }
        split
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_stay_disjoint_and_equal_values_together() {
        let set = |text: &str| ProcessSet::parse(text).unwrap();
        let mut partition = Partition::default();
        partition.set(&set("0-3"), 'a');
        partition.set(&set("2-5"), 'b');
        partition.set(&set("0"), 'b');
        partition.clear(&set("5"));
        assert_eq!(
            partition.split(&set("0-9")),
            [(set("1"), Some(&'a')), (set("0,2-4"), Some(&'b')), (set("5-9"), None)]
        );
        partition.set(&set("0-9"), 'c');
        assert_eq!(partition.split(&set("3")), [(set("3"), Some(&'c'))]);
    }
}
