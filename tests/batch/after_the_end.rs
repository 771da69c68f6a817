//! What commands answer when all ranks have ended: what the files of the program say, as in gdb, or how to start again.

use crate::support::batch::{Outcome, Place, json};
use crate::support::build::build;
use crate::support::gdb::gdb;
use crate::support::marks::source;
use std::path::PathBuf;

/// Separates the answers of a script.
const MARK: &str = "print 10000 + 1";

fn ended() -> PathBuf {
    build("gcc", "ended.c", &["-g", "-O0", source("ended_part.c").to_str().unwrap()])
}

/// The answer of two ranks to each question after these commands, without their ranks.
#[track_caller]
fn answers(engine: &str, stop_at: &str, way: &[&str], questions: &[&str]) -> Vec<String> {
    let mut script = way.join("\n");
    for question in questions {
        script.push_str(&format!("\n{MARK}\n{question}"));
    }
    let program = ended();
    let words = ["run", "--timeout", "60", "--batch", "-", "--keep-going", "--engine", engine, "--stop-at", stop_at];
    let words: Vec<&str> = words.into_iter().chain(["-n", "2", program.to_str().unwrap()]).collect();
    let outcome = Place::new().run(&words, &format!("{script}\n"));
    let bare = |part: &str| {
        let line = |line: &str| format!("{}\n", line.strip_prefix("[0-1]").unwrap_or(line));
        part.lines().map(line).collect::<String>()
    };
    let answers: Vec<String> = outcome.text.split("[0-1] 10000 + 1 = 10001\n").skip(1).map(bare).collect();
    assert_eq!(answers.len(), questions.len(), "{}{}", outcome.text, outcome.errors);
    answers
}

/// The words of an answer without those that only one of the two debuggers says.
fn words(answer: &str) -> Vec<String> {
    let heading = |line: &str| line.rsplit_once(".c:").is_some_and(|(_, line)| line.parse::<u32>().is_ok());
    let lines = answer.lines().map(str::trim).filter(|line| !heading(line));
    // `info line` names a file without its directory here.
    let short = |word: &str| match word.strip_prefix('"').and_then(|word| word.rsplit_once('/')) {
        Some((_, name)) => format!("\"{name}"),
        None => word.to_owned(),
    };
    let mut words: Vec<String> = lines.flat_map(str::split_whitespace).map(short).collect();
    // gdb names the section of a symbol: `work in section .text of FILE`.
    while let Some(at) = words.windows(2).position(|pair| pair == ["in", "section"]) {
        words.drain(at + 1..(at + 4).min(words.len()));
    }
    words
}

/// The questions that a program's files answer.
const OF_FILES: [&str; 32] = [
    "list ended_part.c:5",
    "list 3,6",
    "list",
    "list -",
    "list ended.c:12,14",
    "list",
    "info source",
    "info line ended_part.c:12",
    "info line work",
    "info symbol work",
    "info symbol &counter",
    "info symbol &empty",
    "info address work",
    "info address counter",
    "info scope work",
    "info scope ended_part.c:12",
    "info functions ^halve$",
    "info variables ^counter$",
    "info types ^cell$",
    "ptype struct cell",
    "ptype work",
    "whatis first",
    "x/21i work",
    "x/s greeting",
    "x/s &greeting",
    "x/4dw table",
    "x/2i work",
    "x",
    "x/2dw &empty",
    "output counter",
    "output first",
    "output room",
];

#[test]
fn questions_about_the_files_of_the_program_are_answered_after_its_end() {
    let questions: Vec<String> = OF_FILES.iter().map(|&question| question.to_owned()).collect();
    let theirs = gdb(&ended(), &[], &["run"], &questions);
    for engine in ["native", "gdb"] {
        let ours = answers(engine, "none", &["wait exited"], &OF_FILES);
        for ((ours, theirs), question) in ours.iter().zip(&theirs).zip(OF_FILES) {
            assert!(!theirs.is_empty(), "gdb: {question}");
            assert_eq!(words(ours), words(theirs), "{engine}: {question}\n{ours}");
        }
    }
}

