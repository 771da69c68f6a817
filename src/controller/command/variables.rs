//! The settings that `set` changes and `show` shows.

use model::did_you_mean;
use model::{Follow, LibraryGlobs, LibraryPolicy, Locking, MyCode, PrintLimits, RunSettings, SourceRules};
use std::{collections::BTreeMap, time::Duration};

/// The type of a setting's values.
#[derive(Clone, Copy, Debug)]
pub enum Sort {
    /// A number.
    Number {
        /// The initial value.
        default: f64,
        /// The smallest value.
        least: f64,
        /// The largest value.
        greatest: f64,
        /// The unit, or nothing.
        unit: &'static str,
    },
    /// A number, or `unlimited`, which 0 also means.
    Limit {
        /// The initial value.
        default: u32,
    },
    /// `true`, `false`, or the word of the default.
    Switch {
        /// The initial value.
        default: &'static str,
    },
    /// Patterns for names of libraries; initially none.
    Globs,
    /// Patterns for code, see [`MyCode`]; initially none.
    CodeGlobs,
    /// An absolute path; initially none.
    Path,
    /// Directories to search for sources, see [`SourceRules`].
    Directories,
    /// Directories to replace in the paths of sources, see [`SourceRules`]; initially none.
    Substitutions,
    /// One word of a list.
    Word {
        /// The initial word.
        default: &'static str,
        /// The allowed words.
        words: &'static [&'static str],
    },
}

/// A setting.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// The name for `set` and `show`.
    pub name: &'static str,
    /// The type of its values.
    pub sort: Sort,
    /// The description, with the unit.
    pub meaning: &'static str,
}

impl Variable {
    /// Returns the initial value, as `show` formats it.
    pub fn default_text(&self) -> String {
        match self.sort {
            Sort::Number { default, .. } => default.to_string(),
            Sort::Limit { default } => default.to_string(),
            Sort::Switch { default } | Sort::Word { default, .. } => default.to_owned(),
            Sort::Directories => SourceRules::default().directories_text(),
            Sort::Globs | Sort::CodeGlobs | Sort::Path | Sort::Substitutions => "\"\"".to_owned(),
        }
    }

    /// Returns a value as `set` takes it.
    pub fn written(&self, value: &str) -> String {
        let plain = !value.is_empty() && !value.contains([' ', '#']);
        let is_quoted = plain || value.starts_with('"') || matches!(self.sort, Sort::Substitutions);
        if is_quoted { value.to_owned() } else { format!("\"{value}\"") }
    }

    /// True if the engines act on it.
    pub fn is_for_engines(&self) -> bool {
        !matches!(self.sort, Sort::Number { .. }) || self.name == CALL_LIMIT
    }
}

/// The seconds for which a function called by an expression may run.
const CALL_LIMIT: &str = "call-limit";

/// The most elements of a value that are shown.
const PRINT_ELEMENTS: &str = "print-elements";
const PRINT_REPEATS: &str = "print-repeats";

/// The patterns of the user's code.
const MY_CODE: &str = "my-code";

/// The number of output lines that are kept.
pub const OUTPUT_LINES: &str = "output-lines";

/// gdb's name of the setting.
const FOLLOW: &str = "follow-fork-mode";
const LOCKING: &str = "scheduler-locking";

/// Whether ranks stop for errors that run-time libraries report.
const STOP_ON_ERROR: &str = "stop-on-error";

/// The queue library that `queues` loads.
const QUEUE_LIBRARY: &str = "queue-library";

/// gdb's names of the settings for source files.
pub(super) const DIRECTORIES: &str = "directories";
pub(super) const SUBSTITUTE_PATH: &str = "substitute-path";

