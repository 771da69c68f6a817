//! The functions and files that steps pass over; gdb's `skip`.

use crate::{RegularExpression, glob_matches};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Functions that `step` does not enter: those of a name, of a file, or of both.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Skip {
    /// Its number in commands, from 1.
    pub number: u32,
    /// False if the user disabled it.
    pub enabled: bool,
    /// What is skipped.
    pub what: Skipped,
}

/// What a [`Skip`] is for; at least one part is set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Skipped {
    /// The file, or a pattern for its path.
    pub file: Option<SkippedFiles>,
    /// The name of the function, with its scopes and without parameters.
    pub function: Option<String>,
    /// An extended regular expression that is found in the name of the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function_pattern: Option<String>,
}

/// The files of skipped functions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SkippedFiles {
    /// The end of the path.
    Named(String),
    /// A pattern for the path or the file's name, in which `*` and `?` match within a directory.
    Glob(String),
}

impl SkippedFiles {
    /// True if a file with this path is one of them.
    fn contains(&self, path: &str) -> bool {
        match self {
            Self::Named(name) => {
                path.strip_suffix(name.as_str()).is_some_and(|front| front.is_empty() || front.ends_with('/'))
            }
            Self::Glob(pattern) if pattern.contains('/') => {
                let (wanted, parts) = (pattern.split('/'), path.split('/'));
                wanted.clone().count() == parts.clone().count()
                    && wanted.zip(parts).all(|(wanted, part)| glob_matches(wanted, part))
            }
            Self::Glob(pattern) => glob_matches(pattern, path.rsplit('/').next().unwrap_or(path)),
        }
    }
}

impl Skipped {
    /// True if a function with this name in this file is skipped.
    pub fn contains(&self, function: &str, file: Option<&str>) -> bool {
        let is_function =
            |name: &String| function == name || function.split_once('(').is_some_and(|(front, _)| front == name);
        let is_found = |pattern: &String| {
            RegularExpression::parse_extended(pattern).is_ok_and(|pattern| pattern.is_found_in(function))
        };
        self.function.as_ref().is_none_or(is_function)
            && self.function_pattern.as_ref().is_none_or(is_found)
            && self.file.as_ref().is_none_or(|wanted| file.is_some_and(|file| wanted.contains(file)))
    }

    /// The arguments of the command `skip` that makes it.
    pub fn arguments(&self) -> Vec<&str> {
        let mut words = Vec::new();
        match &self.file {
            Some(SkippedFiles::Named(name)) => words.extend(["-file", name]),
            Some(SkippedFiles::Glob(pattern)) => words.extend(["-gfile", pattern]),
            None => {}
        }
        if let Some(name) = &self.function {
            words.extend(["-function", name]);
        }
        if let Some(pattern) = &self.function_pattern {
            words.extend(["-rfunction", pattern]);
        }
        words
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.function, &self.function_pattern) {
            (Some(name), _) => write!(f, "function {name}")?,
            (None, Some(pattern)) => write!(f, "functions matching {pattern}")?,
            (None, None) => f.write_str("all functions")?,
        }
        match &self.file {
            Some(SkippedFiles::Named(name)) => write!(f, " of file {name}"),
            Some(SkippedFiles::Glob(pattern)) => write!(f, " of files {pattern}"),
            None => Ok(()),
        }
    }
}

/// All skips of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Skips(Vec<Skip>);

impl Skips {
    /// Adds an enabled skip.
    pub fn add(&mut self, number: u32, what: Skipped) {
        self.0.push(Skip { number, enabled: true, what });
    }

    /// Iterates over them by their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Skip> {
        self.0.iter()
    }

    /// Iterates over those that are enabled.
    pub fn enabled(&self) -> impl Iterator<Item = &Skipped> {
        self.0.iter().filter(|skip| skip.enabled).map(|skip| &skip.what)
    }

    /// Enables or disables those that `fits` accepts.
    pub fn enable(&mut self, enabled: bool, fits: impl Fn(u32) -> bool) {
        self.0.iter_mut().filter(|skip| fits(skip.number)).for_each(|skip| skip.enabled = enabled);
    }

    /// Deletes those that `fits` accepts.
    pub fn delete(&mut self, fits: impl Fn(u32) -> bool) {
        self.0.retain(|skip| !fits(skip.number));
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if a step passes over a function with this name in this file.
    pub fn contain(&self, function: &str, file: Option<&str>) -> bool {
        self.enabled().any(|what| what.contains(function, file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped(file: Option<SkippedFiles>, function: Option<&str>) -> Skipped {
        Skipped { file, function: function.map(str::to_owned), function_pattern: None }
    }

    #[test]
    fn functions_are_skipped_by_name_and_file() {
        let named = |name: &str| Some(SkippedFiles::Named(name.to_owned()));
        let glob = |pattern: &str| Some(SkippedFiles::Glob(pattern.to_owned()));
        for (what, function, file, is) in [
            (skipped(None, Some("f")), "f", None, true),
            (skipped(None, Some("f")), "f(int)", Some("/a/b.c"), true),
            (skipped(None, Some("f")), "ns::f(int)", Some("/a/b.c"), false),
            (skipped(None, Some("ns::f")), "ns::f(int)", Some("/a/b.c"), true),
            (skipped(named("b.c"), None), "g", Some("/a/b.c"), true),
            (skipped(named("a/b.c"), None), "g", Some("/a/b.c"), true),
            (skipped(named("b.c"), None), "g", Some("/a/bb.c"), false),
            (skipped(named("b.c"), None), "g", None, false),
            (skipped(named("b.c"), Some("f")), "g", Some("/a/b.c"), false),
            (skipped(glob("*.h"), None), "g", Some("/usr/include/x.h"), true),
            (skipped(glob("/usr/include/*"), None), "g", Some("/usr/include/x.h"), true),
            (skipped(glob("/usr/*"), None), "g", Some("/usr/include/x.h"), false),
        ] {
            assert_eq!(what.contains(function, file), is, "{what} {function} {file:?}");
        }
        let matching = |pattern: &str| Skipped { function_pattern: Some(pattern.into()), ..Skipped::default() };
        for (pattern, function, is) in
            [("^std::", "std::move", true), ("^std::", "my::std::f", false), ("(get|set)_", "a::get_b", true)]
        {
            assert_eq!(matching(pattern).contains(function, None), is, "{pattern} {function}");
        }
    }

    #[test]
    fn only_enabled_ones_count_and_numbers_stay() {
        let mut skips = Skips::default();
        skips.add(1, skipped(None, Some("f")));
        skips.add(2, skipped(None, Some("g")));
        skips.enable(false, |number| number == 2);
        assert!(skips.contain("f", None) && !skips.contain("g", None));
        skips.delete(|number| number == 1);
        skips.enable(true, |_| true);
        assert!(!skips.contain("f", None) && skips.contain("g", None));
        assert_eq!(skips.iter().map(|skip| skip.number).collect::<Vec<_>>(), [2]);
    }
}
