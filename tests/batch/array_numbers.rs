//! `stats` and `scan`: numbers known beforehand, in C, C++ and Fortran.

use crate::support::batch::{Outcome, Place, json};
use crate::support::build::build;
use crate::support::marks::source;
use serde_json::{Value, json as object};

/// The line of a program that contains a text.
#[track_caller]
fn line(file: &str, mark: &str) -> usize {
    let text = std::fs::read_to_string(source(file)).unwrap();
    text.lines().position(|line| line.contains(mark)).unwrap() + 1
}

/// Runs commands at a line.
#[track_caller]
fn at(compiler: &str, file: &str, mark: &str, ranks: &str, commands: &str) -> Outcome {
    let mut options = vec!["-g", "-O0"];
    options.extend((compiler == "gcc").then_some("-lm"));
    let program = build(compiler, file, &options);
    let script = format!("break {file}:{}\ngo\nwait\n{commands}\n", line(file, mark));
    json(&["-n", ranks, "--keep-going"], &[program.to_str().unwrap()], &script)
}

/// The numbers of a result, with the places of the extremes.
fn numbers(stats: &Value) -> Value {
    let field = |name: &str| stats[name].clone();
    object!([field("count"), field("min"), field("min_at"), field("max"), field("max_at"), field("mean")])
}

#[track_caller]
fn close(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() <= 1e-12 * expected.abs(), "{value} is not {expected}");
}

#[test]
fn arrays_of_c_are_measured_where_they_are() {
    let expressions = [
        "grid",
        "heap[0]@count",
        "*heap@70000",
        "single",
        "wide",
        "small",
        "far",
        "cube",
        "cube[1]",
        "count",
        "heap[6]",
    ];
    let commands = expressions.map(|expression| format!("stats {expression}")).join("\n");
    let outcome = at("gcc", "numbers.c", "measured here", "1", &commands).expect(0);
    let found = outcome.of("stats");
    assert_eq!(found.len(), expressions.len(), "{}", outcome.text);
    assert!(found.iter().zip(expressions).all(|(stats, expression)| stats["expression"] == expression));
    // i * 10 + j - 4 for i below 3 and j below 4.
    assert_eq!(numbers(&found[0]), object!([12, -4, [[0, 0]], 19, [[2, 3]], 7.5]));
    close(&found[0]["deviation"], (100.0 * 2.0 / 3.0 + 1.25_f64).sqrt());
    assert_eq!(found[0]["ranks"], "0");
    // -3 to 3, each 10000 times.
    assert_eq!(numbers(&found[1]), object!([70000, -3, [[0]], 3, [[6]], 0]));
    close(&found[1]["deviation"], 2.0);
    let each = 10000;
    assert_eq!(found[1]["histogram"], object!([each, each, 0, each, 0, each, each, 0, each, each]));
    assert_eq!((&found[1]["nan"], &found[1]["inf"]), (&object!(0), &object!(0)));
    assert_eq!(numbers(&found[2]), numbers(&found[1]));
    assert_eq!(found[3]["inf"], 1);
    close(&found[3]["mean"], 0.5 / 3.0);
    assert_eq!((&found[4]["min"], &found[4]["min_at"], &found[4]["max"]), (&object!(-2), &object!([[2]]), &object!(1)));
    assert_eq!(numbers(&found[5]), object!([4, -128, [[0]], 127, [[3]], 0]));
    assert_eq!((found[6]["min"].as_i64(), found[6]["max"].as_i64()), (Some(i64::MIN), Some(i64::MAX)));
    assert_eq!(found[6]["max_at"], object!([[1]]));
    assert_eq!((&found[7]["max"], &found[7]["max_at"]), (&object!(250), &object!([[1, 2, 1]])));
    assert_eq!((&found[8]["min"], &found[8]["max_at"]), (&object!(7), &object!([[2, 1]])));
    assert_eq!(numbers(&found[9]), object!([1, 70000, [[]], 70000, [[]], 70000]));
    assert_eq!((&found[10]["mean"], &found[10]["histogram"]), (&object!(3), &object!([1])));
}

#[test]
fn a_search_names_the_first_elements() {
    let commands = [
        ("grid > 17", 2, object!([[2, 2], [2, 3]])),
        ("grid == -4", 1, object!([[0, 0]])),
        ("grid != -4", 11, object!([[0, 1], [0, 2], [0, 3], [1, 0], [1, 1], [1, 2], [1, 3], [2, 0], [2, 1], [2, 2]])),
        ("heap[0]@count < -2", 10000, object!([[0], [7], [14], [21], [28], [35], [42], [49], [56], [63]])),
        ("grid nan", 0, object!([])),
        ("single inf", 1, object!([[2]])),
        ("single == 0.5", 2, object!([[0], [3]])),
        ("wide denormal", 1, object!([[1]])),
        ("far >= 9223372036854775807", 1, object!([[1]])),
        ("cube > sizeof(records) + 241", 1, object!([[1, 2, 1]])),
        ("count > 0", 1, object!([[]])),
    ];
    let script = commands.each_ref().map(|(command, ..)| format!("scan {command}")).join("\n");
    let outcome = at("gcc", "numbers.c", "measured here", "1", &script).expect(0);
    let found = outcome.of("scan");
    assert_eq!(found.len(), commands.len(), "{}", outcome.text);
    for (result, (command, count, first)) in found.iter().zip(&commands) {
        assert_eq!((&result["found"], &result["first"]), (&object!(count), first), "{command}");
        let said = format!("{} {}", result["expression"].as_str().unwrap(), result["condition"].as_str().unwrap());
        assert_eq!(said, *command);
    }
}

