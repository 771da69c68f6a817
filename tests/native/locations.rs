//! Unusual forms of variable locations, with gdb as the judge.

use crate::beside_gdb::Beside;
use crate::driver::compile;
use std::path::Path;

#[test]
fn locations_that_call_others() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("called");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/called.s");
    // The assembler's debug information would be a unit of its own.
    compile(&source, &program, &["-g0"]);
    let mut beside = Beside::at(&program, "inner");
    beside.print(&["direct", "by_two", "by_four", "with_nothing", "&by_four == &direct + 1"]);
    assert_eq!(beside.ours("by_four"), "23");
    beside.judge();
}

#[test]
fn variables_that_the_linker_has_left_out_are_not_there() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("left_out");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/left_out.c");
    for linker in ["bfd", "gold", "lld"] {
        let linker = format!("-fuse-ld={linker}");
        let sections = ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"];
        compile(&source, &program, &[&["-g", "-O1", &linker][..], &sections].concat());
        let mut beside = Beside::at(&program, "kept");
        beside.print(&["lost", "&lost", "lost_too", "sizeof(lost)", "used", "sink", "dropped"]);
        assert_eq!(beside.ours("used"), "9");
        beside.judge();
    }
}
