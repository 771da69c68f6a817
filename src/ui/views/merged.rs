//! The stacks of the focus as one tree: of one thread of each rank, or of all threads.

use super::list_rows::{select, threads_text};
use crate::action::ViewId;
use crate::glyphs::{Glyphs, glyphs};
use crate::screen::{Pen, columns};
use crate::theme::Role;
use crate::view::{LibraryFrames, StackForm, View};
use crate::words::{base_name, folded_words, place_words};
use controller::sets::{ThreadGroup, scope_of};
use controller::state::{CallLine, FoldedCalls, Lookup};
use controller::{StackTree, State, TreeNode, share};
use model::{MergedStacks, ProcessSet, ProcessState, RankThreads, ThreadId};
use ratatui::layout::Rect;
use std::collections::BTreeMap;

pub(crate) struct Row<'a> {
    /// Lines of the tree drawn before the row.
    indent: String,
    node: &'a TreeNode,
    /// One of several lines in the function; `None` for the row of the function itself.
    line: Option<u32>,
    /// The threads that enter focuses on.
    pub(crate) threads: RankThreads,
    /// The threads whose innermost frame this is.
    here: RankThreads,
    /// How often a thread was seen in it: once each, unless ranks were looked at several times.
    seen: u64,
    depth: usize,
    /// The calls of libraries that the row stands for.
    folded: Option<FoldedCalls<'a>>,
}

impl Row<'_> {
    fn is_same_call(&self, other: &Row<'_>) -> bool {
        std::ptr::eq(self.node, other.node) && self.line == other.line
    }

    /// True if the lead rank's thread is in this call.
    fn has_lead(&self, state: &State) -> bool {
        if !self.threads.are_named() {
            return self.threads.ranks().contains(state.lead);
        }
        let stopped = || match state.ranks.state(state.lead) {
            Some(ProcessState::Stopped(stop)) => Some(stop.thread),
            _ => None,
        };
        let shown = state.thread.or_else(stopped);
        let named = self.threads.named().iter();
        named.filter(|(thread, _)| shown == Some(thread.id)).any(|(_, ranks)| ranks.contains(state.lead))
    }

    /// True if calls of this depth are shown here.
    fn has(&self, depth: usize) -> bool {
        let count = self.folded.as_ref().map_or(1, |folded| *folded.frames.end());
        (self.depth..self.depth + count).contains(&depth)
    }
}

/// The row in the other one of two lists that shows a row's call, or the nearest before it that is in both.
pub(crate) fn same_row(from: &[Row<'_>], to: &[Row<'_>], at: usize) -> Option<usize> {
    let before = from.get(..=at.min(from.len().checked_sub(1)?))?;
    before.iter().rev().find_map(|row| to.iter().position(|other| other.is_same_call(row)))
}

/// The tree that view 3 shows, or would show. Of ranks that run, it is that of the last `sample`.
pub(crate) fn tree<'a>(state: &'a State, view: &View) -> &'a Lookup<StackTree> {
    let tree = match view.chosen_stack.form(&state.focus) {
        StackForm::AllThreads => &state.inspection.thread_tree,
        StackForm::Frames | StackForm::Merged => &state.inspection.tree,
    };
    let sampled = &state.inspection.sampled;
    let is_of_focus = sampled.value().is_some_and(|tree| tree.ranks.meets(&state.focus.set));
    if is_of_focus && matches!(tree, Lookup::Absent) { sampled } else { tree }
}

/// With more levels than this in a branch, frames are selected by function, not by level.
const MOST_LEVELS: usize = 4;

