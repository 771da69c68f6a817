//! Data in files: what `save`, `dump` and `append` write, as numpy and gdb have it, and what `restore` reads back.

use crate::support::batch::{Outcome, Place, json};
use crate::support::build::build;
use crate::support::gdb::gdb;
use crate::support::marks::source;
use serde_json::{Value, json as object};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

pub(crate) fn line(file: &str) -> usize {
    let text = std::fs::read_to_string(source(file)).unwrap();
    text.lines().position(|line| line.contains("stop here")).unwrap() + 1
}

/// Runs commands where the program has all its data; `DIR` in them is the directory that is returned.
#[track_caller]
pub(crate) fn at(file: &str, options: &[&str], commands: &[&str]) -> (Outcome, TempDir) {
    let compiler = if file == "saved.c" { "gcc" } else { "gfortran" };
    let program = build(compiler, file, &["-g", "-O0"]);
    let place = tempfile::tempdir().unwrap();
    let lines = commands.join("\n").replace("DIR", place.path().to_str().unwrap());
    let script = format!("break {file}:{}\ngo\nwait\n{lines}\n", line(file));
    (json(&[options, &["--keep-going"]].concat(), &[program.to_str().unwrap()], &script), place)
}

/// An array in a file of numpy: the type, the order, the axes and the data.
fn array(path: &Path) -> (String, bool, Vec<u64>, Vec<u8>) {
    let bytes = std::fs::read(path).unwrap();
    assert_eq!(bytes[..8], *b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
    let of = |name: &str| header.split_once(&format!("'{name}': ")).unwrap().1;
    let axes = of("shape").split_once(')').unwrap().0.trim_start_matches('(');
    let axes = axes.split(',').filter_map(|count| count.trim().parse().ok()).collect();
    let kind = of("descr").split('\'').nth(1).unwrap().to_owned();
    (kind, of("fortran_order").starts_with("True"), axes, bytes[10 + length..].to_vec())
}

/// The interpreter of Python that has numpy.
#[track_caller]
pub(crate) fn python_with_numpy() -> &'static str {
    let has_numpy = |python: &&&str| {
        Command::new(python).args(["-c", "import numpy"]).output().is_ok_and(|output| output.status.success())
    };
    ["python3", "/usr/bin/python3"].iter().find(has_numpy).expect("python3-numpy is needed for this test")
}

