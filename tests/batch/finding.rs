//! What commands find by names, bytes and addresses, compared with gdb.

use crate::gdb_data::ours;
use crate::support::batch::json;
use crate::support::gdb::gdb;
use crate::support::marks;
use std::path::{Path, PathBuf};

/// The answers of an engine and of gdb where a mark of the source is reached.
#[track_caller]
fn answers(program: &Path, mark: (&str, &str), engine: &str, questions: &[&str]) -> Vec<(String, String)> {
    let stop = format!("break {}:{}", mark.0, marks::line(mark.0, mark.1));
    let spoken: Vec<String> = questions.iter().map(|&question| question.to_owned()).collect();
    let theirs = gdb(program, &[], &[&stop, "run"], &spoken);
    let ours = ours(program, engine, &[&stop, "go", "wait"], questions);
    ours.iter().map(|ours| ours.trim_end().to_owned()).zip(theirs).collect()
}

fn laid_out() -> PathBuf {
    crate::support::build::build("g++", "laid_out.cpp", &["-g", "-O0", "-std=c++20"])
}

fn inheriting() -> PathBuf {
    crate::support::build::build("g++", "inheriting.cpp", &["-g", "-O0", "-std=c++20"])
}

fn found() -> PathBuf {
    crate::support::build::plain("found.c")
}

