//! Jobs that are kept under a name, and started again.

use crate::support::batch::{Outcome, Place};
use crate::support::build;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;

const SCRIPT: [&str; 3] = ["--json", "--batch", "-"];

/// Runs `rankscope` with these arguments and those of a script.
#[track_caller]
fn runs(place: &Place, before: &[&str], after: &[&str], script: &str) -> Outcome {
    place.run(&[before, &SCRIPT, after].concat(), script)
}

fn file(place: &Place, name: &str) -> PathBuf {
    place.path().join("state/rankscope/runs").join(name)
}

#[track_caller]
fn has(outcome: &Outcome, line: &str) {
    let output: String =
        outcome.of("output").iter().map(|output| output["text"].as_str().unwrap().to_owned()).collect();
    assert!(output.lines().any(|known| known == line), "no {line:?} in {output}\n{}{}", outcome.text, outcome.errors);
}

#[test]
fn a_job_is_started_again_by_its_name_and_the_last_one_without() {
    let program = build::plain("started.c");
    let program = program.to_str().unwrap();
    let place = Place::new();
    let command = ["--save-as", "first", "-n", "2", "--keep-going", program, "a b", "--json"];
    let outcome = runs(&place, &["run"], &command, "go\nwait exited\n").expect(0);
    has(&outcome, "argument 2 is [--json]");
    for again in [&["run"][..], &["last"]] {
        let name = if again == ["run"] { vec!["@first"] } else { Vec::new() };
        let outcome = runs(&place, again, &name, "go\nwait exited\n").expect(0);
        has(&outcome, "argument 1 is [a b]");
        assert_eq!(outcome.of("session")[0]["ranks"], "0-1", "{again:?}");
    }
    // Options replace the kept ones.
    let outcome = runs(&place, &["run", "-n", "3"], &["@first"], "kill\n").expect(0);
    assert_eq!(outcome.of("session")[0]["ranks"], "0-2");
    let listed = place.ask(&["runs", "--json"]).expect(0);
    let listed: Vec<String> = listed.of("run").iter().map(|run| run["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(listed, ["first", "last"]);
    let mode = |path: PathBuf| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(file(&place, "first.toml")), mode(file(&place, ""))), (0o600, 0o700));
    let text = std::fs::read_to_string(file(&place, "first.toml")).unwrap();
    assert!(!text.contains("batch") && !text.contains("keep-going") && !text.contains("XDG"), "{text}");
}

#[test]
fn a_job_that_cannot_start_is_not_the_last_one() {
    let program = build::plain("started.c");
    let place = Place::new();
    runs(&place, &["run"], &["-n", "2", program.to_str().unwrap(), "good"], "go\nwait exited\n").expect(0);
    runs(&place, &["run"], &["-n", "3", "./nonexistent"], "go\n").expect(4);
    runs(&place, &["run"], &["--mpir", "-n", "3", "/nonexistent/mpirun", "./ring"], "go\n");
    let outcome = runs(&place, &["last"], &[], "go\nwait exited\n").expect(0);
    has(&outcome, "argument 1 is [good]");
    let outcome = runs(&place, &["run"], &["@last"], "go\nwait exited\n").expect(0);
    has(&outcome, "argument 1 is [good]");
}

#[test]
fn a_session_keeps_its_breakpoints_and_what_it_has_changed_for_the_start() {
    let program = build::plain("started.c");
    let program = program.to_str().unwrap();
    let place = Place::new();
    let script = "break got\nset environment FLAVOUR = sour\nset args other\nsave @second\nsave @last\n";
    let outcome = runs(&place, &["run"], &["-n", "2", "--keep-going", program, "first"], script).expect(1);
    assert_eq!(outcome.of("error").len(), 1, "{}", outcome.text);
    let outcome = runs(&place, &["run"], &["@second"], "source\ngo\nwait exited\n").expect(0);
    has(&outcome, "argument 1 is [other]");
    has(&outcome, "flavour sour");
    assert_eq!(outcome.of("breakpoint")[0]["location"], "got");
    let outcome = runs(&place, &["last"], &[], "source\ngo\nwait exited\n").expect(0);
    has(&outcome, "flavour sour");
    assert_eq!(outcome.of("breakpoint")[0]["location"], "got");
}

#[test]
fn a_kept_job_reads_the_file_that_its_session_read() {
    let program = build::plain("started.c");
    let program = program.to_str().unwrap();
    let place = Place::new();
    let work = place.path().join("work");
    std::fs::create_dir_all(work.join("sub")).unwrap();
    std::fs::write(work.join("in"), "right\n").unwrap();
    std::fs::write(work.join("sub/in"), "below\n").unwrap();
    let script = "restart < in\nsave @above\nset cwd sub\nrestart < in\nsave @below\nkill\n";
    let options = ["--cwd", work.to_str().unwrap(), "-n", "1", "--stdin", "0:none", program];
    runs(&place, &["run"], &options, script).expect(0);
    for (name, line) in [("@above", "read right"), ("@below", "read below")] {
        let outcome = runs(&place, &["run"], &[name], "go\nwait exited\n").expect(0);
        has(&outcome, line);
        assert!(outcome.text.contains(if name == "@below" { "work/sub" } else { "work" }), "{}", outcome.text);
    }
}