/// What numpy makes of the files: type, axes and values.
#[track_caller]
fn numpy(place: &Path, names: &[&str]) -> Value {
    let script = "import json, sys, numpy\n\
        print(json.dumps([[a.dtype.str, list(a.shape), a.astype('c16').view('f8').tolist() if a.dtype.kind == 'c' else \
        a.astype('f8').tolist()] for a in map(numpy.load, sys.argv[1:])]))";
    let python = python_with_numpy();
    let output = Command::new(python).args(["-c", script]).args(names).current_dir(place).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
pub(crate) fn errors(outcome: &Outcome) -> Vec<String> {
    outcome.of("error").iter().map(|error| error["message"].as_str().unwrap().to_owned()).collect()
}

const ARRAYS: [(&str, &str, &str); 8] = [
    ("grid", "<f8", "[[200.5,201.5,202.5,203.5],[210.5,211.5,212.5,213.5],[220.5,221.5,222.5,223.5]]"),
    ("list[0]@count", "<i4", "[2000.0,2001.0,2002.0,2003.0,2004.0,2005.0]"),
    ("bytes", "|i1", "[1.0,-2.0,3.0,-4.0]"),
    ("truths", "|b1", "[1.0,0.0,1.0]"),
    ("waves", "<c16", "[1.5,-2.0,0.0,3.0]"),
    ("extended[1]", "<f16", "2.0"),
    ("count", "<i4", "6.0"),
    ("particles.mass", "<f8", "[0.25,1.25,2.25]"),
];

#[track_caller]
fn saves_arrays_of_c(engine: &str, arrays: &[(&str, &str, &str)]) {
    let lines: Vec<String> =
        arrays.iter().enumerate().map(|(at, (text, ..))| format!("[2] save {text} DIR/{at}.npy")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (outcome, place) = at("saved.c", &["-n", "3", "--engine", engine], &lines);
    let outcome = outcome.expect(0);
    let names: Vec<String> = (0..arrays.len()).map(|at| format!("{at}.npy")).collect();
    for ((text, kind, _), name) in arrays.iter().zip(&names) {
        let (of, by_columns, ..) = array(&place.path().join(name));
        assert_eq!((of.as_str(), by_columns), (*kind, false), "{text}: {}", outcome.text);
    }
    let found = numpy(place.path(), &names.iter().map(String::as_str).collect::<Vec<_>>());
    for (at, (text, kind, values)) in arrays.iter().enumerate() {
        assert_eq!(found[at][0], *kind, "{text}");
        assert_eq!(found[at][2], serde_json::from_str::<Value>(values).unwrap(), "{text}");
    }
}

#[test]
fn numpy_reads_arrays_of_c() {
    saves_arrays_of_c("native", &ARRAYS);
    // To gdb, a member of an array is that of the first element.
    saves_arrays_of_c("gdb", &ARRAYS[..7]);
}

#[test]
fn the_arrays_of_several_ranks_have_the_rank_as_first_axis_or_a_file_each() {
    for engine in ["native", "gdb"] {
        let lines = [
            "save grid DIR/all.npy",
            "save grid DIR/%r.npy",
            "save list[0]@ragged DIR/ragged.npy",
            "save list[0]@ragged DIR/ragged.%r.npy",
            "save ragged DIR/ranks.csv",
            "[1,2] save list[0]@ragged DIR/ragged.csv",
            "[0] save grid DIR/grid.csv",
        ];
        let (outcome, place) = at("saved.c", &["-n", "3", "--engine", engine], &lines);
        let outcome = outcome.expect(1);
        let file = |name: &str| place.path().join(name);
        let (kind, by_columns, axes, whole) = array(&file("all.npy"));
        assert_eq!((kind.as_str(), by_columns, axes), ("<f8", false, vec![3, 3, 4]));
        let each = (0..3).map(|rank| array(&file(&format!("{rank}.npy"))));
        let parts: Vec<Vec<u8>> = each
            .map(|(_, _, axes, bytes)| (axes, bytes))
            .map(|(axes, bytes)| {
                assert_eq!(axes, [3, 4]);
                bytes
            })
            .collect();
        assert_eq!(parts.concat(), whole);
        let found = errors(&outcome);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("ragged.%r.npy") && found[0].contains("ranks 0 and 1"), "{found:?}");
        assert!(!file("ragged.npy").exists());
        assert_eq!(array(&file("ragged.2.npy")).2, [3]);
        let text = |name: &str| std::fs::read_to_string(file(name)).unwrap();
        assert_eq!(text("ranks.csv"), "0,1\n1,2\n2,3\n");
        assert_eq!(text("ragged.csv"), "1,1000\n1,1001\n2,2000\n2,2001\n2,2002\n");
        assert_eq!(text("grid.csv"), "0.5,1.5,2.5,3.5\n10.5,11.5,12.5,13.5\n20.5,21.5,22.5,23.5\n");
        let saved = outcome.of("saved");
        assert_eq!(saved[0]["shape"], object!([3, 3, 4]));
        assert_eq!((&saved[0]["ranks"], &saved[0]["bytes"]), (&object!("0-2"), &object!(288)));
        assert_eq!(saved[1]["files"][2]["rank"], 2);
        let left = std::fs::read_dir(place.path())
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().starts_with('.'));
        assert_eq!(left.count(), 0, "incomplete files are left");
    }
}

