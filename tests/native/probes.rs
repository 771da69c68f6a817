//! Libraries are noticed by the static probes of glibc's linker if it has them, else by the function that it calls for
//! debuggers: both, with linkers that have only one of them.

use crate::driver::{Built, Session, build, compile, place};
use rankscope::debuginfo::SymbolStore;
use rankscope::model::{BreakpointId, Event, LaunchSpec, Operation};
use std::path::{Path, PathBuf};
use std::process::Command;

const LOADS: &str = include_str!("../programs/pending.c");
const LIBRARY: &str = include_str!("../programs/pending_library.c");

fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The addresses at which the linker continues after it has called the function for debuggers.
fn changes(linker: &Path) -> Vec<u64> {
    let code = run("objdump", &["-d", linker.to_str().unwrap()]);
    let lines: Vec<&str> = code.lines().collect();
    let calls = lines.windows(2).filter(|pair| {
        let target = pair[0].split('<').nth(1).filter(|_| pair[0].contains("call"));
        target.is_some_and(|name| name.starts_with("_dl_debug_state") && !name.contains('+'))
    });
    calls.map(|pair| u64::from_str_radix(pair[1].split(':').next().unwrap().trim(), 16).unwrap()).collect()
}

fn note(address: u64, name: &str) -> Vec<u8> {
    let text = format!("rtld\0{name}\0-4@$0\0");
    let description = [&address.to_le_bytes()[..], &[0; 16], text.as_bytes()].concat();
    let mut note = [8, description.len() as u32, 3].map(u32::to_le_bytes).concat();
    note.extend(b"stapsdt\0");
    note.extend(description);
    note.resize(note.len().next_multiple_of(4), 0);
    note
}

/// A copy of a program's linker with the probes and without the function's name, or the other way round.
fn copy_of_linker(program: &Built, named: bool) -> PathBuf {
    let path = |name: &str| program.directory.path().join(name);
    let linker = PathBuf::from(SymbolStore::new().open(&program.path).unwrap().file().interpreter().unwrap());
    let copy = path("linker");
    let mut bytes = std::fs::read(&linker).unwrap();
    if named {
        let at = bytes.windows(16).position(|name| name == b"_dl_debug_state\0").unwrap();
        bytes[at..at + 15].copy_from_slice(b"_dl_debug_nobod");
    }
    std::fs::write(&copy, bytes).unwrap();
    let copied = copy.to_str().unwrap();
    run("objcopy", &["--remove-section", ".note.stapsdt", copied]);
    if named {
        let places = changes(&linker);
        assert!(places.len() > 2, "{places:x?}");
        let names = ["init_complete", "map_complete", "unmap_complete"].into_iter().cycle();
        let notes: Vec<u8> = places.into_iter().zip(names).flat_map(|(place, name)| note(place, name)).collect();
        std::fs::write(path("notes"), notes).unwrap();
        run("objcopy", &["--add-section", &format!(".note.stapsdt={}", path("notes").display()), copied]);
    }
    run("chmod", &["+x", copied]);
    copy
}

#[test]
fn libraries_are_noticed_either_way() {
    for named in [true, false] {
        let program = build(LOADS, &["-g", "-O0", "-ldl"]);
        let linker = copy_of_linker(&program, named);
        let path = |name: &str| program.directory.path().join(name);
        std::fs::write(path("twice.c"), LIBRARY).unwrap();
        compile(&path("twice.c"), &path("libtwice.so"), &["-g", "-shared", "-fPIC"]);
        let linked = format!("-Wl,--dynamic-linker={}", linker.display());
        compile(&path("program.c"), &path("other"), &["-g", "-O0", "-ldl", &linked]);
        let spec = LaunchSpec {
            program: path("other").display().to_string(),
            arguments: vec![path("libtwice.so").display().to_string()],
            ..LaunchSpec::default()
        };
        let mut session = Session::launch_spec(1, spec);
        session.stop(0);
        assert_eq!(session.breakpoint(0, 1, "twice"), 0);
        for _ in 0..3 {
            session.go(0);
            assert_eq!(place(&session.stop(0)).0, "twice", "named places: {named}");
        }
        let pending_again = Event::BreakpointMoved(BreakpointId(1), Vec::new());
        assert!(session.all(0).contains(&pending_again), "named places: {named}");
        session.ok(0, Operation::DeleteBreakpoint(BreakpointId(1)));
        session.go(0);
        assert_eq!(session.end(0), Event::Exited(12));
    }
}
