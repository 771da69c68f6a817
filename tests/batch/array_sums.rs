//! `stats` and `scan` of many ranks: all together, whether the front end adds them up or the servers do.

use crate::support::batch::{Outcome, Place, json};
use crate::support::build::build;
use crate::support::marks::line;
use serde_json::json as object;

const ASKED: &str = "stats u\nscan u nan\nscan u >= 115\nscan u < -1\n";

fn program() -> String {
    build("gcc", "array_of_rank.c", &["-g", "-O0"]).display().to_string()
}

fn script(limit: &str) -> String {
    let line = line("array_of_rank.c", "measured");
    format!("break array_of_rank.c:{line}\ngo\nwait\n{limit}\n{ASKED}")
}

fn of_twelve(options: &[&str], limit: &str) -> Outcome {
    json(&[&["-n", "12"], options].concat(), &[&program()], &script(limit)).expect(0)
}

#[test]
fn all_ranks_are_also_measured_together() {
    let outcome = of_twelve(&[], "");
    assert_eq!((outcome.of("stats").len(), outcome.of("scan").len()), (12, 3 + 2 + 1));
    let [sum] = outcome.of("stats_summary").try_into().unwrap();
    assert_eq!(
        (&sum["ranks"], &sum["count"], &sum["nan"], &sum["nan_ranks"]),
        (&object!("0-11"), &object!(120), &object!(3), &object!("3,5"))
    );
    assert_eq!(sum["min"][0], object!({"rank": 0, "value": 0, "at": [0]}));
    assert_eq!(sum["max"][1], object!({"rank": 10, "value": 109, "at": [9]}));
    // (7140 - 37 - 50 - 51) / 117, to the digits that are the same in any tree.
    assert_eq!(sum["mean"], object!(59.846_153_85));
    assert!(outcome.of("scan_summary").is_empty(), "few findings speak for themselves");
}

#[test]
fn a_tree_adds_up_what_one_server_would() {
    let alone = of_twelve(&[], "set print values 2");
    assert!(alone.of("stats").is_empty(), "{}", alone.text);
    assert_eq!(alone.of("stats_summary"), of_twelve(&[], "").of("stats_summary"));
    let [nan] = alone.of("scan_summary").try_into().unwrap();
    assert_eq!((&nan["found"], &nan["found_ranks"], &nan["count"]), (&object!(3), &object!("3,5"), &object!(120)));
    assert_eq!(nan["most"], object!([{"rank": 5, "found": 2}, {"rank": 3, "found": 1}]));
    assert_eq!(nan["first"][1], object!({"rank": 5, "found": 2, "first": [[0], [1]]}));
    let tree = of_twelve(&["--ranks-per-server", "2", "--fan-out", "2"], "set print values 2");
    for kind in ["stats_summary", "scan_summary", "scan"] {
        assert_eq!(tree.of(kind), alone.of(kind), "{kind}");
    }
}

#[test]
fn a_reader_sees_where_the_extremes_are() {
    let outcome =
        Place::new().run(&["run", "--batch", "-", "-n", "12", &program()], &script("set print values 2")).expect(0);
    for expected in [
        "[0-11] u: 120 elements on 12 ranks, 3 NaN (ranks 3,5)",
        "  min 0 at [0] (rank 0), 10 at [0] (rank 1), 20 at [0] (rank 2)",
        "  max 119 at [9] (rank 11), 109 at [9] (rank 10), 99 at [9] (rank 9)",
        "[0-11] u nan: 3 of 120 elements on 12 ranks (ranks 3,5)",
        "  rank 5: 2: [0] [1]",
    ] {
        assert!(outcome.text.lines().any(|said| said == expected), "{expected} is not in\n{}", outcome.text);
    }
}