/// The commands that focus on a branch's ranks and select its frame in each rank's stack; of running ranks there is none
/// to select.
pub(crate) fn choosing(row: &Row<'_>, state: &State, view: &View) -> Vec<String> {
    if is_sampled(state, view) {
        return vec![format!("focus {}", row.threads.ranks())];
    }
    if row.threads.are_named() {
        return choosing_threads(&row.threads, row.node.frame.function.as_deref());
    }
    let ranks = row.threads.ranks();
    let mut levels = BTreeMap::new();
    if row.line.is_some() {
        levels.insert(0, ranks.clone());
    } else {
        inside(row.node, 0, &mut levels);
    }
    let mut lines = vec![format!("focus {ranks}")];
    match &row.node.frame.function {
        Some(name) if levels.len() > MOST_LEVELS => lines.push(format!("[{ranks}] frame function {name}")),
        _ => lines.extend(levels.into_iter().map(|(level, ranks)| format!("[{ranks}] frame {level}"))),
    }
    lines
}

/// With more different sets of threads than this, their frames are not selected.
const MOST_SCOPES: usize = 8;

/// The commands that focus on threads, or on their ranks if these have different ones, and select the innermost frame of a
/// function in each.
pub(crate) fn choosing_threads(threads: &RankThreads, function: Option<&str>) -> Vec<String> {
    let scope = |ranks: &ProcessSet, group: &ThreadGroup| format!("{ranks}.{}", group.spelled());
    let focus = match scope_of(threads) {
        Some((ranks, Some(group))) => scope(&ranks, &group),
        Some((ranks, None)) => ranks.to_string(),
        None => threads.ranks().to_string(),
    };
    let mut lines = vec![format!("focus {focus}")];
    let alike = threads.alike();
    if let Some(name) = function.filter(|_| alike.len() <= MOST_SCOPES) {
        let of = |(ranks, ids): (&ProcessSet, Vec<ThreadId>)| {
            format!("[{}] frame function {name}", scope(ranks, &ThreadGroup::of_threads(ids)))
        };
        lines.extend(alike.into_iter().map(of));
    }
    lines
}

/// Collects ranks by the level of this frame in their stacks.
fn inside(node: &TreeNode, level: u32, levels: &mut BTreeMap<u32, ProcessSet>) {
    let mut here = node.ranks.clone();
    for child in &node.children {
        here.remove_all(&child.ranks);
        inside(child, level + 1, levels);
    }
    if !here.is_empty() {
        levels.entry(level).or_default().extend_with(&here);
    }
}

/// True if the tree is of several looks at running ranks.
fn is_sampled(state: &State, view: &View) -> bool {
    tree(state, view).value().is_some_and(|tree| tree.looks.is_some())
}

/// The depth of the lead rank's selected frame, counted from the outermost.
fn shown_depth(state: &State) -> Option<usize> {
    let stack = state.inspection.stack.value()?;
    stack.len().checked_sub(1 + stack.iter().position(|frame| frame.level == state.frame())?)
}

/// The row of the lead rank's selected frame.
pub(crate) fn shown_row(state: &State, view: &View) -> Option<usize> {
    let depth = shown_depth(state)?;
    let rows = rows(state, view);
    // A row with rows for its lines below leaves the mark to them.
    rows.iter().rposition(|row| row.has(depth) && row.has_lead(state))
}

/// The children of a row: callees, or lines in the function.
enum Part<'a> {
    Line(u32, RankThreads, u64),
    Call(&'a TreeNode),
}

/// The rows of the tree, callers first.
pub(crate) fn rows<'a>(state: &'a State, view: &View) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    if let Some(tree) = tree(state, view).value() {
        // With several roots, their callees are indented, so that each root stands out.
        let tail = if tree.roots.len() > 1 { "  " } else { "" };
        let folds = view.libraries == LibraryFrames::Folded && tree.has_user_code();
        let drawing = Drawing { glyphs: glyphs(view.ascii), folds, sampled: tree.looks.is_some() };
        for root in &tree.roots {
            grow(&mut rows, root, (None, 0), ("", tail), &drawing);
        }
    }
    rows
}

/// The form of the rows.
struct Drawing {
    glyphs: &'static Glyphs,
    /// True if calls of libraries are one row.
    folds: bool,
    /// True if ranks were looked at several times: a thread may have been at several lines and in several calls.
    sampled: bool,
}

/// True if a row stands for calls of libraries.
pub(crate) fn has_folded(state: &State, view: &View) -> bool {
    rows(state, view).iter().any(|row| row.folded.is_some())
}

