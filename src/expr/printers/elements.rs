//! Elements of containers of the C++ standard library: how many there are, and single ones, computed without a call.

use super::characters::{Characters, distance};
use super::containers::{Bits, behind, deque_parts, pointer_at};
use super::held_values::pointer;
use super::iterators::span_length;
use super::printer_members::PrinterMembers;
use crate::EvalError;
use crate::error::error;
use crate::types::{element_of, size_of, stripped};
use crate::value::Value;

/// Returns the error for an index out of range; `None` for one within it, or a type without elements.
pub(super) fn no_element(members: &PrinterMembers<'_>, template: &str, index: i128) -> Option<EvalError> {
    let name = if template.starts_with("basic_string") { "string" } else { template };
    let of_size = match count(members, template) {
        Some(count) if (0..i128::from(count)).contains(&index) => return None,
        Some(count) => format!(" of size {count}"),
        None if pointer(members, template).is_some_and(|to| members.pointed(&to).is_some()) => String::new(),
        None => return None,
    };
    Some(error(format!("Index {index} is out of range for this {name}{of_size}.")))
}

pub(super) fn capacity(members: &PrinterMembers<'_>, template: &str) -> Option<u64> {
    match template {
        "vector" => {
            let start = members.part(&["_M_impl", "_M_start"])?;
            let size = size_of(&members.pointed(&start)?, members.context).filter(|size| *size > 0)?;
            let end = members.number(&["_M_impl", "_M_end_of_storage"])?;
            Some(end.wrapping_sub(members.word(&start)?) / size)
        }
        "basic_string" => {
            let Characters { unit, address, .. } = Characters::of(members, template)?;
            let own = members.part(&["_M_local_buf"])?;
            if own.address()?.0 != address {
                return members.number(&["_M_allocated_capacity"]);
            }
            (size_of(own.ty(), members.context)? / size_of(&unit, members.context)?.max(1)).checked_sub(1)
        }
        _ => None,
    }
}

/// Returns the number of elements, if it is stored or can be computed at once.
pub(super) fn count(members: &PrinterMembers<'_>, template: &str) -> Option<u64> {
    match template {
        "basic_string" | "basic_string_view" => Some(Characters::of(members, template)?.length),
        "span" => span_length(members, stripped(members.value.ty(), members.context).1.name.as_deref()?),
        "initializer_list" => members.number(&["_M_len"]),
        "vector" => {
            let start = members.part(&["_M_impl", "_M_start"])?;
            if members.pointed(&start).is_none() {
                return Bits::of(members).map(|bits| bits.length);
            }
            let finish = members.number(&["_M_impl", "_M_finish"])?;
            let size = size_of(&members.pointed(&start)?, members.context).filter(|size| *size > 0)?;
            Some(finish.wrapping_sub(members.word(&start)?) / size)
        }
        "array" => {
            let elements = members.part(&["_M_elems"])?;
            let (_, ty) = stripped(elements.ty(), members.context);
            element_of(&ty, members.context)?.2
        }
        "deque" => u64::try_from(deque_parts(members)?.count).ok(),
        "list" => members.number(&["_M_impl", "_M_node", "_M_size"]),
        "map" | "multimap" | "set" | "multiset" => members.number(&["_M_t", "_M_impl", "_M_node_count"]),
        "unordered_map" | "unordered_multimap" | "unordered_set" | "unordered_multiset" => {
            members.number(&["_M_h", "_M_element_count"])
        }
        _ => None,
    }
}

pub(super) fn is_empty(members: &PrinterMembers<'_>, template: &str) -> Option<bool> {
    match template {
        "forward_list" => Some(members.number(&["_M_impl", "_M_head", "_M_next"])? == 0),
        _ => Some(count(members, template)? == 0),
    }
}

/// Returns an element by its index, even past the end: as in the program, it is not checked. `None` where there can be
/// none.
pub(super) fn nth(members: &PrinterMembers<'_>, template: &str, index: i128) -> Option<Value> {
    let distance = |size: u64| distance(index, size);
    let at = |first: u64, size: u64| Some(first.wrapping_add(distance(size)?));
    match template {
        "basic_string" | "basic_string_view" => Characters::of(members, template)?.character(index, members.context),
        "span" => {
            let start = members.part(&["_M_ptr"])?;
            let element = members.pointed(&start)?;
            let size = size_of(&element, members.context)?;
            Some(PrinterMembers::placed(&element, at(members.word(&start)?, size)?))
        }
        "vector" => {
            let start = members.part(&["_M_impl", "_M_start"])?;
            let Some(element) = members.pointed(&start) else {
                return Bits::of(members)?.nth(members, u64::try_from(index).ok()?);
            };
            let size = size_of(&element, members.context)?;
            Some(PrinterMembers::placed(&element, at(members.word(&start)?, size)?))
        }
        "array" => {
            let elements = members.part(&["_M_elems"])?;
            let (_, ty) = stripped(elements.ty(), members.context);
            let (element, ..) = element_of(&ty, members.context)?;
            let size = size_of(&element, members.context)?;
            Some(elements.part(element, distance(size)?, None))
        }
        "deque" => {
            let parts = deque_parts(members)?;
            let number = u64::try_from(index).ok()?.checked_add(parts.skipped)?;
            let block = pointer_at(members, parts.first_block.wrapping_add(8 * (number / parts.block)))?;
            Some(PrinterMembers::placed(&parts.element, block.wrapping_add(parts.size * (number % parts.block))))
        }
        "unique_ptr" | "shared_ptr" => {
            let to = pointer(members, template)?;
            let element = members.pointed(&to)?;
            let size = size_of(&element, members.context)?;
            Some(PrinterMembers::placed(&element, at(members.word(&to)?, size)?))
        }
        _ => None,
    }
}

/// Returns the first or last element; fails if the container is empty.
pub(super) fn end(members: &PrinterMembers<'_>, template: &str, first: bool) -> Result<Option<Value>, EvalError> {
    match is_empty(members, template) {
        None => Ok(None),
        Some(true) if members.context.has_effects() => {
            let name = if template.starts_with("basic_string") { "string" } else { template };
            Err(error(format!("This {name} is empty.")))
        }
        Some(_) => Ok(end_of(members, template, first)),
    }
}

fn end_of(members: &PrinterMembers<'_>, template: &str, first: bool) -> Option<Value> {
    let node = |path: &[&str], links: u64| {
        let element = members.argument(members.value.ty(), 0)?;
        let behind = behind(members, links, &element);
        Some(PrinterMembers::placed(&element, members.number(path)?.wrapping_add(behind)))
    };
    match template {
        "list" if first => node(&["_M_impl", "_M_node", "_M_next"], 16),
        "list" => node(&["_M_impl", "_M_node", "_M_prev"], 16),
        "forward_list" if first => node(&["_M_impl", "_M_head", "_M_next"], 8),
        _ if first => nth(members, template, 0),
        _ => nth(members, template, i128::from(count(members, template)?) - 1),
    }
}
