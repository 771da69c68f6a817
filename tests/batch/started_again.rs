//! Jobs that are kept under a name, and started again.

use crate::support::batch::{Outcome, Place};
use crate::support::build;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

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
fn what_cannot_be_started_again_is_said() {
    let place = Place::new();
    let refused = |arguments: &[&str], words: &str| {
        let outcome = place.ask(arguments);
        assert!(outcome.status != 0 && outcome.errors.contains(words), "{arguments:?}: {}", outcome.errors);
    };
    refused(&["last"], "nothing was started yet");
    refused(&["run", "@none"], "there is no run none");
    refused(&["run", "@../x"], "cannot name a run");
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
