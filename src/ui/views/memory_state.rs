//! The state of the memory view: which address it shows, in which form, and where its cursor is.

use controller::report::printed_unit;
use controller::state::{ComparedBytes, Lookup, MemoryWish, ShownMemory, ShownPage};
use model::MemoryPage;
use model::aif::FormatLetter;

/// Addresses to which the view can go back.
const MOST_BEFORE: usize = 100;

/// The units in which memory is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryForm {
    /// Bytes, with their characters.
    #[default]
    Bytes,
    /// Integers of 2 bytes.
    Integers2,
    /// Integers of 4 bytes.
    Integers4,
    /// Integers of 8 bytes.
    Integers8,
    /// Floating-point numbers of 4 bytes.
    Floats,
    /// Floating-point numbers of 8 bytes.
    Doubles,
    /// Addresses, with their symbols.
    Pointers,
}

/// The notation of integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntegerNotation {
    /// Decimal, with a sign.
    #[default]
    Signed,
    /// Decimal, without a sign.
    Unsigned,
    /// Hexadecimal.
    Hexadecimal,
}

impl MemoryForm {
    const ALL: [Self; 7] =
        [Self::Bytes, Self::Integers2, Self::Integers4, Self::Integers8, Self::Floats, Self::Doubles, Self::Pointers];

    /// The form after this one, or the one before.
    fn other(self, forward: bool) -> Self {
        let count = Self::ALL.len();
        let at = Self::ALL.iter().position(|form| *form == self).unwrap_or(0);
        let by = if forward { 1 } else { count - 1 };
        Self::ALL.get((at + by) % count).copied().unwrap_or_default()
    }

    /// The bytes of a unit.
    pub(crate) fn unit(self) -> usize {
        match self {
            Self::Bytes => 1,
            Self::Integers2 => 2,
            Self::Integers4 | Self::Floats => 4,
            Self::Integers8 | Self::Doubles | Self::Pointers => 8,
        }
    }

    /// The columns of the longest unit.
    pub(crate) fn columns(self, notation: IntegerNotation) -> usize {
        let is_hexadecimal = notation == IntegerNotation::Hexadecimal;
        match self {
            Self::Bytes => 2,
            Self::Integers2 => 6,
            Self::Integers4 if is_hexadecimal => 10,
            Self::Integers4 => 11,
            Self::Integers8 if is_hexadecimal => 18,
            Self::Integers8 => 20,
            Self::Floats => 15,
            Self::Doubles => 24,
            Self::Pointers => 18,
        }
    }

    /// The name of the form.
    pub(crate) fn title(self, notation: IntegerNotation) -> String {
        let notation = match notation {
            IntegerNotation::Signed => "integers",
            IntegerNotation::Unsigned => "unsigned",
            IntegerNotation::Hexadecimal => "hexadecimal",
        };
        match self {
            Self::Bytes => "bytes".to_owned(),
            Self::Integers2 | Self::Integers4 | Self::Integers8 => format!("{}-byte {notation}", self.unit()),
            Self::Floats => "floats".to_owned(),
            Self::Doubles => "doubles".to_owned(),
            Self::Pointers => "pointers".to_owned(),
        }
    }

    /// A unit as text.
    pub(crate) fn text(self, bytes: &[u8], notation: IntegerNotation) -> String {
        match self {
            Self::Bytes => bytes.first().map_or_else(String::new, |byte| format!("{byte:02x}")),
            Self::Integers2 | Self::Integers4 | Self::Integers8 => {
                let letter = match notation {
                    IntegerNotation::Signed => FormatLetter::Decimal,
                    IntegerNotation::Unsigned => FormatLetter::Unsigned,
                    IntegerNotation::Hexadecimal => FormatLetter::Hexadecimal,
                };
                printed_unit(bytes, letter)
            }
            Self::Floats | Self::Doubles => printed_unit(bytes, FormatLetter::Float),
            Self::Pointers => printed_unit(bytes, FormatLetter::Address),
        }
    }
}

/// An address to which the view can go back.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Before {
    expression: String,
    cursor: i64,
    top: i64,
}

/// The room of the view: rows, and the bytes of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoryRoom {
    pub(crate) rows: u16,
    pub(crate) in_row: u16,
}

impl MemoryRoom {
    /// The bytes that are visible.
    fn bytes(self) -> i64 {
        i64::from(self.rows.max(1)) * i64::from(self.in_row.max(1))
    }
}

