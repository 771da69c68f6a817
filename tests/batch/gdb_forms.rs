//! Forms of commands that gdb takes: options, numbers and several of a kind.

use crate::support::batch::{Outcome, Place, json};

#[track_caller]
fn run(engine: &str, script: &str) -> Outcome {
    let program = crate::support::build::plain("habits.c");
    json(&["-n", "2", "--engine", engine], &[program.to_str().unwrap()], script).expect(0)
}

#[track_caller]
fn text(script: &str, status: i32) -> Outcome {
    let program = crate::support::build::plain("habits.c");
    let arguments = ["run", "--timeout", "25", "--batch", "-", "-n", "2", program.to_str().unwrap()];
    Place::new().run(&arguments, script).expect(status)
}

#[track_caller]
fn each_in(outcome: &Outcome, parts: &[&str]) {
    for part in parts {
        assert!(outcome.text.contains(part), "{part}: {}", outcome.text);
    }
}

#[test]
fn threads_are_listed_by_number() {
    let program = crate::support::build::plain("threads_staged.c");
    for engine in ["native", "gdb"] {
        let script = "break work\ngo\nwait\ninfo threads 2-3\ninfo threads -gid 1\nthread apply 1-3 -q print 6 * 7\n";
        let outcome = json(&["--engine", engine], &[program.to_str().unwrap()], script).expect(0);
        let lists = outcome.of("threads");
        let numbers = |list: &serde_json::Value| {
            list["threads"].as_array().unwrap().iter().map(|one| one["id"].as_u64().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(lists.iter().map(numbers).collect::<Vec<_>>(), [vec![2, 3], vec![1]], "{engine}: {}", outcome.text);
        assert_eq!(outcome.of("value").len(), 3, "{engine}: {}", outcome.text);
    }
    assert!(text("info threads 7\n", 1).text.contains("no thread 7"));
}

#[test]
fn variables_are_chosen_by_name_and_type() {
    for engine in ["native", "gdb"] {
        let script = "break add\ngo\nwait\ninfo locals su\ninfo locals -q nothing\ninfo locals -t char\ninfo args ^b\n\
                      up\ninfo args -t cell\ninfo args -t int -- n\n";
        let outcome = run(engine, script);
        let names: Vec<Vec<String>> = outcome
            .of("variables")
            .iter()
            .map(|list| {
                let all = list["variables"].as_array().unwrap().iter();
                all.map(|variable| variable["name"].as_str().unwrap().to_owned()).collect()
            })
            .collect();
        let expected: [&[&str]; 5] = [&["sum"], &[], &["b"], &["c"], &["n"]];
        assert_eq!(names, expected, "{engine}: {}", outcome.text);
    }
}

#[test]
fn displays_are_disabled_and_listed() {
    let script =
        "break add\ngo\nwait\ndisplay a\ndisplay/x b\ndisable display 1\ninfo display\nnext\nenable display\nnext\n";
    let outcome = text(script, 0);
    each_in(&outcome, &["Num Enb Expression\n1:  n  a\n2:  y  /x b"]);
    assert_eq!(outcome.text.matches("1: a = 0").count(), 2, "{}", outcome.text);
    assert_eq!(outcome.text.matches("2: /x b = 0x0").count(), 3, "{}", outcome.text);
    each_in(&text("disable display 3\n", 1), &["no displayed expression 3"]);
    each_in(&text("break add\ndisable 1.1\n", 1), &["one by one", "delete 1"]);
}

#[test]
fn several_signals_are_caught_and_all() {
    for engine in ["native", "gdb"] {
        for choice in ["SIGHUP SIGUSR1", "all", "USR1"] {
            let outcome = run(engine, &format!("catch signal {choice}\ngo\nwait\n"));
            assert_eq!(outcome.ranks("stopped", "reason", "signal"), "0-1", "{engine} {choice}: {}", outcome.text);
        }
    }
    each_in(&text("catch signal SIGUSR1 SIGNONE\n", 1), &["unknown signal \"SIGNONE\""]);
    each_in(&text("catch signal all SIGUSR1\n", 1), &["\"all\" stands alone"]);
}

#[test]
fn lists_end_at_functions_and_places_of_files() {
    let outcome = run("native", "list add,work\nlist habits.c:3,habits.c:5\nlist add(int, int)\n");
    let told: Vec<(u64, usize)> = outcome
        .of("source")
        .iter()
        .map(|source| (source["first"].as_u64().unwrap(), source["lines"].as_array().unwrap().len()))
        .collect();
    assert_eq!(told.len(), 3, "{}", outcome.text);
    assert!(told[0].0 > 20 && told[0].1 > 5, "{told:?}");
    assert_eq!(told[1], (3, 3));
    each_in(&text("list habits.c:5,habits.c:3\n", 1), &["the last line is before the first one"]);
}

#[test]
fn a_thread_may_stand_behind_a_condition() {
    let outcome = run("native", "break add if a > 0 thread 1\ngo\nwait\nprint a\n");
    assert_eq!(outcome.of("value")[0]["value"], "1", "{}", outcome.text);
    each_in(&text("break add thread 1 if a > 0 thread 2\n", 1), &["expected one thread, not two"]);
}

#[test]
fn stacks_take_options_and_say_that_they_go_on() {
    let script = "break add\ngo\nwait\nbt -frame-arguments all 1\nbt -frame-arguments none\nshow print frame-arguments\n\
                  bt 2\nbt 3\nbt full 1\ninfo frame level 1\n";
    let outcome = text(script, 0);
    each_in(
        &outcome,
        &["#0  add (a=0, b=0)", "#0  add (a=..., b=...)", "print-frame-arguments  scalars", "Stack level 1"],
    );
    assert_eq!(outcome.text.matches("(More stack frames follow...)").count(), 3, "{}", outcome.text);
    each_in(&text("info frame function main\n", 1), &["\"frame function NAME\" selects a frame"]);
}

#[test]
fn hooks_run_around_any_command() {
    let script = "define hook-next\n  echo before\\n\nend\ndefine hookpost-next\n  echo after\\n\nend\n\
                  define hook-print\n  print 1\nend\ndefine twice\n  print 2 * $arg0\nend\n\
                  define hook-twice\n  echo doubling\\n\nend\nbreak add\ngo\nwait\nn\nnext\np 7\ntwice 4\n[1] next\n";
    let outcome = text(script, 0);
    for (words, times) in [("before", 3), ("after", 3), ("1 = 1", 2), ("7 = 7", 1), ("doubling", 1), ("2 * 4 = 8", 1)] {
        assert_eq!(outcome.text.matches(words).count(), times, "{words}: {}", outcome.text);
    }
    let place = outcome.text.find("before").unwrap();
    assert!(outcome.text[place..].find("after") > outcome.text[place..].find("stopped: step"), "{}", outcome.text);
}

#[test]
fn gdb_reads_the_breakpoints_that_are_saved_for_all_ranks() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("points");
    let script = format!(
        "break add if a > 1\nignore 1 1\ntbreak work\ncatch signal SIGUSR1 SIGUSR2\nbreak habits.c:36\ncommands\n  print total\nend\n\
         disable 4\nsave breakpoints {}\n",
        file.display()
    );
    run("native", &script);
    let program = crate::support::build::plain("habits.c");
    let gdb = std::process::Command::new("gdb")
        .args(["-nx", "-q", "-batch", "-ex", &format!("source {}", file.display()), "-ex", "info breakpoints"])
        .arg(program)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&gdb.stdout).into_owned() + &String::from_utf8_lossy(&gdb.stderr);
    for part in ["stop only if a > 1", "ignore next 1 hits", "del  y", "SIGUSR1 SIGUSR2", "keep n", "print total"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(!told.contains("Error in sourced"), "{told}");
}

#[test]
fn ranks_are_not_before_blank_lines() {
    let outcome = text("info types ^cell$\n", 0);
    assert!(outcome.text.contains("\n\n[0-1] File") && !outcome.text.contains("[0-1]\n"), "{}", outcome.text);
}

#[test]
fn a_wrapper_is_shown_and_unset() {
    each_in(&text("unset exec-wrapper\nshow exec-wrapper\nshow listsize\n", 0), &["exec-wrapper  none", "list-size"]);
}
