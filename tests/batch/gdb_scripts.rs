//! Commands of gdb that scripts use: quiet forms, settings for one command, the shell, pipes.

use crate::support::batch::{Outcome, Place, json};
use crate::support::build::plain;
use serde_json::Value;

#[track_caller]
fn run(engine: &str, script: &str) -> Outcome {
    let program = plain("habits.c");
    json(&["-n", "2", "--engine", engine], &[program.to_str().unwrap()], script).expect(0)
}

fn texts(outcome: &Outcome) -> Vec<String> {
    outcome.of("text").iter().map(|text| text["text"].as_str().unwrap().to_owned()).collect()
}

fn values(outcome: &Outcome) -> Vec<Value> {
    outcome.of("value").iter().map(|value| value["value"].clone()).collect()
}

#[test]
fn frames_are_chosen_silently() {
    for engine in ["native", "gdb"] {
        let script = "break add\ngo\nwait\nup-silently\nwhatis c\ndown-silently\nwhatis a\nselect-frame 1\nwhatis c\n\
                      select-frame function main\nup\n";
        let outcome =
            json(&["-n", "2", "--engine", engine, "--keep-going"], &[plain("habits.c").to_str().unwrap()], script);
        assert!(outcome.of("frame").is_empty(), "{engine}: {}", outcome.text);
        let types: Vec<_> = outcome.of("type").iter().map(|of| of["value_type"].clone()).collect();
        assert_eq!(types.len(), 3, "{engine}: {}", outcome.text);
        assert_eq!(types[0], types[2], "{engine}");
        assert!(outcome.text.contains("this is the outermost frame"), "{engine}: {}", outcome.text);
    }
}

#[test]
fn breakpoints_are_saved_without_the_rest() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("points");
    let script = format!(
        "set patience 7\nbreak add if a > 1\ntcatch syscall write\ncommands 1\nprint a\nend\nskip work\n\
         save breakpoints {0}\ndelete\nsource {0}\nbreakpoints\n",
        file.display()
    );
    let outcome = run("native", &script);
    let written = std::fs::read_to_string(&file).unwrap();
    let expected = "break add if a > 1\ncommands $bpnum\n  print a\nend\ntcatch syscall write\n";
    assert_eq!(written.replace("commands\n", "commands $bpnum\n"), expected);
    let points: Vec<_> = outcome.of("breakpoint").iter().rev().take(2).map(|point| point["location"].clone()).collect();
    assert_eq!(points, ["catch syscall write", "add"], "{}", outcome.text);
}

#[test]
fn a_setting_holds_for_one_command() {
    let script = "with print-elements 2 -- print table\nprint table[7]\n[1] with print-elements 3 -- print table\n\
                  show print-elements\n";
    let outcome = run("native", script);
    let shown: Vec<_> =
        outcome.of("value").iter().map(|value| (value["ranks"].clone(), value["value"].clone())).collect();
    assert_eq!(shown[0].1, "{1, 2...}", "{}", outcome.text);
    assert_eq!((&shown[2].0, &shown[2].1), (&"1".into(), &"{1, 2, 3...}".into()), "{}", outcome.text);
    assert_eq!(outcome.of("settings").last().unwrap()["settings"][0]["value"], "200", "{}", outcome.text);
    let place = Place::new();
    let program = plain("habits.c");
    let arguments = ["run", "--timeout", "60", "--keep-going", "--batch", "-", "-n", "1", program.to_str().unwrap()];
    let script = "with print-elements many -- print 1\nwith nothing 1 -- print 1\nwith print-elements 3\n\
                  with print-elements 3 -- print nothing_here\nshow print-elements\n";
    let outcome = place.run(&arguments, script).expect(1);
    let all = format!("{}{}", outcome.text, outcome.errors);
    for words in [
        "print-elements must be a number",
        "unknown setting",
        "with SETTING VALUE -- COMMAND",
        "No symbol \"nothing_here\"",
    ] {
        assert!(all.contains(words), "{words}: {all}");
    }
    assert!(all.contains("print-elements  200"), "a failed command leaves no other value: {all}");
}

