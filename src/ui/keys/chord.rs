//! One press of a key with its modifiers, and its spelling in tables and configuration files.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::fmt;

/// A key with `ctrl` or `alt` held; shift is part of the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chord {
    code: KeyCode,
    modifiers: KeyModifiers,
}

/// Error for text that names no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid key {0:?}; examples: a, A, ctrl-a, alt-a, enter, tab, shift-tab, space, f1")]
pub struct ChordError(pub String);

const NAMED: &[(&str, KeyCode)] = &[
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("shift-tab", KeyCode::BackTab),
    ("space", KeyCode::Char(' ')),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
];

impl Chord {
    /// Converts a terminal event.
    pub fn of(event: KeyEvent) -> Self {
        let mut modifiers = event.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT);
        let code = match event.code {
            // Terminals differ in sending a shifted letter as an upper-case one.
            KeyCode::Char(c) if event.modifiers.contains(KeyModifiers::SHIFT) => {
                KeyCode::Char(c.to_uppercase().next().unwrap_or(c))
            }
            KeyCode::Char(c) if modifiers.contains(KeyModifiers::CONTROL) => KeyCode::Char(c.to_ascii_lowercase()),
            KeyCode::Tab if event.modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
            code => code,
        };
        if code == KeyCode::BackTab {
            modifiers = KeyModifiers::NONE;
        }
        Self { code, modifiers }
    }

    /// Parses `ctrl-a`, `G`, `space`.
    pub fn parse(text: &str) -> Result<Self, ChordError> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = text;
        while let Some((held, after)) =
            ["ctrl-", "alt-"].iter().find_map(|name| rest.strip_prefix(name).map(|after| (*name, after)))
        {
            modifiers |= if held == "ctrl-" { KeyModifiers::CONTROL } else { KeyModifiers::ALT };
            rest = after;
        }
        let mut letters = rest.chars();
        let code = match (letters.next(), letters.next()) {
            (Some(letter), None) => KeyCode::Char(letter),
            (Some('f'), Some(_)) if rest.get(1..).is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())) => {
                KeyCode::F(rest[1..].parse().map_err(|_| ChordError(text.to_owned()))?)
            }
            _ => {
                let found = NAMED.iter().find(|named| named.0 == rest);
                found.ok_or_else(|| ChordError(text.to_owned()))?.1
            }
        };
        Ok(Self { code, modifiers })
    }

    /// Parses a sequence of chords separated by blanks.
    pub fn parse_sequence(text: &str) -> Result<Vec<Self>, ChordError> {
        let chords: Vec<_> = text.split_whitespace().map(Self::parse).collect::<Result<_, _>>()?;
        if chords.is_empty() { Err(ChordError(text.to_owned())) } else { Ok(chords) }
    }

    /// A letter with `ctrl` held.
    pub fn control(letter: char) -> Self {
        Self { code: KeyCode::Char(letter), modifiers: KeyModifiers::CONTROL }
    }

    /// A key with `alt` held.
    pub fn alt(code: KeyCode) -> Self {
        Self { code, modifiers: KeyModifiers::ALT }
    }

    /// Splits a letter with `alt` held into the two keys that send the same bytes: escape, then the letter.
    pub fn as_escape_and_letter(self) -> Option<[Self; 2]> {
        let plain = |code| Self { code, modifiers: KeyModifiers::NONE };
        let is_letter = self.modifiers == KeyModifiers::ALT && matches!(self.code, KeyCode::Char(_));
        is_letter.then(|| [plain(KeyCode::Esc), plain(self.code)])
    }

    /// The key without its modifiers.
    pub fn code(self) -> KeyCode {
        self.code
    }

    /// The character that the chord types; `None` for other keys and with modifiers.
    pub fn typed(self) -> Option<char> {
        match self.code {
            KeyCode::Char(c) if self.modifiers.is_empty() => Some(c),
            _ => None,
        }
    }

    /// Short form for the key bar: `^C` instead of `ctrl-c`, an arrow for enter.
    pub fn short(self) -> String {
        match (self.code, self.modifiers) {
            (KeyCode::Char(c), KeyModifiers::CONTROL) => format!("^{}", c.to_ascii_uppercase()),
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.modifiers.contains(KeyModifiers::CONTROL) {
            f.write_str("ctrl-")?;
        }
        if self.modifiers.contains(KeyModifiers::ALT) {
            f.write_str("alt-")?;
        }
        if let Some(named) = NAMED.iter().find(|named| named.1 == self.code) {
            return f.write_str(named.0);
        }
        match self.code {
            KeyCode::Char(c) => write!(f, "{c}"),
            KeyCode::F(n) => write!(f, "f{n}"),
            other => write!(f, "{other}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_goes_both_ways() {
        for text in ["a", "G", "ctrl-c", "alt-x", "ctrl-alt-x", "space", "shift-tab", "f12", "-", "pageup", "?"] {
            assert_eq!(Chord::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "ctrl-", "fx", "f999", "strg-a", "ab"] {
            assert!(Chord::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn terminals_that_say_shift_and_those_that_do_not_agree() {
        let shifted = Chord::of(KeyEvent::new(KeyCode::Char('g'), KeyModifiers::SHIFT));
        let upper = Chord::of(KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT));
        let plain = Chord::of(KeyEvent::new(KeyCode::Char('G'), KeyModifiers::NONE));
        assert!(shifted == upper && upper == plain);
        let tab = Chord::of(KeyEvent::new(KeyCode::Tab, KeyModifiers::SHIFT));
        assert_eq!(tab, Chord::of(KeyEvent::new(KeyCode::BackTab, KeyModifiers::SHIFT)));
        assert_eq!(
            Chord::of(KeyEvent::new(KeyCode::Char('C'), KeyModifiers::CONTROL)),
            Chord::parse("ctrl-c").unwrap()
        );
    }
}
