//! View 2: source text, with breakpoints and the places of all stopped ranks.

use crate::action::ViewId;
use crate::rank_state::RankLook;
use crate::screen::{Pen, Row, columns, set_text, untabbed, wrapped};
use crate::theme::Role;
use crate::view::View;
use crate::views::ranks::looks;
use crate::words::base_name;
use controller::State;
use controller::state::{Lookup, Phase, SourceText};
use model::{Breakpoint, BreakpointId, LocationSpec, Point, ProcessSet, ProcessState, SourcePlace};
use ratatui::{
    layout::{Position, Rect},
    style::Style,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The text of the view's file.
pub(crate) fn text<'a>(state: &'a State, view: &View) -> Option<&'a SourceText> {
    state.inspection.sources.get(view.source.file.as_ref()?)?.value()
}

pub(crate) fn line_count(state: &State, view: &View) -> usize {
    text(state, view).map_or(0, |text| text.line_count() as usize)
}

/// Breakpoints by their line in a file.
fn breakpoint_lines<'a>(state: &'a State, file: &Arc<str>) -> BTreeMap<u32, Vec<&'a Breakpoint>> {
    let mut lines: BTreeMap<u32, Vec<&Breakpoint>> = BTreeMap::new();
    for breakpoint in state.breakpoints.values() {
        let sites = breakpoint.sites.iter().filter_map(|(_, site)| site.source.as_ref());
        let mut own: BTreeSet<u32> = sites.filter(|place| place.file == *file).map(|place| place.line).collect();
        if breakpoint.sites.is_empty()
            && let Point::Place(asked @ LocationSpec::FileLine { line, .. }) = &breakpoint.request.point
            && asked.names(&SourcePlace { file: file.clone(), line: *line })
        {
            own.insert(*line);
        }
        for line in own {
            lines.entry(line).or_default().push(breakpoint);
        }
    }
    lines
}

/// The breakpoints of the line under the cursor.
pub(crate) fn breakpoints_at_cursor(state: &State, view: &View) -> Vec<BreakpointId> {
    let Some(file) = &view.source.file else { return Vec::new() };
    let line = view.source.list.cursor as u32 + 1;
    let here = breakpoint_lines(state, file).remove(&line).unwrap_or_default();
    here.into_iter().map(|breakpoint| breakpoint.request.id).collect()
}

/// `file:line` of the cursor, with the whole path.
pub(crate) fn cursor_location(view: &View) -> Option<String> {
    let file = view.source.file.as_ref()?;
    Some(format!("{file}:{}", view.source.list.cursor + 1))
}

/// Ranks stopped in a file, by line and by look.
fn stopped_here(state: &State, file: &str) -> BTreeMap<u32, Vec<(RankLook, ProcessSet)>> {
    let mut lines: BTreeMap<u32, Vec<(RankLook, ProcessSet)>> = BTreeMap::new();
    for (ranks, of) in state.ranks.groups() {
        let ProcessState::Stopped(stop) = of else { continue };
        let Some(place) = stop.shown_frame().source.as_ref().filter(|place| &*place.file == file) else { continue };
        let here = lines.entry(place.line).or_default();
        for (look, ranks) in looks(state, of, ranks) {
            match here.iter_mut().find(|known| known.0 == look) {
                Some(known) => known.1.extend_with(&ranks),
                None => here.push((look, ranks)),
            }
        }
    }
    for here in lines.values_mut() {
        here.sort_by_key(|known| known.0.urgency());
    }
    lines
}

