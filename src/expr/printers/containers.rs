//! Containers of the C++ standard library (libstdc++), shown by their contents in the words of its gdb printers.

use super::characters::Characters;
use super::container::Container;
use super::printer_members::PrinterMembers;
use crate::EvalError;
use crate::context::EvalContext;
use crate::eval::access::member;
use crate::types::{size_of, stripped};
use crate::value::Value;
use debuginfo::types::builtin::Builtin;
use debuginfo::types::{Kind, TypeRef};
use model::VirtualAddress;
use model::aif::ChildStyle;

/// Offset of the parent link in a tree node.
pub(super) const PARENT: u64 = 8;
pub(super) const LEFT: u64 = 16;
pub(super) const RIGHT: u64 = 24;
/// Limit on steps up or down a tree; more means a cycle.
pub(super) const DEEPEST_TREE: u32 = 128;

/// The layout of a deque's elements: blocks of equal length.
pub(crate) struct Deque {
    pub element: TypeRef,
    /// Size of an element in bytes.
    pub size: u64,
    /// Elements in a block.
    pub block: u64,
    /// Address of the pointer to the first block.
    pub first_block: u64,
    start: u64,
    start_last: u64,
    /// Unused slots of the first block, before the first element.
    pub skipped: u64,
    /// Number of elements; negative if the deque is damaged.
    pub count: i64,
}

/// Formats a count as the printers do.
fn elements(count: u64) -> String {
    if count == 1 { "1 element".into() } else { format!("{count} elements") }
}

fn arguments(members: &PrinterMembers<'_>) -> Vec<TypeRef> {
    members.context.symbols().template_arguments(members.value.ty())
}

/// Shows a string or string view.
pub(super) fn string(members: &PrinterMembers<'_>, template: &str) -> Option<Container> {
    let Characters { unit, address, length } = Characters::of(members, template)?;
    Some(Container::Text { address, length, unit })
}

/// Returns the type of a vector's elements, the address of the first and their count, negative if the vector is
/// damaged; `None` for a vector of bool.
pub(super) fn vector_elements(members: &PrinterMembers<'_>) -> Option<(TypeRef, u64, i64)> {
    let start = members.part(&["_M_impl", "_M_start"])?;
    let target = members.pointed(&start)?;
    let first = members.word(&start)?;
    let size = size_of(&target, members.context).filter(|size| *size > 0)?;
    let length = (members.number(&["_M_impl", "_M_finish"])?.wrapping_sub(first) as i64) / size as i64;
    Some((target, first, length))
}

pub(super) fn vector(members: &PrinterMembers<'_>) -> Option<Container> {
    let start = members.part(&["_M_impl", "_M_start"])?;
    let end = ["_M_impl", "_M_end_of_storage"];
    if members.pointed(&start).is_some() {
        let (target, first, length) = vector_elements(members)?;
        let size = size_of(&target, members.context)?;
        let capacity = (members.number(&end)?.wrapping_sub(first) as i64) / size as i64;
        let title = format!("std::vector of length {length}, capacity {capacity}");
        // If the end is before the start, there is no bound but our own.
        let shown = u64::try_from(length).unwrap_or(members.most()).min(members.most());
        let values = (0..shown).map(|n| (None, PrinterMembers::placed(&target, first + n * size)));
        let more = length > shown as i64;
        return Some(Container::Held { title, style: ChildStyle::Plain, values: values.collect(), more });
    }
    let bits = Bits::of(members)?;
    let length = bits.length;
    let capacity = bits_between(bits.first, members.number(&end)?).wrapping_sub(bits.begin);
    let title = format!("std::vector<bool> of length {length}, capacity {capacity}");
    let mut values = Vec::new();
    for bit in 0..length.min(members.most()) {
        values.push((None, bits.nth(members, bit)?));
    }
    Some(Container::Held { title, style: ChildStyle::Plain, values, more: length > members.most() })
}

fn bits_between(from: u64, to: u64) -> u64 {
    to.wrapping_sub(from).wrapping_mul(8)
}

