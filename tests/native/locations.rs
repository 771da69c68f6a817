//! Locations of variables in forms that few compilers write, with gdb as the judge.

use crate::beside_gdb::Beside;
use crate::driver::compile;
use std::path::Path;

#[test]
fn locations_that_call_others() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("called");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/called.s");
    // Debug information of the assembler would be another unit's.
    compile(&source, &program, &["-g0"]);
    let mut beside = Beside::at(&program, "inner");
    beside.print(&["direct", "by_two", "by_four", "with_nothing", "&by_four == &direct + 1"]);
    assert_eq!(beside.ours("by_four"), "23");
    beside.judge();
}