/// The title: the file's name, and the frame if it is not the innermost.
pub(crate) fn title(state: &State, view: &View) -> Vec<(String, Role)> {
    let Some(file) = &view.source.file else { return Vec::new() };
    let mut words = vec![(base_name(file).to_owned(), Role::Text)];
    match state.nearest_source() {
        Some(found) if found.place.file != *file => words.push(("  not the lead rank's file".to_owned(), Role::Dim)),
        Some(found) if found.level != state.frame() && state.call_from(found.level).is_some() => {
            words.push((call_words(state, found.level), Role::Dim));
        }
        Some(found) if found.level != state.frame() => {
            words.push((format!("  {}", of_caller(found.level, state.frame())), Role::Dim));
        }
        Some(found) if found.level > 0 => {
            let outermost =
                state.inspection.stack.value().and_then(|frames| frames.last()).map_or(0, |last| last.level);
            let call = call_words(state, found.level);
            words.push((format!("{call}  frame {} of {outermost}", found.level), Role::Dim));
        }
        _ => {}
    }
    if let Some(source) = text(state, view) {
        words.extend(source.change_words().map(|warning| (format!("  {warning}"), Role::Warning)));
        let directory = source.origin.path.as_deref().and_then(|path| Some(path.rsplit_once('/')?.0));
        words.extend(directory.map(|directory| (format!("  found in {directory}"), Role::Dim)));
    }
    words
}

/// Names the function of a library that the frame called; empty if it is not the user's frame of the stop.
fn call_words(state: &State, level: u32) -> String {
    state.call_from(level).map_or_else(String::new, |call| format!("  in {call}"))
}

/// Names the frame whose source is shown, and the inner frames from the selected one on that have none.
fn of_caller(level: u32, chosen: u32) -> String {
    match level.saturating_sub(1) {
        last if last > chosen => format!("frame {level} (no source for frames {chosen}-{last})"),
        _ => format!("frame {level} (no source for frame {chosen})"),
    }
}

/// The reason why there is no text.
fn absence(state: &State, view: &View) -> Vec<String> {
    let words = |text: &str| vec![text.to_owned()];
    if let Some(file) = &view.source.file {
        return match state.inspection.sources.get(file) {
            Some(Lookup::Failed(failure)) => {
                vec![format!("cannot show {file}:"), failure.message.clone()]
            }
            Some(Lookup::Loading(_)) => words("reading the source …"),
            _ => vec![format!("{file}"), "not read yet".to_owned()],
        };
    }
    match state.ranks.state(state.lead) {
        None => phase_words(state),
        Some(ProcessState::Stopped(stop)) => {
            let module = stop.frame.code.module.as_deref().map_or("this code", base_name);
            vec![
                format!("rank {} is in code without line information", state.lead),
                format!("{module} was built without -g here; see its callers in the stack"),
            ]
        }
        Some(ProcessState::Running) => vec![format!("rank {} is running", state.lead)],
        Some(other) => {
            vec![format!("rank {}: {}", state.lead, crate::words::state_words(other, state.variables.print_options()))]
        }
    }
}

/// Text shown instead of source before there is a job.
fn phase_words(state: &State) -> Vec<String> {
    let words = match &state.phase {
        Phase::Idle => {
            return [
                "No job. Start one:",
                "",
                "    rankscope run -n 4 ./app",
                "    rankscope run mpirun -n 4 ./app",
                "    rankscope demo",
                "",
                "Or put tvconnect before the command of a batch job.",
            ]
            .map(str::to_owned)
            .to_vec();
        }
        Phase::Connecting => "starting the session …".to_owned(),
        Phase::Launching(how_far) => how_far.clone(),
        Phase::Live => "waiting for the first rank".to_owned(),
        Phase::Ended => "the session has ended".to_owned(),
        Phase::Failed(why) => why.clone(),
    };
    let launcher = state.launcher.lines().map(str::to_owned);
    std::iter::once(words).chain(launcher).collect()
}

