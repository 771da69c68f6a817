//! What regular expressions match, and what is refused.

use super::RegularExpression;

fn found(pattern: &str, text: &str) -> bool {
    RegularExpression::parse(pattern, false).unwrap().is_found_in(text)
}

#[test]
fn a_pattern_is_found_anywhere_unless_it_is_anchored() {
    for (pattern, text, wanted) in [
        ("add", "padding", true),
        ("^add", "padding", false),
        ("^add$", "add", true),
        ("^add", "", false),
        ("^", "", true),
        ("^.dd", "add", true),
        ("^a*d", "dd", true),
        ("^a\\|d$", "padd", true),
        ("g$", "padding", true),
        ("d$", "padding", false),
        ("", "", true),
        ("^$", "x", false),
        ("a.c", "abc", true),
        ("a.c", "ac", false),
        ("ab*c", "xacx", true),
        ("ab*c", "abbbc", true),
        ("*a", "*a", true),
        ("*a", "a", false),
        ("a^b", "a^b", true),
        ("a$b", "a$b", true),
        ("\\.c", "a.c", true),
        ("\\.c", "abc", false),
    ] {
        assert_eq!(found(pattern, text), wanted, "{pattern} in {text}");
    }
}

#[test]
fn signs_of_extended_expressions_need_a_backslash_as_in_gdb() {
    for (pattern, text, wanted) in [
        ("a+b", "a+b", true),
        ("a+b", "aab", false),
        ("a\\+b", "aab", true),
        ("a\\+b", "b", false),
        ("colou\\?r", "color", true),
        ("one\\|two", "a two", true),
        ("one|two", "two", false),
        ("^\\(one\\|two\\)$", "one", true),
        ("^\\(one\\|two\\)$", "onetwo", false),
        ("^\\(ab\\)*$", "abab", true),
        ("^\\(ab\\)*$", "aba", false),
        ("f(int)", "f(int)", true),
        ("^a\\{2\\}$", "aa", true),
        ("^a\\{2\\}$", "aaa", false),
        ("^a\\{2,\\}$", "aaaa", true),
        ("^a\\{1,2\\}$", "aaa", false),
        ("\\<work\\>", "do work now", true),
        ("\\<work\\>", "worker", false),
        ("^\\w*$", "snake_case9", true),
        ("\\W", "snake_case", false),
    ] {
        assert_eq!(found(pattern, text), wanted, "{pattern} in {text}");
    }
}

#[test]
fn sets_have_ranges_classes_and_negation() {
    for (pattern, text, wanted) in [
        ("^[a-c]*$", "abcab", true),
        ("^[a-c]*$", "abd", false),
        ("^[^a-c]$", "d", true),
        ("[]]", "]", true),
        ("[]-]", "-", true),
        ("^[[:digit:]_]*$", "1_2", true),
        ("[[:upper:]]", "abC", true),
        ("[.*]", "x*", true),
        ("[\\]", "\\", true),
    ] {
        assert_eq!(found(pattern, text), wanted, "{pattern} in {text}");
    }
    let folded = RegularExpression::parse("^Sub_[a-f]$", true).unwrap();
    assert!(folded.is_found_in("SUB_D") && !folded.is_found_in("SUB_X"));
}

#[test]
fn what_is_no_regular_expression_is_refused() {
    for (pattern, words) in [
        ("[a", "unmatched ["),
        ("\\(a", "unmatched \\("),
        ("a\\)", "unmatched \\)"),
        ("a\\{2", "unmatched \\{"),
        ("a\\{300\\}", "at most 255"),
        ("a\\", "trailing backslash"),
        ("\\(a\\)\\1", "references"),
        ("[b-a]", "range"),
        ("[[:nosuch:]]", "class"),
    ] {
        let error = RegularExpression::parse(pattern, false).unwrap_err();
        assert!(error.message.contains(words), "{pattern}: {}", error.message);
    }
}

#[test]
fn a_hostile_pattern_costs_little() {
    let nested = format!("{}a{}", "\\(".repeat(100), "\\)".repeat(100));
    assert!(RegularExpression::parse(&nested, false).is_err());
    assert!(RegularExpression::parse("\\(\\(a\\{255\\}\\)\\{255\\}\\)\\{255\\}", false).is_err());
    let slow = RegularExpression::parse("\\(a*\\)*b", false).unwrap();
    assert!(!slow.is_found_in(&"a".repeat(2000)));
}