#[test]
fn arrays_of_fortran_keep_their_subscripts() {
    let lines = [
        "[0] save a DIR/a.npy",
        "save a DIR/both.npy",
        "[0] save tall DIR/tall.npy",
        "save tall DIR/talls.npy",
        "[0] save odd DIR/odd.npy",
        "[0] save a(2,:) DIR/row.npy",
        "[0] save z DIR/z.npy",
        "[0] save a DIR/a.csv",
        "[0] dump value DIR/odd.bin odd",
    ];
    let rows: Vec<Vec<f64>> = (1..=3).map(|i| (1..=4).map(|j| f64::from(10 * i + j)).collect()).collect();
    let tall: Vec<Vec<f64>> = (1..=2000).map(|i| (1..=3).map(|j| f64::from(10 * i + j)).collect()).collect();
    for engine in ["native", "gdb"] {
        let (outcome, place) = at("saved.f90", &["-n", "2", "--engine", engine], &lines);
        outcome.expect(0);
        assert!(array(&place.path().join("a.npy")).1, "memory is in columns");
        let names = ["a.npy", "both.npy", "tall.npy", "talls.npy", "odd.npy", "row.npy", "z.npy"];
        let found = numpy(place.path(), &names);
        let values = |at: usize| found[at][2].clone();
        assert_eq!(values(0), object!(rows), "{engine}");
        assert_eq!(values(1), object!([rows, rows]), "{engine}");
        assert_eq!(values(2), object!(tall), "{engine}");
        assert_eq!(values(3), object!([tall, tall]), "{engine}");
        assert_eq!(values(4), object!([9.0, 7.0, 5.0, 3.0, 1.0]), "{engine}");
        assert_eq!(values(5), object!(rows[1]), "{engine}");
        assert_eq!(values(6), object!([1.0, 2.0, 3.0, -4.0]), "{engine}");
        let text = std::fs::read_to_string(place.path().join("a.csv")).unwrap();
        assert_eq!(text, "11.0,12.0,13.0,14.0\n21.0,22.0,23.0,24.0\n31.0,32.0,33.0,34.0\n", "{engine}");
        let odd: Vec<u8> = [9_i32, 7, 5, 3, 1].iter().flat_map(|number| number.to_le_bytes()).collect();
        assert_eq!(std::fs::read(place.path().join("odd.bin")).unwrap(), odd, "{engine}");
    }
}

#[test]
fn arrays_of_derived_types_are_saved_by_their_components() {
    let lines = ["[0] save cells%u DIR/u.npy", "[0] save cells%n DIR/n.npy"];
    let (outcome, place) = at("saved.f90", &["-n", "1"], &lines);
    outcome.expect(0);
    assert_eq!(array(&place.path().join("u.npy")).2, [3, 2]);
    let found = numpy(place.path(), &["u.npy", "n.npy"]);
    assert_eq!(found[0][2], object!([[10.0, 11.0], [20.0, 21.0], [30.0, 31.0]]));
    assert_eq!(found[1][2], object!([1.0, 2.0, 3.0]));
}

/// Lines that gdb and rankscope both take.
const DUMPS: [&str; 7] = [
    "dump value DIR/grid grid",
    "dump binary value DIR/field flags.middle",
    "dump value DIR/number count + 1",
    "dump value DIR/particles particles[1]",
    "dump memory DIR/memory &grid[1][0] (char *)&grid[1][0] + 20",
    "append memory DIR/memory single &single[2]",
    "append binary value DIR/memory bytes",
];

#[test]
fn dumps_have_the_bytes_that_gdb_dumps() {
    let program = build("gcc", "saved.c", &["-g", "-O0"]);
    let theirs = tempfile::tempdir().unwrap();
    let questions: Vec<String> =
        DUMPS.iter().map(|dump| dump.replace("DIR", theirs.path().to_str().unwrap())).collect();
    let way = [format!("break saved.c:{}", line("saved.c")), "run".to_owned()];
    gdb(&program, &[], &[&way[0], &way[1]], &questions);
    for engine in ["native", "gdb"] {
        let (outcome, ours) = at("saved.c", &["-n", "1", "--engine", engine], &DUMPS);
        outcome.expect(0);
        for name in ["grid", "field", "number", "particles", "memory"] {
            let read = |place: &TempDir| std::fs::read(place.path().join(name)).unwrap();
            assert_eq!(read(&ours), read(&theirs), "{name} under {engine}");
        }
    }
}

