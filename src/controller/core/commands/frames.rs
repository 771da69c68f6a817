//! The frames that ranks look at: `frame`, `up`, `down`, and what the screen chooses. Each rank has its own.

use super::dispatch::Target;
use crate::core::tasks::replies::by_content;
use crate::core::tasks::task::Then;
use crate::core::{CommandId, Controller};
use crate::report::Content;
use model::{Answer, Context, Frame, Operation, ProcessSet, ThreadId};

/// Stands in a question for the frame that each rank looks at, until the question is sent.
const OWN: u32 = u32::MAX;

/// Which frames `frame`, `up` and `down` ask for, by the slots of their questions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) struct Move {
    thread: Option<ThreadId>,
    /// From this level to that one; the last that is there is chosen.
    levels: Vec<(u32, u32)>,
}

impl Controller {
    /// Where names are looked up: in the frame of the line, or in the one that each rank looks at.
    pub(in crate::core) fn context(&self, target: &Target) -> Context {
        Context { thread: target.thread, frame: self.frame_of_line.unwrap_or(OWN) }
    }

    /// Where names are looked up before it is known which ranks are meant: in the frame that each rank looks at.
    pub(in crate::core) fn own_context(&self) -> Context {
        Context { thread: None, frame: OWN }
    }

    /// A question to ranks that look at different frames becomes one for each of these.
    pub(in crate::core) fn at_own_frames(
        &self,
        ranks: ProcessSet,
        mut operation: Operation,
    ) -> Vec<(ProcessSet, Operation)> {
        let Some(context) = operation.context_mut().filter(|context| context.frame == OWN) else {
            return vec![(ranks, operation)];
        };
        let parts = self.state.frames.parts(&ranks, context.thread).into_iter();
        let at_level = |(level, ranks): (u32, ProcessSet)| {
            let mut operation = operation.clone();
            if let Some(context) = operation.context_mut() {
                context.frame = level;
            }
            (ranks, operation)
        };
        parts.map(at_level).collect()
    }

    /// Chooses the frame of this level in the stack of each rank; without one, says at which frame each is.
    pub(in crate::core) fn choose_frame(&mut self, id: CommandId, target: Target, level: Option<u32>) {
        self.move_frames(id, &target, |own| {
            let level = level.unwrap_or(own);
            Some((level, level))
        });
    }

    /// As gdb: further than to the outermost frame nobody goes.
    pub(in crate::core) fn go_up(&mut self, id: CommandId, target: Target, n: u32) {
        self.move_frames(id, &target, |own| Some((own, own.saturating_add(n))));
    }

    pub(in crate::core) fn go_down(&mut self, id: CommandId, target: Target, n: u32) {
        self.move_frames(id, &target, |own| {
            let level = own.saturating_sub(n);
            (own > 0).then_some((level, level))
        });
    }

    /// Moves ranks from their own levels to others; those for which there is none stay.
    fn move_frames(&mut self, id: CommandId, target: &Target, to: impl Fn(u32) -> Option<(u32, u32)>) {
        let Some(stopped) = self.stopped_of(id, target) else { return };
        let thread = target.thread;
        let mut moves: Vec<((u32, u32), ProcessSet)> = Vec::new();
        let mut staying = ProcessSet::new();
        for (own, ranks) in self.state.frames.parts(&stopped, thread) {
            let Some(levels) = to(own) else {
                staying.extend_with(&ranks);
                continue;
            };
            match moves.iter_mut().find(|(known, _)| *known == levels) {
                Some((_, set)) => set.extend_with(&ranks),
                None => moves.push((levels, ranks)),
            }
        }
        if moves.is_empty() {
            self.refuse(id, ProcessSet::new(), "this is the innermost frame");
            return;
        }
        if !staying.is_empty() {
            self.say(id, Content::Missing(staying, "this is the innermost frame".to_owned()));
        }
        let question = |((low, high), ranks)| (ranks, Operation::Stack { thread, low, high: Some(high) });
        let levels = moves.iter().map(|(levels, _)| *levels).collect();
        let questions = moves.into_iter().map(question).collect();
        self.ask(id, questions, Then::ChooseFrame(Move { thread, levels }));
    }

