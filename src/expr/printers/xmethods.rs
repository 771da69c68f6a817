//! Computes methods of containers and smart pointers of the C++ standard library (libstdc++) without calling them: most
//! programs contain no code of these methods, since it was inlined. gdb has the same ones from the library's Python.
//! Those of Eigen's matrices are computed, too.

use super::characters::{Characters, template};
use super::container::Container;
use super::eigen::Dense;
use super::element_storage::is_matrix;
use super::elements::{capacity, count, end, is_empty, no_element, nth};
use super::held_values::{alternative, of_optional, pointer, pointer_to_it, uses};
use super::iterators::{array_iterator, hash_iterator, iterator};
use super::keyed_methods::{is_keyed, keyed_method};
use super::printer_members::PrinterMembers;
use super::string_methods::string_method;
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::access::pointed_object;
use crate::eval::operand::{Operand, integer_value};
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::Kind;
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
    if let Some(characters) = Characters::of(&look, template) {
        let value = characters.method(method, arguments, context)?;
        let value =
            value.map_or_else(|| string_method(&characters, method, arguments, context), |value| Ok(Some(value)))?;
        if value.is_some() {
            return Ok(value);
        }
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
