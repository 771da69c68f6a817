//! The expected texts are gdb 13's for the same values and settings.

use crate::aif::{FormatLetter, FormatOptions, format, from_hex};
use crate::{Datum, PrintSwitch};

/// Each setting's name, `on` or `off`.
fn options(settings: &str) -> FormatOptions {
    let mut options = FormatOptions::default();
    for word in settings.split_whitespace() {
        let (name, on) = word.strip_prefix('-').map_or((word, true), |name| (name, false));
        let known = PrintSwitch::ALL.iter().find(|(known, ..)| *known == name);
        match (known, name.strip_prefix("depth=").map(str::parse)) {
            (Some((_, switch, _)), _) => options.switches = options.switches.with(*switch, on),
            (_, Some(Ok(depth))) => options.max_depth = depth,
            _ => panic!("{word}"),
        }
    }
    options
}

#[track_caller]
fn shows(settings: &str, descriptor: &str, data: &str, type_name: &str, expected: &str) {
    let data = from_hex(&data.replace(' ', "")).unwrap();
    let datum = Datum { descriptor: descriptor.to_owned(), data, type_name: type_name.to_owned() };
    assert_eq!(format(&datum, &options(settings)).as_deref(), Ok(expected), "{settings}");
}

/// `struct { int a; union { int i; } u; struct { int x; } p[2]; int n[2]; char c[2]; union { int w; }; }`
const OUTER: &str = "{outer|a=is4,u=(u|i=is4),p=[r0,2is4]{p|x=is4;;;},n=[r0,2is4]is4,c=[r0,2is4]c,=(|w=is4);;;}";
const OUTER_DATA: &str = "00000001 00000002 00000003 00000004 00000005 00000006 6100 00000007";

#[test]
fn pretty_structures_have_a_line_for_each_member() {
    let expected = r#"{
  a = 1,
  u = {
    i = 2
  },
  p = {{
      x = 3
    }, {
      x = 4
    }},
  n = {5, 6},
  c = "a",
  {
    w = 7
  }
}"#;
    shows("pretty", OUTER, OUTER_DATA, "", expected);
    let expected = r#"{
  a = 1,
  u = {
    i = 2
  },
  p = {
    [0] = {
      x = 3
    },
    [1] = {
      x = 4
    }
  },
  n = {
    [0] = 5,
    [1] = 6
  },
  c = "a",
  {
    w = 7
  }
}"#;
    shows("pretty array array-indexes", OUTER, OUTER_DATA, "", expected);
}

#[test]
fn arrays_have_a_line_for_each_element_where_the_user_wants_it() {
    shows("array", "[r0,2is4][r0,1is4]is4", "00000001 00000002", "", "{\n  {\n    1\n  },\n  {\n    2\n  }\n}");
    let expected =
        "{a = 1, u = {i = 2}, p = {\n    {x = 3},\n    {x = 4}\n  }, n = {\n    5,\n    6\n  }, c = \"a\", {w = 7}}";
    shows("array", OUTER, OUTER_DATA, "", expected);
    let long = "z[r0,40is4]is4";
    shows("array", long, "00000001 00000028 00000000", "", "{\n  0 <repeats 40 times>\n}");
    shows("array-indexes", long, "00000001 00000028 00000000", "", "{[0] = 0 <repeats 40 times>}");
    let small = FormatOptions { letter: FormatLetter::of_letter('x'), ..options("array-indexes") };
    let datum = Datum { descriptor: "[r0,1is4]is4".to_owned(), data: vec![0, 0, 0, 5], type_name: String::new() };
    assert_eq!(format(&datum, &small).as_deref(), Ok("{[0x0] = 0x5}"));
    let runs = "00000002 00000027 00000000 00000001 00000007";
    shows("array-indexes", long, runs, "", "{[0] = 0 <repeats 39 times>, [39] = 7}");
}

#[test]
fn base_classes_stand_before_the_members_of_the_class() {
    let square = "{Square|<Shape>={Shape|id=is4;;;},side=is4;;;}";
    let data = "00000001 00000004";
    let expected = "{\n  <Shape> = {\n    id = 1\n  }, \n  members of Square:\n  side = 4\n}";
    shows("pretty", square, data, "Square", expected);
    shows("", square, data, "Square", "{<Shape> = {id = 1}, side = 4}");
    shows("depth=1", square, data, "Square", "{<Shape> = {...}, side = 4}");
    let only = "{Only|<Shape>={Shape|id=is4;;;};;;}";
    shows("pretty", only, "00000001", "Only", "{\n  <Shape> = {\n    id = 1\n  }, <No data fields>}");
}

#[test]
fn static_members_are_left_out_where_the_user_wants_it() {
    let plain = "{Plain|a=is4,static n=is4,b=is4;;;}";
    shows("-static-members", plain, "00000001 00000002 00000003", "", "{a = 1, b = 3}");
    shows("-static-members", "{S|static n=is4;;;}", "00000001", "", "{}");
    // A static member counts as if it were not nested.
    let nested = "{S|static one={S|n=is4;;;};;;}";
    shows("depth=1", nested, "00000001", "", "{static one = {n = 1}}");
}

