//! One line of text with a cursor.

use std::ops::Range;

/// A line being typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Editor {
    text: String,
    cursor: usize,
    /// The part from here to the end is selected: typing replaces it. The cursor is at the end then.
    selected: Option<usize>,
}

impl Editor {
    /// Creates a line with the cursor at its end.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { cursor: text.len(), text, selected: None }
    }

    /// Creates a line with the cursor at a byte of it.
    pub fn at(text: &str, cursor: usize) -> Self {
        let mut editor = Self::new(text);
        if text.is_char_boundary(cursor) {
            editor.cursor = cursor;
        }
        editor
    }

    /// Creates a line whose end is a suggestion that typing replaces.
    pub fn suggesting(before: &str, suggestion: &str) -> Self {
        let selected = (!suggestion.is_empty()).then_some(before.len());
        Self { selected, ..Self::new(format!("{before}{suggestion}")) }
    }

    /// The line in two parts, of which the second is selected.
    pub fn parts(&self) -> (&str, &str) {
        self.text.split_at_checked(self.selected.unwrap_or(self.text.len())).unwrap_or((&self.text, ""))
    }

    /// Keeps the selected part.
    pub fn keep_selected(&mut self) {
        self.selected = None;
    }

    /// Deletes the selected part; returns true if there was one.
    fn delete_selected(&mut self) -> bool {
        let Some(start) = self.selected.take() else { return false };
        self.text.truncate(start);
        self.cursor = self.text.len();
        true
    }

    /// The whole line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The cursor's position in bytes, always on a character boundary.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// The text before the cursor.
    pub fn before(&self) -> &str {
        &self.text[..self.cursor]
    }

    /// True if the cursor is after the last character.
    pub fn at_end(&self) -> bool {
        self.cursor == self.text.len()
    }

    /// Inserts text; line ends and tabs become blanks, other control characters are dropped.
    pub fn insert(&mut self, typed: &str) {
        let clean: String = typed
            .chars()
            .map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { c })
            .filter(|c| !c.is_control())
            .collect();
        self.delete_selected();
        self.text.insert_str(self.cursor, &clean);
        self.cursor += clean.len();
    }

    /// Replaces a part of the line; the cursor goes after it.
    pub fn replace(&mut self, range: Range<usize>, text: &str) {
        self.keep_selected();
        if self.text.get(range.clone()).is_some() {
            self.text.replace_range(range.clone(), text);
            self.cursor = range.start + text.len();
        }
    }

    /// Moves one character left.
    pub fn left(&mut self) {
        self.keep_selected();
        self.cursor -= self.before().chars().next_back().map_or(0, char::len_utf8);
    }

    /// Moves one character right.
    pub fn right(&mut self) {
        self.keep_selected();
        self.cursor += self.text[self.cursor..].chars().next().map_or(0, char::len_utf8);
    }

    /// Moves to the start of the line.
    pub fn home(&mut self) {
        self.keep_selected();
        self.cursor = 0;
    }

    /// Moves to the end of the line.
    pub fn end(&mut self) {
        self.keep_selected();
        self.cursor = self.text.len();
    }

    fn word_start(&self) -> usize {
        let trimmed = self.before().trim_end_matches(|c: char| !c.is_alphanumeric());
        trimmed.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |at| at + char_len(trimmed, at))
    }

    /// Moves one word left.
    pub fn word_left(&mut self) {
        self.keep_selected();
        self.cursor = self.word_start();
    }

    /// Moves one word right.
    pub fn word_right(&mut self) {
        self.keep_selected();
        let rest = &self.text[self.cursor..];
        let begin = rest.find(char::is_alphanumeric).unwrap_or(rest.len());
        let length = rest[begin..].find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len() - begin);
        self.cursor += begin + length;
    }

    /// Deletes the selected part, or the character before the cursor.
    pub fn backspace(&mut self) {
        if self.delete_selected() {
            return;
        }
        let end = self.cursor;
        self.left();
        self.text.replace_range(self.cursor..end, "");
    }

    /// Deletes the selected part, or the character at the cursor.
    pub fn delete(&mut self) {
        if self.delete_selected() {
            return;
        }
        let end = self.cursor + self.text[self.cursor..].chars().next().map_or(0, char::len_utf8);
        self.text.replace_range(self.cursor..end, "");
    }

    /// Deletes the word before the cursor, and returns it.
    pub fn delete_word(&mut self) -> String {
        self.keep_selected();
        let start = self.word_start();
        self.take(start..self.cursor)
    }

    /// Deletes the rest of the word at the cursor, or the next one, and returns it.
    pub fn delete_word_forward(&mut self) -> String {
        let start = self.cursor;
        self.word_right();
        self.take(start..self.cursor)
    }

    /// Deletes from the cursor to the end of the line, and returns that.
    pub fn kill_end(&mut self) -> String {
        self.keep_selected();
        self.take(self.cursor..self.text.len())
    }

    /// Deletes the selected part, or from the start of the line to the cursor, and returns it.
    pub fn kill_start(&mut self) -> String {
        match self.selected.take() {
            Some(start) => self.take(start..self.text.len()),
            None => self.take(0..self.cursor),
        }
    }

    /// Swaps the character before the cursor with the one at it, at the end the last two, and moves on.
    pub fn transpose(&mut self) {
        self.keep_selected();
        if self.at_end() {
            self.left();
        }
        let after = self.text[self.cursor..].chars().next();
        if let (Some(before), Some(after)) = (self.before().chars().next_back(), after) {
            let start = self.cursor - before.len_utf8();
            let end = self.cursor + after.len_utf8();
            self.text.replace_range(start..end, &format!("{after}{before}"));
            self.cursor = end;
        }
    }

    /// Deletes a part of the line and returns it; the cursor goes to its place.
    fn take(&mut self, range: Range<usize>) -> String {
        self.cursor = range.start;
        self.text.drain(range).collect()
    }
}

