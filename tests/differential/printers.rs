//! The judge's display of values of Rust programs.

use crate::judge::Judge;
use std::path::Path;
use std::process::Command;

/// True for a Rust program: its compiler records the name of its printers in it.
pub fn is_rust(program: &Path) -> bool {
    let wanted = b"gdb_load_rust_pretty_printers.py";
    std::fs::read(program).unwrap().windows(wanted.len()).any(|window| window == wanted)
}

/// Makes the judge use the compiler's pretty-printers, as its wrapper `rust-gdb` does.
pub fn add_printers(judge: &mut Judge) {
    let said = Command::new("rustc").args(["--print", "sysroot"]).output().unwrap();
    let printers = Path::new(String::from_utf8(said.stdout).unwrap().trim()).join("lib/rustlib/etc");
    assert!(printers.join("gdb_lookup.py").exists(), "{}: no printers for gdb", printers.display());
    for command in [
        format!("python import sys; sys.path.insert(0, '{}')", printers.display()),
        "python import gdb.printing, gdb_lookup; gdb.printing.register_pretty_printer(None, gdb_lookup.printer)"
            .to_owned(),
    ] {
        judge.command(&command).unwrap();
    }
}
