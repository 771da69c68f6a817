//! Stacks and merged stacks as lines of text.

use super::arguments::ShownArguments;
use super::groups::{RankStack, StackLine, grouped};
use crate::StackTree;
use crate::report::text_words::{frame_mark, frame_place_with, of, of_threads, place, set_words};
use crate::state::{CallLine, Looks, TreeFrame, TreeNode};
use model::aif::FormatOptions;
use model::{Frame, MergedStacks, ProcessSet, RankThreads};
use std::fmt;
use std::ops::RangeInclusive;

/// Formats the frames of stacks; those of libraries that are folded as one line.
pub(in crate::report) fn stacks(stacks: &[RankStack], limits: &FormatOptions) -> Vec<String> {
    let group = |(ranks, lines): (ProcessSet, Vec<StackLine>)| -> Vec<String> {
        if lines.is_empty() {
            return vec![of(&ranks, "no stack")];
        }
        lines.iter().map(|line| of(&ranks, stack_line(line, limits))).collect()
    };
    grouped(stacks).into_iter().flat_map(group).collect()
}

/// Formats a frame with its arguments, if they are shown.
pub(in crate::report) fn frame(frame: &Frame, arguments: Option<&ShownArguments>, limits: &FormatOptions) -> String {
    let arguments = arguments.map(|arguments| arguments.text(limits));
    format!("#{:<2} {}{}", frame.level, frame_place_with(frame, arguments.as_deref()), frame_mark(frame))
}

/// Formats `#7  MPI_Allreduce from libmpi.so.40 … 8 frames`, or `#6-7 MPI_Allreduce from libmpi.so.40 … 7-8 frames` of
/// stacks that differ in depth.
fn stack_line(line: &StackLine, limits: &FormatOptions) -> String {
    let levels = range(&line.levels);
    let folded = line.folded.as_ref().map_or_else(String::new, |count| format!(" … {} frames", range(count)));
    let arguments = line.arguments.as_ref().map(|arguments| arguments.text(limits));
    let place = frame_place_with(&line.frame, arguments.as_deref());
    format!("#{levels:<2} {place}{}{folded}", frame_mark(&line.frame))
}

fn range<T: PartialEq + fmt::Display>(range: &RangeInclusive<T>) -> String {
    let (least, greatest) = (range.start(), range.end());
    if least == greatest { least.to_string() } else { format!("{least}-{greatest}") }
}

/// A call of merged stacks.
pub(in crate::report) struct TreeLine {
    pub(in crate::report) threads: RankThreads,
    pub(in crate::report) text: String,
    /// The number of calls around it.
    pub(in crate::report) level: usize,
    /// How often it was seen, if ranks were looked at several times.
    pub(in crate::report) share: Option<String>,
    /// The number of branches around it.
    column: usize,
}

/// Formats merged stacks, callers first; `all`: every call of libraries, too.
pub(in crate::report) fn tree(tree: &StackTree, all: bool) -> Vec<String> {
    // A path without branches stays in its column: it shows where ranks diverge.
    let line = |line: TreeLine| {
        let share = line.share.map_or_else(String::new, |share| format!("{share:>4} "));
        of_threads(&line.threads, format!("{share}{}{}", "  ".repeat(line.column), line.text))
    };
    let looks = tree.looks.iter().flat_map(|looks| looks_words(tree, looks));
    let lines = tree_lines(tree, all).into_iter().map(line);
    looks.chain(lines).chain(tree.is_cut.then(|| cut_words(&tree.ranks))).collect()
}

/// The words about the looks that a tree is made of: how many, and which ranks moved between them.
pub(in crate::report) fn looks_words(tree: &StackTree, looks: &Looks) -> Vec<String> {
    let resting = tree.ranks.difference(&looks.moved);
    let times = if looks.count == 1 { "once".to_owned() } else { format!("{} times", looks.count) };
    let mut lines = vec![of(&tree.ranks, format!("looked at {times} in {:.1} s", looks.lasted.as_secs_f64()))];
    let moved = (!looks.moved.is_empty()).then(|| of(&looks.moved, "moved to other lines or calls"));
    let rested = (looks.count > 1 && !resting.is_empty()).then(|| of(&resting, "always at the same line"));
    lines.extend(moved.into_iter().chain(rested));
    lines
}

/// Formats a part of a whole: `62%`, `<1%`.
pub fn share(part: u64, whole: u64) -> String {
    match (u128::from(part) * 100).checked_div(u128::from(whole)) {
        Some(0) if part > 0 => "<1%".to_owned(),
        percent => format!("{}%", percent.unwrap_or(0)),
    }
}

/// The words about calls that the servers have left out.
pub(in crate::report) fn cut_words(ranks: &ProcessSet) -> String {
    let first = ranks.first().map_or(0, |rank| rank.0);
    let last = ranks.last().map_or(0, |rank| rank.0);
    let fewer = last.min(first.saturating_add(99));
    format!(
        "The ranks are in more than {} different calls; those further inside are left out. A smaller set shows more: [{first}-{fewer}] where",
        MergedStacks::MOST
    )
}

/// Returns the calls of merged stacks, callers first; `all`: every call of libraries, too.
pub(in crate::report) fn tree_lines(tree: &StackTree, all: bool) -> Vec<TreeLine> {
    let folds = !all && tree.has_user_code();
    let mut lines = Vec::new();
    let whole = tree.looks.is_some().then_some(tree.seen);
    for root in &tree.roots {
        branch(root, None, (0, 0), (folds, whole), &mut lines);
    }
    lines
}

fn branch(
    node: &TreeNode,
    caller: Option<&str>,
    (level, column): (usize, usize),
    (folds, whole): (bool, Option<u64>),
    lines: &mut Vec<TreeLine>,
) {
    let fold = if folds { node.folded(caller) } else { None };
    let (text, last, children) = match &fold {
        Some(fold) => {
            let called = TreeFrame { function: fold.call.clone(), ..node.frame.clone() };
            (format!("{} … {} frames", tree_frame(&called), fold.count()), fold.last, fold.children)
        }
        None => (format!("{}{}", tree_frame(&node.frame), places(node, whole)), node, node.children.as_slice()),
    };
    let share = whole.map(|whole| share(node.seen, whole));
    lines.push(TreeLine { threads: node.threads.clone(), text, level, share, column });
    let inner = (level + 1, column + usize::from(children.len() > 1));
    for child in children {
        branch(child, last.frame.function.as_deref(), inner, (folds, whole), lines);
    }
}

/// Formats ` at lines 18 [0-2], 20 [3]`, or of several looks ` at lines 18 62%, 20 38%`; empty if all ranks are at one line.
fn places(node: &TreeNode, whole: Option<u64>) -> String {
    let at = |at: &CallLine| match whole {
        Some(whole) => format!("{} {}", at.line, share(at.seen, whole)),
        None => format!("{} [{}]", at.line, set_words(&at.threads.ranks())),
    };
    match node.lines.as_slice() {
        [_, _, ..] => {
            let lines: Vec<String> = node.lines.iter().map(at).collect();
            format!(" at lines {}", lines.join(", "))
        }
        _ => String::new(),
    }
}

fn tree_frame(frame: &TreeFrame) -> String {
    let function = frame.function.as_deref().map_or_else(
        || frame.code.as_ref().map_or_else(|| "??".to_owned(), |code| format!("?? ({:#x})", code.offset)),
        str::to_owned,
    );
    format!("{function}{}", place(frame.source.as_ref(), frame.code.as_ref()))
}
