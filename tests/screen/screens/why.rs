//! The answer of `why` is a page over the views.

use super::*;
use rankscope::controller::{Since, Verdict, Why};
use rankscope::model::ProcessSet;
use rankscope::ui::keys::Chord;

const LINES: [&str; 4] = [
    "ranks 0-9,11-15 wait in MPI_Allreduce (deadlock.c:118) for rank 10.",
    "rank 10 waits in MPI_Sendrecv (deadlock.c:101) for rank 5, tag 200.",
    "deadlock: ranks 5,10 wait for each other.",
    "look at: focus 5,10",
];

/// Asks with the key, and answers.
fn ask(app: &mut App, state: &State) {
    let effects = app.chord(Chord::parse("W").unwrap(), std::time::Instant::now(), state);
    assert!(matches!(effects.as_slice(), [Effect::Execute(line)] if line == "why"), "{effects:?}");
    let why = Why {
        ranks: ProcessSet::all(16),
        verdict: Verdict::Deadlock,
        guilty: ProcessSet::parse("5,10").unwrap(),
        text: LINES.map(str::to_owned).to_vec(),
        edges: Vec::new(),
        samples: 2,
        since: Since::default(),
    };
    let origin = Origin::typed(CommandId(9000), "why");
    let done = Content::Done { elapsed: Duration::ZERO, answered: ProcessSet::all(16), failed: false };
    for content in [Content::Why(why), done] {
        app.report(&Report { origin: Some(origin.clone()), content, limits: FormatOptions::default() }, state);
    }
}

#[test]
fn a_key_shows_for_whom_ranks_wait_on_a_page() {
    let mut driver = in_kernel(CLASSIC, 8);
    let state = driver.state().clone();
    ask(&mut driver.app, &state);
    let shown = driver.text();
    for line in LINES {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
}

#[test]
fn ranks_in_their_own_code_wait_for_nobody() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.keys("W");
    assert!(driver.text().contains("no rank waits for another."), "{}", driver.text());
}
