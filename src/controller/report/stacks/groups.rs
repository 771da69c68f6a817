//! Stacks that differ only within libraries, as one: ranks that wait in one call are at different places in it.

use super::arguments::{ShownArguments, StackArguments};
use crate::state::FoldedStack;
use model::{Frame, ProcessSet};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A stack that ranks share, and where in the user's code it is.
#[derive(Clone, Debug, PartialEq)]
pub struct RankStack {
    /// The ranks.
    pub ranks: ProcessSet,
    /// The stack, innermost frame first.
    pub stack: FoldedStack,
    /// The innermost frame of the user's code, if that is not the innermost frame.
    pub user: Option<Box<model::UserFrame>>,
    /// The arguments of its frames.
    pub arguments: StackArguments,
}

/// A line of stacks: a frame, or frames of libraries that are shown as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StackLine {
    /// The frame; of those that are shown as one the outermost, by the name that its caller uses.
    pub(super) frame: Frame,
    /// The levels that it has on the stacks.
    pub(super) levels: RangeInclusive<u32>,
    /// How many frames it stands for, if for more than one.
    pub(super) folded: Option<RangeInclusive<usize>>,
    /// The arguments of the frame, if they are shown.
    pub(super) arguments: Option<ShownArguments>,
}

/// The parts of a line that are equal in stacks shown as one: all but the address and the level.
type Place = (bool, Option<Arc<str>>, Option<Arc<str>>, Option<model::SourcePlace>, bool, bool);

impl StackLine {
    fn place(&self) -> Place {
        let Frame { function, source, code, inlined, guessed, .. } = &self.frame;
        (self.folded.is_some(), function.clone(), code.module.clone(), source.clone(), *inlined, *guessed)
    }

    fn include(&mut self, other: &Self) {
        self.levels = least_and_greatest(&self.levels, &other.levels);
        if let (Some(count), Some(more)) = (&mut self.folded, &other.folded) {
            *count = least_and_greatest(count, more);
        }
        if let (Some(own), Some(also)) = (&mut self.arguments, &other.arguments) {
            own.include(also);
        }
    }
}

fn least_and_greatest<T: Ord + Copy>(one: &RangeInclusive<T>, other: &RangeInclusive<T>) -> RangeInclusive<T> {
    *one.start().min(other.start())..=*one.end().max(other.end())
}

/// Returns the lines of stacks. Those with folded frames that have equal lines are joined; others are as they are.
pub(super) fn grouped(stacks: &[RankStack]) -> Vec<(ProcessSet, Vec<StackLine>)> {
    let mut groups: Vec<(ProcessSet, Vec<StackLine>)> = Vec::new();
    let mut known: HashMap<Vec<Place>, usize> = HashMap::new();
    for one in stacks {
        let lines = lines(&one.stack, &one.arguments);
        if !one.stack.folded().is_empty() {
            let at = *known.entry(lines.iter().map(StackLine::place).collect()).or_insert(groups.len());
            if let Some((ranks, joined)) = groups.get_mut(at) {
                ranks.extend_with(&one.ranks);
                joined.iter_mut().zip(&lines).for_each(|(line, other)| line.include(other));
                continue;
            }
        }
        groups.push((one.ranks.clone(), lines));
    }
    groups
}

fn lines(stack: &FoldedStack, arguments: &StackArguments) -> Vec<StackLine> {
    let line = |frame: &Frame| StackLine {
        frame: frame.clone(),
        levels: frame.level..=frame.level,
        folded: None,
        arguments: arguments.get(&frame.level).cloned(),
    };
    let mut lines = Vec::new();
    let mut next = 0;
    for fold in stack.folded() {
        lines.extend(stack.iter().take(fold.places.start).skip(next).map(line));
        next = fold.places.end;
        let outermost = next.checked_sub(1).and_then(|last| stack.get(last));
        lines.extend(outermost.map(|outermost| StackLine {
            folded: Some(fold.places.len()..=fold.places.len()),
            ..line(&Frame { function: fold.call.clone(), ..outermost.clone() })
        }));
    }
    lines.extend(stack.iter().skip(next).map(line));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{CodePlace, MyCode, SourcePlace};
    use proptest::prelude::*;

    /// A stack from letters, innermost first: capitals are functions of a library.
    fn stack(rank: u32, names: &str) -> RankStack {
        let frame = |(level, letter): (usize, char)| Frame {
            level: level as u32,
            function: Some(letter.to_string().into()),
            source: letter.is_lowercase().then(|| SourcePlace { file: "/home/me/app.c".into(), line: 1 }),
            code: CodePlace {
                module: Some(if letter.is_lowercase() { "/home/me/app" } else { "/lib/libmpi.so" }.into()),
                offset: u64::from(rank) * 64 + level as u64,
                address: None,
            },
            inlined: false,
            guessed: false,
            thread: None,
        };
        let frames = names.chars().enumerate().map(frame).collect();
        RankStack {
            ranks: ProcessSet::range(rank, rank + 1),
            stack: FoldedStack::new(frames, &MyCode::default()),
            user: None,
            arguments: StackArguments::new(),
        }
    }

    fn shown(stacks: &[&str]) -> Vec<String> {
        let stacks: Vec<_> = (0..).zip(stacks).map(|(rank, names)| stack(rank, names)).collect();
        let line = |line: &StackLine| {
            let name = line.frame.function.as_deref().unwrap();
            let levels = format!("{}-{}", line.levels.start(), line.levels.end());
            let folded = line.folded.as_ref().map(|count| format!("({}-{})", count.start(), count.end()));
            format!("{name}{levels}{}", folded.unwrap_or_default())
        };
        let group = |(ranks, lines): (ProcessSet, Vec<StackLine>)| {
            format!("{ranks}: {}", lines.iter().map(line).collect::<Vec<_>>().join(" "))
        };
        grouped(&stacks).into_iter().map(group).collect()
    }

    #[test]
    fn ranks_that_wait_in_one_call_are_one_group_however_deep_they_are() {
        assert_eq!(shown(&["PWAm", "QPWAm", "XAm"]), ["0-2: A1-3(2-4) m2-4"]);
        assert_eq!(shown(&["PWAm", "PWBm"]).len(), 2, "another call");
        assert_eq!(shown(&["PWAm", "PWAkm"]).len(), 2, "another caller");
    }

    #[test]
    fn stacks_without_folded_frames_stay_as_they_are() {
        assert_eq!(shown(&["km", "km"]), ["0: k0-0 m1-1", "1: k0-0 m1-1"]);
        assert_eq!(shown(&[]), [""; 0]);
    }

    proptest! {
        #[test]
        fn every_rank_is_in_one_group_and_no_frame_is_lost(stacks in prop::collection::vec("[A-Ckm]{1,12}", 0..12)) {
            let stacks: Vec<_> = (0..).zip(&stacks).map(|(rank, names)| stack(rank, names)).collect();
            let groups = grouped(&stacks);
            prop_assert_eq!(groups.iter().map(|(ranks, _)| ranks.len()).sum::<usize>(), stacks.len());
            for one in &stacks {
                let (_, lines) = groups.iter().find(|(ranks, _)| ranks.meets(&one.ranks)).unwrap();
                let depth = |of: fn(&RangeInclusive<usize>) -> usize| -> usize {
                    lines.iter().map(|line| line.folded.as_ref().map_or(1, of)).sum()
                };
                prop_assert!((depth(|count| *count.start())..=depth(|count| *count.end())).contains(&one.stack.len()));
            }
        }
    }
}