/// The state of the memory view.
#[derive(Clone, Debug, Default)]
pub struct MemoryView {
    /// The address; empty if none has been opened.
    pub expression: String,
    /// The units in which memory is shown.
    pub form: MemoryForm,
    /// How integers are written.
    pub notation: IntegerNotation,
    /// The unit under the cursor: its first byte, counted from the address.
    pub cursor: i64,
    /// The first visible byte.
    pub top: i64,
    before: Vec<Before>,
}

impl MemoryView {
    /// Shows another address, or returns to the one shown.
    pub(crate) fn open(&mut self, expression: &str) {
        if self.expression == expression {
            return;
        }
        if !self.expression.is_empty() {
            if self.before.len() >= MOST_BEFORE {
                self.before.remove(0);
            }
            let (expression, cursor, top) = (std::mem::take(&mut self.expression), self.cursor, self.top);
            self.before.push(Before { expression, cursor, top });
        }
        expression.clone_into(&mut self.expression);
        (self.cursor, self.top) = (0, 0);
    }

    /// Shows the address before; false if there is none.
    pub(crate) fn go_back(&mut self) -> bool {
        let Some(Before { expression, cursor, top }) = self.before.pop() else { return false };
        (self.expression, self.cursor, self.top) = (expression, cursor, top);
        true
    }

    /// Shows memory in the next form, or the one before. The cursor stays at its byte.
    pub(crate) fn switch_form(&mut self, forward: bool) {
        self.form = self.form.other(forward);
    }

    /// Switches the notation of integers; false if there are none.
    pub(crate) fn switch_notation(&mut self) -> bool {
        self.notation = match self.notation {
            IntegerNotation::Signed => IntegerNotation::Unsigned,
            IntegerNotation::Unsigned => IntegerNotation::Hexadecimal,
            IntegerNotation::Hexadecimal => IntegerNotation::Signed,
        };
        matches!(self.form, MemoryForm::Integers2 | MemoryForm::Integers4 | MemoryForm::Integers8)
    }

    /// What is known of the memory on the screen.
    pub(crate) fn shown<'a>(&self, known: &'a ShownMemory) -> Option<&'a ShownPage> {
        known.page.value().filter(|_| known.expression == self.expression)
    }

    /// What is to be requested for this room.
    pub(crate) fn wish(&self, known: &ShownMemory, room: MemoryRoom) -> Option<MemoryWish> {
        if self.expression.is_empty() {
            return None;
        }
        // Before and behind what is visible, from a multiple on: most moves of the cursor need nothing new.
        let visible = room.bytes();
        let offset = self.top.div_euclid(visible).saturating_sub(1).saturating_mul(visible);
        let length = u32::try_from(4 * visible).unwrap_or(MemoryPage::MOST).min(MemoryPage::MOST);
        let compared = match &known.page {
            Lookup::Known(shown) if known.expression == self.expression => self.compared(&shown.page, visible),
            _ => None,
        };
        let symbols = self.form == MemoryForm::Pointers;
        Some(MemoryWish { expression: self.expression.clone(), offset, length, compared, symbols })
    }

    /// The visible bytes, once they are known.
    fn compared(&self, page: &MemoryPage, visible: i64) -> Option<ComparedBytes> {
        let count = usize::try_from(visible).ok().filter(|count| page.covers(self.top, *count))?;
        let (offset, length) = (self.top, u32::try_from(visible).ok()?);
        Some(ComparedBytes { offset, length, digest: page.digest(offset, count) })
    }

    /// Keeps the cursor on a unit and on the screen.
    pub(crate) fn settle(&mut self, room: MemoryRoom) {
        let (unit, in_row) = (self.form.unit() as i64, i64::from(room.in_row.max(1)));
        let floor = |at: i64, step: i64| at.saturating_sub(at.rem_euclid(step));
        self.cursor = floor(self.cursor, unit);
        let row = floor(self.cursor, in_row);
        let last = i64::from(room.rows.max(1)) - 1;
        self.top = floor(self.top, in_row).min(row).max(row.saturating_sub(last.saturating_mul(in_row)));
    }

    /// Moves the cursor by bytes; it stays in the address space.
    pub(crate) fn move_by(&mut self, bytes: i64, known: &ShownMemory) {
        let base = self.shown(known).map(|shown| shown.page.base.0);
        let lowest = base.and_then(|base| i64::try_from(base).ok()).map_or(i64::MIN, |base| -base);
        let highest = base.and_then(|base| i64::try_from(u64::MAX - base).ok()).unwrap_or(i64::MAX);
        self.cursor = self.cursor.saturating_add(bytes).clamp(lowest, highest);
    }

    /// Goes to an offset from the address; what is not visible is shown with rows before it.
    pub(crate) fn go_to(&mut self, offset: i64, room: MemoryRoom) {
        self.cursor = offset;
        if !(self.top..self.top.saturating_add(room.bytes())).contains(&offset) {
            self.top = offset.saturating_sub(i64::from(room.rows / 3) * i64::from(room.in_row));
        }
    }
}

