//! Collects lines until a block is complete. Files, batch scripts and the prompt feed their lines to it.

use super::tree::{Block, BlockKind, PlacedLine, ScriptPlace, Statement};
use crate::command::comment::without_comment;
use crate::command::line::{block_arguments, block_word};
use crate::command::table::BlockWord;
use std::sync::Arc;

/// The most blocks inside each other.
const DEEPEST: usize = 64;
/// The most lines of one block.
const MOST_LINES: u32 = 100_000;

/// The use of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Fed {
    /// It is empty or a comment.
    Nothing,
    /// It belongs to a block that is not complete.
    Unfinished,
    /// It is a command, or the end of a block.
    Whole(Statement),
}

/// A line that does not fit into its block, or a block without an end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BlockError {
    /// The line, or the one that opened the block.
    pub line: PlacedLine,
    /// The fault and the next step.
    pub message: String,
}

/// Lines of a script, up to the present one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockParser {
    file: Option<Arc<str>>,
    line: u32,
    /// The line with which the outermost open block began.
    began: u32,
    open: Vec<Open>,
    /// True to drop the rest of a block in which a line does not fit.
    drops_refused: bool,
    /// The open blocks whose lines are dropped.
    refused: Vec<BlockKind>,
    /// The line for which they are.
    refused_for: Option<PlacedLine>,
}

/// A block whose end has not been read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Open {
    block: Block,
    /// True if its end is that of the block around it, too: it was opened by `else if`.
    chained: bool,
}

impl BlockParser {
    /// Begins a script; `None`: it is typed.
    pub fn new(file: Option<Arc<str>>) -> Self {
        Self { file, ..Self::default() }
    }

    /// Has the rest of a block dropped after a line that does not fit into it. Otherwise the next line is outside of it, as
    /// a user expects who types.
    #[must_use]
    pub fn dropping_refused(self) -> Self {
        Self { drops_refused: true, ..self }
    }

    /// Takes the next line.
    pub fn feed(&mut self, written: &str) -> Result<Fed, BlockError> {
        self.line = self.line.saturating_add(1);
        if let Some(innermost) = self.refused.last() {
            match block_word(without_comment(written).trim()) {
                _ if innermost.has_text() && written.trim() != "end" => {}
                Some(BlockWord::Opens(kind)) => self.refused.push(kind),
                Some(BlockWord::End) => drop(self.refused.pop()),
                _ => {}
            }
            return Ok(Fed::Nothing);
        }
        if self.is_in_text() && written.trim() != "end" {
            let text = written.trim_end().to_owned();
            return self.add(Statement::Line(PlacedLine { text, place: Some(self.place()) }));
        }
        let text = without_comment(written).trim();
        if text.is_empty() {
            return Ok(if self.open.is_empty() { Fed::Nothing } else { Fed::Unfinished });
        }
        let alone = self.file.is_none() && self.open.is_empty();
        let line = PlacedLine { text: text.to_owned(), place: Some(self.place()) };
        match block_word(text) {
            Some(BlockWord::Opens(kind)) => self.open(kind, line),
            Some(BlockWord::Else) if !self.open.is_empty() => self.begin_else(line, text),
            Some(BlockWord::End) if !self.open.is_empty() => self.close(),
            _ if alone => self.add(Statement::typed(without_comment(written))),
            // Errors name places in the line as it is written.
            _ if self.open.is_empty() => {
                self.add(Statement::Line(PlacedLine { text: without_comment(written).to_owned(), ..line }))
            }
            _ => self.add(Statement::Line(line)),
        }
    }

    /// Returns the line that opened the innermost unfinished block.
    pub fn unfinished(&self) -> Option<&PlacedLine> {
        self.open.last().map(|open| &open.block.head)
    }

    /// Returns the number of unfinished blocks inside each other; those of one `end` are one.
    pub fn depth(&self) -> usize {
        self.open.iter().filter(|open| !open.chained).count()
    }

    /// True if the next line is text of a help page or of another language, not a command.
    pub fn is_in_text(&self) -> bool {
        self.open.last().is_some_and(|open| open.block.kind.has_text())
    }

