//! Computes methods of containers and smart pointers of the C++ standard library (libstdc++) without calling them: most
//! programs contain no code of these methods, since it was inlined. gdb has the same ones from the library's Python.
//! Those of Eigen's matrices are computed, too.

use super::characters::{Characters, distance, template};
use super::container::Container;
use super::containers::{Bits, behind, deque_parts, pointer_at, tuple_values};
use super::eigen::Dense;
use super::element_storage::is_matrix;
use super::iterators::{array_iterator, hash_iterator, iterator, span_length};
use super::keyed_methods::{is_keyed, keyed_method};
use super::printer_members::PrinterMembers;
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::access::pointed_object;
use crate::eval::operand::{Operand, converted, dereferenced, integer_value, pointer_value};
use crate::types::{element_of, size_of, stripped};
use crate::value::Value;
use debuginfo::types::Kind;
use debuginfo::types::builtin::{Builtin, pointer_to};

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
    let name = ty.name.as_deref().unwrap_or_default();
    if let ("operator*" | "operator->", []) = (method, arguments)
        && let Some(element) = at_iterator(&look, name)
    {
        return Ok(if method == "operator*" { Some(element) } else { pointer_to_it(&element) });
    }
    let Some(template) = template(name).filter(|name| !name.starts_with("__1::")) else {
        let shipped = context.shipped_printers();
        return shipped.map_or(Ok(None), |table| table.method(&object, method, arguments, context));
    };
    if let Some(inner) = adapted(&look, template, method) {
        let (inner, method) = inner?;
        return library_method(&inner, method, arguments, context);
    }
    if let Some(characters) = Characters::of(&look, template)
        && let Some(value) = characters.method(method, arguments, context)?
    {
        return Ok(Some(value));
    }
    if let (true, [key]) = (is_keyed(template), arguments) {
        return keyed_method(&look, template, method, key);
    }
    if template == "optional" {
        return of_optional(&look, method, arguments);
    }
    plain_method(&look, template, method, arguments)
}

/// Computes a method that reads a part of the container.
fn plain_method(
    look: &PrinterMembers<'_>,
    template: &str,
    method: &str,
    arguments: &[Value],
) -> Result<Option<Value>, EvalError> {
    let context = look.context;
    let truth = |holds: bool| integer_value(holds.into(), Builtin::CplusplusBool);
    match (method, arguments) {
        ("size", []) => Ok(count(look, template).map(|count| integer_value(i128::from(count), Builtin::UnsignedLong))),
        ("empty", []) => Ok(is_empty(look, template).map(truth)),
        ("front", []) => end(look, template, true),
        ("back", []) => end(look, template, false),
        ("data", []) => Ok(match template {
            "vector" => look.part(&["_M_impl", "_M_start"]).filter(|start| look.pointed(start).is_some()),
            "span" => look.part(&["_M_ptr"]),
            "array" => nth(look, template, 0).as_ref().and_then(pointer_to_it),
            _ => None,
        }),
        ("begin", []) if template == "initializer_list" => Ok(look.part(&["_M_array"])),
        ("capacity", []) => Ok(capacity(look, template).map(|most| integer_value(most.into(), Builtin::UnsignedLong))),
        ("get" | "operator->", []) => Ok(pointer(look, template)),
        ("operator*", []) => pointer(look, template).map(|to| pointed_object(&to, context)).transpose(),
        ("operator bool", []) => {
            pointer(look, template).map(|to| Ok(truth(Operand::of(&to, context)?.is_true()))).transpose()
        }
        ("use_count" | "expired", []) if matches!(template, "shared_ptr" | "weak_ptr") => {
            let Some(uses) = uses(look) else { return Ok(None) };
            Ok(match method {
                "use_count" => Some(integer_value(uses.into(), Builtin::Long)),
                _ => (template == "weak_ptr").then(|| truth(uses == 0)),
            })
        }
        ("index", []) if template == "variant" => Ok(alternative(look)),
        // A text is no index.
        ("operator[]" | "at", [index]) if !matches!(stripped(index.ty(), context).1.kind, Kind::Array { .. }) => {
            let Operand::Integer { value: index, .. } = Operand::of(index, context)? else { return Ok(None) };
            if method == "at"
                && count(look, template).is_some()
                && let Some(why) = no_element(look, template, index)
            {
                return Err(why);
            }
            let element = nth(look, template, index);
            if element.is_none()
                && let Some(why) = no_element(look, template, index)
            {
                return Err(why);
            }
            Ok(element)
        }
        _ => Ok(None),
    }
}

/// Returns the error for an index out of range; `None` for one within it, or a type without elements.
fn no_element(members: &PrinterMembers<'_>, template: &str, index: i128) -> Option<EvalError> {
    let name = if template.starts_with("basic_string") { "string" } else { template };
    let of_size = match count(members, template) {
        Some(count) if (0..i128::from(count)).contains(&index) => return None,
        Some(count) => format!(" of size {count}"),
        None if pointer(members, template).is_some_and(|to| members.pointed(&to).is_some()) => String::new(),
        None => return None,
    };
    Some(error(format!("Index {index} is out of range for this {name}{of_size}.")))
}

