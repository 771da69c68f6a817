//! Commands that gdb users type out of habit, on a real program.

use crate::support::batch::{Outcome, Place, json};
use serde_json::Value;

#[track_caller]
fn run(script: &str) -> Outcome {
    let program = crate::support::build::plain("habits.c");
    json(&["-n", "2"], &[program.to_str().unwrap()], script).expect(0)
}

#[track_caller]
fn text(script: &str, status: i32) -> Outcome {
    let program = crate::support::build::plain("habits.c");
    let arguments = ["run", "--timeout", "25", "--batch", "-", "-n", "2", program.to_str().unwrap()];
    Place::new().run(&arguments, script).expect(status)
}

fn rows(outcome: &Outcome) -> Vec<Vec<String>> {
    let units = |row: &Value| {
        row["values"].as_array().unwrap().iter().map(|unit| unit.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let memory = outcome.of("memory");
    memory.iter().map(|memory| memory["rows"].as_array().unwrap().iter().flat_map(units).collect()).collect()
}

fn values(outcome: &Outcome) -> Vec<String> {
    outcome.of("value").iter().map(|value| value["value"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_blank_may_stand_before_a_format_and_x_goes_on() {
    let outcome = run("print /x 255\nx /3dw table\nx\nx/2\nx/s words[0]\nx\nx /2dh &table[6]\n");
    assert_eq!(values(&outcome), ["0xff"]);
    let expected: [&[&str]; 6] =
        [&["1", "2", "3"], &["4", "5", "6"], &["7", "8"], &["\"one\""], &["\"two\""], &["7", "0"]];
    assert_eq!(rows(&outcome), expected);
}

#[test]
fn x_needs_an_address_before_it_can_go_on() {
    let outcome = text("x\n", 1);
    assert!(outcome.text.contains("expected an address"), "{}", outcome.text);
}

#[test]
fn what_x_showed_last_can_be_named() {
    let script = "x/3dw table\nprint $__\nprint *$_@2\nx\nprint $__\nx/s words[0]\nprint $__\nprint *(char **)words == $_\n\
                  x/2i $pc\nprint (void *)$_ > $pc\n";
    assert_eq!(values(&run(script)), ["3", "{3, 4}", "6", "void", "1", "1"]);
}

#[track_caller]
fn both(script: &str, of: impl Fn(&Outcome)) {
    let program = crate::support::build::plain("habits.c");
    for engine in ["native", "gdb"] {
        of(&json(&["-n", "2", "--engine", engine], &[program.to_str().unwrap()], script).expect(0));
    }
}

#[test]
fn strings_of_wide_characters_are_strings() {
    both("x/2hs wide\nx/hs\nprint $_ == wide + 6\nx/ws wider\nx/bs words[0]\nx/hs wide\nx\n", |outcome| {
        let expected: [&[&str]; 6] = [
            &["u\"g\u{fc}n\"", "u\"x\""],
            &["u\"\""],
            &["U\"\u{1f600}!\""],
            &["\"one\""],
            &["u\"g\u{fc}n\""],
            &["\"x\""],
        ];
        assert_eq!(rows(outcome), expected);
        assert_eq!(values(outcome), ["1"]);
    });
    let outcome = text("x/gs wide\n", 1);
    assert!(outcome.text.contains("format s needs character size b (1 byte), h (2) or w (4)"), "{}", outcome.text);
}

#[test]
fn a_place_is_watched_whatever_becomes_of_its_name() {
    both("break work\ngo\nwait\nwatch -l c->id\ngo\nwait\n", |outcome| {
        assert_eq!(outcome.ranks("stopped", "reason", "watchpoint"), "0-1");
        let points = outcome.of("breakpoint");
        assert_eq!(points.last().unwrap()["location"], "watch -location c->id");
    });
    let outcome = text("watch -location nosuch->id\n", 1);
    assert!(outcome.text.contains("No symbol \"nosuch\" in current context."), "{}", outcome.text);
}

#[test]
fn lines_are_listed_where_they_are_asked_for() {
    // Line 1 has no code; the next number refers to the file listed last.
    let outcome = run("list 1\nlist habits.c:3,4\nlist add,\nlist work,32\nlist 25\nlist ,12\n");
    let told: Vec<(u64, usize)> = outcome
        .of("source")
        .iter()
        .map(|source| (source["first"].as_u64().unwrap(), source["lines"].as_array().unwrap().len()))
        .collect();
    let line = |words: &str| {
        let source = include_str!("../programs/habits.c");
        source.lines().position(|line| line.starts_with(words)).unwrap() as u64 + 1
    };
    let (add, work) = (line("static int add("), line("static int work("));
    // A function is listed from the line of its first instruction, that of its brace.
    assert_eq!(told, [(1, 10), (3, 2), (add + 1, 10), (work + 1, 2), (20, 10), (3, 10)]);
}

#[test]
fn the_lines_of_an_address_follow_the_name_of_its_function() {
    both("list *work\n", |outcome| {
        let texts = outcome.of("text");
        let told = texts[0]["text"].as_str().unwrap();
        assert!(told.starts_with("0x") && told.contains(" is in work (habits.c:31)."), "{told}");
        assert_eq!(outcome.of("source")[0]["first"].as_u64(), Some(26));
    });
}

#[test]
fn an_empty_list_is_said() {
    both(
        "info breakpoints\ninfo watchpoints\nbreak add\ninfo watchpoints\nwatch table[0]\ninfo watchpoints\n",
        |outcome| {
            let texts = outcome.of("text");
            let told: Vec<&str> = texts.iter().map(|text| text["text"].as_str().unwrap()).collect();
            assert_eq!(told, ["no breakpoints or watchpoints", "no watchpoints", "no watchpoints"]);
            // What was set, and what `info watchpoints` lists.
            assert_eq!(outcome.of("breakpoint").len(), 3, "{}", outcome.text);
        },
    );
}

#[test]
fn a_program_goes_on_in_the_background() {
    let outcome = text("break add\ncontinue &\nwait\nc 2 &\nwait\n", 0);
    assert_eq!(outcome.text.matches("stopped: breakpoint 1").count(), 2, "{}", outcome.text);
    assert!(outcome.text.contains("add at habits.c:24, after 1, 2 hits"), "{}", outcome.text);
}

#[test]
fn make_runs_on_this_host() {
    let outcome = text("make --version\n", 0);
    assert!(outcome.text.contains("GNU Make"), "{}", outcome.text);
}

#[test]
fn an_assignment_says_its_value_once() {
    let outcome = text(
        "print table[0] = 5\nprint table[0] == 5\nprint/x table[0] = 16\nset var table[0] = 0\nprint table[0] += 5\n",
        0,
    );
    for line in ["table[0] = 5", "table[0] == 5 = 1", "table[0] = 16 = 0x10", "table[0] += 5 = 5"] {
        let line = format!("[0-1] {line}");
        assert_eq!(outcome.text.lines().filter(|told| **told == line).count(), 1, "{line}: {}", outcome.text);
    }
}

#[test]
fn loaded_files_are_chosen_by_a_regular_expression() {
    both("info sharedlibrary /libc[.]so\ninfo sharedlibrary nosuchfile\n", |outcome| {
        let files = outcome.of("libraries");
        assert_eq!(files.len(), 1, "{}", outcome.text);
        assert!(files[0].to_string().contains("libc.so") && !files[0].to_string().contains("ld-linux"), "{}", files[0]);
        assert_eq!(outcome.of("text")[0]["text"], "no loaded file has such a path");
    });
}

#[test]
fn lines_have_code_and_addresses_names() {
    let script = "info line add\nprint (char *)$_ == (char *)add\nx/i\nprint (char *)$_ == (char *)add\n\
                  info symbol (char *)add + 1\ninfo symbol &table[2]\nbreak add\nbreak work\ninfo breakpoints\n\
                  print (char *)$_ > (char *)work && (char *)$_ < (char *)work + 64\nwhatis $_\n";
    both(script, |outcome| {
        assert_eq!(values(outcome), ["1", "1", "1"]);
        let texts = outcome.of("text");
        let told: Vec<&str> = texts.iter().map(|text| text["text"].as_str().unwrap()).collect();
        let [add, symbol, table] = told[..] else { panic!("{told:?}") };
        assert!(add.contains(" of \"habits.c\" starts at address 0x") && add.contains("<add> and ends at 0x"), "{add}");
        assert!(symbol.starts_with("add + 1 in /") && table.starts_with("table + 8 in /"), "{told:?}");
    });
}

#[test]
fn a_command_is_run_for_all_frames_or_threads() {
    both(
        "break add\ngo\nwait\nframe apply all print $pc != 0\nframe apply -1 print result == result\nframe function work\nprint n\n",
        |outcome| {
            assert_eq!(values(outcome), ["1", "1", "1", "1", "4"]);
            assert_eq!(outcome.of("frame")[0]["frame"]["level"], 1);
        },
    );
    let program = crate::support::build::plain("threads_staged.c");
    for engine in ["native", "gdb"] {
        let script = "break work\ngo\nwait\nthread apply all where\nthread apply 2-3 1 print 6 * 7\n";
        let outcome = json(&["--engine", engine], &[program.to_str().unwrap()], script).expect(0);
        let headings: Vec<String> = outcome
            .of("text")
            .iter()
            .map(|text| {
                text["text"].as_str().unwrap().split_whitespace().nth(1).unwrap().trim_end_matches(':').to_owned()
            })
            .collect();
        assert_eq!(headings, ["4", "3", "2", "1", "2", "3", "1"]);
        assert_eq!((outcome.of("stack").len(), values(&outcome).len()), (4, 3));
    }
    let outcome = text("thread apply 1 7 print 1\n", 1);
    assert!(outcome.text.contains("no thread 7") && outcome.text.contains("[0-1] 1 = 1"), "{}", outcome.text);
}

#[test]
fn a_group_of_threads_answers_as_thread_apply_does_with_equal_answers_once() {
    let program = crate::support::build::plain("threads_staged.c");
    for engine in ["native", "gdb"] {
        let script = "break work\ngo\nwait\n[0.{2-3,1}] print 6 * 7\nthread apply 1-3 print $_thread\n\
                      [0.{1-3}] print $_thread\nfocus 0.*\nwhere 1\n[0.{2,4}] jump 1\n";
        let outcome = json(&["--engine", engine, "--keep-going"], &[program.to_str().unwrap()], script).expect(1);
        let found = outcome.of("value");
        let told: Vec<(&str, Option<&str>)> =
            found.iter().map(|one| (one["value"].as_str().unwrap(), one["threads"].as_str())).collect();
        let one_by_one = [("1", None), ("2", None), ("3", None)];
        let together = [("1", Some("1")), ("2", Some("2")), ("3", Some("3"))];
        assert_eq!(told[0], ("42", Some("1-3")), "{engine}");
        assert_eq!(told[1..], [one_by_one, together].concat(), "{engine}");
        let stacks = outcome.of("stack");
        let named: Vec<&str> = stacks.iter().map(|stack| stack["threads"].as_str().unwrap()).collect();
        assert!(named.len() > 1 && named.concat().contains('1'), "{engine}: {stacks:?}");
        let focus = outcome.of("focus");
        assert_eq!((&focus[0]["text"], &focus[0]["threads"]), (&"0.*".into(), &"all".into()), "{engine}");
        let error = outcome.of("error");
        assert_eq!(error[0]["message"], "jump takes one thread of each rank, such as [0.2] jump 1", "{engine}");
    }
}

#[test]
fn arrivals_are_passed_over_by_a_number() {
    let outcome = run("break add\ngo\nwait\ncontinue 2\nwait\nprint b\ncontinue 1\nwait\nprint b\n");
    assert_eq!(values(&outcome), ["2", "3"]);
    let outcome = text("go 3\n", 1);
    assert!(outcome.text.contains("is stopped at a breakpoint"), "{}", outcome.text);
    let outcome = text("break add\ngo\nwait\n[0] go 3\n", 1);
    assert!(outcome.text.contains("breakpoint 1 also belongs to [1]; use \"after 1 N\""), "{}", outcome.text);
}

#[test]
fn instructions_go_on_behind_the_last() {
    let outcome = run("x/4i $pc\nx/2i $pc\nx\n");
    let told: Vec<Vec<Value>> = outcome
        .of("disassembly")
        .iter()
        .map(|object| object["instructions"].as_array().unwrap().iter().map(|row| row["address"].clone()).collect())
        .collect();
    assert_eq!([told[1].as_slice(), told[2].as_slice()].concat(), told[0]);
}

#[test]
fn addresses_are_shown_with_what_is_there() {
    let outcome = run("print/a adder\nprint /a &table[2]\nx/a &adder\nprint/a 0\n");
    let values = values(&outcome);
    let told: Vec<&str> = values.iter().map(|value| value.split_once(' ').map_or("", |(_, name)| name)).collect();
    assert_eq!(told, ["<add>", "<table+8>", ""], "{values:?}");
    let rows = rows(&outcome);
    assert!(rows[0][0].starts_with("0x") && rows[0][0].ends_with(" <add>"), "{rows:?}");
}

#[test]
fn stacks_are_shown_in_full_and_from_outside() {
    let outcome = run("break add\ngo\nwait\nbt full\nbt -1\nwhere 1 full\n");
    let stacks = outcome.of("stack");
    let frames = |stack: usize| stacks[stack]["frames"].as_array().unwrap().clone();
    let full = frames(0);
    assert_eq!(full.len(), 3);
    assert_eq!((&full[0]["args"][0]["name"], &full[0]["args"][1]["value"]), (&"a".into(), &"0".into()));
    let locals: Vec<&Value> = full[1]["locals"].as_array().unwrap().iter().map(|local| &local["name"]).collect();
    assert_eq!(locals, ["i", "total"]);
    assert_eq!((frames(1).len(), &frames(1)[0]["function"], &frames(1)[0]["level"]), (1, &"main".into(), &2.into()));
    assert!(frames(1)[0].get("locals").is_none());
    assert_eq!((frames(2).len(), &frames(2)[0]["locals"][0]["name"]), (1, &"sum".into()));
    let told = text("break add\ngo\nwait\nbt full\n", 0).text;
    assert!(told.contains("[0-1] #0  add (a=0, b=0) at habits.c:"), "{told}");
    assert!(told.contains("[0-1]         total = 0\n"), "{told}");
}

#[test]
fn a_frame_is_chosen_for_all_ranks_of_the_focus() {
    let outcome = run("break add\ngo\nwait\nup\nprint n\n[1] frame 2\ndown\n");
    let ranks: Vec<Value> = outcome.of("frame").iter().map(|frame| frame["ranks"].clone()).collect();
    assert_eq!(ranks, ["0-1", "1", "0", "1"], "each goes down from where it is");
    assert_eq!(values(&outcome), ["4"]);
}

#[test]
fn registers_look_as_in_gdb() {
    let told = text("registers rip eflags rbp rax st0\n", 0).text;
    let line = |name: &str| {
        let found = told.lines().find(|line| line.starts_with(&format!("[0-1] {name} ")));
        let words = found.unwrap_or_else(|| panic!("{name}: {told}")).split_whitespace().skip(2);
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    let rip = line("rip");
    assert_eq!((rip[0] == rip[1], rip[2].starts_with("<main+")), (true, true), "{told}");
    let flags = line("eflags");
    assert!(flags[0].starts_with("0x") && flags[1] == "[" && flags.contains(&"IF".to_owned()), "{told}");
    assert_eq!(line("rbp")[0], line("rbp")[1]);
    assert_eq!(line("st0"), ["0", "(raw", "0x00000000000000000000)"]);
    let rax = line("rax");
    let bits = u64::from_str_radix(rax[0].strip_prefix("0x").unwrap(), 16).unwrap();
    assert_eq!(bits as i64, rax[1].parse::<i64>().unwrap(), "{told}");
}

#[test]
fn a_finished_function_says_what_it_returned() {
    let outcome = run("break add\ngo\nwait\nfinish\nstatus\n");
    let stops = outcome.of("stopped");
    let stop = stops.iter().find(|stop| stop["reason"] == "finished").unwrap();
    assert_eq!((&stop["returned"], &stop["returned_type"]), (&"0".into(), &"int".into()));
    assert_eq!(stop.get("note"), None);
    assert_eq!(stop["history_number"], 1);
    let told = text("break add\ngo\nwait\nfinish\n", 0).text;
    assert!(told.contains("[0-1] Value returned is $1 = 0\n"), "{told}");
}

#[test]
fn a_returned_value_is_the_last_of_the_history_on_every_rank() {
    let program = crate::support::build::plain("habits.c");
    let script = "break add\ngo\nwait\nprint 41\n[1] print 7\nfinish\nprint $ + 100\n[0] print $1\n[1] print $3 - $2\n";
    for engine in ["native", "gdb"] {
        let arguments = ["run", "--timeout", "60", "--engine", engine, "--batch", "-", "-n", "2"];
        let arguments = [&arguments[..], &[program.to_str().unwrap()]].concat();
        let told = Place::new().run(&arguments, script).expect(0).text;
        // The numbers are the session's, whatever a rank has printed.
        assert!(told.contains("[0-1] Value returned is $3 = 0\n"), "{engine}: {told}");
        for line in ["[0-1] $ + 100 = 100\n", "[0] $1 = 41\n", "[1] $3 - $2 = -7\n"] {
            assert!(told.contains(line), "{engine}, {line}: {told}");
        }
    }
}

#[test]
fn signals_are_kept_from_the_program_and_handled_together() {
    let outcome = run("go\nwait\nsignal 0\nwait exited\n");
    assert_eq!(outcome.ranks("stopped", "signal", "SIGUSR1"), "0-1");
    assert_eq!(outcome.ranks("output", "text", "6 0\n"), "0-1");
    let outcome = run("handle all nostop noprint\ngo\nwait exited\n");
    assert_eq!(outcome.ranks("stopped", "signal", "SIGUSR1"), "");
    assert_eq!(outcome.ranks("output", "text", "6 10\n"), "0-1");
    let signals = outcome.of("signals")[0]["signals"].clone();
    let named = |name: &str| signals.as_array().unwrap().iter().any(|row| row["name"] == name);
    assert!(named("SIGSEGV") && named("SIG40") && !named("SIGINT") && !named("SIGTRAP"));
}

#[test]
fn programs_that_have_ended_are_asked_for_what_needs_none() {
    let told = text("go\nwait\ngo\nwait exited\nprint $_exitcode\nprint 6 * 7\nwhatis add\n", 0).text;
    for line in ["[0-1] $_exitcode = 0\n", "[0-1] 6 * 7 = 42\n", "[0-1] type = int (int, int)\n"] {
        assert!(told.contains(line), "{line}{told}");
    }
    let told = text("go\nwait\ngo\nwait exited\nprint $pc\n", 1).text;
    assert!(told.contains("[0-1] error: No registers."), "{told}");
}

/// gdb sets breakpoints before the program runs.
#[test]
fn programs_that_have_ended_get_breakpoints_for_the_next_start() {
    let script = "go\nwait\ngo\nwait exited\nbreak work\nbreak habits.c:27\ndelete 2\nrun\nwait\ngo\nwait\nwhere 1\n";
    let outcome = run(script);
    let set = outcome.of("breakpoint");
    assert!(set.iter().any(|point| point["waits"] == "start" && point["location"] == "work"), "{}", outcome.text);
    assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), "0-1", "{}", outcome.text);
    let done: Vec<_> = outcome.of("done").into_iter().filter(|done| done["command"] == "break work").collect();
    assert_eq!(done[0]["answered"], "0-1");
    let told = text("go\nwait\ngo\nwait exited\nbreak work\n", 0).text;
    let wanted = "[0-1] breakpoint 1: work, set when the job starts again (\"run\")";
    assert!(told.contains(wanted), "{told}");
}

#[test]
fn lines_after_and_before_the_one_that_is_shown_are_locations() {
    both("break work\ngo\nwait\nbreak +2\nbreak -1\ntbreak +1\ngo\nwait\n", |outcome| {
        let lines: Vec<_> = outcome.of("breakpoint").iter().map(|point| point["sites"][0]["line"].clone()).collect();
        assert_eq!(lines, [32, 34, 32, 33], "{}", outcome.text);
    });
}

#[test]
fn a_number_that_is_missing_does_not_keep_the_other_breakpoints() {
    let program = crate::support::build::plain("habits.c");
    let script = "break work\nbreak main\nbreak add\ndelete 2\ndelete 1-3\nbreakpoints\n";
    let outcome = json(&["-n", "2", "--keep-going"], &[program.to_str().unwrap()], script);
    assert_eq!(outcome.of("error").len(), 1, "{}", outcome.text);
    let listed = outcome.text.split("\"delete 1-3\"").nth(1).unwrap();
    assert!(!listed.contains("\"type\":\"breakpoint\""), "{}", outcome.text);
}

#[test]
fn the_thread_that_is_marked_is_the_chosen_one() {
    let program = crate::support::build::build("gcc", "threads_helped.c", &["-g", "-O0", "-pthread"]);
    for engine in ["native", "gdb"] {
        let script = "go\nwait\nthreads\nthread 1\nthreads\n";
        let outcome = json(&["-n", "2", "--engine", engine], &[program.to_str().unwrap()], script).expect(0);
        let lists = outcome.of("threads");
        let current = |list: &Value| {
            let threads = list["threads"].as_array().unwrap();
            threads.iter().filter(|one| one["current"] == true).map(|one| one["id"].clone()).collect::<Vec<_>>()
        };
        let first = lists.first().map(current).unwrap();
        let last = lists.last().map(current).unwrap();
        assert_eq!((first, last), (vec![Value::from(2)], vec![Value::from(1)]), "{engine}: {}", outcome.text);
    }
}

#[test]
fn a_line_that_asks_for_nothing_is_answered_with_nothing() {
    let outcome = run("\n   \n# a comment\n  # another\nprint 1\n");
    assert_eq!(outcome.of("done").iter().map(|done| done["command"].clone()).collect::<Vec<_>>(), ["print 1"]);
}

#[test]
fn a_focus_on_a_thread_that_is_not_there_is_refused() {
    let program = crate::support::build::plain("habits.c");
    let script = "focus 1.1\nfocus 0.9\nfocus\n";
    let outcome = json(&["-n", "2", "--keep-going"], &[program.to_str().unwrap()], script).expect(1);
    let errors = outcome.of("error");
    assert_eq!((errors.len(), &errors[0]["ranks"], &errors[0]["position"]), (1, &"0".into(), &8.into()));
    let focus: Vec<Value> = outcome.of("focus").iter().map(|focus| focus["text"].clone()).collect();
    assert_eq!(focus, ["1.1", "1.1"]);
}

#[test]
fn aliases_are_listed_as_such() {
    let outcome = run("alias bk = break add\nalias\n");
    assert_eq!(outcome.of("aliases")[0]["aliases"], serde_json::json!([{"name": "bk", "text": "break add"}]));
    assert!(outcome.of("settings").is_empty());
    let told = text("alias zz = nosuch thing\n", 1).text;
    assert!(told.contains("unknown command \"nosuch\""), "{told}");
}

#[test]
fn breakpoints_are_cleared_by_their_place() {
    both("break add\nbreak work\nbreak not_there_yet\nclear add\nclear not_there_yet\ninfo break\n", |outcome| {
        let points = outcome.of("breakpoint");
        assert_eq!(points.last().unwrap()["location"], "work", "{points:#?}");
        let texts = outcome.of("text");
        let told: Vec<&str> = texts.iter().map(|text| text["text"].as_str().unwrap()).collect();
        assert_eq!(told, ["deleted: 1", "deleted: 3"]);
    });
    // At the rank's current location, however the breakpoint was set; on some ranks only.
    both(
        "break add\ntbreak *$pc\ngo\nwait\nbreak\nclear\n[1] break work\nbreak work\n[0] clear work\ninfo break\n",
        |outcome| {
            let points = outcome.of("breakpoint");
            let last: Vec<(&Value, &Value)> =
                points.iter().rev().take(3).map(|point| (&point["id"], &point["ranks"])).collect();
            assert_eq!(
                last,
                [(&5.into(), &"1".into()), (&4.into(), &"1".into()), (&2.into(), &"0-1".into())],
                "{points:#?}"
            );
        },
    );
    let outcome = text("break add\nclear work\n", 1);
    assert!(outcome.text.contains("no breakpoint at work; \"breakpoints\" lists them"), "{}", outcome.text);
}

/// Four ranks in `leaf`: 0 to 2 below `solve`, each one call deeper than the one before, 3 below `other`; either
/// engine.
#[track_caller]
fn at_depths(script: &str, of: impl Fn(&Outcome)) {
    let program = crate::support::build::plain("depths.c");
    for engine in ["native", "gdb"] {
        let script = format!("break leaf\ngo\nwait\n{script}");
        of(&json(&["-n", "4", "--engine", engine, "--keep-going"], &[program.to_str().unwrap()], &script));
    }
}

/// The frames and values that a script printed, in order: ranks, and level and function or value.
fn told_of_frames(outcome: &Outcome) -> Vec<String> {
    let words = |object: Value| {
        let ranks = object["ranks"].as_str().unwrap_or("").to_owned();
        match object["type"].as_str()? {
            "frame" => {
                let frame = &object["frame"];
                Some(format!("[{ranks}] #{} {}", frame["level"], frame["function"].as_str()?))
            }
            "value" => Some(format!("[{ranks}] {}", object["value"].as_str()?)),
            "missing" | "error" => Some(format!("[{ranks}] {}", object["message"].as_str()?)),
            _ => None,
        }
    };
    outcome.objects().into_iter().filter_map(words).collect()
}

#[test]
fn a_frame_is_chosen_in_the_stack_of_each_rank() {
    let script = "frame function solve\nprint residual\nset var residual = residual + 1\nprint residual\nup\nprint rank\n\
                  down\nframe\n";
    at_depths(script, |outcome| {
        let solve = ["[0] #2 solve", "[1] #3 solve", "[2] #4 solve"];
        let main = ["[0] #3 main", "[1] #4 main", "[2] #5 main"];
        let no_symbol = "[3] No symbol \"residual\" in current context.";
        let mut expected = solve.to_vec();
        expected.push("[3] no frame of solve on the stack: keeps its frame");
        expected.extend(["[0] 0.5", "[1] 1.5", "[2] 2.5", no_symbol, no_symbol]);
        expected.extend(["[0] 1.5", "[1] 2.5", "[2] 3.5", no_symbol]);
        // Rank 3 kept its frame and goes up from it.
        expected.extend(main);
        expected.extend(["[3] #1 other", "[0] 0", "[1] 1", "[2] 2", "[3] 3"]);
        expected.extend(solve);
        expected.extend(["[3] #0 leaf"]);
        expected.extend(solve);
        expected.extend(["[3] #0 leaf"]);
        let mut told = told_of_frames(outcome);
        let mut expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
        // Within one answer ranks may be in any order.
        told.sort();
        expected.sort();
        assert_eq!(told, expected, "{}", outcome.text);
    });
}

#[test]
fn finish_leaves_the_chosen_frame_of_each_rank() {
    at_depths(
        "frame function sweep\nfinish\nwait\nprint sink\nframe function solve\n[1] frame 0\nprint residual\n",
        |outcome| {
            let told = told_of_frames(outcome);
            // Rank 3 has finished `leaf`, its selected frame.
            assert_eq!(outcome.ranks("stopped", "function", "solve"), "0", "{}", outcome.text);
            assert_eq!(outcome.ranks("stopped", "function", "sweep"), "1-2", "{}", outcome.text);
            assert_eq!(outcome.ranks("stopped", "function", "other"), "3", "{}", outcome.text);
            let last = &told[told.len() - 4..];
            assert_eq!(
                last,
                ["[0] 0.5", "[2] 2.5", "[3] -1", "[1] No symbol \"residual\" in current context."],
                "{}",
                outcome.text
            );
        },
    );
}

#[test]
fn a_map_is_indexed_by_a_text_without_a_call() {
    let program = crate::support::build::build("g++", "containers.cpp", &["-g", "-O0"]);
    let line = include_str!("../programs/containers.cpp")
        .lines()
        .position(|line| line.contains("use(numbers, ages, text)"))
        .unwrap();
    let script = format!(
        "break {}\ngo\nwait\nprint ages[\"step 0\"]\nprint ages[\"bob\"]\nprint words[\"one\"]\nprint ages.size()\n",
        line + 1
    );
    let outcome = json(&["-n", "1", "--keep-going"], &[program.to_str().unwrap()], &script);
    let errors = outcome.of("error");
    let message = |number: usize| errors[number]["message"].as_str().unwrap();
    assert_eq!(message(0), "There is no such key in this map.");
    assert!(message(1).starts_with("Cannot index std::vector<"), "{}", outcome.text);
    // No key was inserted.
    assert_eq!(values(&outcome), ["25", "3"], "{}", outcome.text);
}
