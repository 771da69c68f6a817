//! Real software from the registries, built with debug information on request.

use crate::own::report;
use crate::software::subjects;
use crate::sources::Sources;
use crate::stage::Engine;
use crate::tally::Tally;
use crate::walk::{Found, Subject, walk};
use std::path::PathBuf;

/// Default for the most stops in each program.
const STOPS: usize = 150;
/// Most runs of each program.
pub const RUNS: usize = 3;

#[test]
fn real_software() {
    let Ok(wanted) = std::env::var("RANKSCOPE_DIFFERENTIAL") else { return };
    let engine = match std::env::var("RANKSCOPE_DIFFERENTIAL_ENGINE").as_deref() {
        Ok("gdb") => Engine::Gdb,
        Ok("native") | Err(_) => Engine::Native,
        Ok(other) => panic!("RANKSCOPE_DIFFERENTIAL_ENGINE={other}: it is native or gdb"),
    };
    let stops = std::env::var("RANKSCOPE_DIFFERENTIAL_STOPS").map_or(STOPS, |stops| stops.parse().unwrap());
    if wanted.contains('/') {
        let mut words = wanted.split(' ').map(str::to_owned);
        let program = PathBuf::from(words.next().unwrap_or_default());
        let subject = Subject {
            name: wanted.clone(),
            program,
            arguments: words.collect(),
            sources: Vec::new(),
            found: Found::ByFunction,
            stops,
            runs: RUNS,
            printers: None,
        };
        report(&wanted, &walk(&subject, engine));
        return;
    }
    let wanted = if wanted == "1" { "" } else { wanted.as_str() };
    let temporary = tempfile::tempdir().unwrap();
    let kept = std::env::var_os("RANKSCOPE_DIFFERENTIAL_DIRECTORY").map(PathBuf::from);
    let sources = Sources { directory: kept.unwrap_or_else(|| temporary.path().to_owned()) };
    let mut all = Tally::of(engine);
    for subject in subjects(&sources, wanted, stops) {
        let tally = walk(&subject, engine);
        report(&subject.name, &tally);
        all.add(tally);
    }
    report("all", &all);
    assert!(all.compared() > 0, "no program is called {wanted}");
}
