//! Files of breakpoints: `save breakpoints` writes the table as it is, and `source` restores it.

use crate::support::batch::{Place, json};
use crate::support::build::plain;
use serde_json::Value;

/// The table of breakpoints without their numbers, which go on, and their hits.
fn table(text: &str, from: &str) -> Vec<Value> {
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut rows: Vec<Value> = rows
        .skip_while(|row| row["type"] != "text" || row["text"] != from)
        .take_while(|row| row["command"] != "breakpoints")
        .filter(|row| row["type"] == "breakpoint" || row["type"] == "text")
        .skip(1)
        .collect();
    for row in &mut rows {
        let row = row.as_object_mut().unwrap();
        ["id", "hits", "hits_by_rank"].iter().for_each(|name| _ = row.remove(*name));
    }
    rows
}

#[test]
fn a_file_of_breakpoints_restores_the_table() {
    let place = tempfile::tempdir().unwrap();
    let program = plain("habits.c");
    let file = |name: &str| place.path().join(name).display().to_string();
    let (first, second) = (file("first"), file("second"));
    let script = format!(
        "break work if n > 0\nignore 1 3\nbreak add\nenable once 2\n[1] tbreak main\nbreak habits.c:27\ndisable 4\nhbreak \
         habits.c:28\nenable count 3 5\ncommands\nsilent\nprint 1\nend\nbreak add\nenable delete 6\ndprintf \
         work, \"%d\\n\", n\ndisable 2\nenable count 2 2\necho before\\n\nbreakpoints\nsave breakpoints {first}\ndelete\nsource \
         {first}\necho after\\n\nbreakpoints\nsave breakpoints {second}\n"
    );
    let outcome = json(&["-n", "2"], &[program.to_str().unwrap()], &script).expect(0);
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    assert_eq!(read(&first), read(&second), "{}", outcome.text);
    let (before, after) = (table(&outcome.text, "before"), table(&outcome.text, "after"));
    assert_eq!(before, after, "{}", outcome.text);
    assert!(before.len() >= 7, "{before:?}");
    let text = read(&first);
    for line in ["enable count 2 $bpnum\n", "enable delete $bpnum\n", "ignore $bpnum 3\n", "disable $bpnum\n"] {
        assert!(text.contains(line), "{line}{text}");
    }
}

/// As in gdb: hits that were ignored already are not ignored again.
#[test]
fn hits_that_are_still_to_be_ignored_are_saved() {
    let place = tempfile::tempdir().unwrap();
    let program = plain("habits.c");
    let file = place.path().join("points").display().to_string();
    let script = format!(
        "handle SIGUSR1 nostop\nbreak add\nignore 1 5\nbreak work\nenable once 2\ngo\nwait\ngo\nwait exited\nsave breakpoints {file}\nbreakpoints\n"
    );
    let outcome = json(&["-n", "2"], &[program.to_str().unwrap()], &script).expect(0);
    let points = outcome.of("breakpoint");
    let left = points.iter().rev().find(|point| point["location"] == "add").unwrap()["after"].as_u64().unwrap();
    assert!((1..5).contains(&left), "{}", outcome.text);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(&format!("break add\nignore $bpnum {left}\n")), "{text}");
    assert!(text.contains("break work\ndisable $bpnum\n"), "{text}");
}

#[test]
fn breakpoints_of_ranks_that_have_ended_wait_for_the_next_start() {
    let program = plain("habits.c");
    let arguments = ["run", "-n", "2", "--timeout", "80", "--batch", "-", program.to_str().unwrap()];
    let told = Place::new()
        .run(
            &arguments,
            "handle SIGUSR1 nostop\ntbreak work\nbreak nosuch\ngo\nwait\ngo\nwait exited\nbreakpoints\ndisable 2\n",
        )
        .text;
    let ended = told.split("exited with").nth(1).unwrap();
    let words = "[0-1] breakpoint 2: nosuch, set when the job starts again (\"run\")";
    assert!(ended.contains(&format!("{words}\n")) && ended.contains(&format!("{words}, disabled\n")), "{told}");
    assert!(!ended.contains("pending"), "{told}");
}
