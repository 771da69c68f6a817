//! Real software and the variants in which it is built.

use crate::mpi;
use crate::real::RUNS;
use crate::sources::{Sources, files_in, run};
use crate::walk::{Found, Subject};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A compiler and its options.
pub type Way = &'static [&'static str];

const C: &[Way] = &[
    &["gcc", "-g", "-O0"],
    &["gcc", "-g", "-O2"],
    &["gcc", "-gdwarf-4", "-O1"],
    &["gcc", "-g3", "-O3"],
    &["clang", "-g", "-O0"],
    &["clang", "-g", "-O2"],
    &["clang", "-gdwarf-4", "-O0"],
    &["clang", "-gdwarf-4", "-O2"],
];

const CPLUSPLUS: &[Way] =
    &[&["g++", "-g", "-O0"], &["g++", "-g", "-O2"], &["clang++", "-g", "-O0"], &["clang++", "-gdwarf-4", "-O2"]];

const FORTRAN: &[Way] = &[&["gfortran", "-g", "-O0"], &["gfortran", "-g", "-O2"], &["gfortran", "-gdwarf-4", "-O3"]];

const RUST: &[Way] = &[&["rustc", "-g", "--edition=2021"], &["rustc", "-g", "--edition=2021", "-O"]];

/// The input of the compiler.
pub struct Parts {
    pub files: Vec<PathBuf>,
    pub options: Vec<String>,
}

struct Software {
    name: &'static str,
    ways: &'static [Way],
    parts: fn(&Sources) -> Parts,
    /// The name of the file in `drivers` that the program reads.
    argument: Option<&'static str>,
    /// Suffixes of the sources whose functions get breakpoints; all sources if empty.
    sources: &'static [&'static str],
}

/// Only functions of the crate and the program; the standard library would take most stops.
const GRAPHS: &[&str] = &[
    "use_petgraph.rs",
    "graph_impl/mod.rs",
    "traversal.rs",
    "dijkstra.rs",
    "unionfind.rs",
    "scored.rs",
    "algo/mod.rs",
];

/// Only functions of the crate and the program, as for the graphs.
const EXPRESSIONS: &[&str] = &[
    "use_regex_syntax.rs",
    "ast/parse.rs",
    "ast/mod.rs",
    "ast/visitor.rs",
    "hir/mod.rs",
    "hir/translate.rs",
    "hir/literal.rs",
    "hir/interval.rs",
];

const SOFTWARE: &[Software] = &[
    Software { name: "lua", ways: C, parts: lua, argument: Some("use_lua.lua"), sources: &[] },
    Software { name: "zlib", ways: C, parts: zlib, argument: None, sources: &[] },
    Software { name: "sqlite", ways: C, parts: sqlite, argument: None, sources: &[] },
    Software { name: "tinyxml2", ways: CPLUSPLUS, parts: tinyxml2, argument: None, sources: &[] },
    Software { name: "jsoncpp", ways: CPLUSPLUS, parts: jsoncpp, argument: None, sources: &[] },
    Software { name: "fmt", ways: CPLUSPLUS, parts: fmt, argument: None, sources: &[] },
    Software { name: "lapack", ways: FORTRAN, parts: lapack, argument: None, sources: &[] },
    Software { name: "mocassin", ways: FORTRAN, parts: mocassin, argument: None, sources: &[] },
    Software { name: "hpl", ways: mpi::C, parts: mpi::hpl, argument: None, sources: &[] },
    Software { name: "mumps", ways: mpi::FORTRAN, parts: mpi::mumps, argument: None, sources: &[] },
    Software { name: "petgraph", ways: RUST, parts: petgraph, argument: None, sources: GRAPHS },
    Software { name: "regex-syntax", ways: RUST, parts: regex_syntax, argument: None, sources: EXPRESSIONS },
    Software { name: "rusty", ways: RUST, parts: rusty, argument: None, sources: &["rusty.rs"] },
    Software { name: "returning", ways: RUST, parts: returning, argument: None, sources: &["returning.rs"] },
];

pub fn driver(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential/drivers").join(name)
}

fn parts(main: &str, mut files: Vec<PathBuf>, include: &Path, options: &[&str]) -> Parts {
    files.push(driver(main));
    let mut options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
    options.push(format!("-I{}", include.display()));
    Parts { files, options }
}

fn lua(sources: &Sources) -> Parts {
    let lua = sources.crates().join("lua-src/lua-5.4.7");
    let files = files_in(&lua, &["c"], &["lua.c", "luac.c", "onelua.c", "ltests.c"]);
    parts("use_lua.c", files, &lua, &["-DLUA_USE_POSIX", "-lm"])
}

fn zlib(sources: &Sources) -> Parts {
    let zlib = sources.crates().join("libz-sys/src/zlib");
    parts("use_zlib.c", files_in(&zlib, &["c"], &[]), &zlib, &["-DHAVE_UNISTD_H"])
}

fn sqlite(sources: &Sources) -> Parts {
    let sqlite = sources.crates().join("libsqlite3-sys/sqlite3");
    parts("use_sqlite.c", vec![sqlite.join("sqlite3.c")], &sqlite, &["-DSQLITE_THREADSAFE=0", "-lm", "-ldl"])
}

fn tinyxml2(sources: &Sources) -> Parts {
    let tinyxml2 = sources.debian("tinyxml2");
    parts("use_tinyxml2.cpp", vec![tinyxml2.join("tinyxml2.cpp")], &tinyxml2, &["-std=c++17"])
}

