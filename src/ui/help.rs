//! The page of keys on the screen, made from the tables.

use super::action::{ACTIONS, Group, Scope};
use super::view::View;
use super::views::ranks;

/// A line of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A group of actions.
    Heading(&'static str),
    /// An action with the keys it has now.
    Key {
        /// Its keys.
        keys: String,
        /// The view it is for; empty: all.
        place: &'static str,
        /// What it does.
        sentence: &'static str,
    },
    /// Nothing.
    Blank,
}

/// The lines of the page: what the view with the keyboard has, first.
pub(crate) fn lines(view: &View) -> Vec<Line> {
    let mut lines = Vec::new();
    let key = |action| {
        let keys = view.keys.keys_of(action);
        let words: Vec<String> =
            keys.iter().map(|keys| keys.iter().map(|c| c.short()).collect::<Vec<_>>().join(" ")).collect();
        words.join("  ")
    };
    let own: Vec<_> = ACTIONS.iter().filter(|row| row.scope == Scope::In(view.current)).collect();
    if !own.is_empty() {
        lines.push(Line::Heading(view.current.title()));
        lines.extend(own.iter().map(|row| Line::Key { keys: key(row.action), place: "", sentence: row.sentence }));
        lines.push(Line::Blank);
    }
    for group in Group::ALL {
        lines.push(Line::Heading(group.title()));
        for row in ACTIONS.iter().filter(|row| row.group == group && row.scope != Scope::In(view.current)) {
            let place = match row.scope {
                Scope::Anywhere => "",
                Scope::In(other) => other.title(),
            };
            lines.push(Line::Key { keys: key(row.action), place, sentence: row.sentence });
        }
        lines.push(Line::Blank);
    }
    lines.push(Line::Heading("Letters of the ranks"));
    lines.extend(ranks::legend().map(|(letter, sentence)| Line::Key { keys: letter.to_string(), place: "", sentence }));
    lines
}
