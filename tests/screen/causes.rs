//! The first screen names the cause of a real failure of every kind.

use crate::support::{build::build, failures::FAILURES, pty::Terminal};

const RANKSCOPE: &str = env!("CARGO_BIN_EXE_rankscope");
const SIZE: (u16, u16) = (160, 40);

/// Continues ranks that have stopped in `main`, and waits until the screen shows that this one failed, with these words.
#[track_caller]
fn fails(arguments: &[&str], rank: u32, words: &str) {
    let mut terminal = Terminal::start(RANKSCOPE, arguments, SIZE);
    terminal.see(&["0S 1S"]).send("c").until(words, |text| {
        let failed = |row: &str| row.contains(&format!("! {rank}  ")) && row.contains(words);
        text.lines().any(failed)
    });
    terminal.send("qk");
    terminal.exit_status();
}

#[test]
fn the_cause_of_any_failure_is_on_the_first_screen() {
    for failure in &FAILURES {
        let program = failure.program().display().to_string();
        // The place may not fit.
        let words = failure.words.split_once(", ").map_or(failure.words, |(words, _)| words);
        fails(&["run", "-n", "2", "--", &program, failure.how], 1, words);
    }
}

#[test]
fn a_call_of_mpi_abort_is_on_the_first_screen() {
    let program = build("mpicc.mpich", "mpi_aborts.c", &["-g", "-O0", "-w"]).display().to_string();
    let arguments = ["run", "mpirun.mpich", "-n", "2", &program, "world"];
    fails(&arguments, 1, "MPI_Abort(MPI_COMM_WORLD, 42)");
}
