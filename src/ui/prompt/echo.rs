//! A line being typed on a terminal that only gets characters: nothing but text and backspaces changes it, so that a
//! screen reader hears what is typed, and every terminal can show it.

use super::Editor;
use crate::screen::columns;

/// The row of the terminal with the line being typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EchoedLine {
    sign: String,
    shown: Vec<char>,
    cursor: usize,
    is_open: bool,
}

const BACK: &str = "\u{8}";

impl EchoedLine {
    /// True if the cursor is behind the sign of a line.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// True if there is text behind the sign.
    pub fn has_text(&self) -> bool {
        !self.shown.is_empty()
    }

    /// Records that the row has been left.
    pub fn close(&mut self) {
        *self = Self::default();
    }

    /// Returns the characters that show the line as it is now, on a terminal of a width.
    pub fn show(&mut self, sign: &str, editor: &Editor, width: usize) -> String {
        let mut told = String::new();
        if self.is_open && self.sign != sign {
            told.push('\n');
            self.close();
        }
        if !self.is_open {
            told.push_str(sign);
            sign.clone_into(&mut self.sign);
            self.is_open = true;
        }
        let (window, cursor) = window(editor, width.saturating_sub(columns(sign) + 1));
        let same = self.shown.iter().zip(&window).take_while(|(one, other)| one == other).count();
        if self.shown != window {
            self.go(same, &mut told);
            let new: String = window.iter().skip(same).collect();
            let left = width_of(&self.shown).saturating_sub(width_of(&window));
            told.push_str(&new);
            told.push_str(&" ".repeat(left));
            told.push_str(&BACK.repeat(left));
            self.cursor = window.len();
            self.shown = window;
        }
        self.go(cursor, &mut told);
        told
    }

    /// Moves the cursor to a character of the row.
    fn go(&mut self, to: usize, told: &mut String) {
        match self.shown.get(to..self.cursor) {
            Some(passed) => told.push_str(&BACK.repeat(width_of(passed))),
            None => told.extend(self.shown.iter().skip(self.cursor).take(to.saturating_sub(self.cursor))),
        }
        self.cursor = to;
    }
}

fn width_of(characters: &[char]) -> usize {
    columns(&characters.iter().collect::<String>())
}

/// The part of a line that fits into one row, and the cursor in it: backspaces do not go to the row above. `<` and `>` say
/// that there is more.
fn window(editor: &Editor, room: usize) -> (Vec<char>, usize) {
    let text: Vec<char> = editor.text().chars().collect();
    let cursor = editor.before().chars().count();
    let room = room.max(8);
    if width_of(&text) <= room {
        return (text, cursor);
    }
    // Half a row at a time, so that most keys add one character.
    let step = room / 2 - 1;
    let mut first = 0;
    while width_of(text.get(first..cursor).unwrap_or_default()) > room - 2 {
        first += step.min(cursor - first);
    }
    let mut shown: Vec<char> = if first > 0 { vec!['<'] } else { Vec::new() };
    let at = shown.len() + cursor - first;
    let mut rest = text.iter().skip(first).copied().peekable();
    while let Some(&next) = rest.peek() {
        let grown: Vec<char> = shown.iter().copied().chain([next]).collect();
        if width_of(&grown) >= room {
            shown.push('>');
            break;
        }
        shown = grown;
        rest.next();
    }
    (shown, at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A terminal that knows characters, backspaces and line ends only.
    #[derive(Default)]
    struct Row {
        cells: Vec<char>,
        cursor: usize,
    }

    impl Row {
        fn take(&mut self, told: &str) {
            for c in told.chars() {
                match c {
                    '\n' => *self = Self::default(),
                    '\u{8}' => self.cursor = self.cursor.checked_sub(1).expect("a backspace at the start of the row"),
                    c => {
                        self.cells.resize(self.cells.len().max(self.cursor + 1), ' ');
                        self.cells[self.cursor] = c;
                        self.cursor += 1;
                    }
                }
            }
        }

        fn text(&self) -> String {
            self.cells.iter().collect::<String>().trim_end().to_owned()
        }
    }

    #[test]
    fn typing_at_the_end_writes_what_is_typed_and_nothing_else() {
        let mut line = EchoedLine::default();
        assert_eq!(line.show("> ", &Editor::new(""), 80), "> ");
        assert_eq!(line.show("> ", &Editor::new("n"), 80), "n");
        assert_eq!(line.show("> ", &Editor::new("next"), 80), "ext");
        assert_eq!(line.show("> ", &Editor::new("nex"), 80), "\u{8} \u{8}");
        assert_eq!(line.show("> ", &Editor::at("nex", 0), 80), "\u{8}\u{8}\u{8}");
        assert_eq!(line.show("> ", &Editor::at("unex", 1), 80), "unex\u{8}\u{8}\u{8}");
        assert_eq!(line.show(">> ", &Editor::new("x"), 80), "\n>> x");
    }

    proptest! {
        #[test]
        fn the_row_shows_the_line_and_never_wraps(
            lines in proptest::collection::vec(("[a-c ]{0,40}", 0usize..41), 1..12),
            width in 12usize..30,
        ) {
            let (mut line, mut row) = (EchoedLine::default(), Row::default());
            for (text, cursor) in lines {
                let editor = Editor::at(&text, cursor.min(text.len()));
                row.take(&line.show("> ", &editor, width));
                prop_assert!(row.cells.len() < width, "{:?}", row.text());
                if text.len() + 3 <= width {
                    let wanted = format!("> {text}");
                    prop_assert_eq!(row.text(), wanted.trim_end());
                    prop_assert_eq!(row.cursor, 2 + editor.cursor());
                } else {
                    let shown = row.text();
                    prop_assert!(shown.contains('<') || shown.contains('>'), "{shown:?}");
                    // The character before the cursor is on the screen.
                    if let Some(before) = editor.before().chars().next_back() {
                        prop_assert_eq!(row.cells[row.cursor - 1], before);
                    }
                }
            }
        }
    }
}
