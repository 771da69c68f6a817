//! The text after the name of a command: words and their places.

use super::line_error::LineError;

/// The arguments of a command: the rest of the line and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arguments<'a> {
    pub(super) line: &'a str,
    pub(super) at: usize,
    /// The text after the slash, and the byte at which it begins.
    pub(super) format: Option<(&'a str, usize)>,
}

/// A word and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// The byte of the line at which it begins.
    pub(super) at: usize,
}

impl<'a> Arguments<'a> {
    /// Returns the remaining text, trimmed.
    pub(super) fn rest(&self) -> &'a str {
        self.line.get(self.at..).unwrap_or("").trim()
    }

    /// Returns the byte of the line at which the rest begins.
    pub(super) fn place(&self) -> usize {
        let rest = self.line.get(self.at..).unwrap_or("");
        self.at + (rest.len() - rest.trim_start().len())
    }

    /// Takes the whole rest.
    pub(super) fn take_rest(&mut self) -> &'a str {
        let rest = self.rest();
        self.at = self.line.len();
        rest
    }

    /// Takes the next word, quotes removed.
    pub(super) fn word(&mut self) -> Result<Option<Word>, LineError> {
        let at = self.place();
        let rest = self.line.get(at..).unwrap_or("");
        if let Some(quoted) = rest.strip_prefix('"') {
            let Some(end) = quoted.find('"') else {
                return Err(self.fault(at, "expected a closing quote"));
            };
            self.at = at + end + 2;
            return Ok(Some(Word { text: quoted.get(..end).unwrap_or("").to_owned(), at }));
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at = at + end;
        Ok(rest.get(..end).filter(|text| !text.is_empty()).map(|text| Word { text: text.to_owned(), at }))
    }

    /// Takes the next word; if there is none, fails with an error that names `what`.
    pub(super) fn required(&mut self, what: &str) -> Result<Word, LineError> {
        let place = self.place();
        self.word()?.ok_or_else(|| self.fault(place, format!("expected {what}")))
    }

    /// Takes the whole rest; if it is empty, fails with an error that names `what`.
    pub(super) fn required_rest(&mut self, what: &str) -> Result<&'a str, LineError> {
        if self.rest().is_empty() {
            return Err(self.fault(self.line.len(), format!("expected {what}")));
        }
        Ok(self.take_rest())
    }

    /// Fails if arguments are left.
    pub(super) fn end(&mut self) -> Result<(), LineError> {
        match self.word()? {
            None => Ok(()),
            Some(word) => Err(self.fault(word.at, format!("unexpected argument {:?}", word.text))),
        }
    }

    /// Continues at a byte of the line.
    pub(super) fn skip_to(&mut self, at: usize) {
        self.at = at;
    }

    /// Builds an error at a byte of the line.
    pub(super) fn fault(&self, at: usize, message: impl Into<String>) -> LineError {
        LineError { message: message.into(), position: characters(self.line, at) }
    }

    /// Builds an error at a character after a byte of the line.
    pub(super) fn fault_within(&self, at: usize, characters_on: usize, message: impl Into<String>) -> LineError {
        LineError { message: message.into(), position: characters(self.line, at) + characters_on }
    }
}

pub(super) fn characters(line: &str, byte: usize) -> usize {
    line.get(..byte).unwrap_or(line).chars().count()
}