pub(crate) fn draw(pen: &mut Pen<'_>, body: Rect, state: &State, view: &View) {
    let (Some(source), Some(file)) = (text(state, view), view.source.file.as_ref()) else {
        let width = usize::from(body.width).saturating_sub(4).max(8);
        let lines = absence(state, view);
        let rows = lines.iter().flat_map(|line| wrapped(line, width, 0));
        for (row, line) in rows.take(body.height.into()).enumerate() {
            pen.row(body, row as u16 + 1).put("  ", Role::Text).put(&line, Role::Dim);
        }
        return;
    };
    let breakpoints = breakpoint_lines(state, file);
    let stopped = stopped_here(state, file);
    let current = state.nearest_source().map(|found| found.place).filter(|place| place.file == *file).map(|at| at.line);
    let digits = digits(source.line_count() as usize);
    let has_keyboard = view.current == ViewId::Source;
    for (row, index) in view.source.list.window(source.line_count() as usize, body.height.into()).enumerate() {
        let number = index as u32 + 1;
        let area = Rect { y: body.y + row as u16, height: 1, ..body };
        let ground = if current == Some(number) {
            Some(Role::LineCurrent)
        } else if has_keyboard && index == view.source.list.cursor {
            Some(Role::Selection)
        } else {
            None
        };
        let mut line = pen.row(area, 0);
        let here = breakpoints.get(&number).map(Vec::as_slice).unwrap_or_default();
        margin(&mut line, here, current == Some(number), stopped.get(&number));
        let number_role = if index == view.source.list.cursor { Role::Text } else { Role::LineNumber };
        line.put(&format!("{number:>digits$}  "), number_role);
        let tags = tags(stopped.get(&number), usize::from(body.width) / 3);
        code(&mut line, source.line(number).unwrap_or(""), view, file, number);
        if !tags.is_empty() && !line.right(&borrowed(&tags)) {
            overlay(line.pen, area, &borrowed(&counted(stopped.get(&number))));
        }
        if let Some(ground) = ground {
            pen.tint(area, ground);
        }
        if has_keyboard && index == view.source.list.cursor {
            // The sign of a breakpoint stays visible.
            pen.cursor = Some(found_at(view, source.line(number).unwrap_or(""), area, digits));
        }
    }
}

/// The columns of the signs of a line.
pub(crate) const SIGNS: u16 = 2;

/// The digits of the numbers of so many lines.
fn digits(lines: usize) -> usize {
    lines.max(100).ilog10() as usize + 1
}

/// The columns before the text of a line: its signs and its number.
pub(crate) fn margin_width(lines: usize) -> u16 {
    u16::try_from(digits(lines)).unwrap_or(u16::MAX).saturating_add(SIGNS)
}

/// The place of what was searched for in the line of the cursor, or the line's number.
fn found_at(view: &View, text: &str, area: Rect, digits: usize) -> Position {
    let found = view.search.find(text).filter(|_| view.source.left == 0);
    let column = found.map_or(2, |found| digits + 4 + columns(&untabbed(text.get(..found.start).unwrap_or(""))));
    Position { x: area.x + (column as u16).min(area.width.saturating_sub(1)), y: area.y }
}

/// Draws the signs of a line: its breakpoint, and ranks stopped there.
pub(crate) fn margin(
    line: &mut Row<'_, '_>,
    breakpoints: &[&Breakpoint],
    current: bool,
    stopped: Option<&Vec<(RankLook, ProcessSet)>>,
) {
    let glyphs = line.pen.glyphs;
    let looks = breakpoints.iter().map(|breakpoint| match breakpoint {
        breakpoint if !breakpoint.request.enabled => (2, glyphs.disabled, Role::BreakpointDisabled),
        breakpoint if breakpoint.sites.is_empty() => (1, glyphs.pending, Role::BreakpointPending),
        _ => (0, glyphs.enabled, Role::BreakpointEnabled),
    });
    match looks.min_by_key(|(rank, ..)| *rank) {
        Some((_, _, role)) if breakpoints.len() > 1 => line.sign(glyphs.several, role),
        Some((_, sign, role)) => line.sign(sign, role),
        None => line.put(" ", Role::Text),
    };
    match (current, stopped.and_then(|here| here.first())) {
        (true, Some((look, _))) if look.role != Role::ProcessSignal => line.sign(glyphs.lead, look.role),
        (true, Some(_)) => line.sign(glyphs.lead, Role::Error),
        (true, None) => line.sign(glyphs.other, Role::LineOther),
        (false, Some((look, _))) if look.role != Role::ProcessSignal => line.sign(glyphs.other, look.role),
        (false, Some(_)) => line.sign(glyphs.other, Role::Error),
        (false, None) => line.put(" ", Role::Text),
    };
}

