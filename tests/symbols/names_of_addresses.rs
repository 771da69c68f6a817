//! Names of addresses, chosen as gdb does: among several names of one place, and for slots of the linkage table.

use crate::built::{build, gdb};
use rankscope::debuginfo::{Image, SymbolStore};
use rankscope::model::FileAddress;
use std::path::Path;

/// gdb's names of addresses: `free@got[plt]`, `main + 4`; `None` if it knows none.
fn gdb_names(path: &Path, addresses: &[u64]) -> Vec<Option<String>> {
    let commands: Vec<String> = addresses.iter().map(|address| format!("info symbol {address:#x}")).collect();
    let said = gdb(path, &commands);
    let name = |line: &str| line.split_once(" in section ").map(|(name, _)| name.to_owned());
    let names: Vec<_> =
        said.lines().filter(|line| line.contains(" in section ") || line.starts_with("No symbol")).collect();
    assert_eq!(names.len(), addresses.len(), "{said}");
    names.into_iter().map(name).collect()
}

fn our_name(image: &Image, address: u64) -> Option<String> {
    let (name, within) = image.symbol_at(FileAddress(address))?;
    Some(if within == 0 { name.to_string() } else { format!("{name} + {within}") })
}

fn compared(path: &Path, addresses: &[u64], counts: impl Fn(&str) -> bool) {
    let image = SymbolStore::new().open(path).unwrap();
    let counted = |name: Option<String>| name.filter(|name| counts(name));
    let theirs: Vec<_> = gdb_names(path, addresses).into_iter().map(counted).collect();
    assert!(theirs.iter().flatten().count() > 2, "{theirs:?}");
    let ours: Vec<_> = addresses.iter().map(|address| counted(our_name(&image, *address))).collect();
    let pairs = addresses.iter().zip(ours.iter().zip(&theirs));
    let differences: Vec<_> = pairs.filter(|(_, (ours, theirs))| ours != theirs).collect();
    assert!(differences.is_empty(), "{differences:#x?}");
}

#[test]
fn slots_of_the_linkage_table() {
    for binding in ["-Wl,-z,lazy", "-Wl,-z,now"] {
        let built = build("odd_stacks.c", &["-g", "-O0", binding]);
        let image = SymbolStore::new().open(&built.path).unwrap();
        let section = |name: &str| image.file().sections().iter().find(|section| section.name == name);
        let slots = section(".got.plt").or_else(|| section(".got")).unwrap().addresses.clone();
        compared(&built.path, &(slots.start.0..slots.end.0).step_by(4).collect::<Vec<_>>(), |name| {
            name.contains("@got")
        });
    }
}

/// The C library has hundreds of addresses with several names.
#[test]
fn places_with_several_names() {
    let built = build("walk.c", &["-g", "-O0"]);
    let linked = std::process::Command::new("ldd").arg(&built.path).output().unwrap();
    let text = String::from_utf8_lossy(&linked.stdout).into_owned();
    let library = text.split_whitespace().find(|word| word.starts_with('/') && word.contains("libc.so")).unwrap();
    let names = ["memcpy", "memmove", "raise", "abort", "malloc", "free", "printf", "write", "read", "open", "fork"];
    let more = ["close", "nanosleep", "pause", "poll", "select", "waitpid", "sigaction", "strtol", "exit", "_exit"];
    let image = SymbolStore::new().open(Path::new(library)).unwrap();
    let addresses: Vec<u64> =
        names.into_iter().chain(more).filter_map(|name| image.symbol(name)).flat_map(|at| [at.0, at.0 + 3]).collect();
    compared(Path::new(library), &addresses, |_| true);
}
