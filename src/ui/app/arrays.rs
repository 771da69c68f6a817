//! Keys of the array view.

use super::array_tiles::{self, put_together};
use crate::action::{Action, ViewId};
use crate::array_state::{Grid, Sought};
use crate::effect::Effect;
use crate::layer::{Prompt, PromptKind};
use crate::layout::Pane;
use crate::part_path::target_of;
use crate::screen::layout_of;
use crate::view::{Notice, View};
use crate::views::array::tiles;
use crate::views::{array, variables};
use controller::State;
use controller::command::scan_condition;
use controller::state::Lookup;
use model::{ArrayFinding, ArrayShape, Reduction, ScanCondition, Severity};
use ratatui::layout::Position;

/// Shows the value under the cursor of the variables as an array; elsewhere, the array that was shown last.
pub(super) fn open(view: &mut View, state: &State) -> Vec<Effect> {
    if view.current == ViewId::Variables {
        let rows = variables::rows(state, view);
        match rows.get(view.variables.list.cursor) {
            Some(row) if row.pointer => return view.type_command(&format!("array {}@", target_of(&row.path))),
            Some(row) if !row.path.is_empty() => {
                let path = row.path.clone();
                view.open_array(&path);
                return Vec::new();
            }
            _ => {}
        }
    }
    if view.array.expression.is_empty() || view.current == ViewId::Array {
        return view.type_command("array ");
    }
    view.go_to(ViewId::Array);
    Vec::new()
}

/// Performs an action of the view.
pub(super) fn act(view: &mut View, action: Action, state: &State) -> Option<Vec<Effect>> {
    let shape = shape(view, state);
    Some(match (action, shape) {
        (Action::ArraySection | Action::ArraySectionBefore, Some(shape)) => {
            if view.array.step_section(action == Action::ArraySection, &shape) {
                Vec::new()
            } else {
                view.say("the whole array is shown: it has no other section")
            }
        }
        (Action::ArrayAxes, Some(shape)) => {
            if view.array.turn(&shape) {
                Vec::new()
            } else {
                view.say("the array has one dimension")
            }
        }
        (Action::ArrayStatistics, _) => {
            view.array.statistics = !view.array.statistics;
            Vec::new()
        }
        (Action::ArrayReduction, _) => {
            let at = Reduction::ALL.iter().position(|known| *known == view.array.reduction).unwrap_or(0);
            view.array.reduction = Reduction::ALL.get((at + 1) % Reduction::ALL.len()).copied().unwrap_or_default();
            let words = format!("a pixel shows the {} of its elements", view.array.reduction.word());
            view.say(&words)
        }
        (Action::ArrayTogether, _) => put_together(view, state),
        (Action::ArrayZoomIn | Action::ArrayZoomOut, _) if !view.array.picture => {
            let key = view.keys.first_key(Action::Mode);
            view.say(&format!("this zooms a picture: {key} shows it"))
        }
        (Action::ArrayZoomIn | Action::ArrayZoomOut, _) if view.array.together => {
            let key = view.keys.first_key(Action::ArrayTogether);
            view.say(&format!("this zooms the picture of one rank: {key} shows it"))
        }
        (Action::ArrayZoomIn, Some(shape)) => {
            if view.array.zoom_in(&shape) {
                Vec::new()
            } else {
                view.say("one element is shown")
            }
        }
        (Action::ArrayZoomOut, Some(shape)) => {
            if view.array.zoom_out(&shape) {
                Vec::new()
            } else {
                view.say("all elements are shown")
            }
        }
        (
            Action::ArraySection
            | Action::ArraySectionBefore
            | Action::ArrayAxes
            | Action::ArrayZoomIn
            | Action::ArrayZoomOut,
            None,
        ) => view.say("no array yet"),
        _ => return None,
    })
}

/// The shape of the array on the screen, if it is known.
pub(super) fn shape(view: &View, state: &State) -> Option<ArrayShape> {
    Some(view.array.part(&state.inspection.array)?.shape.clone())
}

impl View {
    /// Shows an array.
    pub(super) fn open_array(&mut self, expression: &str) {
        self.search.active &= self.array.expression == expression;
        self.array.open(expression);
        self.go_to(ViewId::Array);
    }

    /// Opens the line for the condition that elements meet.
    pub(super) fn type_condition(&mut self) -> Vec<Effect> {
        self.open_prompt(Prompt::new(PromptKind::Condition, ""));
        Vec::new()
    }

    /// Returns the command that finds the elements that meet a condition in the arrays of all ranks; `None` if one array
    /// is shown.
    pub(super) fn scan_of_all(&self, condition: &str) -> Option<String> {
        let is_of_all = self.array.together && self.array.picture;
        (is_of_all && !condition.is_empty()).then(|| format!("scan {} {condition}", self.array.expression))
    }

    /// Marks the elements that meet a typed condition, and goes to the next one. Without a text, the condition stays.
    pub(super) fn mark_elements(&mut self, text: &str, state: &State) -> Vec<Effect> {
        if text.is_empty() {
            return self.seek(true, state);
        }
        match scan_condition(text) {
            Ok(condition) => {
                // A picture shows neither the marks nor the cursor.
                self.array.picture = false;
                seek_for(self, condition, true, state);
                Vec::new()
            }
            Err(why) => {
                self.notice = Some(Notice { severity: Severity::Error, text: why });
                Vec::new()
            }
        }
    }

