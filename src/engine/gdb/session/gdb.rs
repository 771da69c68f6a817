//! A gdb as its rank's thread uses it: its capabilities, settings and queries.

use super::fault::GdbError;
use super::link::{Answered, Link, News, Next};
use super::options::GdbOptions;
use crate::gdb::messages::Input;
use crate::gdb::mi::{Command, Kind, Results};
use model::{Follow, Locking, Skipped, SkippedFiles, Skips, ThreadId, VirtualAddress};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

/// One gdb, without the program that it debugs.
pub(in crate::gdb) struct Gdb {
    pub(super) link: Link,
    pub(super) options: GdbOptions,
    /// True if gdb has Python and our script is loaded.
    pub(super) python: bool,
    /// The current setting; `None` if unknown.
    locking: Option<Locking>,
    follow: Option<Follow>,
    /// Those that gdb knows.
    skips: Vec<Skipped>,
}

impl Gdb {
    pub(in crate::gdb) fn start(
        options: &GdbOptions,
        inputs: Receiver<Input>,
        tell: Sender<Input>,
    ) -> Result<Self, GdbError> {
        let link = Link::start(options, inputs, tell)?;
        Ok(Self { link, options: options.clone(), python: false, locking: None, follow: None, skips: Vec::new() })
    }

    pub(in crate::gdb) fn pid(&self) -> u32 {
        self.link.pid()
    }

    pub(in crate::gdb) fn has_python(&self) -> bool {
        self.python
    }

    pub(in crate::gdb) fn ask(&mut self, command: &Command) -> Result<Answered, GdbError> {
        self.link.ask(command)
    }

    /// Runs a command that may read the symbols of a whole program.
    pub(in crate::gdb) fn ask_to_load(&mut self, command: &Command) -> Result<Answered, GdbError> {
        self.link.ask_for(command, self.options.loading_patience)
    }

    /// Runs a command that not every gdb supports; false if this one rejects it.
    pub(in crate::gdb) fn ask_if_known(&mut self, command: &Command) -> Result<bool, GdbError> {
        match self.link.ask(command) {
            Ok(_) => Ok(true),
            Err(GdbError::Refused(why)) => {
                tracing::debug!("{command}: {why}");
                Ok(false)
            }
            Err(gone) => Err(gone),
        }
    }

    pub(in crate::gdb) fn next(&mut self, patience: Duration) -> Next {
        self.link.next(patience)
    }

    pub(in crate::gdb) fn next_stop(&mut self) -> Result<Results, GdbError> {
        self.next_stop_within(self.options.patience)
    }

    pub(in crate::gdb) fn next_stop_after_load(&mut self) -> Result<Results, GdbError> {
        self.next_stop_within(self.options.loading_patience)
    }

    /// Waits for the next stop; drops all other news.
    fn next_stop_within(&mut self, patience: Duration) -> Result<Results, GdbError> {
        loop {
            if let News::Async(Kind::Exec, class, results) = self.link.next_news_for(patience)?
                && class == "stopped"
            {
                return Ok(results);
            }
        }
    }

    /// Returns the number of the breakpoint that gdb has announced last, outside its answers.
    pub(in crate::gdb) fn created_breakpoint(&self) -> Option<u64> {
        self.link.news().rev().find_map(|news| match news {
            News::Async(_, class, results) if class == "breakpoint-created" => results.inside("bkpt")?.number("number"),
            _ => None,
        })
    }

    /// Takes the breakpoint changes out of the unread news.
    pub(in crate::gdb) fn take_modified_breakpoints(&mut self) -> Vec<Results> {
        let mut modified = Vec::new();
        self.link.keep_news(|news| match news {
            News::Async(Kind::Notify, class, results) if class == "breakpoint-modified" => {
                modified.push(std::mem::take(results));
                false
            }
            _ => true,
        });
        modified
    }

    /// Drops unread console output.
    pub(in crate::gdb) fn drop_words(&mut self) {
        self.link.keep_news(|news| !matches!(news, News::Words(..)));
    }

    pub(in crate::gdb) fn select_thread(&mut self, thread: ThreadId) -> Result<(), GdbError> {
        self.link.ask(&Command::new("thread-select").word(thread)).map(drop)
    }

    pub(in crate::gdb) fn select_frame(&mut self, thread: ThreadId, level: u32) -> Result<(), GdbError> {
        self.select_thread(thread)?;
        self.link.ask(&Command::new("stack-select-frame").word(level)).map(drop)
    }

    /// Checks that a thread exists, since gdb's own error would mention the options of the command.
    pub(in crate::gdb) fn check_thread(&mut self, thread: ThreadId) -> Result<(), GdbError> {
        let threads = self.link.ask(&Command::new("thread-info").word(thread))?.results;
        if threads.inside("threads").is_none_or(|threads| threads.0.is_empty()) {
            return Err(GdbError::Refused(format!("No thread {thread}.")));
        }
        Ok(())
    }

