//! The selected frames: `frame`, `up`, `down`, and the selection on the screen. Each rank has its own.

use super::arguments::say_frames;
use crate::command::CommandId;
use crate::core::by_content::by_content;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::task::Answers;
use crate::core::tasks::then::{FrameMove, Move, Onward, Then};
use crate::report::Content;
use model::{Answer, Frame, Operation, ProcessSet, ThreadId};

/// Ranks that have no such frame, and why.
type WithoutFrame = Vec<(ProcessSet, String)>;

/// True if the frame belongs to a function, given by its name or the name's last part, with or without parameters.
fn is_of(frame: &Frame, name: &str) -> bool {
    frame.function.as_deref().is_some_and(|function| is_named(function, name))
}

/// True if a function has this name, or a last part of it, with or without parameters.
pub(in crate::core) fn is_named(function: &str, name: &str) -> bool {
    let is_it =
        |function: &str| function == name || function.strip_suffix(name).is_some_and(|scope| scope.ends_with("::"));
    is_it(function) || function.find('(').is_some_and(|at| is_it(function.get(..at).unwrap_or("")))
}

/// Moves the selected frame of each rank, and shows it unless the move is silent; ranks without such a frame keep
/// theirs.
pub(in crate::core) fn move_frames(
    core: &mut Interpreter,
    id: CommandId,
    target: &Target,
    (to, silent): (FrameMove, bool),
) {
    let Some(stopped) = core.stopped_of(id, target) else { return };
    let unknown = match to {
        FrameMove::To(Some(_)) => ProcessSet::new(),
        _ => core.state.select_user_frames(&stopped, target.thread),
    };
    if unknown.is_empty() {
        move_stopped(core, id, &stopped, target.thread, (to, silent));
    } else {
        core.await_user_frames(id, unknown, target.thread, Onward::Move(stopped, to, silent));
    }
}

/// As [`move_frames`], once the user's frames are selected.
pub(in crate::core) fn move_stopped(
    core: &mut Interpreter,
    id: CommandId,
    stopped: &ProcessSet,
    thread: Option<ThreadId>,
    (to, silent): (FrameMove, bool),
) {
    let mut moves: Vec<((u32, u32), ProcessSet)> = Vec::new();
    let mut staying = ProcessSet::new();
    for (own, ranks) in core.state.frames.parts(stopped, thread) {
        let Some(levels) = to.from(own) else {
            staying.extend_with(&ranks);
            continue;
        };
        match moves.iter_mut().find(|(known, _)| *known == levels) {
            Some((_, set)) => set.extend_with(&ranks),
            None => moves.push((levels, ranks)),
        }
    }
    if moves.is_empty() {
        core.refuse(id, ProcessSet::new(), "this is the innermost frame");
        return;
    }
    if !staying.is_empty() {
        core.say(id, Content::Missing(staying, "this is the innermost frame".to_owned()));
    }
    let question = |((low, high), ranks)| (ranks, Operation::Stack { thread, low, high: Some(high), most: None });
    let levels = moves.iter().map(|(levels, _)| *levels).collect();
    let questions = moves.into_iter().map(question).collect();
    core.ask(id, questions, Then::ChooseFrame(Move { thread, levels, silent }));
}

/// Selects the frames that were found; true if the command continues.
pub(in crate::core) fn frame_chosen(core: &mut Interpreter, id: CommandId, moved: &Move, good: Answers) -> bool {
    let mut with = Vec::new();
    let mut without: Vec<(ProcessSet, String)> = Vec::new();
    for (slot, ranks, answer) in good {
        let Answer::Stack(frames) = answer else { continue };
        let Some(&(low, high)) = moved.levels.get(slot) else {
            with.extend(frames.into_iter().next().map(|frame| (ranks, frame)));
            continue;
        };
        let frame = frames.into_iter().filter(|frame| (low..=high).contains(&frame.level)).last();
        let why = match frame {
            // The rank was to move, and has not.
            Some(frame) if frame.level == low && low < high => "this is the outermost frame".to_owned(),
            Some(frame) => {
                with.push((ranks, frame));
                continue;
            }
            None => format!("no frame {low}: the stack is shorter"),
        };
        match without.iter_mut().find(|(_, known)| *known == why) {
            Some((set, _)) => set.extend_with(&ranks),
            None => without.push((ranks, why)),
        }
    }
    look_at_frames(core, id, moved.thread, (with, without), moved.silent)
}

