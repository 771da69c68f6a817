//! Sources of the same base name in a program and its library, and names that several files have. gdb is the judge.

use crate::beside_gdb::Beside;
use crate::driver::{Built, Session, compile};
use rankscope::model::{Answer, Operation};
use std::process::Command;

/// `same.c` of the library has code in lines 1 to 9, that of the program in 2, 3, 5 and 14.
const LIBRARY: &str = "int library(int x)\n{\n    x++;\n    x++;\n    x++;\n    x++;\n\n\n    return x;\n}\n";
const PROGRAM: &str =
    "int library(int);\nint main(void)\n{\n\n    int x = library(1);\n\n\n\n\n\n\n\n\n    return x;\n}\n";

fn built() -> Built {
    let directory = tempfile::tempdir().unwrap();
    let source = |folder: &str, text: &str| {
        let folder = directory.path().join(folder);
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("same.c"), text).unwrap();
        folder.join("same.c")
    };
    let (library, program) = (source("library", LIBRARY), source("program", PROGRAM));
    let shared = directory.path().join("libsame.so");
    compile(&library, &shared, &["-g", "-O0", "-shared", "-fPIC"]);
    let path = directory.path().join("same");
    let rpath = format!("-Wl,-rpath,{}", directory.path().display());
    compile(&program, &path, &["-g", "-O0", shared.to_str().unwrap(), &rpath]);
    Built { path, directory }
}

/// gdb's breakpoint locations on each line: functions and lines, in order.
fn gdb_places(built: &Built, lines: std::ops::Range<u32>) -> Vec<Vec<(String, u32)>> {
    let mut gdb = Command::new("gdb");
    gdb.args(["-q", "-nx", "-batch", "-ex", "set breakpoint pending off", "-ex", "set width 0"]);
    gdb.args(["-ex", "break main", "-ex", "run"]);
    for line in lines {
        gdb.args(["-ex", "delete", "-ex", "echo ~~~\\n", "-ex", &format!("break same.c:{line}")]);
        gdb.args(["-ex", "info breakpoints"]);
    }
    let output = gdb.arg(&built.path).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let place = |line: &str| {
        let (_, place) = line.split_once(" in ")?;
        let (function, source) = place.split_once(" at ")?;
        Some((function.to_owned(), source.rsplit_once(':')?.1.trim().parse().ok()?))
    };
    let sorted = |part: &str| {
        let mut places: Vec<_> = part.lines().filter_map(place).collect();
        places.sort();
        places
    };
    text.split("~~~").skip(1).map(sorted).collect()
}

#[test]
fn a_line_that_one_file_has_is_not_looked_for_behind_it_in_another() {
    let built = built();
    let lines = 1..16;
    let theirs = gdb_places(&built, lines.clone());
    assert_eq!(theirs.len(), lines.len());
    assert!(theirs.iter().flatten().any(|(function, _)| function == "library"), "{theirs:?}");
    let mut session = Session::launch(&built.path, 1);
    session.stop(0);
    for (line, theirs) in lines.zip(theirs) {
        let request = crate::driver::request(line, &format!("same.c:{line}"));
        let Answer::Breakpoint(_, sites) = session.ask(0, Operation::SetBreakpoint(request)) else { panic!() };
        let mut ours: Vec<(String, u32)> = sites
            .iter()
            .map(|site| {
                (site.function.as_deref().unwrap_or("?").to_owned(), site.source.as_ref().map_or(0, |place| place.line))
            })
            .collect();
        ours.sort();
        assert_eq!(ours, theirs, "same.c:{line}");
    }
}

/// Two files that use the same names for different things.
const SHALLOW: &str = "struct state { int depth; };\ntypedef struct state state_t;\nenum mode { OFF, ON };\nstatic state_t table = { 3 };\n\
    static enum mode mode = ON;\nint deep(int);\nint shallow(int x)\n{\n    return x + table.depth + mode;\n}\n\
    int main(void)\n{\n    return shallow(1) - deep(2);\n}\n";
const DEEP: &str = "struct state { double level; char name[3]; };\ntypedef struct state *state_t;\nenum mode { LOW = 5, HIGH };\n\
    static struct state table = { 2.5, \"ab\" };\nstatic enum mode mode = HIGH;\nint deep(int x)\n{\n    state_t own = &table;\n    \
    return x + (int)own->level + mode;\n}\n";

#[test]
fn a_name_that_several_files_have_means_that_of_the_frame() {
    let directory = tempfile::tempdir().unwrap();
    let (shallow, deep) = (directory.path().join("shallow.c"), directory.path().join("deep.c"));
    std::fs::write(&shallow, SHALLOW).unwrap();
    std::fs::write(&deep, DEEP).unwrap();
    for compiler in ["gcc", "clang"] {
        // In both orders: the first file is not preferred.
        for order in [[&shallow, &deep], [&deep, &shallow]] {
            let program = directory.path().join("names");
            let mut command = Command::new(compiler);
            assert!(command.args(["-g", "-O0", "-o"]).arg(&program).args(order).status().unwrap().success());
            let mut beside = Beside::at(&program, "deep.c:9");
            let mut meant = Vec::new();
            for level in [0, 1] {
                beside.select_frame(level);
                beside.ptype(&["struct state", "state_t", "enum mode", "table", "mode", "&table"]);
                beside.whatis(&["struct state", "state_t", "table", "mode", "table.depth", "table.level"]);
                beside.print(&["table", "mode", "sizeof(struct state)", "sizeof(state_t)", "HIGH", "ON"]);
                meant.push(beside.theirs("ptype struct state"));
            }
            assert_ne!(meant[0], meant[1]);
            beside.judge();
        }
    }
}
