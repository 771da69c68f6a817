//! What was deleted from lines, to be inserted again.

/// The text that was deleted last. Deleting word after word collects them.
#[derive(Clone, Debug, Default)]
pub struct Kills {
    text: String,
    /// True if the last key deleted a word or more.
    goes_on: bool,
}

impl Kills {
    /// The text that was deleted last.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Takes text that was deleted before the cursor.
    pub fn before(&mut self, killed: &str) {
        let text = format!("{killed}{}", if self.goes_on { self.text.as_str() } else { "" });
        self.keep(killed, text);
    }

    /// Takes text that was deleted after the cursor.
    pub fn after(&mut self, killed: &str) {
        let text = format!("{}{killed}", if self.goes_on { self.text.as_str() } else { "" });
        self.keep(killed, text);
    }

    /// Another key has come in between: what is deleted next is another text.
    pub fn end(&mut self) {
        self.goes_on = false;
    }

    fn keep(&mut self, killed: &str, text: String) {
        if !killed.is_empty() {
            self.text = text;
        }
        self.goes_on = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_deleted_in_a_row_is_one_text() {
        let mut kills = Kills::default();
        kills.before("beta");
        kills.before("alpha ");
        kills.after(" gamma");
        assert_eq!(kills.text(), "alpha beta gamma");
        kills.end();
        kills.after("");
        assert_eq!(kills.text(), "alpha beta gamma", "nothing was deleted");
        kills.end();
        kills.before("x");
        assert_eq!(kills.text(), "x");
    }
}