#[test]
fn ranks_that_differ_have_results_of_their_own() {
    let commands = "stats heap[0]@count\nscan heap[0]@count nan\nscan heap[0]@count > limit\nscan *heap@9 == 3";
    let outcome = at("gcc", "numbers.c", "measured here", "3", commands).expect(0);
    let stats = outcome.of("stats");
    let ranks: Vec<&str> = stats.iter().map(|result| result["ranks"].as_str().unwrap()).collect();
    assert_eq!(ranks, ["0,2", "1"]);
    assert_eq!((&stats[1]["nan"], &stats[1]["inf"], &stats[1]["count"]), (&object!(1), &object!(1), &object!(70000)));
    let scans = outcome.of("scan");
    let told: Vec<(&str, u64)> =
        scans.iter().map(|scan| (scan["ranks"].as_str().unwrap(), scan["found"].as_u64().unwrap())).collect();
    assert_eq!(told, [("0,2", 0), ("1", 1), ("0", 10000), ("1-2", 0), ("0-2", 1)]);
    assert_eq!(scans[1]["first"], object!([[65000]]));
}

#[test]
fn what_cannot_be_measured_is_an_error_that_says_why() {
    let commands = [
        ("stats nothing", "No symbol \"nothing\" in current context."),
        ("stats heap", "p[0]@100"),
        ("stats cut[0]@128", "element [64][0], after 512 readable ones of 1024"),
        ("scan cut[0]@128 nan", "element [64][0], after 512 readable ones of 1024"),
        ("stats waves", "complex numbers have no order"),
        ("stats records", "is not a number: name one of its members, as in .a."),
        ("stats count = 3", "only reads"),
        ("scan grid > waves", "is not a number"),
        ("scan grid > nothing", "No symbol \"nothing\" in current context."),
        ("scan grid", "expected a condition after the expression"),
        ("scan nan", "expected an expression"),
    ];
    let script = commands.map(|(command, _)| command).join("\n");
    let outcome = at("gcc", "numbers.c", "measured here", "1", &format!("{script}\nprint count"));
    let errors = outcome.of("error");
    assert_eq!(errors.len(), commands.len(), "{}", outcome.text);
    for (error, (command, words)) in errors.iter().zip(commands) {
        assert!(error["message"].as_str().unwrap().contains(words), "{command}: {error}");
    }
    assert_eq!(errors[0]["position"], 6);
    assert_eq!(outcome.of("value")[0]["value"], "70000", "an assignment is refused, not performed");
}

#[test]
fn containers_of_numbers_are_arrays() {
    let measured = ["line", "same", "three", "values", "rows[1]", "none"];
    let refused = ["bits", "rows", "list"];
    let script: String = measured.iter().chain(&refused).map(|expression| format!("stats {expression}\n")).collect();
    let outcome = at("g++", "numbers.cpp", "measured here", "1", &script);
    let found = outcome.of("stats");
    assert_eq!(found.len(), measured.len(), "{}", outcome.text);
    assert_eq!(numbers(&found[0]), object!([1000, 0, [[0]], 2.25, [[9]], 1.125]));
    assert_eq!(numbers(&found[1]), numbers(&found[0]));
    assert_eq!(numbers(&found[2]), object!([3, -2.5, [[1]], 4, [[2]], 1]));
    assert_eq!(numbers(&found[3]), object!([3, 5, [[0]], 7, [[2]], 6]));
    assert_eq!(numbers(&found[4]), object!([3, 4, [[0]], 6, [[2]], 5]));
    assert_eq!((&found[5]["count"], &found[5]["min"]), (&object!(0), &Value::Null));
    assert_eq!(outcome.of("error").len(), refused.len(), "{}", outcome.text);
}

