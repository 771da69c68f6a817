//! `thread apply`, `frame apply`: a command for the threads or frames that are listed, with a heading for each.

use crate::command::{Apply, ApplyFlags, CommandId, Extent, Statement};
use crate::core::by_content::by_content;
use crate::core::commands::frames::arguments::ask_for_headings;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::script::ScriptLine;
use crate::core::tasks::task::Answers;
use crate::core::tasks::then::{AppliedLine, Then};
use crate::report::{Content, RankStack, StackArguments};
use crate::state::FoldedStack;
use model::{Answer, Frame, Operation, ProcessSet, ThreadId, ThreadInfo};
use std::collections::BTreeMap;

/// Returns the ranks that have a thread of each number, and the thread's name if it is the same on all.
fn by_thread(
    threads: impl Iterator<Item = (ProcessSet, Vec<ThreadInfo>)>,
) -> BTreeMap<ThreadId, (ProcessSet, Option<String>)> {
    let mut found: BTreeMap<ThreadId, (ProcessSet, Option<String>)> = BTreeMap::new();
    for (ranks, threads) in threads {
        for thread in threads {
            let entry = found.entry(thread.id).or_insert_with(|| (ProcessSet::new(), Some(thread.name.clone())));
            entry.0.extend_with(&ranks);
            if entry.1.as_ref() != Some(&thread.name) {
                entry.1 = None;
            }
        }
    }
    found
}

fn of_extent(mut frames: Vec<Frame>, extent: Extent) -> Vec<Frame> {
    match extent {
        Extent::All => frames,
        Extent::Innermost(count) => {
            frames.truncate(count as usize);
            frames
        }
        Extent::Outermost(count) => frames.split_off(frames.len().saturating_sub(count as usize)),
    }
}

/// Returns the frames at these levels, in that order; fails with the first level that the stack does not have.
fn at_levels(frames: &[Frame], levels: &[(u32, u32)]) -> Result<Vec<Frame>, u32> {
    let mut found = Vec::new();
    for (first, last) in levels {
        let before = found.len();
        found.extend(frames.iter().filter(|frame| (*first..=*last).contains(&frame.level)).cloned());
        let count = u32::try_from(found.len() - before).unwrap_or(u32::MAX);
        if count <= last - first {
            return Err(first.saturating_add(count));
        }
    }
    Ok(found)
}

/// Requests the threads or frames for which the command is to run.
pub(in crate::core) fn apply(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    (to, flags): (Apply, ApplyFlags),
    line: String,
) {
    let thread = target.thread;
    let operation = match &to {
        Apply::Threads { .. } => Operation::Threads,
        Apply::Frames(_) | Apply::Levels(_) => {
            let high = Some(core.state.most_frames().saturating_sub(1));
            Operation::Stack { thread, low: 0, high, most: None }
        }
    };
    core.ask_stopped(id, target, operation, Then::Apply(to, flags, thread, line));
}

/// Runs the command for each of them; true if the command continues.
pub(in crate::core) fn apply_to(
    core: &mut Interpreter,
    id: CommandId,
    (to, flags): (&Apply, ApplyFlags),
    thread: Option<ThreadId>,
    line: &str,
    good: Answers,
) -> bool {
    let lines: Vec<ScriptLine> = match to {
        Apply::Threads { which, ascending } => {
            let threads = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
                Answer::Threads(threads) => Some((ranks, threads)),
                _ => None,
            });
            let names = &core.state.thread_names;
            let found = by_thread(threads.flat_map(|(ranks, threads)| names.named(ranks, threads)));
            let missing = which.iter().flatten().find(|thread| !found.contains_key(thread));
            if let Some(missing) = missing {
                let words = format!("no thread {missing}; \"threads\" lists them");
                core.error(id, ProcessSet::new(), words, None);
            }
            let mut order: Vec<ThreadId> = which.clone().unwrap_or_else(|| found.keys().copied().collect());
            if which.is_none() && !ascending {
                order.reverse();
            }
            let of = |thread: ThreadId| found.get(&thread).map(|(ranks, name)| (thread, ranks, name));
            let line = |(thread, ranks, name): (ThreadId, &ProcessSet, &Option<String>)| {
                let name = name.as_ref().map_or(String::new(), |name| format!(" {name:?}"));
                ScriptLine {
                    statement: Statement::typed(format!("[{ranks}.{thread}] {line}")),
                    heading: Some(Content::Text(ranks.clone(), format!("thread {thread}{name}:"))),
                    frame: Some(0),
                    thread: Some((thread, ranks.clone())),
                    silent: flags.silent,
                }
            };
            order.into_iter().filter_map(of).map(line).collect()
        }
        Apply::Frames(_) | Apply::Levels(_) => {
            let stacks = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
                Answer::Stack(frames) => Some((ranks, frames)),
                _ => None,
            });
            let mut wanted = Vec::new();
            for (ranks, frames) in by_content(stacks.collect::<Vec<_>>()) {
                let frames = match to {
                    Apply::Frames(extent) => of_extent(frames, *extent),
                    Apply::Levels(levels) => match at_levels(&frames, levels) {
                        Ok(frames) => frames,
                        Err(level) => {
                            core.error(id, ranks, format!("no frame {level}: the stack is shorter"), None);
                            continue;
                        }
                    },
                    Apply::Threads { .. } => Vec::new(),
                };
                let (stack, arguments) = (FoldedStack::open(frames), StackArguments::new());
                wanted.push(RankStack { ranks, stack, user: None, arguments });
            }
            let applied = AppliedLine { stacks: wanted, thread, flags, line: line.to_owned() };
            return match ask_for_headings(core, id, applied) {
                Some(applied) => run_for_frames(core, id, applied),
                None => true,
            };
        }
    };
    let without_heading = |line: ScriptLine| ScriptLine { heading: None, ..line };
    let lines = if flags.quiet { lines.into_iter().map(without_heading).collect() } else { lines };
    core.run_lines(id, lines, true)
}

