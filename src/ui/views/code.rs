//! The code in the source view: instructions with their source lines, breakpoints and the places of all stopped ranks.

use crate::action::ViewId;
use crate::rank_state::RankLook;
use crate::screen::{Pen, wrapped};
use crate::theme::Role;
use crate::view::View;
use crate::views::code_rows::{CodeRow, instruction_at, rows};
use crate::views::list_rows::absence;
use crate::views::ranks::looks;
use crate::views::source::{borrowed, counted, margin, overlay, tags};
use crate::words::base_name;
use controller::State;
use model::{Breakpoint, BreakpointId, CodePlace, Instruction, ProcessSet, ProcessState, VirtualAddress};
use ratatui::layout::{Position, Rect};

/// A view of fewer columns shows offsets in functions only.
const WITH_ADDRESSES: u16 = 44;

/// The address under the cursor.
pub(crate) fn address_at_cursor(state: &State, view: &View) -> Option<VirtualAddress> {
    instruction_at(&rows(state), view.source.code.list.cursor)?.code.address
}

fn breakpoints_at<'a>(state: &'a State, code: &CodePlace) -> Vec<&'a Breakpoint> {
    let has_it = |breakpoint: &&Breakpoint| {
        breakpoint.sites.iter().any(|(_, site)| (&site.module, site.offset) == (&code.module, code.offset))
    };
    state.breakpoints.values().filter(has_it).collect()
}

/// The breakpoints at the instruction under the cursor.
pub(crate) fn breakpoints_at_cursor(state: &State, view: &View) -> Vec<BreakpointId> {
    let rows = rows(state);
    let Some(instruction) = instruction_at(&rows, view.source.code.list.cursor) else { return Vec::new() };
    breakpoints_at(state, &instruction.code).into_iter().map(|breakpoint| breakpoint.request.id).collect()
}

/// The title: the function and the file that the cursor is in.
pub(crate) fn title(state: &State, view: &View) -> Vec<(String, Role)> {
    let rows = rows(state);
    let Some(instruction) = instruction_at(&rows, view.source.code.list.cursor) else { return Vec::new() };
    let mut words = Vec::new();
    if let Some((name, _)) = &instruction.function {
        words.push((name.to_string(), Role::CodeFunction));
    }
    if let Some(module) = &instruction.code.module {
        words.push((format!("  in {}", base_name(module)), Role::Dim));
    }
    if state.frame() > 0 && rows.iter().any(|row| matches!(row, CodeRow::Instruction(found) if found.current)) {
        words.push((format!("  frame {}", state.frame()), Role::Dim));
    }
    words
}

/// The ranks stopped at instructions of the page, by look: the innermost frames, and callers whose code is shown.
fn stopped_at(state: &State, shown: &[&Instruction]) -> Vec<(usize, Vec<(RankLook, ProcessSet)>)> {
    let place = |code: &CodePlace| {
        shown.iter().position(|known| (&known.code.module, known.code.offset) == (&code.module, code.offset))
    };
    let mut found: Vec<(usize, Vec<(RankLook, ProcessSet)>)> = Vec::new();
    for (ranks, of) in state.ranks.groups() {
        let ProcessState::Stopped(stop) = of else { continue };
        let Some(at) = place(&stop.frame.code).or_else(|| place(&stop.shown_frame().code)) else { continue };
        let index = found.iter().position(|(known, _)| *known == at).unwrap_or_else(|| {
            found.push((at, Vec::new()));
            found.len() - 1
        });
        let Some((_, here)) = found.get_mut(index) else { continue };
        for (look, ranks) in looks(state, of, ranks) {
            match here.iter_mut().find(|known| known.0 == look) {
                Some(known) => known.1.extend_with(&ranks),
                None => here.push((look, ranks)),
            }
        }
    }
    for (_, here) in &mut found {
        here.sort_by_key(|known| known.0.urgency());
    }
    found
}

pub(crate) fn draw(pen: &mut Pen<'_>, body: Rect, state: &State, view: &View) {
    let rows = rows(state);
    if rows.is_empty() {
        let words = absence(state, &state.inspection.code.page).unwrap_or_default();
        let width = usize::from(body.width.saturating_sub(2)).max(8);
        for (line, text) in wrapped(&words, width, 0).iter().enumerate().take(body.height.into()) {
            pen.row(body, line as u16).put(" ", Role::Text).put(text, Role::Dim);
        }
        return;
    }
    let list = view.source.code.list;
    let window = list.window(rows.len(), body.height.into());
    let visible: Vec<&Instruction> = rows
        .iter()
        .skip(window.start)
        .take(window.len())
        .filter_map(|row| if let CodeRow::Instruction(found) = row { Some(*found) } else { None })
        .collect();
    let stopped = stopped_at(state, &visible);
    // While the lead runs, it is at none of them.
    let at_rest = state.ranks.at_rest().contains(state.lead);
    let mut number = 0;
    for (line, index) in window.enumerate() {
        let Some(row) = rows.get(index) else { break };
        let area = Rect { y: body.y + line as u16, height: 1, ..body };
        let mut ground = (view.current == ViewId::Source && index == list.cursor).then_some(Role::Selection);
        match row {
            CodeRow::Function(name) => {
                let mut text = pen.row(area, 0);
                text.put("  ", Role::Text).scrolled(view.source.left);
                text.put("<", Role::Dim).put(name, Role::CodeFunction).put(">:", Role::Dim);
            }
            CodeRow::Line(place, source) => {
                let mut text = pen.row(area, 0);
                text.put("  ", Role::Text).scrolled(view.source.left);
                text.put(place, Role::LineNumber).put("  ", Role::Text).put(source, Role::Dim);
            }
            CodeRow::Instruction(instruction) => {
                let here = stopped.iter().find(|(at, _)| *at == number).map(|(_, here)| here);
                number += 1;
                let current = instruction.current && at_rest;
                if current {
                    ground = Some(Role::LineCurrent);
                }
                let points = breakpoints_at(state, &instruction.code);
                let mut text = pen.row(area, 0);
                margin(&mut text, &points, current, here);
                text.scrolled(view.source.left);
                if let Some(address) = instruction.code.address.filter(|_| area.width >= WITH_ADDRESSES) {
                    text.put(&format!("{:x} ", address.0), Role::LineNumber);
                }
                let offset = instruction.function.as_ref().map_or_else(String::new, |(_, at)| format!("+{at}"));
                text.put(&format!("{offset:<5} "), Role::Dim).put(&instruction.text, Role::Text);
                let words = tags(here, usize::from(body.width) / 3);
                if !words.is_empty() && !text.right(&borrowed(&words)) {
                    overlay(text.pen, area, &borrowed(&counted(here)));
                }
            }
        }
        if let Some(ground) = ground {
            pen.tint(area, ground);
        }
        if view.current == ViewId::Source && index == list.cursor {
            pen.cursor = Some(Position { x: area.x + 2.min(area.width.saturating_sub(1)), ..area.as_position() });
        }
    }
}
