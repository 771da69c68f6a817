//! Reads the arguments of the frames that a command shows: once for all ranks that share them.

use crate::command::CommandId;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::task::Asked;
use crate::core::tasks::then::{AppliedLine, FramesToShow, RankFrame, Then};
use crate::report::{Content, RankStack, ShownArguments, add_arguments, runs_of_levels, wanted_arguments};
use model::{Answer, Frame, Operation, ProcessSet, ThreadId};

/// The ranks of frames, and the levels at which arguments are to be read.
type Question = (ProcessSet, Vec<(u32, u32)>);

/// Shows stacks once the arguments of their frames are known; true if the command continues.
pub(in crate::core) fn say_stacks(
    core: &mut Interpreter,
    id: CommandId,
    thread: Option<ThreadId>,
    mut stacks: Vec<RankStack>,
    more: ProcessSet,
) -> bool {
    let questions = questions(core, &mut stacks);
    ask_and_show(core, id, thread, questions, FramesToShow::Stacks(stacks, more))
}

/// Shows frames once their arguments are known, and why some ranks have none; true if the command continues.
pub(in crate::core) fn say_frames(
    core: &mut Interpreter,
    id: CommandId,
    thread: Option<ThreadId>,
    frames: Vec<(ProcessSet, Frame)>,
    without: Vec<(ProcessSet, String)>,
) -> bool {
    let detail = core.state.variables.argument_detail();
    let with = |(ranks, frame): (ProcessSet, Frame)| {
        let arguments = frame.source.is_some().then_some(ShownArguments { detail, list: None });
        (ranks, frame, arguments)
    };
    let frames: Vec<RankFrame> = frames.into_iter().map(with).collect();
    let question = |(ranks, frame, arguments): &RankFrame| {
        (ranks.clone(), arguments.iter().map(|_| (frame.level, frame.level)).collect())
    };
    let questions = frames.iter().map(question).collect();
    ask_and_show(core, id, thread, questions, FramesToShow::Frames(frames, without))
}

/// Asks for the arguments in the headings of a command that runs for frames; returns the command if there is nothing to
/// ask for.
pub(in crate::core) fn ask_for_headings(
    core: &mut Interpreter,
    id: CommandId,
    mut applied: AppliedLine,
) -> Option<AppliedLine> {
    let questions = if applied.flags.quiet { Vec::new() } else { questions(core, &mut applied.stacks) };
    if is_nothing(&questions) {
        return Some(applied);
    }
    ask(core, id, applied.thread, questions, FramesToShow::Apply(applied));
    None
}

/// Notes which arguments of stacks are to be read, and returns the question about each stack.
fn questions(core: &Interpreter, stacks: &mut [RankStack]) -> Vec<Question> {
    let detail = core.state.variables.argument_detail();
    let question = |one: &mut RankStack| {
        one.arguments = wanted_arguments(&one.stack, detail);
        (one.ranks.clone(), runs_of_levels(&one.arguments))
    };
    stacks.iter_mut().map(question).collect()
}

fn is_nothing(questions: &[Question]) -> bool {
    questions.iter().all(|(_, levels)| levels.is_empty())
}

/// Shows frames, once their arguments are known if there are any to be read; true if the command continues.
fn ask_and_show(
    core: &mut Interpreter,
    id: CommandId,
    thread: Option<ThreadId>,
    questions: Vec<Question>,
    frames: FramesToShow,
) -> bool {
    if is_nothing(&questions) {
        show(core, id, frames);
        return false;
    }
    ask(core, id, thread, questions, frames);
    true
}

/// Asks for arguments. The slots of the answers are the indices of the questions.
fn ask(
    core: &mut Interpreter,
    id: CommandId,
    thread: Option<ThreadId>,
    questions: Vec<Question>,
    frames: FramesToShow,
) {
    let detail = core.state.variables.argument_detail();
    let operation = |(ranks, levels): Question| {
        // Nobody is asked about nothing.
        let ranks = if levels.is_empty() { ProcessSet::new() } else { ranks };
        (ranks, Operation::FrameArguments { thread, levels, detail })
    };
    core.ask(id, questions.into_iter().map(operation).collect(), Then::FrameArguments(Box::new(frames)));
}

/// Shows frames with the arguments that were read, or returns the command that runs for them. Ranks whose arguments
/// could not be read are shown all the same.
pub(in crate::core) fn arguments_known(
    core: &mut Interpreter,
    id: CommandId,
    mut frames: FramesToShow,
    asked: &Asked,
) -> Option<AppliedLine> {
    for (slot, _, answer) in &asked.answers {
        let Answer::FrameArguments(known) = answer else { continue };
        match &mut frames {
            FramesToShow::Stacks(stacks, _) | FramesToShow::Apply(AppliedLine { stacks, .. }) => {
                if let Some(one) = stacks.get_mut(*slot) {
                    add_arguments(&mut one.arguments, known);
                }
            }
            FramesToShow::Frames(frames, _) => {
                let shown = frames.get_mut(*slot).and_then(|(_, _, arguments)| arguments.as_mut());
                if let (Some(shown), Some(found)) = (shown, known.first()) {
                    shown.include(&ShownArguments { detail: shown.detail, list: Some(found.arguments.clone()) });
                }
            }
        }
    }
    show(core, id, frames)
}

/// Says, as gdb does, which stacks have frames beyond those that were asked for.
pub(in crate::core) fn say_more(core: &mut Interpreter, id: CommandId, ranks: ProcessSet) {
    if !ranks.is_empty() {
        core.say(id, Content::Text(ranks, "(More stack frames follow...)".to_owned()));
    }
}

/// Shows frames, or returns the command that runs for them.
fn show(core: &mut Interpreter, id: CommandId, frames: FramesToShow) -> Option<AppliedLine> {
    match frames {
        FramesToShow::Stacks(stacks, more) => {
            core.say(id, Content::Stacks(stacks));
            say_more(core, id, more);
        }
        FramesToShow::Frames(frames, without) => {
            for (ranks, frame, arguments) in frames {
                core.say(id, Content::Frame(ranks, frame, arguments));
            }
            for (ranks, why) in without {
                core.say(id, Content::Missing(ranks, why));
            }
        }
        FramesToShow::Apply(applied) => return Some(applied),
    }
    None
}
