//! Options of the plain mode, and when it is used.

use crate::config::Config;
use crate::screen::{LastWords, history_file};
use std::env;
use std::path::PathBuf;

/// Options of the plain mode.
#[derive(Debug)]
pub struct Options {
    /// Errors in the configuration, to tell the user.
    pub warnings: Vec<String>,
    /// The file of the command history; `None` if it is not kept.
    pub history: Option<PathBuf>,
    /// True if it is for one job: if that cannot be started, it is left.
    pub one_job: bool,
    /// The function that restores the terminal when a signal ends the process.
    pub last_words: LastWords,
}

impl Options {
    /// Returns the configured options.
    pub fn new(config: &Config) -> Self {
        Self { warnings: config.warnings.clone(), history: history_file(), one_job: false, last_words: |_| () }
    }

    /// True if the plain mode is wanted: by the command line, the configuration, or a terminal that cannot show a screen.
    pub fn are_wanted(option: bool, config: &Config) -> bool {
        wanted(option, config.plain, env::var("TERM").ok().as_deref())
    }
}

fn wanted(option: bool, configured: Option<bool>, terminal: Option<&str>) -> bool {
    option || configured.unwrap_or(terminal == Some("dumb"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_without_a_screen_gets_lines_unless_the_configuration_says_no() {
        assert!(!wanted(false, None, Some("xterm-256color")) && !wanted(false, None, None));
        assert!(wanted(true, Some(false), None) && wanted(false, Some(true), Some("xterm")));
        assert!(wanted(false, None, Some("dumb")) && !wanted(false, Some(false), Some("dumb")));
    }
}
