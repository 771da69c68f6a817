//! Methods of the C++ library that take a key or an argument of another type: the program itself says what they return.

use crate::beside_gdb::Beside;
use crate::driver::line_of;
use crate::support::build::build;

const SOURCE: &str = include_str!("../programs/keyed.cpp");

fn stopped() -> Beside {
    let program = build("g++", "keyed.cpp", &["-g", "-O0", "-std=c++17"]);
    Beside::at(&program, &format!("keyed.cpp:{}", line_of(SOURCE, "BREAK here")))
}

/// Compares each expression with the variable in which the program keeps the same.
fn as_the_program_says(beside: &mut Beside, pairs: &[(&str, &str)]) {
    for (expression, said) in pairs {
        assert_eq!(beside.ours(expression), beside.ours(said), "{expression}");
    }
}

fn shown(beside: &mut Beside, expected: &[(&str, &str)]) {
    for (expression, value) in expected {
        assert_eq!(beside.ours(expression), *value, "{expression}");
    }
}

#[test]
fn pointers_as_keys_are_addresses() {
    let mut beside = stopped();
    as_the_program_says(
        &mut beside,
        &[
            ("by_place[two]", "second_said"),
            ("by_place[one]", "first_said"),
            ("places.count(to_same)", "same_said"),
            ("with_null.count(abc)", "null_said"),
        ],
    );
    shown(
        &mut beside,
        &[("by_place.count(one + 1)", "0"), ("with_null.count(0)", "1"), ("places.contains(abc)", "true")],
    );
}

#[test]
fn keys_have_the_type_of_the_container() {
    let mut beside = stopped();
    as_the_program_says(
        &mut beside,
        &[
            ("by_unsigned.count(-1)", "negative_said"),
            ("by_unsigned.count(most)", "negative_said"),
            ("by_byte[300]", "byte_said"),
            ("by_float.count(0.1)", "float_said"),
            ("several.count(7)", "several_said"),
        ],
    );
    shown(
        &mut beside,
        &[
            ("by_double[0.1]", "4"),
            ("by_double[-0.0]", "6"),
            ("by_float[-2.5]", "5"),
            ("by_colour[Colour::green]", "8"),
            ("by_view[\"c\"]", "2"),
            ("by_view.count(\"d\")", "0"),
            ("transparent[\"other\"]", "6"),
            ("numbers[1998]", "999"),
            ("numbers[0]", "0"),
            ("numbers.count(3)", "0"),
            ("numbers[3]", "There is no such key in this map."),
            ("several.find(7)->second", "70"),
            ("several.count(99)", "10"),
            ("single.count(5)", "1"),
            ("single.count(6)", "0"),
            ("sizeof(numbers.find(3))", "8"),
        ],
    );
}

/// The function of the program knows how keys are compared.
#[test]
fn own_comparisons_are_left_to_the_program() {
    let mut beside = stopped();
    as_the_program_says(
        &mut beside,
        &[
            ("by_key.count(key)", "key_said"),
            ("by_digit.count(thirteen)", "digit_said"),
            ("by_hash.count(thirteen)", "hash_said"),
            ("by_digit.at(thirteen) + by_key.at(key)", "at_said"),
        ],
    );
    for expression in ["ignoring.count(\"KEY\")", "ignoring[\"KEY\"]"] {
        let ours = beside.ours(expression);
        assert!(ours.starts_with("Cannot ") || ours.contains("could not convert"), "{expression}: {ours}");
    }
    beside.print(&["by_key.count(key)"]);
    beside.judge();
}

#[test]
fn a_look_that_reads_too_much_says_so() {
    let ours = stopped().ours("by_long_text.count(\"none\")");
    assert!(ours.starts_with("not read: "), "{ours}");
}

#[test]
fn arguments_and_results_have_the_types_of_the_library() {
    let mut beside = stopped();
    as_the_program_says(
        &mut beside,
        &[
            ("no_number.value_or(2.5)", "number_said"),
            ("(int)no_byte.value_or(300)", "byte_or_said"),
            ("either.index()", "index_said"),
            ("valueless.index()", "npos_said"),
            ("a_text->size()", "length_said"),
        ],
    );
    shown(&mut beside, &[("sizeof(either.index())", "8"), ("sizeof(no_byte.value_or(300))", "1")]);
    beside.print(&["alignof(void)", "sizeof(void)"]);
    beside.judge();
}

#[test]
fn indices_out_of_range_say_so() {
    let mut beside = stopped();
    let huge = "85070591730234615865843651857942052864";
    let out = |what: &str| format!("Index {huge} is out of range for this {what}.");
    for (expression, words) in [
        ("row[wide]", out("vector of size 3")),
        ("text[wide]", out("string of size 36")),
        ("owned[wide]", out("unique_ptr")),
        ("queue[wide]", out("deque of size 3")),
        ("bits[wide]", out("vector of size 3")),
        ("queue[-1]", "Index -1 is out of range for this deque of size 3.".to_owned()),
        ("bits[9999999999999]", "Index 9999999999999 is out of range for this vector of size 3.".to_owned()),
    ] {
        assert_eq!(beside.ours(expression), words, "{expression}");
    }
    // As in the program, those near the elements are read.
    shown(&mut beside, &[("row[-1] == *(row.data() - 1)", "true"), ("(&queue[1])[-1]", "1"), ("owned[2]", "3")]);
}
