//! Values and types of Rust; the judge is gdb with the compiler's pretty-printers.

use crate::beside_gdb::Beside;
use crate::driver::{Session, line_of};
use crate::support::build::build;
use std::path::PathBuf;

const SOURCE: &str = include_str!("../programs/rusty.rs");

fn program(options: &[&str]) -> PathBuf {
    build("rustc", "rusty.rs", &[&["--edition=2021", "-g"], options].concat())
}

fn at(options: &[&str], mark: &str) -> Beside {
    Beside::at(&program(options), &format!("rusty.rs:{}", line_of(SOURCE, &format!("mark: {mark}"))))
}

/// Compares values and both texts of types of variables; for `places`, whose values differ in every process, only
/// types.
fn judged(options: &[&str], mark: &str, variables: &str, places: &str) {
    let mut all: Vec<&str> = variables.split_whitespace().collect();
    let mut beside = at(options, mark);
    beside.print(&all);
    all.extend(places.split_whitespace());
    beside.whatis(&all);
    beside.ptype(&all);
    beside.stack();
    beside.judge();
}

const NUMBERS: &str = "small byte large huge short long double size single letter newline truth nothing";
const COMPOUNDS: &str = "point pair unit tuple nested one bits array zeros grid slice bytes text empty null function \
    wrapper";
const ENUMS: &str = "red green circle rectangle named single some none none_ref boxed unboxed deep deeper good bad color \
    nonzero letter ordering";
const CONTAINERS: &str = "string vector points strings none deque boxed slice borrowed counted weak shared cell refcell tree set hash \
    hashes path os time";

#[test]
fn numbers() {
    judged(&[], "numbers", NUMBERS, "pointer");
}

#[test]
fn structs_tuples_and_slices() {
    judged(&[], "compounds", COMPOUNDS, "reference twice raw mutable");
}

#[test]
fn enums_with_and_without_data() {
    judged(&[], "enums", ENUMS, "some_ref");
}

#[test]
fn containers_as_what_they_hold() {
    judged(&[], "containers", CONTAINERS, "held object borrow");
}

#[test]
fn names_of_the_newer_mangling() {
    let mangling = ["-Csymbol-mangling-version=v0"];
    for mark in ["describe", "closure", "generic", "distance", "area"] {
        let mut beside = at(&mangling, mark);
        beside.stack();
        beside.judge();
    }
}

/// Where gdb fails or is wrong.
#[test]
fn values_that_gdb_has_not() {
    let mut beside = at(&[], "enums");
    assert_eq!(beside.ours("wide"), "core::option::Option<u128>::Some(340282366920938463463374607431768211454)");
    let mut beside = at(&[], "numbers");
    assert_eq!(beside.ours("never"), "core::option::Option<core::convert::Infallible>::None");
    let mut beside = at(&[], "containers");
    assert_eq!(beside.ours("held"), "Ref(borrow=1) = {*value = \"inside\", borrow = 1}");
}

const ARITHMETIC: &str = "1 + 2; 1u8 + 2u8; 1; 0x10; 0b11; 0o17; 1_000; 1_000u64; 5000000000; 1.5; 1.5f32; 1e3; 1.5 + 1; 3 / 2; \
    3.0 / 2; 7 % 3; 'a'; '\\n'; '\\u{e9}'; b'a'; true; false; !true; !0; !0u8; !5i64; -1; +1; 1 << 3; 1 >> 1; 1u8 << 9; \
    1i64 >> 2; 200u8 >> 1; -5i8 >> 1; 1u64 << 40; 1.5f32 + 1.5f32; 1u32 + 1; 1u32 - 2u32; 1u8 - 2u8; 1i64 + 1u32; 1usize * 2; \
    7u8 & 3; 6u64 | 1; 1 | 2 == 2; 1 & 3 == 1; 1 + 2 as u8; -1 as u8; 1 == 1 == true; true & false; true && 3; true | false; \
    true + 1; 'a' + 1; 'a' < 'b'; 1.0 == 1; 5 - 3 - 1; 1 + 2 * 3; 1 as i32 as u8; 300 as u8; -1 as u32; 1.9 as i32; 5 as bool; \
    97 as char; 3.7f32 as f64; 0x1_0000_0000u64 as i32; 256u8; 0xffffffff; 1 && 2; 0x1000 as *const u8; 1..2; 1..; ..2; ..; \
    1..=2; ..=2; (); [1, 2, 3]; [0u8;4]; [1i16, 2]; sizeof(f64); sizeof(u128); sizeof(1 + 1); sizeof([i32;4]); !1.5; nosuch; \
    1 as nosuch";
const FIELDS: &str = "point.x; pair.0; tuple.1; nested.1[0].x; (nested.1)[1]; point.x + 1; point.y as u8; -point.x; point.x == 3; \
    point.x != 3 && true; array[1]; &array[1..3]; &array[..]; &slice[1..]; &text[0..2]; slice[0]; text[0]; &grid[1][..2]; \
    array[1..3]; slice[10]; array[-1]; point[0]; *reference; **twice; (*raw).x; raw.x; reference.x; twice.y; array[0]@3; \
    sizeof(point); sizeof(Point); &point as usize == raw as usize; point as (i32, i32); *(raw as *const i32); \
    *(raw as *const [i32;2]); *bytes; bytes[0]; (*bytes)[0]; *point; *1; &1; Point { x: 1, y: 2 }; rusty::Point{x:1,..point}; \
    rusty::Pair(1,2.0); rusty::Unit; wrapper.inner.x; wrapper.tag; bits.whole; point.z; point.0; one.1; bits.0; unit.x; \
    rusty::GREETING; COUNTER; rusty::TABLE[0].x; array == array; array[0] + array[1]; raw - raw; null == 0; raw == null; \
    point == point; point + 1; -point; text.length; self::compounds; super::x; \"abc\"; r\"a\\b\"; 1 as Point; true as i32";
