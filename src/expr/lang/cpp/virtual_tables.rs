//! The virtual function tables of an object, as gdb's `info vtbl` shows them.

use super::base_classes::member_value;
use super::dynamic_class::{has_table, with_dynamic_class};
use crate::EvalError;
use crate::aif::pointed_text::symbol;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::access::pointed_object;
use crate::types::{MAX_DEPTH, stripped};
use crate::value::Value;
use debuginfo::types::{Kind, TypeRef};
use model::{PrintSwitch, VirtualAddress};
use std::fmt::Write as _;

/// Limit on the classes of an object, and on the functions of a table.
const MOST_CLASSES: usize = 1_000;
const MOST_SLOTS: u64 = 10_000;

/// The table of one class of an object; the first base class has the same object and table.
struct Table {
    class: TypeRef,
    address: VirtualAddress,
    /// The last function that is declared.
    last: Option<u64>,
}

/// Returns the virtual function tables of an object, or of what a pointer or reference leads to, as text.
pub fn virtual_tables(value: &Value, s: &EvalContext<'_>) -> Result<String, EvalError> {
    let nothing = || error("This object does not have a virtual function table");
    let mut object = pointed_object(value, s)?;
    if s.limits().has(PrintSwitch::Object)
        && let Some(whole) = with_dynamic_class(&object, s)
    {
        object = whole;
    }
    if !has_table(object.ty(), s) {
        return Err(nothing());
    }
    let mut tables = Vec::new();
    collect(&object, s, 0, &mut MOST_CLASSES.clone(), &mut tables);
    let mut text = String::new();
    for table in tables.iter().filter(|table| table.last.is_some()) {
        let separator = if text.is_empty() { "" } else { "\n" };
        let _ = write!(text, "{separator}{}", lines(table, s)?);
    }
    if text.is_empty() { Err(nothing()) } else { Ok(text) }
}

fn collect(object: &Value, s: &EvalContext<'_>, depth: u32, left: &mut usize, into: &mut Vec<Table>) {
    let (reference, ty) = stripped(object.ty(), s);
    let (Kind::Aggregate { members, .. }, Some(address)) = (&ty.kind, object.address()) else { return };
    if depth >= MAX_DEPTH || *left == 0 || !has_table(&reference, s) {
        return;
    }
    *left -= 1;
    let methods = s.symbols().class(&reference).map(|class| class.methods).unwrap_or_default();
    let last = methods.iter().filter_map(|method| method.slot).max();
    match into.iter_mut().find(|table| table.address == address) {
        Some(table) => table.last = table.last.max(last),
        None => into.push(Table { class: reference, address, last }),
    }
    for base in members.iter().filter(|member| member.base) {
        if let Ok(part) = member_value(object, base, s) {
            collect(&part, s, depth + 1, left, into);
        }
    }
}

fn lines(table: &Table, s: &EvalContext<'_>) -> Result<String, EvalError> {
    let word = |address: u64| {
        let mut bytes = [0; 8];
        s.read(VirtualAddress(address), &mut bytes).map(|()| u64::from_le_bytes(bytes))
    };
    let start = word(table.address.0)?;
    let class = stripped(&table.class, s).1.name.clone().unwrap_or_default();
    let mut text = format!("vtable for '{class}' @ {start:#x} (subobject @ {}):\n", table.address);
    for slot in 0..=table.last.unwrap_or(0).min(MOST_SLOTS) {
        let entry = word(start.wrapping_add(8 * slot));
        let shown = match entry {
            Ok(code) => format!("{code:#x}{}", symbol(code, s).map_or(String::new(), |name| format!(" <{name}>"))),
            Err(fault) => format!("<error: {fault}>"),
        };
        let _ = writeln!(text, "[{slot}]: {shown}");
    }
    Ok(text)
}
