//! Kept indexes: the same answers with and without them, whatever happens to the file.

use crate::built::{Built, build, build_with};
use rankscope::debuginfo::{Image, IndexCache, ResolvedSite, SymbolStore};
use rankscope::model::{FileAddress, LocationSpec};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An image's answers about names and addresses.
#[derive(Debug, PartialEq)]
struct Answers {
    sites: Vec<Vec<ResolvedSite>>,
    names: Vec<Arc<str>>,
    lines: Vec<String>,
}

fn answers(image: &Image) -> Answers {
    image.prepare();
    let main = image.entry_points().main_function().unwrap();
    let line = |offset| format!("{:?}", image.line_at(FileAddress(main.0 + offset)));
    let names = ["main", "walk", "scaled", "leaf", "half", "nothing"];
    Answers {
        sites: names.iter().map(|name| image.resolve(&LocationSpec::Function((*name).into()))).collect(),
        names: image.contents().function_names("", 1000),
        lines: (0..40).map(line).collect(),
    }
}

fn with_cache(program: &Path, cache: &Path) -> Answers {
    answers(&SymbolStore::keeping(IndexCache::within(cache.to_owned())).open(program).unwrap())
}

fn without(program: &Path) -> Answers {
    answers(&SymbolStore::new().open(program).unwrap())
}

fn kept(cache: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn built() -> Built {
    build("values.c", &["-g", "-O0", "-Wl,--build-id"])
}

#[test]
fn a_kept_index_gives_the_same_answers_and_is_not_written_again() {
    let (built, cache) = (built(), tempfile::tempdir().unwrap());
    let expected = without(&built.path);
    assert!(!expected.sites[0].is_empty() && expected.names.len() > 3);
    assert_eq!(with_cache(&built.path, cache.path()), expected);
    let [file] = kept(cache.path()).try_into().unwrap();
    let written = std::fs::metadata(&file).unwrap().modified().unwrap();
    assert_eq!(with_cache(&built.path, cache.path()), expected);
    assert_eq!(std::fs::metadata(&file).unwrap().modified().unwrap(), written);
}

#[test]
fn what_is_compressed_is_decompressed_for_what_the_index_does_not_tell() {
    let plain = built();
    let expected = without(&plain.path);
    for compression in ["-gz=zlib", "-gz=none"] {
        let cache = tempfile::tempdir().unwrap();
        let built = build("values.c", &["-g", "-O0", "-Wl,--build-id", compression]);
        assert_eq!(without(&built.path), expected);
        for _ in 0..2 {
            assert_eq!(with_cache(&built.path, cache.path()), expected, "{compression}");
            assert_eq!(kept(cache.path()).len(), 1, "{compression}");
        }
    }
}

#[test]
fn a_damaged_index_is_made_again() {
    let (built, cache) = (built(), tempfile::tempdir().unwrap());
    let expected = with_cache(&built.path, cache.path());
    let [file] = kept(cache.path()).try_into().unwrap();
    let whole = std::fs::read(&file).unwrap();
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    for round in 0..60 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let place = (random % whole.len() as u64) as usize;
        let mut damaged = whole.clone();
        match round % 3 {
            0 => damaged[place] ^= 1 << (random >> 40 & 7),
            1 => damaged.truncate(place),
            _ => damaged.splice(place..place, [0xff; 9]).for_each(drop),
        }
        std::fs::write(&file, &damaged).unwrap();
        assert_eq!(with_cache(&built.path, cache.path()), expected, "round {round}, place {place}");
        assert!(std::fs::read(&file).unwrap() == whole, "round {round}: it was not made again");
    }
}

#[test]
fn another_program_with_the_same_identifier_has_an_index_of_its_own() {
    let cache = tempfile::tempdir().unwrap();
    let options = ["-g", "-O0", "-Wl,--build-id=0x1234567890"];
    let (one, other) = (build("values.c", &options), build("walk.c", &options));
    assert_eq!(with_cache(&one.path, cache.path()), without(&one.path));
    assert_eq!(with_cache(&other.path, cache.path()), without(&other.path));
    assert_eq!(with_cache(&one.path, cache.path()), without(&one.path));
    assert_eq!(kept(cache.path()).len(), 1);
}

#[test]
fn what_has_no_identifier_or_parts_elsewhere_is_not_kept() {
    let cache = tempfile::tempdir().unwrap();
    let nameless = build("values.c", &["-g", "-O0", "-Wl,--build-id=none"]);
    let split = build_with("gcc", "values.c", &["-g", "-O0", "-gsplit-dwarf", "-Wl,--build-id"]);
    for built in [nameless, split] {
        assert_eq!(with_cache(&built.path, cache.path()), without(&built.path));
    }
    assert_eq!(kept(cache.path()), Vec::<PathBuf>::new());
}

#[test]
fn a_directory_that_cannot_be_written_is_no_fault() {
    let (built, directory) = (built(), tempfile::tempdir().unwrap());
    let file = directory.path().join("file");
    std::fs::write(&file, "in the way").unwrap();
    assert_eq!(with_cache(&built.path, &file.join("index")), without(&built.path));
}