/// All settings, with their defaults and limits.
pub const VARIABLES: &[Variable] = &[
    Variable {
        name: CALL_LIMIT,
        sort: Sort::Number { default: 4.0, least: 0.0, greatest: 1e6, unit: "s" },
        meaning: "timeout in seconds for functions that an expression calls, after which the call is undone; 0: none",
    },
    Variable {
        name: DIRECTORIES,
        sort: Sort::Directories,
        meaning: "directories on the ranks' hosts, separated by colons, to search for sources; `$cdir`: the one of the \
            compilation; `$cwd`: the one in which the job was started; `directory DIR` adds one in front",
    },
    Variable {
        name: "dlopen_always_recalculate",
        sort: Sort::Switch { default: "auto" },
        meaning: "when to re-evaluate breakpoints for loaded libraries: true: on every load; false: only for those \
            that match `dlopen_recalculate_on_match`; auto: only while a breakpoint is pending",
    },
    Variable {
        name: "dlopen_recalculate_on_match",
        sort: Sort::Globs,
        meaning: "names of libraries, separated by colons, each with an optional `*` at its end: breakpoints are \
            re-evaluated when one is loaded, for other libraries when the rank stops; `\"\"`: none",
    },
    Variable {
        name: FOLLOW,
        sort: Sort::Word { default: "parent", words: Follow::WORDS },
        meaning: "which process to debug after a fork: parent: the child runs free; child: the parent runs free; \
            both: the parent, and the child stays stopped for `rankscope attach PID`",
    },
    Variable {
        name: "linger",
        sort: Sort::Number { default: 600.0, least: 0.0, greatest: 1e9, unit: "s" },
        meaning: "seconds to keep a session without a front end after all its ranks have ended",
    },
    Variable {
        name: "list-size",
        sort: Sort::Number { default: 10.0, least: 1.0, greatest: 10_000.0, unit: "" },
        meaning: "lines that `list` shows at a time",
    },
    Variable {
        name: "loop-limit",
        sort: Sort::Number { default: 100_000.0, least: 1.0, greatest: 1e12, unit: "" },
        meaning: "most rounds of a `while`; then the command fails",
    },
    Variable {
        name: MY_CODE,
        sort: Sort::CodeGlobs,
        meaning: "patterns with `*` and `?`, separated by blanks or commas, of libraries, source files (with a `/`: \
            whole paths) and functions that are your own code; with a `-` before one: that are not; the last that \
            fits counts, before the usual libraries of the system, MPI and compilers; `\"\"`: none",
    },
    Variable {
        name: OUTPUT_LINES,
        sort: Sort::Number { default: 20_000.0, least: 1.0, greatest: 1e7, unit: "" },
        meaning: "lines of program output that the screen keeps, at most 64 MiB; its first row counts the dropped \
            ones",
    },
    Variable {
        name: "patience",
        sort: Sort::Number { default: 5.0, least: 0.01, greatest: 3600.0, unit: "s" },
        meaning: "seconds to wait for replies before silent ranks are reported as missing",
    },
    Variable {
        name: PRINT_ELEMENTS,
        sort: Sort::Limit { default: 200 },
        meaning: "most elements of an array or container, or characters of a string, to print; 0 or unlimited: all, \
            up to 65,536 elements and 64 KiB of an array",
    },
    Variable {
        name: PRINT_REPEATS,
        sort: Sort::Limit { default: 10 },
        meaning: "print runs of at least this many equal elements once, with their number; 0 or unlimited: never",
    },
    Variable {
        name: "reverse-listen",
        sort: Sort::Number { default: 1.0, least: 0.0, greatest: 2.0, unit: "" },
        meaning: "when to look for reverse-connect requests: 0: never; 1: while no program is debugged; 2: always",
    },
    Variable {
        name: QUEUE_LIBRARY,
        sort: Sort::Path,
        meaning: "path, on the ranks' hosts, of the MPI's message-queue library for `queues` and `why`; `\"\"`: the one \
            that the program names, if it is in the directory of the MPI",
    },
    Variable {
        name: LOCKING,
        sort: Sort::Word { default: "replay", words: Locking::WORDS },
        meaning: "whether other threads stay stopped while one runs: on: always; step: while it steps; off, replay: \
            never",
    },
    Variable {
        name: "stack-limit",
        sort: Sort::Number { default: 1000.0, least: 1.0, greatest: 1e6, unit: "" },
        meaning: "most frames to read of a stack",
    },
    Variable {
        name: "step-patience",
        sort: Sort::Number { default: 5.0, least: 0.0, greatest: 3600.0, unit: "s" },
        meaning: "seconds that a step in a script waits for its ranks to stop before the script continues",
    },
    Variable {
        name: STOP_ON_ERROR,
        sort: Sort::Word { default: "on", words: &["on", "off"] },
        meaning: "whether a rank stops where a library reports an error: `MPI_Abort`, errors of Fortran's run-time \
            library, reports of sanitizers",
    },
    Variable {
        name: SUBSTITUTE_PATH,
        sort: Sort::Substitutions,
        meaning: "FROM TO: sources compiled in directory FROM are now in TO, on the ranks' hosts; each `set` adds a \
            rule, the first that fits a path counts; `unset substitute-path FROM` removes one",
    },
];

