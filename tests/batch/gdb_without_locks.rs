//! A gdb that refuses scheduler-locking, as cuda-gdb does, debugs ranks all the same.

use crate::support::batch::Place;
use crate::support::build::{plain, script};
use std::fs;

#[test]
fn ranks_run_under_a_gdb_that_cannot_hold_threads() {
    let place = Place::new();
    let (wrapper, refusal) = (place.path().join("no-locks-gdb"), place.path().join("refusal.gdb"));
    let refused = "python raise gdb.GdbError(\"Target 'multi-thread' cannot support this command.\")";
    fs::write(&refusal, format!("define set scheduler-locking\n{refused}\nend\n")).unwrap();
    script(&wrapper, &format!("exec gdb -x '{}' \"$@\"", refusal.display()));
    let program = plain("loop.c").display().to_string();
    let arguments = ["run", "--timeout", "80", "--batch", "-", "--gdb", wrapper.to_str().unwrap(), "-n", "2", &program];
    let outcome = place.run(&arguments, "next\nwait\nset scheduler-locking on\nnext\nwait\nstatus\n");
    let text = outcome.text;
    assert!(!text.contains("cannot support this command"), "{text}");
    assert_eq!(text.matches("[0-1] stopped: step").count(), 3, "two steps, and the states: {text}");
    assert!(text.contains("this gdb cannot hold threads: all of them run"), "{text}{}", outcome.errors);
}
