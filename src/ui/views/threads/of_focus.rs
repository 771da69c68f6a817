//! The threads of all ranks of the focus, by the calls that they are in.

use crate::action::ViewId;
use crate::screen::{Pen, columns};
use crate::theme::Role;
use crate::view::View;
use crate::views::list_rows::{absence, select, threads_text};
use crate::words::{base_name, place_words};
use controller::state::CallLine;
use controller::{State, TreeNode};
use model::{ProcessSet, Rank, RankThreads, called_name};
use ratatui::layout::Rect;
use std::collections::BTreeMap;

/// Threads that are in one call of the user's code, or in a library that it has called.
pub(crate) struct Row<'a> {
    /// The threads.
    pub(crate) threads: RankThreads,
    /// The innermost call of the user's code; `None` if there is none.
    user: Option<&'a TreeNode>,
    /// The call of a library that it makes, by the name that it uses.
    library: Option<String>,
    /// The line of the user's code; `None` if it is unknown.
    line: Option<u32>,
}

impl Row<'_> {
    /// The function whose frame is selected with the threads.
    pub(crate) fn function(&self) -> Option<&str> {
        self.user.and_then(|node| node.frame.function.as_deref())
    }
}

/// The threads of the focus: those of the user's code first, each in the order of their lowest ranks.
pub(crate) fn rows_of_focus(state: &State) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    if let Some(tree) = state.inspection.thread_tree.value() {
        tree.roots.iter().for_each(|root| add(&mut rows, root, None));
    }
    rows.sort_by_key(|row: &Row<'_>| (row.user.is_none(), row.threads.first()));
    rows
}

/// Adds the threads whose stacks end in a call or in those made from it; `user` is the innermost call of the user's code
/// around it.
fn add<'a>(rows: &mut Vec<Row<'a>>, node: &'a TreeNode, user: Option<&'a TreeNode>) {
    if node.has_only_libraries() {
        let caller = user.and_then(|user| user.frame.function.as_deref());
        let called = node.frame.function.as_deref().map(|name| called_name(name, caller).to_owned());
        // Of a thread without code of the user's, its innermost call says what it is.
        let library = if user.is_some() { called } else { innermost(node) };
        let mut at_lines = user.map_or_else(Vec::new, |user| {
            let at = |at: &CallLine| (Some(at.line), at.threads.intersection(&node.threads));
            user.lines.iter().map(at).filter(|(_, threads)| !threads.is_empty()).collect()
        });
        if at_lines.is_empty() {
            at_lines.push((None, node.threads.clone()));
        }
        rows.extend(at_lines.into_iter().map(|(line, threads)| Row { threads, user, library: library.clone(), line }));
        return;
    }
    let user = if node.is_library() { user } else { Some(node) };
    node.children.iter().for_each(|child| add(rows, child, user));
    let ends = node.ends();
    if !ends.is_empty() {
        let at = node.lines.iter().map(|at| (Some(at.line), at.threads.intersection(&ends)));
        let mut at: Vec<_> = at.filter(|(_, threads)| !threads.is_empty()).collect();
        if at.is_empty() {
            at.push((None, ends));
        }
        rows.extend(at.into_iter().map(|(line, threads)| Row { threads, user, library: None, line }));
    }
}

/// The innermost call that all threads of a call share.
fn innermost(node: &TreeNode) -> Option<String> {
    let mut last = node;
    while let [child] = last.children.as_slice()
        && child.threads == last.threads
    {
        last = child;
    }
    last.frame.function.as_deref().map(str::to_owned)
}

/// The names of threads: `io`, `worker 1-7`; empty if they have none.
fn names(threads: &RankThreads) -> String {
    let mut named: BTreeMap<&str, ProcessSet> = BTreeMap::new();
    for (thread, _) in threads.named() {
        let text = thread.name.trim_end_matches(|c: char| c.is_ascii_digit());
        let numbers = named.entry(text).or_default();
        if let Some(number) = thread.name.get(text.len()..).and_then(|digits| digits.parse().ok()) {
            numbers.insert(Rank(number));
        }
    }
    let one = |(text, numbers): (&str, ProcessSet)| format!("{text}{numbers}");
    named.into_iter().map(one).filter(|name| !name.is_empty()).collect::<Vec<_>>().join(", ")
}

pub(super) fn draw(pen: &mut Pen<'_>, body: Rect, state: &State, view: &View) {
    if let Some(words) = absence(state, &state.inspection.thread_tree) {
        pen.row(body, 0).put(" ", Role::Text).put(&words, Role::Dim);
    }
    let rows = rows_of_focus(state);
    let width = usize::from(body.width);
    let shown = |row: &Row<'_>| (threads_text(&row.threads, width / 4), names(&row.threads));
    let window: Vec<usize> = view.threads.window(rows.len(), body.height.into()).collect();
    let texts: Vec<(String, String)> = window.iter().filter_map(|index| rows.get(*index).map(shown)).collect();
    let widest = |column: &dyn Fn(&(String, String)) -> usize| texts.iter().map(column).max().unwrap_or(0);
    let (sets, labels) = (widest(&|text| columns(&text.0)), widest(&|text| columns(&text.1)).min(width / 4));
    for (at, (index, (set, label))) in window.iter().zip(&texts).enumerate() {
        let Some(row) = rows.get(*index) else { break };
        let at = at as u16;
        let mut line = pen.row(body, at);
        line.put(" ", Role::Text);
        let begin = line.at();
        line.put(set, Role::RankTag).to(begin + sets as u16 + 2);
        if labels > 0 {
            let begin = line.at();
            line.short(label, labels, Role::Text).to(begin + labels as u16 + 2);
        }
        if let Some(user) = row.user {
            let file = user.file.as_deref().map(base_name);
            let place = match (file, row.line) {
                (Some(file), Some(line)) => format!("{file}:{line}"),
                _ => user.frame.source.as_ref().map(place_words).unwrap_or_default(),
            };
            line.put(user.frame.function.as_deref().unwrap_or("??"), Role::CodeFunction);
            line.put("  ", Role::Text).put(&place, Role::Dim);
        }
        if let Some(library) = &row.library {
            let arrow = if row.user.is_some() { "  in " } else { "in " };
            line.put(arrow, Role::Dim).put(library, Role::Text);
        }
        select(pen, body, at, *index == view.threads.cursor, view.current == ViewId::Threads);
    }
}
