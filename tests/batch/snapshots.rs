//! `snapshot`: values kept at a stop, and `compare snapshot`: what has changed since.

use crate::support::batch::{Outcome, Place, json};
use crate::support::build;

fn program() -> String {
    build::plain("snapshots.c").display().to_string()
}

/// A script that stops ranks 0-2 in the loop and rank 3 in another function.
const APART: &str = "break 21\nbreak 13\ngo\nwait\ndisplay total\nsnapshot start\n";

fn changes(outcome: &Outcome) -> serde_json::Value {
    outcome.of("changes").pop().unwrap_or_else(|| panic!("{}", outcome.text))
}

#[test]
fn a_change_since_a_snapshot_is_told_once_for_the_ranks_that_share_it() {
    for engine in ["native", "gdb"] {
        let script = format!("{APART}[0-2] go\nwait\n[0-2] compare snapshot\nkill\n");
        let outcome = json(&["--engine", engine, "-n", "4"], &[&program()], &script).expect(0);
        let kept = &outcome.of("snapshots")[0]["snapshots"][0];
        assert_eq!((&kept["name"], &kept["ranks"]), (&"start".into(), &"0-3".into()), "{engine}: {kept}");
        assert_eq!(kept["places"][0]["function"], "work", "{engine}: {kept}");
        let told = changes(&outcome);
        assert_eq!((&told["ranks"], &told["snapshot"]), (&"0-2".into(), &"start".into()), "{engine}: {told}");
        let all: Vec<String> = told["changed"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|variable| {
                let name = variable["name"].as_str().unwrap();
                let changes = variable["changes"].as_array().unwrap().iter();
                changes
                    .map(move |change| format!("[{}] {name}: {} {}", change["ranks"], change["before"], change["now"]))
            })
            .map(|line| line.replace('"', ""))
            .collect();
        let expected =
            ["[0-2] i: 0 1", "[0-2] cell: {t = 0.5, id = 7} {t = 1.5, id = 7}", "[2] sum: 0 1", "[0-2] total: 0 1"];
        for line in expected {
            assert!(all.iter().any(|known| known == line), "{engine}: {line}: {all:?}");
        }
        assert_eq!(all.len(), expected.len(), "{engine}: {all:?}");
        let unchanged = told["unchanged"].as_array().unwrap();
        assert!(["rank", "n", "same"].iter().all(|name| unchanged.contains(&(*name).into())), "{engine}: {told}");
    }
}

#[test]
fn the_text_names_what_has_changed_and_what_it_was() {
    let script = format!("{APART}[0-2] go\nwait\n[0-2] compare snapshot start\nsnapshot list\nkill\n");
    let arguments = ["run", "--timeout", "60", "--batch", "-", "-n", "4", &program()];
    let text = Place::new().run(&arguments, &script).expect(0).text;
    for line in [
        "[0-2] snapshot start in work at snapshots.c:21, now in work at snapshots.c:21",
        "[0-2] i = 1 (was 0)",
        "[2] sum = 1 (was 0)",
        "[0-2] total = 1 (was 0)",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}: {text}");
    }
    let listed = "[0-3] snapshot start: ";
    assert!(text.lines().any(|line| line.starts_with(listed) && line.contains("other at snapshots.c:13")), "{text}");
}

#[test]
fn ranks_in_another_function_and_ranks_without_a_snapshot_are_told() {
    let lines = "break 21\nbreak 13\ngo\nwait\n[0-1,3] snapshot\ndelete 1\n[0-2] go\nwait\ncompare snapshot\n\
                 [2] compare snapshot\ncompare snapshot 7\nsnapshot delete 1\ncompare snapshot\nkill\n";
    let outcome = json(&["-n", "4", "--keep-going"], &[&program()], lines).expect(1);
    let told = changes(&outcome);
    assert_eq!((&told["ranks"], &told["other_function"]), (&"0-1,3".into(), &"0-1".into()), "{told}");
    assert!(told["changed"].as_array().unwrap().is_empty(), "rank 3 has not moved: {told}");
    assert!(told["unchanged"].as_array().unwrap().contains(&"twice".into()), "{told}");
    let missing = &outcome.of("missing")[0];
    let words = "not in snapshot 1, which has ranks 0-1,3";
    assert_eq!((&missing["ranks"], &missing["message"]), (&"2".into(), &words.into()), "{missing}");
    let errors: Vec<_> = outcome.of("error").iter().map(|told| told["message"].as_str().unwrap().to_owned()).collect();
    assert_eq!(
        errors,
        [words, "no snapshot \"7\"; known: 1", "no snapshot yet: \"snapshot\" takes one"],
        "{}",
        outcome.text
    );
}

#[test]
fn a_caller_is_compared_in_the_frame_that_is_selected() {
    let lines = "break 21\nbreak 13\ngo\nwait\n[0-2] up\n[0-2] snapshot\ndelete\ntbreak 13\n[0-2] go\nwait\n\
                 [0-2] up\n[0-2] compare snapshot\nkill\n";
    let outcome = json(&["-n", "4"], &[&program()], lines).expect(0);
    let told = changes(&outcome);
    assert_eq!(told["places"][0]["before"]["function"], "main", "{told}");
    assert!(told["other_function"].is_null(), "{told}");
    let expected = serde_json::json!([{"name": "result", "changes": [
        {"ranks": "0-1", "before": "0", "now": "4"}, {"ranks": "2", "before": "0", "now": "8"},
    ]}]);
    assert_eq!(told["changed"], expected, "{told}");
}
