//! Writing into the buffer, clipped to a rectangle; no control character of the program's output reaches the terminal.

use crate::glyphs::{Glyphs, glyphs};
use crate::theme::{Role, Theme};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::{Color, Style},
};
use unicode_width::UnicodeWidthChar;

/// The buffer, theme and glyphs that drawing needs.
pub(crate) struct Pen<'a> {
    pub(crate) buffer: &'a mut Buffer,
    pub(crate) theme: &'a Theme,
    pub(crate) glyphs: &'static Glyphs,
    /// Where the keyboard is. The terminal's cursor goes there: it is seen without colours, and screen readers and
    /// magnifiers follow it.
    pub(crate) cursor: Option<Position>,
}

/// Distance of tab stops in source and output.
const TAB: usize = 8;

impl<'a> Pen<'a> {
    pub(crate) fn new(buffer: &'a mut Buffer, theme: &'a Theme, ascii: bool) -> Self {
        Self { buffer, theme, glyphs: glyphs(ascii), cursor: None }
    }

    pub(crate) fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// Empties an area and gives it a style.
    pub(crate) fn clear(&mut self, area: Rect, role: Role) {
        let style = Style::reset().patch(self.style(Role::Text)).patch(self.style(role));
        for position in area.intersection(self.buffer.area).positions() {
            if let Some(cell) = self.buffer.cell_mut(position) {
                cell.set_symbol(" ").set_style(style);
            }
        }
    }

    /// Puts a style over existing text. A style with only a background skips cells that have their own: their
    /// foreground was chosen for it.
    pub(crate) fn tint(&mut self, area: Rect, role: Role) {
        let style = self.style(role);
        let grounds = [Role::Text, Role::Popup, Role::LineCurrent].map(|role| self.style(role).bg);
        for position in area.intersection(self.buffer.area).positions() {
            if let Some(cell) = self.buffer.cell_mut(position)
                && (style.fg.is_some() || cell.bg == Color::Reset || grounds.contains(&Some(cell.bg)))
            {
                cell.set_style(style);
            }
        }
    }

    /// Tints what the keyboard is at.
    pub(crate) fn select(&mut self, area: Rect, role: Role) {
        self.tint(area, role);
        self.cursor = Some(area.as_position());
    }

    /// Starts a row of an area, counted from 0.
    pub(crate) fn row(&mut self, area: Rect, row: u16) -> Row<'_, 'a> {
        let inside = row < area.height;
        let (start, end) = if inside { (area.x, area.x + area.width) } else { (area.x, area.x) };
        Row { y: area.y.saturating_add(row), start, x: start, end, skip: 0, column: 0, passed: false, pen: self }
    }
}

/// A row, written from left to right.
pub(crate) struct Row<'p, 'a> {
    pub(crate) pen: &'p mut Pen<'a>,
    y: u16,
    start: u16,
    x: u16,
    end: u16,
    skip: usize,
    column: usize,
    /// Text was left out on the left; the sign of the cut must be written next.
    passed: bool,
}

impl Row<'_, '_> {
    pub(crate) fn left(&self) -> usize {
        usize::from(self.end.saturating_sub(self.x))
    }

    /// The column of the next character, from the left edge.
    pub(crate) fn at(&self) -> u16 {
        self.x - self.start
    }

    /// Skips this many columns of the text that follows (scrolling to the right); tabs count from here.
    pub(crate) fn scrolled(&mut self, columns: usize) {
        self.skip = columns;
        self.column = 0;
        self.passed = false;
    }

    /// Writes as much as fits, in the style of a role.
    pub(crate) fn put(&mut self, text: &str, role: Role) -> &mut Self {
        let style = self.pen.style(role);
        self.styled(text, style)
    }

    pub(crate) fn sign(&mut self, sign: char, role: Role) -> &mut Self {
        self.put(sign.encode_utf8(&mut [0; 4]), role)
    }

    /// Writes as much as fits, in a given style.
    pub(crate) fn styled(&mut self, text: &str, style: Style) -> &mut Self {
        for c in text.chars() {
            match c {
                '\t' => {
                    for _ in 0..TAB - self.column % TAB {
                        self.cell(' ', 1, style);
                    }
                }
                c if c.is_control() => self.cell(if self.pen.glyphs.cut == '~' { '?' } else { '\u{b7}' }, 1, style),
                c => match c.width().unwrap_or(0) {
                    0 => {}
                    width => self.cell(c, width as u16, style),
                },
            }
        }
        self
    }