/// Adds the rows of a node, called by the function at the depth before. Calls without a fork stay in one column: only where ranks diverge is the tree indented.
fn grow<'a>(
    rows: &mut Vec<Row<'a>>,
    node: &'a TreeNode,
    (caller, depth): (Option<&str>, usize),
    (head, tail): (&str, &str),
    drawing: &Drawing,
) {
    let folded = if drawing.folds { node.folded(caller) } else { None };
    let (last, children) = match &folded {
        Some(folded) => (folded.last, folded.children),
        None => (node, node.children.as_slice()),
    };
    let mut here = node.threads.clone();
    for child in children {
        here.remove_all(&child.threads);
    }
    let line = |at: &CallLine| {
        if drawing.sampled {
            return Part::Line(at.line, at.threads.clone(), at.seen_last);
        }
        let threads = at.threads.intersection(&here);
        let seen = threads.count() as u64;
        Part::Line(at.line, threads, seen)
    };
    let is_there = |part: &Part<'_>| !matches!(part, Part::Line(_, _, 0));
    let mut parts: Vec<Part<'a>> = last.lines.iter().map(line).filter(is_there).collect();
    // If all ranks are at one line, the row of the call shows it.
    if folded.is_some() || node.lines.len() == 1 || (parts.len() == 1 && children.is_empty()) {
        parts.clear();
    }
    parts.extend(children.iter().map(Part::Call));
    let forks = parts.len() > 1 || (!here.is_empty() && !parts.is_empty());
    let inner = (last.frame.function.as_deref(), depth + folded.as_ref().map_or(1, |folded| *folded.frames.end()));
    let (threads, seen) = (node.threads.clone(), node.seen);
    rows.push(Row { indent: head.to_owned(), node, line: None, threads, here, seen, depth, folded });
    let count = parts.len();
    for (i, part) in parts.into_iter().enumerate() {
        let (head, tail) = match (forks, i + 1 < count) {
            (false, _) => (tail.to_owned(), tail.to_owned()),
            (true, true) => (format!("{tail}{}", drawing.glyphs.branch), format!("{tail}{}", drawing.glyphs.passing)),
            (true, false) => (format!("{tail}{}", drawing.glyphs.last_branch), format!("{tail}  ")),
        };
        match part {
            Part::Call(child) => grow(rows, child, inner, (&head, &tail), drawing),
            Part::Line(line, threads, seen) => {
                let (line, here) = (Some(line), threads.clone());
                rows.push(Row { indent: head, node, line, here, threads, seen, depth, folded: None });
            }
        }
    }
}

/// The name and location of a row; a range of lines if its ranks are at several.
fn words(row: &Row<'_>, cut: char, room: usize) -> (String, String) {
    let frame = &row.node.frame;
    if let Some(line) = row.line {
        return (String::new(), format!("line {line}"));
    }
    let name = match (&frame.function, &frame.code) {
        (Some(function), _) => function.to_string(),
        (None, Some(code)) => format!("{}+{:#x}", code.module.as_deref().map_or("?", base_name), code.offset),
        (None, None) => "?".to_owned(),
    };
    if let Some(folded) = &row.folded {
        let name = folded.call.as_deref().unwrap_or(&name);
        return (folded_words(name, &folded.count(), cut, room), String::new());
    }
    let lines = match (row.node.lines.as_slice(), &row.node.file) {
        ([CallLine { line: first, .. }, .., CallLine { line: last, .. }], Some(file)) => {
            format!("{}:{first}-{last}", base_name(file))
        }
        _ => frame.source.as_ref().map(place_words).unwrap_or_default(),
    };
    (name, lines)
}

/// Narrower views have no bars.
const WITH_BARS: u16 = 60;

/// The columns of a bar.
const BAR: usize = 6;

