//! Settings that engines act on, beside the process.

use super::print_limits::PrintLimits;
use super::scheduling::{Follow, Locking};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Settings that engines act on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct RunSettings {
    /// What happens when libraries come and go.
    pub libraries: LibraryPolicy,
    /// Milliseconds for which a function may run that an expression calls; 0: any time; `None`: as engines think fit.
    pub call_limit_ms: Option<u32>,
    /// Whether other threads stay where they are.
    pub locking: Locking,
    /// What a rank is after a fork.
    pub follow: Follow,
    /// How much of a value is shown.
    pub print: PrintLimits,
}

/// Patterns for the base names of libraries, as `libcuda.so*:libm*`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LibraryGlobs(Vec<String>);

impl LibraryGlobs {
    /// Reads patterns separated by colons. A pattern is a name, or its beginning with `*` behind.
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

    /// Whether the last part of the path fits one of them.
    pub fn matches(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.0.iter().any(|glob| match glob.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == glob,
        })
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for LibraryGlobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(":"))
    }
}

/// What happens when libraries come and go, as it is set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LibraryPolicy {
    /// `dlopen_always_recalculate`; `None`: auto.
    pub always: Option<bool>,
    /// `dlopen_recalculate_on_match`.
    pub on_match: LibraryGlobs,
}

/// What the settings of a [`LibraryPolicy`] come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LibraryMode<'a> {
    /// Every change of the list of libraries stops the process and is reported; the front end has breakpoints
    /// re-evaluated.
    Slow,
    /// Every change stops the process; those that bring a library that fits are reported as in `Slow`, the others wait
    /// until the process stops for another reason.
    Medium(&'a LibraryGlobs),
    /// No change stops the process: new libraries are found when it stops for another reason.
    Fast,
    /// As `Fast` while no breakpoint waits for a library; otherwise the server looks at every change and reports only
    /// breakpoints that it resolved.
    Auto,
}

impl LibraryPolicy {
    /// What they come to.
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
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Slow => "slow",
            Self::Medium(_) => "medium",
            Self::Fast => "fast",
            Self::Auto => "auto",
        }
    }
}

/// Changes of the list of libraries that stopped a process, and what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LibraryEvents {
    /// Those that changed something.
    pub seen: u64,
    /// Those nobody was told of.
    pub filtered: u64,
    /// Those that were reported, or that resolved a breakpoint.
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
