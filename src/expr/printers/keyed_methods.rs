//! Methods of maps and sets of the C++ standard library (libstdc++) that take a key: the elements are visited in the
//! memory of the program, and no function of it is called.

use super::containers::{DEEPEST_TREE, LEFT, PARENT, RIGHT, behind, element, next_in_tree, pointer_at};
use super::keys::{Key, KeyType};
use super::printer_members::PrinterMembers;
use crate::EvalError;
use crate::error::error;
use crate::eval::operand::{integer_value, pointer_value};
use crate::value::Value;
use debuginfo::types::TypeRef;
use debuginfo::types::builtin::Builtin;
use model::ErrorCode;
use std::cmp::Ordering;

/// Most elements that are visited.
const MOST: u64 = 1 << 20;

/// True for the containers whose elements have keys.
pub(super) fn is_keyed(template: &str) -> bool {
    let plain = template.strip_prefix("unordered_").unwrap_or(template);
    matches!(plain, "map" | "multimap" | "set" | "multiset")
}

/// The elements that have a key.
#[derive(Default)]
struct Found {
    /// The node and the address of the first one.
    first: Option<(u64, u64)>,
    count: u64,
}

/// A look for a key.
struct Look<'a> {
    members: &'a PrinterMembers<'a>,
    template: &'a str,
    held: &'a TypeRef,
    keys: &'a KeyType,
    wanted: &'a Key,
    /// Elements after the first count, too.
    counts_all: bool,
}

impl Look<'_> {
    fn link(&self, address: u64) -> Result<u64, EvalError> {
        pointer_at(self.members, address).ok_or_else(|| self.unreadable(address))
    }

    /// Returns the error for a link that was not read: the budget may have ended.
    fn unreadable(&self, address: u64) -> EvalError {
        match self.members.context.budget().map(|budget| budget.read(0)) {
            Some(Err(why)) => error(why),
            _ => EvalError::new(ErrorCode::MEMORY, format!("Cannot access memory at address {address:#x}")),
        }
    }

    /// Compares the key of the element at an address with the one that is looked for.
    fn compared(&self, address: u64) -> Result<Option<Ordering>, EvalError> {
        let value = PrinterMembers::placed(self.held, address);
        let key = if self.template.ends_with("map") { self.members.at(&value, &["first"]) } else { Some(value) };
        let key = key.ok_or_else(|| error("The element has no key."))?;
        Ok(self.keys.read(&key, self.members.context)?.compared(self.wanted))
    }

    /// Finds elements in the only list of a hash table.
    fn in_table(&self) -> Result<Option<Found>, EvalError> {
        let count = self.members.number(&["_M_h", "_M_element_count"]);
        let node = self.members.number(&["_M_h", "_M_before_begin", "_M_nxt"]);
        let (Some(count), Some(mut node)) = (count, node) else { return Ok(None) };
        let behind = behind(self.members, 8, self.held);
        let mut found = Found::default();
        for number in 0..count {
            if node == 0 {
                break;
            }
            if number == MOST {
                return Err(error("The container has too many elements to look for a key."));
            }
            let address = node.wrapping_add(behind);
            if self.compared(address)? == Some(Ordering::Equal) {
                found.first.get_or_insert((node, address));
                found.count += 1;
                if !self.counts_all {
                    break;
                }
            }
            node = self.link(node)?;
        }
        Ok(Some(found))
    }

    /// Finds elements in a tree as the library does: the first that is not before the key, unless it is behind it.
    fn in_tree(&self) -> Result<Option<Found>, EvalError> {
        let header = self.members.part(&["_M_t", "_M_impl", "_M_header"]).and_then(|header| header.address());
        let Some(header) = header else { return Ok(None) };
        let mut node = self.link(header.0.wrapping_add(PARENT))?;
        let last = self.link(header.0.wrapping_add(RIGHT))?;
        let behind = behind(self.members, 32, self.held);
        let mut bound = None;
        for depth in 0.. {
            if node == 0 {
                break;
            }
            if depth == DEEPEST_TREE {
                return Err(error(format!("The tree of this {} is damaged: it has no end.", self.template)));
            }
            let order = self.compared(node.wrapping_add(behind))?;
            let is_before = order == Some(Ordering::Less);
            if !is_before {
                bound = Some((node, order != Some(Ordering::Greater)));
            }
            node = self.link(node.wrapping_add(if is_before { RIGHT } else { LEFT }))?;
        }
        let mut found = Found::default();
        let Some((mut node, true)) = bound else { return Ok(Some(found)) };
        found.first = Some((node, node.wrapping_add(behind)));
        found.count = 1;
        while self.counts_all && node != last {
            node = next_in_tree(self.members, node).map_err(|address| self.unreadable(address))?;
            if self.compared(node.wrapping_add(behind))? == Some(Ordering::Greater) {
                break;
            }
            found.count += 1;
            if found.count > MOST {
                return Err(error("The container has too many elements to look for a key."));
            }
        }
        Ok(Some(found))
    }
}

/// Computes a method that takes a key; `None` if the container has no such method, an unknown layout, or compares its
/// keys in a way that only the program knows.
pub(super) fn keyed_method(
    members: &PrinterMembers<'_>,
    template: &str,
    method: &str,
    key: &Value,
) -> Result<Option<Value>, EvalError> {
    let is_map = template.ends_with("map");
    let is_element = match method {
        "operator[]" | "at" if is_map && !template.ends_with("multimap") => true,
        "find" | "count" | "contains" => false,
        _ => return Ok(None),
    };
    let (Some(keys), Some(held)) = (KeyType::of(members, template), element(members, is_map)) else { return Ok(None) };
    let Some(wanted) = keys.argument(key, !is_element, members.context)? else { return Ok(None) };
    let has_effects = members.context.has_effects();
    let found = if has_effects {
        let counts_all = method == "count" && template.contains("multi");
        let look = Look { members, template, held: &held, keys: &keys, wanted: &wanted, counts_all };
        if template.starts_with("unordered_") { look.in_table()? } else { look.in_tree()? }
    } else {
        // Only the type is needed.
        Some(Found { first: Some((0, 0)), count: 0 })
    };
    let Some(Found { first, count }) = found else { return Ok(None) };
    let missing = || error(format!("There is no such key in this {template}."));
    match method {
        "count" => Ok(Some(integer_value(count.into(), Builtin::UnsignedLong))),
        "contains" => Ok(Some(integer_value((count > 0).into(), Builtin::CplusplusBool))),
        "find" => {
            let Some(iterator) = members.context.symbols().nested_type(members.value.ty(), "iterator") else {
                return Ok(None);
            };
            first.map(|(node, _)| pointer_value(node, iterator)).ok_or_else(missing).map(Some)
        }
        _ => {
            let (_, address) = first.ok_or_else(missing)?;
            Ok(members.at(&PrinterMembers::placed(&held, address), &["second"]))
        }
    }
}