/// An offset from the address, as it is typed: `+0x20`, `-16`.
pub(crate) fn typed_offset(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('+') {
        Some(digits) => (1, digits),
        None => (-1, text.strip_prefix('-')?),
    };
    let digits = digits.trim();
    let number = match digits.strip_prefix("0x") {
        Some(digits) if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) => i64::from_str_radix(digits, 16),
        None if digits.bytes().all(|digit| digit.is_ascii_digit()) => digits.parse(),
        _ => return None,
    };
    number.ok().map(|number| sign * number)
}

/// An offset from the address as text: `+0x20`.
pub(crate) fn offset_text(offset: i64) -> String {
    let sign = if offset < 0 { '-' } else { '+' };
    format!("{sign}{:#x}", offset.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: MemoryRoom = MemoryRoom { rows: 10, in_row: 16 };

    #[test]
    fn the_window_follows_the_cursor_before_and_behind_the_address() {
        let mut view = MemoryView { expression: "p".into(), ..MemoryView::default() };
        let known = ShownMemory::default();
        for (by, top) in [(159, 0), (1, 16), (-160, 0), (-1, -16), (-16 * 20, -16 * 21)] {
            view.move_by(by, &known);
            view.settle(ROOM);
            assert_eq!(view.top, top, "{by}");
        }
        view.go_to(-0x1003, ROOM);
        view.form = MemoryForm::Integers8;
        view.settle(ROOM);
        assert_eq!(view.cursor, -0x1008, "a unit begins there");
        view.go_to(i64::MAX, ROOM);
        view.settle(ROOM);
        view.go_to(i64::MIN, ROOM);
        view.settle(ROOM);
        assert!(view.wish(&known, ROOM).is_some());
    }

    #[test]
    fn moves_within_a_page_need_no_other() {
        let wish = |top| {
            MemoryView { expression: "p".into(), top, ..MemoryView::default() }
                .wish(&ShownMemory::default(), ROOM)
                .unwrap()
        };
        assert_eq!(wish(0), wish(144));
        assert_ne!(wish(0), wish(160));
        for top in [-1600, -16, 0, 16, 144, 160, 320] {
            let wish = wish(top);
            assert!(wish.offset <= top - 16 && wish.offset + i64::from(wish.length) >= top + 176, "{top}: {wish:?}");
        }
    }

    #[test]
    fn addresses_before_are_kept() {
        let mut view = MemoryView::default();
        assert!(!view.go_back());
        view.open("a");
        view.cursor = 5;
        view.open("a");
        view.open("b");
        assert_eq!((view.expression.as_str(), view.cursor), ("b", 0));
        assert!(view.go_back());
        assert_eq!((view.expression.as_str(), view.cursor), ("a", 5));
        assert!(!view.go_back());
    }

    #[test]
    fn only_a_signed_number_is_an_offset() {
        assert_eq!(typed_offset("+0x20"), Some(32));
        assert_eq!(typed_offset("- 16"), Some(-16));
        for text in ["16", "+", "+x", "+0x", "+1.5", "-p", "+99999999999999999999"] {
            assert_eq!(typed_offset(text), None, "{text}");
        }
        assert_eq!((offset_text(-17), offset_text(0)), ("-0x11".into(), "+0x0".into()));
    }

    #[test]
    fn no_unit_is_wider_than_its_column() {
        for form in MemoryForm::ALL {
            for notation in [IntegerNotation::Signed, IntegerNotation::Unsigned, IntegerNotation::Hexadecimal] {
                let lowest = f64::from_bits(0x8000_0000_0000_0001).to_le_bytes();
                let patterns = [[0; 8], [0xff; 8], [0x7f; 8], [0x80; 8], [0, 0, 0, 0x80, 0, 0, 0, 0x80], lowest];
                for bytes in patterns.into_iter().chain([f64::MIN.to_le_bytes(), (-1e-300_f64 / 3.0).to_le_bytes()]) {
                    let text = form.text(&bytes[..form.unit()], notation);
                    assert!(text.len() <= form.columns(notation) && !text.is_empty(), "{form:?}: {text}");
                }
            }
        }
    }
}
