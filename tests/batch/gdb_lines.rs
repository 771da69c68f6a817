//! gdb's command lines: those that work the same here, and those whose refusal names the command to use instead.

use crate::support::batch::{Place, json};
use crate::support::build;

/// gdb commands that are spelled differently here: each refusal names the right one.
const REFUSED: &[&str] = &[
    "add-symbol-file x 0",
    "attach 1",
    "checkpoint",
    "core core",
    "record",
    "reverse-step",
    "set confirm maybe",
    "target remote :1",
];

/// gdb commands that work unchanged, in a function with two arguments.
const UNDERSTOOD: &[&str] = &[
    "set confirm off",
    "file x",
    "layout src",
    "python print(1)",
    "set pagination on",
    "set width 80",
    "tui enable",
    "set pagination off",
    "set height 0",
    "set width unlimited",
    "set breakpoint pending on",
    "set print thread-events off",
    "set history save on",
    "set verbose off",
    "show pagination",
    "show breakpoint pending",
    "set args 1 2",
    "delete display",
    "set environment A=1",
    "unset environment A",
    "show args",
    "set cwd",
    "b work",
    "tb 20",
    "info b",
    "i b",
    "dis 1-2",
    "enable once 1",
    "dis 1",
    "echo hi\\n",
    "printf \"%d\\n\", 1",
    "delete breakpoints 2-3",
    "watch table[0]",
    "info watchpoints",
    "d 4",
    "bt",
    "bt 1",
    "bt -1",
    "bt full 1",
    "where",
    "i lo",
    "info args",
    "info frame",
    "info source",
    "info scope work",
    "x/-2i $pc",
    "display/i $pc",
    "f 1",
    "up",
    "down",
    "frame function work",
    "frame level 0",
    "frame apply level 0-1 p 1",
    "set print frame-arguments all",
    "frame apply all p 1",
    "frame 0",
    "info threads",
    "thread 1",
    "thread apply all bt",
    "t a a -q p a",
    "taas p a",
    "faas p a",
    "tfaas -q p a",
    "thread name x",
    "thread find x",
    "thread",
    "apropos break",
    "search add",
    "rev int",
    "queue-signal 0",
    "thread apply 1 info locals",
    "info symbol add",
    "info line add",
    "info line",
    "p a",
    "p /x a",
    "inspect b",
    "call add(1, 2)",
    "output all",
    "display a",
    "undisplay 1",
    "ptype struct cell",
    "whatis a",
    "x/4xw table",
    "x",
    "x/i $pc",
    "info reg",
    "i r rip",
    "disas",
    "disassemble /s add",
    "list",
    "l",
    "list -",
    "list add",
    "list 1,3",
    "list 5,",
    "set var a = 3",
    "set print elements 100",
    "set listsize 5",
    "show print elements",
    "info sharedlibrary",
    "info signals SIGUSR1",
    "handle SIGUSR1 nostop noprint pass",
    "stepi",
    "ni 2",
    "s",
    "n",
    "fin",
    "until",
    "advance add",
    "u 24",
    "clear add",
    "return 7",
    "directory /",
    "directory",
    "tb work",
    "hbreak work",
    "commands",
    "silent",
    "end",
    "define twice",
    "print 2 * $arg0",
    "end",
    "twice 2",
    "j main",
    "help x",
    "r",
    "start",
    "info functions ^add$",
    "rbreak ^add$",
    "delete",
    "info program",
    "set print pretty on",
    "shell true",
    "show version",
];