#[test]
fn a_new_run_under_a_name_has_the_commands_of_the_run_that_it_repeats_and_no_others() {
    let program = build::plain("started.c");
    let program = program.to_str().unwrap();
    let place = Place::new();
    runs(&place, &["run"], &["-n", "1", program], "break got\nset environment FLAVOUR = sour\nsave @z\n").expect(0);
    let outcome = runs(&place, &["run", "--save-as", "zz"], &["@z"], "source\nunset environment FLAVOUR\nsave @zzz\n");
    assert_eq!(outcome.expect(0).of("breakpoint")[0]["location"], "got");
    let outcome = runs(&place, &["run"], &["@zz"], "source\ngo\nwait exited\n").expect(0);
    assert_eq!(outcome.of("breakpoint")[0]["location"], "got");
    has(&outcome, "flavour sour");
    let text = std::fs::read_to_string(file(&place, "zzz.toml")).unwrap();
    assert!(!text.contains("sour") && text.contains("FLAVOUR"), "{text}");
    runs(&place, &["run", "--save-as", "zz"], &["-n", "1", program], "kill\n").expect(0);
    assert!(!file(&place, "zz.rankscope").exists(), "the breakpoints of another run");
}

#[test]
fn the_files_of_a_repeated_run_count_from_where_the_user_is() {
    let program = build::plain("started.c");
    let place = Place::new();
    runs(&place, &["run"], &["-n", "1", "--save-as", "there", program.to_str().unwrap()], "kill\n").expect(0);
    let elsewhere = place.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::write(elsewhere.join("script"), "echo from the script\\n\n").unwrap();
    for words in
        [&["run", "--batch", "script", "--log=log", "@there"][..], &["run", "--batch=script", "--log=log", "@last"]]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
        place.be_home_of(&mut command);
        let output = command.args(words).current_dir(&elsewhere).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.contains("from the script"), "{words:?}: {text}{errors}");
        std::fs::remove_file(elsewhere.join("log")).expect("the log is where the user is");
    }
}

#[test]
fn each_directory_has_a_last_job_of_its_own() {
    let program = build::plain("started.c");
    let program = program.to_str().unwrap();
    let place = Place::new();
    let directories = ["one", "two", "three"].map(|name| place.path().join(name));
    let at = |directory: &PathBuf, words: &[&str]| {
        std::fs::create_dir_all(directory).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
        place.be_home_of(&mut command);
        let script = place.path().join("script");
        std::fs::write(&script, "go\nwait exited\n").unwrap();
        command.args([&words[..1], &["--batch", script.to_str().unwrap()], &words[1..]].concat());
        let output = command.current_dir(directory).output().unwrap();
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    };
    let said = at(&directories[2], &["last"]);
    assert!(said.contains("nothing was started yet with rankscope run"), "{said}");
    at(&directories[0], &["run", "-n", "1", "--save-as", "one", program, "first"]);
    at(&directories[1], &["run", "-n", "1", program, "second"]);
    let said = at(&directories[0], &["last"]);
    assert!(said.contains("argument 1 is [first]") && said.contains("/one\n"), "{said}");
    let said = at(&directories[1], &["last"]);
    assert!(said.contains("argument 1 is [second]") && said.contains("/two\n"), "{said}");
    let said = at(&directories[2], &["last"]);
    assert!(said.contains("nothing was started yet in") && said.contains("/three with rankscope run"), "{said}");
    assert!(said.contains("second\" in") && said.contains("\"rankscope run @last\" starts it"), "{said}");
    let said = at(&directories[2], &["run", "@last"]);
    assert!(said.contains("argument 1 is [second]") && said.contains("/two\n"), "{said}");
    // What was kept under a name belongs to its directory, wherever it is started.
    at(&directories[2], &["run", "@one"]);
    let said = at(&directories[2], &["last"]);
    assert!(said.contains("nothing was started yet in"), "{said}");
    place.until_empty();
}

#[test]
fn what_cannot_be_started_again_is_said() {
    let place = Place::new();
    let refused = |arguments: &[&str], words: &str| {
        let outcome = place.ask(arguments);
        assert!(outcome.status != 0 && outcome.errors.contains(words), "{arguments:?}: {}", outcome.errors);
    };
    refused(&["last"], "nothing was started yet");
    refused(&["run", "@none"], "there is no run none");
    refused(&["run", "@../x"], "cannot name a run");
    refused(&["run", "@."], "cannot name a run");
    refused(&["runs", "--forget", "."], "cannot name a run");
    refused(&["run", "--save-as", "last", "/bin/true"], "choose another name");
    refused(&["runs", "--forget", "none"], "there is no run none");
    std::fs::create_dir_all(file(&place, "")).unwrap();
    std::fs::write(file(&place, "bad.toml"), "directory = 3\n").unwrap();
    refused(&["run", "@bad"], "bad.toml is damaged");
    refused(&["runs"], "--forget bad removes it");
    place.ask(&["runs", "--forget", "bad"]).expect(0);
    assert!(!file(&place, "bad.toml").exists());
    nix::unistd::mkfifo(&file(&place, "pipe.toml"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    refused(&["run", "@pipe"], "not a regular file");
}
