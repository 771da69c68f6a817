//! Configures a gdb that has just been started; rejects one that is too old.

use super::fault::GdbError;
use super::gdb::Gdb;
use super::script::SCRIPT;
use crate::gdb::mi::Command;

/// The oldest version that is known to work.
const OLDEST: u32 = 9;

impl Gdb {
    /// Checks the version and makes the settings that hold for all programs; returns a warning about missing features.
    pub(in crate::gdb) fn set_up(&mut self) -> Result<Option<String>, GdbError> {
        let path = self.options.path.display().to_string();
        let version = self.link.ask(&Command::new("gdb-version"))?.words;
        let first = version.lines().next().unwrap_or_default().to_owned();
        match major_version(&version) {
            Some(major) if major >= OLDEST => {}
            Some(_) => {
                return Err(GdbError::Gone(format!(
                    "{path} is too old: \"{first}\"; gdb {OLDEST} or later is required. Name another with --gdb PATH"
                )));
            }
            None => return Err(GdbError::Gone(format!("{path} does not report a gdb version: \"{first}\""))),
        }
        let set = |name: &str, value: &str| Command::new("gdb-set").word(name).word(value);
        self.link.ask(&set("mi-async", "on"))?;
        self.link.ask(&set("non-stop", "off"))?;
        for (name, value) in [("confirm", "off"), ("pagination", "off"), ("height", "0"), ("width", "0")] {
            self.link.ask(&set(name, value))?;
        }
        // Not every version has these settings.
        for line in [
            "set debuginfod enabled off",
            "set style enabled off",
            "set print thread-events off",
            "set print inferior-events off",
            "set unwindonsignal on",
            "set startup-with-shell on",
            // After an internal error only the command fails, not the rank, and no core is left in the working
            // directory.
            "maintenance set internal-error quit no",
            "maintenance set internal-error corefile no",
            // Reserved for interrupts, since no program can block it. It must never reach the program.
            "handle SIGSTOP stop print nopass",
        ] {
            self.ask_if_known(&Command::console(line))?;
        }
        let features = self.link.ask(&Command::new("list-features"))?.results;
        let python =
            features.inside("features").is_some_and(|all| all.0.iter().any(|(_, f)| f.as_text() == Some("python")));
        self.python = python && self.ask_if_known(&Command::console(&format!("python {SCRIPT}")))?;
        let without = || format!("{path} has no Python: values are shown as text, as gdb prints them");
        Ok((!self.python).then(without))
    }
}

/// Parses the major version at the end of the line `GNU gdb (Distribution 13.1-3) 13.1`, which derivatives print later.
fn major_version(words: &str) -> Option<u32> {
    let line = words.lines().find(|line| line.contains("GNU gdb"))?;
    let starts = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    line.split(' ').rfind(starts)?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        for (words, major) in [
            ("GNU gdb (Debian 13.1-3) 13.1\nCopyright 2023.1", Some(13)),
            ("GNU gdb (GDB) Red Hat Enterprise Linux 7.6.1-120.el7", Some(7)),
            ("GNU gdb (GDB) 9.2", Some(9)),
            ("GNU gdb (rocm-rel-6.0-91) 13.2", Some(13)),
            ("A vendor's debugger 2.5\nBased on GNU gdb (GDB) 12.1\n", Some(12)),
            ("GNU gdb (GDB) 16.0.50.20241010-git", Some(16)),
            ("hello 9.1", None),
            ("", None),
        ] {
            assert_eq!(major_version(words), major, "{words}");
        }
    }
}