    /// Writes one character; all writing goes through here, so that text without room is cut and marked in one place.
    fn cell(&mut self, c: char, width: u16, style: Style) {
        self.column += usize::from(width);
        if self.skip > 0 {
            self.skip = self.skip.saturating_sub(usize::from(width));
            if !c.is_whitespace() && !self.passed && self.x < self.end {
                self.passed = true;
                self.cut_at(self.x, style);
            }
            return;
        }
        if self.x + width > self.end {
            if !c.is_whitespace() && self.end > self.start {
                self.cut_at(self.end - 1, style);
            }
            self.x = self.end;
            return;
        }
        if std::mem::take(&mut self.passed) {
            // The sign of the cut replaces the first character.
            self.x += width;
            return;
        }
        for offset in 0..width {
            if let Some(cell) = self.pen.buffer.cell_mut((self.x + offset, self.y)) {
                if offset == 0 {
                    cell.set_char(c);
                } else {
                    cell.set_symbol("");
                }
                cell.set_style(style);
            }
        }
        self.x += width;
    }

    /// Puts the sign of the cut, unless the text before it ends with that sign.
    fn cut_at(&mut self, x: u16, style: Style) {
        let cut = self.pen.glyphs.cut;
        let mut before = (self.start..x).rev().filter_map(|x| self.pen.buffer.cell((x, self.y)));
        let last = before.find(|cell| cell.symbol() != " ");
        let is_marked = last.is_some_and(|cell| cell.symbol() == cut.encode_utf8(&mut [0; 4]));
        let cut = if is_marked && x > self.start { ' ' } else { cut };
        if let Some(cell) = self.pen.buffer.cell((x, self.y))
            && cell.symbol().is_empty()
            && let Some(wide) = x.checked_sub(1).and_then(|before| self.pen.buffer.cell_mut((before, self.y)))
        {
            // Half a wide character cannot stay.
            wide.set_char(' ');
        }
        if let Some(cell) = self.pen.buffer.cell_mut((x, self.y)) {
            cell.set_char(cut).set_style(style);
        }
    }

    /// Writes text, truncated to a width with the sign of the cut.
    pub(crate) fn short(&mut self, text: &str, width: usize, role: Role) -> &mut Self {
        let fitted = fit(text, width.min(self.left()), self.pen.glyphs.cut);
        self.put(&fitted, role)
    }

    /// Writes text whose end matters most, such as a line number: if it does not fit, its beginning is cut off.
    pub(crate) fn short_end(&mut self, text: &str, role: Role) -> &mut Self {
        let fitted = fit_end(text, self.left(), self.pen.glyphs.cut);
        self.put(&fitted, role)
    }

    /// Moves on to a column, counted from the left edge; never back.
    pub(crate) fn to(&mut self, column: u16) -> &mut Self {
        self.x = self.x.max(self.start.saturating_add(column)).min(self.end);
        self
    }

    /// Writes at the right end if that leaves a blank after the text before it.
    pub(crate) fn right(&mut self, pieces: &[(&str, Role)]) -> bool {
        let width: usize = pieces.iter().map(|(text, _)| columns(text)).sum();
        if width == 0 || width + 1 > self.left() {
            return false;
        }
        self.x = self.end - width as u16;
        for (text, role) in pieces {
            self.put(text, *role);
        }
        true
    }

    /// Writes at the right end and reserves those columns.
    pub(crate) fn right_kept(&mut self, text: &str, role: Role, width: usize) {
        let (x, end) = (self.x, self.end);
        if width + 1 < self.left() {
            self.x = end - width as u16;
            self.put(text, role);
            self.x = x;
            self.end = end - width as u16;
        }
    }

    /// Reserves columns at the right end.
    pub(crate) fn reserve(&mut self, columns: usize) -> &mut Self {
        self.end = self.end.saturating_sub(columns as u16).max(self.x);
        self
    }
}

/// Width of a text in columns, not counting tabs.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(|c| if c.is_control() { 1 } else { c.width().unwrap_or(0) }).sum()
}