/// Requests the stacks in which the innermost frame of a function is to be selected.
pub(in crate::core) fn ask_for_function(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    name: String,
    silent: bool,
) {
    let (thread, high) = (target.thread, Some(core.state.most_frames().saturating_sub(1)));
    let operation = Operation::Stack { thread, low: 0, high, most: None };
    core.ask_stopped(id, target, operation, Then::ChooseFunction(name, thread, silent));
}

/// Requests the frame at a stack address.
pub(in crate::core) fn ask_for_address(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    address: String,
    silent: bool,
) {
    let context = core.context(&target);
    let then = Then::ChooseFrame(Move { thread: target.thread, levels: Vec::new(), silent });
    core.ask_stopped(id, target, Operation::FrameAt(context, address), then);
}

/// Selects the innermost frame of a function in the stack of each rank; ranks without one keep theirs.
pub(in crate::core) fn choose_function(
    core: &mut Interpreter,
    id: CommandId,
    name: &str,
    thread: Option<ThreadId>,
    silent: bool,
    good: Answers,
) -> bool {
    let (mut with, mut without) = (Vec::new(), ProcessSet::new());
    for (_, ranks, answer) in good {
        let Answer::Stack(frames) = answer else { continue };
        match frames.into_iter().find(|frame| is_of(frame, name)) {
            Some(frame) => with.push((ranks, frame)),
            None => without.extend_with(&ranks),
        }
    }
    let none = with.is_empty();
    let why = match without.len() {
        _ if none => format!("no frame of {name} on the stack; \"where\" lists the frames"),
        1 => format!("no frame of {name} on the stack: keeps its frame"),
        _ => format!("no frame of {name} on the stack: keep their frames"),
    };
    let without = if without.is_empty() { Vec::new() } else { vec![(without, why)] };
    look_at_frames(core, id, thread, (with, without), silent)
}

/// Selects these frames in their ranks and reports them, unless `silent`, and why other ranks have none; true if the
/// command continues.
fn look_at_frames(
    core: &mut Interpreter,
    id: CommandId,
    thread: Option<ThreadId>,
    (frames, without): (Vec<(ProcessSet, Frame)>, WithoutFrame),
    silent: bool,
) -> bool {
    if frames.is_empty() {
        for (ranks, why) in without {
            core.error(id, ranks, why, None);
        }
        return false;
    }
    for (ranks, frame) in &frames {
        core.state.listed = None;
        core.state.frames.choose(ranks, thread, frame);
        core.views.chosen_by_user(ranks);
    }
    let shown = if silent { Vec::new() } else { wherever_loaded(frames) };
    say_frames(core, id, thread, shown, without)
}

/// Joins frames of one place, as a program is loaded at another address in each rank; what is joined has no address.
fn wherever_loaded(frames: Vec<(ProcessSet, Frame)>) -> Vec<(ProcessSet, Frame)> {
    let apart = by_content(frames);
    let joined = by_content(apart.iter().map(|(ranks, frame)| (ranks.clone(), frame.without_address())));
    let whole = |(ranks, frame)| apart.iter().find(|(own, _)| *own == ranks).cloned().unwrap_or((ranks, frame));
    joined.into_iter().map(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::CodePlace;

    #[test]
    fn frames_at_one_place_are_shown_once_wherever_the_program_is_loaded() {
        let frame = |level, address| {
            let code = CodePlace { module: None, offset: 1, address: Some(model::VirtualAddress(address)) };
            Frame { level, function: None, source: None, code, inlined: false, guessed: false, thread: None }
        };
        let ranks = |text| ProcessSet::parse(text).unwrap();
        let apart = vec![(ranks("0"), frame(4, 0x10)), (ranks("1"), frame(7, 0x20)), (ranks("2"), frame(4, 0x30))];
        let joined = [(ranks("0,2"), frame(4, 0).without_address()), (ranks("1"), frame(7, 0x20))];
        assert_eq!(wherever_loaded(apart), joined);
    }

    #[test]
    fn a_function_is_found_by_what_one_calls_it() {
        let code = CodePlace { module: None, offset: 1, address: None };
        let frame = |function: &str| Frame {
            level: 0,
            function: Some(function.into()),
            source: None,
            code: code.clone(),
            inlined: false,
            guessed: false,
            thread: None,
        };
        for (function, name, is) in [
            ("main", "main", true),
            ("ns::A::f(int)", "f", true),
            ("ns::A::f(int)", "A::f", true),
            ("ns::A::f(int)", "ns::A::f(int)", true),
            ("ns::A::f(int)", "::f", false),
            ("of", "f", false),
            ("f(ns::g)", "g", false),
        ] {
            assert_eq!(is_of(&frame(function), name), is, "{function} {name}");
        }
    }
}