    /// Returns the threads: kernel id and gdb's number.
    pub(in crate::gdb) fn kernel_threads(&mut self) -> Result<Vec<(i32, ThreadId)>, GdbError> {
        let results = self.link.ask(&Command::new("thread-info"))?.results;
        let told = results.inside("threads").into_iter().flat_map(Results::parts);
        let known = told.filter_map(|thread| {
            let tid = kernel_number(thread.text("target-id")?)?;
            Some((tid, ThreadId(thread.number("id")? as u32)))
        });
        let mut threads: Vec<_> = known.collect();
        threads.sort_by_key(|(_, number)| *number);
        Ok(threads)
    }

    /// Returns the function around an address by the symbol table, which has no inlined functions.
    pub(in crate::gdb) fn function_around(&mut self, address: VirtualAddress) -> Result<Option<String>, GdbError> {
        // For example "first + 12 in section .text of /lib/x.so".
        let words = self.link.ask(&Command::console(&format!("info symbol {:#x}", address.0)))?.words;
        let symbol = words.split_once(" in section ").map(|(symbol, _)| symbol);
        Ok(symbol.map(|symbol| symbol.rsplit_once(" + ").map_or(symbol, |(name, _)| name).to_owned()))
    }

    /// Returns the `bkpt={…}` of one of gdb's breakpoints.
    pub(in crate::gdb) fn breakpoint(&mut self, number: u64) -> Result<Option<Results>, GdbError> {
        let told = self.link.ask(&Command::new("break-info").word(number))?.results;
        let body = told.inside("BreakpointTable").and_then(|table| table.inside("body"));
        Ok(body.and_then(|body| body.parts().next().cloned()))
    }

    /// Applies the settings for scheduler-locking and forks; returns a warning if gdb does not support them.
    pub(in crate::gdb) fn schedule(
        &mut self,
        locking: Locking,
        follow: Follow,
    ) -> Result<Option<&'static str>, GdbError> {
        let mut lacks = None;
        if self.locking != Some(locking) {
            match self.link.ask(&Command::console(&format!("set scheduler-locking {}", locking.word()))) {
                Ok(_) => {}
                // cuda-gdb cannot hold threads, and refuses even not to hold any.
                Err(GdbError::Refused(_)) if matches!(locking, Locking::Off | Locking::Replay) => {}
                Err(GdbError::Refused(_)) => lacks = Some("this gdb cannot hold threads: all of them run"),
                Err(gone) => return Err(gone),
            }
            self.locking = Some(locking);
        }
        if self.follow == Some(follow) {
            return Ok(lacks);
        }
        // gdb would kill a second process at its own end.
        let mode = if follow == Follow::Child { follow } else { Follow::Parent };
        self.link.ask(&Command::console(&format!("set follow-fork-mode {}", mode.word())))?;
        self.follow = Some(follow);
        let both = (follow == Follow::Both).then_some("gdb cannot keep forked children stopped: children run free");
        Ok(lacks.or(both))
    }

    /// Makes steps pass over these functions.
    pub(in crate::gdb) fn skip(&mut self, skips: &Skips) -> Result<(), GdbError> {
        if skips.enabled().eq(&self.skips) {
            return Ok(());
        }
        if !std::mem::take(&mut self.skips).is_empty() {
            self.link.ask(&Command::console("skip delete"))?;
        }
        for skipped in skips.enabled() {
            self.link.ask(&Command::console(&skip_command(skipped)))?;
            self.skips.push(skipped.clone());
        }
        Ok(())
    }

    /// Makes only the selected thread continue, until the settings are applied again.
    pub(in crate::gdb) fn lock_scheduler(&mut self) -> Result<(), GdbError> {
        self.link.ask(&Command::console("set scheduler-locking on"))?;
        self.locking = None;
        Ok(())
    }
}

/// Returns gdb's command that makes a skip.
fn skip_command(skipped: &Skipped) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
    let mut command = "skip".to_owned();
    match &skipped.file {
        Some(SkippedFiles::Named(name)) => command += &format!(" -file {}", quoted(name)),
        Some(SkippedFiles::Glob(pattern)) => command += &format!(" -gfile {}", quoted(pattern)),
        None => {}
    }
    if let Some(name) = &skipped.function {
        command += &format!(" -function {}", quoted(name));
    }
    if let Some(pattern) = &skipped.function_pattern {
        command += &format!(" -rfunction {}", quoted(pattern));
    }
    command
}

/// Parses the kernel id in `Thread 0x7ffff7d8a740 (LWP 1234)`, `LWP 1234` or `process 1234`.
fn kernel_number(words: &str) -> Option<i32> {
    let (_, rest) = words.split_once("LWP ").or_else(|| words.split_once("process "))?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skips_are_quoted_for_gdb() {
        let file = Some(SkippedFiles::Glob("a b/*.h".into()));
        let skipped = Skipped { file, function: Some("it's".into()), ..Skipped::default() };
        assert_eq!(skip_command(&skipped), "skip -gfile 'a b/*.h' -function 'it\\'s'");
    }

    #[test]
    fn kernel_numbers_are_read() {
        for (words, number) in [
            ("Thread 0x7ffff7d8a740 (LWP 1234)", Some(1234)),
            ("LWP 77", Some(77)),
            ("process 5", Some(5)),
            ("Thread 3 (cuda)", None),
            ("", None),
        ] {
            assert_eq!(kernel_number(words), number, "{words}");
        }
    }
}
