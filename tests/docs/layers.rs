//! Checks the shape of the package: dependencies between layers, lengths of files, contents of folders.

use crate::literals::names_crate;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The layers, which are crates (folders of `src` with a manifest), and the layers that each may use.
const MAY_NAME: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("protocol", &["model"]),
    ("debuginfo", &["model"]),
    ("expr", &["model", "debuginfo"]),
    ("engine", &["model", "debuginfo", "expr"]),
    ("tree", &["model", "protocol", "debuginfo", "engine"]),
    ("controller", &["model", "protocol"]),
    ("ui", &["model", "controller"]),
    ("app", &["model", "protocol", "tree", "controller", "ui"]),
];

/// Most lines of a file; a longer one has two subjects.
const LONGEST: usize = 450;

/// Folder and file names that say nothing about their content.
const CATCH_ALLS: &[&str] = &["utils", "util", "helpers", "helper", "common", "misc", "stuff", "shared", "tools"];

const TOP_LEVEL: &[&str] = &["Cargo.toml", "Cargo.lock", "README.md", "src", "themes", "tests", "screenshots", "docs"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files_below(directory: &Path) -> Vec<PathBuf> {
    let (mut todo, mut found) = (vec![directory.to_owned()], Vec::new());
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            todo.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            found.push(path);
        }
    }
    found
}

fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// A manifest's dependencies for the product and its tests; true if the dependency is a crate of this package.
fn dependencies(manifest: &str) -> Vec<(String, bool)> {
    let sections = ["dependencies", "dev-dependencies", "build-dependencies"].into_iter();
    sections.flat_map(|section| dependencies_in(manifest, section)).collect()
}

fn dependencies_in(manifest: &str, section: &str) -> Vec<(String, bool)> {
    let manifest: toml::Table = fs::read_to_string(root().join(manifest)).unwrap().parse().unwrap();
    let row = |(name, value): (&String, &toml::Value)| (name.clone(), value.get("path").is_some());
    manifest.get(section).and_then(toml::Value::as_table).into_iter().flatten().map(row).collect()
}

#[test]
fn each_layer_names_only_the_layers_below_it() {
    let mut faults = Vec::new();
    for (layer, below) in MAY_NAME {
        let own = dependencies(&format!("src/{layer}/Cargo.toml")).into_iter().filter(|(_, own)| *own);
        let above = own.filter(|(name, _)| !below.contains(&name.as_str()));
        faults.extend(above.map(|(name, _)| format!("src/{layer}/Cargo.toml names {name}")));
    }
    assert_none(&faults);
}

/// The compiler reports unused dependencies only in a crate with one target; this checks a package with many targets,
/// separately for the product and the tests.
#[test]
fn every_dependency_is_used_where_it_is_declared() {
    const ASKED: &str = "#![warn(unused_crate_dependencies)]";
    let mut faults = Vec::new();
    for (layer, _) in MAY_NAME {
        let text = fs::read_to_string(root().join(format!("src/{layer}/lib.rs"))).unwrap();
        if !text.lines().any(|line| line == ASKED) {
            faults.push(format!("src/{layer}/lib.rs: {ASKED} is missing"));
        }
    }
    for (section, places) in [("dependencies", &["src/lib.rs", "src/bin"][..]), ("dev-dependencies", &["tests"])] {
        let files = places.iter().flat_map(|place| files_below(&root().join(place)));
        let sources = files.filter(|path| path.extension().is_some_and(|e| e == "rs"));
        let sources: Vec<String> = sources.map(|path| fs::read_to_string(path).unwrap()).collect();
        let unused = dependencies_in("Cargo.toml", section).into_iter();
        let unused = unused.filter(|(name, _)| !sources.iter().any(|source| names_crate(source, name)));
        faults.extend(unused.map(|(name, _)| format!("Cargo.toml: nothing uses {name} of its {section}")));
    }
    assert_none(&faults);
}

#[test]
fn every_layer_is_in_the_table() {
    let known = |name: &str| name == "bin" || MAY_NAME.iter().any(|(layer, _)| *layer == name);
    let entries = fs::read_dir(root().join("src")).unwrap().map(|entry| entry.unwrap());
    let folders = entries.filter(|entry| entry.path().is_dir()).map(|entry| entry.file_name().into_string().unwrap());
    assert_none(&folders.filter(|name| !known(name)).collect::<Vec<_>>());
}

