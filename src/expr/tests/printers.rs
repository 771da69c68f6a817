//! Printers that users write, on a table instead of a process.

use super::table::*;
use crate::Expression;
use crate::printers::rules::table::PrinterTable;
use debuginfo::types::{Kind, Type, TypeId, TypeRef};
use model::aif::{FormatOptions, format};
use model::{PrintOptions, PrinterSource, Printers};
use std::sync::Arc;

fn printers(text: &str) -> PrinterTable {
    let mut printers = Printers::default();
    printers.put_first(PrinterSource::parse("p.toml", text).unwrap()).unwrap();
    PrinterTable::new(&printers)
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn le(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn entry(number: u64) -> TypeRef {
    TypeRef::Entry(TypeId { image: 0, entry: number })
}

fn aggregate(name: &str, size: u64, members: Vec<debuginfo::types::Member>) -> Arc<Type> {
    let kind = Kind::Aggregate { tag: debuginfo::types::Aggregate::Struct, members, declaration: false };
    Arc::new(Type { name: Some(name.into()), size: Some(size), kind })
}

/// A vector of three, a list of three, a tree of five, a table of chains.
fn program() -> Table {
    let mut table = Table::default();
    table.types.insert("int".to_owned(), int());
    let vector = structure(Some("Vec<int>"), 16, vec![field("data", pointer(int()), 0), field("size", int(), 8)]);
    table.put(0x2_0000, &le(&[4, 5, 6]));
    table.place("vector", vector.clone(), 0x1_0000, &bytes(&[0x2_0000, 3]));
    table.place("negative", vector.clone(), 0x1_0010, &bytes(&[0x2_0000, u64::from(-1_i32 as u32)]));
    table.place("huge", vector.clone(), 0x1_0020, &bytes(&[0x2_0000, i32::MAX as u64]));
    table.place("wild", vector, 0x1_0030, &bytes(&[0x10, 3]));
    let node = |name: &str| aggregate(name, 16, vec![field("next", pointer(entry(1)), 0), field("value", int(), 8)]);
    table.entries.insert(1, node("Node"));
    let list = structure(Some("List"), 8, vec![field("head", pointer(entry(1)), 0)]);
    table.put(0x2_1000, &bytes(&[0x2_1010, 7, 0x2_1020, 8, 0, 9]));
    table.place("list", list.clone(), 0x1_0100, &bytes(&[0x2_1000]));
    table.put(0x2_2000, &bytes(&[0x2_2010, 7, 0x2_2000, 8]));
    table.place("loop", list.clone(), 0x1_0108, &bytes(&[0x2_2000]));
    table.put(0x2_3000, &bytes(&[0x10, 7]));
    table.place("broken", list.clone(), 0x1_0110, &bytes(&[0x2_3000]));
    table.place("empty", list.clone(), 0x1_0118, &bytes(&[0]));
    table.place("pointer", pointer(list), 0x1_0120, &bytes(&[0x1_0100]));
    let members = vec![field("l", pointer(entry(2)), 0), field("r", pointer(entry(2)), 8), field("key", int(), 16)];
    table.entries.insert(2, aggregate("Branch", 24, members));
    let tree = structure(Some("Tree"), 8, vec![field("root", pointer(entry(2)), 0)]);
    let at = |number: u64| 0x2_4000 + 24 * number;
    // 3 over 1 and 4, 1 over 0 and 2.
    let nodes = [[at(1), at(2), 3], [at(3), at(4), 1], [0, 0, 4], [0, 0, 0], [0, 0, 2]];
    table.put(at(0), &bytes(&nodes.concat()));
    table.place("tree", tree.clone(), 0x1_0200, &bytes(&[at(0)]));
    table.put(0x2_5000, &bytes(&[0x2_5000, 0, 5]));
    table.place("knot", tree, 0x1_0208, &bytes(&[0x2_5000]));
    let chains =
        structure(Some("Chains"), 16, vec![field("heads", pointer(pointer(entry(1))), 0), field("n", int(), 8)]);
    table.put(0x2_6000, &bytes(&[0x2_1010, 0, 0x2_1020]));
    table.place("chains", chains, 0x1_0300, &bytes(&[0x2_6000, 3]));
    table
}

const RULES: &str = r#"
[[printer]]
type = "Vec<*>"
title = "vec of {size}"
children = { array = "data", count = "size" }

[[printer]]
type = "List"
title = "list"
children = { list = "head", next = "next", value = "value" }

[[printer]]
type = "Tree"
children = { tree = "root", left = "l", right = "r", value = "key" }

[[printer]]
type = "Chains"
title = "{n} chains"
children = { index = "heads[$i]", count = "n", chain = "next", value = "value", key = "$i" }
"#;

fn print_of(table: &Table, printers: &PrinterTable, text: &str) -> String {
    let context = table.context().with_printers(Some(printers), None);
    let datum = Expression::parse(text).unwrap().evaluate(&context).and_then(|value| value.to_datum(&context)).unwrap();
    format(&datum, &FormatOptions::default()).unwrap()
}

#[track_caller]
fn prints(rules: &str, expectations: &[(&str, &str)]) {
    let (table, printers) = (program(), printers(rules));
    assert!(printers.faults().is_empty(), "{:?}", printers.faults());
    for (text, expected) in expectations {
        assert_eq!(print_of(&table, &printers, text), *expected, "{text}");
    }
}

#[test]
fn arrays_lists_trees_and_chains_are_shown() {
    prints(
        RULES,
        &[
            ("vector", "vec of 3 = {4, 5, 6}"),
            ("list", "list = {[0] = 7, [1] = 8, [2] = 9}"),
            ("empty", "list"),
            ("tree", "{[0] = 0, [1] = 1, [2] = 2, [3] = 3, [4] = 4}"),
            ("chains", "3 chains = {[0] = 8, [0] = 9, [2] = 9}"),
            ("*pointer", "list = {[0] = 7, [1] = 8, [2] = 9}"),
        ],
    );
}

#[test]
fn damaged_values_show_what_was_found_and_why_there_is_no_more() {
    prints(
        RULES,
        &[
            ("negative", "vec of -1"),
            ("wild", "vec of 3 = {<error: Cannot access memory at address 0x10>...}"),
            ("loop", "list <p.toml:8: the list has a loop at 0x22000> = {[0] = 7, [1] = 8}"),
            (
                "broken",
                "list <p.toml:8: Cannot access memory at address 0x10> = {[0] = 7, [1] = <error: Cannot access memory at \
                address 0x18>}",
            ),
            ("knot", "<p.toml:13: the tree has a loop at 0x25000> = {root = 0x25000}"),
        ],
    );
}

#[test]
fn a_huge_array_is_read_up_to_the_limit() {
    let (mut table, printers) = (program(), printers(RULES));
    table.put(0x2_000c, &vec![0; 4096]);
    let context = table.context().with_printers(Some(&printers), None).with_limits(PrintOptions {
        elements: 3,
        repeats: 10,
        ..PrintOptions::default()
    });
    let value = Expression::parse("huge").unwrap().evaluate(&context).unwrap();
    let before = table.reads.get();
    let datum = value.to_datum(&context).unwrap();
    assert!(table.reads.get() - before < 50, "{}", table.reads.get() - before);
    let options = FormatOptions { limit: 3, ..FormatOptions::default() };
    assert_eq!(format(&datum, &options).unwrap(), "vec of 2147483647 = {4, 5, 6...}");
}

#[test]
fn the_first_rule_that_is_for_a_value_is_used() {
    let rules = r#"
[[printer]]
type = "Vec<*>"
has = ["data", "capacity"]
title = "with a capacity"

[[printer]]
type = "Vec<*>"
when = "size < 0"
title = "not constructed"

[[printer]]
type = ["Vec<char>", "Vec<*>"]
title = "{{{/x size}}}"
"#;
    let faulty = printers(rules);
    assert!(faulty.faults().is_empty(), "{:?}", faulty.faults());
    prints(rules, &[("negative", "not constructed"), ("vector", "{0x3}")]);
}

#[test]
fn members_texts_and_other_values_are_shown() {
    let rules = r#"
[[printer]]
type = "Vec<*>"
title = "{sizeof($T1)} bytes"
members = ["twice = 2 * size", "nothing = size.x", "*", { name = "few", value = "1", when = "size < 3" }]

[[printer]]
type = "List"
shown = "head->value"

[[printer]]
type = "Tree"
names = { Node = "*root" }
members = ["key = (($Node *) root)->key", "size = sizeof($Node)"]

[[printer]]
type = "Chains"
text = "\"abc\""
length = "2"
"#;
    let (table, printers) = (program(), printers(rules));
    assert_eq!(
        print_of(&table, &printers, "vector"),
        "4 bytes = {twice = 6, nothing = <error: Attempt to extract a component of a value that is not a structure.>, data \
         = 0x20000, size = 3}"
    );
    assert_eq!(print_of(&table, &printers, "list"), "7");
    assert_eq!(print_of(&table, &printers, "tree"), "{key = 3, size = 24}");
    let words = print_of(&table, &printers, "chains");
    assert!(words.starts_with("<p.toml:17: Attempt to take address of value not located in memory>"), "{words}");
}

#[test]
fn a_printer_that_fails_leaves_the_members_with_a_note() {
    let rules = "[[printer]]\ntype = \"Vec<*>\"\ntitle = \"{nosuch}\"\n";
    prints(
        rules,
        &[
            ("vector", "<p.toml:2: No symbol \"nosuch\" in current context> = {data = 0x20000, size = 3}"),
            ("list", "{head = 0x21000}"),
        ],
    );
}

#[test]
fn rules_that_cannot_be_used_are_reported() {
    for (rule, words) in [
        ("title = \"{size\"", "p.toml:2: \"{\" without \"}\""),
        ("title = \"size}\"", "\"}\" without \"{\""),
        ("title = \"{/q size}\"", "format letter"),
        ("title = \"{size +}\"", "A syntax error in expression"),
        ("title = \"{size = 3}\"", "would change something; a printer only looks"),
        ("title = \"{size++}\"", "would change something"),
        ("title = \"{$T2}\"", "$T2 is no name of a printer here"),
        ("title = \"{$rip}\"", "$rip is no name of a printer here"),
    ] {
        let table = printers(&format!("[[printer]]\ntype = \"Vec<*>\"\n{rule}\n"));
        let faults = table.faults();
        let [fault] = &faults[..] else { panic!("{faults:?}") };
        assert!(fault.contains(words), "{fault}");
    }
    let table = printers("[[printer]]\ntype = \"Vec<\"\ntitle = \"x\"\n");
    assert_eq!(table.faults(), ["p.toml:2: \"Vec<\" is no type name"]);
    let rules = "[[printer]]\ntype = \"Vec<*>\"\ntitle = \"{size +}\"\n";
    let text = print_of(&program(), &printers(rules), "vector");
    assert!(text.starts_with("<p.toml:2: \"size +\": A syntax error in expression"), "{text}");
    assert!(text.ends_with("> = {data = 0x20000, size = 3}"), "{text}");
}

#[test]
fn a_title_that_shows_itself_ends() {
    let rules = "[[printer]]\ntype = \"Vec<*>\"\ntitle = \"({*this}{*this}{*this})\"\n";
    let (table, printers) = (program(), printers(rules));
    let text = print_of(&table, &printers, "vector");
    assert_eq!(text.matches("data = ").count(), 27, "{text}");
    let rules = "[[printer]]\ntype = \"Vec<*>\"\nshown = \"*this\"\n";
    prints(rules, &[("vector", "{data = 0x20000, size = 3}")]);
}

#[test]
fn a_printer_calls_no_function_and_writes_nothing() {
    let grow = "grow(1)";
    for rule in [
        format!("title = \"{{{grow}}}\""),
        format!("when = \"{grow} > 0\"\ntitle = \"x\""),
        format!("title = \"x\"\nshown = \"{grow}\""),
        format!("members = [\"grown = {grow}\"]"),
        format!("members = [{{ name = \"grown\", value = \"1\", when = \"{grow}\" }}]"),
        format!("children = {{ array = \"data\", count = \"{grow}\" }}"),
        format!("children = {{ index = \"data[{grow}]\", count = \"size\" }}"),
        format!("children = {{ array = \"data\", count = \"size\", value = \"{grow}\" }}"),
        format!("children = {{ array = \"data\", count = \"size\", when = \"{grow}\" }}"),
        format!("names = {{ Grown = \"{grow}\" }}\nmembers = [\"a = {grow}\", \"b = sizeof($Grown)\"]"),
    ] {
        let mut table = program();
        table.place("::grow", function(int(), vec![int()]), 0x5100, &[0xc3; 16]);
        let print = |text: &str| {
            let printers = printers(&format!("[[printer]]\ntype = \"Vec<*>\"\n{rule}\n"));
            assert!(printers.faults().is_empty(), "{:?}", printers.faults());
            print_of(&table, &printers, text)
        };
        let shown = print("vector");
        assert!(shown.contains("A printer calls no function of the program"), "{rule}: {shown}");
        assert_eq!((table.calls.get(), table.writes.get()), (0, 0), "{rule}: {shown}");
    }
    // What is allowed reads only.
    let (table, printers) = (program(), printers(RULES));
    let before = table.memory.borrow().clone();
    for text in ["vector", "list", "tree", "chains", "wild", "loop"] {
        print_of(&table, &printers, text);
    }
    assert_eq!(*table.memory.borrow(), before);
}

#[test]
fn pointers_have_printers_of_their_own() {
    let rules = "[[printer]]\ntype = \"List *\"\ntitle = \"list at {head}\"\nchildren = { list = \"head\", next = \"next\", \
        value = \"value\" }\n";
    prints(rules, &[("pointer", "list at 0x21000 = {[0] = 7, [1] = 8, [2] = 9}"), ("list", "{head = 0x21000}")]);
}

#[test]
fn no_rule_panics() {
    let texts = [
        "",
        "{",
        "}",
        "{{",
        "{}",
        "{/",
        "{/x",
        "{/x }",
        "{size}{",
        "{'}'}",
        "{\"}\"}",
        "$",
        "$T",
        "$T1",
        "$T99999999999999999999",
        "$i",
        "$node",
        "size[$i",
        "*this",
        "this->size",
        "((((((((",
        "size / 0",
        "data[-1]",
        "\u{fc}{\u{fc}}",
        "'$i'",
        "::",
        "::size",
        "a::b<",
        "sizeof($T1)",
        "($T1) size",
        "size@0",
        "size ? : 1",
        "9223372036854775807 * 9",
    ];
    let table = program();
    for first in texts {
        for second in texts {
            let quoted = |text: &str| format!("{text:?}").replace("\\'", "'").replace("\\u{fc}", "\u{fc}");
            let (first, second) = (quoted(first), quoted(second));
            let rules = format!(
                "[[printer]]\ntype = [{first}, \"Vec<*>\"]\ntitle = {first}\nmembers = [\"a = 1\"]\nchildren = {{ index = \
                    {second}, count = \"size\" }}\nwhen = {second}\n"
            );
            let Ok(file) = PrinterSource::parse("p.toml", &rules) else { continue };
            let mut printers = Printers::default();
            printers.put_first(file).unwrap();
            for name in ["vector", "negative", "wild"] {
                print_of(&table, &PrinterTable::new(&printers), name);
            }
        }
    }
}
