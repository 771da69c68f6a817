//! Maps of 100,000 elements, on a table instead of a process: what is printed of one costs as few reads of memory as of a
//! small one. The time of a map is that of its reads, each of which may be a system call.

use super::table::*;
use crate::Expression;
use crate::printers::rules::table::PrinterTable;
use debuginfo::UnitLanguage;
use debuginfo::types::{Kind, Type, TypeId, TypeRef};
use model::aif::{FormatOptions, format};
use model::{PrintOptions, PrinterSource, Printers};
use std::sync::Arc;

const COUNT: u64 = 100_000;
/// The nodes of the tree lie one after another: 32 bytes of links, a key and a value.
const NODES: u64 = 0x100_0000;
const NODE: u64 = 40;
const MAP: u64 = 0x1_0000;
/// The header of the tree in the map: colour, root, leftmost, rightmost.
const HEADER: u64 = MAP + 8;

const NAME: &str = "std::map<int, int, std::less<int>, std::allocator<std::pair<int const, int> > >";

fn at(number: u64) -> u64 {
    NODES + NODE * number
}

/// Links the nodes from `from` up to `to` as a balanced tree, and returns its root.
fn link(nodes: &mut [u8], from: u64, to: u64, parent: u64) -> u64 {
    if from == to {
        return 0;
    }
    let middle = from + (to - from) / 2;
    let left = link(nodes, from, middle, at(middle));
    let right = link(nodes, middle + 1, to, at(middle));
    let pair = (middle * middle % 1000) << 32 | middle;
    for (word, value) in [(1, parent), (2, left), (3, right), (4, pair)] {
        let start = (middle * NODE + 8 * word) as usize;
        nodes[start..start + 8].copy_from_slice(&value.to_le_bytes());
    }
    at(middle)
}

/// A map of libstdc++ whose keys are 0, 1, 2 … and whose values are their squares modulo 1000.
fn program() -> Table {
    let mut table = Table { language: Some(UnitLanguage::Cplusplus), ..Table::default() };
    let mut nodes = vec![0; (COUNT * NODE) as usize];
    let root = link(&mut nodes, 0, COUNT, HEADER);
    table.put(NODES, &nodes);
    let links = |name, of: &TypeRef| {
        let names = ["_M_parent", "_M_left", "_M_right"];
        let links = (1..).zip(names).map(|(word, name)| field(name, pointer(of.clone()), 8 * word));
        structure(Some(name), 32, links.collect())
    };
    let node = TypeRef::Entry(TypeId { image: 0, entry: 1 });
    table.entries.insert(1, table_type(&links("std::_Rb_tree_node_base", &node)));
    let implementation =
        structure(None, 48, vec![field("_M_header", node.clone(), 8), field("_M_node_count", base_count(), 40)]);
    let tree = structure(None, 48, vec![field("_M_impl", implementation, 0)]);
    let map = structure(Some(NAME), 48, vec![field("_M_t", tree, 0)]);
    let pair =
        structure(Some("std::pair<int const, int>"), 8, vec![field("first", int(), 0), field("second", int(), 4)]);
    let less = structure(Some("std::less<int>"), 1, Vec::new());
    let arguments = vec![int(), int(), less];
    table.templates.insert(NAME.to_owned(), Template { arguments, nested: vec![("value_type", pair.clone())] });
    table.templates.insert("std::less<int>".to_owned(), Template { arguments: vec![int()], nested: Vec::new() });
    table.types.insert("Pair".to_owned(), pair);
    let header: Vec<u8> =
        [0, 0, root, at(0), at(COUNT - 1), COUNT].iter().flat_map(|word| word.to_le_bytes()).collect();
    table.place("map", map, MAP, &header);
    table
}

fn base_count() -> TypeRef {
    base("unsigned long", 8, debuginfo::types::Encoding::Unsigned)
}

fn table_type(reference: &TypeRef) -> Arc<Type> {
    match reference {
        TypeRef::Made(made) => Arc::clone(made),
        _ => Arc::new(Type { name: None, size: None, kind: Kind::Void }),
    }
}

/// Prints an expression as the first page of a value is printed, and returns how often memory was read.
#[track_caller]
fn reads_of(table: &Table, printers: Option<&PrinterTable>, text: &str, expected: &str) -> usize {
    let printers = printers.map(|printers| printers as &dyn crate::context::TypePrinters);
    let context = table.context().with_printers(printers, None).with_limits(PrintOptions::default());
    table.reads.set(0);
    let datum = Expression::parse(text).unwrap().evaluate(&context).and_then(|value| value.to_datum(&context)).unwrap();
    let shown = format(&datum, &FormatOptions::default()).unwrap();
    assert!(shown.starts_with(expected), "{text}: {shown}");
    table.reads.get()
}

#[test]
fn a_large_map_costs_no_more_reads_than_its_first_page() {
    let table = program();
    let page = reads_of(&table, None, "map", "std::map with 100000 elements = {[0] = 0, [1] = 1, [2] = 4, [3] = 9,");
    let last = reads_of(&table, None, "map[99999]", "1");
    let size = reads_of(&table, None, "map.size()", "100000");
    assert!(page <= 1200, "the first page: {page} reads");
    assert!(last <= 40, "the last element: {last} reads");
    assert!(size <= 1, "the size: {size} reads");
}

#[test]
fn a_large_map_of_a_users_printer_costs_no_more_reads_than_its_first_page() {
    let table = program();
    let rules = "[[printer]]\ntype = \"std::map<*>\"\ntitle = \"map of {_M_t._M_impl._M_node_count}\"\nchildren = { tree = \
        \"_M_t._M_impl._M_header._M_parent\", left = \"_M_left\", right = \"_M_right\", element = \"Pair\", \
        after = \"32\", key = \"first\", value = \"second\", count = \"_M_t._M_impl._M_node_count\" }\n";
    let mut printers = Printers::default();
    printers.put_first(PrinterSource::parse("p.toml", rules).unwrap()).unwrap();
    let printers = PrinterTable::new(&printers);
    assert!(printers.faults().is_empty(), "{:?}", printers.faults());
    let page = reads_of(&table, Some(&printers), "map", "map of 100000 = {[0] = 0, [1] = 1, [2] = 4, [3] = 9,");
    let size = reads_of(&table, Some(&printers), "map.size()", "100000");
    assert!(page <= 1250, "the first page: {page} reads");
    assert!(size <= 1, "the size: {size} reads");
}