/// Expands tabs to blanks.
pub(crate) fn untabbed(text: &str) -> String {
    let mut plain = String::new();
    let mut pieces = text.split('\t');
    plain.push_str(pieces.next().unwrap_or(""));
    for piece in pieces {
        let stop = TAB - columns(&plain) % TAB;
        plain.extend(std::iter::repeat_n(' ', stop));
        plain.push_str(piece);
    }
    plain
}

/// Truncates a text to a width, with the sign of the cut at its end.
pub(crate) fn fit(text: &str, width: usize, cut: char) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut fitted = String::new();
    let mut used = 0;
    for c in text.chars() {
        let next = if c.is_control() { 1 } else { c.width().unwrap_or(0) };
        if used + next + 1 > width {
            break;
        }
        used += next;
        fitted.push(c);
    }
    if width > 0 && !fitted.trim_end().ends_with(cut) {
        fitted.push(cut);
    }
    fitted
}

/// Truncates a text at its beginning to a width, with the sign of the cut before it.
pub(crate) fn fit_end(text: &str, width: usize, cut: char) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let from_end: Vec<char> = fit(&text.chars().rev().collect::<String>(), width, cut).chars().collect();
    from_end.into_iter().rev().collect()
}

/// Truncates a text in its middle to a width, with the sign of the cut there.
pub(crate) fn fit_middle(text: &str, width: usize, cut: char) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let end = fit_end(text, width / 2, cut);
    let begin = fit(text, width - columns(&end) + 1, cut);
    // Both have the sign of the cut.
    format!("{}{end}", begin.strip_suffix(cut).unwrap_or(&begin))
}

/// Wraps a text to a width at blanks; longer words are broken. The further rows keep the indent of the first, or begin
/// below the text after its set (`[0-3] `), `hang` columns further in. Text that fits is kept as it is.
pub(crate) fn wrapped(text: &str, width: usize, hang: usize) -> Vec<String> {
    if columns(text) <= width {
        return vec![text.to_owned()];
    }
    let (lead, rest) = text.split_at(lead_of(text));
    // A deep indent must leave room for words.
    let indent = (columns(lead) + hang).min(width / 3);
    let room = width.saturating_sub(indent).max(2);
    let first = width.saturating_sub(columns(lead)).max(2);
    let mut rows: Vec<String> = Vec::new();
    let mut row = String::new();
    for word in rest.split(' ') {
        let here = |rows: &Vec<String>| if rows.is_empty() { first } else { room };
        if row.is_empty() {
            row.push_str(word);
        } else if columns(&row) + columns(word) < here(&rows) {
            row.push(' ');
            row.push_str(word);
        } else {
            rows.push(std::mem::replace(&mut row, word.to_owned()));
        }
        while columns(&row) > here(&rows) {
            let (piece, left) = broken(&row, here(&rows));
            let (piece, left) = (piece.to_owned(), left.to_owned());
            rows.push(piece);
            row = left;
        }
    }
    if !row.is_empty() {
        rows.push(row);
    }
    let blank = " ".repeat(indent);
    let begin = |number: usize| if number == 0 { lead } else { &blank };
    rows.iter().enumerate().map(|(number, row)| format!("{}{row}", begin(number))).collect()
}

/// The length of the blanks, or of the set with the blanks after it, at the beginning of a text.
fn lead_of(text: &str) -> usize {
    let after_set = text.strip_prefix('[').and_then(|rest| Some(rest.split_once("] ")?.1));
    let rest = after_set.unwrap_or(text).trim_start_matches(' ');
    text.len() - rest.len()
}

/// Splits a long word where a row ends; the first part is never empty.
fn broken(word: &str, width: usize) -> (&str, &str) {
    let mut used = 0;
    for (at, c) in word.char_indices() {
        used += columns(c.encode_utf8(&mut [0; 4]));
        if used > width && at > 0 {
            return word.split_at(at);
        }
    }
    (word, "")
}

