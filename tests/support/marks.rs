//! Lines of the debuggees, found by their `BREAK` marks.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A source file of `tests/programs`.
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name)
}

/// The line with `/* BREAK mark */`, from 1.
#[track_caller]
pub fn line(file: &str, mark: &str) -> u32 {
    let text = fs::read_to_string(source(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let wanted = format!("/* BREAK {mark} */");
    let at = text.lines().position(|line| line.contains(&wanted));
    at.unwrap_or_else(|| panic!("{file} has no {wanted}")) as u32 + 1
}
