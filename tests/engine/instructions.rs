//! Instructions, registers and memory, with gdb as the judge.

use crate::session::{Kind, Session, line, line_of};
use crate::support::{build, gdb as judge};
use rankscope::model::aif::{FormatOptions, as_gdb_spells, format};
use rankscope::model::{
    Answer, Context, Datum, DisassemblyFlavor, ErrorCode, Instruction, LaunchSpec, LocationSpec, Operation, ProcessSet,
};
use std::path::Path;

of_processes!(
    main_reads_as_gdb_reads_it,
    optimised_code_reads_as_gdb_reads_it,
    breakpoints_are_not_seen_and_a_count_is_kept,
    the_function_of_an_outer_frame_has_its_place_marked,
    where_nothing_is_nothing_is_shown,
    registers_read_as_in_gdb,
    a_library_without_debug_information_is_read_by_its_symbols,
    intels_syntax_and_bytes_read_as_in_gdb,
);

const HERE: Context = Context { thread: None, frame: 0 };

fn disassemble(session: &mut Session, context: Context, at: Option<&str>, count: Option<u32>) -> Answer {
    let at = at.map(|text| LocationSpec::parse(text).unwrap());
    session.ask(0, Operation::Disassemble { context, at, count, flavor: DisassemblyFlavor::Att })
}

#[track_caller]
fn instructions(session: &mut Session, at: Option<&str>, count: Option<u32>) -> Vec<Instruction> {
    match disassemble(session, HERE, at, count) {
        Answer::Instructions(instructions) => instructions,
        other => panic!("{other:?}"),
    }
}

/// Each instruction of a function as `<+4>: mov %rsp,%rbp`, as gdb prints it while stopped in main.
fn by_gdb(program: &Path, function: &str) -> Vec<String> {
    let texts = judge::gdb(program, &[], &["break main", "run"], &[format!("disassemble {function}")]);
    let lines = texts[0].lines().filter_map(|line| line.trim_start_matches("=>").trim().strip_prefix("0x"));
    lines.filter_map(|line| line.split_once(' ')).map(|(_, rest)| rest.replace('\t', " ")).collect()
}

fn by_us(instructions: &[Instruction]) -> Vec<String> {
    let offset = |shown: &Instruction| shown.function.as_ref().map_or(0, |(_, offset)| *offset);
    instructions.iter().map(|shown| format!("<+{}>: {}", offset(shown), shown.text)).collect()
}

fn compared(kind: Kind, file: &str, options: &[&str]) {
    let program = build::build("gcc", file, options);
    let mut session = Session::new(kind);
    session.launch(LaunchSpec { program: program.display().to_string(), ..LaunchSpec::default() }, 1);
    session.stop(0);
    let shown = instructions(&mut session, Some("main"), None);
    assert_eq!(by_us(&shown), by_gdb(&program, "main"), "{file} {options:?}");
    assert_eq!(shown.iter().filter(|shown| shown.current).count(), 1);
    for one in &shown {
        assert_eq!(one.function.as_ref().map(|(name, _)| &**name), Some("main"));
        assert_eq!(one.code.module.as_deref(), program.to_str());
        assert!(one.source.as_ref().is_some_and(|place| place.file.ends_with(file)), "{one:?}");
    }
}

fn main_reads_as_gdb_reads_it(kind: Kind) {
    for file in ["watched.c", "walk.c", "returned_values.c"] {
        compared(kind, file, &["-g", "-O0", "-pthread"]);
    }
}

fn optimised_code_reads_as_gdb_reads_it(kind: Kind) {
    for file in ["watched.c", "threads_many.c"] {
        compared(kind, file, &["-g", "-O2", "-pthread"]);
    }
}

fn intels_syntax_and_bytes_read_as_in_gdb(kind: Kind) {
    for (file, level) in [("watched.c", "-O0"), ("walk.c", "-O0"), ("numbers.c", "-O2"), ("threads_many.c", "-O2")] {
        let program = build::build("gcc", file, &["-g", level, "-pthread"]);
        let mut session = Session::new(kind);
        session.launch(LaunchSpec { program: program.display().to_string(), ..LaunchSpec::default() }, 1);
        session.stop(0);
        let at = Some(LocationSpec::Function("main".to_owned()));
        let intel = Operation::Disassemble { context: HERE, at, count: None, flavor: DisassemblyFlavor::Intel };
        let Answer::Instructions(shown) = session.ask(0, intel) else { panic!("no answer") };
        let digits =
            |one: &Instruction| one.bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
        let ours: Vec<String> = shown.iter().map(|one| format!("{} {}", digits(one), one.text)).collect();
        let way = ["break main", "run", "set disassembly-flavor intel"];
        let texts = judge::gdb(&program, &[], &way, &["disassemble /r main".to_owned()]);
        let lines = texts[0].lines().filter_map(|line| line.split_once(">:\t"));
        // gdb pads the bytes to columns.
        let words = |code: &str| code.split_whitespace().collect::<Vec<_>>().join(" ");
        let theirs: Vec<String> = lines.map(|(_, code)| words(code)).collect();
        assert_eq!(ours.iter().map(|code| words(code)).collect::<Vec<_>>(), theirs, "{file}");
        // The syntax is that of the request, not of the one before.
        assert_eq!(by_us(&instructions(&mut session, Some("main"), None)), by_gdb(&program, "main"), "{file}");
    }
}

