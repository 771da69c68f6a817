//! `array`: the first page of arrays in C and Fortran, as a table and in JSON; arrays larger than memory.

use crate::support::batch::{Outcome, Place, json};
use crate::support::build::build;
use crate::support::marks::source;
use serde_json::{Value, json as object};

#[track_caller]
fn at(compiler: &str, file: &str, mark: &str, arguments: &[&str], commands: &str) -> Outcome {
    let text = std::fs::read_to_string(source(file)).unwrap();
    let line = text.lines().position(|line| line.contains(mark)).unwrap() + 1;
    let mut options = vec!["-g", "-O0"];
    options.extend((compiler == "gcc").then_some("-lm"));
    let program = build(compiler, file, &options);
    let arguments = [&["--keep-going"], arguments].concat();
    json(&arguments, &[program.to_str().unwrap()], &format!("break {file}:{line}\ngo\nwait\n{commands}\n"))
}

#[track_caller]
fn one(outcome: &Outcome) -> Value {
    let found = outcome.of("array");
    assert_eq!(found.len(), 1, "{}", outcome.text);
    found[0].clone()
}

#[test]
fn the_last_two_dimensions_are_shown() {
    let array = |expression: &str| {
        one(&at("gcc", "array_view.c", "/* filled */", &["-n", "1"], &format!("array {expression}")))
    };
    let cube = array("cube");
    assert_eq!(cube["shape"], object!([3, 40, 50]));
    assert_eq!((&cube["axes"], &cube["at"]), (&object!([1, 2]), &object!([0, 0, 0])));
    assert_eq!((&cube["rows"]["count"], &cube["columns"]["count"]), (&object!(20), &object!(10)));
    assert_eq!((&cube["values"][0][0], &cube["values"][19][9]), (&object!(0), &object!(1909)));
    assert_eq!((&cube["element_type"], &cube["lower"]), (&object!("int"), &object!([0, 0, 0])));
    let heat = array("cells.heat");
    assert_eq!((&heat["shape"], &heat["axes"]), (&object!([60]), &object!([null, 0])));
    assert_eq!((&heat["values"][0][59], heat["values"][0].as_array().unwrap().len()), (&object!(29.5), 60));
    let field = array("field");
    assert_eq!(field["values"][7][3], "NaN");
}

#[test]
fn a_page_of_an_array_that_is_larger_than_memory_costs_a_page() {
    // The program says how large the tables of its touched pages are: reading all would add 16 MB.
    let commands = "go\nwait\narray huge[0]@1000000000\narray huge[500000000]@10\ngo\nwait";
    let outcome = at("gcc", "array_view.c", "/* filled */", &["-n", "1"], commands);
    let output: String =
        outcome.of("output").iter().map(|output| output["text"].as_str().unwrap().to_owned()).collect();
    let tables: Vec<i64> =
        output.lines().filter_map(|line| line.split_once("tables ")?.1.split(' ').next()?.parse().ok()).collect();
    let [before, after] = tables[..] else { panic!("{output}") };
    assert!(before > 0 && after - before < 100, "{output}");
    let found = outcome.of("array");
    assert_eq!(found[0]["shape"], object!([1_000_000_000]), "{}", outcome.text);
    assert_eq!(found[0]["values"][0].as_array().unwrap().len(), 200);
    assert_eq!(found[1]["values"], object!([[0, 0, 0, 42, 0, 0, 0, 0, 0, 0]]));
}

#[test]
fn arrays_of_fortran_have_the_first_subscript_along_the_rows() {
    let outcome =
        at("gfortran", "sections.f90", "print *, a, c", &["-n", "2"], "array b\narray c\narray b(::2, :)\narray back");
    let found = outcome.of("array");
    assert_eq!(found.len(), 4, "{}", outcome.text);
    assert_eq!(
        (&found[0]["ranks"], &found[0]["shape"], &found[0]["lower"]),
        (&object!("0-1"), &object!([3, 2]), &object!([1, 1]))
    );
    assert_eq!((&found[0]["axes"], &found[0]["values"][0][0]), (&object!([0, 1]), &object!(11)));
    assert_eq!(found[0]["values"], object!([[11, 12], [21, 22], [31, 32]]));
    assert_eq!((&found[1]["shape"], &found[1]["at"]), (&object!([3, 3, 2]), &object!([0, 0, 0])));
    assert_eq!(found[2]["values"], object!([[11, 12], [31, 32]]));
    assert_eq!((&found[3]["values"][0][0], &found[3]["values"][0][3]), (&object!(15), &object!(1.5)));
}

#[test]
fn what_is_no_array_of_numbers_is_an_error_that_says_what_to_do() {
    let outcome = at(
        "gcc",
        "array_view.c",
        "/* filled */",
        &["-n", "1"],
        "array words\narray cells\narray nosuch\narray\nengine use gdb\narray field",
    );
    let errors: Vec<String> =
        outcome.of("error").iter().map(|error| error["message"].as_str().unwrap().to_owned()).collect();
    let has = |at: usize, words: &str| assert!(errors[at].contains(words), "{errors:?}");
    has(0, "say how many elements it leads to");
    has(1, "name one of its members, as in .heat");
    has(2, "nosuch");
    has(3, "expected an expression");
    has(4, "use \"engine use native\" first");
}

#[test]
fn people_get_a_table() {
    let program = build("gcc", "array_view.c", &["-g", "-O0", "-lm"]);
    let text = std::fs::read_to_string(source("array_view.c")).unwrap();
    let line = text.lines().position(|line| line.contains("/* filled */")).unwrap() + 1;
    let script = format!("tbreak array_view.c:{line}\ngo\nwait\narray cube\narray field[7]\narray bytes\n");
    let outcome = Place::new().run(&["run", "-n", "2", "--batch", "-", program.to_str().unwrap()], &script);
    let has = |words: &str| assert!(outcome.text.contains(words), "{words}\n{}", outcome.text);
    has("[0-1] cube: int [3][40][50], section [0][:][:], first 20 of 40 rows and 10 of 50 columns\n");
    has("         [0]   [1]   [2]   [3]");
    has("  [10]  1000  1001  1002");
    has("[0-1] field[7]: double [300], first 200 of 300 elements\n");
    // Each column is as wide as its longest number.
    let row = outcome.text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let row = row.skip_while(|line| !line.contains("field[7]")).nth(2).unwrap();
    assert!(row.starts_with("[0] 0.342898 0.342744 0.342281 nan 0.340432 "), "{row}");
    has("[0-1] bytes: unsigned char [16]\n");
}