/// The present values of the settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variables {
    numbers: BTreeMap<&'static str, f64>,
    words: BTreeMap<&'static str, String>,
    sources: SourceRules,
}

/// The reasons why a setting was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariableError {
    /// There is no such setting.
    #[error("unknown setting {name:?}; {}", did_you_mean(name, VARIABLES.iter().map(|known| known.name), "\"show\" lists them"))]
    Unknown {
        /// The name given.
        name: String,
    },
    /// The value is no number, or out of range.
    #[error("{name} must be a number from {least} to {greatest}, not {text:?}")]
    Value {
        /// The setting's name.
        name: &'static str,
        /// The smallest value.
        least: String,
        /// The largest value.
        greatest: String,
        /// The value given.
        text: String,
    },
    /// The value is neither a number nor `unlimited`.
    #[error("{name} must be a number from 1, or \"unlimited\", not {text:?}")]
    Limit {
        /// The setting's name.
        name: &'static str,
        /// The value given.
        text: String,
    },
    /// The value is none of the setting's words.
    #[error("{name} must be one of {words}, not {text:?}")]
    Word {
        /// The setting's name.
        name: &'static str,
        /// The allowed words.
        words: String,
        /// The value given.
        text: String,
    },
    /// The patterns cannot be parsed.
    #[error("{name}: {why}")]
    Globs {
        /// The setting's name.
        name: &'static str,
        /// The fault in the patterns.
        why: String,
    },
}

pub(super) fn find(name: &str) -> Option<&'static Variable> {
    let name = if name == "follow-fork" { FOLLOW } else { name };
    VARIABLES.iter().find(|variable| variable.name == name)
}

impl Variables {
    /// Returns the value of a numeric setting; 0 for any other name.
    pub fn get(&self, name: &str) -> f64 {
        let default = || match find(name)?.sort {
            Sort::Number { default, .. } => Some(default),
            Sort::Limit { default } => Some(default.into()),
            Sort::Switch { .. } | Sort::Globs | Sort::CodeGlobs | Sort::Path | Sort::Word { .. } => None,
            Sort::Directories | Sort::Substitutions => None,
        };
        self.numbers.get(name).copied().or_else(default).unwrap_or(0.0)
    }

    /// Returns the value of a setting in seconds.
    pub fn seconds(&self, name: &str) -> Duration {
        Duration::from_secs_f64(self.get(name).max(0.0))
    }

    fn word(&self, name: &str) -> Option<&str> {
        self.words.get(name).map(String::as_str)
    }

    /// Returns how much of a value is shown.
    pub fn print_limits(&self) -> PrintLimits {
        let limit = |name| if self.get(name) < u32::MAX.into() { self.get(name) as u32 } else { u32::MAX };
        PrintLimits { elements: limit(PRINT_ELEMENTS), repeats: limit(PRINT_REPEATS) }
    }

    /// Returns the settings for the engines.
    pub fn run_settings(&self) -> RunSettings {
        // Patterns were checked when they were set.
        let on_match = self.word("dlopen_recalculate_on_match").and_then(|text| LibraryGlobs::parse(text).ok());
        let always = self.word("dlopen_always_recalculate").and_then(switch);
        let libraries = LibraryPolicy { always, on_match: on_match.unwrap_or_default() };
        let call_limit_ms = self.numbers.get(CALL_LIMIT).map(|seconds| (seconds * 1000.0).round() as u32);
        let locking = self.word(LOCKING).and_then(Locking::parse).unwrap_or_default();
        let follow = self.word(FOLLOW).and_then(Follow::parse).unwrap_or_default();
        let (print, my_code) = (self.print_limits(), self.my_code());
        let passes_errors = self.word(STOP_ON_ERROR) == Some("off");
        let queue_library = self.word(QUEUE_LIBRARY).unwrap_or_default().to_owned();
        let sources = self.sources.clone();
        RunSettings { libraries, call_limit_ms, locking, follow, print, my_code, passes_errors, queue_library, sources }
    }

