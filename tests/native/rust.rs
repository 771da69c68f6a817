//! Values and types of Rust, with gdb as the judge, which has the printers of the compiler.

use crate::beside_gdb::Beside;
use crate::driver::line_of;
use crate::support::build::build;
use std::path::PathBuf;

const SOURCE: &str = include_str!("../programs/rusty.rs");

fn program(options: &[&str]) -> PathBuf {
    build("rustc", "rusty.rs", &[&["--edition=2021", "-g"], options].concat())
}

fn at(options: &[&str], mark: &str) -> Beside {
    Beside::at(&program(options), &format!("rusty.rs:{}", line_of(SOURCE, &format!("mark: {mark}"))))
}

/// Values and both texts of types of variables; of `places`, which are others in every process, the types.
fn judged(options: &[&str], mark: &str, variables: &str, places: &str) {
    let mut all: Vec<&str> = variables.split_whitespace().collect();
    let mut beside = at(options, mark);
    beside.print(&all);
    all.extend(places.split_whitespace());
    beside.whatis(&all);
    beside.ptype(&all);
    beside.stack();
    beside.judge();
}

const NUMBERS: &str = "small byte large huge size single letter newline truth nothing";
const COMPOUNDS: &str = "point pair unit tuple nested one bits array zeros grid slice bytes text empty null function \
    wrapper";
const ENUMS: &str = "red green circle rectangle named single some none none_ref boxed unboxed deep deeper good bad color \
    nonzero letter ordering";
const CONTAINERS: &str = "string vector points strings none deque boxed slice borrowed counted weak shared cell refcell tree set hash \
    hashes path os time";

#[test]
fn numbers() {
    judged(&[], "numbers", NUMBERS, "pointer");
}

#[test]
fn structs_tuples_and_slices() {
    judged(&[], "compounds", COMPOUNDS, "reference twice raw mutable");
}

#[test]
fn enums_with_and_without_data() {
    judged(&[], "enums", ENUMS, "some_ref");
}

#[test]
fn containers_as_what_they_hold() {
    judged(&[], "containers", CONTAINERS, "held object borrow");
}

#[test]
fn names_of_the_newer_mangling() {
    let mangling = ["-Csymbol-mangling-version=v0"];
    for mark in ["describe", "closure", "generic", "distance", "area"] {
        let mut beside = at(&mangling, mark);
        beside.stack();
        beside.judge();
    }
}

/// Where gdb gives up, and where it is mistaken.
#[test]
fn values_that_gdb_has_not() {
    let mut beside = at(&[], "enums");
    assert_eq!(beside.ours("wide"), "core::option::Option<u128>::Some(340282366920938463463374607431768211454)");
    let mut beside = at(&[], "numbers");
    assert_eq!(beside.ours("never"), "core::option::Option<core::convert::Infallible>::None");
    let mut beside = at(&[], "containers");
    assert_eq!(beside.ours("held"), "Ref(borrow=1) = {*value = \"inside\", borrow = 1}");
}