/// A script in text on two ranks of the program.
#[track_caller]
fn text(script: &str, status: i32) -> Outcome {
    let program = ended();
    let words = ["run", "--timeout", "60", "--batch", "-", "--keep-going", "-n", "2", program.to_str().unwrap()];
    Place::new().run(&words, script).expect(status)
}

#[test]
fn after_the_end_lists_and_lines_are_those_of_the_last_stop() {
    let way = ["break work", "go", "wait", "delete", "go", "wait exited"];
    let questions = ["list", "info source", "list 12,13", "info line 12", "break 14", "break"];
    let theirs = gdb(&ended(), &[], &["break work", "run", "delete", "continue"], &questions.map(str::to_owned));
    for engine in ["native", "gdb"] {
        let ours = answers(engine, "main", &way, &questions);
        for index in [0, 1, 2, 3] {
            assert_eq!(words(&ours[index]), words(&theirs[index]), "{engine}: {}\n{}", questions[index], ours[index]);
        }
        let is_set =
            |at: &str| at.contains("breakpoint 2: ") && at.contains("ended_part.c:14, set when the job starts");
        assert!(is_set(&ours[4]), "{engine}: {}", ours[4]);
    }
}

#[test]
fn what_needs_a_process_says_how_the_job_starts_again() {
    let needs =
        ["where", "next", "finish", "step", "info frame", "info registers", "locals", "watch counter", "up", "kill"];
    let script = format!("go\nwait exited\n{}\n", needs.join("\n"));
    let told = text(&script, 1).text;
    let sentence = "has exited with code 0: \"run\" starts the job again";
    let lines: Vec<_> = told.lines().filter(|line| line.starts_with("[0-1] error: ")).collect();
    assert_eq!(lines.len(), needs.len(), "{told}");
    assert!(lines.iter().all(|line| line.ends_with(sentence)), "{told}");
    let told = text("kill\nkill\nwhere\nlist halve\nrun\nbreak work\n", 1).text;
    let again = "[0-1] error: was killed by SIGKILL: \"run\" starts the job again";
    assert_eq!(told.matches(again).count(), 2, "{told}");
    assert!(told.contains("    return n / 2;"), "{told}");
}

#[test]
fn ranks_that_live_answer_as_if_the_others_had_not_ended() {
    let told = text(
        "break work\ngo\nwait\n[0] kill\nprint n\nprint counter\nlist halve\n[0] list work\n[0] print counter\n[0] print n\n",
        1,
    );
    let text = &told.text;
    for line in ["[1] n = 1\n", "[1] counter = 42\n", "[0] counter = 42\n"] {
        assert!(text.contains(line), "{line}{text}");
    }
    assert!(text.contains("[0] error: No symbol \"n\" in current context."), "{text}");
    assert!(text.contains("return n / 2;") && text.contains("counter += n;"), "{text}");
}

#[test]
fn breakpoints_of_ended_ranks_are_nowhere_until_the_job_starts_again() {
    let program = ended();
    let script = "break work\nwatch counter\ndisable\ngo\nwait exited\nbreakpoints\n";
    let outcome = json(&["-n", "2"], &[program.to_str().unwrap()], script).expect(0);
    let last: Vec<_> = outcome.of("breakpoint").into_iter().filter(|point| point["waits"] == "start").collect();
    assert_eq!(last.len(), 2, "{}", outcome.text);
    for point in last {
        assert!(point["sites"].as_array().unwrap().is_empty() && point["armed"].is_null(), "{point}");
    }
}

#[test]
fn variables_of_ended_ranks_have_the_values_with_which_they_begin() {
    let told = text("go\nwait exited\nglobals empty\ndisplay counter\ndisassemble halve\ndisassemble work,+1\nstats table\nprint room[3] = 'y'\nprint *cell\n", 1).text;
    for line in [
        "[0-1] empty = 0\n",
        "[0-1] 1: counter = 42\n",
        " <halve>: push   %rbp\n",
        " <work>: push   %rbp\n",
        "min 1 at [0], max 4 at [3]",
    ] {
        assert!(told.contains(line), "{line}{told}");
    }
    for error in ["error: The program is not being run.", "error: No symbol \"cell\" in current context."] {
        assert!(told.contains(error), "{error}{told}");
    }
}
