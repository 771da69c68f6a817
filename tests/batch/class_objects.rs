//! Polymorphic objects of Fortran: their components by the names that the program uses. The objects themselves are printed
//! as the compiler describes them.

use crate::support::batch::json;
use crate::support::build::build;
use crate::support::marks::source;

const FILE: &str = "class_objects.f90";

/// The line of a mark in the program.
#[track_caller]
fn line(mark: &str) -> usize {
    let text = std::fs::read_to_string(source(FILE)).unwrap();
    text.lines().position(|line| line.ends_with(&format!("! BREAK {mark}"))).unwrap() + 1
}

/// Values where the dummy arguments are, at one mark each, and in the main program.
const SHOWN: [(&str, &[(&str, &str)]); 3] = [
    (
        "advance",
        &[
            ("self%step", "3"),
            ("SELF%Step + n", "5"),
            ("self%field", "(1, 2, 3, 4)"),
            ("self%field(2)", "2"),
            ("self%view(2:3)", "(2, 3)"),
            ("self%label", "'base    '"),
            // The object is of a type that extends the declared one.
            ("self%extra", "8"),
            ("self%last", "11"),
            ("self%inner%step", "42"),
            ("self%next%next%step", "3"),
            ("self%_data%step", "3"),
        ],
    ),
    (
        "look",
        &[
            ("self%extra", "8"),
            ("self%step", "5"),
            ("self%base_t%step", "5"),
            ("self%inner%step", "42"),
            ("self%last", "11"),
            ("self%field(4)", "4"),
        ],
    ),
    (
        "done",
        &[
            ("ptr%step", "5"),
            ("ptr%last", "11"),
            ("one%step", "3"),
            ("one%extra", "7"),
            ("obj%step", "5"),
            ("obj%child_t%step", "5"),
            ("obj%next%last", "11"),
            ("list(2)%step", "9"),
            ("list%step", "(3, 9, 3)"),
            ("children(2)%step", "13"),
            ("children%step", "(3, 13)"),
            ("children%extra", "(7, 7)"),
        ],
    ),
];

const FAILING: [(&str, &str); 3] = [
    ("ptr%nosuch", "There is no member named nosuch."),
    ("none%step", "Cannot access memory at address 0x0"),
    ("obj%nosuch", "There is no member named nosuch."),
];

#[test]
fn components_of_polymorphic_objects_have_the_names_of_the_program() {
    let program = build("gfortran", FILE, &["-g", "-O0"]).display().to_string();
    let mut script = String::new();
    for (mark, values) in SHOWN {
        script += &format!("tbreak {FILE}:{}\ngo\nwait\n", line(mark));
        script += &values.iter().map(|(expression, _)| format!("print {expression}\n")).collect::<String>();
    }
    script += &FAILING.map(|(expression, _)| format!("print {expression}\n")).concat();
    script += "set var ptr%step = 21\nprint obj%step\nwhatis ptr%field\nwhatis ptr%last\nptype ptr\ninfo locals\nstats list%step\nbreak advance if self%last > 3\n";
    let outcome = json(&["-n", "1", "--keep-going"], &[&program], &script);
    let values = outcome.of("value");
    let expected = SHOWN.iter().flat_map(|(_, values)| values.iter()).chain(&[("obj%step", "21")]);
    let values = values.iter().map(|value| (value["expression"].as_str().unwrap(), value["value"].as_str().unwrap()));
    assert_eq!(values.collect::<Vec<_>>(), expected.copied().collect::<Vec<_>>(), "{:#?}", outcome.of("error"));
    let errors = outcome.of("error");
    for (error, (expression, words)) in errors.iter().zip(FAILING) {
        assert_eq!(error["message"].as_str().unwrap(), words, "{expression}");
    }
    assert_eq!(errors.len(), FAILING.len(), "{errors:#?}");
    assert!(outcome.text.contains("PTR TO -> ( Type base_t ) :: _data"), "{}", outcome.text);
    assert!(outcome.text.contains("_vptr = 0x"), "{}", outcome.text);
    assert_eq!(outcome.of("stats")[0]["count"], 3);
    for (text, known) in [("ptr%field", "real(kind=8), allocatable (4)"), ("ptr%last", "integer(kind=4)")] {
        assert!(outcome.text.contains(known), "{text}: {}", outcome.text);
    }
    let conditional = outcome.of("breakpoint").last().unwrap().clone();
    assert_eq!(
        (&conditional["condition"], conditional["sites"].as_array().unwrap().len()),
        (&"self%last > 3".into(), 1)
    );
}
