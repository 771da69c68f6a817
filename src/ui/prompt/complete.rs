//! What a word could become: commands at the beginning, names of the program and of sets elsewhere.

use std::ops::Range;

/// Words that can be completed to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// Names of commands.
    pub commands: Vec<String>,
    /// Variables, functions, files, sets.
    pub names: Vec<String>,
}

/// Candidates for a part of the line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// What they could become, the best first.
    pub candidates: Vec<String>,
}

/// Candidates for the word that ends at byte `cursor`.
pub fn complete(line: &str, cursor: usize, vocabulary: &Vocabulary) -> Completion {
    let before = line.get(..cursor).unwrap_or(line);
    let start = before
        .char_indices()
        .rev()
        .find(|(_, c)| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | '$') || *c == ':'))
        .map_or(0, |(at, c)| at + c.len_utf8());
    let word = &before[start..];
    // A set in brackets may stand before the command.
    let head = before[..start].trim();
    let first = head.is_empty() || (head.starts_with('[') && head.ends_with(']'));
    let words = if first { &vocabulary.commands } else { &vocabulary.names };
    // The part of an expression behind `->` or an operator is a word of its own.
    let mut candidates: Vec<String> = words.iter().filter(|name| name.starts_with(word)).cloned().collect();
    if !word.is_empty() {
        let lower = word.to_lowercase();
        let others = words.iter().filter(|name| !name.starts_with(word) && name.to_lowercase().contains(&lower));
        candidates.extend(others.cloned());
    }
    candidates.retain(|name| name != word);
    candidates.dedup();
    Completion { range: start..cursor.min(line.len()), candidates }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(line: &str) -> Vec<String> {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect();
        let vocabulary =
            Vocabulary { commands: words("break breakpoints go tbreak"), names: words("kernel count ring.c") };
        complete(line, line.len(), &vocabulary).candidates
    }

    #[test]
    fn the_first_word_is_a_command() {
        assert_eq!(candidates("br"), ["break", "breakpoints", "tbreak"]);
        assert_eq!(candidates("[0-3] g"), ["go"]);
        assert_eq!(candidates("go"), Vec::<String>::new());
    }

    #[test]
    fn others_are_names() {
        assert_eq!(candidates("break ke"), ["kernel"]);
        assert_eq!(candidates("print a+co"), ["count"]);
        assert_eq!(candidates("break ring"), ["ring.c"]);
        assert_eq!(complete("print n", 99, &Vocabulary::default()).range, 6..7);
    }
}