/// The elements of a vector of bool: bits in words.
pub(super) struct Bits {
    /// Address of the first word.
    first: u64,
    /// The first bit in use.
    begin: u64,
    pub(super) length: u64,
}

impl Bits {
    pub(super) fn of(members: &PrinterMembers<'_>) -> Option<Self> {
        let (start, finish) = (members.part(&["_M_impl", "_M_start"])?, members.part(&["_M_impl", "_M_finish"])?);
        let word = |end: &Value, name: &str| members.word(&members.at(end, &[name])?);
        let (first, last) = (word(&start, "_M_p")?, word(&finish, "_M_p")?);
        let begin = word(&start, "_M_offset")?;
        let length = bits_between(first, last).wrapping_add(word(&finish, "_M_offset")?).wrapping_sub(begin);
        Some(Self { first, begin, length })
    }

    pub(super) fn nth(&self, members: &PrinterMembers<'_>, index: u64) -> Option<Value> {
        bit_of(members, self.first, self.begin.wrapping_add(index))
    }
}

fn bit_of(members: &PrinterMembers<'_>, first: u64, bit: u64) -> Option<Value> {
    let mut byte = [0];
    members.context.read(VirtualAddress(first.wrapping_add(bit / 8)), &mut byte).ok()?;
    let [byte] = byte;
    Some(Value::known(Builtin::CplusplusBool.ty(), vec![byte >> (bit % 8) & 1]))
}

/// Returns the elements of a container with nodes; in a map each is a key and a value.
fn held(
    members: &PrinterMembers<'_>,
    title: String,
    map: bool,
    addresses: &[u64],
    element: &TypeRef,
    more: bool,
) -> Option<Container> {
    let mut values = Vec::new();
    for address in addresses {
        let value = PrinterMembers::placed(element, *address);
        values.push(if map {
            (Some(members.at(&value, &["first"])?), members.at(&value, &["second"])?)
        } else {
            (None, value)
        });
    }
    let style = if map { ChildStyle::Keyed } else { ChildStyle::Numbered };
    Some(Container::Held { title, style, values, more })
}

/// Returns the element type of its nodes: in a map, pairs.
pub(super) fn element(members: &PrinterMembers<'_>, map: bool) -> Option<TypeRef> {
    let first = || members.argument(members.value.ty(), 0);
    if map { members.context.symbols().nested_type(members.value.ty(), "value_type") } else { first() }
}

/// Returns the offset of a node's value, after its links.
pub(crate) fn behind(members: &PrinterMembers<'_>, links: u64, ty: &TypeRef) -> u64 {
    behind_links(members.context, links, ty)
}

/// As [`behind`], in a context.
pub(super) fn behind_links(context: &EvalContext<'_>, links: u64, ty: &TypeRef) -> u64 {
    let alignment = context.symbols().alignment_of(ty).max(1);
    links.checked_next_multiple_of(alignment).unwrap_or(links)
}

pub(crate) fn pointer_at(members: &PrinterMembers<'_>, address: u64) -> Option<u64> {
    if members.context.budget().is_some_and(|budget| budget.read(8).is_err()) {
        return None;
    }
    let mut word = [0; 8];
    members.context.read(VirtualAddress(address), &mut word).ok()?;
    Some(u64::from_le_bytes(word))
}

/// Shows a red-black tree: nodes begin with colour, parent, left and right.
pub(super) fn tree(members: &PrinterMembers<'_>, template: &str) -> Option<Container> {
    let count = members.number(&["_M_t", "_M_impl", "_M_node_count"])?;
    let header = members.part(&["_M_t", "_M_impl", "_M_header"])?.address()?.0;
    let map = template.ends_with("map");
    let element = element(members, map)?;
    let behind = behind(members, 32, &element);
    let mut node = pointer_at(members, header + LEFT)?;
    let mut addresses = Vec::new();
    let title = format!("std::{template} with {}", elements(count));
    for number in 0..count.min(members.most()) {
        addresses.push(node.wrapping_add(behind));
        if number + 1 == count.min(members.most()) {
            break;
        }
        match next_in_tree(members, node) {
            Ok(next) => node = next,
            // Uninitialized or damaged: at the first node show gdb's error, later the elements found so far.
            Err(address) if number == 0 => {
                let why = format!("error reading variable: Cannot access memory at address {address:#x}");
                return Some(Container::Words(format!("{title}<{why}>")));
            }
            Err(_) => break,
        }
    }
    held(members, title, map, &addresses, &element, count > members.most())
}

