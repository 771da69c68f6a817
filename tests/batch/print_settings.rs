//! The settings of `set print` and the options of `print` show values as gdb shows them, with either engine.

use crate::gdb_data::ours;
use crate::support::build::{build, plain};
use crate::support::gdb::gdb;
use std::path::Path;

/// Settings with their state, and the one before.
type Setting = (&'static str, &'static str, &'static str);

/// Expressions whose types depend on a setting.
const TYPES: [&str; 6] = ["ps", "rs", "cps", "pps", "*ps", "holder.p"];

/// The text of a value, which may have several lines, without the expression or number before it.
fn value(answer: &str) -> &str {
    answer.split_once(" = ").map_or(answer, |(_, value)| value).trim_end()
}

/// Asks the same in each of the settings, and compares the answers.
#[track_caller]
fn as_gdb_in_each(program: &Path, engines: &[&str], settings: &[&[Setting]], expressions: &[&str]) {
    let mut questions = Vec::new();
    for setting in settings {
        questions.extend(setting.iter().map(|(name, state, _)| format!("set print {name} {state}")));
        questions.extend(expressions.iter().map(|expression| format!("print {expression}")));
        questions.push("info locals".to_owned());
        questions.extend(TYPES.iter().filter(|name| expressions.contains(name)).map(|name| format!("whatis {name}")));
        questions.extend(setting.iter().map(|(name, _, before)| format!("set print {name} {before}")));
    }
    let theirs = gdb(program, &[], &["break stop_here", "run", "up"], &questions);
    let asked: Vec<&str> = questions.iter().map(String::as_str).collect();
    for engine in engines {
        let ours = ours(program, engine, &["break stop_here", "go", "wait", "up"], &asked);
        let mut setting = "";
        let mut differences = Vec::new();
        for ((question, ours), theirs) in asked.iter().zip(&ours).zip(&theirs) {
            if question.starts_with("set ") {
                setting = question;
                continue;
            }
            let is_value = question.starts_with("print ");
            let (ours, theirs) =
                if is_value { (value(ours), value(theirs)) } else { (ours.trim_end(), theirs.trim_end()) };
            if ours != theirs {
                differences.push(format!("after {setting}: {question}\n{ours}\ngdb: {theirs}\n"));
            }
        }
        assert!(differences.is_empty(), "{engine}:\n{}", differences.join("\n"));
    }
}

const PRETTY: Setting = ("pretty", "on", "off");
const ARRAY: Setting = ("array", "on", "off");
const INDEXES: Setting = ("array-indexes", "on", "off");
const OBJECT: Setting = ("object", "on", "off");

#[test]
fn c_values_look_as_gdbs_in_every_setting() {
    let expressions = [
        "o",
        "*po",
        "o.many",
        "o.grid",
        "zeros",
        "same",
        "none",
        "local",
        "text",
        "po",
        "call",
        "any",
        "row",
        "*row",
        "big",
        "parts",
        "twice",
        "&table",
        "o.pointers",
        "o.name",
        "$pc",
        "o.text",
        "o.full",
        "o.one.v",
        "/x o",
        "/x o.many",
        "/a o.call",
        "/x o.call",
        "/c table",
        "/d o.one",
        "-pretty -- o.one",
        "-array on -array-indexes -- table",
        "-max-depth 1 -- o",
        "-union off -- o.one",
        "-elements 3 -repeats 2 -- zeros",
        "-null-stop -- parts",
        "-pretty off -- o.one",
        "-symbol off -- local",
    ];
    let settings: &[&[Setting]] = &[
        &[],
        &[PRETTY],
        &[ARRAY],
        &[INDEXES],
        &[PRETTY, ARRAY, INDEXES],
        &[("union", "off", "on")],
        &[("symbol", "off", "on")],
        &[("null-stop", "on", "off")],
        &[("max-depth", "1", "20")],
        &[("max-depth", "0", "20")],
        &[("max-depth", "2", "unlimited")],
        &[("elements", "3", "200"), PRETTY, ARRAY],
    ];
    as_gdb_in_each(&plain("print_settings.c"), &["native", "gdb"], settings, &expressions);
    let without_addresses: &[&[Setting]] =
        &[&[("address", "off", "on")], &[("address", "off", "on"), ("symbol", "off", "on")]];
    as_gdb_in_each(&plain("print_settings.c"), &["native", "gdb"], without_addresses, &expressions);
}

#[test]
fn cpp_values_look_as_gdbs_in_every_setting() {
    let expressions = [
        "plain",
        "base",
        "only",
        "square",
        "both",
        "leaf",
        "ps",
        "*ps",
        "rs",
        "pn",
        "*pn",
        "pr",
        "*pr",
        "null",
        "any",
        "self",
        "*self",
        "holder",
        "inside",
        "plains",
        "rows",
        "by_name",
        "listed",
        "colour",
        "cps",
        "*cps",
        "pps",
        "*pps",
        "**pps",
        "number",
        "rp",
        "squares",
        "&square",
        "holder.p",
        "*holder.p",
        "holder.r",
        "-object -- *ps",
        "-pretty -object -- *ps",
        "-raw-values -- inside.numbers._M_impl",
        "-static-members off -- plains",
        "/r inside.names",
    ];
    let settings: &[&[Setting]] = &[
        &[],
        &[PRETTY],
        &[ARRAY],
        &[INDEXES],
        &[OBJECT],
        &[("static-members", "off", "on")],
        &[("max-depth", "1", "20")],
        &[("max-depth", "0", "20")],
        &[("raw-values", "on", "off")],
        &[PRETTY, ARRAY, INDEXES, OBJECT],
    ];
    let program = build("g++", "print_settings.cpp", &["-g", "-O0"]);
    as_gdb_in_each(&program, &["native", "gdb"], settings, &expressions);
    // Members of the class that the object has are found through a pointer to a base.
    as_gdb_in_each(&program, &["native", "gdb"], &[&[OBJECT]], &["ps->side", "ps->extra", "pr->leaf", "pn->name"]);
    as_gdb_in_each(&program, &["native", "gdb"], &[&[("address", "off", "on")]], &expressions);
}

#[test]
fn a_command_runs_with_another_value_of_a_setting() {
    let questions = [
        "with print pretty -- print o.one.v.c",
        "with print pretty -- print o.one",
        "print o.one",
        "[0] with print elements 2 -- print table",
        "with print elements 2 -- print nosuch",
        "show print elements",
        "with print max-depth 0 -- with print elements 1 -- print o",
        "with nonsense 1 -- print o",
        "with print pretty print o",
    ];
    let answers = ours(&plain("print_settings.c"), "native", &["break stop_here", "go", "wait", "up"], &questions);
    let value = |number: usize| value(&answers[number]);
    assert_eq!(value(0), "\"\\a\\000\\000\"");
    assert!(value(1).starts_with("{\n  a = 1,\n  v = {"), "{}", answers[1]);
    assert!(value(2).starts_with("{a = 1, v = {"), "{}", answers[2]);
    assert_eq!(value(3), "{1, 2...}");
    assert!(answers[4].contains("No symbol \"nosuch\""), "{}", answers[4]);
    assert_eq!(value(6), "{...}");
}
