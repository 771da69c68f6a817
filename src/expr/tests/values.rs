//! Formatted values.

use super::program::*;
use crate::{Expression, named_to_variable};
use debuginfo::types::Symbols;
use model::VariableValue;
use model::aif::{FormatOptions, format};

#[test]
fn base_types() {
    prints(&[
        ("i", "-5"),
        ("ui", "4294967295"),
        ("l", "-3"),
        ("ch", "113 'q'"),
        ("uc", r"200 '\310'"),
        ("d", "-0.5"),
        ("ld", "0.100000000000000000001"),
        ("cd", "1.5 + -0.25i"),
        ("bt", "true"),
        ("e1", "BLUE"),
        ("wc", "97 L'a'"),
        ("BLUE", "BLUE"),
        ("r", "2"),
    ]);
}

#[test]
fn aggregates_and_arrays() {
    prints(&[
        ("p", "{x = 1, y = 2.5, tag = 122 'z'}"),
        ("nd", "{v = 7, next = 0x1210 <nd>}"),
        ("an", "{a = 1, {b = 2, c = 3}, {d = 4, e = 5.60519386e-45}, named = {q = 5}}"),
        ("b", "{a = 5, b = -3, c = 12345678901, d = true, e = RED}"),
        ("a23", "{{7, 8, 9}, {10, 11, 12}}"),
        ("zeros", "{0 <repeats 300 times>}"),
        ("a0", "0x9000"),
        ("fx", "{n = 3, data = 0x30004}"),
        ("es", "{<No data fields>}"),
        ("*inc", "<incomplete type>"),
        ("s16z", r#""hello\000\000\000\000\000\000\000\000\000\000""#),
        ("fparr", "{0x5129 <f>, 0x0}"),
        ("halves", "{a = -5, b = <optimized out>}"),
        ("gone", "<optimized out>"),
    ]);
    let text = print(&program(), "counting");
    assert!(text.starts_with("{0, 1, 2,") && text.ends_with("198, 199...}"), "{text}");
}

#[test]
fn pointers_and_texts() {
    prints(&[
        ("ps", "0x20000 \"hello world\""),
        ("pnull", "0x0"),
        ("pbad", "0x1 <error: Cannot access memory at address 0x1>"),
        ("edge", "0x21ffd \"zzz\"<error: Cannot access memory at address 0x22000>"),
        ("plong", "0x23000 'w' <repeats 200 times>..."),
        ("gp", "0x1400 <s16z> \"hello\""),
        ("pw", "0x25000 L\"w\u{4e2d}\""),
        ("ip", "(int *) 0x1000 <i>"),
        ("ip2", "(int *) 0x1308 <ga+8>"),
        ("cip", "(const int *) 0x1000 <i>"),
        ("ipc", "(int * const) 0x1000 <i>"),
        ("vp", "(void *) 0x1000 <i>"),
        ("badp", "(int *) 0x12345000"),
        ("np", "(struct node *) 0x1210 <nd>"),
        ("nnull", "(struct node *) 0x0"),
        ("fp", "(int (*)(int)) 0x5129 <f>"),
        ("fpt", "(fp_t) 0x5129 <f>"),
        ("f", "{int (int)} 0x5129 <f>"),
        ("pa", "(int (*)[3]) 0x1320 <a23>"),
        ("ref", "(int &) @0x1000: -5"),
        ("$rip", "(void (*)()) 0x512d <f+4>"),
        ("$sp", "(void *) 0x7fff0000"),
        ("$eax", "2"),
        ("$eflags", "[ PF ZF IF ]"),
        ("$eflags & 4", "4"),
    ]);
    let text = print(&program(), "e200");
    assert!(text.ends_with("nopqr\""), "the text ends where it is cut: {text}");
}

#[test]
fn a_text_costs_one_read() {
    let table = program();
    let value = Expression::parse("ps").unwrap().evaluate(&table.context()).unwrap();
    table.reads.set(0);
    value.to_datum(&table.context()).unwrap();
    assert_eq!(table.reads.get(), 2, "the pointer and the text");
}

#[test]
fn long_arrays_travel_in_runs() {
    let table = program();
    let datum =
        Expression::parse("zeros").unwrap().evaluate(&table.context()).unwrap().to_datum(&table.context()).unwrap();
    assert_eq!((datum.descriptor.as_str(), datum.data.len()), ("z[r0,300is4]is4", 12));
    table.reads.set(0);
    let datum =
        Expression::parse("big").unwrap().evaluate(&table.context()).unwrap().to_datum(&table.context()).unwrap();
    assert_eq!(format(&datum, &FormatOptions::default()).unwrap(), "{151587081 <repeats 16384 times>...}");
    assert_eq!(table.reads.get(), 1);
}

#[test]
fn descriptors() {
    let table = program();
    for (text, descriptor, type_name) in [
        ("l", "is8", "long int"),
        ("ps", "pa8", "char *"),
        ("p", "{pt|x=is4,y=f8,tag=c;;;}", "struct pt"),
        ("np", "^a8{node|;;;}", "struct node *"),
        ("fp", "^a8&is4/is4", "int (*)(int)"),
        ("pw", "qwL4a8", "wchar_t *"),
        ("a23", "[r0,2is4][r0,3is4]is4", "int [2][3]"),
        ("b.b", "d5,is4", "int"),
        ("e1", "<color|RED=0,BLUE=6,GREEN=7>iu4", "enum color"),
    ] {
        let datum =
            Expression::parse(text).unwrap().evaluate(&table.context()).unwrap().to_datum(&table.context()).unwrap();
        assert_eq!((datum.descriptor.as_str(), datum.type_name.as_str()), (descriptor, type_name), "{text}");
    }
}

#[test]
fn variables_that_have_no_value_say_why() {
    let table = program();
    for (name, expected) in [("gone", "optimized out"), ("nowhere", "The location of \"nowhere\" cannot be computed.")]
    {
        let variable = named_to_variable(&table.variable(name).unwrap(), &table.context());
        let VariableValue::Unknown { why, type_name } = variable.value else { panic!("{name} has a value") };
        assert_eq!((why.as_str(), type_name.as_str()), (expected, "int"));
    }
    let known = named_to_variable(&table.variable("i").unwrap(), &table.context());
    assert!(matches!(known.value, VariableValue::Known(_)));
}
