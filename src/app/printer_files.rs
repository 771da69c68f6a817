//! The user's files of printers: in the configuration directory, and beside the program.

use crate::files::read_regular;
use crate::own_directories::own_directories;
use std::path::{Path, PathBuf};

/// Most files of the configuration directory that are read.
const MOST: usize = 48;

/// Returns the files of printers that are there, each with its text; those of a later one are tried first.
pub(crate) fn found(program: Option<&Path>) -> Vec<(String, Result<String, String>)> {
    let mut paths = own_directories().map_or_else(Vec::new, |own| in_directory(&own.config_dir().join("printers")));
    paths.extend(program.map(beside).filter(|path| path.exists()));
    let read = |path: PathBuf| {
        let name = path.display().to_string();
        let text = read_regular(&path).map_err(|error| format!("cannot read {name}: {error}"));
        (name, text)
    };
    paths.into_iter().map(read).collect()
}

/// Returns the files of a directory; the first by name comes last, so that it is tried first.
fn in_directory(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    paths.sort();
    paths.truncate(MOST);
    paths.reverse();
    paths
}

/// `PROGRAM-printers.toml`.
fn beside(program: &Path) -> PathBuf {
    let mut name = program.as_os_str().to_owned();
    name.push("-printers.toml");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_in_their_order() {
        let place = tempfile::tempdir().unwrap();
        for name in ["b.toml", "a.toml", "c.txt", "ring-printers.toml"] {
            std::fs::write(place.path().join(name), name).unwrap();
        }
        let names: Vec<_> =
            in_directory(place.path()).iter().map(|path| path.file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["ring-printers.toml", "b.toml", "a.toml"]);
        let found = found(Some(&place.path().join("ring")));
        assert_eq!(found.last().unwrap().1.as_deref(), Ok("ring-printers.toml"));
        assert!(in_directory(&place.path().join("none")).is_empty());
    }

    #[test]
    fn a_file_of_printers_that_is_a_device_is_refused() {
        let place = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/dev/zero", place.path().join("ring-printers.toml")).unwrap();
        let found = found(Some(&place.path().join("ring")));
        let (_, Err(why)) = found.last().unwrap() else { panic!("it was read") };
        assert!(why.contains("not a regular file"), "{why}");
    }
}
