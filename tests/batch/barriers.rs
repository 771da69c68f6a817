//! Barriers from a script: arriving ranks are held until all have arrived.

use crate::support::batch::{Outcome, json};

const RELAY: &str = concat!("fake:", env!("CARGO_MANIFEST_DIR"), "/tests/programs/relay.c");

fn barriers(run: impl Fn(&str) -> Outcome) {
    let outcome =
        run("barrier work\n[0-2] go\n[0-2] wait\n[0] go\n[3] go\nwait\ndelete 1\ngo\nwait exited\n").expect(1);
    let refused = &outcome.of("error")[0];
    assert_eq!((refused["ranks"].as_str(), refused["command"].as_str()), (Some("0"), Some("[0] go")));
    assert!(refused["message"].as_str().unwrap().contains("held"), "{refused}");
    assert_eq!(outcome.ranks("stopped", "reason", "barrier"), "0-3");
    assert!(
        outcome.of("stopped").iter().filter(|stop| stop["reason"] == "barrier").all(|stop| stop["breakpoint"] == 1)
    );
    let free =
        outcome.of("message").into_iter().find(|note| note["message"] == "all ranks have reached barrier 1").unwrap();
    assert_eq!(free["ranks"], "0-3");
    assert_eq!(outcome.ranks("exited", "type", "exited"), "0-3");

    // Held ranks are released when the barrier is deleted, when the user says so, and when no other rank is left to
    // arrive.
    run("barrier work\n[0] go\n[0] wait\ndelete 1\n[0] go\n[0] wait exited\n").expect(0);
    let again = run("barrier work\n[0] go\n[0] wait\n[0] unhold\n[0] go\n[0] wait\n").expect(0);
    assert_eq!(again.of("stopped").iter().filter(|stop| stop["reason"] == "barrier").count(), 2);
    let left = run("barrier work\n[0-2] go\n[0-2] wait\n[3] kill\n[3] wait exited\n[0-2] go\n[0-2] wait\n[0-2] go\n[0-2] wait exited\n").expect(0);
    let free =
        left.of("message").into_iter().find(|note| note["message"] == "all ranks have reached barrier 1").unwrap();
    assert_eq!(free["ranks"], "0-2");
}

#[test]
fn of_simulated_ranks() {
    barriers(|script| json(&["--engine", "fake", "-n", "4", "--keep-going"], &[RELAY], script));
}

#[test]
fn of_processes() {
    let program = crate::support::build::plain("relay.c");
    barriers(|script| json(&["-n", "4", "--keep-going"], &[program.to_str().unwrap()], script));
}
