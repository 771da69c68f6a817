//! Structures of more than 64 KiB, which gdb reads only without its limit on the size of values.

use crate::gdb_data::ours;
use crate::support::build::plain;
use crate::support::gdb::gdb;

#[test]
fn a_long_structure_is_shown_member_by_member() {
    let program = plain("long_structure.c");
    let questions = ["print *l", "print l->tide", "print/x l->tide.name"];
    let asked: Vec<String> = questions.iter().map(|question| (*question).to_owned()).collect();
    let theirs = gdb(&program, &[], &["set max-value-size unlimited", "break stop_here", "run"], &asked);
    let value = |answer: &str| answer.split_once(" = ").map_or(answer, |(_, value)| value).trim_end().to_owned();
    let ours = ours(&program, "native", &["break stop_here", "go", "wait"], &questions);
    for ((question, ours), theirs) in questions.iter().zip(&ours).zip(&theirs) {
        assert!(theirs.contains(" = "), "{question}: {theirs}");
        assert_eq!(value(ours), value(theirs), "{question}");
    }
}