    pub(in crate::core) fn frame_chosen(
        &mut self,
        id: CommandId,
        moved: &Move,
        good: Vec<(usize, ProcessSet, Answer)>,
    ) {
        let mut with = Vec::new();
        let mut without: Vec<(String, ProcessSet)> = Vec::new();
        for (slot, ranks, answer) in good {
            let (Answer::Stack(frames), Some(&(low, high))) = (answer, moved.levels.get(slot)) else { continue };
            let frame = frames.into_iter().filter(|frame| (low..=high).contains(&frame.level)).last();
            let why = match frame {
                // It was to move, and has not.
                Some(frame) if frame.level == low && low < high => "this is the outermost frame".to_owned(),
                Some(frame) => {
                    with.push((ranks, frame));
                    continue;
                }
                None => format!("there is no frame {low}: the stack ends before it"),
            };
            match without.iter_mut().find(|(known, _)| *known == why) {
                Some((_, set)) => set.extend_with(&ranks),
                None => without.push((why, ranks)),
            }
        }
        let none = with.is_empty();
        self.look_at_frames(id, moved.thread, with);
        for (why, ranks) in without {
            if none {
                self.error(id, ranks, why, None);
            } else {
                self.say(id, Content::Missing(ranks, why));
            }
        }
    }

    /// Asks for the stacks in which the innermost frame of a function is to be chosen.
    pub(in crate::core) fn ask_for_function(&mut self, id: CommandId, target: Target, name: String) {
        let (thread, high) = (target.thread, Some(self.most_frames().saturating_sub(1)));
        let operation = Operation::Stack { thread, low: 0, high };
        self.ask_stopped(id, target, operation, Then::ChooseFunction(name, thread));
    }

    /// Chooses the innermost frame of a function in the stack of each rank; ranks without one keep theirs.
    pub(in crate::core) fn choose_function(
        &mut self,
        id: CommandId,
        name: &str,
        thread: Option<ThreadId>,
        good: Vec<(usize, ProcessSet, Answer)>,
    ) {
        let (mut with, mut without) = (Vec::new(), ProcessSet::new());
        for (_, ranks, answer) in good {
            let Answer::Stack(frames) = answer else { continue };
            match frames.into_iter().find(|frame| is_of(frame, name)) {
                Some(frame) => with.push((ranks, frame)),
                None => without.extend_with(&ranks),
            }
        }
        let none = with.is_empty();
        self.look_at_frames(id, thread, with);
        if !without.is_empty() && none {
            self.error(id, without, format!("no frame is one of {name}; \"where\" lists the frames"), None);
        } else if !without.is_empty() {
            let verb = if without.len() == 1 { "keeps its frame" } else { "keep their frames" };
            self.say(id, Content::Missing(without, format!("no frame is one of {name}: {verb}")));
        }
    }

    /// Ranks look at these frames from now on, and it is said at which.
    fn look_at_frames(&mut self, id: CommandId, thread: Option<ThreadId>, frames: Vec<(ProcessSet, Frame)>) {
        for (ranks, frame) in by_content(frames) {
            self.listed = None;
            self.state.frames.choose(&ranks, thread, &frame);
            self.glances.chosen_by_user(&ranks);
            self.say(id, Content::Frame(ranks, frame));
        }
    }
}

/// Whether a frame is one of a function, by its name or the last part of it, with or without parameters.
fn is_of(frame: &Frame, name: &str) -> bool {
    let Some(function) = frame.function.as_deref() else { return false };
    let is_it =
        |function: &str| function == name || function.strip_suffix(name).is_some_and(|scope| scope.ends_with("::"));
    is_it(function) || function.find('(').is_some_and(|at| is_it(function.get(..at).unwrap_or("")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::CodePlace;

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