/// Returns the element that an iterator is at.
fn at_iterator(members: &PrinterMembers<'_>, name: &str) -> Option<Value> {
    let shown = match template(name) {
        Some("__detail::_Node_iterator" | "__detail::_Node_const_iterator") => hash_iterator(members),
        Some(template) => iterator(members, template),
        None if name.starts_with("__gnu_cxx::__normal_iterator<") => array_iterator(members),
        None => None,
    };
    match shown? {
        Container::Shown(element) => Some(element),
        _ => None,
    }
}

fn pointer_to_it(value: &Value) -> Option<Value> {
    Some(pointer_value(value.address()?.0, pointer_to(value.ty().clone())))
}

/// Returns the container in a stack or queue, and the method of it that a method of the adapter stands for.
fn adapted<'a>(
    members: &PrinterMembers<'_>,
    template: &str,
    method: &'a str,
) -> Option<Result<(Value, &'a str), EvalError>> {
    let inner = match (template, method) {
        ("stack" | "queue" | "priority_queue", "size" | "empty") | ("queue", "front" | "back") => method,
        ("stack", "top") => "back",
        ("priority_queue", "top") => "front",
        _ => return None,
    };
    members.part(&["c"]).map(|container| Ok((container, inner)))
}

/// Computes the methods of `std::optional`.
fn of_optional(members: &PrinterMembers<'_>, method: &str, arguments: &[Value]) -> Result<Option<Value>, EvalError> {
    let Some(engaged) = members.number(&["_M_payload", "_M_engaged"]) else { return Ok(None) };
    let engaged = engaged & 0xff != 0;
    let value = || match members.part(&["_M_payload", "_M_payload", "_M_value"]) {
        Some(_) if !engaged && members.context.has_effects() => Err(error("This optional has no value.")),
        value => Ok(value),
    };
    match (method, arguments) {
        ("has_value" | "operator bool", []) => Ok(Some(integer_value(engaged.into(), Builtin::CplusplusBool))),
        ("value" | "operator*", []) => value(),
        ("operator->", []) => Ok(value()?.as_ref().and_then(pointer_to_it)),
        ("value_or", [other]) => {
            if engaged {
                value()
            } else {
                alternative_value(members, other)
            }
        }
        _ => Ok(None),
    }
}

/// Converts an argument of `value_or` to the type that the method returns; `None` if only the program can.
fn alternative_value(members: &PrinterMembers<'_>, other: &Value) -> Result<Option<Value>, EvalError> {
    let context = members.context;
    let Some(ty) = members.argument(members.value.ty(), 0) else { return Ok(None) };
    let other = dereferenced(other, context)?;
    let ((_, wanted), (_, given)) = (stripped(&ty, context), stripped(other.ty(), context));
    match (&wanted.kind, &given.kind) {
        (Kind::Base(_) | Kind::Enumeration { .. }, Kind::Base(_) | Kind::Enumeration { .. })
        | (Kind::Pointer(_), Kind::Pointer(_) | Kind::Array { .. }) => {
            let bytes = converted(&other, &ty, context)?;
            Ok(Some(Value::known(ty, bytes)))
        }
        _ if wanted.name.is_some() && wanted.name == given.name => Ok(Some(other)),
        _ => Ok(None),
    }
}

/// Returns the number of a variant's alternative, which it stores in less than the type of `index()`; all bits are set
/// if it has none.
fn alternative(members: &PrinterMembers<'_>) -> Option<Value> {
    let stored = members.part(&["_M_index"])?;
    let bits = 8 * size_of(stored.ty(), members.context)?.clamp(1, 8);
    let none = u64::MAX >> (64 - bits);
    let index = members.word(&stored)? & none;
    let index = if index == none { u64::MAX } else { index };
    Some(integer_value(index.into(), Builtin::UnsignedLong))
}

/// Returns how many shared pointers own the object of a shared or weak pointer.
fn uses(members: &PrinterMembers<'_>) -> Option<u32> {
    let counts = members.part(&["_M_refcount", "_M_pi"])?;
    if members.word(&counts)? == 0 {
        return Some(0);
    }
    Some(members.word(&members.at(&counts, &["_M_use_count"])?)? as u32)
}

fn capacity(members: &PrinterMembers<'_>, template: &str) -> Option<u64> {
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
fn count(members: &PrinterMembers<'_>, template: &str) -> Option<u64> {
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

fn is_empty(members: &PrinterMembers<'_>, template: &str) -> Option<bool> {
    match template {
        "forward_list" => Some(members.number(&["_M_impl", "_M_head", "_M_next"])? == 0),
        _ => Some(count(members, template)? == 0),
    }
}

/// Returns an element by its index, even past the end: as in the program, it is not checked. `None` where there can be
/// none.
fn nth(members: &PrinterMembers<'_>, template: &str, index: i128) -> Option<Value> {
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
fn end(members: &PrinterMembers<'_>, template: &str, first: bool) -> Result<Option<Value>, EvalError> {
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

/// Returns the pointer in a smart pointer.
fn pointer(members: &PrinterMembers<'_>, template: &str) -> Option<Value> {
    match template {
        "unique_ptr" => tuple_values(members, &members.part(&["_M_t", "_M_t"])?)?.into_iter().next(),
        "shared_ptr" => members.part(&["_M_ptr"]),
        _ => None,
    }
}
