//! How engines launch ranks.

use super::standard_input::{InputSource, StandardInput};
use crate::{LocationSpec, RunSettings};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The first stop of a new rank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopAt {
    /// At `main` of the first image that has one: execs are followed until then, so wrapper scripts are skipped.
    #[default]
    Main,
    /// At the first instruction of the process, before the libraries are loaded; gdb's `starti`.
    FirstInstruction,
    /// The rank runs without a first stop.
    Nowhere,
    /// At a temporary breakpoint, which may be pending.
    Location(LocationSpec),
}

/// A program and its environment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchSpec {
    /// A path, or a name looked up in `PATH`.
    pub program: String,
    /// The arguments, without the program itself.
    pub arguments: Vec<String>,
    /// The working directory; `None`: the engine's own.
    pub directory: Option<String>,
    /// Added to the engine's environment. `{rank}` and `{size}` in a value are replaced.
    pub environment: Vec<(String, String)>,
    /// Variables that are taken from the engine's environment.
    #[serde(default)]
    pub unset: Vec<String>,
    /// Where the standard input comes from.
    #[serde(default)]
    pub input: StandardInput,
    /// The place of the first stop.
    pub stop_at: StopAt,
    /// True to leave address randomisation as the system has it; otherwise it is off (personality(2)), as in gdb.
    pub randomise: bool,
    /// The engines' initial settings.
    #[serde(default)]
    pub settings: RunSettings,
}

/// Changes to the start of the program that the command line gave, for the next start of the job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StartChanges {
    /// The arguments instead of those of the command line.
    pub arguments: Option<Vec<String>>,
    /// The file that all ranks read, or their launcher, instead of the input of the command line. A relative name counts
    /// from the working directory.
    pub input: Option<String>,
    /// Variables with their new values; `None` removes the variable.
    pub environment: BTreeMap<String, Option<String>>,
    /// The working directory instead of that of the command line.
    pub directory: Option<String>,
    /// The first stop instead of that of the command line, for one start.
    pub stop_at: Option<StopAt>,
    /// Whether addresses are randomised, instead of what the command line said.
    pub randomise: Option<bool>,
}

impl StartChanges {
    /// True if the program starts as the command line gave it.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the changed directory as an absolute path; a relative one counts from the former directory.
    pub fn directory_from(&self, former: &str) -> Option<String> {
        self.directory.as_deref().map(|directory| beneath(former, directory))
    }

    /// Changes only the standard input.
    pub fn apply_input(&self, spec: &mut LaunchSpec, former: &str) {
        if let Some(file) = &self.input {
            let directory = self.directory_from(former);
            let file = beneath(directory.as_deref().unwrap_or(former), file);
            spec.input = StandardInput { all: InputSource::File(file), ranks: Vec::new() };
        }
    }

    /// Changes a program that would be started in the directory `former`. It stays the same file.
    pub fn apply(&self, spec: &mut LaunchSpec, former: &str) {
        if let Some(arguments) = &self.arguments {
            spec.arguments.clone_from(arguments);
        }
        for (name, value) in &self.environment {
            spec.environment.retain(|(other, _)| other != name);
            match value {
                Some(value) => spec.environment.push((name.clone(), value.clone())),
                None => spec.unset.push(name.clone()),
            }
        }
        if let Some(stop_at) = &self.stop_at {
            spec.stop_at = stop_at.clone();
        }
        if let Some(randomise) = self.randomise {
            spec.randomise = randomise;
        }
        self.apply_input(spec, former);
        if let Some(directory) = self.directory_from(former) {
            if spec.program.contains('/') {
                spec.program = beneath(former, &spec.program);
            }
            spec.directory = Some(directory);
        }
    }
}

/// Returns a path as it counts from a directory: an absolute one stays as it is.
pub fn beneath(directory: &str, path: &str) -> String {
    if Path::new(path).is_absolute() { path.to_owned() } else { format!("{}/{path}", directory.trim_end_matches('/')) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> LaunchSpec {
        let environment = vec![("A".to_owned(), "1".to_owned()), ("B".to_owned(), "2".to_owned())];
        LaunchSpec { program: "./app".into(), arguments: vec!["old".into()], environment, ..LaunchSpec::default() }
    }

    #[test]
    fn a_changed_directory_leaves_the_program_the_same_file() {
        let mut changed = spec();
        StartChanges { directory: Some("run".into()), ..StartChanges::default() }.apply(&mut changed, "/home/u/");
        assert_eq!((changed.program.as_str(), changed.directory.as_deref()), ("/home/u/./app", Some("/home/u/run")));
        let mut named = LaunchSpec { program: "app".into(), ..spec() };
        StartChanges { directory: Some("/tmp".into()), ..StartChanges::default() }.apply(&mut named, "/home/u");
        assert_eq!((named.program.as_str(), named.directory.as_deref()), ("app", Some("/tmp")));
    }

    #[test]
    fn changes_replace_arguments_and_single_variables() {
        let mut changed = spec();
        let environment = [("A".to_owned(), None), ("C".to_owned(), Some("x y".to_owned()))].into();
        let stop_at = Some(StopAt::FirstInstruction);
        StartChanges {
            arguments: Some(Vec::new()),
            input: None,
            environment,
            directory: None,
            stop_at,
            randomise: Some(true),
        }
        .apply(&mut changed, "/");
        assert_eq!(changed.stop_at, StopAt::FirstInstruction);
        assert_eq!((changed.arguments.len(), changed.unset.as_slice()), (0, &["A".to_owned()][..]));
        assert_eq!(changed.environment, [("B".to_owned(), "2".to_owned()), ("C".to_owned(), "x y".to_owned())]);
        assert_eq!((changed.program.as_str(), changed.directory), ("./app", None));
    }
}
