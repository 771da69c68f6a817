//! Iterators and adapters of the C++ standard library (libstdc++), shown by the element they point to or the container
//! they wrap, in the words of its gdb printers.

use super::container::Container;
use super::containers::{behind, pointer_at};
use super::printer_members::PrinterMembers;
use crate::types::{size_of, stripped};
use crate::value::Value;
use debuginfo::template_parts;
use debuginfo::types::builtin::Builtin;
use debuginfo::types::{Encoding, Kind};
use model::Datum;
use model::aif::{ChildStyle, FormatOptions, as_gdb_spells, format};

/// Bytes of a node's links, before its value.
#[derive(Clone, Copy)]
enum Links {
    Tree = 32,
    List = 16,
    ForwardList = 8,
}

fn nothing(of: &str) -> Container {
    Container::Words(format!("non-dereferenceable iterator for {of}"))
}

/// Shows the element that a container's iterator points to, or that it points to none.
pub(crate) fn iterator(members: &PrinterMembers<'_>, template: &str) -> Option<Container> {
    match template {
        "_Rb_tree_iterator" | "_Rb_tree_const_iterator" => {
            at_node(members, "_M_node", Links::Tree, "associative container")
        }
        "_List_iterator" | "_List_const_iterator" => at_node(members, "_M_node", Links::List, "std::list"),
        "_Fwd_list_iterator" | "_Fwd_list_const_iterator" => {
            at_node(members, "_M_node", Links::ForwardList, "std::forward_list")
        }
        "_Deque_iterator" => at_pointer(members, "_M_cur", "std::deque"),
        "_Bit_iterator" | "_Bit_const_iterator" => {
            let offset = members.number(&["_M_offset"])?;
            bit(members, 1_u64.checked_shl(offset as u32)?, "non-dereferenceable iterator for std::vector<bool>")
        }
        "_Bit_reference" => {
            let mask = members.number(&["_M_mask"])?;
            bit(members, mask, "invalid std::vector<bool>::reference")
        }
        _ => None,
    }
}

/// Iterators of vectors and strings are pointers.
pub(crate) fn array_iterator(members: &PrinterMembers<'_>) -> Option<Container> {
    at_pointer(members, "_M_current", "std::vector")
}

fn at_pointer(members: &PrinterMembers<'_>, member: &str, of: &str) -> Option<Container> {
    let pointer = members.part(&[member])?;
    let address = members.word(&pointer)?;
    if address == 0 {
        return Some(nothing(of));
    }
    Some(Container::Shown(PrinterMembers::placed(&members.pointed(&pointer)?, address)))
}

/// Iterators of unordered containers; gdb shows them by their members.
pub(super) fn hash_iterator(members: &PrinterMembers<'_>) -> Option<Container> {
    at_node(members, "_M_cur", Links::ForwardList, "unordered container")
}

fn at_node(members: &PrinterMembers<'_>, member: &str, links: Links, of: &str) -> Option<Container> {
    let node = members.number(&[member])?;
    if node == 0 {
        return Some(nothing(of));
    }
    let nested = |name: &str| members.context.symbols().nested_type(members.value.ty(), name);
    let held = nested("value_type");
    let pointed = || match &stripped(&nested("pointer")?, members.context).1.kind {
        Kind::Pointer(target) => Some(target.clone()),
        _ => None,
    };
    // Unused nested type names may be missing from the debug information.
    let held = held.or_else(pointed).or_else(|| members.argument(members.value.ty(), 0))?;
    Some(Container::Shown(PrinterMembers::placed(&held, node.wrapping_add(behind(members, links as u64, &held)))))
}

fn bit(members: &PrinterMembers<'_>, mask: u64, nowhere: &str) -> Option<Container> {
    let address = members.number(&["_M_p"])?;
    if address == 0 {
        return Some(Container::Words(nowhere.to_owned()));
    }
    let truth = u8::from(pointer_at(members, address)? & mask != 0);
    Some(Container::Shown(Value::known(Builtin::CplusplusBool.ty(), vec![truth])))
}