    /// The rules for finding sources.
    pub fn sources(&self) -> &SourceRules {
        &self.sources
    }

    /// Gives the rules for finding sources to be changed.
    pub(crate) fn sources_mut(&mut self) -> &mut SourceRules {
        &mut self.sources
    }

    /// Returns what the user's code is.
    pub fn my_code(&self) -> MyCode {
        // Patterns were checked when they were set.
        self.word(MY_CODE).and_then(|text| MyCode::parse(text).ok()).unwrap_or_default()
    }

    /// Changes a setting; returns true if the engines need the new value.
    pub fn set(&mut self, name: &str, text: &str) -> Result<bool, VariableError> {
        let variable = find(name).ok_or_else(|| VariableError::Unknown { name: name.to_owned() })?;
        let whole = text.trim();
        let text = whole.trim_matches('"');
        match variable.sort {
            Sort::Directories | Sort::Substitutions => {
                let changed = match variable.sort {
                    Sort::Directories => self.sources.search_only(whole),
                    _ => self.sources.substitute(whole),
                };
                changed.map_err(|why| VariableError::Globs { name: variable.name, why })?;
            }
            Sort::Number { least, greatest, .. } => match text.parse::<f64>() {
                Ok(value) if (least..=greatest).contains(&value) => {
                    self.numbers.insert(variable.name, value);
                }
                _ => {
                    let (least, greatest) = (least.to_string(), greatest.to_string());
                    return Err(VariableError::Value { name: variable.name, least, greatest, text: text.to_owned() });
                }
            },
            Sort::Limit { .. } => {
                let value = match text {
                    "0" | "unlimited" => f64::INFINITY,
                    digits => match digits.parse::<u32>() {
                        Ok(limit) => limit.into(),
                        Err(_) => return Err(VariableError::Limit { name: variable.name, text: text.to_owned() }),
                    },
                };
                self.numbers.insert(variable.name, value);
            }
            Sort::Switch { default } => {
                let word = match switch(text) {
                    Some(value) => value.to_string(),
                    None if text == default => text.to_owned(),
                    None => {
                        let words = format!("true, false or {default}");
                        return Err(VariableError::Word { name: variable.name, words, text: text.to_owned() });
                    }
                };
                self.words.insert(variable.name, word);
            }
            Sort::Word { words, .. } => {
                let Some(word) = words.iter().find(|word| **word == text) else {
                    let words = words.join(", ");
                    return Err(VariableError::Word { name: variable.name, words, text: text.to_owned() });
                };
                self.words.insert(variable.name, (*word).to_owned());
            }
            Sort::Globs => {
                let globs =
                    LibraryGlobs::parse(text).map_err(|why| VariableError::Globs { name: variable.name, why })?;
                self.words.insert(variable.name, globs.to_string());
            }
            Sort::CodeGlobs => {
                let globs = MyCode::parse(text).map_err(|why| VariableError::Globs { name: variable.name, why })?;
                self.words.insert(variable.name, globs.to_string());
            }
            Sort::Path => {
                if !text.is_empty() && !text.starts_with('/') {
                    let why = format!("{text:?} is not an absolute path");
                    return Err(VariableError::Globs { name: variable.name, why });
                }
                self.words.insert(variable.name, text.to_owned());
            }
        }
        Ok(variable.is_for_engines())
    }

    /// Returns a sentence about the value of a setting; an empty one if there is none of this name.
    pub fn sentence(&self, name: &str) -> String {
        let unit = match find(name).map(|variable| variable.sort) {
            Some(Sort::Number { unit, .. }) => unit,
            _ => "",
        };
        let rows = self.rows(Some(name));
        rows.first().map_or_else(String::new, |(name, value)| format!("{name} is {value} {unit}").trim_end().to_owned())
    }

