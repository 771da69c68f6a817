//! The programs of this repository.

use crate::stage::Engine;
use crate::support::build::build;
use crate::tally::Tally;
use crate::walk::{Subject, walk};

/// A program with a compiler and options.
fn subject(compiler: &str, file: &str, options: &[&str], stops: usize) -> Subject {
    let program = build(compiler, file, options);
    let name = format!("{file} {}", options.join(" "));
    Subject { name, program, arguments: Vec::new(), sources: vec![file.to_owned()], stops, runs: 1 }
}

/// The report of all, written where it was asked for.
pub fn report(what: &str, tally: &Tally) {
    let text = format!("{what}: {}", tally.report());
    eprintln!("{text}");
    if let Ok(file) = std::env::var("RANKSCOPE_DIFFERENTIAL_REPORT") {
        use std::io::Write as _;
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }
}

fn agree(engine: Engine, subjects: &[Subject]) {
    let mut all = Tally::of(engine);
    for subject in subjects {
        all.add(walk(subject, engine));
    }
    report(subjects.first().map_or("", |first| &first.name), &all);
    assert!(all.compared() > 100, "{} answers compared", all.compared());
    assert_eq!(all.differences().count(), 0);
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
        ],
    );
}

fn programs_in_fortran(engine: Engine) {
    let plain = |file, stops| subject("gfortran", file, &["-g", "-O0"], stops);
    agree(engine, &[plain("derived.f90", 20), plain("assumed.f", 24), plain("repeated.f90", 12)]);
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

/// Classes, templates in two units, arrays. (gdb 13 dies of the list of the functions of sections.f90.)
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
