//! `layout cart` in jobs of MPI, whose libraries have no debug information.

use crate::support::batch::Place;
use crate::support::build::build;

#[test]
fn the_grid_of_a_job_is_read_at_the_call_that_makes_it() {
    for (compiler, launcher) in [
        ("mpicc.openmpi", vec!["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"]),
        ("mpicc.mpich", vec!["mpirun.mpich"]),
    ] {
        let program = build(compiler, "mpi_grid.c", &["-g", "-O0"]).display().to_string();
        let mut arguments = vec!["run", "--timeout", "80", "--json", "--batch", "-"];
        arguments.extend(launcher);
        arguments.extend(["-n", "4", &program]);
        let lines = "break MPI_Cart_create\ngo\nwait\nlayout cart\n[3] layout\nup\ncolour by rank\ngo\nwait exited\n";
        let outcome = Place::new().run(&arguments, lines);
        let told = outcome.of("layout");
        assert_eq!(told.first().map(|told| &told["layout"]), Some(&"2x2".into()), "{}{}", outcome.text, outcome.errors);
        assert_eq!(told[0]["coordinates"], serde_json::json!([{"rank": 3, "at": [1, 1]}]));
        assert_eq!(outcome.ranks("exited", "code", 0), "0-3", "{}", outcome.text);
    }
}
