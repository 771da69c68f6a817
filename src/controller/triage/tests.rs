//! Reports of made-up jobs: their size, their texts, and names that try to break out.

use super::{Collection, JobReport, ReportOrder, lines};
use crate::report::{Content, FullFrame, PrintedVariable, RankStack, Scope, StackArguments};
use crate::state::{FoldedStack, Phase, RankTable, StackTree, State};
use model::{
    CodePlace, Frame, ProcessSet, ProcessState, Rank, SignalName, SourcePlace, Stop, StopReason, Stream, ThreadId,
};
use proptest::prelude::*;
use serde_json::Value;
use std::time::Duration;

fn set(text: &str) -> ProcessSet {
    ProcessSet::parse(text).unwrap()
}

fn frame(level: u32, function: &str, line: u32) -> Frame {
    Frame {
        level,
        function: Some(function.into()),
        source: Some(SourcePlace { file: format!("/home/someone/project/source/{function}.cpp").into(), line }),
        code: CodePlace { module: Some("/home/someone/project/bin/solver".into()), offset: 0x0040_1136, address: None },
        inlined: false,
        guessed: false,
        thread: None,
    }
}

fn variable(name: &str, text: &str) -> PrintedVariable {
    PrintedVariable { name: name.into(), text: text.into(), type_name: "std::vector<double>".into() }
}

fn stop(reason: StopReason, function: &str) -> ProcessState {
    let frame = frame(0, function, 7);
    ProcessState::Stopped(Box::new(Stop { reason, thread: ThreadId(1), frame, note: None, cause: None, user: None }))
}

fn stopped(size: u32) -> State {
    let phase = Phase::Live;
    let mut state = State { phase, ranks: RankTable::new(size), program: "mpirun ./solver".into(), ..State::default() };
    state.ranks.change(&ProcessSet::all(size), &stop(StopReason::Interrupted, "main"));
    state
}

fn order(cores: u32) -> ReportOrder {
    ReportOrder { directory: Some("/r".into()), reason: "rank 3 crashed".into(), cores, ..ReportOrder::default() }
}

fn report(state: &State, contents: Vec<(&str, Content)>) -> JobReport {
    let mut collection = Collection::new(order(0));
    for (line, content) in contents {
        collection.add(line, content);
    }
    collection.finish(state).1
}

fn tree(ranks: u32, frames: u32) -> StackTree {
    let mut tree = StackTree::default();
    for rank in 0..ranks {
        let stack: Vec<Frame> =
            (0..frames).map(|level| frame(level, &format!("function_of_{rank}_{level}"), rank + level)).collect();
        tree.add(&ProcessSet::one(Rank(rank)), &stack);
    }
    tree.finish();
    tree
}

#[test]
fn a_report_of_64_different_ranks_of_20_frames_fits_into_a_mail() {
    let mut state = stopped(64);
    for i in 0..5000 {
        let ranks = ProcessSet::one(Rank(i % 64));
        state.output.push(&ranks, Stream::Stdout, &format!("step {i} {}\n", "x".repeat(90)), Duration::ZERO);
    }
    let value = "{1.25, 2.5, 3.75} ".repeat(60);
    let mut contents = vec![("[0-63.1] where", Content::Tree { tree: tree(64, 20), all: false })];
    for rank in 0..16 {
        let full = |level| FullFrame {
            frame: frame(level, &format!("function_{level}"), 9),
            arguments: Ok(vec![variable("n", &value), variable("m", &value)]),
            locals: Ok((0..4).map(|i| variable(&format!("local_{i}"), &value)).collect()),
        };
        contents
            .push(("where full", Content::FullStack(ProcessSet::one(Rank(rank)), (0..20).map(full).collect(), None)));
    }
    let list = |rank| (ProcessSet::one(Rank(rank)), (0..8).map(|i| variable(&format!("v{i}"), &value)).collect());
    contents.push(("locals", Content::Variables(Scope::Locals, (0..64).map(list).collect())));
    let mut collection = Collection::new(order(0));
    contents.into_iter().for_each(|(line, content)| collection.add(line, content));
    collection.add("[0-63] where", stacks("0-63", (0..20).map(|level| frame(level, "solve", 9)).collect()));
    let lines = collection.more(&state);
    assert_eq!(lines.len(), 2 * 19);
    for (line, _) in lines {
        collection.add(&line, Content::Variables(Scope::Locals, (0..64).map(list).collect()));
        collection.add(&line, done());
    }
    let json = collection.finish(&state).1.json();
    let in_page = json.replace(['<', '>', '&'], "\\u003c").len();
    assert!(in_page <= (1 << 20) - (40 << 10), "{} bytes, {in_page} in the page", json.len());
    let data: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(data["stacks"][0]["trees"].as_array().unwrap().len(), 64, "no rank is left out");
    assert!(data["output_omitted"].as_u64().unwrap() > 0);
    assert_eq!(data["callers"].as_array().unwrap().len(), 19);
    assert!(data["lists_omitted"].as_u64().unwrap() > 0, "what does not fit is counted");
}

fn stacks(ranks: &str, frames: Vec<Frame>) -> Content {
    Content::Stacks(vec![RankStack {
        ranks: set(ranks),
        stack: FoldedStack::open(frames),
        user: None,
        arguments: StackArguments::new(),
    }])
}

fn done() -> Content {
    Content::Done { elapsed: Duration::ZERO, answered: set("0"), failed: false }
}

