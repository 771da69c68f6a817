//! Checks the map in `docs/ARCHITECTURE.md`: every crate and folder with the first sentence of its own file. Also
//! checks that each file named on the page exists.

use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = "docs/ARCHITECTURE.md";
const BEGIN: &str = "<!-- map, generated -->\n";
const END: &str = "<!-- end -->";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    fs::read_to_string(root().join(PAGE)).unwrap()
}

/// The first sentence of a file's `//!` comment; a full stop within backquotes does not end it.
fn sentence(file: &Path) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let words = text.lines().map_while(|line| line.strip_prefix("//!"));
    let words: Vec<&str> = words.map(str::trim).take_while(|line| !line.is_empty()).collect();
    let words = words.join(" ");
    let end =
        words.match_indices(". ").map(|(at, _)| at).find(|at| words[..*at].matches('`').count().is_multiple_of(2));
    Some(words[..end.unwrap_or(words.trim_end_matches('.').len())].to_owned())
}

/// The file whose comment describes a folder.
fn own_file(folder: &Path) -> Option<PathBuf> {
    let candidates = [folder.join("lib.rs"), folder.join("mod.rs"), folder.with_extension("rs")];
    candidates.into_iter().find(|file| file.is_file())
}

fn rooms(folder: &Path, depth: usize, map: &mut String) {
    let mut inside: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    inside.retain(|path| path.is_dir() && path.file_name().is_some_and(|name| name != "tests"));
    inside.sort();
    for room in inside {
        let Some(file) = own_file(&room) else { continue };
        let name = room.strip_prefix(root().join("src")).unwrap().display().to_string();
        let said = sentence(&file).unwrap_or_else(|| panic!("{} says not what it is about", file.display()));
        map.push_str(&format!("{}* `{name}`: {said}\n", "  ".repeat(depth)));
        if depth < 2 {
            rooms(&room, depth + 1, map);
        }
    }
}

#[test]
fn the_map_has_every_crate_and_room() {
    let mut map = String::new();
    rooms(&root().join("src"), 0, &mut map);
    let page = page();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let made = format!("{before}{BEGIN}{map}{END}{after}");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(root().join(PAGE), &made).unwrap();
    } else {
        assert!(page == made, "{PAGE} is stale: UPDATE=1 cargo test --test docs writes it");
    }
}

#[test]
fn every_file_that_the_page_names_is_there() {
    let page = page();
    let words = page.split('`').skip(1).step_by(2);
    let named: Vec<&str> =
        words.filter(|word| word.contains('/') && Path::new(word).extension().is_some_and(|e| e == "rs")).collect();
    assert!(named.len() > 40, "{named:?}");
    let missing: Vec<&&str> =
        named.iter().filter(|name| ["src", "."].iter().all(|base| !root().join(base).join(name).is_file())).collect();
    assert!(missing.is_empty(), "{PAGE} names files that are not there: {missing:?}");
}