/// A bar for a part of a whole that is not 0, in eighths of a column; one eighth at least.
fn bar(part: u64, whole: u64, ascii: bool) -> String {
    let most = 8 * BAR as u64;
    let eighths = (u128::from(most) * u128::from(part)).div_ceil(u128::from(whole.max(1)));
    let eighths = usize::try_from(eighths).unwrap_or(usize::MAX).clamp(1, 8 * BAR);
    let text: String = if ascii {
        "#".repeat(eighths.div_ceil(8))
    } else {
        let rest = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
        let last = (eighths % 8).checked_sub(1).and_then(|at| rest.get(at));
        std::iter::repeat_n('█', eighths / 8).chain(last.copied()).collect()
    };
    format!("{text:BAR$}")
}

pub(crate) fn draw(pen: &mut Pen<'_>, body: Rect, state: &State, view: &View) {
    let shown = shown_row(state, view);
    let rows = rows(state, view);
    let all = tree(state, view).value().map_or(0, |tree| tree.seen);
    let sampled = is_sampled(state, view);
    // If all are in one call, bars tell nothing.
    let has_bars = body.width >= WITH_BARS && rows.iter().any(|row| row.seen < all);
    let is_cut = tree(state, view).value().is_some_and(|tree| tree.is_cut);
    let body = match body.height.checked_sub(1).filter(|_| is_cut) {
        Some(height) => {
            let words = format!("more than {} different calls; those further inside are left out", MergedStacks::MOST);
            pen.row(body, height).put(" ", Role::Text).put(&words, Role::Dim);
            Rect { height, ..body }
        }
        None => body,
    };
    let window = view.stack.window(rows.len(), body.height.into());
    let text = |row: &Row<'_>| {
        let threads = threads_text(&row.threads, usize::from(body.width) / 4);
        if sampled { format!("{:>4} {threads}", share(row.seen, all)) } else { threads }
    };
    let widest = rows.get(window.clone()).into_iter().flatten().map(|row| columns(&text(row))).max().unwrap_or(0);
    for (at, index) in window.enumerate() {
        let Some(row) = rows.get(index) else { break };
        let at = at as u16;
        let ranks = text(row);
        let mut line = pen.row(body, at);
        // A row with rows for its lines below leaves the mark to them.
        let parted = row.line.is_none() && rows.get(index + 1).is_some_and(|next| next.line.is_some());
        let sign = if shown == Some(index) { line.pen.glyphs.lead } else { ' ' };
        line.sign(sign, Role::ProcessBreakpoint).put(&row.indent, Role::Border);
        let bar = if has_bars { bar(row.seen, all, view.ascii) } else { String::new() };
        let tail = 2 + if has_bars { widest + BAR + 1 } else { columns(&ranks) };
        line.reserve(tail);
        let (name, place) = words(row, line.pen.glyphs.cut, line.left());
        if !name.is_empty() {
            let room = line.left().saturating_sub(columns(&place) + 2).max(line.left() * 3 / 5).max(6);
            line.short(&name, room, Role::CodeFunction).put("  ", Role::Text);
        }
        line.short_end(&place, Role::Dim);
        let width = (tail as u16).min(body.width);
        let end = Rect { x: body.x + body.width - width, width, ..body };
        let stands = !row.here.is_empty() && !parted;
        let mut end = pen.row(end, at);
        end.put(" ", Role::Text);
        if has_bars {
            end.put(&bar, Role::Dim).put(&" ".repeat(1 + widest - columns(&ranks)), Role::Text);
        }
        end.put(&ranks, if stands { Role::LineOther } else { Role::RankTag });
        select(pen, body, at, index == view.stack.cursor, view.current == ViewId::Stack);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_the_part_is_large_and_never_empty() {
        let bars: Vec<String> =
            [(1, 1_000_000), (1, 6), (13, 48), (3, 4), (6, 6)].map(|(part, all)| bar(part, all, false)).into();
        assert_eq!(bars, ["▏     ", "█     ", "█▋    ", "████▌ ", "██████"]);
        assert_eq!((bar(1, 1_000_000, true), bar(3, 4, true)), ("#     ".to_owned(), "##### ".to_owned()));
    }
}
