//! Names of threads: `thread name`, `thread find`, and `thread` alone.

use crate::command::CommandId;
use crate::core::by_content::by_content;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::task::Answers;
use crate::report::Content;
use model::{Answer, ProcessSet, RegularExpression, ThreadId, ThreadInfo};

fn lists(good: Answers) -> impl Iterator<Item = (ProcessSet, Vec<ThreadInfo>)> {
    good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::Threads(threads) => Some((ranks, threads)),
        _ => None,
    })
}

/// Returns the thread that a command is about: this one, or the current one.
fn chosen(threads: &[ThreadInfo], thread: Option<ThreadId>) -> Option<&ThreadInfo> {
    threads.iter().find(|known| thread.map_or(known.current, |thread| known.id == thread))
}

fn no_thread(core: &mut Interpreter, id: CommandId, ranks: ProcessSet, thread: Option<ThreadId>) {
    let which = thread.map_or_else(|| "current thread".to_owned(), |thread| format!("thread {thread}"));
    core.error(id, ranks, format!("no {which}; \"threads\" lists them"), None);
}

/// Names the thread of each rank.
pub(in crate::core) fn name(
    core: &mut Interpreter,
    id: CommandId,
    thread: Option<ThreadId>,
    name: Option<&str>,
    good: Answers,
) {
    for (ranks, threads) in lists(good) {
        match chosen(&threads, thread) {
            Some(found) => {
                core.state.thread_names.name(&ranks, found.id, name);
                let words = name.map_or_else(|| "has its own name again".to_owned(), |name| format!("is named {name}"));
                if core.each_thread.group_above(&core.tasks, id).is_none() {
                    core.acknowledge(id, format!("thread {} of {ranks} {words}", found.id));
                } else if core.is_acknowledged(id) {
                    // The report names the threads of the group before the words.
                    core.say(id, Content::Text(ranks, words));
                }
            }
            None => no_thread(core, id, ranks, thread),
        }
    }
    core.views.stale_values();
}

/// Reports the chosen thread of each rank.
pub(in crate::core) fn current(core: &mut Interpreter, id: CommandId, thread: Option<ThreadId>, good: Answers) {
    let mut shown = Vec::new();
    for (ranks, threads) in lists(good) {
        match chosen(&threads, thread).cloned() {
            Some(found) => shown.extend(core.state.thread_names.named(ranks, vec![found])),
            None => no_thread(core, id, ranks, thread),
        }
    }
    for (ranks, threads) in by_content(shown) {
        core.say(id, Content::Threads(ranks, threads));
    }
}

/// Reports the threads whose names match, as gdb does.
pub(in crate::core) fn find(core: &mut Interpreter, id: CommandId, pattern: &str, good: Answers) {
    let Ok(expression) = RegularExpression::parse(pattern, false) else { return };
    let mut found = Vec::new();
    for (ranks, threads) in lists(good) {
        for (ranks, named) in core.state.thread_names.named(ranks, threads.clone()) {
            let mut lines = Vec::new();
            for (own, shown) in threads.iter().zip(&named) {
                let id = own.id;
                if own.name != shown.name && expression.is_found_in(&shown.name) {
                    lines.push(format!("Thread {id} has name '{}'", shown.name));
                }
                if expression.is_found_in(&own.name) {
                    lines.push(format!("Thread {id} has target name '{}'", own.name));
                }
            }
            if lines.is_empty() {
                lines.push(format!("No threads match '{pattern}'"));
            }
            found.push((ranks, lines.join("\n")));
        }
    }
    for (ranks, text) in by_content(found) {
        core.say(id, Content::Text(ranks, text));
    }
}
