//! Rank sets that are empty, or name ranks that do not exist.

use crate::support::batch::relay as fake;

#[test]
fn errors_about_sets_mark_their_place() {
    for (script, message, position) in [
        ("[9] status\n", "no rank 9: the job has ranks 0-3", 1),
        ("[3-4] go\nstatus\n", "no rank 4: the job has ranks 0-3", 3),
        ("wait 2,7-8 for 1\nstatus\n", "no rank 7-8: the job has ranks 0-3", 7),
        ("[nobody] print nobody\nstatus\n", "no group \"nobody\"", 1),
        (" [0.9] print rank\nstatus\n", "no thread 9", 4),
        ("output rank\nstatus\n", "\"print EXPRESSION\" shows a value", 7),
        ("output c[1].t\nstatus\n", "\"print EXPRESSION\" shows a value", 8),
    ] {
        let outcome = fake(script).expect(1);
        let errors = outcome.of("error");
        assert_eq!(errors.len(), 1, "{script}: {errors:?}");
        assert!(errors[0]["message"].as_str().unwrap().contains(message), "{script}: {errors:?}");
        assert_eq!(errors[0]["position"], position, "{script}: {errors:?}");
    }
}

#[test]
fn a_status_of_nobody_says_so() {
    let outcome = fake("[at(nosuch)] status\n").expect(0);
    assert_eq!(outcome.of("text")[0]["text"], "no rank matches the set");
}
