//! Commands that examine data print what gdb prints, with either engine.

use crate::support::batch::Place;
use std::path::Path;

/// The answer to each question at a location, in lines without their ranks.
#[track_caller]
pub(super) fn ours(program: &Path, engine: &str, way: &[&str], questions: &[&str]) -> Vec<String> {
    let mark = "print 10000 + 1";
    let mut script = way.join("\n");
    for question in questions {
        script.push_str(&format!("\n{mark}\n{question}"));
    }
    let arguments = ["run", "--timeout", "60", "--batch", "-", "--keep-going", "--engine", engine, "-n", "1"];
    let arguments: Vec<&str> = arguments.into_iter().chain([program.to_str().unwrap()]).collect();
    let outcome = Place::new().run(&arguments, &format!("{script}\n"));
    let mut parts = outcome.text.split("[0] 10000 + 1 = 10001\n").skip(1);
    let bare = |part: &str| {
        // The program's output may arrive at any time.
        let own = |line| if str::is_empty(line) { Some(line) } else { line.strip_prefix("[0] ") };
        let lines = part.lines().filter_map(|line| own(line).filter(|line| !line.starts_with("| ")));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    let answers: Vec<String> = parts.by_ref().map(bare).collect();
    assert_eq!(answers.len(), questions.len(), "{}{}", outcome.text, outcome.errors);
    answers
}

/// The words regardless of the blanks between them; stack addresses as distances from the stack pointer.
fn words(answer: &str, stack: u64) -> String {
    let word = |word: &str| {
        let digits = word.trim_end_matches([',', ':', ';']);
        let number = digits.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        match number {
            Some(number) if stack != 0 && number.abs_diff(stack) < 1 << 20 => {
                word.replace(digits, &format!("stack{:+}", number.wrapping_sub(stack) as i64))
            }
            _ => word.to_owned(),
        }
    };
    let line = |line: &str| line.split_whitespace().map(word).collect::<Vec<_>>().join(" ");
    let remark = |line: &str| line.starts_with("No line number information");
    answer.lines().map(line).filter(|line| !line.is_empty() && !remark(line)).collect::<Vec<_>>().join("\n")
}

fn stack(answer: &str) -> u64 {
    let digits = answer.split_once("0x").unwrap_or_else(|| panic!("{answer}")).1;
    let digits: String = digits.chars().take_while(char::is_ascii_hexdigit).collect();
    u64::from_str_radix(&digits, 16).unwrap()
}

/// Checks that both engines answer as gdb does; `gdb_way` takes gdb to the place to which `way` takes us.
#[track_caller]
fn as_gdb(program: &Path, way: &[&str], gdb_way: &[&str], questions: &[&str]) {
    let asked: Vec<&str> = ["print (void *)$sp"].iter().chain(questions).copied().collect();
    let spoken: Vec<String> = asked.iter().map(|&question| question.to_owned()).collect();
    let theirs = crate::support::gdb::gdb(program, &[], gdb_way, &spoken);
    for engine in ["native", "gdb"] {
        let ours = ours(program, engine, way, &asked);
        let (our_stack, their_stack) = (stack(&ours[0]), stack(&theirs[0]));
        for ((question, ours), theirs) in questions.iter().zip(&ours[1..]).zip(&theirs[1..]) {
            assert_eq!(words(ours, our_stack), words(theirs, their_stack), "{engine}: {question}");
        }
    }
}

fn looked_at() -> std::path::PathBuf {
    crate::support::build::plain("looked_at.c")
}

const WAY: [&str; 4] = ["break leaf", "go", "wait", "next"];
const GDB_WAY: [&str; 3] = ["break leaf", "run", "next"];

#[test]
fn memory_has_the_names_of_what_is_there() {
    let questions =
        ["x/3dw table", "x/10xb &table[2]", "x", "x/2s several", "x/s words[1]", "x/2wx &words", "x/a words"];
    as_gdb(&looked_at(), &WAY, &GDB_WAY, &questions);
}

#[test]
fn long_texts_go_on_where_they_were_cut_off() {
    let questions = ["x/s longer", "x", "x", "x/3s longer", "x/s exact", "x", "x/s longer+519", "x/2s &longer[400]"];
    as_gdb(&looked_at(), &WAY, &GDB_WAY, &questions);
    let limited: Vec<&str> = WAY.iter().copied().chain(["set print elements 7"]).collect();
    let gdb_limited: Vec<&str> = GDB_WAY.iter().copied().chain(["set print elements 7"]).collect();
    as_gdb(&looked_at(), &limited, &gdb_limited, &["x/3s longer", "x", "x/2s words[2]"]);
}

#[test]
fn x_goes_back() {
    let questions = ["x/-3dw &table[5]", "x", "x/-2", "x/-2xb &table[4]", "x/2"];
    as_gdb(&looked_at(), &WAY, &GDB_WAY, &questions);
    let at_start: Vec<&str> = WAY.iter().copied().chain(["delete"]).collect();
    as_gdb(&looked_at(), &at_start, &GDB_WAY, &["x/-4i $pc", "x", "x/-30i $pc", "x/3i $pc", "x/-2i"]);
}

#[test]
fn what_is_displayed_has_a_format() {
    let way: Vec<&str> = WAY
        .iter()
        .copied()
        .chain(["display/x table[2]", "display/2dw table", "display/c a", "display/o local"])
        .collect();
    for engine in ["native", "gdb"] {
        let answers =
            ours(&looked_at(), engine, &way, &["display", "display/s words[0]", "display/i $pc", "display/w table"]);
        let all: Vec<String> = answers.iter().map(|answer| words(answer, 0)).collect();
        let told: Vec<&str> = all[0].lines().collect();
        let table = told[2].split_once(' ').unwrap().1;
        assert_eq!((told[0], told[1], table), ("1: /x table[2] = 0x3", "2: x/2dw table", "<table>: 1 2"), "{engine}");
        assert_eq!(told[3..], ["3: /c a = 1 '\\001'", "4: /o local = 04"], "{engine}");
        assert!(all[1].starts_with("5: x/s words[0]\n0x") && all[1].ends_with(": \"one\""), "{engine}: {}", all[1]);
        assert!(all[2].starts_with("6: x/i $pc\n=> 0x") && all[2].contains("<leaf+"), "{engine}: {}", all[2]);
    }
}

#[test]
fn a_frame_is_told_in_full() {
    let questions = ["info frame", "info source", "info scope leaf", "info scope main", "info scope branch"];
    as_gdb(&looked_at(), &WAY, &GDB_WAY, &questions);
    for level in ["frame 1", "frame 2"] {
        let way: Vec<&str> = WAY.iter().copied().chain([level]).collect();
        let gdb_way: Vec<&str> = GDB_WAY.iter().copied().chain([level]).collect();
        as_gdb(&looked_at(), &way, &gdb_way, &["info frame", "info source"]);
    }
    // Before the frame is set up, and during that.
    for steps in [0, 1, 2] {
        let entry: Vec<&str> = ["break *leaf", "go", "wait"].into_iter().chain(vec!["stepi"; steps]).collect();
        let gdb_entry: Vec<&str> = ["break *leaf", "run"].into_iter().chain(vec!["stepi"; steps]).collect();
        as_gdb(&looked_at(), &entry, &gdb_entry, &["info frame"]);
    }
}

#[test]
fn a_place_has_the_variables_of_its_blocks() {
    let inside = format!("info scope looked_at.c:{}", crate::support::marks::line("looked_at.c", "in the block"));
    as_gdb(&looked_at(), &WAY, &GDB_WAY, &[&inside]);
}

#[test]
fn a_value_is_printed_with_options() {
    let questions = [
        "print -elements 3 -- table",
        "print -elem 4 -repeats 2 -- exact",
        "print -elements unlimited -- table",
        "print -1",
    ];
    let answers = ours(&looked_at(), "native", &WAY, &questions);
    let values: Vec<&str> =
        answers.iter().filter_map(|answer| answer.trim_end().split_once(" = ")).map(|(_, value)| value).collect();
    let spoken: Vec<String> = questions.iter().map(|&question| question.to_owned()).collect();
    let theirs = crate::support::gdb::gdb(&looked_at(), &[], &GDB_WAY, &spoken);
    let theirs: Vec<&str> = theirs.iter().map(|answer| crate::support::gdb::printed(answer)).collect();
    assert_eq!(values, theirs);
}

/// Values of a program with long arrays, containers and texts, by both engines and by gdb.
#[track_caller]
fn many(questions: &[&str]) {
    let program = crate::support::build::build("g++", "many.cpp", &["-g", "-O0"]);
    let stop = format!("break {}", crate::support::marks::line("many.cpp", "stop"));
    let spoken: Vec<String> = questions.iter().map(|&question| question.to_owned()).collect();
    let theirs = crate::support::gdb::gdb(&program, &[], &[&stop, "run"], &spoken);
    for engine in ["native", "gdb"] {
        let answers = ours(&program, engine, &[&stop, "go", "wait"], questions);
        for ((question, ours), theirs) in questions.iter().zip(&answers).zip(&theirs) {
            let ours = crate::support::gdb::printed(ours.trim_end());
            assert_eq!(ours, crate::support::gdb::printed(theirs), "{engine}: {question}");
        }
    }
}

#[test]
fn as_many_elements_are_shown_as_are_asked_for() {
    many(&[
        "print vector",
        "print exact",
        "print list",
        "print -elements 201 -- exact",
        "print -elements 250 -- vector",
        "print -elements 301 -- vector",
        "print -elements unlimited -- vector",
        "print -elements 250 -- map",
        "print -elements unlimited -- map",
        "print -elements 5 -- map",
        "print -elements 250 -- set",
        "print -elements 250 -- list",
        "print -elements 250 -- deque",
        "print -elements 250 -- bits",
        "print every",
        "print -elements 3 -- every",
        "print -elements 250 -- every",
        "print -elements unlimited -- every",
        "print -elements 1 -- two",
        "print -elements 2 -- two",
        "print -elements 3 -- two",
        "print -elements 2 -- three",
        "print -elements 3 -- three",
        "print -elements 400 -- nested",
        "print -elements 3 -- nested",
        "print -elements 201 -- few",
        "print -elements 200 -- few",
        "print -elements 0 -- numbers",
        "print -elements 250 -- numbers",
        "print -elements 250 -- points",
        "print -elements 250 -- grid",
        "print -elements 250 -- text",
        "print -elements unlimited -- pointer",
        "print -elements 250 -- pointer",
        "print -elements 4 -- pointer",
        "print -elements unlimited -- copy",
        "print -elements 250 -- same",
        "print -elements unlimited -repeats unlimited -- same",
        "print -elements 250 -repeats 30 -- repeated",
        "print -repeats 30 -- repeated",
        "print -repeats 3 -- repeated",
        "print -elements unlimited -repeats unlimited -- repeated",
    ]);
}

#[test]
fn settings_say_how_many_elements_are_shown() {
    let asked =
        ["print vector", "print numbers", "print pointer", "print text", "print copy", "print map", "print repeated"];
    for settings in [
        &["set print elements 230"][..],
        &["set print elements 0"],
        &["set print elements unlimited", "set print repeats unlimited"],
        &["set print repeats 40"],
    ] {
        let questions: Vec<&str> = settings.iter().chain(&asked).copied().collect();
        many(&questions);
    }
}

/// The answers of an engine, and of gdb, at a place of a Fortran program.
fn in_fortran(engine: &str, mark: &str, questions: &[&str]) -> (Vec<String>, Vec<String>) {
    let program = crate::support::build::build("gfortran", "taken.f90", &["-g", "-O0"]);
    let stop = format!("break taken.f90:{}", crate::support::marks::line("taken.f90", mark));
    let spoken: Vec<String> = questions.iter().map(|&question| question.to_owned()).collect();
    let theirs = crate::support::gdb::gdb(&program, &[], &[&stop, "run"], &spoken);
    let ours = ours(&program, engine, &[&stop, "go", "wait"], questions);
    let bare = |answers: Vec<String>| {
        answers.iter().map(|answer| crate::support::gdb::printed(answer.trim_end()).to_owned()).collect::<Vec<_>>()
    };
    (bare(ours), bare(theirs))
}

#[test]
fn texts_and_formats_of_fortran_are_those_of_gdb() {
    let questions = [
        "print empty",
        "print empties",
        "print empties(1)",
        "print def",
        "print word == 'abcdefgh'",
        "print word == 'abcdefgx'",
        "print a(15:18,9)",
        "print/x grid",
        "print/x grid(2:3,4)",
        "print/x word",
        "print/d word",
        "print/s word",
        "print/x empty",
        "print/x a(1,1)",
        "print/x a(1:2,1)",
        "print/x o(1)%inner",
        "print/x al",
        "print/x z",
        "print/f grid(1:2,1)",
        "print/x i",
        "print big",
        "print/x big",
    ];
    for engine in ["native", "gdb"] {
        let (ours, theirs) = in_fortran(engine, "stop", &questions);
        for ((question, ours), theirs) in questions.iter().zip(&ours).zip(&theirs) {
            assert_eq!(ours, theirs, "{engine}: {question}");
        }
        let (ours, theirs) = in_fortran(engine, "inside", &["print t", "print d"]);
        assert_eq!(ours, theirs, "{engine}");
    }
}

/// gdb cannot access a component of an array.
#[test]
fn a_component_of_a_section_is_that_of_each_of_its_elements() {
    let expected = [
        ("print a(15:18,9)%p", "(915, 916, 917, 918)"),
        ("print a(15:18,9)%q", "(19.5, 20.5, 21.5, 22.5)"),
        ("print a(15:18,9)%name", "('oi  ', 'pi  ', 'qi  ', 'ri  ')"),
        ("print a(1:2,1:2)%p", "((101, 102) (201, 202))"),
        ("print a(1:4:2,3)%p", "(301, 303)"),
        ("print a(4:1:-1,3)%p", "(304, 303, 302, 301)"),
        ("print o%inner%p", "(101, 102, 103, 104, 105)"),
        ("print o(2)%many(2:3)%p", "(202, 302)"),
        ("print o(2)%many(2)%p", "202"),
        ("print al%p", "((101, 102, 103) (201, 202, 203) (301, 302, 303) (401, 402, 403))"),
        ("print ptr(2:3)%p", "(102, 103)"),
        ("whatis a(15:18,9)%p", "integer(kind=4) (4)"),
    ];
    let questions: Vec<&str> = expected.iter().map(|(question, _)| *question).collect();
    let (shown, _) = in_fortran("native", "stop", &questions);
    for ((question, expected), shown) in expected.iter().zip(&shown) {
        assert_eq!(shown, expected, "{question}");
    }
    let refused = ["print a(15:18,9)%nosuch", "print grid%p", "print grid + 1", "print grid == 1"];
    let program = crate::support::build::build("gfortran", "taken.f90", &["-g", "-O0"]);
    let stop = format!("break taken.f90:{}", crate::support::marks::line("taken.f90", "stop"));
    let answers = ours(&program, "native", &[&stop, "go", "wait"], &refused);
    let wanted = [
        "There is no member named nosuch.",
        "Attempt to extract a component of a value that is not a structure.",
        "Argument to arithmetic operation not a number or boolean.",
        "Invalid type combination in equality test.",
    ];
    for ((question, answer), wanted) in refused.iter().zip(&answers).zip(wanted) {
        assert!(answer.contains(wanted), "{question}: {answer}");
    }
}

/// Not those of the instruction at which the program is stopped.
#[test]
fn lines_of_addresses_are_those_of_gdb() {
    let program = crate::support::build::build("gcc", "habits.c", &["-g", "-O0"]);
    let way = ["break add", "run"];
    let questions = ["info line *main", "info line *work", "info line *&work", "info line *add", "info line *$pc"];
    let spoken: Vec<String> = questions.iter().map(|&question| question.to_owned()).collect();
    let theirs = crate::support::gdb::gdb(&program, &[], &way, &spoken);
    for engine in ["native", "gdb"] {
        let ours = ours(&program, engine, &way, &questions);
        for ((question, ours), theirs) in questions.iter().zip(&ours).zip(&theirs) {
            let line = |text: &str| text.split(" of ").next().unwrap_or_default().to_owned();
            assert_eq!(line(ours), line(theirs), "{engine}: {question}: {ours} {theirs}");
        }
    }
}

/// The mathematical library has a variable U.
#[test]
fn a_type_of_the_program_hides_a_variable_of_a_library() {
    let program = crate::support::build::build("g++", "own_type.cpp", &["-g", "-O0"]);
    let way = ["break main", "run"];
    let questions = ["ptype U", "whatis U", "print sizeof(U)", "ptype/o U"];
    let spoken: Vec<String> = questions.iter().map(|&question| question.to_owned()).collect();
    let theirs = crate::support::gdb::gdb(&program, &[], &way, &spoken);
    let ours = ours(&program, "native", &way, &questions);
    let words = |text: &str| text.rsplit(" = ").next().unwrap_or_default().trim().to_owned();
    for ((question, ours), theirs) in questions.iter().zip(&ours).zip(&theirs) {
        assert_eq!(words(ours), words(theirs), "{question}");
    }
}
