//! The rows of the memory view: addresses, units with the marks of changes and differences, and characters.

use crate::action::ViewId;
use crate::screen::{Pen, Row};
use crate::theme::Role;
use crate::view::View;
use crate::views::memory_state::{IntegerNotation, MemoryForm, MemoryView};
use controller::State;
use controller::state::{ShownMemory, ShownPage};
use ratatui::layout::Rect;

/// The bytes between which there is a blank.
const GROUP: usize = 8;
/// The most bytes in a row of numbers.
const LONGEST_ROW: usize = 64;
/// The columns that a pointer needs besides the number of its symbol.
const NARROWEST_POINTER: usize = 14;

/// The columns that the view is divided into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Division {
    form: MemoryForm,
    /// The width of the addresses, with the blank after them; 0: none are shown.
    label: usize,
    /// The units in a row.
    units: usize,
    /// The width of a unit, without the mark before it.
    cell: usize,
    /// True if the characters are shown.
    characters: bool,
}

impl Division {
    /// Divides a width: as many units as fit, a power of two, with addresses and characters if there is room for some.
    pub(crate) fn of(width: u16, form: MemoryForm, notation: IntegerNotation, highest: u64) -> Self {
        let width = usize::from(width);
        let label = format!("{highest:x}").len() + 1;
        let cell = form.columns(notation);
        let with = |label, units, characters| Self { form, label, units, cell, characters };
        let of_bytes = [32, 16, 8, 4].map(|units| with(label, units, true));
        let of_numbers = [16, 8, 4, 2, 1].map(|units| with(label, units, false));
        let bare = [8, 4, 2, 1].map(|units| with(0, units, false));
        let all: Vec<Self> = match form {
            MemoryForm::Bytes => of_bytes.into_iter().chain(of_numbers).chain(bare).collect(),
            MemoryForm::Pointers => {
                // The symbols take the rest of the row.
                let label = if label + NARROWEST_POINTER <= width { label } else { 0 };
                return with(label, 1, false);
            }
            _ => of_numbers.into_iter().chain(bare).collect(),
        };
        let fits = |division: &&Self| division.width() <= width && division.in_row() <= LONGEST_ROW;
        all.iter().find(fits).copied().unwrap_or(with(0, 1, false))
    }

    /// The bytes of a row.
    pub(crate) fn in_row(&self) -> usize {
        self.units * self.form.unit()
    }

    fn grouped(&self) -> bool {
        self.form == MemoryForm::Bytes && self.units > GROUP
    }

    /// The column of the mark before a unit.
    fn column(&self, unit: usize) -> usize {
        let groups = if self.grouped() { unit / GROUP } else { 0 };
        self.label + unit * (self.cell + 1) + groups
    }

    /// The column of the first character.
    fn characters_at(&self) -> usize {
        self.column(self.units.saturating_sub(1)) + self.cell + 1 + 2
    }

    fn width(&self) -> usize {
        if self.characters { self.characters_at() + self.units } else { self.characters_at() - 2 }
    }

    /// The unit of a row at a column of the view: one of the units, or its character.
    pub(crate) fn unit_at(&self, column: u16) -> Option<usize> {
        let column = usize::from(column);
        if self.characters && column >= self.characters_at() {
            return Some(column - self.characters_at()).filter(|unit| *unit < self.units);
        }
        (0..self.units).find(|unit| (self.column(*unit)..=self.column(*unit) + self.cell).contains(&column))
    }
}

/// What is known of a unit.
struct Unit<'a> {
    offset: i64,
    /// The bytes; `None` if one of them cannot be read, or has not been yet.
    bytes: Option<&'a [u8]>,
    /// True if they have been read, successfully or not.
    is_known: bool,
    changed: bool,
    differs: bool,
}

impl<'a> Unit<'a> {
    fn of(offset: i64, size: usize, shown: &'a ShownPage, known: &ShownMemory) -> Self {
        Self {
            offset,
            bytes: shown.page.at(offset, size),
            is_known: shown.page.covers(offset, size),
            changed: shown.has_changed(offset, size),
            differs: known.differs(offset, size),
        }
    }

    fn role(&self, memory: &MemoryView, has_keyboard: bool) -> Role {
        if self.offset == memory.cursor {
            return if has_keyboard { Role::Cursor } else { Role::SelectionPassive };
        }
        match self.bytes {
            None => Role::ValueNone,
            Some(_) if self.changed => Role::ValueChanged,
            Some(_) if self.differs => Role::Warning,
            Some(bytes) if memory.form == MemoryForm::Bytes && bytes == [0] => Role::Dim,
            Some(_) => Role::Value,
        }
    }

