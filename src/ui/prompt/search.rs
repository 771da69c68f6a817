//! Incremental search in the history, as in readline.

use super::{Editor, History};

/// A search in the history, while its text is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistorySearch {
    text: String,
    /// The index of the command that is in the line.
    at: Option<usize>,
    /// True if no further command contains the text.
    pub failed: bool,
    /// The line before the search.
    before: Editor,
}

impl HistorySearch {
    /// Begins a search; the line comes back if it is cancelled.
    pub fn new(before: Editor) -> Self {
        Self { text: String::new(), at: None, failed: false, before }
    }

    /// The text that is searched for.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Ends the search; returns the line before it.
    pub fn cancelled(self) -> Editor {
        self.before
    }

    /// Adds a character to the text; the command that is found already stays if it has that, too.
    pub fn add(&mut self, typed: char, history: &History) -> Option<Editor> {
        self.text.push(typed);
        let from = self.at.unwrap_or(history.lines().len());
        let stays = self.at.filter(|&at| history.lines().get(at).is_some_and(|line| line.contains(&self.text)));
        self.found(stays.or_else(|| history.older_with(from, &self.text)), history)
    }

    /// Deletes the last character of the text, and searches again from the newest command.
    pub fn shorten(&mut self, history: &History) -> Option<Editor> {
        self.text.pop();
        self.at = None;
        if self.text.is_empty() {
            self.failed = false;
            return Some(self.before.clone());
        }
        self.found(history.older_with(history.lines().len(), &self.text), history)
    }

    /// Goes on to an older command; without a text, searches for that of the search before.
    pub fn older(&mut self, history: &History, last: &str) -> Option<Editor> {
        if self.text.is_empty() {
            last.clone_into(&mut self.text);
        }
        let from = self.at.unwrap_or(history.lines().len());
        self.moved(history.older_with(from, &self.text), history)
    }

    /// Goes back to a newer command.
    pub fn newer(&mut self, history: &History) -> Option<Editor> {
        let found = self.at.and_then(|at| history.newer_with(at, &self.text));
        self.moved(found, history)
    }

    /// As [`Self::found`]; without a text there is nothing to search for.
    fn moved(&mut self, found: Option<usize>, history: &History) -> Option<Editor> {
        if self.text.is_empty() {
            return None;
        }
        self.found(found, history)
    }

    fn found(&mut self, found: Option<usize>, history: &History) -> Option<Editor> {
        self.failed = found.is_none();
        let at = found?;
        self.at = Some(at);
        let line = history.lines().get(at)?;
        let place = line.rfind(&self.text).unwrap_or(line.len());
        Some(Editor::at(line, place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> History {
        let mut history = History::default();
        for line in ["break kernel", "print iteration", "print n", "next", "print iteration"] {
            history.push(line);
        }
        history
    }

    #[test]
    fn each_character_narrows_the_search_and_each_step_goes_on() {
        let history = history();
        let mut search = HistorySearch::new(Editor::new("typed"));
        let text = |found: Option<Editor>| found.map(|editor| (editor.text().to_owned(), editor.cursor()));
        assert_eq!(text(search.add('p', &history)), Some(("print iteration".to_owned(), 0)));
        assert_eq!(text(search.add('r', &history)), Some(("print iteration".to_owned(), 0)));
        assert_eq!(text(search.older(&history, "")), Some(("print n".to_owned(), 0)));
        assert_eq!(text(search.newer(&history)), Some(("print iteration".to_owned(), 0)));
        assert_eq!(text(search.newer(&history)), None);
        assert!(search.failed);
        assert_eq!(text(search.shorten(&history)), Some(("print iteration".to_owned(), 0)));
        assert!(!search.failed);
        assert_eq!(text(search.shorten(&history)), Some(("typed".to_owned(), 5)));
        assert_eq!(search.cancelled().text(), "typed");
    }

    #[test]
    fn a_text_that_no_command_has_keeps_the_last_one_found() {
        let history = history();
        let mut search = HistorySearch::new(Editor::new(""));
        assert!(search.add('k', &history).is_some());
        assert!(search.add('z', &history).is_none());
        assert!(search.failed);
        let mut again = HistorySearch::new(Editor::new(""));
        assert_eq!(again.older(&history, ""), None);
        assert_eq!(again.older(&history, "kern").unwrap().before(), "break ");
    }
}