/// Returns a node's successor: leftmost on its right, or the first ancestor that has it on the left; fails with the
/// address that cannot be read.
pub(super) fn next_in_tree(members: &PrinterMembers<'_>, mut node: u64) -> Result<u64, u64> {
    let at = |node: u64, link: u64| {
        let address = node.wrapping_add(link);
        pointer_at(members, address).ok_or(address)
    };
    let mut next = at(node, RIGHT)?;
    let mut steps = 0;
    if next != 0 {
        while let below = at(next, LEFT)?
            && below != 0
            && steps < DEEPEST_TREE
        {
            next = below;
            steps += 1;
        }
    } else {
        next = at(node, PARENT)?;
        while node == at(next, RIGHT)? && steps < DEEPEST_TREE {
            node = next;
            next = at(next, PARENT)?;
            steps += 1;
        }
    }
    Ok(next)
}

/// Returns the elements of linked nodes; the last one is unreadable if a link leads nowhere.
fn linked(members: &PrinterMembers<'_>, first: u64, end: u64, links: u64, element: &TypeRef) -> Vec<u64> {
    let behind = behind(members, links, element);
    let mut addresses = Vec::new();
    let mut node = first;
    while node != end && node != 0 && (addresses.len() as u64) < members.most() {
        addresses.push(node.wrapping_add(behind));
        let Some(next) = pointer_at(members, node) else { break };
        node = next;
    }
    addresses
}

pub(super) fn hashed(members: &PrinterMembers<'_>, template: &str) -> Option<Container> {
    let count = members.number(&["_M_h", "_M_element_count"])?;
    let first = members.number(&["_M_h", "_M_before_begin", "_M_nxt"])?;
    let map = template.ends_with("map");
    let element = element(members, map)?;
    let addresses = linked(members, first, 0, 8, &element);
    let title = format!("std::{template} with {}", elements(count));
    held(members, title, map, &addresses, &element, count > members.most())
}

pub(super) fn list(members: &PrinterMembers<'_>, new: bool) -> Option<Container> {
    let node = members.part(&["_M_impl", "_M_node"])?;
    let header = node.address()?.0;
    let element = element(members, false)?;
    let addresses = linked(members, pointer_at(members, header)?, header, 16, &element);
    let name = if new { "std::__cxx11::list" } else { "std::list" };
    let title = if addresses.is_empty() { format!("empty {name}") } else { name.to_owned() };
    held(members, title, false, &addresses, &element, addresses.len() as u64 >= members.most())
}

pub(super) fn forward_list(members: &PrinterMembers<'_>) -> Option<Container> {
    let first = members.number(&["_M_impl", "_M_head", "_M_next"])?;
    let element = element(members, false)?;
    let addresses = linked(members, first, 0, 8, &element);
    let title = if addresses.is_empty() { "empty std::forward_list" } else { "std::forward_list" };
    held(members, title.to_owned(), false, &addresses, &element, addresses.len() as u64 >= members.most())
}

/// Returns the layout of a deque's elements.
pub(crate) fn deque_parts(members: &PrinterMembers<'_>) -> Option<Deque> {
    let element = members.argument(members.value.ty(), 0)?;
    let size = size_of(&element, members.context).filter(|size| *size > 0)?;
    let block = if size < 512 { 512 / size } else { 1 };
    let at = |end: &str, what: &str| members.number(&["_M_impl", end, what]);
    let (start_node, finish_node) = (at("_M_start", "_M_node")?, at("_M_finish", "_M_node")?);
    let (start, start_last) = (at("_M_start", "_M_cur")?, at("_M_start", "_M_last")?);
    let (finish, finish_first) = (at("_M_finish", "_M_cur")?, at("_M_finish", "_M_first")?);
    let blocks = ((finish_node.wrapping_sub(start_node)) as i64) / 8;
    let count = block as i64 * (blocks - 1)
        + (finish.wrapping_sub(finish_first) as i64) / size as i64
        + (start_last.wrapping_sub(start) as i64) / size as i64;
    let skipped = block.saturating_sub(start_last.wrapping_sub(start) / size);
    Some(Deque { element, size, block, first_block: start_node, start, start_last, skipped, count })
}