/// Shows the container that a stack or queue wraps.
pub(crate) fn adapter(members: &PrinterMembers<'_>, template: &str) -> Option<Container> {
    let wrapped = members.part(&["c"])?;
    let (_, ty) = stripped(wrapped.ty(), members.context);
    let wrapping = |title: String| format!("std::{template} wrapping: {title}");
    Some(match members.context.language().container(&wrapped, ty.name.as_deref()?, members.context)? {
        Container::Held { title, style, values, more } => {
            Container::Held { title: wrapping(title), style, values, more }
        }
        Container::Named { title, values } => Container::Named { title: wrapping(title), values },
        _ => return None,
    })
}

fn elements_from(members: &PrinterMembers<'_>, title: &str, pointer: &Value, length: u64) -> Option<Container> {
    let element = members.pointed(pointer)?;
    let (first, size) = (members.word(pointer)?, size_of(&element, members.context)?);
    let place = |number: u64| first.wrapping_add(number.wrapping_mul(size));
    let values =
        (0..length.min(members.most())).map(|number| (None, PrinterMembers::placed(&element, place(number)))).collect();
    let title = format!("{title} of length {}", length as i64);
    Some(Container::Held { title, style: ChildStyle::Plain, values, more: length > members.most() })
}

pub(crate) fn initializer_list(members: &PrinterMembers<'_>) -> Option<Container> {
    elements_from(members, "std::initializer_list", &members.part(&["_M_array"])?, members.number(&["_M_len"])?)
}

/// Returns the length of a span, which is in its type or in a member.
pub(super) fn span_length(members: &PrinterMembers<'_>, name: &str) -> Option<u64> {
    let own = || members.number(&["_M_extent", "_M_extent_value"]);
    let (_, arguments, _) = template_parts(name)?;
    let digits = arguments.get(1)?.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    digits.parse::<u64>().ok().filter(|length| *length != u64::MAX).or_else(own)
}

pub(crate) fn span(members: &PrinterMembers<'_>, name: &str) -> Option<Container> {
    elements_from(members, "std::span", &members.part(&["_M_ptr"])?, span_length(members, name)?)
}

/// Shows the bits that are set.
pub(crate) fn bitset(members: &PrinterMembers<'_>, name: &str) -> Option<Container> {
    let (_, arguments, _) = template_parts(name)?;
    let bits: u64 = arguments.first()?.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse().ok()?;
    let mut values = Vec::new();
    if bits > 0 {
        let words = members.part(&["_M_w"])?.address()?.0;
        for number in 0..bits.div_ceil(64) {
            let word = pointer_at(members, words.wrapping_add(8 * number))?;
            let set = (0..64).filter(|bit| word >> bit & 1 == 1);
            let one = || Value::known(Builtin::Long.ty(), 1_u64.to_le_bytes().to_vec());
            values.extend(set.map(|bit| (format!("[{}]", 64 * number + bit), one())));
            if values.len() as u64 > members.most() {
                break;
            }
        }
    }
    Some(Container::Named { title: "std::bitset".to_owned(), values })
}

/// Shows the value of an atomic variable.
pub(crate) fn atomic(members: &PrinterMembers<'_>) -> Option<Container> {
    let ty = members.argument(members.value.ty(), 0)?;
    let path: &[&str] = match &stripped(&ty, members.context).1.kind {
        Kind::Base(Encoding::Float) => &["_M_fp"],
        Kind::Base(Encoding::Boolean) => &["_M_base", "_M_i"],
        Kind::Pointer(_) => &["_M_b", "_M_p"],
        Kind::Base(_) | Kind::Enumeration { .. } => &["_M_i"],
        // Atomic shared pointers and classes are larger than a word.
        _ => return None,
    };
    let datum = members.part(path)?.to_datum(members.context).ok()?;
    let text = format(&Datum { type_name: String::new(), ..datum }, &FormatOptions::default()).ok()?;
    Some(Container::Words(format!("std::atomic<{}> = {{ {text} }}", as_gdb_spells(&members.context.type_name(&ty)))))
}
