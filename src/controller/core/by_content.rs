//! Joins equal answers of many ranks.

use model::ProcessSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::{BuildHasher, Hash};

/// Joins equal entries and sorts them by their lowest ranks. Each entry is looked up by its hash: where all ranks say
/// something different, there are as many entries as ranks.
pub(in crate::core) fn by_content<T: PartialEq + Hash>(
    parts: impl IntoIterator<Item = (ProcessSet, T)>,
) -> Vec<(ProcessSet, T)> {
    let mut joined: Vec<(ProcessSet, T)> = Vec::new();
    let mut places: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (ranks, content) in parts {
        let alike = places.entry(FxBuildHasher.hash_one(&content)).or_default();
        let known = alike.iter().copied().find(|&i| joined.get(i).is_some_and(|(_, known)| *known == content));
        match known.and_then(|i| joined.get_mut(i)) {
            Some((set, _)) => set.extend_with(&ranks),
            None => {
                alike.push(joined.len());
                joined.push((ranks, content));
            }
        }
    }
    joined.sort_by_key(|(ranks, _)| ranks.first());
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equal_contents_are_one_entry_with_all_their_ranks(said in proptest::collection::vec(0u8..6, 0..40)) {
            let parts = said.iter().enumerate().map(|(rank, what)| (ProcessSet::one(model::Rank(rank as u32)), *what));
            let joined = by_content(parts);
            for (ranks, what) in &joined {
                let same = (0u32..).zip(&said).filter(|(_, other)| *other == what).map(|(rank, _)| model::Rank(rank));
                prop_assert_eq!(ranks, &same.collect::<ProcessSet>());
            }
            let firsts: Vec<_> = joined.iter().map(|(ranks, _)| ranks.first()).collect();
            prop_assert!(firsts.is_sorted());
            prop_assert_eq!(joined.iter().map(|(ranks, _)| ranks.len()).sum::<usize>(), said.len());
        }
    }
}