/// A set as text no wider than this, or the number of its ranks if the ranges are longer.
pub(crate) fn set_text(set: &model::ProcessSet, width: usize) -> String {
    set.to_text_within(width).unwrap_or_else(|| format!("{} ranks", set.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ProcessSet;

    fn drawn(width: u16, write: impl FnOnce(&mut Row<'_, '_>)) -> String {
        let area = Rect::new(0, 0, width, 1);
        let mut buffer = Buffer::empty(area);
        let theme = Theme::dark();
        let mut pen = Pen::new(&mut buffer, &theme, false);
        write(&mut pen.row(area, 0));
        buffer.content.iter().map(|cell| cell.symbol()).collect()
    }

    #[test]
    fn controls_tabs_and_wide_characters_keep_their_columns() {
        assert_eq!(drawn(12, |row| _ = row.put("a\tb\u{1b}[0m", Role::Text)), "a       b·[…");
        assert_eq!(drawn(4, |row| _ = row.put("日本語", Role::Text)), "日 …");
        assert_eq!(drawn(3, |row| _ = row.put("日本", Role::Text)), "日…");
        let scrolled = drawn(6, |row| {
            row.put("1 ", Role::Text).scrolled(3);
            row.put("abcdef", Role::Text);
        });
        assert_eq!(scrolled, "1 …ef ");
    }

    #[test]
    fn whatever_is_cut_has_a_sign() {
        assert_eq!(drawn(4, |row| _ = row.put("abcd", Role::Text)), "abcd");
        assert_eq!(drawn(4, |row| _ = row.put("abcd", Role::Text).put("e", Role::Dim)), "abc…");
        assert_eq!(drawn(4, |row| _ = row.put("abcd  ", Role::Text)), "abcd", "blanks are no words");
        assert_eq!(drawn(6, |row| _ = row.reserve(2).put("abcdef", Role::Text)), "abc…  ");
        assert_eq!(drawn(9, |row| _ = row.put("asking … for more", Role::Text)), "asking … ", "one sign is enough");
        assert_eq!((fit("asking … for", 9, '…'), fit("asking …", 8, '…')), ("asking …".into(), "asking …".into()));
        let scrolled = |text: &'static str, by| {
            drawn(6, |row| {
                row.scrolled(by);
                row.put(text, Role::Text);
            })
        };
        assert_eq!(scrolled("abcdefgh", 1), "…cdef…");
        assert_eq!(scrolled("ab", 4), "…     ", "a line that is shorter, too");
        assert_eq!(scrolled("    ab", 4), "ab    ", "blanks are no words");
    }

    #[test]
    fn the_right_end_is_for_what_fits() {
        assert_eq!(drawn(8, |row| _ = row.put("ab", Role::Text).right(&[("xyz", Role::Text)])), "ab   xyz");
        assert_eq!(drawn(5, |row| _ = row.put("ab", Role::Text).right(&[("xyz", Role::Text)])), "ab   ");
        assert_eq!(fit("abcdef", 4, '…'), "abc…");
        assert_eq!(fit("abcd", 4, '…'), "abcd");
        assert_eq!((fit_end("ring.c:12", 6, '…'), fit_end("a:1", 6, '…')), ("….c:12".into(), "a:1".into()));
        assert_eq!(fit("abcd", 0, '…'), "");
        assert_eq!(wrapped("a /long/path/of", 6, 0), ["a", "/long/", "path/o", "f"]);
    }

    #[test]
    fn wrapped_rows_keep_the_indent_of_the_first() {
        assert_eq!(wrapped("  one two three", 14, 2), ["  one two", "    three"]);
        assert_eq!(wrapped("[0-3] one two three", 14, 0), ["[0-3] one two", "    three"], "a third is for the indent");
        assert_eq!(wrapped("[0-3] one two three four", 20, 0), ["[0-3] one two three", "      four"]);
        assert_eq!(wrapped("[0-3]   at one two three", 18, 0), ["[0-3]   at one two", "      three"]);
        assert_eq!(wrapped("  abcdefghij", 6, 0), ["  abcd", "  efgh", "  ij"]);
        assert_eq!(wrapped("[a[0] is long", 8, 0), ["[a[0] is", "  long"]);
        assert_eq!(wrapped("   one two", 40, 2), ["   one two"]);
    }

    #[test]
    fn sets_that_are_too_long_are_counted() {
        assert_eq!(set_text(&ProcessSet::parse("0-3,7").unwrap(), 8), "0-3,7");
        assert_eq!(set_text(&ProcessSet::parse("0,3,7,22,31").unwrap(), 8), "5 ranks");
    }
}
