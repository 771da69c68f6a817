//! Ranks that read their standard input: from files, from `send`, or nothing.

use crate::support::batch::{Outcome, Place, RELAY, json};
use crate::support::build;
use crate::support::live::Live;
use rankscope::model::{ProcessSet, Rank};
use serde_json::Value;
use std::fs;

fn written(objects: &[Value], rank: u32) -> String {
    let of_rank = objects.iter().filter(|object| {
        let ranks = || ProcessSet::parse(object["ranks"].as_str().unwrap()).unwrap();
        object["type"] == "output" && ranks().contains(Rank(rank))
    });
    of_rank.map(|object| object["text"].as_str().unwrap()).collect()
}

#[track_caller]
fn errors(outcome: &Outcome) -> String {
    let errors = outcome.of("error");
    errors.iter().map(|error| format!("{}: {}\n", error["ranks"], error["message"])).collect()
}

#[test]
fn what_the_shell_redirects_is_the_programs_unless_it_is_the_script() {
    let program = build::plain("started.c");
    let place = Place::new();
    let (script, input) = (place.path().join("script"), place.path().join("input"));
    fs::write(&script, "run\n").unwrap();
    fs::write(&input, "first\n").unwrap();
    let said = |script: &str, input: &std::path::Path| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rankscope"));
        place.be_home_of(&mut command);
        command.args(["run", "--timeout", "60", "--batch", script, "-n", "1"]).arg(&program);
        let output = command.stdin(fs::File::open(input).unwrap()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let text = said(script.to_str().unwrap(), &input);
    assert!(text.contains("read first") && text.contains("end of input"), "{text}");
    let text = said("-", &script);
    assert!(!text.contains("read ") && text.contains("end of input"), "{text}");
}

#[test]
fn ranks_read_files_and_their_end() {
    let program = build::plain("started.c");
    let directory = tempfile::tempdir().unwrap();
    let (all, one) = (directory.path().join("all"), directory.path().join("one"));
    fs::write(&all, "first\nsecond\n").unwrap();
    fs::write(&one, "own\n").unwrap();
    let of_one = format!("1:{}", one.display());
    for engine in ["native", "gdb"] {
        let options =
            ["-n", "3", "--engine", engine, "--stdin", all.to_str().unwrap(), "--stdin", &of_one, "--stdin", "2:none"];
        let script = "go\nwait exited\nrestart\n[1] send x\n[2] send x\ngo\nwait exited\n";
        let outcome = json(&[&options[..], &["--keep-going"]].concat(), &[program.to_str().unwrap()], script);
        let objects = outcome.objects();
        for (rank, lines) in [(0, "read first\nread second\n"), (1, "read own\n"), (2, "")] {
            let text = written(&objects, rank);
            let expected = format!("{lines}end of input\n");
            // Each start reads the file from its beginning.
            assert_eq!(text.matches(&expected).count(), 2, "{engine}, rank {rank}: {text}");
            assert_eq!(text.matches("read ").count(), 2 * lines.lines().count(), "{engine}, rank {rank}: {text}");
        }
        let said = errors(&outcome);
        assert!(
            said.contains("\"1\": \"cannot send: it reads ") && said.contains("\"2\": \"cannot send: it was"),
            "{said}"
        );
    }
}

#[test]
fn the_next_start_reads_the_file_that_a_command_names() {
    let program = build::plain("started.c");
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("all"), "first\n").unwrap();
    fs::write(directory.path().join("in put"), "second\n").unwrap();
    let place = directory.path().to_str().unwrap();
    for engine in ["native", "gdb"] {
        let options = ["-n", "2", "--engine", engine, "--cwd", place, "--keep-going"];
        let script = "go\nwait exited\nrun < all\ngo\nwait exited\nrun\ngo\nwait exited\nset args < 'in put'\nshow args\n\
                      run\ngo\nwait exited\nrun < missing\nrun x\ngo\nwait exited\n";
        let outcome = json(&options, &[program.to_str().unwrap()], script);
        let text = written(&outcome.objects(), 1);
        let counts = ["read first\n", "read second\n", "end of input\n"].map(|line| text.matches(line).count());
        assert_eq!(counts, [2, 1, 5], "{engine}: {}", outcome.text);
        let shown = outcome.of("text");
        assert!(shown.iter().any(|text| text["text"] == "arguments: < \"in put\""), "{engine}: {shown:?}");
        assert!(errors(&outcome).contains("missing"), "{engine}: {}", errors(&outcome));
    }
}