    /// Ends the script; fails if a block is not complete.
    pub fn finish(&mut self) -> Result<(), BlockError> {
        let open = std::mem::take(&mut self.open);
        if !std::mem::take(&mut self.refused).is_empty()
            && let Some(line) = self.refused_for.take()
        {
            let message = format!("no \"end\" for {:?}: the lines after it did not run", line.text);
            return Err(BlockError { line, message });
        }
        match open.into_iter().next_back() {
            None => Ok(()),
            Some(Open { block, .. }) => {
                let message = format!("no \"end\" for {:?}: the script ends inside its block", block.head.text);
                Err(BlockError { line: block.head, message })
            }
        }
    }

    fn place(&self) -> ScriptPlace {
        ScriptPlace { file: self.file.clone(), line: self.line }
    }

    fn open(&mut self, kind: BlockKind, head: PlacedLine) -> Result<Fed, BlockError> {
        if self.open.is_empty() {
            self.began = self.line;
        }
        // As in gdb, the fault is that of this line, whatever follows.
        if let Some(lacking) = kind.needs().filter(|_| block_arguments(&head.text).is_empty()) {
            return self.fail_to_open(kind, head, format!("expected {lacking} after this word"));
        }
        if self.open.len() >= DEEPEST {
            return self.fail_to_open(kind, head, format!("more than {DEEPEST} blocks inside each other"));
        }
        self.open.push(Open { block: Block { kind, head, body: Vec::new(), otherwise: None }, chained: false });
        Ok(Fed::Unfinished)
    }

    /// Begins the second part of an `if`; after `else if`, that is another one, with the same end.
    fn begin_else(&mut self, line: PlacedLine, text: &str) -> Result<Fed, BlockError> {
        match self.open.last_mut().map(|open| &mut open.block) {
            Some(block) if block.kind == BlockKind::If && block.otherwise.is_none() => {
                block.otherwise = Some(Vec::new());
            }
            _ => return self.fail(line, "\"else\" belongs into an \"if\", once".to_owned()),
        }
        let after = text.split_once("else").map_or("", |(_, after)| after).trim();
        if after.is_empty() {
            return Ok(Fed::Unfinished);
        }
        if block_word(after) != Some(BlockWord::Opens(BlockKind::If)) {
            return self.fail(line, format!("unexpected {after:?} after \"else\": only \"if\" may follow"));
        }
        self.open(BlockKind::If, PlacedLine { text: after.to_owned(), ..line })?;
        if let Some(open) = self.open.last_mut() {
            open.chained = true;
        }
        Ok(Fed::Unfinished)
    }

    fn close(&mut self) -> Result<Fed, BlockError> {
        let Some(Open { block, mut chained }) = self.open.pop() else { return Ok(Fed::Nothing) };
        let mut fed = self.add(Statement::Block(Arc::new(block)))?;
        while chained && let Some(around) = self.open.pop() {
            chained = around.chained;
            fed = self.add(Statement::Block(Arc::new(around.block)))?;
        }
        Ok(fed)
    }

    fn add(&mut self, statement: Statement) -> Result<Fed, BlockError> {
        let Some(Open { block, .. }) = self.open.last_mut() else { return Ok(Fed::Whole(statement)) };
        block.otherwise.as_mut().unwrap_or(&mut block.body).push(statement);
        if self.line - self.began >= MOST_LINES {
            let head = block.head.clone();
            return self.fail(head, format!("the block has more than {MOST_LINES} lines"));
        }
        Ok(Fed::Unfinished)
    }

    /// As [`Self::fail`], for a line that opens a block.
    fn fail_to_open(&mut self, kind: BlockKind, line: PlacedLine, message: String) -> Result<Fed, BlockError> {
        let failed = self.fail(line, message);
        if self.drops_refused {
            self.refused.push(kind);
        }
        failed
    }

    /// Drops the open blocks: their lines must not run by themselves.
    fn fail(&mut self, line: PlacedLine, message: String) -> Result<Fed, BlockError> {
        let open = std::mem::take(&mut self.open);
        if self.drops_refused {
            self.refused_for = Some(open.first().map_or_else(|| line.clone(), |open| open.block.head.clone()));
            self.refused = open.into_iter().filter(|open| !open.chained).map(|open| open.block.kind).collect();
        }
        Err(BlockError { line, message })
    }
}

