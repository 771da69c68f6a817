//! Commands that gdb users reach for now and then: searching sources, names of threads, quiet and silent application,
//! queued signals, `apropos`.

use crate::gdb_data::ours;
use crate::support::batch::{Place, json};
use crate::support::build::{build, plain};
use crate::support::gdb::{gdb, printed};
use crate::support::marks;
use std::path::PathBuf;

fn found() -> PathBuf {
    plain("found.c")
}

fn stop_at(file: &str, mark: &str) -> String {
    format!("break {file}:{}", marks::line(file, mark))
}

#[test]
fn lines_of_the_source_are_searched_as_gdb_does() {
    let stop = stop_at("found.c", "found");
    // gdb counts the first line of a list as the last one listed.
    let questions = [
        "list 30,30",
        "search matrix",
        "print $_",
        "list",
        "list 43,43",
        "reverse-search ^int",
        "print $_",
        "rev",
        "fo ^typedef",
        "list 50,50",
        "forward-search no_arguments",
        "search strcpy",
        "rev ^static.*[(]",
        "print $_",
        "fo",
    ];
    let spoken = questions.map(str::to_owned);
    let theirs = gdb(&found(), &[], &[&stop, "run"], &spoken);
    let program = found();
    let script = format!("{stop}\ngo\nwait\n{}\n", questions.join("\n"));
    for engine in ["native", "gdb"] {
        let arguments = ["-n", "2", "--keep-going", "--engine", engine];
        let outcome = json(&arguments, &[program.to_str().unwrap()], &script);
        for (question, theirs) in questions.iter().zip(&theirs) {
            assert!(!question.starts_with("print") || printed(theirs).parse::<u32>().is_ok(), "{question}: {theirs}");
        }
        // gdb: `36	int f(void)`, ours: the same lines as objects.
        let lines: Vec<(u64, String)> = outcome
            .of("source")
            .iter()
            .flat_map(|source| {
                let first = source["first"].as_u64().unwrap();
                let lines = source["lines"].as_array().unwrap().clone();
                (first..).zip(lines.into_iter().map(|line| line.as_str().unwrap().to_owned())).collect::<Vec<_>>()
            })
            .collect();
        let line = |line: &str| {
            let (number, text) = line.split_once('\t')?;
            Some((number.parse().ok()?, text.to_owned()))
        };
        let expected: Vec<(u64, String)> = theirs.iter().flat_map(|answer| answer.lines()).filter_map(line).collect();
        assert!(expected.len() > 14, "{theirs:?}");
        assert_eq!(lines, expected, "{engine}");
        let values: Vec<String> =
            outcome.of("value").iter().map(|value| value["value"].as_str().unwrap().to_owned()).collect();
        let is_value = |(question, _): &(&&str, &String)| question.starts_with("print");
        let expected: Vec<&str> =
            questions.iter().zip(&theirs).filter(is_value).map(|(_, answer)| printed(answer)).collect();
        assert_eq!(values, expected, "{engine}");
        let missing = theirs.iter().filter(|answer| answer.contains("Expression not found")).count();
        let errors = outcome.of("error");
        assert_eq!(errors.len(), missing, "{engine}: {errors:?}");
    }
}

#[test]
fn threads_are_named_and_found_as_gdb_does() {
    let stop = stop_at("found.c", "found");
    let questions = [
        "thread find ^f",
        "thread name worker of mine",
        "thread find mine$",
        "thread find nosuch",
        "thread name",
        "thread find mine$",
    ];
    let spoken = questions.map(str::to_owned);
    let theirs = gdb(&found(), &[], &[&stop, "run"], &spoken);
    assert!(theirs[0].contains("has target name"), "{theirs:?}");
    for engine in ["native", "gdb"] {
        let ours = ours(&found(), engine, &[&stop, "go", "wait"], &questions);
        let ours: Vec<&str> = ours.iter().map(|answer| answer.trim_end()).collect();
        assert_eq!(ours, theirs, "{engine}");
    }
}

#[test]
fn the_name_of_a_thread_is_of_the_ranks_that_got_it() {
    let program = found();
    let script = "[1] thread name special\nthreads\nthread\n[0,1] thread find special\nthread apply all -q print 1\n";
    for engine in ["native", "gdb", "fake"] {
        let program = if engine == "fake" { "stencil" } else { program.to_str().unwrap() };
        let outcome = json(&["-n", "3", "--engine", engine], &[program], script).expect(0);
        let lists = outcome.of("threads");
        let named: Vec<(&str, bool)> = lists
            .iter()
            .map(|list| (list["ranks"].as_str().unwrap(), list["threads"][0]["name"] == "special"))
            .collect();
        assert_eq!(named, [("0,2", false), ("1", true), ("0,2", false), ("1", true)], "{engine}");
        assert!(lists[2..].iter().all(|list| list["threads"].as_array().unwrap().len() == 1), "{engine}: {lists:?}");
        let texts = outcome.of("text");
        assert!(texts.iter().any(|text| text["ranks"] == "1" && text["text"] == "Thread 1 has name 'special'"));
        assert!(texts.iter().any(|text| text["ranks"] == "0" && text["text"] == "No threads match 'special'"));
        // -q leaves out the heading.
        assert_eq!(texts.len(), 2, "{engine}: {texts:?}");
    }
}

