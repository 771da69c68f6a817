//! Reads source files for the front end, from where they are now.

use debuginfo::named_file::{self, NamedFileError};
use debuginfo::{Advice, Image, LoadedImages, RecordedSource, Surroundings, advice, source_path};
use model::{Answer, ErrorCode, Failure, LaunchSpec, SourceOrigin, SourceRules, directory_word};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::Arc;

/// The user's rules for finding source files, and where they begin.
#[derive(Clone, Debug, Default)]
pub struct SourcePlaces {
    rules: Arc<SourceRules>,
    /// The directory in which the job was started; `None`: that of this process.
    working: Option<String>,
}

impl SourcePlaces {
    /// Takes them from the specification of a rank.
    pub(crate) fn of(spec: &LaunchSpec) -> Self {
        Self { rules: Arc::clone(&spec.settings.sources), working: spec.directory.clone() }
    }

    /// Takes the rules alone: they begin where this process is.
    pub(crate) fn here(rules: &Arc<SourceRules>) -> Self {
        Self { rules: Arc::clone(rules), working: None }
    }

    /// Returns what finding the source files of a process depends on.
    pub(crate) fn search(self, images: &LoadedImages) -> SourceSearch {
        let program = images.executable().map(|program| program.image.path().to_string());
        SourceSearch { places: self, images: images.clone(), program: program.unwrap_or_default() }
    }
}

/// The inputs of the search for a source file.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceSearch {
    pub(crate) places: SourcePlaces,
    /// The files of the process; they know how the source was named.
    pub(crate) images: LoadedImages,
    /// The path of the program's file.
    pub(crate) program: String,
}

impl SourceSearch {
    fn surroundings(&self) -> Surroundings {
        let own = || Some(std::env::current_dir().ok()?.to_string_lossy().into_owned());
        Surroundings {
            working: self.places.working.clone().or_else(own).unwrap_or_default(),
            home: std::env::var("HOME").unwrap_or_default(),
            program: self.program.clone(),
        }
    }

    /// Returns how a file is named, and the program or library that names it.
    fn recorded(&self, file: &str) -> (RecordedSource, Option<Arc<Image>>) {
        match self.images.recorded_source(file) {
            Some((recorded, image)) => (recorded, Some(image)),
            None => (RecordedSource::of_path(file), None),
        }
    }

    /// Returns the path at which a file is now; where it was compiled if it is nowhere.
    pub(crate) fn path(&self, file: &str) -> String {
        let found = source_path(&self.recorded(file).0, &self.places.rules, &self.surroundings(), is_there);
        found.unwrap_or_else(|| file.to_owned())
    }

    /// Finds and reads a source file.
    pub(crate) fn answer(&self, file: &str) -> Answer {
        let (recorded, image) = self.recorded(file);
        let here = self.surroundings();
        let path = source_path(&recorded, &self.places.rules, &here, is_there);
        match named_file::source(Path::new(path.as_deref().unwrap_or(file))) {
            Ok(text) => {
                let origin = self.origin(&recorded, path.as_deref().unwrap_or(file), image.as_deref());
                Answer::Source { file: file.to_owned(), text: text.into(), origin }
            }
            Err(error) if path.is_some() => {
                Answer::Failed(Failure::new(ErrorCode::NO_SOURCE, format!("{}: {error}.", path.unwrap_or_default())))
            }
            Err(error) => Answer::Failed(Failure::new(ErrorCode::NO_SOURCE, self.missing(&recorded, &here, &error))),
        }
    }

    /// Says where a text comes from, and whether the program was built from it.
    fn origin(&self, recorded: &RecordedSource, path: &str, image: Option<&Image>) -> SourceOrigin {
        let real = |path: &str| fs::canonicalize(path).ok();
        let found = real(path).filter(|found| real(&recorded.path).as_ref() != Some(found));
        let program = image.map_or(self.program.as_str(), |image| &**image.path());
        let changed = match recorded.md5 {
            Some(compiled) => named_file::md5(Path::new(path)).is_ok_and(|now| now != compiled),
            // In seconds, as in gdb: some file systems keep no more.
            None => matches!((modified(path), modified(program)), (Some(text), Some(built)) if text > built),
        };
        SourceOrigin {
            path: found.map(|found| found.to_string_lossy().into_owned()),
            changed_since: changed.then(|| program.to_owned()),
        }
    }

    /// Says which paths were tried, and which rule would help.
    fn missing(&self, recorded: &RecordedSource, here: &Surroundings, error: &NamedFileError) -> String {
        let mut text = format!("{}: {error}.", recorded.path);
        let rewritten = self.places.rules.rewritten(&recorded.path);
        let directories = *self.places.rules != SourceRules::default();
        match rewritten {
            Some(path) => text.push_str(&format!(" The rule of substitute-path leads to {path}.")),
            None if directories => {
                text.push_str(&format!(" Searched directories: {}.", self.places.rules.directories_text()));
            }
            None => {}
        }
        let Advice { from, to } = advice(recorded, here, is_there);
        let (from, to) = (directory_word(&from), to.map_or_else(|| "DIR".to_owned(), |to| directory_word(&to)));
        text.push_str(&format!(" If the sources are elsewhere: set substitute-path {from} {to}, or directory DIR."));
        text
    }
}

/// Returns the time of the last change, in seconds.
fn modified(path: &str) -> Option<i64> {
    Some(fs::metadata(path).ok()?.mtime())
}

/// True for what may be read as a source.
fn is_there(path: &str) -> bool {
    fs::metadata(path).is_ok_and(|facts| facts.is_file())
}
