//! Joins equal answers of many ranks.

use model::ProcessSet;

/// Joins equal entries and sorts them by their lowest ranks.
pub(in crate::core) fn by_content<T: PartialEq>(
    parts: impl IntoIterator<Item = (ProcessSet, T)>,
) -> Vec<(ProcessSet, T)> {
    let mut joined: Vec<(ProcessSet, T)> = Vec::new();
    for (ranks, content) in parts {
        match joined.iter_mut().find(|(_, known)| *known == content) {
            Some((set, _)) => set.extend_with(&ranks),
            None => joined.push((ranks, content)),
        }
    }
    joined.sort_by_key(|(ranks, _)| ranks.first());
    joined
}
