//! The frames of the user's code that have called the innermost one.

use super::lines::Line;
use model::{Frame, MyCode, ProcessSet, SourcePlace};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// Frames whose variables are collected at most, those nearest to the innermost one.
const MOST_CALLERS: usize = 96;

/// A frame that ranks share, at the same level of their stacks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Caller {
    pub(crate) ranks: ProcessSet,
    pub(crate) frame: Frame,
}

/// Returns the frames of the user's code but the innermost of each stack, from the lowest level up, and the ranks of which
/// some are left out.
pub(super) fn callers(stacks: &[(ProcessSet, Vec<Frame>)], my_code: &MyCode) -> (Vec<Caller>, ProcessSet) {
    type Key<'a> = (u32, Option<&'a Arc<str>>, Option<(&'a str, u32)>);
    let mut found: BTreeMap<Key<'_>, Caller> = BTreeMap::new();
    for (ranks, frames) in stacks {
        for frame in frames.iter().filter(|frame| my_code.has(frame)).skip(1) {
            let place = frame.source.as_ref().map(|SourcePlace { file, line }| (&**file, *line));
            let key = (frame.level, frame.function.as_ref(), place);
            let none = || Caller { ranks: ProcessSet::new(), frame: frame.clone() };
            found.entry(key).or_insert_with(none).ranks.extend_with(ranks);
        }
    }
    let mut callers: Vec<Caller> = found.into_values().collect();
    let left_out = callers.split_off(callers.len().min(MOST_CALLERS));
    (callers, left_out.iter().fold(ProcessSet::new(), |all, caller| all.union(&caller.ranks)))
}

/// Callers whose variables are requested, one for each command that is not over.
#[derive(Debug, Default)]
pub(super) struct Asked(VecDeque<Caller>);

impl Asked {
    /// Returns the commands for the variables of callers.
    pub(super) fn lines(&mut self, callers: Vec<Caller>) -> Vec<Line> {
        let mut lines = Vec::new();
        for caller in callers {
            for command in ["args", "locals"] {
                lines.push((format!("[{}] {command}", caller.ranks), Some(caller.frame.level)));
                self.0.push_back(caller.clone());
            }
        }
        lines
    }

    /// The caller whose variables the present command lists.
    pub(super) fn now(&self) -> Option<&Caller> {
        self.0.front()
    }

    /// Notes the end of a command.
    pub(super) fn is_over(&mut self) {
        self.0.pop_front();
    }
}
