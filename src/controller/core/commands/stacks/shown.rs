//! Shows stacks: the requested frames, with their variables if requested.

use crate::command::{CommandId, Extent, Merged, Stacks};
use crate::core::by_content::by_content;
use crate::core::commands::frames::arguments::{say_more, say_stacks};
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::task::{Answers, Asked};
use crate::core::tasks::then::{SharedStack, StackWish, Then};
use crate::report::{Content, FullFrame, PrintedVariable, RankStack, StackArguments, printed_variable};
use crate::state::{FoldedStack, StackTree};
use model::aif::FormatOptions;
use model::{Answer, Context, Frame, Operation, ProcessSet};

/// The part of a frame that a request is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Arguments,
    Locals,
}

/// Returns the requests about each stack, in the order of their slots.
fn questions(stacks: &[SharedStack]) -> impl Iterator<Item = (usize, usize, Part)> {
    stacks.iter().enumerate().flat_map(|(stack, (_, frames))| {
        let levels = 0..frames.len();
        levels.flat_map(move |level| [Part::Arguments, Part::Locals].map(|part| (stack, level, part)))
    })
}

/// Combines stacks with the answers about their frames, split where ranks differ.
fn full_stacks(
    stacks: &[SharedStack],
    answers: &[(usize, ProcessSet, Answer)],
    limits: &FormatOptions,
) -> Vec<(ProcessSet, Vec<FullFrame>)> {
    let bare = |frame: &Frame| FullFrame { frame: frame.clone(), arguments: Ok(Vec::new()), locals: Ok(Vec::new()) };
    let mut shown: Vec<Vec<(ProcessSet, Vec<FullFrame>)>> =
        stacks.iter().map(|(ranks, frames)| vec![(ranks.clone(), frames.iter().map(bare).collect())]).collect();
    for (slot, (stack, level, part)) in questions(stacks).enumerate() {
        let Some(parts) = shown.get_mut(stack) else { continue };
        for (_, ranks, answer) in answers.iter().filter(|(of, _, _)| *of == slot) {
            // The arguments of a frame are on its line.
            let limits = &if part == Part::Arguments { limits.on_one_line() } else { *limits };
            let found: Result<Vec<PrintedVariable>, String> = match answer {
                Answer::Variables(list) => Ok(list.iter().map(|variable| printed_variable(variable, limits)).collect()),
                Answer::Failed(failure) => Err(failure.message.clone()),
                _ => continue,
            };
            let mut split = Vec::with_capacity(parts.len() + 1);
            for (of, mut frames) in std::mem::take(parts) {
                let (common, rest) = (of.intersection(ranks), of.difference(ranks));
                if !rest.is_empty() {
                    split.push((rest, frames.clone()));
                }
                if common.is_empty() {
                    continue;
                }
                if let Some(frame) = frames.get_mut(level) {
                    match part {
                        Part::Arguments => frame.arguments.clone_from(&found),
                        Part::Locals => frame.locals.clone_from(&found),
                    }
                }
                split.push((common, frames));
            }
            *parts = split;
        }
    }
    by_content(shown.into_iter().flatten())
}

pub(in crate::core) fn stacks(core: &mut Interpreter, id: CommandId, target: Target, stacks: Stacks) {
    let wish = StackWish { stacks, thread: target.thread };
    if stacks.merged == Merged::AllThreads {
        let most = core.state.most_frames();
        let wanted = if let Extent::Innermost(count) = stacks.extent { count.min(most) } else { most };
        let (high, most) = (Some(wanted.saturating_sub(1)), Some(StackTree::MOST_STACKS));
        core.ask_stopped(id, target, Operation::ThreadStacks { high, most }, Then::Stacks(wish));
        return;
    }
    if let Extent::Outermost(_) = stacks.extent {
        let operation = Operation::StackDepth(target.thread);
        core.ask_stopped(id, target, operation, Then::Depths(wish));
        return;
    }
    let most = core.state.most_frames();
    let wanted = match stacks.extent {
        // One more than are shown says whether there are more.
        Extent::Innermost(count) => count.saturating_add(1).min(most),
        Extent::Outermost(_) | Extent::All => most,
    };
    // A tree of merged stacks does not say whose stacks are longer than that.
    let most = (stacks.extent == Extent::All).then_some(StackTree::MOST_STACKS);
    let operation = Operation::Stack { thread: target.thread, low: 0, high: Some(wanted.saturating_sub(1)), most };
    core.ask_stopped(id, target, operation, Then::Stacks(wish));
}

/// Requests the outermost frames once the depths are known; true if the command continues.
pub(in crate::core) fn depths_known(core: &mut Interpreter, id: CommandId, wish: StackWish, good: Answers) -> bool {
    let wanted = match wish.stacks.extent {
        Extent::Outermost(count) => count.min(core.state.most_frames()),
        Extent::Innermost(_) | Extent::All => core.state.most_frames(),
    };
    let question = |(_, ranks, answer)| match answer {
        Answer::Depth(depth) if depth > 0 => {
            let (low, high) = (u32::saturating_sub(depth, wanted), Some(depth - 1));
            Some((ranks, Operation::Stack { thread: wish.thread, low, high, most: None }))
        }
        _ => None,
    };
    let questions: Vec<_> = good.into_iter().filter_map(question).collect();
    if questions.is_empty() {
        return false;
    }
    core.ask(id, questions, Then::Stacks(wish));
    true
}

/// True if there are more different stacks than are shown each by itself.
fn are_many(answer: &Answer) -> bool {
    let Answer::MergedStacks(merged) = answer else { return false };
    merged.is_cut() || merged.stacks().len() > StackTree::MOST_STACKS as usize
}

