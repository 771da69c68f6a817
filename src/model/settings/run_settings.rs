//! Settings for engines, apart from the process.

use super::print_options::PrintOptions;
use super::scheduling::{Follow, Locking};
use super::skips::Skips;
use super::source_rules::SourceRules;
use crate::{MyCode, Printers};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The settings that engines act on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct RunSettings {
    /// The reaction to libraries being loaded and unloaded.
    pub libraries: LibraryPolicy,
    /// Timeout in milliseconds for function calls in expressions; 0: none; `None`: the engine's default.
    pub call_limit_ms: Option<u32>,
    /// When the other threads of a rank stay stopped while one runs.
    pub locking: Locking,
    /// The process that is the rank after a fork.
    pub follow: Follow,
    /// Limits on the output of values.
    pub print: PrintOptions,
    /// The code of the user.
    pub my_code: MyCode,
    /// True if a rank does not stop for errors that run-time libraries report.
    pub passes_errors: bool,
    /// The queue library of the MPI; empty: the one that the program names.
    pub queue_library: String,
    /// Where to look for source files.
    pub sources: Arc<SourceRules>,
    /// The functions that steps pass over.
    pub skips: Arc<Skips>,
    /// The user's printers.
    pub printers: Arc<Printers>,
}

/// Patterns for the base names of libraries, as `libcuda.so*:libm*`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LibraryGlobs(Vec<String>);

impl LibraryGlobs {
    /// Parses patterns separated by colons. A pattern is a name, or a prefix followed by `*`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut globs = Vec::new();
        for glob in text.split(':').map(str::trim).filter(|glob| !glob.is_empty()) {
            if glob.strip_suffix('*').unwrap_or(glob).contains('*') {
                return Err(format!("{glob:?}: \"*\" is only allowed at the end of a pattern"));
            }
            if glob.contains('/') {
                return Err(format!("{glob:?}: give a library's file name, without directories"));
            }
            globs.push(glob.to_owned());
        }
        Ok(Self(globs))
    }

    /// True if the base name of the path matches one of the patterns.
    pub fn matches(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.0.iter().any(|glob| match glob.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == glob,
        })
    }

    /// True if there are no patterns.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for LibraryGlobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(":"))
    }
}

/// The user's settings for libraries being loaded and unloaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LibraryPolicy {
    /// `dlopen_always_recalculate`; `None`: auto.
    pub always: Option<bool>,
    /// `dlopen_recalculate_on_match`.
    pub on_match: LibraryGlobs,
}

/// The mode that a [`LibraryPolicy`] selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LibraryMode<'a> {
    /// Every change of the list of libraries stops the process and is reported; the front end then re-evaluates
    /// breakpoints.
    Slow,
    /// Every change stops the process; those that load a matching library are reported as in `Slow`, the others wait
    /// until the process stops for another reason.
    Medium(&'a LibraryGlobs),
    /// No change stops the process: new libraries are found when it stops for another reason.
    Fast,
    /// As `Fast` while no breakpoint is pending; otherwise the server examines every change and reports only the
    /// breakpoints it resolved.
    Auto,
}

impl LibraryPolicy {
    /// The mode that the two settings select.
    pub fn mode(&self) -> LibraryMode<'_> {
        match self.always {
            Some(true) => LibraryMode::Slow,
            _ if !self.on_match.is_empty() => LibraryMode::Medium(&self.on_match),
            Some(false) => LibraryMode::Fast,
            None => LibraryMode::Auto,
        }
    }
}

impl LibraryMode<'_> {
    /// Its name in commands and reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Slow => "slow",
            Self::Medium(_) => "medium",
            Self::Fast => "fast",
            Self::Auto => "auto",
        }
    }
}

/// Counts of the changes to the list of libraries that stopped a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LibraryEvents {
    /// Events that changed the list.
    pub seen: u64,
    /// Events that were not reported.
    pub filtered: u64,
    /// Events that were reported, or that resolved a breakpoint.
    pub reported: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_names_or_beginnings() {
        let globs = LibraryGlobs::parse("libcuda.so*: libm.so.6 :").unwrap();
        assert_eq!(globs.to_string(), "libcuda.so*:libm.so.6");
        assert!(globs.matches("/usr/lib/libcuda.so.1") && globs.matches("libm.so.6"));
        assert!(!globs.matches("/usr/lib/libm.so.60") && !globs.matches("/libcuda.so/other"));
        assert!(LibraryGlobs::parse("lib*cuda").is_err() && LibraryGlobs::parse("/lib/libm*").is_err());
        assert!(LibraryGlobs::parse("").unwrap().is_empty());
    }

    #[test]
    fn the_two_settings_make_four_modes() {
        let mode = |always, on_match: &str| {
            let policy = LibraryPolicy { always, on_match: LibraryGlobs::parse(on_match).unwrap() };
            policy.mode().word()
        };
        assert_eq!(mode(Some(true), "a"), "slow");
        assert_eq!(mode(Some(false), "a"), "medium");
        assert_eq!(mode(None, "a"), "medium");
        assert_eq!(mode(Some(false), ""), "fast");
        assert_eq!(mode(None, ""), "auto");
    }
}
