//! The variables and types of the tests' program.

use super::table::*;
use crate::{EvalError, Expression};
use debuginfo::types::{Encoding, Kind, Place, Qualifier, Type, TypeId, TypeRef};
use model::VirtualAddress;
use model::aif::{FormatOptions, format};
use std::sync::Arc;

pub(super) fn point() -> TypeRef {
    structure(Some("pt"), 24, vec![field("x", int(), 0), field("y", double(), 8), field("tag", char_type(), 16)])
}

fn le(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

pub(super) fn program() -> Table {
    let mut table = Table::default();
    types(&mut table);
    numbers(&mut table);
    structures(&mut table);
    arrays(&mut table);
    texts(&mut table);
    pointers(&mut table);
    locals(&mut table);
    table
}

fn color() -> TypeRef {
    enumeration(Some("color"), &[("RED", 0), ("BLUE", 6), ("GREEN", 7)])
}

fn node() -> TypeRef {
    TypeRef::Entry(TypeId { image: 0, entry: 1 })
}

fn types(table: &mut Table) {
    let node_type = Type {
        name: Some("node".into()),
        size: Some(16),
        kind: Kind::Aggregate {
            tag: debuginfo::types::Aggregate::Struct,
            members: vec![field("v", int(), 0), field("next", pointer(node()), 8)],
            declaration: false,
        },
    };
    table.entries.insert(1, Arc::new(node_type));
    for (name, ty) in [
        ("int", int()),
        ("struct pt", point()),
        ("pt_t", typedef("pt_t", point())),
        ("myint", typedef("myint", int())),
        ("struct node", node()),
        ("enum color", color()),
    ] {
        table.types.insert(name.to_owned(), ty);
    }
}

fn numbers(table: &mut Table) {
    table.place("i", int(), 0x1000, &(-5_i32).to_le_bytes());
    table.place("ui", unsigned(), 0x1010, &u32::MAX.to_le_bytes());
    table.place("l", base("long int", 8, Encoding::Signed), 0x1020, &(-3_i64).to_le_bytes());
    table.place("ul", base("long unsigned int", 8, Encoding::Unsigned), 0x1030, &123_456_789_u64.to_le_bytes());
    table.place("ch", char_type(), 0x1040, b"q");
    table.place("uc", base("unsigned char", 1, Encoding::UnsignedChar), 0x1048, &[200]);
    table.place("sh", base("short int", 2, Encoding::Signed), 0x1050, &(-2_i16).to_le_bytes());
    table.place("d", double(), 0x1060, &(-0.5_f64).to_le_bytes());
    table.place("fl", base("float", 4, Encoding::Float), 0x1070, &2_f32.to_le_bytes());
    let mut x87 = 0x3ffb_cccc_cccc_cccc_cccd_u128.to_le_bytes().to_vec();
    x87[12] = 0xaa;
    table.place("ld", base("long double", 16, Encoding::Float), 0x1080, &x87);
    let complex: Vec<u8> = [1.5_f64, -0.25].iter().flat_map(|part| part.to_le_bytes()).collect();
    table.place("cd", base("complex double", 16, Encoding::Complex), 0x10a0, &complex);
    table.place("bt", base("_Bool", 1, Encoding::Boolean), 0x10b0, &[1]);
    table.place("e1", color(), 0x10c0, &6_u32.to_le_bytes());
    table.place("ref", made(None, Some(8), Kind::Reference(int(), false)), 0x40000, &0x1000_u64.to_le_bytes());
    table.place("vi", made(None, None, Kind::Qualified(Qualifier::Volatile, int())), 0x1940, &8_i32.to_le_bytes());
}

fn structures(table: &mut Table) {
    let mut bytes = vec![0; 24];
    bytes[..4].copy_from_slice(&1_i32.to_le_bytes());
    bytes[8..16].copy_from_slice(&2.5_f64.to_le_bytes());
    bytes[16] = b'z';
    table.place("p", point(), 0x1100, &bytes);
    table.place("cpt", constant(point()), 0x1120, &bytes);
    table.place("pt1", typedef("pt_t", point()), 0x1140, &bytes);
    table.place("np", pointer(node()), 0x1200, &0x1210_u64.to_le_bytes());
    let mut bytes = 7_u64.to_le_bytes().to_vec();
    bytes.extend(0x1210_u64.to_le_bytes());
    table.place("nd", node(), 0x1210, &bytes);
    table.place("nnull", pointer(node()), 0x1230, &[0; 8]);
    let anonymous = structure(
        Some("anon"),
        20,
        vec![
            field("a", int(), 0),
            field("", structure(None, 8, vec![field("b", int(), 0), field("c", int(), 4)]), 4),
            field("", union(None, 4, vec![field("d", int(), 0), field("e", base("float", 4, Encoding::Float), 0)]), 12),
            field("named", structure(None, 4, vec![field("q", int(), 0)]), 16),
        ],
    );
    table.place("an", anonymous, 0x1700, &le(&[1, 2, 3, 4, 5]));
    // unsigned a:3 = 5; int b:5 = -3; unsigned long c:40 at bit 8; _Bool d:1 at 48
    let mut packed = 5_u64 | (0b11101 << 3) | 12_345_678_901 << 8;
    packed |= 1 << 48;
    let fields = structure(
        Some("bits"),
        8,
        vec![
            bits("a", unsigned(), 0, 3),
            bits("b", int(), 3, 5),
            bits("c", base("long unsigned int", 8, Encoding::Unsigned), 8, 40),
            bits("d", base("_Bool", 1, Encoding::Boolean), 48, 1),
            bits("e", color(), 49, 4),
        ],
    );
    table.place("b", fields, 0x1800, &packed.to_le_bytes());
    let flexible = Kind::Array {
        element: int(),
        dimensions: vec![debuginfo::types::Dimension { lower: 0, count: None, assumed: false, stride: None }],
    };
    let fx = structure(Some("flex"), 4, vec![field("n", int(), 0), field("data", made(None, None, flexible), 4)]);
    table.place("fx", fx, 0x30000, &3_i32.to_le_bytes());
    table.place("es", structure(Some("emptys"), 0, vec![]), 0x30010, &[]);
    let incomplete = Kind::Aggregate { tag: debuginfo::types::Aggregate::Struct, members: vec![], declaration: true };
    table.place("inc", pointer(made(Some("incomplete"), None, incomplete)), 0x1900, &0x1000_u64.to_le_bytes());
    table.place("noname", structure(None, 4, vec![field("a", int(), 0)]), 0x1910, &1_i32.to_le_bytes());
}

fn arrays(table: &mut Table) {
    table.place("ga", array(int(), &[5]), 0x1300, &le(&[1, 2, 3, 4, 5]));
    table.place("a23", array(int(), &[2, 3]), 0x1320, &le(&[7, 8, 9, 10, 11, 12]));
    table.place("zeros", array(int(), &[300]), 0x2000, &[0; 1200]);
    table.place("counting", array(int(), &[250]), 0x3000, &le(&(0..250).collect::<Vec<_>>()));
    table.place("a0", array(int(), &[0]), 0x9000, &[]);
    table.place("big", array(int(), &[1_000_000]), 0x100_0000, &vec![9; 80_000]);
    table.place("s16z", array(char_type(), &[16]), 0x1400, b"hello\0\0\0\0\0\0\0\0\0\0\0");
}

fn texts(table: &mut Table) {
    table.put(0x20000, &[b"hello world\0".as_slice(), &[0; 256]].concat());
    table.place("ps", pointer(char_type()), 0x1420, &0x20000_u64.to_le_bytes());
    table.place("pnull", pointer(char_type()), 0x1430, &[0; 8]);
    table.place("pbad", pointer(char_type()), 0x1440, &1_u64.to_le_bytes());
    table.put(0x21ffd, b"zzz");
    table.place("edge", pointer(char_type()), 0x1450, &0x21ffd_u64.to_le_bytes());
    table.put(0x23000, &[b'w'; 300]);
    table.place("plong", pointer(char_type()), 0x1460, &0x23000_u64.to_le_bytes());
    let text: Vec<u8> = (0..201).map(|n| if n == 200 { 0 } else { b'a' + (n % 26) as u8 }).collect();
    table.put(0x24000, &text);
    table.place("e200", pointer(char_type()), 0x1470, &0x24000_u64.to_le_bytes());
    table.place("gp", pointer(char_type()), 0x1480, &0x1400_u64.to_le_bytes());
    let wide = typedef("wchar_t", int());
    table.put(0x25000, &[119, 0, 0, 0, 0x2d, 0x4e, 0, 0, 0, 0, 0, 0]);
    table.place("pw", pointer(wide.clone()), 0x1920, &0x25000_u64.to_le_bytes());
    table.place("wc", wide, 0x1930, &97_i32.to_le_bytes());
}

fn pointers(table: &mut Table) {
    table.place("ip", pointer(int()), 0x1500, &0x1000_u64.to_le_bytes());
    table.place("ip2", pointer(int()), 0x1510, &0x1308_u64.to_le_bytes());
    table.place("vp", pointer(TypeRef::Void), 0x1520, &0x1000_u64.to_le_bytes());
    table.place("badp", pointer(int()), 0x1530, &0x1234_5000_u64.to_le_bytes());
    table.place("cip", pointer(constant(int())), 0x1540, &0x1000_u64.to_le_bytes());
    table.place("ipc", constant(pointer(int())), 0x1550, &0x1000_u64.to_le_bytes());
    let numbers = constant(array(constant(int()), &[3]));
    table.place("cia", numbers, 0x1570, &le(&[1, 2, 3]));
    table.place("mi", typedef("myint", int()), 0x1560, &3_i32.to_le_bytes());
    let f = function(int(), vec![int()]);
    table.place("f", f.clone(), 0x5129, &[0x55; 16]);
    table.place("fp", pointer(f.clone()), 0x1600, &0x5129_u64.to_le_bytes());
    table.place("fpt", typedef("fp_t", pointer(f.clone())), 0x1610, &0x5129_u64.to_le_bytes());
    table.place(
        "fparr",
        array(typedef("fp_t", pointer(f)), &[2]),
        0x1620,
        &[[0x29, 0x51, 0, 0, 0, 0, 0, 0], [0; 8]].concat(),
    );
    table.place("pa", pointer(array(int(), &[3])), 0x1640, &0x1320_u64.to_le_bytes());
}

fn locals(table: &mut Table) {
    table.registers.borrow_mut().extend(
        [(0, 0x1_0000_0002_u64), (7, 0x7fff_0000), (16, 0x512d), (49, 0x246)]
            .map(|(n, v)| (n, v.to_le_bytes().to_vec())),
    );
    let variables = [
        ("r", int(), Ok(Place::Register(0))),
        ("gone", int(), Ok(Place::OptimizedOut)),
        ("nowhere", int(), Err("The location of \"nowhere\" cannot be computed.".to_owned())),
        (
            "computed",
            made(None, Some(8), Kind::Reference(int(), false)),
            Ok(Place::Bytes(0x1000_u64.to_le_bytes().to_vec())),
        ),
        (
            "BLUE",
            enumeration(Some("color"), &[("RED", 0), ("BLUE", 6)]),
            Ok(Place::Bytes(6_u64.to_le_bytes().to_vec())),
        ),
        (
            "halves",
            structure(Some("two"), 8, vec![field("a", int(), 0), field("b", int(), 4)]),
            Ok(Place::Pieces(vec![(Some(Place::Memory(VirtualAddress(0x1000))), 4), (None, 4)])),
        ),
    ];
    for (name, ty, place) in variables {
        table.variables.insert(name.to_owned(), (ty, place));
    }
}

/// Returns the output of printing an expression: the value, or the error message.
pub(super) fn print(table: &Table, text: &str) -> String {
    let datum = Expression::parse(text)
        .and_then(|expression| expression.evaluate(&table.context())?.to_datum(&table.context()));
    match datum {
        Ok(datum) => format(&datum, &FormatOptions::default()).unwrap_or_else(|error| error.to_string()),
        Err(EvalError { message, .. }) => message,
    }
}

#[track_caller]
pub(super) fn prints(expectations: &[(&str, &str)]) {
    let table = program();
    for (text, expected) in expectations {
        assert_eq!(print(&table, text), *expected, "{text}");
    }
}