fn breakpoints_are_not_seen_and_a_count_is_kept(kind: Kind) {
    let mut session = Session::at(kind, &[], "leaf");
    let before = instructions(&mut session, None, None);
    session.break_at(crate::session::at_mark(1, "leaf"));
    assert_eq!(instructions(&mut session, None, None), before);
    let here = instructions(&mut session, Some("*$pc"), Some(3));
    assert_eq!((here.len(), here[0].current), (3, true));
    let at = before.iter().position(|shown| shown.current).unwrap();
    assert_eq!(here[0], before[at]);
    assert_eq!(here[0].source.as_ref().map(|place| place.line), Some(line("leaf")));
}

fn the_function_of_an_outer_frame_has_its_place_marked(kind: Kind) {
    let mut session = Session::at(kind, &[], "leaf");
    let caller = session.stack(0).remove(1);
    let context = Context { thread: None, frame: 1 };
    let Answer::Instructions(shown) = disassemble(&mut session, context, None, None) else { panic!("no answer") };
    let marked: Vec<_> = shown.iter().filter(|shown| shown.current).collect();
    assert_eq!(marked.len(), 1);
    assert_eq!(marked[0].code.address, caller.code.address);
    assert_eq!(marked[0].function.as_ref().map(|(name, _)| name.clone()), caller.function.clone());
    assert!(line_of(&caller) > 0);
}

fn where_nothing_is_nothing_is_shown(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    let nowhere = Operation::Disassemble {
        context: HERE,
        at: Some(LocationSpec::Address("8".to_owned())),
        count: Some(2),
        flavor: DisassemblyFlavor::Att,
    };
    let failure = session.fails(0, nowhere);
    assert_eq!((failure.code, failure.message.as_str()), (ErrorCode::MEMORY, "Cannot access memory at address 0x8"));
    let unknown = Operation::Disassemble {
        context: HERE,
        at: Some(LocationSpec::Function("nonesuch".to_owned())),
        count: None,
        flavor: DisassemblyFlavor::Att,
    };
    assert_eq!(session.fails(0, unknown).code, ErrorCode::NO_FUNCTION);
    session.ok(&ProcessSet::all(1), Operation::Terminate);
    session.end(0);
    let ended = Operation::Disassemble { context: HERE, at: None, count: None, flavor: DisassemblyFlavor::Att };
    assert_eq!(session.fails(0, ended).code, ErrorCode::NOT_RUN);
}

/// Vectors as every kind of number, flags by name, pointers with symbols.
fn registers_read_as_in_gdb(kind: Kind) {
    let program = build::plain("types.c");
    let mut session = Session::new(kind);
    session.launch(kind.spec("types.c", &[]), 1);
    session.stop(0);
    let mut names = vec!["rip", "eflags", "rsp", "cs", "st0"];
    if kind == Kind::Gdb {
        // The native engine has fewer names for them, or not as parts.
        names.extend(["mxcsr", "xmm0", "eax", "ah"]);
    }
    let questions: Vec<String> = names.iter().map(|name| format!("print ${name}")).collect();
    let theirs = judge::gdb(&program, &[], &["break main", "run"], &questions);
    for (name, theirs) in names.iter().zip(theirs) {
        let ours = match session.ask(0, Operation::Registers(HERE, vec![(*name).to_owned()])) {
            Answer::Registers(mut registers) if registers.len() == 1 => registers.remove(0).value,
            other => panic!("{name}: {other:?}"),
        };
        let shown = format(&Datum { type_name: as_gdb_spells(&ours.type_name), ..ours }, &FormatOptions::default());
        let (shown, theirs) = (shown.unwrap(), judge::printed(&theirs).to_owned());
        // The stack's start depends on the environment.
        if theirs.contains("0x7ff") {
            assert_eq!(shown.starts_with('('), theirs.starts_with('('), "{name}: {shown} {theirs}");
        } else {
            assert_eq!(shown, theirs, "{name}");
        }
    }
}

fn a_library_without_debug_information_is_read_by_its_symbols(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    let shown = instructions(&mut session, Some("*(char *)puts"), Some(2));
    assert_eq!(shown.len(), 2);
    assert!(shown[0].code.module.as_deref().is_some_and(|module| module.contains("libc")), "{shown:?}");
    assert!(shown[0].function.as_ref().is_some_and(|(name, offset)| name.contains("puts") && *offset == 0));
}