    fn mark(&self, row: &mut Row<'_, '_>) {
        let glyphs = row.pen.glyphs;
        match (self.changed, self.differs) {
            (true, true) => row.sign(glyphs.changed_and_differs, Role::ValueChanged),
            (true, false) => row.sign(glyphs.changed, Role::ValueChanged),
            (false, true) => row.sign(glyphs.differs, Role::Warning),
            (false, false) => row.sign(' ', Role::Text),
        };
    }

    fn text(&self, memory: &MemoryView, dot: char) -> String {
        match self.bytes {
            Some(bytes) => memory.form.text(bytes, memory.notation),
            None if self.is_known => "??".to_owned(),
            None => dot.to_string(),
        }
    }

    fn character(&self) -> char {
        match self.bytes.and_then(|bytes| bytes.first()) {
            Some(byte) if byte.is_ascii_graphic() || *byte == b' ' => char::from(*byte),
            Some(_) => '.',
            None if self.is_known => '?',
            None => ' ',
        }
    }
}

/// The symbol at an address that memory has: `main+4`.
pub(super) fn symbol<'a>(known: &'a ShownMemory, bytes: &[u8]) -> Option<&'a str> {
    let number = u64::from_le_bytes(bytes.try_into().ok()?);
    known.symbols.get(&number).map(String::as_str).filter(|name| !name.is_empty())
}

pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, state: &State, view: &View, shown: &ShownPage, division: &Division) {
    let (memory, known) = (&view.memory, &state.inspection.memory);
    let has_keyboard = view.current == ViewId::Memory;
    let (in_row, size) = (division.in_row() as i64, division.form.unit());
    for line in 0..area.height {
        let from = memory.top.saturating_add(i64::from(line).saturating_mul(in_row));
        let mut row = pen.row(area, line);
        if division.label > 0 {
            let address = shown.page.base.0.wrapping_add_signed(from);
            // The row that the address is in stands out.
            let role = if (from..from.saturating_add(in_row)).contains(&0) { Role::Text } else { Role::LineNumber };
            row.put(&format!("{address:0width$x}", width = division.label - 1), role);
        }
        let units: Vec<Unit<'_>> = (0..division.units)
            .map(|unit| Unit::of(from.saturating_add((unit * size) as i64), size, shown, known))
            .collect();
        for (number, unit) in units.iter().enumerate() {
            row.to(division.column(number) as u16);
            unit.mark(&mut row);
            let text = unit.text(memory, row.pen.glyphs.dot);
            let pad = division.cell.saturating_sub(text.len().max(1));
            let role = unit.role(memory, has_keyboard);
            if division.form == MemoryForm::Pointers {
                row.put(&text, role);
                if let Some(name) = unit.bytes.and_then(|bytes| symbol(known, bytes)) {
                    row.put(" <", Role::Dim).put(name, Role::CodeFunction).put(">", Role::Dim);
                }
            } else {
                let pad = if text.is_ascii() { pad } else { division.cell.saturating_sub(1) };
                row.put(&" ".repeat(pad), Role::Text).short(&text, division.cell, role);
            }
        }
        if division.characters {
            row.to(division.characters_at() as u16);
            for unit in &units {
                let role = match unit.role(memory, has_keyboard) {
                    Role::Cursor => Role::SelectionPassive,
                    role => role,
                };
                row.sign(unit.character(), role);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_fit_their_width_and_are_as_long_as_they_can_be() {
        let of = |width, form| Division::of(width, form, IntegerNotation::Signed, 0x7fff_ffff_e0a0);
        for form in [MemoryForm::Bytes, MemoryForm::Integers4, MemoryForm::Doubles, MemoryForm::Pointers] {
            for width in 1..200 {
                let division = of(width, form);
                let fits = division.width() <= width.into();
                assert!(fits || division.units == 1 && division.label == 0 || form == MemoryForm::Pointers);
                assert!(division.in_row().is_power_of_two());
            }
        }
        assert_eq!((of(51, MemoryForm::Bytes).units, of(51, MemoryForm::Bytes).characters), (8, true));
        assert_eq!(of(80, MemoryForm::Bytes).units, 16);
        assert_eq!(of(160, MemoryForm::Bytes).units, 32);
        assert_eq!(of(80, MemoryForm::Doubles).units, 2);
        assert_eq!(of(30, MemoryForm::Bytes).units, 4);
    }

    #[test]
    fn a_column_belongs_to_the_unit_or_the_character_in_it() {
        let division = Division::of(80, MemoryForm::Bytes, IntegerNotation::Signed, 0x7fff_ffff_e0a0);
        for unit in 0..division.units {
            let column = division.column(unit);
            let around = [column, column + division.cell, division.characters_at() + unit];
            assert!(around.iter().all(|column| division.unit_at(*column as u16) == Some(unit)), "{unit}");
        }
        assert_eq!(division.unit_at(3), None, "an address");
        assert_eq!(division.unit_at(200), None);
    }
}