fn jsoncpp(sources: &Sources) -> Parts {
    let jsoncpp = sources.debian("libjsoncpp");
    let files = files_in(&jsoncpp.join("src/lib_json"), &["cpp"], &[]);
    parts("use_jsoncpp.cpp", files, &jsoncpp.join("include"), &["-std=c++17"])
}

fn fmt(sources: &Sources) -> Parts {
    let fmt = sources.debian("fmtlib");
    let files = files_in(&fmt.join("src"), &["cc"], &["fmt.cc"]);
    parts("use_fmt.cpp", files, &fmt.join("include"), &["-std=c++17"])
}

/// The routines that the driver needs, of LAPACK's thousands, with those that they need.
fn lapack(sources: &Sources) -> Parts {
    let lapack = sources.debian("lapack");
    let objects = sources.directory.join("lapack.objects");
    // Each variant searches again: old objects would hide missing ones.
    let _ = std::fs::remove_dir_all(&objects);
    std::fs::create_dir_all(&objects).unwrap();
    let mut files: Vec<PathBuf> =
        ["la_constants.f90", "la_xisnan.F90"].map(|name| lapack.join("SRC").join(name)).into();
    let mut new = files.clone();
    new.push(driver("use_lapack.f90"));
    loop {
        let mut compiler = Command::new("gfortran");
        run(compiler.args(["-c", "-w", "-O0"]).args(&new).current_dir(&objects));
        let mut link = Command::new("gfortran");
        let objects = files_in(&objects, &["o"], &[]);
        let said = link.args(objects).args(["-o", "/dev/null"]).env("LC_ALL", "C").output().unwrap();
        let said = String::from_utf8_lossy(&said.stderr).into_owned();
        let missing: BTreeSet<&str> =
            said.lines().filter_map(|line| line.split_once("undefined reference to `")?.1.strip_suffix("_'")).collect();
        if missing.is_empty() {
            break;
        }
        let places = ["BLAS/SRC", "SRC", "INSTALL"].map(|place| lapack.join(place));
        let file = |name: &&str| {
            let mut all = places.iter().flat_map(|place| ["f", "f90"].map(|end| place.join(format!("{name}.{end}"))));
            all.find(|file| file.exists()).unwrap_or_else(|| panic!("no source of {name}"))
        };
        new = missing.iter().map(file).collect();
        files.extend(new.iter().cloned());
    }
    let modules = format!("-J{}", objects.display());
    parts("use_lapack.f90", files, &objects, &[modules.as_str()])
}

/// The modules of a Fortran 2003 program with its types and the operations on them.
fn mocassin(sources: &Sources) -> Parts {
    let source = sources.debian("mocassin").join("source");
    let modules = sources.directory.join("mocassin.modules");
    std::fs::create_dir_all(&modules).unwrap();
    let files = ["constants", "vector", "common", "interpolation"].map(|name| source.join(format!("{name}_mod.f90")));
    let option = format!("-J{}", modules.display());
    parts("use_mocassin.f90", files.into(), &modules, &[option.as_str()])
}

/// A crate of generic graphs, instantiated in the program that uses it.
fn petgraph(sources: &Sources) -> Parts {
    with_crate(sources, "petgraph", "use_petgraph.rs")
}

/// A crate of nested enums, boxes and traits, most of which has code of its own.
fn regex_syntax(sources: &Sources) -> Parts {
    with_crate(sources, "regex_syntax", "use_regex_syntax.rs")
}

fn with_crate(sources: &Sources, needed: &str, main: &str) -> Parts {
    let dependencies = sources.rust_crates();
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let libraries = files_in(&dependencies, &["rlib"], &[]);
    let library = libraries.iter().find(|path| name(path).starts_with(&format!("lib{needed}-"))).expect("the crate");
    let options =
        vec![format!("-Ldependency={}", dependencies.display()), format!("--extern={needed}={}", library.display())];
    Parts { files: vec![driver(main)], options }
}

fn own(name: &str) -> Parts {
    Parts { files: vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name)], options: Vec::new() }
}

fn rusty(_: &Sources) -> Parts {
    own("rusty.rs")
}

fn returning(_: &Sources) -> Parts {
    own("returning.rs")
}

/// The programs whose name with compiler and options contains `wanted`, each built on demand.
pub fn subjects(sources: &Sources, wanted: &str, stops: usize) -> impl Iterator<Item = Subject> {
    let all = SOFTWARE.iter().flat_map(|software| {
        let named = |way: &Way| format!("{} {}", software.name, way.join(" "));
        software.ways.iter().map(move |way| (software, way, named(way)))
    });
    all.filter(move |(_, _, name)| name.contains(wanted)).map(move |(software, way, name)| {
        let program = sources.directory.join(name.replace(' ', ""));
        if !program.exists() {
            let Parts { files, options } = (software.parts)(sources);
            let (compiler, ways) = way.split_first().unwrap();
            let quiet = if *compiler == "rustc" { "--cap-lints=allow" } else { "-w" };
            run(Command::new(compiler).args(ways).arg(quiet).args(&files).args(&options).arg("-o").arg(&program));
        }
        let arguments = software.argument.iter().map(|name| driver(name).display().to_string()).collect();
        let sources = software.sources.iter().map(|end| (*end).to_owned()).collect();
        Subject { name, program, arguments, sources, found: Found::ByFunction, stops, runs: RUNS, printers: None }
    })
}