/// gdb shows the heading only if the type was not named by a typedef.
fn without_heading(answer: &str) -> String {
    let answer = answer.strip_prefix("/* offset      |    size */").map_or(answer, str::trim_start);
    answer.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[test]
fn ptype_shows_the_places_of_members() {
    let of_cpp = [
        "ptype/o shapes::Circle",
        "ptype/o shapes::Box<int>",
        "ptype/o shapes::Base",
        "ptype/o Any",
        "ptype/o Nested",
        "ptype/o Nested::Inner",
        "ptype/o nested.inner",
        "ptype/o Empty",
        "ptype/o Virtual",
        "ptype/o Packed",
        "ptype/o Bits",
        "ptype/ox Bits",
        "ptype/ox Nested",
        "ptype/ox Any",
        "ptype/o &nested",
        "ptype/o number",
        "ptype/oM Packed",
    ];
    let of_c = [
        "ptype/o packet",
        "ptype/o struct inner",
        "ptype/o union both",
        "ptype/o global_packet",
        "ptype/o enum colour",
    ];
    for engine in ["native", "gdb"] {
        let mut all = answers(&laid_out(), ("laid_out.cpp", "laid out"), engine, &of_cpp);
        all.extend(answers(&found(), ("found.c", "found"), engine, &of_c));
        for ((ours, theirs), question) in all.iter().zip(of_cpp.iter().chain(&of_c)) {
            assert_eq!(without_heading(ours), without_heading(theirs), "{engine}: {question}");
        }
        assert!(all[0].0.starts_with("/* offset      |    size */  type = class shapes::Circle"), "{}", all[0].0);
    }
}

/// The lines that both have, without blank ones: gdb separates the files with them.
fn lines(answer: &str) -> Vec<String> {
    answer.lines().map(str::trim_end).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// Lines of a list that are about these files.
fn of_files(answer: &str, files: &[&str]) -> Vec<String> {
    let mut is_wanted = false;
    let mut wanted = Vec::new();
    for line in lines(answer) {
        if line.contains(" more (a narrower regular expression") {
            continue;
        }
        if let Some(file) = line.strip_prefix("File ") {
            is_wanted = files.iter().any(|wanted| file.trim_end_matches(':').ends_with(wanted));
        } else if line.starts_with("All ") || line.starts_with("Non-debugging") {
            is_wanted = false;
        }
        if is_wanted {
            wanted.push(line);
        }
    }
    wanted
}

#[test]
fn functions_variables_and_types_are_listed_as_gdb_does() {
    let questions = [
        "info functions -n add_numbers",
        "info functions -n ^\\(work_on\\|no_arguments\\)$",
        "info functions -n -t char main",
        "info functions -n add_numbers+",
        "info functions nosuchfunction",
        "info functions -q nosuchfunction",
        "info variables -n ^\\(table\\|words\\|counter\\|of_thread\\|matrix\\|called_back\\|global_packet\\)$",
        "info variables -n -t packet",
        "info types packet",
        "info types -q nosuchtype",
        "info types ^inner$",
        "info types ^\\(both\\|colour\\|callback\\)$",
    ];
    for engine in ["native", "gdb"] {
        for ((ours, theirs), question) in
            answers(&found(), ("found.c", "found"), engine, &questions).iter().zip(questions)
        {
            assert_eq!(lines(ours), lines(theirs), "{engine}: {question}");
        }
        // The libraries of the system may have debug information, too.
        let broad = ["info functions -n .", "info variables -n .", "info types ."];
        for ((ours, theirs), question) in answers(&found(), ("found.c", "found"), "native", &broad).iter().zip(broad) {
            let (ours, theirs) = (of_files(ours, &["found.c"]), of_files(theirs, &["found.c"]));
            assert!(ours.len() > 3, "{question}: {ours:?}");
            assert_eq!(ours, theirs, "{engine}: {question}");
        }
    }
}

#[test]
fn definitions_of_cplusplus_have_their_scopes() {
    let questions = [
        "info functions -n shapes::",
        "info functions -n ^main$",
        "info variables -n .",
        "info types shapes::",
        "info types ^Nested",
    ];
    let mark = ("laid_out.cpp", "laid out");
    for ((ours, theirs), question) in answers(&laid_out(), mark, "native", &questions).iter().zip(questions) {
        // gdb also names the scopes.
        let files = ["laid_out.cpp"];
        let is_scope = |line: &String| line.ends_with("\tshapes");
        let theirs: Vec<String> = of_files(theirs, &files).into_iter().filter(|line| !is_scope(line)).collect();
        assert_eq!(of_files(ours, &files), theirs, "{question}");
    }
}

#[test]
fn symbols_without_debug_information_are_listed_with_their_addresses() {
    let questions = ["info functions _start", "info variables ^calls", "info functions __cxa_finalize"];
    for engine in ["native", "gdb"] {
        let all = answers(&found(), ("found.c", "found"), engine, &questions);
        for ((ours, theirs), question) in all.iter().zip(questions) {
            let of_program = |answer: &str| {
                let lines = lines(answer).into_iter().filter(|line| line.starts_with("0x00005555"));
                lines.collect::<Vec<_>>()
            };
            assert!(!of_program(theirs).is_empty(), "{question}: {theirs}");
            assert_eq!(of_program(ours), of_program(theirs), "{engine}: {question}");
        }
    }
}

#[test]
fn source_files_are_found_by_their_paths() {
    let questions = ["info sources found\\.c$", "info sources -basename ^found", "info sources -dirname programs$"];
    for engine in ["native", "gdb"] {
        let all = answers(&found(), ("found.c", "found"), engine, &questions);
        for ((ours, theirs), question) in all.iter().zip(questions) {
            let paths = |answer: &str| {
                let paths = answer.lines().flat_map(|line| line.split(", ")).filter(|path| path.ends_with("/found.c"));
                paths.map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!(paths(theirs).len(), 1, "{question}: {theirs}");
            assert_eq!(paths(ours), paths(theirs), "{engine}: {question}");
            assert!(ours.starts_with(&format!("{}:", found().display())), "{ours}");
        }
    }
}

#[test]
fn a_list_that_is_too_long_says_how_much_it_leaves_out() {
    let script = "info functions -n -limit 2\ninfo functions -limit 1 e\ninfo types -limit 0\n";
    let arguments = ["run", "--timeout", "60", "--batch", "-", "--keep-going", "-n", "2"];
    let program = found();
    let arguments: Vec<&str> = arguments.into_iter().chain([program.to_str().unwrap()]).collect();
    let outcome = crate::support::batch::Place::new().run(&arguments, script);
    let text = &outcome.text;
    assert!(text.contains("[0-1] 2 more (a narrower regular expression, or -limit N above 2)"), "{text}");
    assert!(text.contains("/found.c:\n[0-1] 48:\tint main(int, char **);"), "{text}");
    assert!(text.contains("expected a number of rows from 1 to 20000"), "{text}");
}

#[test]
fn what_is_no_regular_expression_is_refused_with_its_place() {
    let arguments = ["run", "--timeout", "60", "--batch", "-", "--keep-going", "-n", "1"];
    let program = found();
    let arguments: Vec<&str> = arguments.into_iter().chain([program.to_str().unwrap()]).collect();
    let outcome = crate::support::batch::Place::new().run(&arguments, "info functions a[b\ninfo functions -x\n");
    assert!(outcome.text.contains("invalid regular expression: unmatched ["), "{}", outcome.text);
    assert!(outcome.text.contains("unknown option \"-x\": expected -q, -n, -t TYPE, -limit N"), "{}", outcome.text);
}

#[test]
fn memory_is_searched_as_gdb_does() {
    let questions = [
        "find &table[0], +sizeof(table), 3",
        "print $_",
        "print $numfound",
        "find /h &table[0], +sizeof(table), 3",
        "find /b &table[0], &table[9], 3, 0",
        "find /b /2 table, +40, (char)0",
        "find /2b table, +40, 0",
        "find &global_packet, +sizeof(global_packet), \"abcd\"",
        "find global_packet.name, +5, {char[2]}\"bc\"",
        "find /b table, +40, 77",
        "print $numfound",
        "find table, +40, 1, 2",
        "find table, +4, 1, 2",
        "find &table[9], &table[0], 1",
    ];
    for engine in ["native", "gdb"] {
        let all = answers(&found(), ("found.c", "found"), engine, &questions);
        for ((ours, theirs), question) in all.iter().zip(questions) {
            let (ours, theirs) = match question.strip_prefix("print ") {
                Some(_) => (vec![crate::support::gdb::printed(ours)], vec![crate::support::gdb::printed(theirs)]),
                None => (ours.lines().collect(), theirs.lines().collect()),
            };
            // gdb says errors on another stream.
            if theirs.is_empty() {
                assert!(ours.iter().all(|line| line.starts_with("error: ")), "{engine}: {question}: {ours:?}");
            } else {
                assert_eq!(ours, theirs, "{engine}: {question}");
            }
        }
    }
}

#[test]
fn a_search_ends_where_memory_ends() {
    let questions = ["find 0, +10, 1", "find table, +400000000, 2", "find table, +0, 1"];
    let answers = ours_of(&found(), &questions);
    assert!(answers[0].contains("warning: Unable to access 10 bytes of target memory at 0x0"), "{}", answers[0]);
    assert!(answers[0].ends_with("Pattern not found.\n"), "{}", answers[0]);
    assert!(answers[1].contains("<table+4>") && answers[1].contains("halting search."), "{}", answers[1]);
    assert!(answers[2].contains("Empty search range."), "{}", answers[2]);
}

fn ours_of(program: &Path, questions: &[&str]) -> Vec<String> {
    let stop = format!("break found.c:{}", marks::line("found.c", "found"));
    ours(program, "native", &[&stop, "go", "wait"], questions)
}

#[test]
fn processes_are_described_as_gdb_does() {
    let questions = ["info proc mappings", "info proc exe", "info proc cwd", "info auxv", "info proc cmdline"];
    for engine in ["native", "gdb"] {
        let all = answers(&found(), ("found.c", "found"), engine, &questions);
        for ((ours, theirs), question) in all.iter().zip(questions) {
            // Addresses of the stack and the random bytes differ; gdb of today does not know the last entries.
            let is_comparable = |line: &&str| {
                let varies =
                    ["[stack]", "AT_RANDOM", "AT_EXECFN", "AT_PLATFORM", "???", "AT_RSEQ", "process ", "cwd ="];
                !varies.iter().any(|word| line.contains(word))
            };
            let words = |answer: &str| {
                let lines = answer.lines().map(str::trim_end).filter(|line| !line.is_empty()).filter(is_comparable);
                lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
            };
            assert_eq!(words(ours), words(theirs), "{engine}: {question}");
        }
        assert!(all[3].0.contains("\"x86_64\""), "{}", all[3].0);
    }
    let shown = ours_of(&found(), &["info proc", "info proc status", "info proc all", "info proc nosuch"]);
    assert!(shown[0].starts_with("process ") && shown[0].contains("exe = '"), "{}", shown[0]);
    assert!(shown[1].contains("Name:\tfound") && shown[2].contains("Mapped address spaces:"), "{shown:?}");
}

#[test]
fn ranks_with_the_same_mappings_show_them_once() {
    let program = found();
    let outcome = crate::support::batch::json(&["-n", "3"], &[program.to_str().unwrap()], "info proc mappings\n");
    let shown = outcome.expect(0).of("process");
    assert_eq!((shown.len(), &shown[0]["ranks"]), (1, &"0-2".into()), "{shown:?}");
    let mappings = shown[0]["mappings"].as_array().unwrap();
    assert!(mappings.iter().any(|one| one["permissions"] == "r-xp"), "{mappings:?}");
}

#[test]
fn addresses_of_names_are_told_as_gdb_does() {
    let questions = [
        "info address counter",
        "info address add_numbers",
        "info address a",
        "info address of_thread",
        "info address printf",
        "info address main",
    ];
    for engine in ["native", "gdb"] {
        let all = answers(&found(), ("found.c", "found"), engine, &questions);
        for ((ours, theirs), question) in all.iter().zip(questions) {
            assert_eq!(lines(ours), lines(theirs), "{engine}: {question}");
        }
    }
}

#[test]
fn registers_are_shown_by_groups() {
    let questions = ["info registers general", "info registers rip eflags", "info registers system"];
    let all = answers(&found(), ("found.c", "found"), "native", &questions);
    for ((ours, theirs), question) in all.iter().zip(questions) {
        let names = |answer: &str| {
            let names = answer.lines().filter_map(|line| line.split_whitespace().next());
            // Masks of AVX-512, and what only the kernel's view of a system call has.
            let known = names.filter(|name| *name != "orig_rax" && !name.starts_with('k'));
            known.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(names(ours), names(theirs), "{question}");
    }
    let shown = ours_of(&found(), &["info float", "info vector", "info all-registers", "registers sse nosuch"]);
    assert!(shown[0].contains("st7 ") && shown[0].contains("fctrl"), "{}", shown[0]);
    assert!(shown[1].starts_with("mxcsr"), "{}", shown[1]);
    assert!(["rax", "st0", "xmm15", "mxcsr"].iter().all(|name| shown[2].contains(name)), "{}", shown[2]);
    assert!(shown[3].contains("Invalid register `nosuch'"), "{}", shown[3]);
}

#[test]
fn core_files_are_searched_as_gdb_does() {
    let program = found();
    let directory = tempfile::tempdir().unwrap();
    let stop = format!("break found.c:{}", marks::line("found.c", "found"));
    let way = format!("{stop}\ngo\nwait\ngcore {}\n", directory.path().display());
    crate::support::batch::json(&["-n", "2"], &[program.to_str().unwrap()], &way).expect(0);
    let questions = [
        "info functions -n add_numbers",
        "info variables -n ^counter$",
        "info types packet",
        "ptype/o struct inner",
        "find &table[0], +sizeof(table), 3",
        "info proc exe",
        "info proc mappings",
        "info auxv",
        "info address counter",
    ];
    let spoken: Vec<String> = questions.iter().map(|&question| question.to_owned()).collect();
    let theirs = crate::core_files::gdb(&program, &directory.path().join("core.0"), &spoken);
    let lines: String = questions.iter().map(|question| format!("print 10000 + 1\n{question}\n")).collect();
    let arguments = ["core", "--timeout", "60", "--keep-going", "--batch", "-"];
    let arguments = arguments.into_iter().chain([program.to_str().unwrap(), directory.path().to_str().unwrap()]);
    let outcome = crate::support::batch::Place::new().run(&arguments.collect::<Vec<_>>(), &lines);
    let parts: Vec<&str> = outcome.text.split("[0-1] 10000 + 1 = 10001\n").skip(1).collect();
    assert_eq!(parts.len(), questions.len(), "{}", outcome.text);
    for ((part, theirs), question) in parts.iter().zip(theirs).zip(questions) {
        // Both ranks have the same answers, but for the addresses of texts on their stacks.
        let bare = |line: &str| line.strip_prefix("[0-1]").or(line.strip_prefix("[0]")).map(|line| words(line.trim()));
        let ours: Vec<String> = part.lines().filter_map(bare).filter(|line| is_lasting(line)).collect();
        let theirs: Vec<String> = theirs.lines().map(words).filter(|line| is_lasting(line)).collect();
        assert_eq!(ours, theirs, "{question}");
    }
}

fn words(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// False for lines that gdb of today does not know, and blank ones.
fn is_lasting(line: &str) -> bool {
    !line.is_empty() && !line.contains("???") && !line.contains("AT_RSEQ")
}

#[test]
fn simulated_ranks_say_that_they_have_nothing_to_list() {
    let arguments =
        ["run", "--engine", "fake", "--timeout", "60", "--batch", "-", "--keep-going", "-n", "3", "stencil"];
    let outcome = crate::support::batch::Place::new().run(&arguments, "info functions main\ninfo proc\n");
    let refusals = outcome.text.lines().filter(|line| line.starts_with("[0-2] error: the simulated engine"));
    assert_eq!(refusals.count(), 2, "{}", outcome.text);
}

/// The lines of a source file that an answer names: `found.c:37`.
fn places_in(answer: &str, file: &str) -> Vec<String> {
    let base = |word: &str| word.rsplit('/').next().unwrap_or_default().to_owned();
    let is_line = |word: &String| {
        word.split_once(':').is_some_and(|(name, number)| name == file && number.parse::<u32>().is_ok())
    };
    let mut places: Vec<String> = answer.split_whitespace().map(base).filter(is_line).collect();
    places.sort();
    places
}

#[test]
fn rbreak_sets_breakpoints_where_gdb_does() {
    let cases = [
        (found(), "found.c", "found", "rbreak found.c:."),
        (found(), "found.c", "found", "rbreak ^\\(add_numbers\\|no_arguments\\|work_on\\)$"),
        (laid_out(), "laid_out.cpp", "laid out", "rbreak laid_out.cpp:."),
        (laid_out(), "laid_out.cpp", "laid out", "rbreak programs/laid_out.cpp: ^shapes::Circle"),
        (laid_out(), "laid_out.cpp", "laid out", "rbreak ^shapes::.*area"),
        (inheriting(), "inheriting.cpp", "stopped", "rbreak inheriting.cpp:."),
        (inheriting(), "inheriting.cpp", "stopped", "rbreak ^Derived::"),
    ];
    for (program, file, mark, command) in cases {
        let stop = format!("break {file}:{}", marks::line(file, mark));
        let spoken = ["delete 1", command, "info breakpoints"].map(str::to_owned);
        let theirs = gdb(&program, &[], &[&stop, "run"], &spoken);
        let expected = places_in(&theirs[2], file);
        assert!(!expected.is_empty(), "{command}: {theirs:?}");
        for engine in ["native", "gdb"] {
            let ours = ours(&program, engine, &[&stop, "go", "wait"], &[command]);
            assert_eq!(places_in(&ours[0], file), expected, "{engine}: {command}: {}", ours[0]);
            assert!(!ours[0].contains("pending"), "{engine}: {command}: {}", ours[0]);
        }
    }
}

#[test]
fn ranks_share_the_breakpoints_of_rbreak_and_their_commands() {
    let program = found();
    let program = [program.to_str().unwrap()];
    let script = "rbreak found.c:^\\(add_numbers\\|no_arguments\\)$\ncommands\nsilent\nprint 41+1\nend\ngo\nwait\n\
                  delete 1-2\nbreakpoints\nrbreak found.c:^nothing$\nrbreak -limit 1 found.c:.\nrbreak -limit 0 x\n\
                  rbreak a[b\nrbreak\n";
    for engine in ["native", "gdb"] {
        let outcome = json(&["-n", "3", "--keep-going", "--engine", engine], &program, script).expect(1);
        let set = outcome.of("breakpoint");
        let set: Vec<(&str, &str)> =
            set.iter().map(|one| (one["location"].as_str().unwrap(), one["ranks"].as_str().unwrap())).collect();
        assert_eq!(set, [("found.c:no_arguments", "0-2"), ("found.c:add_numbers", "0-2")], "{engine}");
        assert_eq!(outcome.ranks("value", "value", "42"), "0-2", "{engine}: the commands belong to both");
        let notes = outcome.of("message");
        assert!(notes.iter().any(|note| note["message"] == "2 breakpoints; delete 1-2 deletes them"), "{notes:?}");
        let errors = outcome.of("error");
        let errors: Vec<&str> = errors.iter().map(|error| error["message"].as_str().unwrap()).collect();
        assert!(errors[0].starts_with("no function of found.c matches \"^nothing$\""), "{errors:?}");
        assert!(errors[1].starts_with("4 functions of found.c match, more than 1: no breakpoint is set"), "{errors:?}");
        assert!(errors[2].starts_with("expected a number of functions from 1 to"), "{errors:?}");
        assert!(errors[3].starts_with("invalid regular expression"), "{errors:?}");
        assert!(errors[4].starts_with("expected a regular expression"), "{errors:?}");
        assert_eq!(errors.len(), 5, "{errors:?}");
    }
}

#[test]
fn functions_within_others_are_not_listed() {
    let outlined = crate::support::build::build("gcc", "outlined.c", &["-g", "-O0", "-fopenmp"]);
    let nested = crate::support::build::build("gcc", "nested_functions.c", &["-g", "-O0"]);
    for (program, mark) in [(outlined, ("outlined.c", "after")), (nested, ("nested_functions.c", "deepest"))] {
        let question = "info functions -n ^\\(main\\|summed\\|twice\\|apply\\|outer\\|add\\|deepest\\)";
        for (ours, theirs) in answers(&program, mark, "native", &[question]) {
            let (ours, theirs) = (of_files(&ours, &[mark.0]), of_files(&theirs, &[mark.0]));
            assert!(ours.len() > 3, "{ours:?}");
            assert_eq!(ours, theirs, "{}", mark.0);
        }
    }
}

#[test]
fn the_name_of_an_outlined_function_is_whole() {
    let program = crate::support::build::build("gcc", "outlined.c", &["-g", "-O0", "-fopenmp"]);
    let stop = format!("outlined.c:{}", marks::line("outlined.c", "in a loop"));
    let script = format!("break {stop}\ngo\nwait\nprint (void *)$pc\n");
    let outcome = json(&["-n", "1"], &[program.to_str().unwrap()], &script).expect(0);
    let value = outcome.of("value")[0]["value"].as_str().unwrap().to_owned();
    assert!(value.contains("<summed._omp_fn.0+"), "{value}");
}
