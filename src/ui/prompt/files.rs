//! Names of files of this host, for completion.

use std::{fs, path::Path};

/// Names that are looked at in a directory: a huge one must not hold up the keys.
const MOST_NAMES: usize = 10_000;

/// Returns the files whose paths begin like this, those of hidden files only after a dot; directories end in `/`.
pub fn files(begun: &str, home: Option<&str>) -> Vec<String> {
    let (directory, name) = begun.split_at(begun.rfind('/').map_or(0, |at| at + 1));
    let place = match (directory.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => format!("{home}/{rest}"),
        _ if directory.is_empty() => "./".to_owned(),
        _ => directory.to_owned(),
    };
    let Ok(entries) = fs::read_dir(Path::new(&place)) else { return Vec::new() };
    let mut found: Vec<String> = entries
        .take(MOST_NAMES)
        .flatten()
        .filter_map(|entry| {
            let file = entry.file_name().into_string().ok()?;
            let is_wanted = file.starts_with(name) && (name.starts_with('.') || !file.starts_with('.'));
            // Other names are not one word of a command.
            if !is_wanted || file.chars().any(|c| c.is_control() || c.is_whitespace() || c == '"') {
                return None;
            }
            let end = if fs::metadata(entry.path()).is_ok_and(|data| data.is_dir()) { "/" } else { "" };
            Some(format!("{directory}{file}{end}"))
        })
        .collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_directories_are_found_by_the_beginning_of_their_path() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().to_str().unwrap();
        for name in ["checks.gdb", "check me", ".hidden", "other", "bad\u{7}name"] {
            fs::write(place.path().join(name), "").unwrap();
        }
        fs::create_dir(place.path().join("chain")).unwrap();
        let found = |begun: &str| -> Vec<String> {
            let found = files(&format!("{path}/{begun}"), None).into_iter();
            found.map(|file| file.strip_prefix(path).unwrap().to_owned()).collect()
        };
        assert_eq!(found("ch"), ["/chain/", "/checks.gdb"]);
        assert_eq!(found("."), ["/.hidden"]);
        assert_eq!(found("").len(), 3);
        assert_eq!(found("nosuch/"), [""; 0]);
        assert_eq!(files("~/o", Some(path)), ["~/other"]);
    }
}
