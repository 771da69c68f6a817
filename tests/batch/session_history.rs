//! The value history of a job: `$3` is the value of the same command on all ranks.

use crate::support::batch::{Outcome, Place};
use crate::support::build::plain;

const WAY: &str = "break fill\nrun\n";

fn run(engine: &str, script: &str) -> Outcome {
    let program = plain("left_calls.c").display().to_string();
    let arguments = ["run", "--timeout", "60", "--keep-going", "--batch", "-", "-n", "3", "--engine", engine, &program];
    Place::new().run(&arguments, &format!("{WAY}{script}"))
}

#[track_caller]
fn told(engine: &str, outcome: &Outcome, line: &str) {
    assert!(outcome.text.lines().any(|known| known == line), "{engine}: no {line:?} in {}", outcome.text);
}

fn others(ranks: &str, number: u32) -> String {
    format!("[{ranks}] error: The value history has no ${number} here: that was printed for other ranks.")
}

#[test]
fn a_number_of_the_value_history_is_the_same_command_on_all_ranks() {
    // $1 all, $2 on 0, $3 on 1-2, $4 all; the questions about $2 and $3 are $5 on 0 and $6 on 1-2.
    let script = "print 100\n[0] print 200\n[1-2] print 300\nprint 400\nprint $2 + 1\nprint $3 + 1\nprint $1 + 1\nprint $4 + 1\n\
                  print $$3 + 2\nprint $99\n";
    for engine in ["native", "gdb"] {
        let outcome = run(engine, script).expect(1);
        told(engine, &outcome, "[0] $2 + 1 = 201");
        told(engine, &outcome, &others("1-2", 2));
        told(engine, &outcome, "[1-2] $3 + 1 = 301");
        told(engine, &outcome, &others("0", 3));
        told(engine, &outcome, "[0-2] $1 + 1 = 101");
        told(engine, &outcome, "[0-2] $4 + 1 = 401");
        // $5 to $8 are there: $$3 is $5.
        told(engine, &outcome, "[0] $$3 + 2 = 203");
        told(engine, &outcome, &others("1-2", 5));
        assert!(outcome.text.contains("History has not yet reached $99."), "{engine}: {}", outcome.text);
    }
}

#[test]
fn returned_values_have_the_numbers_of_the_session() {
    let script = "[0] print 1\n[0] print 2\nfinish\n[2] print 3\nprint $3\nprint $\n[1] print $4\n";
    for engine in ["native", "gdb"] {
        let outcome = run(engine, script).expect(1);
        told(engine, &outcome, "[0-2] Value returned is $3 = 7");
        told(engine, &outcome, "[0-2] $3 = 7");
        // It was printed as $5.
        told(engine, &outcome, "[0-2] $ = 7");
        told(engine, &outcome, &others("1", 4));
    }
}

/// The values of the earlier processes went with them.
#[test]
fn the_numbers_begin_anew_when_the_job_starts_again() {
    for engine in ["native", "gdb"] {
        let outcome = run(engine, "finish\nprint $\nrun\nfinish\nprint $ + 1\n").expect(0);
        let values = outcome.text.lines().filter(|line| *line == "[0-2] Value returned is $1 = 7").count();
        assert_eq!(values, 2, "{engine}: {}", outcome.text);
        told(engine, &outcome, "[0-2] $ + 1 = 8");
    }
}

#[test]
fn text_in_a_format_is_not_in_the_value_history_as_in_gdb() {
    let script = "print 100\nprintf \"%d\\n\", 5\noutput k + 6\nprint $ + 1\neval \"print %d\", 7\nprint $$ + 2\n";
    for engine in ["native", "gdb"] {
        let outcome = run(engine, script).expect(0);
        told(engine, &outcome, "[0-2] $ + 1 = 101");
        told(engine, &outcome, "[0-2] $$ + 2 = 103");
    }
}
