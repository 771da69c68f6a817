//! The commands of a script, as its lines arrive.

use controller::command::{BlockError, BlockParser, Fed, Statement};
use std::io::{self, BufRead as _};
use tokio::sync::mpsc;

/// The lines of a script, as they arrive.
#[derive(Debug)]
pub struct Script {
    lines: mpsc::Receiver<String>,
    parser: BlockParser,
}

impl Script {
    /// Creates a script from the complete text of a file.
    pub fn of_text(text: &str, file: &str) -> Self {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let (sender, receiver) = mpsc::channel(lines.len().max(1));
        for line in lines {
            // The channel has room for all lines.
            let _ = sender.try_send(line);
        }
        Self { lines: receiver, parser: BlockParser::new(Some(file.into())).dropping_refused() }
    }

    /// Reads lines from standard input: each command runs as soon as its line has been read. Fails if there is no memory
    /// for the thread that reads.
    pub fn of_standard_input() -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel(16);
        // A separate thread: a blocking read of a terminal cannot be cancelled, and must not keep the process alive.
        std::thread::Builder::new().spawn(move || {
            for line in io::stdin().lock().lines() {
                let Ok(line) = line else { return };
                if sender.blocking_send(line).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { lines: receiver, parser: BlockParser::new(None).dropping_refused() })
    }

    /// Returns the next command or complete block, or why it cannot be read; `None` at the end.
    pub(super) async fn next(&mut self) -> Option<Result<Statement, BlockError>> {
        while let Some(line) = self.lines.recv().await {
            match self.parser.feed(&line) {
                Ok(Fed::Whole(statement)) => return Some(Ok(statement)),
                Ok(Fed::Nothing | Fed::Unfinished) => {}
                Err(error) => return Some(Err(error)),
            }
        }
        self.parser.finish().err().map(Err)
    }
}
