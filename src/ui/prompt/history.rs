//! The history of commands, kept from session to session.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::PathBuf,
};

const KEPT: usize = 1_000;

/// Commands typed before, oldest first.
#[derive(Clone, Debug, Default)]
pub struct History {
    lines: Vec<String>,
    file: Option<PathBuf>,
    unsaved: usize,
}

impl History {
    /// Reads a file; an unreadable one is an empty history.
    pub fn from_file(file: PathBuf) -> Self {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let mut lines: Vec<String> = text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
        lines.drain(..lines.len().saturating_sub(KEPT));
        Self { lines, file: Some(file), unsaved: 0 }
    }

    /// Adds a command; immediate repetitions are kept once.
    pub fn push(&mut self, line: &str) {
        let line = line.trim();
        if line.is_empty() || self.lines.last().is_some_and(|last| last == line) {
            return;
        }
        self.lines.push(line.to_owned());
        self.unsaved += 1;
        if self.lines.len() > KEPT {
            self.lines.remove(0);
        }
    }

    /// The commands, oldest first.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The next command older than index `from` that begins with the prefix.
    pub fn older(&self, from: usize, prefix: &str) -> Option<usize> {
        self.lines.iter().take(from).rposition(|line| line.starts_with(prefix))
    }

    /// The next command newer than index `from` that begins with the prefix.
    pub fn newer(&self, from: usize, prefix: &str) -> Option<usize> {
        let after = self.lines.iter().skip(from + 1).position(|line| line.starts_with(prefix))?;
        Some(from + 1 + after)
    }

    /// The next command older than index `from` that contains the text, and is another than the one there.
    pub fn older_with(&self, from: usize, text: &str) -> Option<usize> {
        let is_other = |line: &String| self.lines.get(from) != Some(line);
        self.lines.iter().take(from).rposition(|line| line.contains(text) && is_other(line))
    }

    /// The next command newer than index `from` that contains the text, and is another than the one there.
    pub fn newer_with(&self, from: usize, text: &str) -> Option<usize> {
        let is_other = |line: &String| self.lines.get(from) != Some(line);
        let after = self.lines.iter().skip(from + 1).position(|line| line.contains(text) && is_other(line))?;
        Some(from + 1 + after)
    }

    /// Appends the new commands to the file as it is now: other sessions write there too.
    pub fn save(&mut self) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        if self.unsaved == 0 {
            return Ok(());
        }
        if let Some(directory) = file.parent() {
            fs::create_dir_all(directory)?;
        }
        let text = fs::read_to_string(file).unwrap_or_default();
        let new = &self.lines[self.lines.len().saturating_sub(self.unsaved)..];
        let mut lines: Vec<&str> = text.lines().chain(new.iter().map(String::as_str)).collect();
        lines.drain(..lines.len().saturating_sub(KEPT));
        // Expressions may hold private data.
        let options = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(file);
        options?.write_all((lines.join("\n") + "\n").as_bytes())?;
        self.unsaved = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_sessions_keep_both_their_commands() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("deep/history");
        let (mut one, mut two) = (History::from_file(file.clone()), History::from_file(file.clone()));
        one.push("break kernel");
        one.push("break kernel");
        two.push("print n");
        one.save().unwrap();
        two.save().unwrap();
        one.save().unwrap();
        let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&file).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(History::from_file(file).lines(), ["break kernel", "print n"]);
    }

    #[test]
    fn commands_are_found_by_their_beginning() {
        let mut history = History::default();
        for line in ["print a", "go", "print b", "  "] {
            history.push(line);
        }
        assert_eq!(history.older(3, "print"), Some(2));
        assert_eq!(history.older(2, "print"), Some(0));
        assert_eq!(history.older(0, "print"), None);
        assert_eq!(history.newer(0, "print"), Some(2));
        assert_eq!(history.newer(2, ""), None);
    }
}