    /// Searches for the next element that meets the condition, or the one before.
    pub(super) fn seek(&mut self, forward: bool, state: &State) -> Vec<Effect> {
        let sought = self.array.sought.as_ref().map(|sought| &sought.condition);
        let Some(condition) = sought.or(self.array.condition.as_ref()).cloned() else {
            return self.say("no condition yet; / marks elements: nan, inf, > 1e3");
        };
        seek_for(self, condition, forward, state);
        Vec::new()
    }

    /// Forgets the condition.
    pub(super) fn end_array_search(&mut self) {
        self.search.active = false;
        self.array.condition = None;
        self.array.sought = None;
        self.array.counted = None;
    }
}

fn seek_for(view: &mut View, condition: ScanCondition, forward: bool, state: &State) {
    view.search.active = true;
    let here = shape(view, state).and_then(|shape| view.array.element(&shape));
    view.array.sought = Some(Sought { condition, from: here.unwrap_or_default(), backward: !forward });
}

/// Moves the cursor to the match that was found, and keeps it on an element and on the screen.
pub(super) fn settle(view: &mut View, state: &State) {
    let body = layout_of(view.area, state, view).body(ViewId::Array);
    let Some(shape) = shape(view, state) else { return };
    if view.array.counted_in != (state.lead, state.lead_moves) {
        // In the array of another rank, or at another stop, there are others.
        view.array.counted = None;
    }
    take_match(view, state, &shape);
    view.array.stay_inside(&shape);
    let lines = u64::from(array::room(body, view).lines);
    let shown = &mut view.array;
    let grid = Grid::of(&shape, shown.axes);
    let last_top = grid.rows.saturating_sub(lines);
    shown.top = shown.top.min(shown.row).max((shown.row + 1).saturating_sub(lines)).min(last_top);
    shown.left = shown.left.min(shown.column);
    // Wide elements: as many columns are left out at the left as the one of the cursor needs.
    let narrowest = u64::from(body.width / 3).max(1);
    shown.left = shown.left.max((shown.column + 1).saturating_sub(narrowest));
    let Some(page) = view.array.page(&state.inspection.array) else { return };
    while view.array.left < view.array.column {
        let shown = array::grid::division(body, state, view, &shape, page).widths.len() as u64;
        if view.array.left + shown > view.array.column {
            break;
        }
        view.array.left += 1;
    }
}

/// Takes the answer to the search in progress. A condition that the rank refuses leaves the marks as they were.
fn take_match(view: &mut View, state: &State, shape: &ArrayShape) {
    let Some(sought) = &view.array.sought else { return };
    let known = &state.inspection.array;
    let is_of_lead = known.searched == (state.lead, state.lead_moves);
    let Some((_, answer)) = known.found.as_ref().filter(|(look, _)| is_of_lead && *look == sought.look()) else {
        return;
    };
    match answer {
        Lookup::Known(part) => {
            let ArrayFinding::Match(found) = &part.finding else { return };
            view.array.condition = view.array.sought.take().map(|sought| sought.condition);
            view.array.counted_in = (state.lead, state.lead_moves);
            view.array.counted = Some(found.as_ref().map_or((0, 0), |found| (found.number, found.found)));
            if let Some(found) = found {
                view.array.go_to(&found.at, shape);
            }
        }
        Lookup::Failed(failure) => {
            view.notice = Some(Notice { severity: Severity::Error, text: failure.message.clone() });
            view.array.sought = None;
            view.search.active = view.array.condition.is_some();
        }
        Lookup::Absent | Lookup::Loading(_) => {}
    }
}

/// Moves the cursor of the array view; among the parts of several ranks, that of the lead.
pub(super) fn move_by(view: &mut View, rows: i64, columns: i64, state: &State) -> Vec<Effect> {
    if let Some(tiling) = tiles::tiling(state, view) {
        return array_tiles::move_by(&tiling, rows, columns, state);
    }
    if let Some(shape) = shape(view, state) {
        view.array.move_by(rows, columns, &shape);
    }
    Vec::new()
}

/// Moves the cursor to the first or the last line.
pub(super) fn go_to_end(view: &mut View, bottom: bool, state: &State) -> Vec<Effect> {
    let Some(shape) = shape(view, state) else { return Vec::new() };
    view.array.row = if bottom { u64::MAX } else { 0 };
    view.array.stay_inside(&shape);
    Vec::new()
}

/// Moves the cursor to the element, or to the rank, at a place on the screen.
pub(super) fn click(view: &mut View, pane: &Pane, position: Position, state: &State) -> Vec<Effect> {
    if let Some(tiling) = tiles::tiling(state, view) {
        return array_tiles::click(view, &tiling, pane.body, position, state);
    }
    let Some(shape) = shape(view, state) else { return Vec::new() };
    let Some(page) = view.array.page(&state.inspection.array) else { return Vec::new() };
    let division = array::grid::division(pane.body, state, view, &shape, page);
    let line = u64::from(position.y.saturating_sub(pane.body.y));
    let column = division.column_at(position.x.saturating_sub(pane.body.x));
    if let (Some(line), Some(column)) = (line.checked_sub(1), column) {
        view.array.row = view.array.top + line;
        view.array.column = view.array.left + column as u64;
        view.array.stay_inside(&shape);
    }
    Vec::new()
}