fn char_len(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_walked_and_deleted() {
        let mut line = Editor::new("break ring.c:12 if n > 3");
        line.delete_word();
        assert_eq!(line.text(), "break ring.c:12 if n > ");
        line.word_left();
        line.word_left();
        assert_eq!(line.before(), "break ring.c:12 ");
        line.word_right();
        assert_eq!(line.before(), "break ring.c:12 if");
        line.kill_start();
        assert_eq!((line.text(), line.cursor()), (" n > ", 0));
        line.insert("a\nb\u{1b}");
        assert_eq!(line.text(), "a b n > ");
    }

    #[test]
    fn a_suggestion_is_replaced_by_typing_and_kept_by_a_move() {
        let suggesting = || Editor::suggesting("print ", "c->flux");
        assert_eq!(suggesting().text(), "print c->flux");
        assert_eq!(suggesting().parts(), ("print ", "c->flux"));
        for (edit, text) in [
            ((|_| ()) as fn(&mut Editor), "print x"),
            (Editor::backspace, "print x"),
            (Editor::delete, "print x"),
            (|line| _ = line.kill_start(), "print x"),
            (Editor::right, "print c->fluxx"),
            (Editor::end, "print c->fluxx"),
            (Editor::left, "print c->fluxx"),
            (Editor::home, "xprint c->flux"),
            (|line| _ = line.delete_word(), "print c->x"),
        ] {
            let mut line = suggesting();
            edit(&mut line);
            line.insert("x");
            assert_eq!(line.text(), text);
        }
        let mut line = suggesting();
        line.kill_start();
        line.kill_start();
        assert_eq!(line.text(), "");
        assert_eq!(Editor::suggesting("print ", "").parts(), ("print ", ""));
    }

    #[test]
    fn words_forward_are_deleted_and_characters_swapped() {
        let mut line = Editor::at("print alpha + beta", 5);
        assert_eq!(line.delete_word_forward(), " alpha");
        assert_eq!((line.text(), line.cursor()), ("print + beta", 5));
        line.end();
        line.transpose();
        assert_eq!((line.text(), line.cursor()), ("print + beat", 12));
        let mut line = Editor::at("\u{e4}b", 2);
        line.transpose();
        assert_eq!((line.text(), line.cursor()), ("b\u{e4}", 3));
        line.home();
        line.transpose();
        assert_eq!((line.text(), line.cursor()), ("b\u{e4}", 0), "nothing is before the cursor");
        assert_eq!(Editor::at("\u{e4}", 1).cursor(), 2, "a cursor is between characters");
    }

    proptest! {
        #[test]
        fn no_key_breaks_a_line(
            text in "\\PC{0,12}",
            suggestion in "\\PC{0,4}",
            keys in proptest::collection::vec(0u8..14, 0..30),
        ) {
            let mut line = Editor::suggesting(&text, &suggestion);
            for key in keys {
                match key {
                    0 => line.left(),
                    1 => line.right(),
                    2 => line.home(),
                    3 => line.end(),
                    4 => line.word_left(),
                    5 => line.word_right(),
                    6 => line.backspace(),
                    7 => line.delete(),
                    8 => _ = line.delete_word(),
                    9 => _ = line.kill_end(),
                    10 => _ = line.kill_start(),
                    11 => _ = line.delete_word_forward(),
                    12 => line.transpose(),
                    _ => line.insert("\u{e4}x "),
                }
                prop_assert!(line.text().is_char_boundary(line.cursor()));
                prop_assert!(line.parts().1.is_empty() || line.at_end());
            }
        }
    }
}