/// Letters and sets of the ranks at a line.
pub(crate) fn tags(stopped: Option<&Vec<(RankLook, ProcessSet)>>, width: usize) -> Vec<(String, Role)> {
    let mut pieces = Vec::new();
    for (look, ranks) in stopped.into_iter().flatten() {
        pieces.push((" ".to_owned(), Role::Text));
        pieces.push((look.letter.to_string(), look.role));
        pieces.push((format!(" {}", set_text(ranks, width)), Role::RankTag));
    }
    if !pieces.is_empty() {
        pieces.push((" ".to_owned(), Role::Text));
    }
    pieces
}

/// Letters and counts of the ranks at a line, for lines too long for their sets.
pub(crate) fn counted(stopped: Option<&Vec<(RankLook, ProcessSet)>>) -> Vec<(String, Role)> {
    let mut pieces = Vec::new();
    for (look, ranks) in stopped.into_iter().flatten() {
        pieces.push((" ".to_owned(), Role::Text));
        pieces.push((look.letter.to_string(), look.role));
        let few = set_text(ranks, 7);
        let text = if few.ends_with("ranks") { format!("x{}", ranks.len()) } else { format!(" {few}") };
        pieces.push((text, Role::RankTag));
    }
    pieces.push((" ".to_owned(), Role::Text));
    pieces
}

pub(crate) fn borrowed(pieces: &[(String, Role)]) -> Vec<(&str, Role)> {
    pieces.iter().map(|(text, role)| (text.as_str(), *role)).collect()
}

/// Writes tags over the end of a long line: the ranks there matter more than the line's end.
pub(crate) fn overlay(pen: &mut Pen<'_>, area: Rect, pieces: &[(&str, Role)]) {
    let width: usize = pieces.iter().map(|(text, _)| crate::screen::columns(text)).sum();
    let width = (width as u16).min(area.width / 2);
    let area = Rect { x: area.x + area.width - width, width, ..area };
    let covered = area.positions().any(|at| pen.buffer.cell(at).is_some_and(|cell| !cell.symbol().trim().is_empty()));
    pen.clear(area, Role::Text);
    let cut = pen.glyphs.cut;
    let mut row = pen.row(area, 0);
    for (text, role) in pieces {
        row.put(text, *role);
    }
    // The sign of the cut takes the place of the blank before the tags.
    if covered && pieces.first().is_some_and(|(text, _)| text.starts_with(' ')) {
        pen.row(area, 0).sign(cut, Role::Text);
    }
}

fn code(line: &mut Row<'_, '_>, text: &str, view: &View, file: &Arc<str>, number: u32) {
    line.scrolled(view.source.left);
    let hit = view.search.find(text);
    let plain = vec![(text.len(), Role::Text)];
    let colours = view.colours.line(file, number).unwrap_or(&plain);
    let mut begin = 0;
    let mut piece = |line: &mut Row<'_, '_>, end: usize, role: Role| {
        let (from, to) = (begin, end.min(text.len()));
        begin = to.max(begin);
        let cuts = hit.clone().map_or([from, to], |hit| [hit.start.clamp(from, to), hit.end.clamp(from, to)]);
        let found: Style = line.pen.style(Role::Match);
        for (start, stop, hit) in [(from, cuts[0], false), (cuts[0], cuts[1], hit.is_some()), (cuts[1], to, false)] {
            if let Some(text) = text.get(start..stop) {
                let style = line.pen.style(role);
                line.styled(text, if hit { style.patch(found) } else { style });
            }
        }
    };
    for (end, role) in colours {
        piece(line, *end, *role);
    }
    piece(line, text.len(), Role::Text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_names_the_frames_without_source() {
        assert_eq!(of_caller(5, 0), "frame 5 (no source for frames 0-4)");
        assert_eq!(of_caller(3, 2), "frame 3 (no source for frame 2)");
    }
}
