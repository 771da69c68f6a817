//! Arguments, environment and working directory of a job that is started again.

use crate::support::batch::{Outcome, Place, json};
use crate::support::build;
use rankscope::model::{ProcessSet, Rank};
use serde_json::Value;

/// The lines that a rank has written; ranks that write the same at once share an object.
fn lines(outcome: &Outcome, rank: Rank) -> Vec<String> {
    let ranks = |object: &Value| ProcessSet::parse(object["ranks"].as_str().unwrap()).unwrap();
    let of_rank = outcome.of("output").into_iter().filter(|object| ranks(object).contains(rank));
    let text: String = of_rank.map(|object| object["text"].as_str().unwrap().to_owned()).collect();
    text.lines().map(str::to_owned).collect()
}

#[track_caller]
fn has(outcome: &Outcome, ranks: &str, line: &str) {
    for rank in ProcessSet::parse(ranks).unwrap().iter() {
        assert!(lines(outcome, rank).iter().any(|known| known == line), "no {line:?} of {rank}\n{}", outcome.text);
    }
}

#[test]
fn a_restart_takes_other_arguments_environment_and_directory() {
    let program = build::plain("started.c");
    let directory = tempfile::tempdir().unwrap();
    let place = std::fs::canonicalize(directory.path()).unwrap().display().to_string();
    for engine in ["native", "gdb"] {
        let script = format!(
            "go\nwait exited\nset environment FLAVOUR = bitter sweet\nset cwd {place}\nrestart 'a b' \"it's\" rank{{rank}} # all\n\
             go\nwait exited\nunset environment FLAVOUR\nset args\nrestart\ngo\nwait exited\n\
             show args\nshow environment\nshow cwd\n"
        );
        let options = ["-n", "2", "--engine", engine];
        let outcome = json(&options, &[program.to_str().unwrap(), "first"], &script).expect(0);
        has(&outcome, "0-1", "argument 1 is [first]");
        has(&outcome, "0-1", "argument 1 is [a b]");
        has(&outcome, "0-1", "argument 2 is [it's]");
        has(&outcome, "1", "argument 3 is [rank1]");
        has(&outcome, "0-1", "flavour bitter sweet");
        has(&outcome, "0-1", &format!("directory {place}"));
        assert_eq!(lines(&outcome, Rank(1)).last().map(String::as_str), Some("end of input"), "{}", outcome.text);
        let texts: Vec<String> =
            outcome.of("text").iter().map(|text| text["text"].as_str().unwrap().to_owned()).collect();
        let expected =
            ["no arguments".to_owned(), "FLAVOUR is unset".to_owned(), format!("working directory: {place}")];
        assert_eq!(texts, expected);
    }
}

#[test]
fn addresses_are_randomised_from_the_next_start_on() {
    let program = build::plain("started.c");
    for engine in ["native", "gdb"] {
        let script = "set disable-randomization off\nshow disable-randomization\nrestart\n\
                      print &argc\nset disable-randomization on\nrestart\nprint &argc\n";
        let outcome = json(&["-n", "2", "--engine", engine], &[program.to_str().unwrap()], script).expect(0);
        let places: Vec<String> =
            outcome.of("value").iter().map(|value| value["value"].as_str().unwrap().to_owned()).collect();
        // Two ranks with addresses of their own, then two of the same.
        assert_eq!(places.len(), 3, "{}", outcome.text);
        assert!(
            places[2].contains("0x7fffff") && !places[..2].iter().any(|place| place.contains("0x7fffff")),
            "{places:?}"
        );
        assert_eq!(outcome.of("text").last().unwrap()["text"], "addresses are randomised");
    }
}

#[test]
fn a_change_that_cannot_be_made_leaves_the_job_as_it_is() {
    let program = build::plain("started.c");
    let script = "set cwd /nonexistent/here\nrestart\nset cwd\nprint argc\n";
    let outcome = json(&["-n", "2", "--keep-going"], &[program.to_str().unwrap(), "x"], script).expect(1);
    let error = &outcome.of("error")[0];
    assert!(error["message"].as_str().unwrap().contains("/nonexistent/here: no such directory"), "{error}");
    assert_eq!((outcome.of("session").len(), outcome.ranks("value", "value", "2")), (1, "0-1".to_owned()));
}

#[test]
fn a_saved_setup_has_the_changes_of_the_start() {
    let program = build::plain("started.c");
    let program = program.to_str().unwrap();
    let place = Place::new();
    let file = place.path().join("setup").display().to_string();
    let words = ["run", "--json", "--timeout", "80", "--batch", "-", "-n", "1", program, "old"];
    let script = format!("set args one 'two # three'\nset environment FLAVOUR=mild\nsave {file}\nquit\n");
    place.run(&words, &script).expect(0);
    let outcome = place.run(&words, &format!("source {file}\nrestart\ngo\nwait exited\n")).expect(0);
    has(&outcome, "0", "argument 2 is [two # three]");
    has(&outcome, "0", "flavour mild");
}