/// Shows the tree of the stacks.
fn say_tree(core: &mut Interpreter, id: CommandId, all: bool, good: &Answers) {
    let mut tree = StackTree::new(core.state.variables.my_code());
    for (_, ranks, answer) in good {
        tree.add_answer(ranks, answer);
    }
    tree.finish();
    core.say(id, Content::Tree { tree, all });
}

/// Shows stacks, or requests the variables of their frames; true if the command continues.
pub(in crate::core) fn stacks_known(core: &mut Interpreter, id: CommandId, wish: StackWish, good: Answers) -> bool {
    if wish.stacks.merged == Merged::AllThreads || good.iter().any(|(_, _, answer)| are_many(answer)) {
        if wish.stacks.merged == Merged::Nothing {
            let words = format!("more than {} different stacks; merged, callers first:", StackTree::MOST_STACKS);
            core.say(id, Content::Text(ProcessSet::new(), words));
        }
        say_tree(core, id, !wish.stacks.folds(), &good);
        return false;
    }
    let stacks = good.into_iter().flat_map(|(_, ranks, answer)| match answer {
        Answer::Stack(frames) => vec![(ranks, frames)],
        Answer::MergedStacks(merged) => {
            merged.stacks().into_iter().map(|(threads, frames)| (threads.ranks(), frames)).collect()
        }
        _ => Vec::new(),
    });
    let mut more = ProcessSet::new();
    let mut limited = Vec::new();
    for (ranks, mut frames) in stacks {
        if let Extent::Innermost(count) = wish.stacks.extent
            && frames.len() > count as usize
        {
            frames.truncate(count as usize);
            more.extend_with(&ranks);
        }
        limited.push((ranks, frames));
    }
    let stacks = limited.into_iter();
    if wish.stacks.merged != Merged::Nothing {
        let mut tree = StackTree::new(core.state.variables.my_code());
        for (ranks, frames) in stacks {
            tree.add(&ranks, &frames);
        }
        tree.finish();
        let all = !wish.stacks.folds();
        core.say(id, Content::Tree { tree, all });
        return false;
    }
    let stacks = by_content(stacks.collect::<Vec<_>>());
    if !wish.stacks.full {
        let my_code = core.state.variables.my_code();
        let folds = wish.stacks.folds();
        let of_ranks = |(ranks, frames): (ProcessSet, Vec<Frame>)| {
            let user = my_code.user_frame(&frames).map(Box::new);
            let stack = if folds { FoldedStack::new(frames, &my_code) } else { FoldedStack::open(frames) };
            RankStack { ranks, stack, user, arguments: StackArguments::new() }
        };
        let stacks = stacks.into_iter().map(of_ranks).collect();
        return say_stacks(core, id, wish.thread, stacks, more);
    }
    let asked = questions(&stacks).filter_map(|(stack, level, part)| {
        let (ranks, frames) = stacks.get(stack)?;
        let context = Context { thread: wish.thread, frame: frames.get(level)?.level };
        let operation = match part {
            Part::Arguments => Operation::Arguments(context),
            Part::Locals => Operation::Locals(context),
        };
        Some((ranks.clone(), operation))
    });
    let asked: Vec<_> = asked.collect();
    if asked.is_empty() {
        return false;
    }
    core.ask(id, asked, Then::FrameVariables(stacks, more));
    true
}

/// Shows each stack once for the ranks whose variables are the same.
pub(in crate::core) fn frame_variables_known(
    core: &mut Interpreter,
    id: CommandId,
    stacks: &[SharedStack],
    more: ProcessSet,
    asked: &Asked,
) {
    let my_code = core.state.variables.my_code();
    for (ranks, frames) in full_stacks(stacks, &asked.answers, &core.state.format_options()) {
        let stack: Vec<Frame> = frames.iter().map(|full| full.frame.clone()).collect();
        let user = my_code.user_frame(&stack).map(Box::new);
        core.say(id, Content::FullStack(ranks, frames, user));
    }
    say_more(core, id, more);
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{CodePlace, Datum, Variable, VariableValue};

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    fn variables(name: &str, value: i32) -> Answer {
        let datum = Datum { descriptor: "is4".into(), data: value.to_be_bytes().to_vec(), type_name: "int".to_owned() };
        Answer::Variables(vec![Variable { name: name.to_owned(), value: VariableValue::Known(datum) }])
    }

    #[test]
    fn ranks_that_differ_in_a_variable_have_stacks_of_their_own() {
        let frame = |level| Frame {
            level,
            function: Some("f".into()),
            source: None,
            code: CodePlace { module: None, offset: 1, address: None },
            inlined: false,
            guessed: false,
            thread: None,
        };
        let stacks = [(set("0-3"), vec![frame(0), frame(1)])];
        let answers = [
            (0, set("0-3"), variables("n", 1)),
            (1, set("0,2-3"), variables("i", 5)),
            (1, set("1"), variables("i", 6)),
            (2, set("0-3"), Answer::Variables(Vec::new())),
            (3, set("0-3"), Answer::Variables(Vec::new())),
        ];
        let shown = full_stacks(&stacks, &answers, &FormatOptions::default());
        let told: Vec<(String, String)> = shown
            .iter()
            .map(|(ranks, frames)| (ranks.to_string(), frames[0].locals.as_ref().unwrap()[0].text.clone()))
            .collect();
        assert_eq!(told, [("0,2-3".into(), "5".into()), ("1".into(), "6".into())]);
        assert_eq!(shown[1].1[0].arguments.as_ref().unwrap()[0].name, "n");
        assert_eq!(shown[0].1[1].locals, Ok(Vec::new()));
    }
}
