//! Classes of characters, and edges between them.

#[derive(Clone, Debug)]
pub(super) enum Class {
    Any,
    Char(char),
    Word(bool),
    Space(bool),
    Set { negated: bool, ranges: Vec<(char, char)>, classes: Vec<Named> },
}

/// A named class of characters: `[:alpha:]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named(pub(super) fn(char) -> bool);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    TextStart,
    TextEnd,
    WordStart,
    WordEnd,
    Word,
    NotWord,
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl Edge {
    pub(super) fn is_at(self, at: usize, text: &[char]) -> bool {
        let before = at.checked_sub(1).and_then(|before| text.get(before)).is_some_and(|c| is_word(*c));
        let behind = text.get(at).is_some_and(|c| is_word(*c));
        match self {
            Self::TextStart => at == 0,
            Self::TextEnd => at == text.len(),
            Self::WordStart => !before && behind,
            Self::WordEnd => before && !behind,
            Self::Word => before != behind,
            Self::NotWord => before == behind,
        }
    }
}

impl Class {
    pub(super) fn has(&self, c: char, ignores_case: bool) -> bool {
        if ignores_case {
            let (lower, upper) = (c.to_ascii_lowercase(), c.to_ascii_uppercase());
            return match self {
                Self::Set { negated: true, .. } => self.has_exactly(lower) && self.has_exactly(upper),
                _ => self.has_exactly(lower) || self.has_exactly(upper),
            };
        }
        self.has_exactly(c)
    }

    fn has_exactly(&self, c: char) -> bool {
        match self {
            Self::Any => true,
            Self::Char(own) => *own == c,
            Self::Word(wanted) => is_word(c) == *wanted,
            Self::Space(wanted) => c.is_whitespace() == *wanted,
            Self::Set { negated, ranges, classes } => {
                let is_in = ranges.iter().any(|(from, to)| (*from..=*to).contains(&c));
                (is_in || classes.iter().any(|class| class.0(c))) != *negated
            }
        }
    }
}