#[test]
fn a_file_is_restored_to_where_gdb_restores_it() {
    let program = build("gcc", "saved.c", &["-g", "-O0"]);
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("bytes");
    std::fs::write(&file, (0..16).collect::<Vec<u8>>()).unwrap();
    let name = file.display();
    let restores = [
        format!("restore {name} binary target"),
        format!("restore {name} binary &target[0]-4 4 6"),
        format!("restore {name} binary target 3+1"),
        format!("restore {name} binary target 2 sizeof(int)*2"),
    ];
    for restore in &restores {
        let way = [format!("break saved.c:{}", line("saved.c")), "run".to_owned()];
        let questions = [restore.clone(), "output/d target".to_owned()];
        let theirs = gdb(&program, &[], &[&way[0], &way[1]], &questions);
        for engine in ["native", "gdb"] {
            let (outcome, _) = at("saved.c", &["-n", "2", "--engine", engine], &[restore, "print/d target"]);
            let outcome = outcome.expect(0);
            assert_eq!(outcome.of("value")[0]["value"], theirs[1].as_str(), "{restore} under {engine}");
            assert_eq!(outcome.of("restored")[0]["ranks"], "0-1");
        }
    }
}

#[test]
fn each_rank_gets_back_its_own_file() {
    let lines = [
        "dump value DIR/grid.%r grid",
        "set variable grid[2][3] = 7",
        "restore DIR/grid.%r binary grid",
        "print grid[2][3]",
    ];
    let (outcome, _place) = at("saved.c", &["-n", "3"], &lines);
    let outcome = outcome.expect(0);
    let values: Vec<Value> = outcome.of("value").iter().map(|value| value["value"].clone()).collect();
    assert_eq!(values, ["23.5", "123.5", "223.5"]);
}

#[test]
fn arrays_of_any_size_are_written_block_by_block() {
    let lines = ["save big[0]@big_count DIR/big.npy", "[1] save big[0]@big_count DIR/big.bin"];
    let (outcome, place) = at("saved.c", &["-n", "2"], &lines);
    outcome.expect(0);
    let (_, _, axes, bytes) = array(&place.path().join("big.npy"));
    assert_eq!(axes, [2, 1 << 20]);
    let numbers = bytes.chunks_exact(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()));
    let wanted = (0..2_u32).flat_map(|rank| (0..1_u32 << 20).map(move |at| f64::from(at + rank)));
    assert!(numbers.eq(wanted));
    assert_eq!(std::fs::read(place.path().join("big.bin")).unwrap(), bytes[8 << 20..]);
}

#[test]
fn a_refusal_says_what_to_type_and_leaves_files_as_they_were() {
    let lines = [
        "dump value DIR/u.bin grid",
        "save u.npy",
        "[0] save particles DIR/p.csv",
        "[0] save list DIR/p.npy",
        "[0] save nosuch DIR/p.npy",
        "[0] dump memory DIR/kept 0 16",
        "[0] dump memory DIR/kept 16 0",
        "[0] dump value /dev/full grid",
        "[0] dump value DIR/no/where grid",
        "[0] restore DIR/kept binary target 4",
        "[0] restore DIR/none binary target",
        "[0] restore DIR/kept target",
        "[0] save particles DIR/p.bin",
    ];
    let program = build("gcc", "saved.c", &["-g", "-O0"]);
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("kept"), "old").unwrap();
    let lines = lines.join("\n").replace("DIR", place.path().to_str().unwrap());
    let script = format!("break saved.c:{}\ngo\nwait\n{lines}\n", line("saved.c"));
    let outcome = json(&["-n", "2", "--keep-going"], &[program.to_str().unwrap()], &script).expect(1);
    let found = errors(&outcome);
    let wanted = [
        "u.%r.bin",
        "save EXPRESSION u.npy",
        "as in .id",
        "how many elements",
        "No symbol \"nosuch\"",
        "Cannot access memory at address 0x0",
        "is before its start",
        "not a regular file",
        "No such file or directory",
        "which has 3 bytes",
        "No such file or directory",
        "expected \"binary\"",
    ];
    assert_eq!(found.len(), wanted.len(), "{found:#?}");
    for (error, wanted) in found.iter().zip(wanted) {
        assert!(error.contains(wanted), "{error} lacks {wanted}");
    }
    assert_eq!(std::fs::read_to_string(place.path().join("kept")).unwrap(), "old");
    assert_eq!(std::fs::read(place.path().join("p.bin")).unwrap().len(), 3 * 32);
}

