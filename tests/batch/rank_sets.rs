//! Rank sets: by place, and those that are empty or name ranks that do not exist.

use crate::support::batch::relay as fake;

#[test]
fn errors_about_sets_mark_their_place() {
    for (script, message, position) in [
        ("[9] status\n", "no rank 9: the job has ranks 0-3", 1),
        ("[3-4] go\nstatus\n", "no rank 4: the job has ranks 0-3", 3),
        ("wait 2,7-8 for 1\nstatus\n", "no rank 7-8: the job has ranks 0-3", 7),
        ("[nobody] print nobody\nstatus\n", "no group \"nobody\"", 1),
        (" [0.9] print rank\nstatus\n", "no thread 9", 4),
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

#[test]
fn sets_by_function_and_line_look_at_the_whole_stack() {
    let script = "[1,3] break work\n[1,3] go\n[1,3] wait\n\
                  focus in(main)\nfocus top(main)\nfocus in(work)\nfocus in(main) & !top(main)\n";
    let outcome = fake(script).expect(0);
    let focus: Vec<_> = outcome.of("focus").iter().map(|focus| focus["ranks"].clone()).collect();
    assert_eq!(focus, ["0-3", "0,2", "1,3", "1,3"]);
}

#[test]
fn a_display_with_a_place_keeps_its_ranks() {
    let outcome = fake("[1,3] display -here rank\nfocus 0\ndisplay rank\ndisplay\n").expect(0);
    let told = outcome.of("value");
    let told: Vec<(&str, &str)> =
        told.iter().map(|one| (one["expression"].as_str().unwrap(), one["ranks"].as_str().unwrap())).collect();
    let (there, focus) = (("rank @ 1,3", "1,3"), ("rank", "0"));
    assert_eq!(told, [there, focus, there, focus]);
    let numbers: Vec<_> = outcome.of("value").iter().map(|one| one["display"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 1, 2], "undisplay takes them");
    let outcome = fake("display -here\n").expect(1);
    assert!(outcome.of("error")[0]["message"].as_str().unwrap().contains("expected an expression"));
}
