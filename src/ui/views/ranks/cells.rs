//! The cells of ranks: a sign each, with the marks, the cursor and the lead.

use super::by_state::by_letter;
use super::colours;
use crate::rank_state::RankLook;
use crate::screen::{Pen, Row};
use crate::theme::Role;
use crate::view::View;
use controller::State;
use model::{ProcessSet, Rank};
use ratatui::{layout::Rect, style::Modifier};

/// Draws cells by the states and marks of their ranks.
pub(super) struct Cells<'a> {
    state: &'a State,
    view: &'a View,
    looks: Vec<(RankLook, ProcessSet)>,
    range: Option<ProcessSet>,
}

impl<'a> Cells<'a> {
    /// `cell_of`: the ranks that share the cell of a rank.
    pub(super) fn new(state: &'a State, view: &'a View, cell_of: &dyn Fn(u32) -> ProcessSet) -> Self {
        Self { state, view, looks: by_letter(state), range: view.ranks.range(&state.layout, cell_of) }
    }

    /// Draws the cell of some ranks: a letter, in cells of `numbered` columns after the number.
    pub(super) fn put(
        &self,
        line: &mut Row<'_, '_>,
        (area, row): (Rect, u16),
        ranks: &ProcessSet,
        numbered: Option<u16>,
    ) {
        let Some(first) = ranks.first() else { return };
        let (state, view) = (self.state, self.view);
        let mut here = self.looks.iter().filter(|look| look.1.meets(ranks));
        let look = here.next().map_or(RankLook { letter: '.', role: Role::ProcessStarting }, |look| look.0);
        let mixed = here.next().is_some();
        let focused = state.focus.set.meets(ranks);
        let marked = view.ranks.marks.meets(ranks) || self.range.as_ref().is_some_and(|range| range.meets(ranks));
        let mut letter = line.pen.style(look.role);
        let mut sign = look.letter;
        if mixed {
            letter = letter.add_modifier(Modifier::UNDERLINED);
            sign = sign.to_ascii_lowercase();
        }
        let coloured = colours::sign(line.pen, state, ranks);
        if let Some((digit, style)) = coloured {
            (sign, letter) = (digit, style);
        }
        if !focused {
            letter = letter.remove_modifier(Modifier::BOLD).add_modifier(Modifier::DIM);
        }
        let begin = line.at();
        match numbered {
            None => {
                if marked {
                    let mark = line.pen.style(Role::Mark);
                    letter = letter.patch(mark).add_modifier(Modifier::UNDERLINED);
                }
                line.styled(sign.encode_utf8(&mut [0; 4]), letter);
            }
            Some(cell) => {
                let between = usize::from(coloured.is_some());
                let number = format!("{first:>width$}", width = usize::from(cell) - 2 - between);
                line.put(if marked { "*" } else { " " }, Role::Mark);
                let mut style = line.pen.style(if marked { Role::Mark } else { Role::Dim });
                if !focused {
                    style = style.add_modifier(Modifier::DIM);
                }
                line.styled(&number, style);
                if coloured.is_some() {
                    line.put(":", Role::Dim);
                }
                line.styled(sign.encode_utf8(&mut [0; 4]), letter);
            }
        }
        let width = line.at() - begin;
        let cell = Rect::new(area.x + begin, area.y + row, width, 1);
        if view.current == crate::action::ViewId::Ranks && ranks.contains(Rank(view.ranks.cursor)) {
            pen_cursor(line.pen, cell, numbered.is_none());
        } else if ranks.contains(state.lead) {
            let inner = inner(cell, numbered.is_none());
            line.pen.tint(inner, Role::Selection);
        }
    }
}

/// The cell without the blank or mark before it.
fn inner(cell: Rect, letters: bool) -> Rect {
    let begin = if letters { cell.width.saturating_sub(1) } else { 1.min(cell.width) };
    Rect { x: cell.x + begin, width: cell.width - begin, ..cell }
}

fn pen_cursor(pen: &mut Pen<'_>, cell: Rect, letters: bool) {
    pen.select(inner(cell, letters), Role::Cursor);
}
