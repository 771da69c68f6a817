//! Pages of code and memory, as the screen asks for them.

use crate::session::{Kind, Session};
use crate::support::build;
use rankscope::model::{
    Answer, Context, DisassemblyFlavor, ErrorCode, Instruction, LaunchSpec, LocationSpec, MemoryPage, Operation,
    VirtualAddress,
};

of_processes!(code_goes_on_beyond_its_function, a_library_has_code_before_its_functions);

mod memory {
    contract!(a_page_has_gaps_where_memory_cannot_be_read, other_ranks_compare_their_bytes);
    use super::{a_page_has_gaps_where_memory_cannot_be_read, other_ranks_compare_their_bytes};
}

const HERE: Context = Context { thread: None, frame: 0 };

#[track_caller]
fn page(session: &mut Session, at: Option<VirtualAddress>, before: u32, count: u32) -> Vec<Instruction> {
    let flavor = DisassemblyFlavor::Att;
    match session.ask(0, Operation::CodePage { context: HERE, at, before, count, flavor }) {
        Answer::Instructions(instructions) => instructions,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn address(of: &Instruction) -> VirtualAddress {
    of.code.address.expect("an address in memory")
}

/// Each instruction begins where the one before ends.
#[track_caller]
fn follow_each_other(found: &[Instruction]) {
    for pair in found.windows(2) {
        assert_eq!(address(&pair[0]).0 + pair[0].bytes.len() as u64, address(&pair[1]).0, "{pair:?}");
    }
}

fn function(session: &mut Session, name: &str) -> Vec<Instruction> {
    let at = Some(LocationSpec::parse(name).unwrap());
    let operation = Operation::Disassemble { context: HERE, at, count: None, flavor: DisassemblyFlavor::Att };
    match session.ask(0, operation) {
        Answer::Instructions(instructions) => instructions,
        other => panic!("{other:?}"),
    }
}

fn code_goes_on_beyond_its_function(kind: Kind) {
    let program = build::build("gcc", "watched.c", &["-g", "-O0", "-pthread"]);
    let mut session = Session::new(kind);
    session.launch(LaunchSpec { program: program.display().to_string(), ..LaunchSpec::default() }, 1);
    session.stop(0);
    let main = function(&mut session, "main");
    assert_eq!(page(&mut session, Some(address(&main[4])), 3, 3), main[1..7]);
    let here = page(&mut session, None, 0, 1);
    assert!(here.len() == 1 && here[0].current, "{here:?}");
    let around = page(&mut session, Some(address(&main[0])), 12, main.len() as u32 + 5);
    assert_eq!(around.len(), 12 + main.len() + 5);
    assert_eq!(around[12..12 + main.len()], main[..]);
    follow_each_other(&around);
    let flavor = DisassemblyFlavor::Att;
    let nowhere = Operation::CodePage { context: HERE, at: Some(VirtualAddress(16)), before: 4, count: 4, flavor };
    assert_eq!(session.fails(0, nowhere).code, ErrorCode::MEMORY);
}

fn a_library_has_code_before_its_functions(kind: Kind) {
    let mut session = Session::launched(kind, &[], 1);
    let at = Some(LocationSpec::parse("*(char *)puts").unwrap());
    let operation = Operation::Disassemble { context: HERE, at, count: Some(30), flavor: DisassemblyFlavor::Att };
    let Answer::Instructions(puts) = session.ask(0, operation) else { panic!("no code of puts") };
    let around = page(&mut session, Some(address(&puts[20])), 40, 10);
    assert_eq!(around.len(), 50);
    assert_eq!(around[20..50], puts[..], "from the function on");
    follow_each_other(&around);
}

fn memory_page(address: &str, offset: i64, length: u32, compared: Option<u64>) -> Operation {
    Operation::MemoryPage { context: HERE, address: address.to_owned(), offset, length, compared }
}

#[track_caller]
fn read(session: &mut Session, address: &str, offset: i64, length: u32) -> MemoryPage {
    match session.ask(0, memory_page(address, offset, length, None)) {
        Answer::MemoryPage(page) => *page,
        other => panic!("{other:?}"),
    }
}

fn a_page_has_gaps_where_memory_cannot_be_read(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    let squares = read(&mut session, "squares", 4, 8);
    assert_eq!((&squares.bytes[..], squares.start.0), (&[1, 0, 0, 0, 4, 0, 0, 0][..], squares.base.0 + 4));
    assert!(squares.gaps.is_empty(), "{squares:?}");
    let fixed = read(&mut session, &squares.base.to_string(), 4, 8);
    assert_eq!(fixed, squares, "a number is an address");
    let nothing = read(&mut session, "0", 16, 64);
    assert_eq!((nothing.base.0, nothing.start.0, nothing.bytes.len()), (0, 16, 64));
    assert_eq!(nothing.gaps.iter().map(|gap| (gap.from, gap.count)).collect::<Vec<_>>(), [(0, 64)]);
    assert_eq!(session.fails(0, memory_page("nonesuch", 0, 4, None)).code, ErrorCode::UNKNOWN_VARIABLE);
}

fn other_ranks_compare_their_bytes(kind: Kind) {
    let mut session = Session::at(kind, &[], "inspect");
    let digest = read(&mut session, "squares", 0, 16).digest(0, 16);
    assert_eq!(session.ask(0, memory_page("squares", 0, 16, Some(digest))), Answer::MemoryAlike(true));
    assert_eq!(session.ask(0, memory_page("squares", 4, 16, Some(digest))), Answer::MemoryAlike(false));
}
