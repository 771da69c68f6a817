//! View 6: breakpoints, their locations and hits.

use super::list_rows::select;
use crate::action::ViewId;
use crate::screen::{Pen, columns, set_text};
use crate::theme::Role;
use crate::view::View;
use crate::words::{base_name, place_words};
use controller::State;
use controller::report::hits_short;
use model::{Armed, Breakpoint, BreakpointId, LocationSpec, Point, PointAction, ProcessSet};
use ratatui::layout::Rect;

/// The breakpoint under the cursor.
pub(crate) fn at_cursor<'a>(state: &'a State, view: &View) -> Option<(&'a BreakpointId, &'a Breakpoint)> {
    state.breakpoints.iter().nth(view.breakpoints.cursor)
}

/// The location as typed; only the last part of a path. Before it is the command that set it, unless that was `break`.
fn asked(breakpoint: &Breakpoint) -> String {
    let command = match breakpoint.request.action {
        PointAction::Stop => "",
        PointAction::Barrier => "barrier ",
        PointAction::Trace(_) => "trace ",
    };
    match &breakpoint.request.point {
        Point::Place(LocationSpec::FileLine { file, line }) => format!("{command}{}:{line}", base_name(file)),
        other => format!("{command}{other}"),
    }
}

fn became(breakpoint: &Breakpoint) -> String {
    match breakpoint.sites.as_slice() {
        [] if breakpoint.is_pending() => "pending".to_owned(),
        [] => armed_words(breakpoint).to_owned(),
        [(_, site)] => {
            let function = site.function.as_deref().unwrap_or("");
            match &site.source {
                Some(place) if breakpoint.request.point.place().is_some_and(|asked| asked.names(place)) => {
                    function.to_owned()
                }
                Some(place) => format!("{function} {}", place_words(place)),
                None => format!("{function} {:#x}", site.offset),
            }
        }
        many => format!("{} places", many.len()),
    }
}

/// The implementation of a watchpoint or catchpoint.
fn armed_words(breakpoint: &Breakpoint) -> &'static str {
    match breakpoint.armed.as_slice() {
        [(_, Armed::Hardware)] => "in hardware",
        [(_, Armed::Software(_))] => "by single-stepping: slow",
        [(_, Armed::Events)] => "by the system",
        _ => "",
    }
}

pub(crate) fn draw(pen: &mut Pen<'_>, body: Rect, state: &State, view: &View) {
    if state.breakpoints.is_empty() {
        let key = view.keys.first_key(crate::action::Action::Break);
        let typed = view.keys.first_key(crate::action::Action::BreakPrompt);
        pen.row(body, 0).put(&format!(" none; {key} sets one at the source cursor, {typed} at a location"), Role::Dim);
        return;
    }
    let rows: Vec<&Breakpoint> = state.breakpoints.values().collect();
    let asked_width = rows.iter().map(|b| columns(&asked(b))).max().unwrap_or(0).min(28);
    let ranks_of = |breakpoint: &Breakpoint| {
        let everyone = breakpoint.ranks == ProcessSet::all(state.size());
        if everyone { "all".to_owned() } else { set_text(&breakpoint.ranks, 16) }
    };
    // A column at the right exists for every row or for none: where there is little room the hits go before the ranks.
    let widest = |of: &dyn Fn(&Breakpoint) -> String| rows.iter().map(|b| columns(&of(b))).max().unwrap_or(0);
    let room = usize::from(body.width).saturating_sub(asked_width + 20);
    let ranks_width = Some(widest(&ranks_of)).filter(|width| width + 2 <= room);
    let left = room.saturating_sub(ranks_width.unwrap_or(room) + 2);
    let hits_width = Some(widest(&hits_short)).filter(|width| width + 2 <= left).unwrap_or(0);
    for (row, index) in view.breakpoints.window(rows.len(), body.height.into()).enumerate() {
        let Some(breakpoint) = rows.get(index) else { break };
        let request = &breakpoint.request;
        let row = row as u16;
        let mut line = pen.row(body, row);
        let glyphs = line.pen.glyphs;
        let (sign, role) = match (request.enabled, breakpoint.is_pending()) {
            (false, _) => (glyphs.disabled, Role::BreakpointDisabled),
            (true, true) => (glyphs.pending, Role::BreakpointPending),
            (true, false) => (glyphs.enabled, Role::BreakpointEnabled),
        };
        if let Some(width) = ranks_width {
            let (hits, ranks) = (hits_short(breakpoint), ranks_of(breakpoint));
            line.right_kept(" ", Role::Text, 1);
            line.right_kept(&format!("{ranks:>width$}"), Role::RankTag, width);
            if hits_width > 0 {
                line.right_kept(&format!("{hits:>hits_width$}  "), Role::Dim, hits_width + 2);
            } else {
                line.reserve(2);
            }
            line.reserve(1);
        }
        line.sign(sign, role).put(&format!("{:>3} ", request.id), Role::LineNumber);
        let words = if request.enabled { Role::Text } else { Role::Dim };
        let begin = line.at();
        line.short(&asked(breakpoint), asked_width, words).to(begin + asked_width as u16 + 2);
        line.put(&became(breakpoint), Role::Dim);
        if let PointAction::Trace(expressions) = &request.action {
            line.put("  shows ", Role::Dim).put(&expressions.join(", "), Role::Text);
        }
        if request.temporary {
            line.put("  once", Role::Note);
        }
        if let Some(condition) = &request.condition {
            line.put("  if ", Role::CodeKeyword).put(condition, Role::Text);
        }
        let passing = breakpoint.passing.greatest();
        if passing > 0 {
            line.put(&format!("  after {passing}"), Role::Note);
        }
        if !request.enabled {
            line.put("  off", Role::Dim);
        }
        select(pen, body, row, index == view.breakpoints.cursor, view.current == ViewId::Breakpoints);
    }
}
