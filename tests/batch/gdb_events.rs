//! Events that gdb users catch, and the first instruction.

use crate::support::batch::{Outcome, json};
use crate::support::build::build;
use crate::support::gdb::gdb;
use serde_json::{Value, json};

#[track_caller]
fn run(engine: &str, script: &str) -> Outcome {
    let program = build("g++", "rethrown.cpp", &["-g", "-O0", "-ldl"]);
    let library = build("gcc", "plugin.c", &["-g", "-shared", "-fPIC"]);
    let command = [program.to_str().unwrap(), library.to_str().unwrap()];
    json(&["-n", "2", "--engine", engine], &command, script).expect(0)
}

/// The stops of rank 0.
fn of_first(outcome: &Outcome) -> Vec<Value> {
    outcome.of("stopped").into_iter().filter(|stop| stop["ranks"].as_str().unwrap().starts_with('0')).collect()
}

/// The stops of rank 0 after the first one: reason, catchpoint, exception.
fn stops(outcome: &Outcome) -> Vec<(Value, Value, Value)> {
    let what = |stop: &Value| (stop["reason"].clone(), stop["catchpoint"].clone(), stop["exception"].clone());
    of_first(outcome).iter().skip(1).map(what).collect()
}

#[test]
fn exceptions_are_caught_when_they_are_thrown_again() {
    for engine in ["native", "gdb"] {
        let outcome = run(engine, "catch rethrow\ncatch throw\ngo\nwait\ngo\nwait\ndelete 2\ngo\nwait\ngo\nwait\n");
        let expected = [(2, "throw"), (1, "rethrow"), (1, "rethrow")];
        let expected = expected.map(|(id, word)| (json!("exception"), json!(id), json!(word)));
        assert_eq!(stops(&outcome), expected, "{engine}: {}", outcome.text);
        assert_eq!(outcome.ranks("stopped", "exception", "rethrow"), "0-1", "{engine}: {}", outcome.text);
    }
}

#[test]
fn libraries_are_caught_when_they_are_unloaded() {
    for engine in ["native", "gdb"] {
        let outcome = run(engine, "catch unload libplug*\ncatch unload libnothing*\ngo\nwait\ngo\nwait\ngo\nwait\n");
        let stops: Vec<Value> = of_first(&outcome).into_iter().filter(|stop| stop["reason"] == "library").collect();
        assert_eq!(stops.len(), 2, "{engine}: {}", outcome.text);
        for stop in stops {
            let unloaded = stop["unloaded"].as_array().unwrap();
            assert!(unloaded[0].as_str().unwrap().ends_with("/libplugin.so"), "{stop}");
            assert_eq!((&stop["catchpoint"], unloaded.len()), (&json!(1), 1), "{stop}");
        }
    }
}

#[test]
fn a_temporary_catchpoint_stops_once() {
    for engine in ["native", "gdb"] {
        let outcome = run(engine, "tcatch rethrow\ntcatch load libplug*\ngo\nwait\ngo\nwait\nbreakpoints\ngo\nwait\n");
        let reasons: Vec<Value> = stops(&outcome).into_iter().map(|(reason, ..)| reason).collect();
        assert_eq!(reasons, ["exception", "library"], "{engine}: {}", outcome.text);
        let after = outcome.text.rsplit("\"library\"").next().unwrap();
        assert!(!after.contains("\"catch rethrow\"") && !after.contains("\"catch load"), "{engine}: {after}");
        assert_eq!(outcome.ranks("exited", "code", 3), "0-1", "{engine}: {}", outcome.text);
    }
}

#[test]
fn ranks_start_at_their_first_instruction() {
    let program = build("g++", "rethrown.cpp", &["-g", "-O0", "-ldl"]);
    let told = gdb(&program, &[], &["starti"], &["p $pc".to_owned(), "info sharedlibrary".to_owned()]);
    let address = told[0].split_whitespace().find(|word| word.starts_with("0x")).unwrap();
    for engine in ["native", "gdb"] {
        // The second way keeps a breakpoint, and the third start is as usual.
        let script =
            "print (long) $pc\nbreak given_up\nstarti\nwait\nprint (long) $pc\nstepi\ngo\nwait\nrestart\nwait\n";
        let command = [program.to_str().unwrap()];
        let options = ["-n", "2", "--engine", engine, "--stop-at", "starti"];
        let outcome = json(&options, &command, script).expect(0);
        let pc = i64::from_str_radix(&address[2..], 16).unwrap().to_string();
        let values: Vec<_> = outcome.of("value").iter().map(|value| value["value"].clone()).collect();
        assert_eq!(values, [json!(pc), json!(pc)], "{engine}: {}", outcome.text);
        let reasons: Vec<_> = of_first(&outcome).iter().map(|stop| stop["reason"].clone()).collect();
        assert_eq!(reasons, ["start", "start", "step", "breakpoint", "start"], "{engine}: {}", outcome.text);
        let options = ["-n", "2", "--engine", engine];
        let outcome = json(&options, &command, "starti\nwait\nprint (long) $pc\nrestart\nwait\n").expect(0);
        assert_eq!(outcome.of("value")[0]["value"], pc, "{engine}: {}", outcome.text);
        let functions: Vec<_> = of_first(&outcome).iter().map(|stop| stop["function"].clone()).collect();
        assert_eq!((&functions[0], &functions[2]), (&json!("main"), &json!("main")), "{engine}: {}", outcome.text);
    }
}
