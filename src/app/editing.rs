//! `edit`: the user's editor at a line of a source file, in place of the screen.

use controller::{CommandId, Controller};
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

/// A file to be edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) command: CommandId,
    pub(crate) file: String,
    pub(crate) line: u32,
}

impl Edit {
    /// Says why it cannot be done without a screen.
    pub(crate) fn refuse(self, controller: &mut Controller) {
        let why = format!("edit needs the full screen; the place is {}:{}", self.file, self.line);
        controller.answer(self.command, "", Some(why));
    }

    /// Runs the editor, which gets the terminal from `lend`, and says whether the file has changed.
    pub(crate) fn run(
        self,
        controller: &mut Controller,
        lend: impl FnOnce(&mut dyn FnMut(OwnedFd)) -> io::Result<()>,
    ) -> io::Result<()> {
        let before = stamp(&self.file);
        if before.is_none() {
            let why = format!(
                "no file {} on this host; \"directory\" and \"set substitute-path\" are for the ranks' hosts",
                self.file
            );
            controller.answer(self.command, "", Some(why));
            return Ok(());
        }
        let mut outcome = Ok(());
        lend(&mut |keyboard| outcome = edit(&self.file, self.line, keyboard))?;
        let (text, failure) = match outcome {
            Err(why) => (String::new(), Some(why)),
            Ok(()) if stamp(&self.file) == before => (format!("{} has not changed", self.file), None),
            Ok(()) => {
                let words = "has changed: build the program again, then restart the job";
                (format!("{} {words}", self.file), None)
            }
        };
        controller.answer(self.command, &text, failure);
        Ok(())
    }
}

/// What changes when a file is written.
fn stamp(file: &str) -> Option<(SystemTime, u64)> {
    let found = Path::new(file).metadata().ok().filter(std::fs::Metadata::is_file)?;
    Some((found.modified().ok()?, found.len()))
}

/// The user's editor, which may have arguments, as Git takes it.
fn editor() -> String {
    let named = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| std::env::var(name).ok());
    named.map(|text| text.trim().to_owned()).find(|text| !text.is_empty()).unwrap_or_else(|| "vi".to_owned())
}

fn edit(file: &str, line: u32, keyboard: OwnedFd) -> Result<(), String> {
    let editor = editor();
    // A shell splits the words of the variable; those of the file are passed as they are.
    let words = [&format!("{editor} \"$@\""), &editor, &format!("+{line}"), file];
    let status = Command::new("/bin/sh").arg("-c").args(words).stdin(keyboard).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{editor}: {status}")),
        Err(error) => Err(format!("cannot run {editor}: {error}")),
    }
}
