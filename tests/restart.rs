//! What a job that starts again keeps.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

mod support;

use support::batch::json;

#[test]
fn a_restart_keeps_what_happens_on_signals() {
    let program = support::build::plain("contract.c");
    let script = "handle SIGUSR1 nostop\n[1] handle SIGUSR2 noprint nostop\nrestart\nsignals SIGUSR1\ngo\nwait\n";
    let outcome = json(&["-n", "2"], &[program.to_str().unwrap(), "signal"], script).expect(0);
    let stops: Vec<_> = outcome.of("stopped").into_iter().filter(|stop| stop["reason"] == "signal").collect();
    assert_eq!(outcome.ranks("stopped", "signal", "SIGUSR2"), "0", "{stops:?}");
    assert_eq!(outcome.ranks("stopped", "signal", "SIGUSR1"), "", "{stops:?}");
    assert_eq!(outcome.ranks("killed", "signal", "SIGUSR2"), "1");
}

#[test]
fn a_job_is_started_again_as_a_whole_or_not_at_all() {
    let program = support::build::plain("contract.c");
    let program = program.to_str().unwrap();
    let outcome = json(&["-n", "2"], &[program, "signal"], "[0] restart\n").expect(1);
    let error = &outcome.of("error")[0];
    assert_eq!((error["ranks"].as_str(), outcome.of("session").len()), (Some("0"), 1), "{}", outcome.text);
    assert!(error["message"].as_str().unwrap().contains("as a whole"), "{error}");
    // A focus is not a wish to restart some ranks; that all of them are is said.
    let outcome = json(&["-n", "2"], &[program, "signal"], "focus 1\nrestart\n[all] restart\n").expect(0);
    let notes = outcome.of("message");
    let told = notes.iter().filter(|note| note["message"].as_str().is_some_and(|text| text.contains("all ranks")));
    assert_eq!((told.count(), outcome.of("session").len()), (1, 3), "{}", outcome.text);
}