    /// Returns name and value of one setting, or of all.
    pub fn rows(&self, name: Option<&str>) -> Vec<(String, String)> {
        VARIABLES
            .iter()
            .filter(|variable| name.is_none_or(|name| find(name).is_some_and(|one| one.name == variable.name)))
            .flat_map(|variable| {
                let rules = self.sources.substitutions();
                if matches!(variable.sort, Sort::Substitutions) && !rules.is_empty() {
                    return rules.iter().map(|rule| (variable.name.to_owned(), rule.text())).collect();
                }
                let value = match variable.sort {
                    Sort::Number { .. } => self.get(variable.name).to_string(),
                    Sort::Limit { .. } if self.get(variable.name).is_infinite() => "unlimited".to_owned(),
                    Sort::Limit { .. } => self.get(variable.name).to_string(),
                    Sort::Directories => self.sources.directories_text(),
                    Sort::Substitutions => variable.default_text(),
                    Sort::Switch { .. } | Sort::Globs | Sort::CodeGlobs | Sort::Path | Sort::Word { .. } => {
                        match self.word(variable.name) {
                            Some("") | None => variable.default_text(),
                            Some(word) => word.to_owned(),
                        }
                    }
                };
                vec![(variable.name.to_owned(), value)]
            })
            .collect()
    }
}

/// Parses a switch; `None` for its default word.
fn switch(text: &str) -> Option<bool> {
    match text {
        "true" | "on" | "yes" | "1" => Some(true),
        "false" | "off" | "no" | "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked() {
        let mut variables = Variables::default();
        assert_eq!(variables.get("patience"), 5.0);
        variables.set("patience", "0.5").unwrap();
        assert_eq!(variables.rows(Some("patience")), [("patience".to_owned(), "0.5".to_owned())]);
        assert_eq!(variables.sentence("patience"), "patience is 0.5 s");
        assert_eq!(variables.sentence("follow-fork"), "follow-fork-mode is parent");
        assert_eq!(variables.sentence("list-size"), "list-size is 10");
        assert!(variables.set("patience", "-1").unwrap_err().to_string().contains("from 0.01 to 3600"));
        assert!(variables.set("patience", "NaN").is_err());
        assert_eq!(variables.set("dlopen_always_recalculate", "on"), Ok(true));
        assert_eq!(variables.set("dlopen_recalculate_on_match", "libm*:libfoo.so"), Ok(true));
        assert_eq!(variables.run_settings().libraries.always, Some(true));
        assert_eq!(variables.rows(Some("dlopen_recalculate_on_match"))[0].1, "libm*:libfoo.so");
        assert_eq!(variables.set("dlopen_recalculate_on_match", "\"\""), Ok(true));
        assert!(variables.run_settings().libraries.on_match.is_empty());
        assert!(variables.set("dlopen_always_recalculate", "maybe").unwrap_err().to_string().contains("auto"));
        assert!(variables.set("dlopen_recalculate_on_match", "a*b").unwrap_err().to_string().contains("at the end"));
        assert_eq!(variables.set("my-code", "\"-/opt/lib*, +libmine*\""), Ok(true));
        assert_eq!(variables.rows(Some("my-code"))[0].1, "-/opt/lib* libmine*");
        assert_eq!(variables.run_settings().my_code.to_string(), "-/opt/lib* libmine*");
        assert!(variables.set("my-code", "-").unwrap_err().to_string().contains("expected a pattern"));
        assert_eq!(variables.set("scheduler-locking", "step"), Ok(true));
        assert_eq!(variables.set("follow-fork", "child"), Ok(true));
        let RunSettings { locking, follow, .. } = variables.run_settings();
        assert_eq!((locking, follow), (Locking::Step, Follow::Child));
        assert_eq!(variables.rows(Some("follow-fork"))[0], ("follow-fork-mode".to_owned(), "child".to_owned()));
        assert!(variables.set("scheduler-locking", "true").unwrap_err().to_string().contains("off, on, step, replay"));
        let refused = |name| Variables::default().set(name, "1").unwrap_err().to_string();
        assert_eq!(refused("nothing"), "unknown setting \"nothing\"; \"show\" lists them");
        assert_eq!(refused("patiance"), "unknown setting \"patiance\"; did you mean \"patience\"?");
    }
}
