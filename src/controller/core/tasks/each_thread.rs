//! Commands that go through the threads of a group: what they report of several threads alike is reported once.

use super::task::Task;
use crate::command::CommandId;
use crate::report::{Content, Origin, RankStack};
use crate::sets::{ThreadGroup, parse_prefix};
use model::ThreadId;
use std::collections::BTreeMap;

/// The unfinished commands for groups of threads, with what was said of each thread so far.
#[derive(Debug, Default)]
pub(in crate::core) struct EachThread(BTreeMap<CommandId, Said>);

#[derive(Debug, Default)]
struct Said {
    /// The thread whose turn it is.
    thread: Option<ThreadId>,
    parts: Vec<(Vec<ThreadId>, Content)>,
}

impl EachThread {
    pub(in crate::core) fn begin(&mut self, id: CommandId) {
        self.0.insert(id, Said::default());
    }

    /// Returns the command for a group of threads that runs another one for one of them.
    pub(in crate::core) fn group_above(&self, tasks: &BTreeMap<CommandId, Task>, id: CommandId) -> Option<CommandId> {
        tasks.get(&id)?.parent.filter(|parent| self.0.contains_key(parent))
    }

    /// Records the thread for which the next line of a command runs.
    pub(in crate::core) fn goes_on_with(&mut self, id: CommandId, thread: ThreadId) {
        if let Some(said) = self.0.get_mut(&id) {
            said.thread = Some(thread);
        }
    }

    /// Takes a content if the command that produced it runs for a thread of a group; returns others.
    pub(in crate::core) fn take(
        &mut self,
        tasks: &BTreeMap<CommandId, Task>,
        origin: Option<&Origin>,
        content: Content,
    ) -> Option<Content> {
        let Some(origin) = origin.filter(|_| !self.0.is_empty()) else { return Some(content) };
        let mut above = origin.parent;
        while let Some(command) = above {
            let task = tasks.get(&command);
            if let Some(said) = self.0.get_mut(&command) {
                let is_own = origin.parent == above;
                let line = task.map_or("", |task| &*task.origin.line);
                said.add(content, is_own.then_some((&*origin.line, line)));
                return None;
            }
            above = task.and_then(|task| task.parent);
        }
        Some(content)
    }

    /// Returns what a command reports, at its end.
    pub(in crate::core) fn end(&mut self, id: CommandId) -> Vec<Content> {
        let parts = self.0.remove(&id).map_or_else(Vec::new, |said| said.parts);
        let of_threads = |(threads, content): (Vec<ThreadId>, Content)| {
            if threads.is_empty() {
                content
            } else {
                Content::OfThreads(ThreadGroup::of_threads(threads), Box::new(content))
            }
        };
        parts.into_iter().map(of_threads).collect()
    }
}

impl Said {
    /// Adds a content; `lines` are the line that ran for the thread and the command's own.
    fn add(&mut self, content: Content, lines: Option<(&str, &str)>) {
        for content in parts(content, lines) {
            let Some(thread) = self.thread else {
                self.parts.push((Vec::new(), content));
                continue;
            };
            // The same line twice about one thread, as in `printf` in a loop, stays two lines.
            let mut known = self.parts.iter_mut().filter(|(threads, _)| !threads.contains(&thread));
            match known.find_map(|(threads, known)| include(known, &content).then_some(threads)) {
                Some(threads) => threads.push(thread),
                None => self.parts.push((vec![thread], content)),
            }
        }
    }
}

/// Adds what is said of another thread to a content; false if they differ. Arguments of frames may.
fn include(known: &mut Content, other: &Content) -> bool {
    let (Content::Stacks(stacks), Content::Stacks(others)) = (&mut *known, other) else { return known == other };
    let alike = |(one, also): (&RankStack, &RankStack)| {
        let levels = one.arguments.keys().eq(also.arguments.keys());
        levels && (&one.ranks, &one.stack, &one.user) == (&also.ranks, &also.stack, &also.user)
    };
    if stacks.len() != others.len() || !stacks.iter().zip(others).all(alike) {
        return false;
    }
    for (one, also) in stacks.iter_mut().zip(others) {
        one.arguments.values_mut().zip(also.arguments.values()).for_each(|(own, also)| own.include(also));
    }
    true
}

/// Splits a content into those of sets of ranks, so that each is compared on its own. The end of a line for a thread is
/// not that of the command.
fn parts(content: Content, lines: Option<(&str, &str)>) -> Vec<Content> {
    match content {
        Content::Done { .. } => Vec::new(),
        Content::Stacks(stacks) => stacks.into_iter().map(|one| Content::Stacks(vec![one])).collect(),
        Content::Variables(scope, lists) => {
            lists.into_iter().map(|list| Content::Variables(scope, vec![list])).collect()
        }
        Content::Registers(lists) => lists.into_iter().map(|list| Content::Registers(vec![list])).collect(),
        Content::Error { ranks, message, position } => {
            let position = position.zip(lines).and_then(|(position, (from, to))| moved(position, from, to));
            vec![Content::Error { ranks, message, position }]
        }
        other => vec![other],
    }
}

/// Returns a place after the set of one line in another one that differs in its set alone.
fn moved(position: usize, from: &str, to: &str) -> Option<usize> {
    let start = |line: &str| {
        let length = parse_prefix(line.trim_start()).map_or(0, |(_, length)| length);
        let rest = line.trim_start().get(length..).unwrap_or("").trim_start();
        line.chars().count() - rest.chars().count()
    };
    Some(start(to) + position.checked_sub(start(from))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_the_line_of_a_thread_is_found_in_the_line_that_was_typed() {
        assert_eq!(moved(14, "[0-3.2] print y", "[0-3.{2,5}] print y"), Some(18));
        assert_eq!(moved(14, "[0-3.2] print y", "print y"), Some(6));
        assert_eq!(moved(3, "[0-3.2] print y", "print y"), None);
    }
}