#[test]
fn each_habit_works_or_is_told_what_to_type() {
    let program = crate::support::build::plain("habits.c");
    let place = tempfile::tempdir().unwrap();
    let core = format!("generate-core-file {}", place.path().display());
    let script = format!("b add\nc\nwait\n{}\n{core}\n{}\nq\n", REFUSED.join("\n"), UNDERSTOOD.join("\n"));
    let outcome = json(&["-n", "2", "--keep-going"], &[program.to_str().unwrap()], &script).expect(1);
    let errors = outcome.of("error");
    let refused: Vec<&str> = errors.iter().map(|error| error["command"].as_str().unwrap()).collect();
    assert_eq!(refused, REFUSED, "{errors:#?}");
    assert!(["core.0", "core.1"].iter().all(|name| place.path().join(name).is_file()));
    for error in &errors {
        let message = error["message"].as_str().unwrap();
        let told = ["\"", "rankscope", "engine", "terminal", "at the start", "backwards", "Tab", "script"];
        let behind = message.rsplit(": ").next().unwrap();
        assert!(told.iter().any(|word| message.contains(word)), "{error}");
        assert!(
            !behind.is_empty() && !message.contains("did you mean") && !message.contains("unknown command"),
            "{error}"
        );
    }
}

#[test]
fn ranks_go_backwards_under_gdb_as_the_refusal_says() {
    let program = crate::support::build::plain("habits.c");
    let script =
        "b add\nc\nrecord\nengine use gdb\nengine record\nnext\nnext\nengine info record\nengine reverse-next\n";
    let outcome = json(&["-n", "2", "--keep-going"], &[program.to_str().unwrap()], script).expect(1);
    let errors = outcome.of("error");
    let refusal = errors[0]["message"].as_str().unwrap();
    let told = ["engine use gdb", "engine record", "engine reverse-next"];
    assert!(told.iter().all(|line| refusal.contains(line)), "{refusal}");
    // gdb resumes by itself, and nobody waits for it: a stop may come after the script.
    assert_eq!(errors.len(), 1, "{errors:?}");
    let asked = outcome.of("engine");
    assert_eq!(asked.iter().filter(|answer| answer["ranks"] == "0-1").count(), 4, "{}", outcome.text);
}

#[test]
fn info_alone_says_what_may_follow() {
    let program = crate::support::build::plain("habits.c");
    let arguments = ["run", "--timeout", "25", "--batch", "-", "-n", "2", program.to_str().unwrap()];
    let told = Place::new().run(&arguments, "info\n").expect(1).text;
    assert!(
        told.contains("expected a subcommand of info: address, all-registers, args, auxv, break, breakpoints"),
        "{told}"
    );
}

#[test]
fn places_with_number_signs_and_quotes_are_found() {
    let program = build::build("g++", "members.cpp", &["-g", "-O0"]).display().to_string();
    let script = "break app::Solver::step(int)::{lambda(int)#1}::operator() # a comment\n\
                  break 'members.cpp':'app::Solver::step' if rank_ == 3\n\
                  break \"app::Solver::scaled<double>\"\ngo\nwait\ngo\nwait\n";
    let outcome = json(&["-n", "1"], &[&program], script).expect(0);
    let functions: Vec<String> =
        outcome.of("stopped").iter().map(|stop| stop["function"].as_str().unwrap_or_default().into()).collect();
    assert_eq!(outcome.of("breakpoint").len(), 3);
    assert!(functions[1].contains("{lambda(int)#1}"), "{functions:?}");
    assert!(functions[2].starts_with("app::Solver::scaled"), "{functions:?}");
}

#[test]
fn a_condition_that_cannot_be_computed_is_an_error_of_the_script() {
    let program = build::build("g++", "members.cpp", &["-g", "-O0"]).display().to_string();
    let script = "break app::Solver::step if *(int *) 0 == 1\ngo\nwait\nstatus\n";
    for engine in ["native", "gdb"] {
        let outcome = json(&["-n", "1", "--engine", engine], &[&program], script).expect(1);
        assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), "0", "{engine}");
        assert!(outcome.of("status").is_empty(), "the script has ended");
        let outcome = json(&["-n", "1", "--keep-going", "--engine", engine], &[&program], script).expect(1);
        assert_eq!(outcome.of("status").len(), 1);
    }
}
