//! Computes methods of containers and smart pointers of the C++ standard library (libstdc++) without calling them: most
//! programs contain no code of these methods, since it was inlined. gdb has the same ones from the library's Python.
//! Those of Eigen's matrices are computed, too.

use super::containers::{behind, deque_parts, pointer_at, tuple_values};
use super::eigen::Dense;
use super::element_storage::is_matrix;
use super::printer_members::PrinterMembers;
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::access::pointed_object;
use crate::eval::operand::{Operand, integer_value};
use crate::types::{element_of, size_of, stripped};
use crate::value::Value;
use debuginfo::types::builtin::Builtin;

/// Computes a method or operator (`operator[]`) of an object, or of the target of a pointer; `None` for an unknown type
/// or method.
pub(crate) fn library_method(
    object: &Value,
    method: &str,
    arguments: &[Value],
    context: &EvalContext<'_>,
) -> Result<Option<Value>, EvalError> {
    let object = pointed_object(object, context)?;
    let ty = stripped(object.ty(), context).1;
    let own = context.own_printers().map_or(Ok(None), |table| table.method(&object, method, arguments, context))?;
    if own.is_some() {
        return Ok(own);
    }
    let look = PrinterMembers { value: &object, context };
    if let Some(name) = ty.name.as_deref().filter(|name| is_matrix(name)) {
        let index = |index: &Value| match Operand::of(index, context)? {
            Operand::Integer { value, .. } => Ok(value),
            _ => Err(error("An index of a matrix is an integer.")),
        };
        let indices = arguments.iter().map(index).collect::<Result<Vec<_>, EvalError>>()?;
        return Ok(Dense::of(&look, name).and_then(|dense| dense.method(method, &indices)));
    }
    let Some(template) = ty.name.as_deref().and_then(template).filter(|name| !name.starts_with("__1::")) else {
        let shipped = context.shipped_printers();
        return shipped.map_or(Ok(None), |table| table.method(&object, method, arguments, context));
    };
    match (method, arguments) {
        ("size", []) => Ok(count(&look, template).map(|count| integer_value(i128::from(count), Builtin::UnsignedLong))),
        ("empty", []) => Ok(is_empty(&look, template).map(|empty| integer_value(empty.into(), Builtin::CplusplusBool))),
        ("front", []) => Ok(end(&look, template, true)),
        ("back", []) => Ok(end(&look, template, false)),
        ("get" | "operator->", []) => Ok(pointer(&look, template)),
        ("operator*", []) => pointer(&look, template).map(|to| pointed_object(&to, context)).transpose(),
        ("operator[]" | "at", [index]) => {
            let Operand::Integer { value: index, .. } = Operand::of(index, context)? else { return Ok(None) };
            let count = count(&look, template);
            if let (true, Some(count)) = (method == "at", count)
                && !(0..i128::from(count)).contains(&index)
            {
                return Err(error(format!("Index {index} is out of range for this {template} of size {count}.")));
            }
            Ok(nth(&look, template, index))
        }
        _ => Ok(None),
    }
}

/// Returns the name of a library template, without its arguments.
fn template(name: &str) -> Option<&str> {
    let plain = name.strip_prefix("std::")?;
    plain.strip_prefix("__cxx11::").unwrap_or(plain).split('<').next()
}

/// Returns the number of elements, if it is stored or can be computed at once.
fn count(members: &PrinterMembers<'_>, template: &str) -> Option<u64> {
    match template {
        "vector" => {
            let start = members.part(&["_M_impl", "_M_start"])?;
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

fn is_empty(members: &PrinterMembers<'_>, template: &str) -> Option<bool> {
    match template {
        "forward_list" => Some(members.number(&["_M_impl", "_M_head", "_M_next"])? == 0),
        _ => Some(count(members, template)? == 0),
    }
}

/// Returns an element by its index, even past the end: as in the program, it is not checked.
fn nth(members: &PrinterMembers<'_>, template: &str, index: i128) -> Option<Value> {
    let at = |first: u64, size: u64| (i128::from(first) + index * i128::from(size)) as u64;
    match template {
        "vector" => {
            let start = members.part(&["_M_impl", "_M_start"])?;
            let element = members.pointed(&start)?;
            let size = size_of(&element, members.context)?;
            Some(PrinterMembers::placed(&element, at(members.word(&start)?, size)))
        }
        "array" => {
            let elements = members.part(&["_M_elems"])?;
            let (_, ty) = stripped(elements.ty(), members.context);
            let (element, ..) = element_of(&ty, members.context)?;
            let size = size_of(&element, members.context)?;
            Some(elements.part(element, at(0, size), None))
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
            Some(PrinterMembers::placed(&element, at(members.word(&to)?, size)))
        }
        _ => None,
    }
}

/// Returns the first or last element; `None` if the container is empty.
fn end(members: &PrinterMembers<'_>, template: &str, first: bool) -> Option<Value> {
    let node = |path: &[&str], links: u64| {
        let element = members.argument(members.value.ty(), 0)?;
        let behind = behind(members, links, &element);
        Some(PrinterMembers::placed(&element, members.number(path)?.wrapping_add(behind)))
    };
    if is_empty(members, template)? {
        return None;
    }
    match template {
        "list" if first => node(&["_M_impl", "_M_node", "_M_next"], 16),
        "list" => node(&["_M_impl", "_M_node", "_M_prev"], 16),
        "forward_list" if first => node(&["_M_impl", "_M_head", "_M_next"], 8),
        _ if first => nth(members, template, 0),
        _ => nth(members, template, i128::from(count(members, template)?) - 1),
    }
}

/// Returns the pointer in a smart pointer.
fn pointer(members: &PrinterMembers<'_>, template: &str) -> Option<Value> {
    match template {
        "unique_ptr" => tuple_values(members, &members.part(&["_M_t", "_M_t"])?)?.into_iter().next(),
        "shared_ptr" => members.part(&["_M_ptr"]),
        _ => None,
    }
}
