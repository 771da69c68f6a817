//! Methods of strings, computed by the debugger and by the program.

use crate::support::batch::{Outcome, json};

fn at_the_end(script: &str, status: i32) -> Outcome {
    let source = include_str!("../programs/string_methods.cpp");
    let line = source.lines().position(|line| line.contains("/* look */")).unwrap() + 1;
    let program = crate::support::build::build("g++", "string_methods.cpp", &["-g", "-O0"]);
    let script = format!("break {line}\ngo\nwait\n{script}");
    json(&["-n", "1"], &[program.to_str().unwrap()], &script).expect(status)
}

#[test]
fn methods_of_strings_say_what_the_program_computes() {
    let rows = [
        "text.find(\"ll\") == said.first",
        "text.find(word, 17) == said.second",
        "text.rfind('l') == said.last",
        "text.rfind(\"l\", 20) == said.last_before",
        "text.find_first_of(\",.\") == said.of",
        "text.find_first_not_of(\"a lit\") == said.not_of",
        "text.find_last_of(\"xy,\") == said.last_of",
        "text.find_last_not_of(\"al\") == said.last_not_of",
        "text.find(\"nothing\") == said.nowhere",
        "text.find(\"nothing\") == -1ul",
        "view.find(\"of\") == said.from_view",
        "text.compare(\"a little text, all in all\") == said.same",
        "(text.compare(\"a little\") > 0) == (said.longer > 0)",
        "(text.compare(\"b\") < 0) == (said.less < 0)",
        "said.part == text.substr(2, 6)",
        "said.rest == text.substr(19)",
        "text.starts_with(\"a l\")",
        "text.ends_with(\"in all\")",
        "!text.ends_with(\"in al\")",
        "text.contains(\"text\")",
        "view.starts_with('v')",
        "$_streq(text.substr(0, 1), \"a\")",
    ];
    let script: String = rows.iter().map(|row| format!("print {row}\n")).collect();
    let outcome = at_the_end(&script, 0);
    for (row, value) in rows.iter().zip(outcome.of("value")) {
        assert_eq!(value["value"], "true", "{row}");
    }
    assert_eq!(outcome.of("value").len(), rows.len());
}

#[test]
fn a_part_of_a_string_is_a_text() {
    let outcome = at_the_end("print text.substr(2, 6)\nptype text.substr(2, 6)\nwhatis text.find(\"l\")\n", 0);
    assert_eq!(outcome.of("value")[0]["value"], "\"little\"");
    let outcome = at_the_end("print text.substr(99)\n", 1);
    assert!(outcome.text.contains("Position 99 is out of range for this string of size 25."), "{}", outcome.text);
}
