//! The names that the user has given to threads. They live in the front end: the program's own names stay as they are.

use model::{ProcessSet, ThreadId, ThreadInfo};
use std::sync::Arc;

/// Names of threads, each with the ranks whose thread of this number has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadNames(Vec<(ThreadId, ProcessSet, Arc<str>)>);

impl ThreadNames {
    /// Names the thread of some ranks; without a name, it has its own again.
    pub fn name(&mut self, ranks: &ProcessSet, thread: ThreadId, name: Option<&str>) {
        for (_, set, _) in self.0.iter_mut().filter(|(id, _, _)| *id == thread) {
            set.remove_all(ranks);
        }
        self.0.retain(|(_, set, _)| !set.is_empty());
        if let Some(name) = name {
            self.0.push((thread, ranks.clone(), name.into()));
        }
    }

    /// Returns the threads that ranks share, with their names here: ranks whose names differ are apart.
    pub fn named(&self, ranks: ProcessSet, threads: Vec<ThreadInfo>) -> Vec<(ProcessSet, Vec<ThreadInfo>)> {
        let mut parts = vec![(ranks, threads)];
        for (id, set, name) in &self.0 {
            let mut split = Vec::new();
            for (ranks, threads) in parts {
                let those = ranks.intersection(set);
                if those.is_empty() || threads.iter().all(|thread| thread.id != *id) {
                    split.push((ranks, threads));
                    continue;
                }
                let others = ranks.difference(&those);
                if !others.is_empty() {
                    split.push((others, threads.clone()));
                }
                let named = |thread: ThreadInfo| {
                    if thread.id == *id { ThreadInfo { name: name.to_string(), ..thread } } else { thread }
                };
                split.push((those, threads.into_iter().map(named).collect()));
            }
            parts = split;
        }
        parts.sort_by_key(|(ranks, _)| ranks.first());
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_whose_names_differ_are_apart() {
        let set = |text| ProcessSet::parse(text).unwrap();
        let thread = |id, name: &str| {
            let name = name.to_owned();
            ThreadInfo { id: ThreadId(id), current: id == 1, name, frame: None, user: None }
        };
        let mut names = ThreadNames::default();
        names.name(&set("1-2"), ThreadId(2), Some("io"));
        names.name(&set("0-3"), ThreadId(3), Some("none has it"));
        let told = |names: &ThreadNames| {
            let parts = names.named(set("0-3"), vec![thread(1, "a"), thread(2, "b")]);
            let part = |(ranks, threads): (ProcessSet, Vec<ThreadInfo>)| {
                let names: Vec<String> = threads.into_iter().map(|thread| thread.name).collect();
                (ranks.to_string(), names.join(" "))
            };
            parts.into_iter().map(part).collect::<Vec<_>>()
        };
        assert_eq!(told(&names), [("0,3".to_owned(), "a b".to_owned()), ("1-2".to_owned(), "a io".to_owned())]);
        names.name(&set("1"), ThreadId(2), None);
        assert_eq!(told(&names), [("0-1,3".to_owned(), "a b".to_owned()), ("2".to_owned(), "a io".to_owned())]);
    }
}