/// Parses a whole script.
pub fn parse_script(text: &str, file: Option<Arc<str>>) -> Result<Vec<Statement>, BlockError> {
    let mut parser = BlockParser::new(file);
    let mut statements = Vec::new();
    for line in text.lines() {
        if let Fed::Whole(statement) = parser.feed(line)? {
            statements.push(statement);
        }
    }
    parser.finish()?;
    Ok(statements)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(statements: &[Statement]) -> String {
        statements.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_block_is_whole_at_its_end() {
        let mut parser = BlockParser::new(None);
        assert_eq!(parser.feed("print 1"), Ok(Fed::Whole(Statement::typed("print 1"))));
        assert_eq!(parser.feed("[0-1] while x # as long as it is true"), Ok(Fed::Unfinished));
        assert_eq!(parser.feed("if(y)"), Ok(Fed::Unfinished));
        assert_eq!(parser.feed("  # nothing"), Ok(Fed::Unfinished));
        assert_eq!(parser.feed("else"), Ok(Fed::Unfinished));
        assert_eq!(parser.feed("  next"), Ok(Fed::Unfinished));
        assert_eq!(parser.feed("end"), Ok(Fed::Unfinished));
        assert_eq!(parser.unfinished().map(|line| line.text.as_str()), Some("[0-1] while x"));
        let Ok(Fed::Whole(whole)) = parser.feed("end") else { panic!("not whole") };
        assert_eq!(whole.to_string(), "[0-1] while x\n  if(y)\n  else\n    next\n  end\nend\n");
        let Statement::Block(block) = &whole else { panic!("no block") };
        assert_eq!(block.body[0].head().place.as_ref().unwrap().to_string(), "line 3");
    }

    #[test]
    fn an_if_may_follow_an_else() {
        let chain = "if x\n  print 1\nelse if y\n  print 2\nelse if(z)\n  print 3\nelse\n  print 4\nend\nprint 5\n";
        let nested = "if x\n  print 1\nelse\n  if y\n    print 2\n  else\n    if(z)\n      print 3\n    else\n      print 4\n    end\n  end\nend\nprint 5\n";
        assert_eq!(text(&parse_script(chain, None).unwrap()), nested);
        let fault = |script| parse_script(script, None).unwrap_err().message;
        assert_eq!(
            fault("if x\nelse while y\nend\nend\n"),
            "unexpected \"while y\" after \"else\": only \"if\" may follow"
        );
        assert_eq!(fault("if x\nelse if y\nelse\nelse\nend\n"), "\"else\" belongs into an \"if\", once");
    }

    #[test]
    fn no_line_of_a_refused_block_runs() {
        let mut parser = BlockParser::new(Some("a.gdb".into())).dropping_refused();
        let script = "if x\n  while y\n  else\n    print 1\n    document d\n      if x\n    end\n  end\n  define d\n  end\n  print 2\nelse\n  print 3\nend\nprint 4";
        let fed: Vec<_> = script.lines().map(|line| parser.feed(line)).collect();
        assert!(fed[2].is_err());
        let whole: Vec<_> = fed.iter().filter(|fed| matches!(fed, Ok(Fed::Whole(_)))).collect();
        assert_eq!(whole.len(), 1, "{whole:?}");
        assert!(matches!(fed.last(), Some(Ok(Fed::Whole(_)))));
        assert_eq!(parser.finish(), Ok(()));
    }

    #[test]
    fn lines_of_other_languages_are_no_commands() {
        let script = "if x\n  python\nimport gdb # it\nif True:\n    pass\n\nelse:\n  end\nend\npython print(1)\n";
        let statements = parse_script(script, None).unwrap();
        assert_eq!(statements.len(), 2);
        let Statement::Block(block) = &statements[0] else { panic!("no block") };
        assert_eq!(block.body.len(), 1);
        assert_eq!(block.body[0].block().unwrap().body.len(), 5);
    }

    #[test]
    fn commands_are_defined_inside_of_blocks() {
        let script = "if x\n  define f\n    define g\n      print $arg0\n    end\n  end\n  document f\nLists # it.\n  end\nend\n";
        assert_eq!(text(&parse_script(script, None).unwrap()), script);
    }

    #[test]
    fn the_lines_after_a_definition_without_a_name_are_not_lost_silently() {
        let mut parser = BlockParser::new(Some("a.gdb".into())).dropping_refused();
        assert!(parser.feed("define").is_err());
        assert_eq!(parser.feed("print 1"), Ok(Fed::Nothing));
        let fault = parser.finish().unwrap_err();
        assert_eq!(fault.message, "no \"end\" for \"define\": the lines after it did not run");
        assert_eq!(fault.line.place.unwrap().line, 1);
        // Whoever types goes on.
        let mut typed = BlockParser::new(None);
        assert!(typed.feed("define").is_err());
        assert!(matches!(typed.feed("print 1"), Ok(Fed::Whole(_))));
    }

    #[test]
    fn help_pages_are_kept_as_they_are() {
        let page = "document f\n  Shows # everything.\n\nif you like\nend\n";
        let statements = parse_script(page, None).unwrap();
        assert_eq!(text(&statements), page);
    }

    #[test]
    fn faults_name_the_line() {
        let fault = |script| {
            let error = parse_script(script, Some("a.gdb".into())).unwrap_err();
            format!("{}: {}", error.line.place.as_ref().unwrap(), error.message)
        };
        assert_eq!(
            fault("print 1\nif x\n  while y\n  end\n"),
            "a.gdb:2: no \"end\" for \"if x\": the script ends inside its block"
        );
        assert_eq!(fault("while 1\nelse\nend\n"), "a.gdb:2: \"else\" belongs into an \"if\", once");
        for head in ["define", "document", "if", "while", "[0-1] define", "if 1\ndefine"] {
            let line = head.lines().count();
            assert!(fault(head).starts_with(&format!("a.gdb:{line}: expected ")), "{head}: {}", fault(head));
        }
        assert!(fault(&"if 1\n".repeat(65)).starts_with("a.gdb:65: more than 64 blocks"));
    }

    fn statements() -> impl Strategy<Value = Vec<Statement>> {
        let line = "(print|next|go|echo|where) [a-z0-9 +]{0,8}[a-z]".prop_map(Statement::typed);
        let block = |inner: BoxedStrategy<Statement>| {
            let inner = prop::collection::vec(inner, 0..4);
            let kind = prop::sample::select(vec![
                (BlockKind::If, "if x"),
                (BlockKind::While, "[0] while y"),
                (BlockKind::Commands, "commands 3"),
            ]);
            (kind, inner.clone(), prop::option::of(inner)).prop_map(|((kind, head), body, otherwise)| {
                let otherwise = otherwise.filter(|_| kind == BlockKind::If);
                Statement::Block(Arc::new(Block { kind, head: PlacedLine::typed(head), body, otherwise }))
            })
        };
        let statement = line.boxed().prop_recursive(4, 40, 4, block);
        prop::collection::vec(statement, 0..6)
    }

    /// Removes the places.
    fn bare(statements: &[Statement]) -> Vec<Statement> {
        let one = |statement: &Statement| match statement {
            Statement::Line(line) => Statement::typed(line.text.clone()),
            Statement::Block(block) => Statement::Block(Arc::new(Block {
                kind: block.kind,
                head: PlacedLine::typed(block.head.text.clone()),
                body: bare(&block.body),
                otherwise: block.otherwise.as_deref().map(bare),
            })),
        };
        statements.iter().map(one).collect()
    }

    proptest! {
        #[test]
        fn scripts_survive_being_written_and_read(tree in statements()) {
            let read = parse_script(&text(&tree), None).unwrap();
            prop_assert_eq!(bare(&read), tree);
        }

        #[test]
        fn any_text_is_a_script_or_a_fault(lines in "((if|while|else|end|commands|document d|\\[0\\] if|x| )[ x(]{0,2}\n){0,20}") {
            if let Ok(read) = parse_script(&lines, None) {
                prop_assert_eq!(bare(&parse_script(&text(&read), None).unwrap()), bare(&read));
            }
        }
    }
}