#[test]
fn silent_commands_report_only_what_they_find() {
    let program = found();
    let program = [program.to_str().unwrap()];
    let stop = stop_at("found.c", "found");
    for engine in ["native", "gdb"] {
        for (line, level) in [
            ("frame apply all -s print argc", 2),
            ("faas print argc", 2),
            ("tfaas print argc", 2),
            ("faas print local.c", 1),
        ] {
            let arguments = ["-n", "2", "--engine", engine];
            let outcome = json(&arguments, &program, &format!("{stop}\ngo\nwait\n{line}\n")).expect(0);
            assert_eq!(outcome.of("value").len(), 1, "{engine} {line}: {}", outcome.text);
            assert_eq!(outcome.of("error").len(), 0, "{engine} {line}");
            let stacks = outcome.of("stack");
            assert_eq!(stacks.len(), 1, "{engine} {line}: {stacks:?}");
            assert_eq!(stacks[0]["frames"][0]["level"], level, "{engine} {line}");
        }
        let arguments = ["-n", "2", "--keep-going", "--engine", engine];
        let script = format!("{stop}\ngo\nwait\nframe apply all -q print argc\ntaas print nosuch\ntaas -c print 1\n");
        let outcome = json(&arguments, &program, &script).expect(1);
        assert_eq!(outcome.of("stack").len(), 0, "{engine}: -q");
        assert_eq!(outcome.of("text").len(), 0, "{engine}: taas without an output");
        let errors = outcome.of("error");
        let errors: Vec<&str> = errors.iter().map(|error| error["message"].as_str().unwrap()).collect();
        assert_eq!(errors.len(), 3, "{engine}: {errors:?}");
        assert_eq!(errors[2], "-c and -s exclude each other");
    }
}

#[test]
fn a_queued_signal_is_delivered_at_the_next_continue() {
    let program = build("gcc", "signalled_steps.c", &["-g", "-O0"]);
    let program = [program.to_str().unwrap()];
    let source = std::fs::read_to_string(marks::source("signalled_steps.c")).unwrap();
    let line = source.lines().position(|line| line.contains("/* begin */")).unwrap() + 1;
    let stop = format!("break signalled_steps.c:{line}");
    let script = format!(
        "{stop}\ngo\nwait\nbreak on_signal\nqueue-signal SIGUSR2\nbreakpoints\ngo\nwait\nprint number\ndelete\ngo\nwait\n\
         print handled > 49\nbreak on_signal\nqueue-signal 0\ngo\nwait exited\n"
    );
    for engine in ["native", "gdb"] {
        let outcome = json(&["-n", "2", "--engine", engine], &program, &script).expect(0);
        assert_eq!(outcome.ranks("value", "value", "12"), "0-1", "{engine}: in the handler");
        assert_eq!(outcome.ranks("stopped", "signal", "SIGUSR2"), "0-1", "{engine}: the program's own");
        let reasons: Vec<String> =
            outcome.of("stopped").iter().map(|stop| stop["reason"].as_str().unwrap().to_owned()).collect();
        assert_eq!(reasons.iter().filter(|reason| *reason == "breakpoint").count(), 2, "{engine}: {reasons:?}");
        assert!(!outcome.of("exited").is_empty(), "{engine}: {}", outcome.text);
        let refused = json(&["-n", "1", "--engine", engine], &program, "queue-signal SIGINT\n").expect(1);
        let error = refused.of("error")[0]["message"].as_str().unwrap().to_owned();
        assert_eq!(error, "SIGINT is not passed to the program; \"handle SIGINT pass\" changes that", "{engine}");
    }
    let outcome = json(&["-n", "2", "--engine", "fake"], &["stencil"], "queue-signal SIGTERM\ngo\nwait exited\n");
    assert_eq!(outcome.ranks("killed", "signal", "SIGTERM"), "0-1", "{}", outcome.text);
}

#[test]
fn apropos_lists_commands_settings_and_definitions() {
    let program = found();
    let arguments = ["run", "--timeout", "60", "--batch", "-", "--keep-going", "-n", "1", program.to_str().unwrap()];
    let script = "define mine\nprint 1\nend\ndocument mine\nPrints the one and only.\nend\napropos one and ONLY\n\
                  apropos ^rbreak\napropos -v ^rbreak\napropos ^set list-size\napropos nosuchword\napropos a[\n";
    let text = Place::new().run(&arguments, script).expect(1).text;
    for line in [
        "mine -- Prints the one and only.",
        "rbreak -- Sets a breakpoint at each function whose name matches a regular expression.",
        "set list-size -- ",
        "no command or setting matches \"nosuchword\"; \"help\" lists all commands",
        "invalid regular expression",
    ] {
        assert!(text.contains(line), "{line:?} is not in {text}");
    }
    assert_eq!(text.matches("`commands` without numbers").count(), 1, "the whole help with -v only: {text}");
}

