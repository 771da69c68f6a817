//! Functions where a number is expected.

use super::program::{print, program};
use crate::Expression;

const REFUSED: &str = "\"f\" is a function; no variable \"f\" here (its address: &f)";

#[test]
fn a_function_is_not_compared_with_a_number() {
    let table = program();
    for text in
        ["f > 2", "2 < f", "f == 0", "f != 0", "f + 1 > 2", "f > 0.5", "f * 2", "!f", "f && i", "i && f", "f ? 1 : 2"]
    {
        assert_eq!(print(&table, text), REFUSED, "{text}");
    }
    for (text, expected) in [
        ("f == f", "1"),
        ("f == fp", "1"),
        ("&f == 0x5129", "1"),
        ("&f != 0", "1"),
        ("(long)f == 0x5129", "1"),
        ("fp == 0x5129", "1"),
        ("fp > 2", "1"),
        ("i || f", "1"),
        ("i && 0 && f", "0"),
        ("*f > 2", "1"),
    ] {
        assert_eq!(print(&table, text), expected, "{text}");
    }
    assert!(print(&table, "f + 1").contains("0x512a"), "an address in its code");
    assert!(print(&table, "f").contains("0x5129"), "printed alone, it says that it is a function");
}

#[test]
fn a_function_is_not_assigned_to_a_number() {
    let table = program();
    let writes = table.writes.get();
    assert_eq!(print(&table, "i = f"), REFUSED);
    assert_eq!(print(&table, "i += f"), REFUSED);
    assert_eq!(table.writes.get(), writes);
    assert!(print(&table, "fp = f").contains("0x5129"));
}

#[test]
fn a_function_is_no_condition() {
    let table = program();
    for text in ["f", "f > 2", "i > 2 && f > 2", "i < 0 || f"] {
        let condition = Expression::parse(text).unwrap();
        let error = condition.check(&table.context()).unwrap_err();
        assert_eq!(error.message, REFUSED, "{text}");
    }
    let condition = Expression::parse("f").unwrap();
    assert_eq!(condition.condition(&table.context()).unwrap_err().message, REFUSED);
}

#[test]
fn a_condition_calls_no_function_of_the_program() {
    let table = program();
    for text in ["f(3)", "i > 2 && f(3) > 1", "!f(f(1))"] {
        let error = Expression::parse(text).unwrap().check(&table.context()).unwrap_err();
        assert_eq!(
            error.message,
            "a condition cannot call f: only print, set and rank sets call functions (strcmp, strlen, $_streq, $_regex \
                and $_memeq need no call)",
            "{text}"
        );
    }
}
