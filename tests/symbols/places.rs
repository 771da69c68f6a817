//! Locations of breakpoints.

use crate::built::{build, build_with, gdb};
use rankscope::debuginfo::{Image, SymbolStore};
use rankscope::model::LocationSpec;
use std::path::Path;
use std::sync::Arc;

pub fn open(path: &Path) -> Arc<Image> {
    SymbolStore::new().open(path).unwrap()
}

/// The addresses of gdb's breakpoints for each location, in its order; none if it refuses.
pub fn gdb_sites(path: &Path, locations: &[String]) -> Vec<Vec<u64>> {
    let mut commands = Vec::new();
    for location in locations {
        commands.extend([
            format!("break {location}"),
            "info breakpoints".into(),
            "delete".into(),
            "echo ====\\n".into(),
        ]);
    }
    let text = gdb(path, &commands);
    let parts: Vec<&str> = text.split("====\n").collect();
    let address = |line: &str| {
        let word = line.split_whitespace().find(|word| word.starts_with("0x0000"))?;
        u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()
    };
    parts.iter().take(locations.len()).map(|part| part.lines().filter_map(address).collect()).collect()
}

pub fn our_sites(image: &Image, location: &str) -> Vec<u64> {
    let location = LocationSpec::parse(location).unwrap();
    image.resolve(&location).iter().map(|site| site.address.0).collect()
}

const WAYS: &[&[&str]] = &[
    &["-g", "-O0"],
    &["-g", "-O0", "-no-pie"],
    &["-g", "-O1"],
    &["-g", "-O2"],
    &["-g", "-O2", "-no-pie"],
    &["-g", "-O3"],
    &["-g", "-Og"],
    &["-gdwarf-4", "-O0"],
    &["-gdwarf-4", "-O2"],
    &["-gdwarf-3", "-O2"],
    &["-gdwarf-2", "-O0"],
    &["-g", "-O0", "-fcf-protection=full"],
    &["-g", "-O2", "-fno-omit-frame-pointer"],
    &["-g", "-O2", "-fno-var-tracking"],
    &["-g", "-O2", "-gz"],
    &["-O0"],
    &["-O2"],
];

/// All ways to name a C++ function, with and without debug information.
#[test]
fn functions_of_cplusplus_are_found_as_gdb_finds_them() {
    let names = [
        "f",
        "ns::f",
        "ns::f(int)",
        "f(int)",
        "ns::f(double)",
        "f(double)",
        "f(char)",
        "ns::f ( int )",
        "tmpl",
        "tmpl<int>",
        "tmpl<double>(double)",
        "ns::Box<int>::get",
        "Box<int>::get",
        "Box::get",
        "ns::Box::get",
        "get",
        "Box<int>::Box",
        "Box::Box",
        "Box",
        "ns::Box<int>::~Box",
        "Box<double>::~Box()",
        "Virtual::Virtual",
        "Virtual::Virtual(int)",
        "Virtual::~Virtual",
        "~Virtual",
        "Virtual",
        "Derived::Derived",
        "Virtual::m",
        "Virtual::m(int) const",
        "Virtual::m(int)",
        "m",
        "hidden",
        "(anonymous namespace)::hidden",
        "plain_c",
        "unseen",
        "called",
        "called(int (*)(int), char const* const*, unsigned long)",
        "called(int (*)(int), const char * const *, unsigned long)",
        "main::{lambda(int)#1}::operator()",
        "operator()",
        "Virtual::operator int",
        "operator int",
        "Virtual::operator==",
        "operator==",
        "ns::Box<int>::operator+",
        "Box<int>::operator+",
        "Box<int>::constant",
        "inner::f",
        "ns::inner::f",
        "::f",
        "_ZN2ns1fEi",
        "nothing",
        "ns::nothing",
        "f(nothing)",
    ];
    let described = [
        "ns::f(std::string const&)",
        "ns::f(const std::string &)",
        "ns::tmpl",
        "ns::tmpl<int>",
        "pack",
        "pack<int, char>",
    ];
    let locations: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let with_all: Vec<String> = names.iter().chain(&described).map(|name| (*name).to_owned()).collect();
    for (options, locations) in [
        (&["-g", "-O0", "-w"][..], &with_all),
        (&["-O0", "-w"], &locations),
        (&["-gdwarf-4", "-fdebug-types-section", "-O0", "-w"], &with_all),
    ] {
        let built = build_with("g++", "named.cpp", options);
        let found = differences(&built.path, locations);
        assert!(found.is_empty(), "{options:?}\n{}", found.join("\n"));
    }
}

