//! `$_` and `$__` after examining memory, as in gdb 13.

use crate::session::{Kind, Session};
use rankscope::model::{Answer, Context, DisassemblyFlavor, ErrorCode, Examination, LocationSpec, Operation};

of_processes!(
    the_last_number_has_an_address_and_a_value,
    texts_and_instructions_have_an_address_only,
    what_could_not_be_examined_changes_nothing,
);

const HERE: Context = Context { thread: None, frame: 0 };

fn read(address: &str, length: u32, examined: Option<Examination>) -> Operation {
    Operation::ReadMemory { context: HERE, address: address.to_owned(), offset: 0, length, examined }
}

fn at_squares(kind: Kind) -> Session {
    Session::at(kind, &[], "inspect")
}

#[track_caller]
fn examine(session: &mut Session, address: &str, length: u32, examined: Examination) {
    let answer = session.ask(0, read(address, length, Some(examined)));
    assert!(matches!(answer, Answer::Memory(..)), "{answer:?}");
}

/// The types of `$_` and `$__`.
#[track_caller]
fn types(session: &mut Session) -> [String; 2] {
    ["$_", "$__"].map(|name| {
        let operation =
            Operation::TypeOf { context: HERE, expression: name.to_owned(), detail: model::TypeDetail::Name };
        let Answer::Type(text) = session.ask(0, operation) else { panic!("{name} has no type") };
        text
    })
}

fn the_last_number_has_an_address_and_a_value(kind: Kind) {
    let mut session = at_squares(kind);
    assert_eq!(types(&mut session), ["void", "void"]);
    examine(&mut session, "squares", 12, Examination::Units(4));
    assert_eq!(types(&mut session), ["int32_t *", "int32_t"]);
    assert_eq!(session.integer("(char *)$_ - (char *)squares"), 8);
    assert_eq!((session.integer("$__"), session.integer("*$_"), session.integer("$_[-1]")), (4, 4, 1));
    assert_eq!(session.integer("squares[2] = 40"), 40);
    assert_eq!((session.integer("$__"), session.integer("*$_")), (4, 40));
    for (unit, address, value) in [(1, "int8_t *", "int8_t"), (2, "int16_t *", "int16_t"), (8, "int64_t *", "int64_t")]
    {
        examine(&mut session, "squares", 8, Examination::Units(unit));
        assert_eq!(types(&mut session), [address, value]);
    }
    assert_eq!(session.integer("$__"), 1 << 32);
    examine(&mut session, "squares", 5, Examination::Units(1));
    let byte = session.value("$__");
    assert_eq!((byte.descriptor.as_str(), byte.data.as_slice()), ("is1", &[1][..]));
}

fn texts_and_instructions_have_an_address_only(kind: Kind) {
    let mut session = at_squares(kind);
    session.integer("squares[0] = 0x00620061");
    examine(&mut session, "squares", 8, Examination::Texts { count: 2, unit: 1, limit: 200 });
    assert_eq!(types(&mut session), ["int8_t *", "void"]);
    assert_eq!(session.integer("(char *)$_ - (char *)squares"), 2);
    let at = Some(LocationSpec::Address("$pc".to_owned()));
    let answer =
        session.ask(0, Operation::Disassemble { context: HERE, at, count: Some(2), flavor: DisassemblyFlavor::Att });
    let Answer::Instructions(instructions) = answer else { panic!("{answer:?}") };
    assert_eq!(types(&mut session), ["int8_t *", "void"]);
    let last = instructions.last().and_then(|last| last.code.address).unwrap();
    assert_eq!(session.integer("(long)$_"), last.0 as i64);
    let whole =
        session.ask(0, Operation::Disassemble { context: HERE, at: None, count: None, flavor: DisassemblyFlavor::Att });
    assert!(matches!(whole, Answer::Instructions(_)), "{whole:?}");
    assert_eq!(session.integer("(long)$_"), last.0 as i64);
}

fn what_could_not_be_examined_changes_nothing(kind: Kind) {
    let mut session = at_squares(kind);
    examine(&mut session, "squares", 8, Examination::Units(4));
    assert_eq!(session.fails(0, read("0", 4, Some(Examination::Units(4)))).code, ErrorCode::MEMORY);
    assert!(matches!(session.ask(0, read("squares", 4, None)), Answer::Memory(..)));
    assert_eq!(session.integer("(char *)$_ - (char *)squares"), 4);
    assert_eq!(session.integer("$__"), 1);
}
