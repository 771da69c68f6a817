//! The lines of a block that is being typed.

use controller::command::{BlockError, BlockParser, Fed};

/// The lines of a block, such as `if`, up to the one being typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenBlock {
    parser: BlockParser,
    lines: Vec<String>,
}

impl OpenBlock {
    /// Takes a line; returns the command and all lines of the block if that is its last one.
    pub fn enter(&mut self, line: &str) -> Result<Option<(String, String)>, BlockError> {
        // Lines are indented as deep as their block, like those that `breakpoints` and `help` show.
        let before = self.parser.depth();
        let fed = self.parser.feed(line)?;
        let indent = if self.parser.is_in_text() { 0 } else { before.min(self.parser.depth()) };
        let is_else =
            indent > 0 && before == self.parser.depth() && (line.trim() == "else" || line.trim().starts_with("else "));
        let indent = indent - usize::from(is_else);
        self.lines.push(format!("{}{line}", "  ".repeat(indent)));
        Ok(match fed {
            Fed::Whole(statement) => Some((statement.head().text.clone(), self.lines.join("\n"))),
            Fed::Nothing | Fed::Unfinished => None,
        })
    }

    /// True if a block is open.
    pub fn is_open(&self) -> bool {
        self.depth() > 0
    }

    /// The number of blocks inside each other.
    pub fn depth(&self) -> usize {
        self.parser.depth()
    }

    /// The lines so far, the command first.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The command whose lines are being typed.
    pub fn head(&self) -> &str {
        self.lines.first().map_or("", |line| line.trim())
    }

    /// Says that the block was dropped.
    pub fn dropped(&self) -> String {
        let rest = match self.lines.len().saturating_sub(1) {
            0 => String::new(),
            1 => " and its line".to_owned(),
            many => format!(" and its {many} lines"),
        };
        format!("dropped {:?}{rest}", self.head())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_indented_by_the_blocks_around_them() {
        let mut block = OpenBlock::default();
        for (line, depth) in
            [("commands 1", 1), ("if x > 3", 2), ("print x", 2), ("else", 2), ("next", 2), ("end", 1), ("go", 1)]
        {
            assert_eq!(block.enter(line), Ok(None));
            assert_eq!(block.depth(), depth, "{line}");
        }
        assert_eq!(block.dropped(), "dropped \"commands 1\" and its 6 lines");
        let (head, text) = block.enter("end").unwrap().unwrap();
        assert_eq!(head, "commands 1");
        assert_eq!(text, "commands 1\n  if x > 3\n    print x\n  else\n    next\n  end\n  go\nend");
    }

    #[test]
    fn the_parts_of_a_chain_are_indented_alike() {
        let mut block = OpenBlock::default();
        for line in ["if x", "next", "else if y", "step", "else", "go"] {
            assert_eq!(block.enter(line), Ok(None));
            assert_eq!(block.depth(), 1, "{line}");
        }
        let (_, text) = block.enter("end").unwrap().unwrap();
        assert_eq!(text, "if x\n  next\nelse if y\n  step\nelse\n  go\nend");
    }

    #[test]
    fn the_text_of_document_stays_as_it_is_typed() {
        let mut block = OpenBlock::default();
        for line in ["document f", "Shows", " more"] {
            assert_eq!(block.enter(line), Ok(None));
        }
        let (_, text) = block.enter("end").unwrap().unwrap();
        assert_eq!(text, "document f\nShows\n more\nend");
    }
}
