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
