//! Methods of maps and sets of the C++ standard library (libstdc++) that take a key: the elements are visited in the
//! memory of the program, and no function of it is called.

use super::characters::text_of;
use super::containers::{behind, element, next_in_tree, pointer_at};
use super::printer_members::PrinterMembers;
use crate::EvalError;
use crate::error::error;
use crate::eval::operand::{Operand, integer_value, pointer_value};
use crate::value::Value;
use debuginfo::types::builtin::Builtin;
use model::ErrorCode;

/// Offset of the leftmost node in the header of a tree.
const LEFTMOST: u64 = 16;
/// Most elements that are visited.
const MOST: u64 = 1 << 20;

/// A key as the user writes it.
enum Key {
    Text(Vec<u8>),
    Number(Operand),
}

impl Key {
    fn of(value: &Value, members: &PrinterMembers<'_>) -> Result<Self, EvalError> {
        match text_of(value, members.context)? {
            Some(text) => Ok(Self::Text(text)),
            None => Operand::of(value, members.context).map(Self::Number),
        }
    }

    /// True if it equals a key of the container; fails if they cannot be compared.
    fn is(&self, other: &Value, members: &PrinterMembers<'_>) -> Result<bool, EvalError> {
        let refused = || {
            let name = members.context.type_name(other.ty());
            error(format!("A key of type {name} cannot be compared here: only numbers, pointers and strings can."))
        };
        let other = Self::of(other, members)
            .map_err(|fault| if fault.code == ErrorCode::MEMORY { fault } else { refused() })?;
        match (self, other) {
            (Self::Text(one), Self::Text(other)) => Ok(*one == other),
            (Self::Number(one), Self::Number(other)) => match (one.as_real(), other.as_real()) {
                (Some(_), Some(_)) if is_whole(one) && is_whole(&other) => Ok(one.as_integer() == other.as_integer()),
                (Some(one), Some(other)) => Ok(one.double() == other.double()),
                _ => Ok(one.as_integer() == other.as_integer()),
            },
            _ => Err(refused()),
        }
    }
}

fn is_whole(operand: &Operand) -> bool {
    matches!(operand, Operand::Integer { .. })
}

/// True for the containers whose elements have keys.
pub(super) fn is_keyed(template: &str) -> bool {
    let plain = template.strip_prefix("unordered_").unwrap_or(template);
    matches!(plain, "map" | "multimap" | "set" | "multiset")
}

/// Calls `visit` with the node and the address of each element until it returns false.
fn visit(
    members: &PrinterMembers<'_>,
    template: &str,
    mut visit: impl FnMut(u64, u64) -> Result<bool, EvalError>,
) -> Result<Option<()>, EvalError> {
    let Some(element) = element(members, template.ends_with("map")) else { return Ok(None) };
    let unreadable = |address: u64| error(format!("Cannot access memory at address {address:#x}"));
    if template.starts_with("unordered_") {
        let Some(mut node) = members.number(&["_M_h", "_M_before_begin", "_M_nxt"]) else { return Ok(None) };
        let behind = behind(members, 8, &element);
        for _ in 0..MOST {
            if node == 0 || !visit(node, node.wrapping_add(behind))? {
                return Ok(Some(()));
            }
            node = pointer_at(members, node).ok_or_else(|| unreadable(node))?;
        }
        return Err(error("The container has too many elements to look for a key."));
    }
    let count = members.number(&["_M_t", "_M_impl", "_M_node_count"]);
    let header = members.part(&["_M_t", "_M_impl", "_M_header"]).and_then(|header| header.address());
    let (Some(count), Some(header)) = (count, header) else { return Ok(None) };
    if count > MOST {
        return Err(error("The container has too many elements to look for a key."));
    }
    let first = header.0.wrapping_add(LEFTMOST);
    let mut node = pointer_at(members, first).ok_or_else(|| unreadable(first))?;
    let behind = behind(members, 32, &element);
    for number in 0..count {
        if !visit(node, node.wrapping_add(behind))? {
            break;
        }
        if number + 1 < count {
            node = next_in_tree(members, node).map_err(unreadable)?;
        }
    }
    Ok(Some(()))
}

/// Computes a method that takes a key; `None` if the container has no such method, or an unknown layout.
pub(super) fn keyed_method(
    members: &PrinterMembers<'_>,
    template: &str,
    method: &str,
    key: &Value,
) -> Result<Option<Value>, EvalError> {
    let is_map = template.ends_with("map");
    match method {
        "operator[]" | "at" if is_map && !template.ends_with("multimap") => {}
        "find" | "count" | "contains" => {}
        _ => return Ok(None),
    }
    let Some(held) = element(members, is_map) else { return Ok(None) };
    if method.starts_with("operator") || method == "at" {
        // Only the type is needed.
        if !members.context.has_effects() {
            return Ok(members.at(&PrinterMembers::placed(&held, 0), &["second"]));
        }
    }
    let wanted = Key::of(key, members)?;
    let is_once = !template.contains("multi");
    let (mut found, mut count) = (None, 0);
    let visited = visit(members, template, |node, address| {
        let value = PrinterMembers::placed(&held, address);
        let key = if is_map { members.at(&value, &["first"]) } else { Some(value) };
        let key = key.ok_or_else(|| error("The element has no key."))?;
        if wanted.is(&key, members)? {
            found = found.or(Some((node, address)));
            count += 1;
        }
        Ok(found.is_none() || !(is_once || method == "find"))
    })?;
    if visited.is_none() {
        return Ok(None);
    }
    match method {
        "count" => Ok(Some(integer_value(count, Builtin::UnsignedLong))),
        "contains" => Ok(Some(integer_value((count > 0).into(), Builtin::CplusplusBool))),
        "find" => {
            let Some(iterator) = members.context.symbols().nested_type(members.value.ty(), "iterator") else {
                return Ok(None);
            };
            match found {
                Some((node, _)) => Ok(Some(pointer_value(node, iterator))),
                None => Err(error(format!("There is no such key in this {template}."))),
            }
        }
        _ => match found {
            Some((_, address)) => Ok(members.at(&PrinterMembers::placed(&held, address), &["second"])),
            None => Err(error(format!("There is no such key in this {template}."))),
        },
    }
}
