//! How `set logging` logs.

/// The file of gdb's log, unless another is named.
const LOG_FILE: &str = "gdb.txt";

/// The settings of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogSettings {
    /// The file that was named.
    pub file: Option<String>,
    /// True if the next log replaces its file.
    pub overwrite: bool,
    /// True if a script writes to the log only.
    pub redirect: bool,
    /// True while there is a log.
    pub enabled: bool,
}

impl LogSettings {
    /// Returns the file of the next log.
    pub fn file(&self) -> String {
        self.file.clone().unwrap_or_else(|| LOG_FILE.to_owned())
    }

    /// Returns the rows that `show logging` shows.
    pub fn rows(&self) -> Vec<(String, String)> {
        let switch = |on: bool| if on { "on" } else { "off" }.to_owned();
        vec![
            ("logging enabled".to_owned(), switch(self.enabled)),
            ("logging file".to_owned(), self.file()),
            ("logging overwrite".to_owned(), switch(self.overwrite)),
            ("logging redirect".to_owned(), switch(self.redirect)),
        ]
    }
}
