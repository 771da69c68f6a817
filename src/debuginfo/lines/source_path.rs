//! Names of source files: as in the line table, made absolute, and matched against a user's name.

use std::sync::{Arc, OnceLock};

/// A file of a line table: its name as compiled, and the directories that the name is relative to.
#[derive(Debug, Default)]
pub(crate) struct SourceName {
    compilation: &'static [u8],
    directory: &'static [u8],
    name: &'static [u8],
    absolute: OnceLock<Arc<str>>,
}

impl SourceName {
    pub(crate) fn new(compilation: &'static [u8], directory: &'static [u8], name: &'static [u8]) -> Self {
        Self { compilation, directory, name, absolute: OnceLock::new() }
    }

    pub(crate) fn last_part(&self) -> &'static [u8] {
        last_part(self.name)
    }

    /// Returns the name that was passed to the compiler.
    pub(crate) fn given(&self) -> String {
        let [directory, name] = [self.directory, self.name].map(String::from_utf8_lossy);
        if directory.is_empty() || name.starts_with('/') { name.into_owned() } else { format!("{directory}/{name}") }
    }

    /// Returns the name by which gdb lists the file: as it was passed to the compiler if it is the unit's `primary` file,
    /// else with the directory in which the compiler found it.
    pub(crate) fn listed(&self, primary: &[u8]) -> String {
        let given = self.given();
        let is_primary = self.name == primary && self.compilation.starts_with(b"/");
        if !self.directory.is_empty() || given.starts_with('/') || self.compilation.is_empty() || is_primary {
            return given;
        }
        format!("{}/{given}", String::from_utf8_lossy(self.compilation))
    }

    /// Returns the absolute path, without `.` and `..`.
    pub(crate) fn absolute(&self) -> &Arc<str> {
        self.absolute.get_or_init(|| {
            let parts = [self.compilation, self.directory, self.name].map(String::from_utf8_lossy);
            let mut path = String::new();
            for part in &parts {
                if part.starts_with('/') {
                    path.clear();
                } else if !path.is_empty() && !part.is_empty() {
                    path.push('/');
                }
                path.push_str(part);
            }
            normalize(&path).into()
        })
    }

    /// True if the user's name is this file's, or a suffix of its path after a slash.
    pub(crate) fn is_meant_by(&self, wanted: &str) -> bool {
        // Most files differ in the last part, which needs no path to be built.
        if self.name.is_empty() || self.last_part() != last_part(wanted.as_bytes()) {
            return false;
        }
        path_matches(self.absolute(), &normalize(wanted))
    }
}

pub(crate) fn last_part(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}

/// True if the user's name is this path, or a suffix of it after a slash.
pub(crate) fn is_path_meant_by(path: &str, wanted: &str) -> bool {
    path_matches(&normalize(path), &normalize(wanted))
}

/// True if `wanted` is `path`, or a suffix of it after a slash.
fn path_matches(path: &str, wanted: &str) -> bool {
    path.strip_suffix(wanted)
        .is_some_and(|before| before.is_empty() || (!wanted.starts_with('/') && before.ends_with('/')))
}

/// Removes `.`, `..` and doubled slashes.
fn normalize(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if path.starts_with('/') => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if path.starts_with('/') { format!("/{joined}") } else { joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        assert_eq!(normalize("/a/./b/../c//d.c"), "/a/c/d.c");
        assert_eq!(normalize("../x.c"), "../x.c");
        assert_eq!(normalize("/../x.c"), "/x.c");
        assert!(path_matches("/a/b/x.c", "x.c"));
        assert!(path_matches("/a/b/x.c", "b/x.c"));
        assert!(path_matches("/a/b/x.c", "/a/b/x.c"));
        assert!(!path_matches("/a/b/x.c", "/b/x.c"));
        assert!(!path_matches("/a/b/ax.c", "x.c"));
    }
}
