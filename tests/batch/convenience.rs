//! gdb's convenience functions and variables, and those of ranks, in both engines.

use crate::support::batch::{Outcome, json};

fn values(outcome: &Outcome) -> Vec<String> {
    outcome.of("value").iter().map(|value| value["value"].as_str().unwrap().to_owned()).collect()
}

/// Prints expressions at a breakpoint in `inner`; the engine of gdb leaves them to gdb.
#[track_caller]
fn expect(rows: &[(&str, &str)]) {
    let program = crate::support::build::plain("convenience.c");
    let prints: String = rows.iter().map(|(expression, _)| format!("print {expression}\n")).collect();
    for engine in ["native", "gdb"] {
        let script = format!("break inner\ngo\nwait\n{prints}");
        let outcome = json(&["-n", "1", "--engine", engine], &[program.to_str().unwrap()], &script).expect(0);
        let expected: Vec<(&str, String)> = rows.iter().map(|(of, value)| (*of, (*value).to_owned())).collect();
        let found: Vec<(&str, String)> = rows.iter().map(|(of, _)| *of).zip(values(&outcome)).collect();
        assert_eq!(found, expected, "{engine}");
    }
}

#[test]
fn functions_of_texts_and_values_are_those_of_gdb() {
    expect(&[
        ("$_strlen(text)", "5"),
        ("$_streq(text, \"hello\")", "1"),
        ("$_memeq(text, \"help\", 3)", "1"),
        ("$_memeq(text, \"help\", 4)", "0"),
        ("$_regex(text, \"h.*o$\")", "1"),
        ("$_regex(text, \"ello\")", "0"),
        ("$_regex(text, \"x|hell\")", "1"),
        ("$_as_string(color)", "\"GREEN\""),
        ("$_as_string(7)", "\"7\""),
        ("$_creal(wave)", "1.5"),
        ("$_cimag(wave)", "-2.5"),
        ("$_cimag(narrow)", "2"),
        ("$_isvoid($nosuch)", "1"),
        ("$_gdb_setting(\"print elements\")", "200"),
        ("$_gdb_setting_str(\"print elements\")", "\"200\""),
        ("$_gdb_setting_str(\"print pretty\")", "\"off\""),
        ("sizeof($_creal(wave))", "4"),
    ]);
}

#[test]
fn a_chosen_function_has_the_type_that_its_resolver_returns() {
    expect(&[("chosen(4)", "12"), ("sizeof(chosen(4))", "4"), ("chosen(4) + 0.5", "12.5")]);
}

#[test]
fn callers_are_found_by_name() {
    expect(&[
        ("$_caller_is(\"middle\")", "1"),
        ("$_caller_is(\"outer\")", "0"),
        ("$_caller_is(\"outer\", 2)", "1"),
        ("$_caller_is(\"inner\", 0)", "1"),
        ("$_caller_is(\"main\", 3)", "1"),
        ("$_caller_is(\"main\", 4)", "0"),
        ("$_caller_matches(\"mid\")", "1"),
        ("$_caller_matches(\"iddle\")", "0"),
        ("$_any_caller_is(\"inner\")", "1"),
        ("$_any_caller_is(\"outer\")", "0"),
        ("$_any_caller_is(\"main\", 10)", "1"),
        ("$_any_caller_matches(\"out|nothing\", 2)", "1"),
    ]);
}

#[test]
fn a_condition_can_ask_for_the_caller_and_the_rank() {
    let program = crate::support::build::plain("convenience.c");
    for engine in ["native", "gdb"] {
        let script = "break inner if $_caller_is(\"main\")\nbreak outer if $_rank == 1\n[0] go\n[0] wait\n[0] print n\n\
                      [1] go\n[1] wait\n[1] where -limit 1\nprint $_rank\n";
        let outcome = json(&["-n", "2", "--engine", engine], &[program.to_str().unwrap()], script).expect(0);
        assert_eq!(outcome.of("value")[0]["value"], "7", "{engine}");
        assert_eq!(outcome.ranks("stopped", "function", "outer"), "1", "{engine}");
        let ranks: Vec<(String, String)> = outcome.of("value")[outcome.of("value").len() - 2..]
            .iter()
            .map(|value| (value["ranks"].as_str().unwrap().to_owned(), value["value"].as_str().unwrap().to_owned()))
            .collect();
        assert_eq!(ranks, [("0".to_owned(), "0".to_owned()), ("1".to_owned(), "1".to_owned())], "{engine}");
    }
}

#[test]
fn the_breakpoint_that_was_hit_has_a_number() {
    let program = crate::support::build::plain("convenience.c");
    let script = "break outer\nbreak inner\ngo\nwait\nprint $_hit_bpnum\ngo\nwait\nprint $_hit_bpnum\nprint $_hit_locno\n\
                  print $bpnum\n";
    let outcome = json(&["-n", "1"], &[program.to_str().unwrap()], script).expect(0);
    assert_eq!(values(&outcome), ["1", "2", "1", "2"]);
}

#[test]
fn the_number_of_a_rank_cannot_be_changed() {
    let program = crate::support::build::plain("convenience.c");
    for engine in ["native", "gdb"] {
        let script = "set var $_rank = 3\nprint $_rank = 4\nprint ++$_rank\nset $_rank += 1\nprint $_rank\n";
        let options = ["-n", "2", "--keep-going", "--engine", engine];
        let outcome = json(&options, &[program.to_str().unwrap()], script).expect(1);
        let refused = "Left operand of assignment is not a modifiable lvalue.";
        assert_eq!(outcome.ranks("error", "message", refused), "0-1", "{engine}: {}", outcome.text);
        assert_eq!(outcome.of("error").len(), 4, "{engine}: {}", outcome.text);
        assert_eq!(values(&outcome), ["0", "1"], "{engine}");
    }
}

#[test]
fn numbers_in_convenience_variables_outlive_a_restart() {
    let program = crate::support::build::plain("convenience.c");
    for engine in ["native", "gdb"] {
        let script = "set $x = 3\n[1] set $x = 4\nset $i = 7\nprint $i++\nset $half = 1.5\nset $two = 2.0\n\
                      set $where = &$x\nset $gone = 5\nset $gone = \"text\"\nrestart\nprint $x\nprint $i\nprint $half\n\
                      print $two / 4\nprint $_isvoid($gone)\nset $x = 9\nkill\nrestart\nprint $x\n";
        let options = ["-n", "2", "--keep-going", "--engine", engine];
        let outcome = json(&options, &[program.to_str().unwrap()], script);
        assert_eq!(values(&outcome), ["7", "3", "4", "8", "1.5", "0.5", "1", "9"], "{engine}: {}", outcome.text);
    }
}
