//! The stacks of all threads as one tree, and the names that OpenMP gives to threads.

use crate::support::batch::{Outcome, Place};
use crate::support::build::build;
use crate::support::marks::line;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const PROGRAM: &str = "thread_team.c";

fn team(compiler: &str) -> PathBuf {
    build(compiler, PROGRAM, &["-g", "-O1", "-fopenmp", "-pthread"])
}

/// Stops two ranks when all their threads are where they stay.
#[track_caller]
fn at_rest(program: &Path, options: &[&str], lines: &str) -> Outcome {
    let way = format!("break {PROGRAM}:{}\ngo\nwait\n{lines}", line(PROGRAM, "here"));
    let start = ["run", "--timeout", "80", "--batch", "-", "-n", "2"];
    let arguments: Vec<&str> = start.iter().chain(options).copied().chain([program.to_str().unwrap()]).collect();
    Place::new().run(&arguments, &way).expect(0)
}

/// A thread of some ranks: its name and the ranks.
type Named = (String, String);

/// The threads in each function of the program, by their numbers.
fn threads_in(trees: &[Value]) -> BTreeMap<String, BTreeMap<u64, Named>> {
    fn note(node: &Value, found: &mut BTreeMap<String, BTreeMap<u64, Named>>) {
        let function = node["function"].as_str().unwrap_or_default();
        if ["relax", "gather", "serve", "all_here"].contains(&function) {
            let threads = found.entry(function.to_owned()).or_default();
            for thread in node["threads"].as_array().unwrap() {
                let text = |name: &str| thread[name].as_str().unwrap_or_default().to_owned();
                threads.insert(thread["thread"].as_u64().unwrap(), (text("name"), text("ranks")));
            }
        }
        node["children"].as_array().unwrap().iter().for_each(|child| note(child, found));
    }
    let mut found = BTreeMap::new();
    trees.iter().for_each(|tree| note(&tree["root"], &mut found));
    found
}

/// The names of the threads in a function, with the ranks.
fn names(threads: &BTreeMap<String, BTreeMap<u64, Named>>, function: &str) -> Vec<String> {
    let mut names: Vec<String> = threads[function].values().map(|(name, ranks)| format!("{name}: {ranks}")).collect();
    names.sort();
    names
}

#[track_caller]
fn team_is_one_tree(compiler: &str) {
    let program = team(compiler);
    let outcome = at_rest(&program, &["--json"], "where -threads\nthreads\n");
    let threads = threads_in(&outcome.of("tree"));
    assert_eq!(names(&threads, "all_here"), ["OpenMP 0: 0-1"]);
    assert_eq!(names(&threads, "relax"), ["OpenMP 1: 0-1", "OpenMP 2: 0", "OpenMP 3: 0-1"]);
    assert_eq!(names(&threads, "gather"), ["OpenMP 2: 1"]);
    assert_eq!(names(&threads, "serve"), ["io: 0-1"]);
    let listed = outcome.of("threads");
    let mut listed: Vec<&str> =
        listed[0]["threads"].as_array().unwrap().iter().map(|thread| thread["name"].as_str().unwrap()).collect();
    listed.sort_unstable();
    assert_eq!(listed, ["OpenMP 0", "OpenMP 1", "OpenMP 2", "OpenMP 3", "io"]);

    // One thread parts from the others in one rank.
    let text = at_rest(&program, &[], "where -threads\n").text;
    let has = |begin: &str, call: &str| text.lines().any(|line| line.starts_with(begin) && line.contains(call));
    assert!(has("[0-1.1] ", "all_here at thread_team.c"), "{text}");
    assert!(has("[0-1.2] ", "serve"), "{text}");
    assert!(has("[1.", "gather at thread_team.c"), "{text}");
    assert!(
        text.lines().any(|line| line.starts_with("[0-1] ") && line.contains("relax") && line.ends_with("(5 threads)"))
    );
}

#[test]
fn a_team_of_gccs_openmp_is_one_tree_with_its_numbers() {
    team_is_one_tree("gcc");
}

#[test]
fn a_team_of_llvms_openmp_is_one_tree_with_its_numbers() {
    team_is_one_tree("clang");
}

#[test]
fn all_threads_of_core_files_are_one_tree() {
    let program = team("gcc");
    let directory = tempfile::tempdir().unwrap();
    let live = at_rest(&program, &["--json"], &format!("where -threads\ngcore {}\n", directory.path().display()));
    let core = |rank: u32| directory.path().join(format!("core.{rank}")).to_str().unwrap().to_owned();
    let (first, second) = (core(0), core(1));
    let arguments = ["core", "--json", "--timeout", "80", "--batch", "-", program.to_str().unwrap(), &first, &second];
    let opened = Place::new().run(&arguments, "where -threads\n").expect(0);
    let (mut live, opened) = (threads_in(&live.of("tree")), threads_in(&opened.of("tree")));
    // A core file does not have the name that the kernel knew.
    let io = live.get_mut("serve").and_then(|threads| threads.values_mut().next()).unwrap();
    io.0 = String::new();
    assert_eq!(opened, live);
}

#[test]
fn all_threads_under_gdb_are_where_the_native_engine_sees_them() {
    let program = team("gcc");
    let seen = |engine: &str| {
        let outcome = at_rest(&program, &["--json", "--engine", engine], "where -threads\n");
        let mut threads = threads_in(&outcome.of("tree"));
        // gdb does not know OpenMP's numbers.
        let of_kernel = |name: &mut String| *name = if name == "io" { "io".to_owned() } else { String::new() };
        threads.values_mut().flat_map(BTreeMap::values_mut).for_each(|(name, _)| of_kernel(name));
        threads
    };
    assert_eq!(seen("gdb"), seen("native"));
}

#[test]
fn whole_stacks_of_all_threads_are_merged_or_their_innermost_frames() {
    let program = team("gcc");
    let outcome = at_rest(&program, &["--json"], "where -threads -limit 1\n");
    let roots: Vec<String> =
        outcome.of("tree").iter().map(|tree| tree["root"]["function"].as_str().unwrap_or("?").to_owned()).collect();
    assert!(roots.contains(&"all_here".to_owned()) && !roots.contains(&"main".to_owned()), "{roots:?}");
    let refused = Place::new()
        .run(&["demo", "--keep-going", "--batch", "-", "-n", "2"], "where -threads -2\nwhere full -threads\n");
    for words in ["-threads shows the innermost frames (-limit N), or all", "-threads and full exclude each other"] {
        assert!(refused.errors.contains(words) || refused.text.contains(words), "{}\n{}", refused.text, refused.errors);
    }
}
