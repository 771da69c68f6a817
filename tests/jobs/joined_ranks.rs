//! Launchers that do not give each copy a rank of its own.

use crate::support::batch::{Outcome, Place};
use crate::support::build;

/// Runs a launcher whose processes have these ranks and sizes.
#[track_caller]
fn run(places: &[(u32, u32)], script: &str) -> Outcome {
    let place = Place::new();
    let launcher = place.path().join("mpirun");
    let start = |(rank, size): &(u32, u32)| format!("PMI_RANK={rank} PMI_SIZE={size} \"$@\" &\n");
    build::script(&launcher, &format!("{}wait", places.iter().map(start).collect::<String>()));
    let (launcher, program) = (launcher.display().to_string(), build::plain("counted.c").display().to_string());
    place.run(&["run", "--json", "--timeout", "28", "--batch", "-", &launcher, &program], script)
}

#[test]
fn ranks_are_those_of_the_environment_in_any_order() {
    let outcome = run(&[(2, 3), (0, 3), (1, 3)], "wait\nwhere\n").expect(0);
    assert_eq!(outcome.ranks("stopped", "reason", "start"), "0-2");
}

#[test]
fn ranks_that_do_not_fit_together_are_said() {
    for (places, words) in [
        (&[(0, 2), (0, 2)], "is rank 0 by its environment: another process is already rank 0"),
        (&[(0, 2), (1, 3)], "in its environment, other ranks one of"),
    ] {
        let outcome = run(places, "").expect(4);
        let said = format!("{}{}", outcome.text, outcome.errors);
        assert!(said.contains(words), "{said}");
    }
}