/// Differences from gdb, a line for each location.
fn differences(path: &Path, locations: &[String]) -> Vec<String> {
    let image = open(path);
    let mut differences = Vec::new();
    for (location, mut expected) in locations.iter().zip(gdb_sites(path, locations)) {
        expected.sort_unstable();
        let ours = our_sites(&image, location);
        if ours != expected {
            differences.push(format!("{location}: {ours:x?}, gdb {expected:x?}"));
        }
    }
    differences
}

#[test]
fn names_with_scopes_are_found_as_gdb_finds_them() {
    let names = [
        "main",
        "use",
        "ns::add",
        "add",
        "f",
        "ns::derived::f",
        "derived::f",
        "base::f",
        "ns::nothing",
        "use(ns::base&, mode, std::string const&)",
        "f(int)",
        "f(double)",
        "ns::derived::f(int)",
        "ns::derived::f(char*)",
        "-qualified f",
        "-qualified derived::f",
        "-qualified ns::derived::f",
        "-q use",
        "-qualified main",
    ];
    let locations: Vec<String> =
        names.iter().map(|name| (*name).to_owned()).chain((1..16).map(|line| format!("scopes.cpp:{line}"))).collect();
    for options in [&["-g", "-O0"], &["-g", "-O2"]] {
        let built = build_with("g++", "scopes.cpp", options);
        let found = differences(&built.path, &locations);
        assert!(found.is_empty(), "{options:?}\n{}", found.join("\n"));
    }
}

#[test]
fn fortran_procedures_are_found_as_gdb_finds_them() {
    let locations: Vec<String> = ["scale", "shapes::scale", "shaped", "main_program", "main"]
        .iter()
        .map(|name| (*name).to_owned())
        .chain((1..38).map(|line| format!("shapes.f90:{line}")))
        .collect();
    for options in [&["-g", "-O0"], &["-g", "-O2"]] {
        let built = build_with("gfortran", "shapes.f90", options);
        let found = differences(&built.path, &locations);
        assert!(found.is_empty(), "{options:?}\n{}", found.join("\n"));
    }
}

#[test]
fn breakpoints_are_where_gdb_puts_them() {
    let functions = ["main", "sum", "twice", "factorial", "empty", "visit", "nothing", "places.c:sum"];
    let lines = 1..75;
    let locations: Vec<String> =
        functions.iter().map(|name| (*name).to_owned()).chain(lines.map(|line| format!("places.c:{line}"))).collect();
    for options in WAYS {
        let built = build("places.c", options);
        let found = differences(&built.path, &locations);
        assert!(found.is_empty(), "{options:?}\n{}", found.join("\n"));
    }
}

#[test]
fn a_function_begins_where_its_prologue_is_said_to_end() {
    let built = build("marked.s", &["-g0"]);
    let locations = ["late", "early", "main"].map(str::to_owned);
    let found = differences(&built.path, &locations);
    assert!(found.is_empty(), "{}", found.join("\n"));
    let image = open(&built.path);
    let line = |name| {
        let sites = image.resolve(&LocationSpec::parse(name).unwrap());
        sites.iter().map(|site| site.source.as_ref().unwrap().line).collect::<Vec<_>>()
    };
    assert_eq!((line("late"), line("early")), (vec![7], vec![13]));
}
