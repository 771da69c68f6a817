//! Conditions set on a breakpoint while the program is elsewhere, with gdb as the judge.

use crate::driver::{Session, compile, line_of};
use crate::judge::{Judge, Ran};
use crate::support::build::build;
use rankscope::model::{Answer, BreakpointRequest, Operation, Rank};
use std::path::Path;

/// Conditions that call a function or a method of the program.
const CALLS: [&str; 7] = [
    "((int (*)(int)) bare_twice)(i)",
    "(int) bare_twice(i) > 2",
    "overloaded(1)",
    "both.sum(4) > 1",
    "base->area() > 3",
    "buffer.size() == 3",
    "sum() > 1",
];

/// At a location that the program reaches later: conditions that gdb refuses at once are refused; those that it
/// evaluates there are accepted; `doomed` tells if those that it accepts but cannot evaluate there are accepted.
fn judged(program: &Path, location: &str, conditions: &[&str], doomed: &[&str]) {
    let mut judge = Judge::new(program, &[]);
    judge.command("break main").unwrap();
    assert!(matches!(judge.run("-exec-run"), Ran::Stopped));
    let every: Vec<&str> = conditions.iter().chain(doomed).copied().collect();
    let mut ask = |condition: &&str| judge.command(&format!("break {location} if {condition}")).err();
    let refused: Vec<Option<String>> = every.iter().map(&mut ask).collect();
    judge.command("delete").unwrap();
    judge.command(&format!("break {location}")).unwrap();
    assert!(matches!(judge.run("-exec-continue"), Ran::Stopped));

    let mut session = Session::launch(program, 1);
    session.stop(0);
    let mut wrong = Vec::new();
    for (number, (condition, refused)) in every.iter().zip(refused).enumerate() {
        let place = crate::driver::request(number as u32 + 1, location);
        let request = BreakpointRequest { condition: Some((*condition).to_owned()), ..place };
        let ours = match session.ask(0, Operation::SetBreakpoint(request)) {
            Answer::Failed(failure) => Some(failure.message),
            Answer::Breakpoint(_, sites) if !sites.is_empty() => None,
            other => panic!("{condition}: {other:?}"),
        };
        let at_the_place = judge.command(&format!("print ({condition})")).err();
        let right = match (&refused, &at_the_place) {
            (Some(_), _) => ours.is_some(),
            // gdb calls functions in conditions; here they are refused when the condition is set.
            (None, None) if CALLS.contains(condition) => {
                ours.as_ref().is_some_and(|why| why.starts_with("a condition cannot call "))
            }
            (None, None) => ours.is_none(),
            (None, Some(_)) => ours.is_some() == doomed.contains(condition),
        };
        if !right {
            wrong.push(format!("{condition}\n  ours {ours:?}\n  gdb {refused:?}, at the place {at_the_place:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(session.all(0).len() < 100, "{:?}", session.pids[&Rank(0)]);
}

#[test]
fn conditions_of_c_are_taken_and_refused_as_by_gdb() {
    let directory = tempfile::tempdir().unwrap();
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let (bare, program) = (directory.path().join("bare.o"), directory.path().join("uses_bare"));
    compile(&programs.join("bare_data.c"), &bare, &["-c", "-O0"]);
    compile(&programs.join("uses_bare.c"), &program, &["-g", "-O0", bare.to_str().unwrap()]);
    let location = format!("uses_bare.c:{}", line_of(include_str!("../programs/uses_bare.c"), "/* stop */"));
    let fine = [
        "i == 2",
        "cell->id > 0 && i",
        "cell[0].weight > 1.5",
        "x != x",
        "(*cell).id == 1",
        "&cell->weight != 0",
        "sizeof(struct cell) > 8",
        "((struct cell *) cell)->id",
        "(int) bare > 3",
        "(double) bare_ratio > 1",
        "&bare != 0",
        "*(int *) &bare == 7",
        "(int) bare_twice(i) > 2",
        "((int (*)(int)) bare_twice)(i)",
        "$rip != 0",
        "$nothing_yet",
        "cell->owner == 0",
        "i ? cell->id : 0",
        "!cell",
        "\"abc\"[1] == 'b'",
        "i = 2",
        "sum += 0",
        "int",
        // `sum_of` alone is refused here, with a word; gdb takes its address for true.
        "&sum_of",
        "nosuch",
        "1 || nosuch",
        "i +",
        "struct nosuch *",
        "(struct nosuch *) cell",
        "sizeof(nosuch)",
        "((nosuch *) cell)->id",
        "i @@ 2",
        "k",
    ];
    let doomed = [
        "cell->idd > 3",
        "cell->id.x",
        "x.y",
        "i[2]",
        "0 && cell->nosuch",
        "1 || cell->nosuch",
        "!(i && cell->nosuch)",
        "bare > 3",
        "bare",
        "bare_twice(i) > 2",
        "i(3)",
        "i ? cell->nosuch : 1",
        "sizeof(cell->nosuch)",
        "*cell == 1",
        "*cell->owner == 0 || 1",
        "-bare",
    ];
    judged(&program, &location, &fine, &doomed);
}

#[test]
fn conditions_of_cplusplus_are_taken_and_refused_as_by_gdb() {
    let program = build("g++", "classes.cpp", &["-g", "-O0"]);
    let source = include_str!("../programs/classes.cpp");
    let fine = [
        "numbers[1] == 2",
        "numbers.size() > 2",
        "both.own > 3",
        "both.sum(4) > 1",
        "pointer->left",
        "pointer->id",
        "other.b == 5",
        "base->area() > 3",
        "buffer.items[1] > 2",
        "buffer.size() == 3",
        "overloaded(1)",
        "Both::count == 3",
        "shapes::Both::count",
        "several[1].own",
        "both.mode == shapes::Both::ON",
        "((Derived *) base)->d > 1",
        "this",
        "nosuch::x",
        "both.own +",
    ];
    let doomed = [
        "both.owm > 3",
        "both.summ(4)",
        "pointer->nosuch",
        "buffer.itens[1]",
        "several[1].nosuch",
        "changed.x",
        "base->d > 3",
        "((Derived *) base)->e",
    ];
    judged(&program, &format!("classes.cpp:{}", line_of(source, "/* stop */")), &fine, &doomed);
    let members =
        ["own > 3", "left == 1 && id == 7", "this->own", "more", "sum() > 1", "(*this).right", "nosuch", "nosuch > 2"];
    let place = format!("classes.cpp:{}", line_of(source, "/* inside */"));
    judged(&program, &place, &members, &["this->nosuch", "own.x"]);
}

#[test]
fn conditions_of_fortran_are_taken_and_refused_as_by_gdb() {
    let program = build("gfortran", "derived.f90", &["-g", "-O0"]);
    let source = include_str!("../programs/derived.f90");
    let inside = [
        "values(i) > 1",
        "i == 2",
        "size(values) > 2",
        "total >= 0d0 .and. i /= 3",
        "counter == 3",
        "field(1,1) > 0",
        "text == 'hello'",
        "pi > 3",
        "values(9) > 1",
        "nosuch > 1",
        "nosuch(1) > 1",
        "i == ",
        "I == 2",
    ];
    let place = format!("derived.f90:{}", line_of(source, "total = total + values(i)"));
    judged(&program, &place, &inside, &[]);
    let parts = [
        "p%x == 1",
        "n%pair(2) == 5",
        "n%seen",
        "q%y > 1",
        "n%point%y > 0",
        "p%x == 1 .or. no",
        "many(3) == 6",
        "p%nosuch .or. nosuch",
    ];
    let place = format!("derived.f90:{}", line_of(source, "call fill("));
    judged(&program, &place, &parts, &["p%z == 1", "n%pear(2)", "tiny%x", ".not. p%nosuch"]);
}

#[test]
fn conditions_of_rust_are_taken_and_refused_as_by_gdb() {
    let program = build("rustc", "rusty.rs", &["--edition=2021", "-g"]);
    let source = include_str!("../programs/rusty.rs");
    let place = |mark: &str| format!("rusty.rs:{}", line_of(source, &format!("mark: {mark}")));
    judged(
        &program,
        &place("numbers"),
        &["small > 1", "truth", "nothing == ()", "nosuch > 1", "byte as i64 > 2", "small +"],
        &[],
    );
    judged(
        &program,
        &place("compounds"),
        &["point.x > 0", "tuple.0 == 1", "array[1] > 0", "nosuch.x"],
        &["point.nosuch", "array.x"],
    );
}