#[test]
fn deep_structures_are_not_opened() {
    shows("depth=0", OUTER, OUTER_DATA, "", "{...}");
    shows("depth=1", OUTER, OUTER_DATA, "", "{a = 1, u = {...}, p = {...}, n = {...}, c = \"a\", {w = 7}}");
    shows("depth=2", "[r0,1is4][r0,1is4][r0,1is4]is4", "00000001", "", "{{{...}}}");
    let fortran = "kf{o|i={i|a=is4;;;},n=is4;;;}";
    shows("depth=1", fortran, "00000001 00000002", "", "( i = (...), n = 2 )");
}

#[test]
fn unions_within_structures_are_closed_where_the_user_wants_it() {
    let expected = "{a = 1, u = {...}, p = {{x = 3}, {x = 4}}, n = {5, 6}, c = \"a\", {...}}";
    shows("-union", OUTER, OUTER_DATA, "", expected);
    shows("-union", "(u|i=is4)", "00000001", "", "{i = 1}");
}

#[test]
fn texts_end_at_a_nul_where_the_user_wants_it() {
    let text = "[r0,5is4]c";
    shows("", text, "6100620000", "", r#""a\000b\000""#);
    shows("null-stop", text, "6100620000", "", r#""a""#);
    shows("null-stop", text, "6162636465", "", r#""abcde""#);
    let long = "[r0,201is4]c";
    shows("null-stop", long, &"78".repeat(201), "", "'x' <repeats 200 times>...");
    shows("null-stop", long, &format!("{}00", "78".repeat(200)), "", "'x' <repeats 200 times>");
}

#[test]
fn addresses_and_symbols_are_left_out_where_the_user_wants_it() {
    let data = "06 0000000000401136 0005 7477696365";
    shows("", "^a8is4", data, "int *", "(int *) 0x401136 <twice>");
    shows("-address", "^a8is4", data, "int *", "(int *) <twice>");
    shows("-symbol", "^a8is4", data, "int *", "(int *) 0x401136");
    shows("-symbol -address", "^a8is4", data, "int *", "(int *) ");
    shows("-symbol", "^a8&is4/is4", data, "int (*)(int)", "(int (*)(int)) 0x401136 <twice>");
    shows("-address", "^a8&is4/is4", data, "int (*)(int)", "(int (*)(int)) <twice>");
    shows("-address", "pa8", "0000000000402008 0002 6162", "char *", "\"ab\"");
    let reference = "01 0000000000401136 00000005";
    shows("-address", "~a8is4", reference, "int &", "(int &) 5");
    let deep = "01 0000000000401136 00000005";
    shows("depth=0", "~a8{P|a=is4;;;}", deep, "P &", "(P &) {...}");
}

#[test]
fn objects_of_dynamic_classes_say_their_class_where_the_user_wants_it() {
    let square = "{Square|<Shape>={Shape|_vptr.Shape=^a8is4;;;},side=is4;;;}";
    let data = "05 0000000000401136 00000004";
    let whole = "{<Shape> = {_vptr.Shape = 0x401136}, side = 4}";
    shows("", square, data, "Square", whole);
    shows("object", square, data, "Square", &format!("(Square) {whole}"));
    shows("object", "{Plain|a=is4;;;}", "00000001", "Plain", "{a = 1}");
}

#[test]
fn containers_follow_the_options_of_structures_and_arrays() {
    let vector = "tlpis4";
    let data = "0001 76 00 00000002 00000001 00000002";
    shows("pretty", vector, data, "", "v = {1, 2}");
    shows("array", vector, data, "", "v = {\n  1,\n  2\n}");
    shows("array-indexes", vector, data, "", "v = {[0] = 1, [1] = 2}");
    shows("depth=0", vector, data, "", "v = {...}");
    shows("pretty", "tlnis4", data, "", "v = {\n  [0] = 1,\n  [1] = 2\n}");
    let map = "0001 6d 00 00000001 00000001 00000002";
    shows("pretty", "tlkis4is4", map, "", "m = {\n  [1] = 2\n}");
    shows("pretty", "t{|get()=is4;;;}", "0001 70 00000001", "", "p = {\n  get() = 1\n}");
}

#[test]
fn fortran_arrays_have_the_indexes_of_all_dimensions() {
    let matrix = "kf[r1,2is4][r-1,2is4]is4";
    let data = "00000001 00000002 00000003 00000003";
    let expected = "((1) = ((-1) = 1, (0) = 2) (2) = ((-1) = 3, (0) = 3))";
    shows("array-indexes", matrix, data, "", expected);
    // Fortran has no other lines for members and elements.
    shows("pretty array", matrix, data, "", "((1, 2) (3, 3))");
}

#[test]
fn rust_fields_have_lines_of_their_own_where_the_user_wants_it() {
    shows("pretty", "kr{Point|x=is4,y=is4;;;}", "00000001 00000002", "", "Point {\n  x: 1,\n  y: 2\n}");
    shows("array", "kr[r0,2is4]is4", "00000001 00000002", "", "[\n  1,\n  2\n]");
}
