//! The programs of this repository.

use crate::stage::Engine;
use crate::support::build::build;
use crate::tally::Tally;
use crate::walk::{Found, Subject, walk};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program with a compiler and options.
fn subject(compiler: &str, file: &str, options: &[&str], stops: usize) -> Subject {
    let program = build(compiler, file, options);
    let name = format!("{file} {}", options.join(" "));
    let (arguments, sources) = (Vec::new(), vec![file.to_owned()]);
    Subject { name, program, arguments, sources, found: Found::ByFunction, stops, runs: 1, printers: None }
}

/// Writes the report of all programs to the requested file.
pub fn report(what: &str, tally: &Tally) {
    write_report(&format!("{what}: {}", tally.report()));
}

pub fn write_report(text: &str) {
    eprintln!("{text}");
    if let Ok(file) = std::env::var("RANKSCOPE_DIFFERENTIAL_REPORT") {
        use std::io::Write as _;
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }
}

fn agree(engine: Engine, subjects: &[Subject]) -> Tally {
    let mut all = Tally::of(engine);
    for subject in subjects {
        all.add(walk(subject, engine));
    }
    report(subjects.first().map_or("", |first| &first.name), &all);
    assert!(all.compared() > 100, "{} answers compared", all.compared());
    assert_eq!(all.differences().count(), 0);
    all
}

/// Checks that all answers agree and every value is data.
fn agree_with_data(subjects: &[Subject]) {
    assert_eq!(agree(Engine::Gdb, subjects).texts(), 0);
}

fn programs_in_c(engine: Engine) {
    agree(
        engine,
        &[
            subject("gcc", "deep.c", &["-g", "-O2"], 8),
            subject("gcc", "inlined.c", &["-g", "-O2"], 12),
            subject("gcc", "types.c", &["-g", "-O0"], 8),
            subject("gcc", "values.c", &["-g", "-O2"], 8),
            subject("gcc", "walk.c", &["-gdwarf-4", "-O1"], 8),
            subject("gcc", "optimised.c", &["-g", "-O2"], 8),
            subject("gcc", "gone.c", &["-g", "-O2"], 12),
            subject("gcc", "gone.c", &["-gdwarf-4", "-O2"], 12),
            subject("gcc", "texts.c", &["-g", "-O0", "-w"], 24),
            subject("clang", "texts.c", &["-gdwarf-4", "-O2", "-w"], 24),
        ],
    );
}

fn programs_in_cplusplus(engine: Engine) {
    agree(
        engine,
        &[
            subject("g++", "containers.cpp", &["-g", "-O0", "-std=c++17"], 12),
            subject("g++", "scopes.cpp", &["-g", "-O0"], 12),
            subject("g++", "local_class.cpp", &["-g", "-O0"], 20),
        ],
    );
}

/// The headers of libstdc++ 14 and gdb's printers for them, as tests/run unpacks them, and a library with the name of
/// theirs: both sides choose their words by it.
#[test]
fn containers_of_libstdcxx_14() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/target/libstdc++-14/usr");
    let headers = [format!("{root}/include/c++/14"), format!("{root}/include/x86_64-linux-gnu/c++/14")];
    assert!(Path::new(&headers[0]).is_dir(), "no headers of libstdc++ 14 in target: tests/run unpacks them");
    let [common, of_machine] = &headers;
    let place = tempfile::tempdir().unwrap();
    let asked = Command::new("g++").arg("-print-file-name=libstdc++.so.6").output().unwrap().stdout;
    let library = PathBuf::from(String::from_utf8(asked).unwrap().trim());
    std::fs::copy(library, place.path().join("libstdc++.so.6.0.33")).unwrap();
    std::os::unix::fs::symlink("libstdc++.so.6.0.33", place.path().join("libstdc++.so.6")).unwrap();
    let path = format!("-Wl,-rpath,{}", place.path().display());
    for standard in ["-std=c++17", "-std=c++20"] {
        let own = ["-nostdinc++", "-isystem", common, "-isystem", of_machine, "-fstandalone-debug", &path];
        let options = [&["-g", "-O0", standard], &own[..]].concat();
        let printers = Some(PathBuf::from(format!("{root}/share/gcc/python")));
        let name = format!("containers.cpp {standard}, libstdc++ 14");
        agree(Engine::Native, &[Subject { name, printers, ..subject("clang++", "containers.cpp", &options, 12) }]);
    }
}

fn programs_in_fortran(engine: Engine) {
    let plain = |file, stops| subject("gfortran", file, &["-g", "-O0"], stops);
    let programs = [("derived.f90", 20), ("assumed.f", 24), ("repeated.f90", 12), ("components.f90", 24)];
    agree(engine, &programs.map(|(file, stops)| plain(file, stops)));
    agree(engine, &[Subject { found: Found::ByLine, ..plain("padded.f90", 20) }]);
}

/// Types of every kind, in memory and in registers.
#[test]
fn every_kind_of_value_by_the_gdb_engine() {
    agree(
        Engine::Gdb,
        &[
            subject("gcc", "kinds.c", &["-g", "-O0", "-w"], 14),
            subject("gcc", "kinds.c", &["-g", "-O2", "-w"], 14),
            subject("g++", "kinds.cpp", &["-g", "-O0"], 14),
            subject("g++", "kinds.cpp", &["-g", "-O2"], 14),
            subject("gfortran", "derived.f90", &["-g", "-O2"], 10),
        ],
    );
}

/// Arrays with unknown bounds and with gaps, sections of them, complex numbers and strings. (gdb 13 crashes on listing
/// the functions of sections.f90.)
#[test]
fn values_of_fortran_are_data_by_the_gdb_engine() {
    let sections = |level| Subject { found: Found::ByLine, ..subject("gfortran", "sections.f90", &["-g", level], 16) };
    agree_with_data(&[
        sections("-O0"),
        sections("-O2"),
        subject("gfortran", "assumed.f", &["-g", "-O0"], 24),
        subject("gfortran", "repeated.f90", &["-g", "-O0"], 12),
    ]);
}

/// Each argument of a parameter pack is shown as in gdb.
#[test]
fn parameter_packs_by_the_gdb_engine() {
    // The other compiler gives each argument a name of its own.
    let packs = |compiler| subject(compiler, "packs.cpp", &["-std=c++17", "-g", "-O0"], 16);
    agree(Engine::Gdb, &[packs("clang++"), packs("g++")]);
}

/// Classes, templates in two units, arrays.
#[test]
fn classes_and_arrays_by_the_gdb_engine() {
    let part = crate::support::marks::source("forms_part.cpp").display().to_string();
    let forms = |options: &[&str]| {
        let options = [&["-std=c++17", part.as_str()], options].concat();
        subject("g++", "forms.cpp", &options, 12)
    };
    agree(
        Engine::Gdb,
        &[
            subject("g++", "classes.cpp", &["-g", "-O0"], 12),
            subject("g++", "classes.cpp", &["-g", "-O2"], 12),
            forms(&["-g", "-O0"]),
            forms(&["-gdwarf-4", "-O1"]),
            subject("gfortran", "shapes.f90", &["-g", "-O0"], 12),
            subject("gfortran", "shapes.f90", &["-g", "-O2"], 12),
        ],
    );
}

macro_rules! on_both {
    ($($name:ident),+) => {
        mod native {
            $(#[test]
            fn $name() {
                super::$name(crate::stage::Engine::Native);
            })+
        }
        mod gdb {
            $(#[test]
            fn $name() {
                super::$name(crate::stage::Engine::Gdb);
            })+
        }
    };
}

on_both!(programs_in_c, programs_in_cplusplus, programs_in_fortran);
