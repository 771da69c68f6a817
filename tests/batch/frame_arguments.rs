//! The arguments of frames in stacks: as gdb shows them, and once for all ranks that share the frames.

use crate::support::batch::{Place, json};
use crate::support::build::build;
use std::path::PathBuf;

const WAY: &str = "break innermost\ngo\nwait\n";

fn program() -> PathBuf {
    build("g++", "frame_arguments.cpp", &["-g", "-O0"])
}

#[track_caller]
fn text(ranks: &str, engine: &str, script: &str) -> String {
    let program = program();
    let arguments = ["run", "--timeout", "60", "--engine", engine, "--keep-going", "--batch", "-", "-n", ranks];
    let arguments = [&arguments[..], &[program.to_str().unwrap()]].concat();
    Place::new().run(&arguments, &format!("{WAY}{script}")).text
}

/// The frames of stacks in a text, without ranks, levels and addresses.
fn frames(text: &str) -> Vec<String> {
    let frame = |line: &str| {
        let (_, line) = line.split_once('#')?;
        let line = line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
        let line = line.strip_prefix("0x").and_then(|line| Some(line.split_once(" in ")?.1)).unwrap_or(line);
        // Places are told without directories here.
        let (before, place) = line.rsplit_once(" at ")?;
        Some(format!("{before} at {}", place.rsplit('/').next()?))
    };
    text.lines().filter_map(frame).collect()
}

#[test]
fn arguments_are_those_that_gdb_shows() {
    for detail in ["scalars", "all", "none", "presence"] {
        let setting = format!("set print frame-arguments {detail}");
        let way = [setting.as_str(), "break innermost", "run"];
        let theirs = crate::support::gdb::gdb(&program(), &[], &way, &["bt".to_owned()]);
        let theirs = frames(&theirs[0]);
        assert_eq!(theirs.len(), 5, "{theirs:?}");
        for engine in ["native", "gdb"] {
            let ours = text("1", engine, &format!("{setting}\nbt -all\n"));
            let ours: Vec<String> = frames(&ours);
            // The one of the main function has no arguments in both; strings on the stack are elsewhere.
            assert_eq!(ours, theirs, "{detail}, {engine}");
        }
    }
}

#[test]
fn arguments_that_differ_do_not_split_a_stack() {
    for engine in ["native", "gdb"] {
        let told = text("4", engine, "bt\nup\nframe function different\n");
        let line = "[0-3] #3  different (rank=0..3, half=0..1.5, where=<differs>, same=";
        assert_eq!(told.matches(line).count(), 2, "{engine}: {told}");
        assert!(told.contains("[0-3] #1  no_arguments () at frame_arguments.cpp:"), "{engine}: {told}");
        // `bt` and `up` show the same frame in the same way.
        assert_eq!(told.matches("[0-3] #1  no_arguments () at").count(), 2, "{engine}: {told}");
    }
    let program = program();
    let outcome = json(&["-n", "4"], &[program.to_str().unwrap()], &format!("{WAY}bt\n[2] bt\n")).expect(0);
    let stacks = outcome.of("stack");
    let argument = |stack: usize, frame: usize, argument: usize| &stacks[stack]["frames"][frame]["args"][argument];
    let rank = serde_json::json!({"name": "rank", "value": "0..3", "value_type": "int", "differs": true, "min": "0", "max": "3"});
    let place = serde_json::json!({"name": "where", "value": "<differs>", "value_type": "int *", "differs": true});
    assert_eq!((argument(0, 3, 0), argument(0, 3, 2)), (&rank, &place));
    let one = serde_json::json!({"name": "rank", "value": "2", "value_type": "int"});
    assert_eq!(argument(1, 3, 0), &one);
    assert_eq!(argument(0, 0, 7), &serde_json::json!({"name": "s", "value": "...", "value_type": "pair"}));
    assert_eq!(stacks[0]["frames"][1]["args"], serde_json::json!([]));
}

#[test]
fn threads_that_share_a_stack_share_its_frames() {
    let told = text("2", "native", "[0-1.{1}] bt 1\n");
    assert!(told.contains("#0  innermost (n=-3, x=2.5,"), "{told}");
}

#[test]
fn simulated_ranks_have_arguments_too() {
    let arguments = ["demo", "--simulate", "--ranks", "64", "--batch", "-", "--timeout", "60"];
    let told = Place::new().run(&arguments, "break kernel\ngo\nwait\nbt\n").expect(0).text;
    assert!(told.contains("[0-63] #0  kernel (c=0x"), "{told}");
    assert!(told.contains(", n=16, iteration=0) at stencil.c:"), "{told}");
}

#[test]
fn frames_are_chosen_as_in_gdb() {
    let questions =
        ["frame apply level 1 3-4 -q p 1 + 1", "frame apply level 9 p 1", "frame address 1", "frame level 9"];
    let questions: Vec<String> = questions.iter().map(|question| (*question).to_owned()).collect();
    let theirs = crate::support::gdb::gdb(&program(), &[], &["break innermost", "run"], &questions[..1]);
    assert_eq!(theirs[0].matches(" = 2").count(), 3, "{}", theirs[0]);
    for engine in ["native", "gdb"] {
        let told = text(
            "2",
            engine,
            "frame apply level 1 3-4 -q p 1 + 1\nframe apply level 3 p rank\nframe apply level 9 p 1\n",
        );
        assert_eq!(told.matches("[0-1] 1 + 1 = 2").count(), 3, "{engine}: {told}");
        assert!(told.contains("[0-1] #3  different (rank=0..1,"), "{engine}: {told}");
        assert!(told.contains("[0] rank = 0\n[1] rank = 1\n"), "{engine}: {told}");
        assert!(told.contains("no frame 9: the stack is shorter"), "{engine}: {told}");
        // The stack address of a frame is the one that `info frame` shows.
        let told = text("1", engine, "frame 3\ninfo frame\nframe 0\n");
        let address = told.split_once("Stack level 3, frame at ").unwrap().1.split(':').next().unwrap().to_owned();
        let told = text("1", engine, &format!("frame address {address}\nframe address 1\n"));
        assert!(told.contains("#3  different (rank=0"), "{engine}: {told}");
        assert!(told.contains("No frame at address 1."), "{engine}: {told}");
    }
}

#[test]
fn an_inlined_function_has_its_own_line() {
    let question = vec!["info line twice".to_owned(), "info line innermost".to_owned()];
    let theirs = crate::support::gdb::gdb(&program(), &[], &["break innermost", "run"], &question);
    let ours = text("2", "native", "info line twice\ninfo line innermost\n");
    for theirs in theirs {
        // `Line 5 of "a.cpp" starts at address 0x1193 <leaf+58>`, with the file's whole name.
        let (line, rest) = theirs.split_once(" of \"").unwrap();
        let address = rest.split_once("starts at address ").unwrap().1.split(' ').next().unwrap();
        let line = format!("[0-1] {line} of \"frame_arguments.cpp\" starts at address {address} ");
        assert!(ours.contains(&line), "{line}\n{ours}");
    }
}