#[test]
fn the_shell_of_this_host_runs_commands() {
    let outcome = run("native", "shell echo one; echo two >&2\n!echo three # four\n! printf '\\033[2Jx'\n");
    assert_eq!(texts(&outcome), ["one\ntwo", "three", "\u{1b}[2Jx"], "{}", outcome.text);
    let program = plain("habits.c");
    let arguments = ["run", "--timeout", "60", "--batch", "-", "-n", "1", program.to_str().unwrap()];
    let outcome = Place::new().run(&arguments, "!printf '\\033[2Jx'\nshell exit 3\nprint 1\n").expect(1);
    let all = format!("{}{}", outcome.text, outcome.errors);
    assert!(all.contains("exit 3: exit status: 3") && !all.contains('\u{1b}') && !all.contains("= 1"), "{all}");
}

#[test]
fn a_session_that_ends_takes_its_shell_commands_with_it() {
    let program = plain("habits.c");
    let arguments = ["run", "--timeout", "2", "--batch", "-", "-n", "1", program.to_str().unwrap()];
    // Place::run waits until no process is left.
    Place::new().run(&arguments, "shell sleep 1000 | cat\n").expect(3);
}

#[test]
fn what_a_command_shows_is_piped() {
    let script = "pipe print table[3] | sed 's/^/> /'\n| echo a\\nb\\n | wc -l\n\
                  pipe -d ~ print 4 | 1 ~ cat\n[1] pipe print table[1] | cat\npipe print 1 | head -n 0\n";
    let outcome = run("native", script);
    let told = texts(&outcome);
    assert_eq!(told[0], "> [0-1] table[3] = 4", "{}", outcome.text);
    assert_eq!((told[1].trim(), told[2].as_str(), told[3].as_str()), ("2", "[0-1] 4 | 1 = 5", "[1] table[1] = 2"));
    assert_eq!(told.len(), 4, "{}", outcome.text);
    assert!(values(&outcome).is_empty(), "{}", outcome.text);
    let program = plain("habits.c");
    let arguments = ["run", "--timeout", "60", "--keep-going", "--batch", "-", "-n", "1", program.to_str().unwrap()];
    let script = "pipe print nothing_here | cat\npipe print 1\npipe | cat\n";
    let outcome = Place::new().run(&arguments, script).expect(1);
    let all = format!("{}{}", outcome.text, outcome.errors);
    for words in ["No symbol \"nothing_here\"", "expected two commands: pipe COMMAND | SHELL"] {
        assert!(all.contains(words), "{words}: {all}");
    }
}

#[test]
fn the_directory_the_version_and_the_state_are_told() {
    let outcome = run("native", "cd /tmp\npwd\nshow version\ninfo program\n");
    let told = texts(&outcome);
    assert!(told.iter().any(|text| text == "working directory: /tmp"), "{told:?}");
    assert!(told.iter().any(|text| text.starts_with("rankscope ") && text.contains('.')), "{told:?}");
    assert_eq!(outcome.of("status")[0]["groups"][0]["function"], "main", "{}", outcome.text);
}

#[test]
fn a_script_cannot_edit_but_learns_the_place() {
    let program = plain("habits.c");
    let arguments = ["run", "--timeout", "60", "--keep-going", "--batch", "-", "-n", "1", program.to_str().unwrap()];
    let outcome = Place::new().run(&arguments, "edit add\nedit habits.c:3\nedit\nedit no_such_function\n").expect(1);
    let all = format!("{}{}", outcome.text, outcome.errors);
    assert_eq!(all.matches("edit needs the full screen; the place is /").count(), 3, "{all}");
    assert!(all.contains("habits.c:3\n") && all.contains("no_such_function"), "{all}");
}