#[test]
fn a_file_has_one_subject() {
    let mut faults = Vec::new();
    for path in files_below(&root().join("src")).iter().filter(|path| path.extension().is_some_and(|e| e == "rs")) {
        let lines = fs::read_to_string(path).unwrap().lines().count();
        if lines > LONGEST {
            faults.push(format!("{}: {lines} lines, more than {LONGEST}: split it by subject", path.display()));
        }
    }
    assert_none(&faults);
}

#[test]
fn names_say_what_is_inside() {
    let inside = |path: PathBuf| path.strip_prefix(root()).unwrap().to_owned();
    let says_nothing = |path: &PathBuf| {
        path.iter()
            .any(|part| CATCH_ALLS.iter().any(|name| Path::new(part).file_stem().is_some_and(|stem| stem == *name)))
    };
    let found = files_below(&root().join("src")).into_iter().map(inside).filter(says_nothing);
    assert_none(&found.map(|path| path.display().to_string()).collect::<Vec<_>>());
}

#[test]
fn the_top_level_is_as_agreed() {
    let listed = Command::new("git").args(["ls-tree", "--name-only", "HEAD"]).current_dir(root()).output();
    let names: Vec<String> = match listed {
        Ok(output) if output.status.success() => {
            String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
        }
        // Without Git: the unpacked files, except build output.
        _ => fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect(),
    };
    let agreed = |name: &String| name.starts_with('.') || name == "target" || TOP_LEVEL.contains(&name.as_str());
    assert_none(&names.into_iter().filter(|name| !agreed(name)).collect::<Vec<_>>());
}

#[test]
fn the_controller_does_no_io() {
    const DOORS: &[&str] = &["std::fs", "std::io", "std::net", "std::process", "std::env", "fs::", "File::", "env::"];
    let mut faults = Vec::new();
    for path in
        files_below(&root().join("src/controller")).iter().filter(|path| path.extension().is_some_and(|e| e == "rs"))
    {
        let text = fs::read_to_string(path).unwrap();
        let opens = text.lines().filter(|line| DOORS.iter().any(|door| line.contains(door)));
        faults.extend(opens.map(|line| format!("{}: {line}", path.display())));
    }
    assert_none(&faults);
}

/// Files named by a debuggee or its debug information may be pipes, devices or endless.
#[test]
fn engines_open_files_through_one_door() {
    const DOOR: &str = "named_file.rs";
    const OPENS: &[&str] = &["File::open(", "fs::read(", "fs::read_to_string(", "OpenOptions::new()"];
    let mut faults = Vec::new();
    for path in files_below(&root().join("src/engine")).iter().filter(|path| !path.ends_with(DOOR)) {
        let text = fs::read_to_string(path).unwrap();
        let own = text.lines().take_while(|line| !line.contains("#[cfg(test)]"));
        for (number, line) in own.enumerate() {
            let opens = OPENS.iter().any(|way| line.replace("ElfFile::open(", "").contains(way));
            // Files of the kernel.
            let is_known = ["\"/proc/", "\"/dev/null\"", "process.join(\"stat\")"].iter().any(|own| line.contains(own));
            // Reads a file of test data.
            if opens && !is_known && !path.ends_with("mangled/installed.rs") {
                faults.push(format!("{}:{}: {line}", path.display(), number + 1));
            }
        }
    }
    assert_none(&faults);
}

/// Engines share only what lies beside them, and the tree uses engines by name: the native engine can change alone.
#[test]
fn nothing_beside_the_native_engine_names_its_inside() {
    let mut faults = Vec::new();
    for place in ["engine/gdb", "engine/fake", "engine/process", "engine/handover", "tree"] {
        for path in files_below(&root().join("src").join(place)) {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
            let naming = code.enumerate().filter(|(_, line)| line.contains("native::"));
            faults.extend(naming.map(|(number, line)| format!("{}:{}: {line}", path.display(), number + 1)));
        }
    }
    assert_none(&faults);
}
