//! The demo where its program cannot be compiled.

use crate::support::batch::{Outcome, Place};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Rankscope in a directory of its own.
fn installed(place: &Place) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(place.path().file_name().unwrap());
    fs::create_dir(&directory).unwrap();
    let program = directory.join("rankscope");
    fs::hard_link(env!("CARGO_BIN_EXE_rankscope"), &program).unwrap();
    program
}

fn demo(place: &Place, program: &Path, script: &str) -> Outcome {
    let mut command = Command::new(program);
    command.env("CC", "/does/not/exist/cc").args(["demo", "-n", "2", "--timeout", "25", "--batch", "-"]);
    place.run_command(&mut command, script)
}

#[test]
fn without_a_compiler_the_demo_is_the_program_beside_rankscope() {
    let place = Place::new();
    let program = installed(&place);
    let refused = demo(&place, &program, "").expect(2);
    for words in ["cannot run \"/does/not/exist/cc\"", "\"rankscope-demo\"", "demo --simulate"] {
        assert!(refused.errors.contains(words), "{}", refused.errors);
    }
    // The command of docs/INSTALL.md.
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app/demo/stencil.c");
    let compiled = Command::new("cc")
        .args(["-g", "-O0", "-static", "-o"])
        .arg(program.with_file_name("rankscope-demo"))
        .arg(&source)
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let outcome = demo(&place, &program, "wait\nbreak relax\ngo\nwait\nprint band->rank\nkill\n").expect(0);
    for words in ["relax at stencil.c:", "[0] band->rank = 0", "[1] band->rank = 1"] {
        assert!(outcome.text.contains(words), "{}", outcome.text);
    }
    fs::remove_dir_all(program.parent().unwrap()).unwrap();
}
