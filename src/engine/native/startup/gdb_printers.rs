//! Pretty-printers for gdb that a program brings: this engine cannot run their Python.

use debuginfo::LoadedImages;
use std::path::Path;

/// The script that the Rust compiler names in all programs; this engine knows what its printers know.
const OF_RUST: &str = "gdb_load_rust_pretty_printers.py";

/// Returns a note that says where a program's pretty-printers for gdb can be used, if it brings some.
pub(super) fn note(images: &LoadedImages) -> Option<String> {
    let program = images.executable()?;
    let beside = format!("{}-gdb.py", program.name);
    let scripts = program.image.file().gdb_scripts();
    let named = scripts.iter().find(|name| *name != OF_RUST).map(|name| format!("section .debug_gdb_scripts: {name}"));
    let found = if Path::new(&beside).is_file() { Some(beside) } else { named };
    found.map(|found| {
        format!(
            "the program brings pretty-printers for gdb ({found}): --engine gdb uses them; \"printers FILE\" loads \
                printers for this engine"
        )
    })
}