#[test]
fn what_is_sent_reaches_the_named_ranks_until_the_end_is_sent() {
    let program = build::plain("started.c");
    for engine in ["native", "gdb"] {
        let place = Place::new();
        let words = ["run", "-n", "2", "--engine", engine, "--stdin", "terminal", program.to_str().unwrap()];
        let mut live = Live::start(&place, &words);
        let mut seen = live.until_stopped("0-1");
        // A stopped rank gets it, too.
        for line in ["send to all", "go", "[1] send -n 'two # '", "[1] send parts", "[0] send -eof"] {
            let said = live.run(line);
            assert!(said.iter().all(|object| object["type"] != "error"), "{line}: {said:?}");
            seen.extend(said);
        }
        if !seen.iter().any(|object| object["type"] == "exited") {
            seen.extend(live.until("the end of rank 0", |object| object["type"] == "exited"));
        }
        if !written(&seen, 1).contains("parts") {
            seen.extend(live.until("the line of rank 1", |object| object.to_string().contains("parts")));
        }
        assert!(written(&seen, 0).ends_with("read to all\nend of input\n"), "{}", written(&seen, 0));
        assert!(written(&seen, 1).ends_with("read to all\nread two # parts\n"), "{}", written(&seen, 1));
        live.run("restart");
        live.run("go");
        live.run("send again");
        live.run("send -eof");
        let refused = live.run("send more");
        assert!(refused.iter().any(|object| object["type"] == "error"), "{refused:?}");
        live.run("wait exited");
        live.end();
        place.until_empty();
    }
}

/// Its server answers for the other ranks all the while.
#[test]
fn a_rank_that_does_not_read_blocks_nobody() {
    let program = build::plain("started.c");
    let text = "x".repeat(5000);
    let script = format!("go\n{}halt\nwhere\nkill\n", format!("send {text}\n").repeat(9));
    let options = ["-n", "2", "--keep-going", "--stdin", "terminal"];
    let outcome = json(&options, &[program.to_str().unwrap(), "deaf"], &script).expect(1);
    let said = errors(&outcome);
    assert!(said.contains("it has not read 30006 bytes of its input yet, and at most 32768 wait for it"), "{said}");
    assert_eq!(outcome.ranks("stopped", "reason", "interrupted"), "0-1", "{}", outcome.text);
}

#[test]
fn ranks_without_such_an_input_say_how_to_get_it() {
    let program = build::plain("started.c");
    let outcome = json(&["-n", "2"], &[program.to_str().unwrap()], "send x\n").expect(1);
    assert!(
        errors(&outcome).contains("it was started without input; start it with --stdin terminal"),
        "{}",
        outcome.text
    );
    let outcome = json(&["--engine", "fake", "-n", "2"], &[RELAY], "send x\n").expect(1);
    assert!(errors(&outcome).contains("simulated ranks read no input"), "{}", outcome.text);
    let outcome = json(&["--stdin", "/nonexistent/input"], &[program.to_str().unwrap()], "");
    assert!(outcome.status == 2 && outcome.errors.contains("no such file"), "{}", outcome.errors);
}

/// Each rank would need a pipe of its own.
#[test]
fn a_pipe_that_the_program_does_not_read_is_reported() {
    let program = build::plain("started.c");
    let directory = tempfile::tempdir().unwrap();
    let script = directory.path().join("script");
    fs::write(&script, "go\nwait exited\n").unwrap();
    let words = ["run", "--batch", script.to_str().unwrap(), "-n", "2", program.to_str().unwrap()];
    let place = Place::new();
    let outcome = place.run(&words, "some input\n").expect(0);
    let said = "standard input is a pipe, which the program does not read: give it a file (< FILE, or --stdin FILE)";
    assert_eq!(outcome.errors.matches(said).count(), 1, "{}", outcome.errors);
    // There may be a pipe without anybody who writes to it.
    let outcome = place.run(&words, "").expect(0);
    assert!(!outcome.errors.contains("pipe"), "{}", outcome.errors);
    // What the user has chosen needs no explanation.
    let chosen = [&words[..3], &["--stdin", "none"], &words[3..]].concat();
    let outcome = place.run(&chosen, "some input\n").expect(0);
    assert!(!outcome.errors.contains("pipe"), "{}", outcome.errors);
}