/// Shows a deque: blocks of elements, and an array of pointers to them.
pub(super) fn deque(members: &PrinterMembers<'_>) -> Option<Container> {
    let Deque { element, size, block, first_block: start_node, start, start_last, count, .. } = deque_parts(members)?;
    let title =
        if count == 1 { "std::deque with 1 element".into() } else { format!("std::deque with {count} elements") };
    let count = u64::try_from(count).unwrap_or(0);
    let (mut node, mut address, mut last) = (start_node, start, start_last);
    let mut values = Vec::new();
    for _ in 0..count.min(members.most()) {
        if address == last {
            node = node.wrapping_add(8);
            let Some(next) = pointer_at(members, node) else {
                // The error is shown in place of the element.
                values.push((None, PrinterMembers::placed(&element, node)));
                break;
            };
            address = next;
            last = address.wrapping_add(block * size);
        }
        values.push((None, PrinterMembers::placed(&element, address)));
        address = address.wrapping_add(size);
    }
    Some(Container::Held { title, style: ChildStyle::Plain, values, more: count > members.most() })
}

fn base(members: &PrinterMembers<'_>, value: &Value, wanted: &str) -> Option<Value> {
    let (_, ty) = stripped(value.ty(), members.context);
    let Kind::Aggregate { members: fields, .. } = &ty.kind else { return None };
    fields.iter().filter(|member| member.base).find_map(|base| {
        let (_, found) = stripped(&base.ty, members.context);
        let found = found.name.as_deref()?.starts_with(wanted);
        found.then(|| value.part(base.ty.clone(), base.offset, None))
    })
}

/// Each element is in one base class, and the remaining elements in another.
pub(crate) fn tuple_values(members: &PrinterMembers<'_>, tuple: &Value) -> Option<Vec<Value>> {
    let mut node = base(members, tuple, "std::_Tuple_impl<");
    let mut values = Vec::new();
    while let Some(here) = node {
        let head = base(members, &here, "std::_Head_base<")?;
        values.push(members.at(&head, &["_M_head_impl"]).unwrap_or(head));
        node = base(members, &here, "std::_Tuple_impl<");
    }
    Some(values)
}

pub(super) fn pair(members: &PrinterMembers<'_>) -> Option<Container> {
    let named = |name: &str| Some((name.to_owned(), members.part(&[name])?));
    Some(Container::Named { title: String::new(), values: vec![named("first")?, named("second")?] })
}

/// Since GCC 13 the library's printers do not repeat template arguments, and they number the elements of a tuple from
/// 0.
fn has_brief_words(members: &PrinterMembers<'_>) -> bool {
    members.context.symbols().library_release() >= 13
}

pub(super) fn tuple(members: &PrinterMembers<'_>) -> Option<Container> {
    let values = tuple_values(members, members.value)?;
    let title = if values.is_empty() { "empty std::tuple" } else { "std::tuple containing" };
    let first = usize::from(!has_brief_words(members));
    let named = values.into_iter().enumerate().map(|(number, value)| (format!("[{}]", number + first), value));
    Some(Container::Named { title: title.to_owned(), values: named.collect() })
}

/// Shows the contained container in place of the value that contains it.
fn containing(members: &PrinterMembers<'_>, outer: &str, value: &Value) -> Option<Container> {
    let (_, ty) = stripped(value.ty(), members.context);
    Some(match members.context.language().container(value, ty.name.as_deref()?, members.context)? {
        Container::Held { title, style, values, more } => {
            Container::Held { title: format!("{outer} containing {title}"), style, values, more }
        }
        Container::Named { title, values } => Container::Named { title: format!("{outer} containing {title}"), values },
        _ => return None,
    })
}

