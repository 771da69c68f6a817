//! Indexes in the file itself: the same answers as without, and only the units that they name are read.

use crate::built::{Built, build_with};
use rankscope::debuginfo::{Image, ResolvedSite, SymbolStore, slow_reads, watch_this_thread};
use rankscope::model::LocationSpec;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

const NAMES: [&str; 9] =
    ["main", "twice", "part", "weigh", "shapes::weigh", "Point::sum", "sum", "shapes::Point::sum", "nothing"];

fn run(program: &str, arguments: &[&str], directory: &Path) {
    let output = Command::new(program).args(arguments).current_dir(directory).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
}

fn forms(compiler: &str, options: &[&str]) -> Built {
    let part = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/forms_part.cpp");
    build_with(compiler, "forms.cpp", &[&["-std=c++17", "-g", "-O1", part.to_str().unwrap()], options].concat())
}

/// Indexes by gdb, by linkers from compilers' notes, and by compilers.
fn indexed() -> Vec<(&'static str, Built, &'static str)> {
    let by_gdb = forms("g++", &[]);
    run("gdb-add-index", &["program"], by_gdb.directory());
    let names_by_gdb = forms("g++", &["-gdwarf-5"]);
    run("gdb-add-index", &["-dwarf-5", "program"], names_by_gdb.directory());
    let by_linker = forms("g++", &["-ggnu-pubnames", "-fuse-ld=lld", "-Wl,--gdb-index"]);
    let by_compiler = forms("clang++", &["-gdwarf-5", "-gpubnames"]);
    vec![
        ("gdb", by_gdb, ".gdb_index"),
        ("gdb, DWARF 5", names_by_gdb, ".debug_names"),
        ("lld", by_linker, ".gdb_index"),
        ("clang", by_compiler, ".debug_names"),
    ]
}

/// The same program without its index.
fn bare(built: &Built) -> PathBuf {
    run(
        "objcopy",
        &["--remove-section=.gdb_index", "--remove-section=.debug_names", "program", "bare"],
        built.directory(),
    );
    built.directory().join("bare")
}

fn sites(image: &Image) -> Vec<Vec<ResolvedSite>> {
    NAMES.iter().map(|name| image.resolve(&LocationSpec::Function((*name).into()))).collect()
}

fn open(program: &Path) -> Arc<Image> {
    SymbolStore::new().open(program).unwrap()
}

#[test]
fn every_sort_of_index_gives_the_answers_that_the_units_give() {
    for (maker, built, section) in indexed() {
        let described = Command::new("objdump").arg("-h").arg(&built.path).output().unwrap();
        assert!(String::from_utf8_lossy(&described.stdout).contains(section), "{maker} has made no {section}");
        let expected = open(&bare(&built));
        expected.prepare();
        let image = open(&built.path);
        image.prepare();
        assert_eq!(sites(&image), sites(&expected), "{maker}");
        assert!(sites(&image).iter().filter(|sites| sites.is_empty()).count() <= 1, "{maker}: {:?}", sites(&image));
        assert_eq!(image.contents().function_names("", 1000), expected.contents().function_names("", 1000), "{maker}");
    }
}

#[test]
fn a_function_that_the_index_names_is_found_without_reading_all_names() {
    let built = forms("g++", &[]);
    run("gdb-add-index", &["program"], built.directory());
    let reader = std::thread::spawn(move || {
        watch_this_thread();
        open(&built.path).resolve(&LocationSpec::Function("part".into())).len()
    });
    assert_eq!(reader.join().unwrap(), 1);
    let reads = slow_reads();
    assert!(reads.iter().any(|read| read == "the names of a unit"), "{reads:?}");
    assert!(reads.iter().all(|read| read != "the names of all units"), "{reads:?}");
}

#[test]
fn a_damaged_index_is_no_reason_to_end() {
    let built = forms("g++", &[]);
    run("gdb-add-index", &["program"], built.directory());
    run("objcopy", &["--dump-section=.gdb_index=index", "program"], built.directory());
    let index = built.directory().join("index");
    let whole = std::fs::read(&index).unwrap();
    for part in 0..16 {
        let mut damaged = whole.clone();
        let length = damaged.len();
        damaged[length * part / 16..length * (part + 1) / 16].fill(if part % 2 == 0 { 0xff } else { 0 });
        std::fs::write(&index, damaged).unwrap();
        run("objcopy", &["--update-section=.gdb_index=index", "program", "damaged"], built.directory());
        let image = open(&built.directory().join("damaged"));
        image.prepare();
        // The index may be incomplete, but never names a missing function.
        assert!(image.resolve(&LocationSpec::Function("nothing".into())).is_empty());
        assert!(image.resolve(&LocationSpec::Function("main".into())).len() <= 1, "part {part}");
    }
}