/// Runs a command for each frame of these stacks, with the frame as its heading; true if the command continues.
pub(in crate::core) fn run_for_frames(
    core: &mut Interpreter,
    id: CommandId,
    AppliedLine { stacks, thread, flags, line }: AppliedLine,
) -> bool {
    let chosen = thread.map_or(String::new(), |thread| format!(".{thread}"));
    let mut lines = Vec::new();
    for RankStack { ranks, stack, arguments, .. } in stacks {
        for frame in stack.iter() {
            let own = arguments.get(&frame.level).map(|shown| (frame.level, shown.clone()));
            let heading = RankStack {
                ranks: ranks.clone(),
                stack: FoldedStack::open(vec![frame.clone()]),
                user: None,
                arguments: own.into_iter().collect(),
            };
            lines.push(ScriptLine {
                statement: Statement::typed(format!("[{ranks}{chosen}] {line}")),
                frame: Some(frame.level),
                heading: (!flags.quiet).then(|| Content::Stacks(vec![heading])),
                thread: None,
                silent: flags.silent,
            });
        }
    }
    core.run_lines(id, lines, true)
}

/// Continues ranks until this many hits of the breakpoint at which they are stopped.
pub(in crate::core) fn go_past(core: &mut Interpreter, id: CommandId, target: Target, count: u64, waits: bool) {
    let Some(ranks) = core.stopped_of(id, &target) else { return };
    let mut at = BTreeMap::new();
    for rank in ranks.iter() {
        if let Some(model::ProcessState::Stopped(stop)) = core.state.ranks.state(rank)
            && let Some(point) = stop.reason.point()
        {
            at.entry(point).or_insert_with(ProcessSet::new).insert(rank);
        }
    }
    if at.is_empty() {
        core.refuse(id, ranks, "no rank of the set is stopped at a breakpoint: there are no hits to ignore");
        return;
    }
    let others = at.keys().find_map(|point| {
        let breakpoint = core.state.breakpoints.get(point)?;
        let others = breakpoint.ranks.difference(&core.state.ranks.ended()).difference(&target.ranks);
        (!others.is_empty()).then_some((*point, others))
    });
    if let Some((point, others)) = others {
        let words = format!("breakpoint {point} also belongs to [{others}]; use \"after {point} N\" for all its ranks");
        core.refuse(id, ranks, words);
        return;
    }
    let passed = count.saturating_sub(1);
    let mut lines: Vec<ScriptLine> = Vec::new();
    if passed > 0 {
        lines.extend(at.keys().map(|point| ScriptLine::plain(format!("after {point} {passed}"))));
    }
    let go = if waits { "continue" } else { "go" };
    lines.push(ScriptLine::plain(format!("[{ranks}] {go}")));
    core.run_lines(id, lines, false);
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::CodePlace;

    fn frame(level: u32, function: &str) -> Frame {
        let code = CodePlace { module: None, offset: 1, address: None };
        Frame {
            level,
            function: Some(function.into()),
            source: None,
            code,
            inlined: false,
            guessed: false,
            thread: None,
        }
    }

    #[test]
    fn threads_are_those_of_all_ranks() {
        let thread = |id, name: &str| ThreadInfo {
            id: ThreadId(id),
            current: false,
            name: name.into(),
            frame: None,
            user: None,
        };
        let (first, second) = (ProcessSet::range(0, 2), ProcessSet::range(2, 3));
        let threads = [(first, vec![thread(1, "a"), thread(2, "io")]), (second, vec![thread(1, "b")])];
        let found = by_thread(threads.into_iter());
        let told: Vec<_> = found.into_iter().map(|(id, (ranks, name))| (id.0, ranks.to_string(), name)).collect();
        assert_eq!(told, [(1, "0-2".into(), None), (2, "0-1".into(), Some("io".into()))]);
    }

    #[test]
    fn frames_are_counted_from_either_end() {
        let levels = |extent| {
            let frames = of_extent(vec![frame(0, "a"), frame(1, "b"), frame(2, "c")], extent);
            frames.iter().map(|frame| frame.level).collect::<Vec<_>>()
        };
        assert_eq!(levels(Extent::All), [0, 1, 2]);
        assert_eq!(levels(Extent::Innermost(2)), [0, 1]);
        assert_eq!(levels(Extent::Outermost(1)), [2]);
        assert_eq!(levels(Extent::Outermost(9)), [0, 1, 2]);
    }
}
