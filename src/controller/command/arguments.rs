//! What stands behind the name of a command: words and their places.

use super::line_error::LineError;

/// The arguments of a command: what is left of the line, and where that is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arguments<'a> {
    pub(super) line: &'a str,
    pub(super) at: usize,
    /// The text behind the slash, and where it begins.
    pub(super) format: Option<(&'a str, usize)>,
}

/// One word with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// Byte in the line.
    pub(super) at: usize,
}

impl<'a> Arguments<'a> {
    /// The remaining text, trimmed.
    pub(super) fn rest(&self) -> &'a str {
        self.line.get(self.at..).unwrap_or("").trim()
    }

    /// Where what is left begins, in bytes of the line.
    pub(super) fn place(&self) -> usize {
        let rest = self.line.get(self.at..).unwrap_or("");
        self.at + (rest.len() - rest.trim_start().len())
    }

    /// Takes all that is left.
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

    /// Takes the next word, or says what is missing.
    pub(super) fn required(&mut self, what: &str) -> Result<Word, LineError> {
        let place = self.place();
        self.word()?.ok_or_else(|| self.fault(place, format!("expected {what}")))
    }

    /// Takes all that is left, or says what is missing.
    pub(super) fn required_rest(&mut self, what: &str) -> Result<&'a str, LineError> {
        if self.rest().is_empty() {
            return Err(self.fault(self.line.len(), format!("expected {what}")));
        }
        Ok(self.take_rest())
    }

    /// Fails unless all is taken.
    pub(super) fn end(&mut self) -> Result<(), LineError> {
        match self.word()? {
            None => Ok(()),
            Some(word) => Err(self.fault(word.at, format!("unexpected argument {:?}", word.text))),
        }
    }

    /// Goes on at a byte of the line.
    pub(super) fn skip_to(&mut self, at: usize) {
        self.at = at;
    }

    /// An error at a byte of the line.
    pub(super) fn fault(&self, at: usize, message: impl Into<String>) -> LineError {
        LineError { message: message.into(), position: characters(self.line, at) }
    }

    /// An error at a character after a byte of the line.
    pub(super) fn fault_within(&self, at: usize, characters_on: usize, message: impl Into<String>) -> LineError {
        LineError { message: message.into(), position: characters(self.line, at) + characters_on }
    }
}

pub(super) fn characters(line: &str, byte: usize) -> usize {
    line.get(..byte).unwrap_or(line).chars().count()
}