#[test]
fn disassembly_shows_the_text_of_lines_in_the_layout_of_gdb() {
    let program = found();
    let stop = stop_at("found.c", "found");
    let questions = [
        "disassemble /s",
        "disassemble /s main",
        "disassemble /s add_numbers,+12",
        "disassemble /s main,main+8",
        "disassemble /rs add_numbers,+4",
        "disassemble add_numbers,+4",
    ];
    let spoken = questions.map(str::to_owned);
    let theirs = gdb(&program, &[], &[&stop, "run"], &spoken);
    // gdb names the function of each instruction in ranges only, and symbols of static variables with numbers.
    let word = |word: &str| {
        if let Some(within) = word.strip_prefix('<').and_then(|word| word.strip_suffix(">:")) {
            return format!("<+{}>:", within.rsplit_once('+').map_or("0", |(_, offset)| offset));
        }
        match word.strip_prefix("0x") {
            Some(digits) => format!("0x{}", digits.trim_start_matches('0')),
            None => word.replace(".0>", ">"),
        }
    };
    let line = |line: &str| line.split_whitespace().map(word).collect::<Vec<_>>().join(" ");
    let bare = |answer: &str| {
        let lines = answer.lines().filter(|line| !line.contains(" of assembler ") && !line.starts_with("Dump of"));
        lines.map(line).collect::<Vec<_>>()
    };
    for engine in ["native", "gdb"] {
        let ours = ours(&program, engine, &[&stop, "go", "wait"], &questions);
        for ((question, ours), theirs) in questions.iter().zip(&ours).zip(&theirs) {
            // Without `/s`, the place of each line is named.
            let ours: Vec<String> = bare(ours).into_iter().filter(|line| line != "found.c:35").collect();
            let theirs = bare(theirs);
            assert!(theirs.len() >= 2, "{question}: {theirs:?}");
            assert_eq!(ours, theirs, "{engine}: {question}");
        }
    }
}

#[test]
fn lines_of_code_are_data_for_programs() {
    let program = found();
    let script = format!("{}\ngo\nwait\ndisassemble /s\n", stop_at("found.c", "found"));
    for engine in ["native", "gdb"] {
        let outcome = json(&["-n", "2", "--engine", engine], &[program.to_str().unwrap()], &script).expect(0);
        let listing = &outcome.of("disassembly")[0];
        let first = listing["instructions"][0]["source_lines"].as_array().unwrap();
        assert!(first[0].as_str().unwrap().ends_with("/found.c:"), "{engine}: {first:?}");
        assert_eq!(first[1], "35\tstatic int add_numbers(int a, int b) {", "{engine}");
        assert!(listing["instructions"][1]["source_lines"].is_null(), "{engine}");
        assert_eq!(outcome.of("disassembly").len(), 1, "{engine}: once for all ranks");
    }
}

#[test]
fn thread_locals_are_shown_as_the_thread_has_them() {
    let program = plain("found.c");
    let script =
        format!("{}\ngo\nwait\nset of_thread = 7\ninfo tls\nthread-locals nosuch*\n", stop_at("found.c", "found"));
    for engine in ["native", "gdb"] {
        let outcome = json(&["-n", "2", "--engine", engine], &[program.to_str().unwrap()], &script).expect(0);
        let lists = outcome.of("variables");
        assert_eq!((&lists[0]["scope"], &lists[0]["ranks"]), (&"thread_locals".into(), &"0-1".into()), "{engine}");
        let variables = lists[0]["variables"].as_array().unwrap();
        let rows: Vec<(&str, &str)> =
            variables.iter().map(|one| (one["name"].as_str().unwrap(), one["value"].as_str().unwrap())).collect();
        // Those of the C library are listed where it has debug information.
        assert!(rows.contains(&("of_thread", "7")), "{engine}: {rows:?}");
        assert_eq!(lists[1]["variables"].as_array().unwrap().len(), 0, "{engine}");
    }
}

/// With `*`, too: `globals *` are those of the program alone.
#[test]
fn thread_locals_of_libraries_are_listed() {
    let library = build("gcc", "part.c", &["-g", "-O0", "-shared", "-fPIC"]);
    let directory = library.parent().unwrap();
    let (place, run) = (format!("-L{}", directory.display()), format!("-Wl,-rpath,{}", directory.display()));
    let program = build("gcc", "parted.c", &["-g", "-O0", &place, "-lpart", &run]);
    let script = "break part\ngo\nwait\ninfo tls *\nglobals *\n";
    for engine in ["native", "gdb"] {
        let outcome = json(&["-n", "2", "--engine", engine], &[program.to_str().unwrap()], script).expect(0);
        let lists = outcome.of("variables");
        let has = |list: usize, name: &str| {
            lists[list]["variables"].as_array().unwrap().iter().any(|one| one["name"] == name)
        };
        assert!(has(0, "own_thread") && has(0, "part_thread"), "{engine}: {}", outcome.text);
        assert!(!has(1, "part_thread"), "{engine}: {}", outcome.text);
    }
}
