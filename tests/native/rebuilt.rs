//! A library rebuilt between two runs of a session, as another file or in place: the new one counts.

use crate::driver::{Session, build, compile, place};
use rankscope::model::{BreakpointId, Event, LaunchSpec, Operation};

const LOADS: &str = include_str!("../programs/pending.c");

/// The source of the library, with its function this many lines further down.
fn source(lines: usize) -> String {
    format!("{}int twice(int n)\n{{\n    return n + n;\n}}\n", "\n".repeat(lines))
}

#[test]
fn what_was_built_again_is_noticed() {
    let program = build(LOADS, &["-g", "-O0", "-ldl"]);
    let path = |name: &str| program.directory.path().join(name);
    let library = path("libtwice.so");
    let spec = LaunchSpec {
        program: program.path.display().to_string(),
        arguments: vec![library.display().to_string()],
        ..LaunchSpec::default()
    };
    let mut session = Session::start();
    for rank in 0..3 {
        let lines = 10 * rank as usize;
        std::fs::write(path("twice.c"), source(lines)).unwrap();
        let built = path("built.so");
        compile(&path("twice.c"), &built, &["-g", "-shared", "-fPIC"]);
        match rank {
            2 => drop(std::fs::copy(&built, &library).unwrap()),
            _ => std::fs::rename(&built, &library).unwrap(),
        }
        session.start_at(rank, spec.clone());
        session.stop(rank);
        assert_eq!(session.breakpoint(rank, 1, "twice"), 0);
        session.go(rank);
        let stop = session.stop(rank);
        assert_eq!(place(&stop), ("twice".to_owned(), lines as u32 + 3));
        session.ok(rank, Operation::DeleteBreakpoint(BreakpointId(1)));
        session.go(rank);
        assert_eq!(session.end(rank), Event::Exited(12));
    }
}
