//! `list`: which lines it shows, compared with gdb.

use crate::support::batch::json;
use crate::support::gdb::gdb;

/// Each goes on from the ones before it.
const FORMS: [&str; 24] = [
    "list +5",
    "list -",
    "list -3",
    "list +",
    "list 12",
    "list -20",
    "list +2",
    "list -2",
    "list",
    "list +1",
    "list 25,",
    "list ,25",
    "list -5",
    "list 20,25",
    "list +5",
    "list 30,+3",
    "list +",
    "list habits.c:30",
    "list",
    "list -",
    "list -1",
    "list habits.c:12,14",
    "list",
    "list -4",
];

#[test]
fn lists_and_their_offsets_show_the_lines_of_gdb() {
    let program = crate::support::build::plain("habits.c");
    let questions = FORMS.map(str::to_owned);
    let number = |line: &str| line.split('\t').next().and_then(|digits| digits.parse::<u64>().ok());
    let theirs: Vec<(u64, u64)> = gdb(&program, &[], &["break add", "run"], &questions)
        .iter()
        .map(|answer| {
            let numbers: Vec<u64> = answer.lines().filter_map(number).collect();
            (*numbers.first().unwrap(), *numbers.last().unwrap())
        })
        .collect();
    for engine in ["native", "gdb"] {
        let script = format!("break add\ngo\nwait\n{}\n", FORMS.join("\n"));
        let outcome = json(&["-n", "2", "--engine", engine], &[program.to_str().unwrap()], &script).expect(0);
        let lists = outcome.of("source");
        assert_eq!(lists.len(), FORMS.len(), "{engine}: {}", outcome.text);
        for ((form, list), theirs) in FORMS.iter().zip(lists).zip(&theirs) {
            let first = list["first"].as_u64().unwrap();
            let ours = (first, first + list["lines"].as_array().unwrap().len() as u64 - 1);
            assert_eq!(ours, *theirs, "{engine}: {form}");
        }
    }
}

#[test]
fn a_function_that_is_inlined_is_listed_where_it_is_written() {
    let program = crate::support::build::build("gcc", "inlined_tag.c", &["-g", "-O1"]);
    let theirs = gdb(&program, &[], &["run"], &["list tag_of".to_owned()]);
    let theirs = theirs[0].split("symbol: ").nth(1).unwrap();
    assert!(theirs.contains("static int tag_of"), "{theirs}");
    let outcome = json(&["-n", "1"], &[program.to_str().unwrap()], "list tag_of\n").expect(0);
    let list = &outcome.of("source")[0];
    assert!(list["lines"].to_string().contains("static int tag_of"), "{list}");
}
