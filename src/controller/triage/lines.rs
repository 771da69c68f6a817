//! The commands that collect a report.

use super::ReportOrder;
use crate::state::{Phase, State, StatusGroup};
use model::{ProcessSet, ProcessState, StopReason};
use std::collections::BTreeMap;

/// A recursion without end has more frames than anyone reads; and each is two levels of JSON, of which readers such as
/// `serde_json` accept 128.
const MOST_FRAMES: u32 = 48;
/// Frames whose variables are shown.
const FULL_FRAMES: u32 = 24;
/// Groups of which one rank is shown with the variables of its frames.
const MOST_GROUPS: usize = 16;

/// A command line, and the frame in which it looks up names; `None`: each rank's selected one.
pub(crate) type Line = (String, Option<u32>);

/// Returns the command lines; `cores` is the directory for core files.
pub(crate) fn lines(state: &State, order: &ReportOrder, cores: &str) -> Vec<Line> {
    if state.phase != Phase::Live {
        return Vec::new();
    }
    let stopped = state.ranks.at_rest();
    let alive = ProcessSet::all(state.size()).difference(&state.ranks.ended());
    let mut lines = Vec::new();
    if !stopped.is_empty() {
        let shown = examples(state, &stopped, MOST_GROUPS);
        lines.push((format!("[{stopped}] thread apply all where -merge -limit {MOST_FRAMES}"), None));
        lines.push((format!("[{stopped}] why"), None));
        lines.push((format!("[{stopped}] where -limit {MOST_FRAMES}"), None));
        lines.push((format!("[{shown}] where full -limit {FULL_FRAMES}"), None));
        for (level, ranks) in by_user_frame(state, &stopped) {
            lines.push((format!("[{ranks}] args"), Some(level)));
            lines.push((format!("[{ranks}] locals"), Some(level)));
        }
    }
    if !alive.is_empty() {
        lines.push((format!("[{alive}] limits"), None));
        lines.push((format!("[{alive}] libraries"), None));
    }
    if order.cores > 0 && !stopped.is_empty() {
        let shown = examples(state, &stopped, order.cores as usize);
        lines.push((format!("[{shown}] gcore \"{cores}\""), None));
    }
    lines
}

/// Returns the ranks by the level of the innermost frame of the user's code.
fn by_user_frame(state: &State, among: &ProcessSet) -> BTreeMap<u32, ProcessSet> {
    let mut levels: BTreeMap<u32, ProcessSet> = BTreeMap::new();
    for (ranks, state) in state.ranks.groups() {
        let ProcessState::Stopped(stop) = state else { continue };
        let ranks = ranks.intersection(among);
        if !ranks.is_empty() {
            levels.entry(stop.shown_frame().level).or_default().extend_with(&ranks);
        }
    }
    levels
}

/// Returns one rank of each group, those that failed first.
fn examples(state: &State, among: &ProcessSet, most: usize) -> ProcessSet {
    let mut groups = state.status_groups(among);
    groups.sort_by_key(|group| (importance(group), group.ranks.first()));
    groups.iter().take(most).filter_map(|group| group.ranks.first()).collect()
}

fn importance(group: &StatusGroup) -> u8 {
    match &group.state {
        ProcessState::Stopped(stop) => match stop.reason {
            StopReason::Signal(_) | StopReason::Error => 0,
            StopReason::Interrupted => 2,
            _ => 1,
        },
        _ => 3,
    }
}
