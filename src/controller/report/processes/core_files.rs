//! The core files that ranks have written.

use crate::report::json_object::Object;
use crate::report::text_words::of;
use model::{CoreFile, ProcessSet};

/// The files of one directory.
struct Directory<'a> {
    ranks: ProcessSet,
    files: Vec<(&'a ProcessSet, &'a CoreFile)>,
}

fn by_directory(files: &[(ProcessSet, CoreFile)]) -> Vec<Directory<'_>> {
    let mut directories: Vec<Directory<'_>> = Vec::new();
    for (ranks, file) in files {
        let known = directories.iter_mut().find(|known| known.files.iter().any(|(_, f)| f.place == file.place));
        match known {
            Some(known) => {
                known.ranks.extend_with(ranks);
                known.files.push((ranks, file));
            }
            None => directories.push(Directory { ranks: ranks.clone(), files: vec![(ranks, file)] }),
        }
    }
    directories
}

/// Returns a line for each directory.
pub(in crate::report) fn text(files: &[(ProcessSet, CoreFile)]) -> Vec<String> {
    by_directory(files).iter().map(|directory| of(&directory.ranks, line(directory))).collect()
}

fn line(directory: &Directory<'_>) -> String {
    let Some((_, first)) = directory.files.first() else { return String::new() };
    let sum = |of: fn(&CoreFile) -> u64| -> u64 {
        let sizes = directory.files.iter().map(|(ranks, file)| of(file).saturating_mul(ranks.len() as u64));
        sizes.fold(0, u64::saturating_add)
    };
    let sizes = format!("{}, {} on disk", size(sum(|file| file.size)), size(sum(|file| file.stored)));
    match (directory.ranks.len(), directory.ranks.first()) {
        (1, Some(rank)) => format!("wrote {} ({sizes})", first.path(rank)),
        (count, _) => format!("wrote {} ({count} files, {sizes})", first.path("RANK")),
    }
}

pub(super) fn size(bytes: u64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    match units.into_iter().find(|(_, shift)| bytes >> shift > 0) {
        Some((unit, shift)) => format!("{:.1} {unit}", bytes as f64 / (1_u64 << shift) as f64),
        None => format!("{bytes} bytes"),
    }
}

/// Returns an object for each directory.
pub(in crate::report) fn json(files: &[(ProcessSet, CoreFile)]) -> Vec<Object> {
    let row = |(ranks, file): &(&ProcessSet, &CoreFile)| -> Vec<Object> {
        let row = |rank| {
            let row = Object::default().with("rank", rank).with("path", file.path(rank));
            row.with("size", file.size).with("stored", file.stored)
        };
        ranks.iter().map(row).collect()
    };
    let object = |directory: &Directory<'_>| {
        let name = directory.files.first().map(|(_, file)| &file.place.directory);
        let rows: Vec<Object> = directory.files.iter().flat_map(row).collect();
        Object::of_type("core").ranks(&directory.ranks).maybe("directory", name).with("files", rows)
    };
    by_directory(files).iter().map(object).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::CorePlace;

    #[test]
    fn files_of_a_directory_are_one_line() {
        let place = |directory: &str| CorePlace { directory: directory.to_owned(), name: "core".to_owned() };
        let file = |directory: &str, size| CoreFile { place: place(directory), size, stored: size / 8 };
        let ranks = |text: &str| ProcessSet::parse(text).unwrap();
        let files =
            [(ranks("0-1"), file("/x", 3 << 20)), (ranks("3"), file("/x", 4096)), (ranks("2"), file("/y", 800))];
        assert_eq!(
            text(&files),
            [
                "[0-1,3] wrote /x/core.RANK (3 files, 6.0 MiB, 768.5 KiB on disk)",
                "[2] wrote /y/core.2 (800 bytes, 100 bytes on disk)",
            ]
        );
        let objects: Vec<String> = json(&files).iter().map(Object::text).collect();
        assert_eq!(
            objects[1],
            r#"{"type":"core","ranks":"2","directory":"/y","files":[{"rank":2,"path":"/y/core.2","size":800,"stored":100}]}"#
        );
        assert!(objects[0].contains(r#""rank":3,"path":"/x/core.3""#), "{}", objects[0]);
    }
}