pub(super) fn optional(members: &PrinterMembers<'_>) -> Option<Container> {
    let argument = members.argument(members.value.ty(), 0)?;
    let name = crate::lang::cpp::library_names::short_name(&members.context.type_name(&argument));
    let title = if has_brief_words(members) { "std::optional".to_owned() } else { format!("std::optional<{name}>") };
    if members.number(&["_M_payload", "_M_engaged"])? == 0 {
        return Some(Container::Named { title: format!("{title} [no contained value]"), values: Vec::new() });
    }
    let value = members.part(&["_M_payload", "_M_payload", "_M_value"])?;
    let held =
        || Container::Named { title: title.clone(), values: vec![("[contained value]".to_owned(), value.clone())] };
    Some(containing(members, &title, &value).unwrap_or_else(held))
}

pub(super) fn variant(members: &PrinterMembers<'_>) -> Option<Container> {
    let alternatives = arguments(members);
    let name = |ty: &TypeRef| crate::lang::cpp::library_names::short_name(&members.context.type_name(ty));
    let names: Vec<String> = alternatives.iter().map(name).collect();
    let title = if has_brief_words(members) {
        "std::variant".to_owned()
    } else {
        format!("std::variant<{}>", names.join(", "))
    };
    let index = members.number(&["_M_index"])?;
    let Some(chosen) = alternatives.get(index as usize) else {
        return Some(Container::Named { title: format!("{title} [no contained value]"), values: Vec::new() });
    };
    let storage = members.part(&["_M_u", "_M_first", "_M_storage"])?;
    let value = storage.part(chosen.clone(), 0, None);
    let title = format!("{title} [index {index}]");
    if let Some(container) = containing(members, &title, &value) {
        return Some(container);
    }
    Some(Container::Held { title, style: ChildStyle::Plain, values: vec![(None, value)], more: false })
}

fn got(title: String, pointer: Value, null: bool) -> Container {
    let values = if null { Vec::new() } else { vec![("get()".to_owned(), pointer)] };
    Container::Named { title, values }
}

pub(super) fn unique_pointer(members: &PrinterMembers<'_>) -> Option<Container> {
    let pointer = tuple_values(members, &members.part(&["_M_t", "_M_t"])?)?.into_iter().next()?;
    let argument = members.argument(members.value.ty(), 0)?;
    let title = format!("std::unique_ptr<{}>", members.context.type_name(&argument));
    // Arrays and null pointers are shown like any other pointer.
    Some(got(title, pointer, false))
}

pub(super) fn shared_pointer(members: &PrinterMembers<'_>, template: &str) -> Option<Container> {
    let pointer = members.part(&["_M_ptr"])?;
    let argument = members.argument(members.value.ty(), 0)?;
    let counts = members.part(&["_M_refcount", "_M_pi"])?;
    let state = if members.word(&counts)? == 0 {
        "empty".to_owned()
    } else {
        let count = |name: &str| -> Option<i32> {
            let value = member(&counts, name, true, members.context).ok()?;
            members.word(&value).map(|count| count as i32)
        };
        let (uses, weak) = (count("_M_use_count")?, count("_M_weak_count")?);
        if uses == 0 {
            format!("expired, weak count {weak}")
        } else {
            format!("use count {uses}, weak count {}", weak.wrapping_sub(1))
        }
    };
    let argument = members.context.type_name(&argument);
    Some(got(format!("std::{template}<{argument}> ({state})"), pointer, false))
}

/// Reads the bytes of a string, up to gdb's limit.
pub(crate) fn text_bytes(
    address: u64,
    length: u64,
    unit: u64,
    context: &EvalContext<'_>,
) -> Result<Vec<u8>, EvalError> {
    let mut bytes = vec![0; (length.min(context.limits().fetched()) * unit) as usize];
    context.read(VirtualAddress(address), &mut bytes)?;
    Ok(bytes)
}
