//! Instructions as text, with gdb as the judge.

use crate::driver::{Session, build};
use rankscope::model::{Answer, Context, Instruction, LocationSpec, Operation};
use std::path::Path;
use std::process::Command;

const PROGRAMS: [&str; 4] = [
    include_str!("../programs/watched.c"),
    include_str!("../programs/walk.c"),
    include_str!("../programs/threads_many.c"),
    include_str!("../programs/returned_values.c"),
];

fn instructions(session: &mut Session, at: Option<&str>, count: Option<u32>) -> Vec<Instruction> {
    let at = at.map(|text| LocationSpec::parse(text).unwrap());
    match session.ask(0, Operation::Disassemble { context: Context::default(), at, count }) {
        Answer::Instructions(instructions) => instructions,
        other => panic!("{other:?}"),
    }
}

/// `<main+4>: mov %rsp,%rbp` of each instruction of main, as gdb writes them.
fn by_gdb(program: &Path) -> Vec<String> {
    let output = Command::new("gdb")
        .args(["-batch", "-nx", "-ex", "break main", "-ex", "run", "-ex", "disassemble main"])
        .arg(program)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let instructions = text.lines().filter_map(|line| line.trim_start_matches("=>").trim().strip_prefix("0x"));
    instructions.filter_map(|line| line.split_once(' ')).map(|(_, rest)| rest.replace('\t', " ")).collect()
}

fn by_us(instructions: &[Instruction]) -> Vec<String> {
    let offset = |shown: &Instruction| shown.function.as_ref().map_or(0, |(_, offset)| *offset);
    instructions.iter().map(|shown| format!("<+{}>: {}", offset(shown), shown.text)).collect()
}

#[test]
fn main_reads_as_gdb_reads_it() {
    for source in PROGRAMS {
        for options in [&["-g", "-O0"][..], &["-g", "-O2"]] {
            let program = build(source, options);
            let mut session = Session::launch(&program.path, 1);
            session.stop(0);
            let shown = instructions(&mut session, Some("main"), None);
            assert_eq!(by_us(&shown), by_gdb(&program.path));
            assert_eq!(shown.iter().filter(|shown| shown.current).count(), 1);
            assert!(shown.iter().all(|shown| shown.source.is_some()));
        }
    }
}

#[test]
fn breakpoints_are_not_seen_and_a_count_is_kept() {
    let program = build(PROGRAMS[0], &[]);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    let before = instructions(&mut session, None, None);
    session.breakpoint(0, 1, "main");
    assert_eq!(instructions(&mut session, None, None), before);
    let here = instructions(&mut session, Some("*$pc"), Some(3));
    assert_eq!((here.len(), here[0].current), (3, true));
    let nowhere = Operation::Disassemble {
        context: Context::default(),
        at: Some(LocationSpec::Address("8".to_owned())),
        count: Some(2),
    };
    let Answer::Failed(failure) = session.ask(0, nowhere) else { panic!("there is code") };
    assert!(failure.message.contains("Cannot access memory at address 0x8"), "{failure:?}");
}
