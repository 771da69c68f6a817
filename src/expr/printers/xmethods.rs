//! What is asked of containers and smart pointers of the C++ standard library (libstdc++) without calling anything: most
//! programs have no code of these methods, for it was inlined. The same are known to gdb by the library's Python.

use super::printer_members::PrinterMembers;
use crate::EvalError;
use crate::context::EvalContext;
use crate::eval::access::pointed_object;
use crate::eval::evaluator::error;
use crate::eval::operand::{Operand, integer_value};
use crate::types::{element_of, size_of, stripped};
use crate::value::Value;
use debuginfo::types::builtin::Builtin;

/// The outcome of a method or an operator (`operator[]`) of an object or of what points to it; `None` where the type or
/// the method is none that is known here.
pub(crate) fn library_method(
    object: &Value,
    method: &str,
    arguments: &[Value],
    context: &EvalContext<'_>,
) -> Result<Option<Value>, EvalError> {
    let object = pointed_object(object, context)?;
    let ty = stripped(object.ty(), context).1;
    let Some(template) = ty.name.as_deref().and_then(template) else { return Ok(None) };
    let look = PrinterMembers { value: &object, context };
    match (method, arguments) {
        ("size", []) => Ok(look.count(template).map(|count| integer_value(i128::from(count), Builtin::UnsignedLong))),
        ("empty", []) => Ok(look.is_empty(template).map(|empty| integer_value(empty.into(), Builtin::CplusplusBool))),
        ("front", []) => Ok(look.end(template, true)),
        ("back", []) => Ok(look.end(template, false)),
        ("get" | "operator->", []) => Ok(look.pointer(template)),
        ("operator*", []) => look.pointer(template).map(|to| pointed_object(&to, context)).transpose(),
        ("operator[]" | "at", [index]) => {
            let Operand::Integer { value: index, .. } = Operand::of(index, context)? else { return Ok(None) };
            let count = look.count(template);
            if let (true, Some(count)) = (method == "at", count)
                && !(0..i128::from(count)).contains(&index)
            {
                return Err(error(format!("The index {index} is not in this {template}: its size is {count}.")));
            }
            Ok(look.nth(template, index))
        }
        _ => Ok(None),
    }
}

/// The name of a template of the library.
fn template(name: &str) -> Option<&str> {
    let plain = name.strip_prefix("std::")?;
    plain.strip_prefix("__cxx11::").unwrap_or(plain).split('<').next()
}

impl PrinterMembers<'_> {
    /// Elements that it has, where that is written down or can be counted at once.
    fn count(&self, template: &str) -> Option<u64> {
        match template {
            "vector" => {
                let start = self.part(&["_M_impl", "_M_start"])?;
                let finish = self.number(&["_M_impl", "_M_finish"])?;
                let size = size_of(&self.pointed(&start)?, self.context).filter(|size| *size > 0)?;
                Some(finish.wrapping_sub(self.word(&start)?) / size)
            }
            "array" => {
                let elements = self.part(&["_M_elems"])?;
                let (_, ty) = stripped(elements.ty(), self.context);
                element_of(&ty, self.context)?.2
            }
            "deque" => u64::try_from(self.deque_parts()?.count).ok(),
            "list" => self.number(&["_M_impl", "_M_node", "_M_size"]),
            "map" | "multimap" | "set" | "multiset" => self.number(&["_M_t", "_M_impl", "_M_node_count"]),
            "unordered_map" | "unordered_multimap" | "unordered_set" | "unordered_multiset" => {
                self.number(&["_M_h", "_M_element_count"])
            }
            _ => None,
        }
    }

    fn is_empty(&self, template: &str) -> Option<bool> {
        match template {
            "forward_list" => Some(self.number(&["_M_impl", "_M_head", "_M_next"])? == 0),
            _ => Some(self.count(template)? == 0),
        }
    }

    /// An element by its number, also one behind the last: as in the program, nobody checks that.
    fn nth(&self, template: &str, index: i128) -> Option<Value> {
        let at = |first: u64, size: u64| (i128::from(first) + index * i128::from(size)) as u64;
        match template {
            "vector" => {
                let start = self.part(&["_M_impl", "_M_start"])?;
                let element = self.pointed(&start)?;
                let size = size_of(&element, self.context)?;
                Some(Self::placed(&element, at(self.word(&start)?, size)))
            }
            "array" => {
                let elements = self.part(&["_M_elems"])?;
                let (_, ty) = stripped(elements.ty(), self.context);
                let (element, ..) = element_of(&ty, self.context)?;
                let size = size_of(&element, self.context)?;
                Some(elements.part(element, at(0, size), None))
            }
            "deque" => {
                let parts = self.deque_parts()?;
                let number = u64::try_from(index).ok()?.checked_add(parts.skipped)?;
                let block = self.pointer_at(parts.first_block.wrapping_add(8 * (number / parts.block)))?;
                Some(Self::placed(&parts.element, block.wrapping_add(parts.size * (number % parts.block))))
            }
            "unique_ptr" | "shared_ptr" => {
                let to = self.pointer(template)?;
                let element = self.pointed(&to)?;
                let size = size_of(&element, self.context)?;
                Some(Self::placed(&element, at(self.word(&to)?, size)))
            }
            _ => None,
        }
    }

    /// The first or last element; none of what has none.
    fn end(&self, template: &str, first: bool) -> Option<Value> {
        let node = |path: &[&str], links: u64| {
            let element = self.argument(self.value.ty(), 0)?;
            let behind = self.behind(links, &element);
            Some(Self::placed(&element, self.number(path)?.wrapping_add(behind)))
        };
        if self.is_empty(template)? {
            return None;
        }
        match template {
            "list" if first => node(&["_M_impl", "_M_node", "_M_next"], 16),
            "list" => node(&["_M_impl", "_M_node", "_M_prev"], 16),
            "forward_list" if first => node(&["_M_impl", "_M_head", "_M_next"], 8),
            _ if first => self.nth(template, 0),
            _ => self.nth(template, i128::from(self.count(template)?) - 1),
        }
    }

    /// What a smart pointer holds.
    fn pointer(&self, template: &str) -> Option<Value> {
        match template {
            "unique_ptr" => self.tuple_values(&self.part(&["_M_t", "_M_t"])?)?.into_iter().next(),
            "shared_ptr" => self.part(&["_M_ptr"]),
            _ => None,
        }
    }
}