#[test]
fn a_member_of_an_array_of_structs_is_that_of_all_of_them() {
    let script = "stats particles.at\nstats (first[0]@3).at[1]\nscan (first[0]@5).id >= 3\nstats first[0].id@9\n\
                  scan particles.id + 1 > 2\nprint (first[0]@3).id";
    let outcome = at("g++", "numbers.cpp", "measured here", "2", script);
    let found = outcome.of("stats");
    assert_eq!(found.len(), 2, "{}", outcome.text);
    assert_eq!(numbers(&found[0]), object!([15, 0.25, [[0, 0]], 4.75, [[4, 2]], 2.5]));
    assert_eq!(numbers(&found[1]), object!([3, 0.5, [[0]], 2.5, [[2]], 1.5]));
    let scan = &outcome.of("scan")[0];
    assert_eq!((&scan["found"], &scan["first"]), (&object!(2), &object!([[3], [4]])));
    let refused = outcome.of("error");
    let errors: Vec<&str> = refused.iter().map(|error| error["message"].as_str().unwrap()).collect();
    assert_eq!(errors.len(), 2, "{}", outcome.text);
    assert!(errors[0].contains("goes on past the end of the Particle: for id of 9 of them, write"), "{errors:?}");
    assert!(errors[1].contains("id is a member of every element here"), "{errors:?}");
    // print is as gdb's.
    assert_eq!(outcome.of("value")[0]["value"], "0");
}

#[test]
fn arrays_of_fortran_have_its_bounds_and_its_order() {
    let results = [
        ("stats b", object!([6, 11, [[1, 1]], 32, [[3, 2]], 21.5])),
        ("stats c", object!([18, 191, [[2, -1, 1]], 412, [[4, 1, 2]], 301.5])),
        ("stats odd", object!([5, 1.5, [[1]], 13.5, [[5]], 7.5])),
        ("stats back", object!([4, 1.5, [[4]], 15, [[1]], 8.25])),
        ("stats grid", object!([6, 1, [[1, 1]], 6, [[2, 3]], 3.5])),
        ("stats xs", object!([4, 1, [[1]], 4, [[4]], 2.5])),
        ("stats points%y", object!([4, 0.5, [[1]], 2, [[4]], 1.25])),
        ("stats c(:, 0, 2)", object!([3, 202, [[1]], 402, [[3]], 302])),
        ("stats b(::2, :)", object!([4, 11, [[1, 1]], 32, [[2, 2]], 21.5])),
    ];
    let script = results.each_ref().map(|(command, _)| *command).join("\n");
    let outcome = at("gfortran", "sections.f90", "print *, a, c", "2", &format!("{script}\nscan c > 400")).expect(0);
    let found = outcome.of("stats");
    assert_eq!(found.len(), results.len(), "{}", outcome.text);
    for (stats, (command, expected)) in found.iter().zip(&results) {
        assert_eq!(&numbers(stats), expected, "{command}");
    }
    close(&found[1]["deviation"], (10_000.0 * 2.0 / 3.0 + 100.0 * 2.0 / 3.0 + 0.25_f64).sqrt());
    let scan = &outcome.of("scan")[0];
    assert_eq!(scan["first"], object!([[4, 0, 1], [4, 1, 1], [4, 0, 2], [4, 1, 2]]));
    assert_eq!(scan["ranks"], "0-1");

    // Arrays that were passed with a descriptor.
    let commands = "go\nwait\nstats whole\nscan whole == 5\nstats part";
    let outcome = at("gfortran", "sections.f90", "n = size(whole)", "1", commands);
    let stats = outcome.of("stats");
    assert_eq!(numbers(&stats[0]), object!([4, 1, [[1, 1]], 6, [[2, 2]], 3.5]), "{}", outcome.text);
    assert_eq!(numbers(&stats[1]), object!([3, 3, [[1]], 12, [[3]], 7.5]));
    assert_eq!(outcome.of("scan")[0]["first"], object!([[1, 2]]));
}

#[test]
fn results_are_lines_for_people_too() {
    let program = build("gcc", "numbers.c", &["-g", "-O0", "-lm"]);
    let line = line("numbers.c", "measured here");
    let script = format!(
        "tbreak numbers.c:{line}\ngo\nwait\nstats grid\nscan heap[0]@count nan\nscan grid > 0\nstats small\nengine use gdb\n\
         stats grid\n"
    );
    let arguments = ["run", "-n", "2", "--batch", "-", program.to_str().unwrap()];
    let outcome = Place::new().run(&arguments, &script);
    let lines: Vec<&str> = outcome.text.lines().collect();
    let has = |wanted: &str| assert!(lines.contains(&wanted), "{wanted}\n{}", outcome.text);
    has("[0-1] grid: 12 elements");
    has("[0-1] min -4 at [0][0], max 19 at [2][3], mean 7.5, deviation 8.241156877");
    has("[0] heap[0]@count nan: 0 of 70000 elements");
    has("[1] heap[0]@count nan: 1 of 70000 elements: [65000]");
    has("[0-1] grid > 0: 8 of 12 elements: [1][0] [1][1] [1][2] [1][3] [2][0] [2][1] [2][2] [2][3]");
    assert!(lines.iter().any(|line| line.contains("-4") && line.ends_with("########################################")));
    let refusal = "stats, scan and array need the native engine";
    assert!(lines.iter().any(|line| line.contains(refusal)), "{}", outcome.text);
}