#[test]
fn simulated_ranks_and_core_files_are_saved_as_well() {
    let place = tempfile::tempdir().unwrap();
    let name = place.path().display();
    let script = format!(
        "break kernel\ngo\nwait\nsave rank {name}/r.npy\nsave rod[1].id {name}/p.csv\n\
        [1] dump memory {name}/m.bin &rank &rank+1\n"
    );
    let home = Place::new();
    let outcome = home.run(&["demo", "--simulate", "-n", "5", "--batch", "-", "--json"], &script).expect(0);
    let (kind, _, axes, bytes) = array(&place.path().join("r.npy"));
    assert_eq!((kind.as_str(), axes), ("<i4", vec![5]), "{}", outcome.text);
    assert_eq!(bytes, (0..5_i32).flat_map(i32::to_le_bytes).collect::<Vec<u8>>());
    assert_eq!(std::fs::read_to_string(place.path().join("p.csv")).unwrap().lines().count(), 5);
    assert_eq!(std::fs::read(place.path().join("m.bin")).unwrap(), 1_i32.to_le_bytes());

    let (live, cores) = at("saved.c", &["-n", "2"], &["gcore DIR", "save grid DIR/live.npy"]);
    live.expect(0);
    let program = build("gcc", "saved.c", &["-g", "-O0"]);
    let files = cores.path();
    let script = format!("save grid {}/dead.npy\n", files.display());
    let arguments = ["core", "--batch", "-", "--json", program.to_str().unwrap(), files.to_str().unwrap()];
    home.run(&arguments, &script).expect(0);
    let read = |name: &str| std::fs::read(files.join(name)).unwrap();
    assert_eq!(read("dead.npy"), read("live.npy"));
}

#[test]
fn strings_are_written_as_their_characters_and_containers_with_nodes_are_refused() {
    let program = build("g++", "keyed.cpp", &["-g", "-O0", "-std=c++17"]);
    let text = std::fs::read_to_string(source("keyed.cpp")).unwrap();
    let line = text.lines().position(|line| line.contains("BREAK here")).unwrap() + 1;
    let place = tempfile::tempdir().unwrap();
    let refused = ["chain", "nothing", "single", "bits", "queue", "by_place"];
    let saved = ["text", "broad", "row", "either"].map(|name| format!("save {name} DIR/{name}.bin"));
    let lines = saved.into_iter().chain(refused.map(|name| format!("save {name} DIR/{name}.bin")));
    let lines = lines.collect::<Vec<_>>().join("\n").replace("DIR", place.path().to_str().unwrap());
    let script = format!("break keyed.cpp:{line}\ngo\nwait\n{lines}\n");
    let outcome = json(&["--keep-going"], &[program.to_str().unwrap()], &script).expect(1);
    let found = errors(&outcome);
    assert_eq!(found.len(), refused.len(), "{found:?}");
    assert!(found.iter().all(|error| error.contains("dump value FILE EXPRESSION")), "{found:?}");
    let bytes = |name: &str| std::fs::read(place.path().join(name)).unwrap();
    assert_eq!(bytes("text.bin"), b"text of more than fifteen characters");
    assert_eq!(bytes("broad.bin"), b"a\0\0\0b\0\0\0");
    assert_eq!(bytes("row.bin"), [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
    assert_eq!(bytes("either.bin")[..8], 2.5_f64.to_le_bytes());
    assert!(refused.iter().all(|name| !place.path().join(format!("{name}.bin")).exists()));
}