#[test]
fn all_frames_of_the_users_code_are_asked_for_their_variables() {
    let state = stopped(4);
    let mut collection = Collection::new(order(0));
    let library = Frame { source: None, ..frame(0, "poll", 1) };
    let stack = |line| vec![library.clone(), frame(1, "exchange", 5), frame(2, "step", line), frame(3, "main", 20)];
    collection.add("[0-3] where", stacks("0-2", stack(8)));
    collection.add("[0-3] where", stacks("3", stack(11)));
    let lines = collection.more(&state);
    let expected = [("[0-2]", 2), ("[3]", 2), ("[0-3]", 3)].into_iter();
    let expected =
        expected.flat_map(|(ranks, level)| ["args", "locals"].map(|it| (format!("{ranks} {it}"), Some(level))));
    assert_eq!(lines, expected.collect::<Vec<_>>());
    assert_eq!(collection.more(&state), [], "once");
    // A command that fails lists nothing: the next one is for the next frame all the same.
    let list = |ranks, name: &str| Content::Variables(Scope::Locals, vec![(set(ranks), vec![variable(name, "1")])]);
    collection.add("[0-2] args", Content::Variables(Scope::Arguments, vec![(set("0-2"), Vec::new())]));
    collection.add("[0-2] args", done());
    collection.add("[0-2] locals", list("0-2", "dt"));
    collection.add("[0-2] locals", done());
    collection.add("[3] args", Content::Missing(set("3"), "no reply within 5 s".into()));
    collection.add("[3] args", done());
    collection.add("[3] locals", done());
    collection.add("[0-3] args", list("0-3", "argc"));
    collection.add("[0-3] args", done());
    let data: Value = serde_json::from_str(&collection.finish(&state).1.json()).unwrap();
    let callers = data["callers"].as_array().unwrap();
    let told: Vec<(&Value, &Value, &Value, &Value)> = callers
        .iter()
        .map(|one| (&one["ranks"], &one["level"], &one["function"], &one["variables"][0]["variables"][0]["name"]))
        .collect();
    let (step, main) = (Value::from("step"), Value::from("main"));
    assert_eq!(
        told,
        [(&"0-2".into(), &2.into(), &step, &"dt".into()), (&"0-3".into(), &3.into(), &main, &"argc".into()),]
    );
    assert_eq!(data["problems"][0]["message"], "no reply within 5 s");
}

#[test]
fn threads_with_equal_stacks_are_one_tree() {
    let of = |line, ranks| (line, Content::Tree { tree: tree(ranks, 2), all: false });
    let contents = vec![of("[0-1.3] where", 2), of("[0-1.2] where", 2), of("[0-2.1] where", 3)];
    let data: Value = serde_json::from_str(&report(&stopped(3), contents).json()).unwrap();
    let threads: Vec<&Value> = data["stacks"].as_array().unwrap().iter().map(|of| &of["threads"]).collect();
    assert_eq!(threads, [&serde_json::json!([1]), &serde_json::json!([2, 3])]);
}

#[test]
fn what_several_commands_do_not_know_is_said_once() {
    let missing = |ranks| Content::Missing(set(ranks), "no reply within 5 s".into());
    let report = report(&stopped(4), vec![("why", missing("1")), ("locals", missing("1-2"))]);
    let text = report.text();
    assert!(text.contains(&"  [1-2] missing: no reply within 5 s".to_owned()), "{text:?}");
    assert_eq!(text.iter().filter(|line| line.contains("no reply")).count(), 1);
}

#[test]
fn ranks_that_failed_get_core_files_first() {
    let mut state = stopped(4);
    state.ranks.change(&set("3"), &stop(StopReason::Signal(SignalName("SIGSEGV".into())), "update"));
    let lines: Vec<String> = lines(&state, &order(1), "/r").into_iter().map(|(text, _)| text).collect();
    assert_eq!(lines.last().unwrap(), "[3] gcore \"/r\"");
    assert!(lines.contains(&"[0,3] where full -limit 24".to_owned()), "one rank of each group: {lines:?}");
}

#[test]
fn a_job_that_has_ended_is_asked_nothing() {
    let mut state = stopped(2);
    state.ranks.change(&set("0-1"), &ProcessState::Exited(1));
    assert_eq!(lines(&state, &order(8), "/r"), []);
    assert!(report(&state, Vec::new()).text().contains(&"  [0-1] exited with code 1".to_owned()));
}

proptest! {
    #[test]
    fn any_text_of_the_program_is_data(text in "\\PC{0,40}|[\\x00-\\x7f\u{202e}\u{9b}]{0,40}") {
        let mut state = stopped(1);
        state.program.clone_from(&text);
        state.output.push(&set("0"), Stream::Stderr, &text, Duration::from_millis(1500));
        let list = vec![(set("0"), vec![variable(&text, &text)])];
        let report = report(&state, vec![("locals", Content::Variables(Scope::Locals, list))]);
        let json = report.json();
        prop_assert!(json.chars().all(|c| !c.is_control()), "{json:?}");
        let data: Value = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(&data["command"], &text);
        prop_assert_eq!(&data["variables"][0]["variables"][0]["name"], &text);
        let joined: Vec<&str> = data["output"].as_array().unwrap().iter().map(|line| line["text"].as_str().unwrap()).collect();
        prop_assert_eq!(joined.concat(), text.replace("\r\n", "").replace('\n', ""));
        for line in report.text() {
            prop_assert!(!line.chars().any(|c| c.is_control() && c != '\t'), "{:?}", line);
        }
    }
}
