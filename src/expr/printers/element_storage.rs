//! Containers of the C++ standard library (libstdc++), and of Eigen, that store their elements one after another, as arrays.

use super::containers::vector_elements;
use super::eigen::Dense;
use super::iterators::span_length;
use super::printer_members::PrinterMembers;
use crate::context::EvalContext;
use crate::types::size_of;
use crate::value::Value;
use debuginfo::types::TypeRef;
use debuginfo::types::builtin::array_of;

/// Returns the elements of a container as an array; `None` for containers that store them otherwise.
pub(crate) fn elements(value: &Value, name: &str, context: &EvalContext<'_>) -> Option<Value> {
    let look = PrinterMembers { value, context };
    if is_matrix(name) {
        return Dense::of(&look, name).map(|dense| dense.array());
    }
    let plain = name.strip_prefix("std::")?;
    let pointed = |pointer: &[&str], length: u64| {
        let pointer = look.part(pointer)?;
        array_at(&look, &look.pointed(&pointer)?, look.word(&pointer)?, length)
    };
    match plain.split('<').next()? {
        "vector" => {
            let (element, first, length) = vector_elements(&look)?;
            array_at(&look, &element, first, u64::try_from(length).ok()?)
        }
        "array" => look.part(&["_M_elems"]),
        "valarray" => pointed(&["_M_data"], look.number(&["_M_size"])?),
        "initializer_list" => pointed(&["_M_array"], look.number(&["_M_len"])?),
        "span" => pointed(&["_M_ptr"], span_length(&look, name)?),
        _ => None,
    }
}

/// True for types whose elements are named by a row and a column in parentheses.
pub(crate) fn is_matrix(name: &str) -> bool {
    name.starts_with("Eigen::")
}

/// Returns an array at an address.
pub(super) fn array_at(members: &PrinterMembers<'_>, element: &TypeRef, address: u64, count: u64) -> Option<Value> {
    array_of_elements(members.context, element, address, count)
}

/// As [`array_at`], in a context.
pub(crate) fn array_of_elements(
    context: &EvalContext<'_>,
    element: &TypeRef,
    address: u64,
    count: u64,
) -> Option<Value> {
    let size = size_of(element, context)?;
    Some(PrinterMembers::placed(&array_of(element.clone(), Some(size), Some(count)), address))
}