const ALTERNATIVES: &str = "circle.0; rectangle.width; rectangle.0; named.0; circle.1; circle.x; nothing.0; some.0; none.0; \
    green as i32; green == 5; rusty::Color::Green; green == rusty::Color::Green; *boxed.0; deep.0; bad.0; *some_ref.0; \
    5 as rusty::Color; ordering as i8; sizeof(circle); rusty::Shape";
const TYPES: &str = "i32; Point; rusty::Wrapper::<rusty::Point>; [i32;4]; 1u8 << 9; 1 << 3; 1u32 + 1; 1.5f32 + 1.0f32; !0u8; -1i64; \
    'a' + 1; point.x as u8; array[0]@3; &point; raw.x; 1 == 2; $rip; $rsp as usize; function; *function; b'a'; 1..2; point = point";

fn compared(mark: &str, values: &str, types: &str) {
    let mut beside = at(&[], mark);
    beside.print(&values.split("; ").collect::<Vec<_>>());
    beside.whatis(&types.split("; ").filter(|asked| !asked.is_empty()).collect::<Vec<_>>());
    beside.judge();
}

#[test]
fn expressions_of_numbers_and_fields() {
    compared("compounds", &format!("{ARITHMETIC}; {FIELDS}"), TYPES);
}

#[test]
fn slices_that_nobody_has_set_have_no_parts() {
    compared("compounds", "&wild.slice[0..1]; &wild.slice[..2]; &slice[0..4]; &slice[1..3]", "");
}

/// As gdb shows them; the addresses differ in every process.
#[test]
fn pointers_with_what_is_behind_them() {
    let mut beside = at(&[], "compounds");
    let zeros = beside.ours("&zeros");
    assert!(zeros.ends_with(r" b'\000' <repeats 200 times>..."), "{zeros}");
    let entry = beside.ours("&rusty::TABLE[1]");
    let symbol = entry.split_once(" <rusty::TABLE::h").unwrap_or_else(|| panic!("{entry}")).1;
    assert!(symbol.len() == "0123456789abcdef+8>".len() && symbol.ends_with("+8>"), "{entry}");
}

#[test]
fn expressions_of_enums_and_trait_objects() {
    compared("enums", ALTERNATIVES, "");
    compared(
        "containers",
        "*object; *borrow; *boxed; boxed.x; vector.len; string.len(); string.vec.len; slice[0]; vector[0]; *string",
        "",
    );
}

/// Where gdb has no answer, or a wrong one.
#[test]
fn expressions_that_gdb_has_not() {
    let mut beside = at(&[], "compounds");
    for (expression, value) in [
        ("nested.0.1", "2"),
        ("array[5]", "Index greater than length"),
        ("text == \"text \\\"quoted\\\" ü\"", "true"),
        ("text != \"\" && empty == \"\"", "true"),
        ("maybe as usize == rusty::maybe as usize", "true"),
        ("crate::geometry::plane::distance", "{fn (rusty::Point, *mut rusty::Point) -> i32} 0x"),
        ("geometry::plane::distance as usize == function as usize", "true"),
        ("(1, 2)", "Tuple expressions not supported yet"),
    ] {
        let ours = beside.ours(expression);
        assert!(ours.starts_with(value), "{expression}: {ours}");
    }
    beside.select_frame(1);
    assert_eq!(beside.ours("(*borrow).x"), "No symbol 'borrow' in current context");
    let mut beside = at(&[], "containers");
    assert_eq!(beside.ours("(*borrow).x + (*object).y"), "13");
    assert_eq!(beside.ours("string == \"owned text\""), "true");
}

/// gdb knows functions by their full names only, which nobody types; those must give the same locations.
#[test]
fn breakpoints_by_every_name_of_a_function() {
    let mut session = Session::launch(&program(&[]), 1);
    session.stop(0);
    let mut id = 0;
    let mut places = |name: &str| {
        id += 1;
        session.breakpoint_places(0, id, name)
    };
    let point = places("rusty::{impl#0}::area");
    assert_eq!(point.len(), 1);
    for name in ["<rusty::Point as rusty::Area>::area", "<Point as Area>::area", "Point::area", "Area::area", "area"] {
        assert_eq!(places(name), point, "{name}");
    }
    let distance = places("rusty::geometry::plane::distance");
    assert_eq!(distance.len(), 1);
    for name in
        ["plane::distance", "rusty::geometry::plane::distance", "crate::geometry::plane::distance", "rusty.rs:distance"]
    {
        assert_eq!(places(name), distance, "{name}");
    }
    let doubles = places("rusty::generic<f64, 2>");
    assert_eq!(doubles, places("generic::<f64,2>"));
    let all = places("rusty::generic");
    assert!(all.len() == 2 && all.contains(&doubles[0]), "{all:?}");
    assert_eq!(places("Wrapper::describe").len(), 1);
    assert_eq!(places("Wrapper::describe"), places("describe"));
    assert_eq!(places("Shape::size"), places("rusty::Shape::size"));
    assert_eq!(places("closures::{closure#0}").len(), 1);
    assert_eq!(places("nowhere::distance"), []);
    assert!(places("distance").len() > 1, "the library has some, too");
    let line = line_of(SOURCE, "mark: area") - 1;
    assert_eq!(point[0].1, line);
}
