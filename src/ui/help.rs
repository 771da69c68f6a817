//! The help page with the current keys, made from the tables.

use super::action::{ACTIONS, ActionRow, Group, MEANINGS, Scope};
use super::glyphs::{SIGNS, glyphs};
use super::keys::Chord;
use super::prompt::PROMPT_KEYS;
use super::screen::{columns, wrapped};
use super::view::View;
use super::views::ranks;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Heading(&'static str),
    /// An action with its current keys.
    Key {
        keys: String,
        sentence: String,
    },
    Blank,
}

/// Narrowest and widest column of keys.
const KEYS: (usize, usize) = (16, 30);

/// The lines of the page: the bindings of the current view first, then those that apply anywhere.
pub(crate) fn lines(view: &View) -> Vec<Line> {
    let lines = all(view);
    let width = usize::from(width(view)).saturating_sub(key_column(&lines) + 4);
    lines.into_iter().flat_map(|line| folded(line, width)).collect()
}

/// The column where sentences begin: two blanks after the longest keys.
pub(crate) fn key_column(lines: &[Line]) -> usize {
    let keys = lines.iter().map(|line| if let Line::Key { keys, .. } = line { columns(keys) } else { 0 });
    (keys.max().unwrap_or(0) + 4).clamp(KEYS.0, KEYS.1)
}

pub(crate) fn width(view: &View) -> u16 {
    view.area.width.saturating_sub(2).min(100)
}

/// Wraps a sentence that is too long.
fn folded(line: Line, width: usize) -> Vec<Line> {
    let Line::Key { keys, sentence } = line else { return vec![line] };
    let mut keys = Some(keys);
    let rows = wrapped(&sentence, width, 0).into_iter();
    rows.map(|sentence| Line::Key { keys: keys.take().unwrap_or_default(), sentence }).collect()
}

fn all(view: &View) -> Vec<Line> {
    let mut lines = Vec::new();
    let key = |action| {
        let keys = view.keys.keys_of(action);
        let words: Vec<String> =
            keys.iter().map(|keys| keys.iter().map(|c| c.short()).collect::<Vec<_>>().join(" ")).collect();
        words.join("  ")
    };
    let here = || MEANINGS.iter().filter(|(_, of, _)| *of == view.current);
    let own: Vec<_> = ACTIONS.iter().filter(|row| row.scope == Scope::In(view.current)).collect();
    if !own.is_empty() {
        lines.push(Line::Heading(view.current.title()));
        lines.extend(own.iter().map(|row| Line::Key { keys: key(row.action), sentence: row.sentence.to_owned() }));
        lines.extend(here().map(|(action, _, words)| Line::Key { keys: key(*action), sentence: (*words).to_owned() }));
        lines.push(Line::Blank);
    }
    let of = |scope| {
        let rows = ACTIONS.iter().filter(move |row| row.scope == scope);
        rows.map(|row| Line::Key { keys: key(row.action), sentence: row.sentence.to_owned() })
    };
    for group in Group::ALL {
        lines.push(Line::Heading(group.title()));
        let is_common = |row: &&ActionRow| row.scope == Scope::Anywhere && here().all(|own| own.0 != row.action);
        let rows = ACTIONS.iter().filter(|row| row.group == group).filter(is_common);
        lines.extend(rows.map(|row| Line::Key { keys: key(row.action), sentence: row.sentence.to_owned() }));
        match group {
            Group::Move => lines.extend(of(Scope::Search)),
            Group::Debugger => lines.extend(of(Scope::Page)),
            _ => {}
        }
        lines.push(Line::Blank);
    }
    lines.push(Line::Heading("While typing a command"));
    lines.extend(PROMPT_KEYS.iter().map(|(keys, sentence)| {
        let chords: Vec<String> =
            keys.split(' ').map(|key| Chord::parse(key).map_or_else(|_| key.to_owned(), Chord::short)).collect();
        Line::Key { keys: chords.join("  "), sentence: (*sentence).to_owned() }
    }));
    lines.push(Line::Blank);
    lines.push(Line::Heading("Letters of the ranks"));
    lines.extend(
        ranks::legend()
            .map(|(letter, sentence)| Line::Key { keys: letter.to_string(), sentence: format!("{sentence}.") }),
    );
    lines.push(Line::Blank);
    lines.push(Line::Heading("Signs"));
    lines.extend(SIGNS.iter().map(|sign| Line::Key {
        keys: (sign.of)(glyphs(view.ascii)).to_string(),
        sentence: format!("{}: {}.", sign.place, sign.sentence),
    }));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::ViewId;
    use std::collections::BTreeSet;

    #[test]
    fn sentences_are_apart_from_their_keys() {
        let lines = all(&View::default());
        let column = key_column(&lines);
        for line in &lines {
            let Line::Key { keys, sentence } = line else { continue };
            assert!(columns(keys) + 4 <= column, "{keys}{sentence}");
        }
    }

    #[test]
    fn what_a_key_means_in_the_view_alone_stands_under_the_view() {
        for (view, words) in [(ViewId::Array, "Mark the elements"), (ViewId::Memory, "Go to an address")] {
            let lines = all(&View { current: view, ..View::default() });
            let under = lines.iter().take_while(|line| **line != Line::Blank);
            let has = |line: &Line| matches!(line, Line::Key { keys, sentence } if keys == "/" && sentence.starts_with(words));
            assert_eq!(under.filter(|line| has(line)).count(), 1, "{lines:?}");
            let all = lines.iter().filter(|line| matches!(line, Line::Key { keys, .. } if keys == "/"));
            assert_eq!(all.count(), 1, "{lines:?}");
        }
    }

    #[test]
    fn no_section_stands_twice() {
        let headings: Vec<_> =
            all(&View::default()).into_iter().filter(|line| matches!(line, Line::Heading(_))).collect();
        let named: BTreeSet<String> = headings.iter().map(|heading| format!("{heading:?}")).collect();
        assert!(named.len() > 5 && named.len() == headings.len(), "{headings:?}");
    }
}
