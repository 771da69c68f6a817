//! Containers of the Rust library, shown by their contents in the words of rustc's gdb printers.

use super::container::Container;
use super::element_storage::array_at;
use super::printer_members::PrinterMembers;
use crate::EvalError;
use crate::context::EvalContext;
use crate::types::{size_of, stripped};
use crate::value::Value;
use debuginfo::types::builtin::Builtin;
use debuginfo::types::{Kind, TypeRef};
use model::VirtualAddress;
use model::aif::ChildStyle;

/// Returns the name of a library type without its modules; `None` for other types.
fn library_name(name: &str) -> Option<&str> {
    let path = name.split('<').next()?;
    let inside = path.strip_prefix("alloc::").or(path.strip_prefix("core::")).or(path.strip_prefix("std::"))?;
    inside.rsplit("::").next()
}

/// Returns the contents of a container; `None` for an unknown type, or a layout other than the library's.
pub(crate) fn rust_container(value: &Value, name: &str, context: &EvalContext<'_>) -> Option<Container> {
    let look = PrinterMembers { value, context };
    if !matches!(stripped(value.ty(), context).1.kind, Kind::Aggregate { .. }) {
        return None;
    }
    if matches!(name, "&str" | "&mut str") {
        return text(&look, &["data_ptr"], &["length"]);
    }
    if name.starts_with("*mut [") || name.starts_with("*const [") {
        return plain_slice(&look, name);
    }
    let is_reference = name.starts_with("&[") || name.starts_with("&mut [");
    if !is_reference && !name.starts_with("alloc::") && !name.starts_with("core::") && !name.starts_with("std::") {
        return None;
    }
    let container = match library_name(name) {
        _ if is_reference => slice(&look, name),
        Some("String") => text(&look, &["vec", "buf", "inner", "ptr", "pointer", "pointer"], &["vec", "len"]),
        Some("OsString") => {
            let vec = |rest: &[&'static str]| [&["inner", "inner"], rest].concat();
            text(&look, &vec(&["buf", "inner", "ptr", "pointer", "pointer"]), &vec(&["len"]))
        }
        Some("Vec") => vec(&look),
        Some("VecDeque") => vec_deque(&look),
        Some("Rc") => counted(&look, "Rc", "value", &["value", "value"]),
        Some("Arc") => counted(&look, "Arc", "data", &["v", "value"]),
        Some("Cell") => cell(&look),
        Some("RefCell") => borrowed(&look, "RefCell", &["value", "value"], "value", &["borrow", "value", "value"]),
        Some("Ref" | "RefMut") => borrow_guard(&look),
        Some("NonZero") => only_field(&look),
        Some("HashMap") if name.starts_with("std::") => hash_table(&look, &["base", "table"], true),
        Some("HashSet") if name.starts_with("std::") => hash_table(&look, &["base", "map", "table"], false),
        Some("BTreeMap") => b_tree(&look, value.clone(), true),
        Some("BTreeSet") => b_tree(&look, look.part(&["map"])?, false),
        _ => None,
    };
    match container {
        Some(container) => Some(container),
        None => plain_slice(&look, name),
    }
}

/// Returns the bytes of a library string, up to the longest that is compared; `None` if it is not a string.
pub(crate) fn text_bytes(value: &Value, s: &EvalContext<'_>) -> Result<Option<Vec<u8>>, EvalError> {
    let name = stripped(value.ty(), s).1.name.clone();
    let Some(Container::Text { address, length, .. }) = name.and_then(|name| rust_container(value, &name, s)) else {
        return Ok(None);
    };
    let mut bytes = vec![0; length.min(LONGEST_TEXT) as usize];
    s.read(VirtualAddress(address), &mut bytes)?;
    Ok(Some(bytes))
}

/// Longest string that is compared, in bytes.
const LONGEST_TEXT: u64 = 1 << 20;

fn text(members: &PrinterMembers<'_>, pointer: &[&str], length: &[&str]) -> Option<Container> {
    let pointer = members.part(pointer)?;
    members.pointed(&pointer)?;
    // Outside strings these bytes are numbers, so the type must be a character.
    let unit = Builtin::Char.ty();
    Some(Container::Text { address: members.word(&pointer)?, length: members.number(length)?, unit })
}

/// Reads the elements at addresses, up to the first that cannot be read.
fn elements(
    members: &PrinterMembers<'_>,
    title: String,
    element: &TypeRef,
    addresses: impl Iterator<Item = u64>,
) -> Container {
    let size = size_of(element, members.context).unwrap_or(0).min(crate::value::LONGEST) as usize;
    let mut bytes = vec![0; size];
    let mut values = Vec::new();
    for address in addresses.take(members.most() as usize) {
        values.push((None, PrinterMembers::placed(element, address)));
        if members.context.read(VirtualAddress(address), &mut bytes).is_err() {
            break;
        }
    }
    Container::Held { title, style: ChildStyle::Plain, values, more: false }
}

fn slice(members: &PrinterMembers<'_>, name: &str) -> Option<Container> {
    let pointer = members.part(&["data_ptr"])?;
    let (element, first) = (members.pointed(&pointer)?, members.word(&pointer)?);
    let length = members.number(&["length"])?;
    let size = size_of(&element, members.context)?;
    let addresses = (0..length).map(|number| first.wrapping_add(number.wrapping_mul(size)));
    Some(elements(members, format!("{name}(size={length})"), &element, addresses))
}

/// Shows a type that has exactly a pointer and a length and is not a reference.
fn plain_slice(members: &PrinterMembers<'_>, name: &str) -> Option<Container> {
    let (_, found) = stripped(members.value.ty(), members.context);
    let Kind::Aggregate { members: fields, .. } = &found.kind else { return None };
    let [first, second] = fields.as_slice() else { return None };
    if first.name.as_deref() != Some("data_ptr") || second.name.as_deref() != Some("length") {
        return None;
    }
    let pointer = members.part(&["data_ptr"])?;
    let (element, address, length) =
        (members.pointed(&pointer)?, members.word(&pointer)?, members.number(&["length"])?);
    Some(Container::Slice { name: name.to_owned(), address, length, element })
}

/// Returns the address of a vector's elements.
fn buffer(members: &PrinterMembers<'_>) -> Option<u64> {
    members.number(&["buf", "inner", "ptr", "pointer", "pointer"])
}

/// Returns the elements of a vector or slice as an array.
pub(crate) fn rust_elements(value: &Value, name: &str, context: &EvalContext<'_>) -> Option<Value> {
    let look = PrinterMembers { value, context };
    if library_name(name) == Some("Vec") {
        return array_at(&look, &look.argument(value.ty(), 0)?, buffer(&look)?, look.number(&["len"])?);
    }
    let pointer = look.part(&["data_ptr"])?;
    array_at(&look, &look.pointed(&pointer)?, look.word(&pointer)?, look.number(&["length"])?)
}

fn vec(members: &PrinterMembers<'_>) -> Option<Container> {
    let element = members.argument(members.value.ty(), 0)?;
    let (first, length) = (buffer(members)?, members.number(&["len"])?);
    let size = size_of(&element, members.context)?;
    let addresses = (0..length).map(|number| first.wrapping_add(number.wrapping_mul(size)));
    Some(elements(members, format!("Vec(size={length})"), &element, addresses))
}

fn vec_deque(members: &PrinterMembers<'_>) -> Option<Container> {
    let element = members.argument(members.value.ty(), 0)?;
    let (first, length, head) = (buffer(members)?, members.number(&["len"])?, members.number(&["head"])?);
    let capacity = members.number(&["buf", "inner", "cap", "0"])?;
    let size = size_of(&element, members.context)?;
    let addresses = (0..length).map(|number| {
        let place = head.wrapping_add(number).checked_rem(capacity).unwrap_or(0);
        first.wrapping_add(place.wrapping_mul(size))
    });
    Some(elements(members, format!("VecDeque(size={length})"), &element, addresses))
}

/// Shows a reference-counted value with its counts.
fn counted(members: &PrinterMembers<'_>, name: &str, held: &str, count: &[&str]) -> Option<Container> {
    let block = members.part(&["ptr", "pointer"])?;
    let value = members.at(&block, &[held])?;
    let strong = members.at(&members.at(&block, &["strong"])?, count)?;
    let weak = members.at(&members.at(&block, &["weak"])?, count)?;
    // All strong references together hold one weak reference.
    let others = members.word(&weak)?.wrapping_sub(1);
    let title = format!("{name}(strong={}, weak={others})", members.word(&strong)?);
    let others = Value::known(weak.ty().clone(), others.to_le_bytes().to_vec());
    let values = vec![("value", value), ("strong", strong), ("weak", others)];
    Some(named(title, values))
}

fn cell(members: &PrinterMembers<'_>) -> Option<Container> {
    Some(named("Cell".to_owned(), vec![("value", members.part(&["value", "value"])?)]))
}

fn borrowed(
    members: &PrinterMembers<'_>,
    name: &str,
    held: &[&str],
    word: &'static str,
    count: &[&str],
) -> Option<Container> {
    let (value, borrow) = (members.part(held)?, members.part(count)?);
    let title = match members.word(&borrow)? as i64 {
        borrow @ 0.. => format!("{name}(borrow={borrow})"),
        borrow => format!("{name}(borrow_mut={})", borrow.wrapping_neg()),
    };
    Some(named(title, vec![(word, value), ("borrow", borrow)]))
}

/// Shows the borrowed value, which the guard points to.
fn borrow_guard(members: &PrinterMembers<'_>) -> Option<Container> {
    let pointer = members.part(&["value", "pointer"])?;
    let target = PrinterMembers::placed(&members.pointed(&pointer)?, members.word(&pointer)?);
    let count = ["borrow", "borrow", "value", "value"];
    let guard = borrowed(members, "Ref", &["value"], "*value", &count)?;
    let Container::Named { title, mut values } = guard else { return None };
    values.first_mut()?.1 = target;
    Some(Container::Named { title, values })
}

/// Shows the number inside two nested structs.
fn only_field(members: &PrinterMembers<'_>) -> Option<Container> {
    let mut value = members.value.clone();
    for _ in 0..2 {
        let (_, found) = stripped(value.ty(), members.context);
        let Kind::Aggregate { members: fields, .. } = &found.kind else { return None };
        let [only] = fields.as_slice() else { return None };
        value = value.part(only.ty.clone(), only.offset, None);
    }
    Some(Container::Shown(value))
}

/// Shows a hash table: the buckets lie before the bytes that tell which of them are in use.
fn hash_table(members: &PrinterMembers<'_>, path: &[&str], map: bool) -> Option<Container> {
    let table = members.part(path)?;
    let pair = members.argument(table.ty(), 0)?;
    let size = size_of(&pair, members.context)?;
    let of_table = |path: &[&str]| members.word(&members.at(&table, path)?);
    let (items, mask) = (of_table(&["table", "items"])?, of_table(&["table", "bucket_mask"])?);
    let control = of_table(&["table", "ctrl", "pointer"])?;
    let mut values = Vec::new();
    let mut bucket = 0_u64;
    while (values.len() as u64) < items.min(members.most()) && bucket <= mask {
        let mut byte = [0];
        members.context.read(VirtualAddress(control.wrapping_add(bucket)), &mut byte).ok()?;
        bucket += 1;
        if byte[0] & 0x80 == 0 {
            let pair = PrinterMembers::placed(&pair, control.wrapping_sub(bucket.wrapping_mul(size)));
            let key = members.at(&pair, &["0"])?;
            values.push(if map { (Some(key), members.at(&pair, &["1"])?) } else { (None, key) });
        }
    }
    let (name, style) = if map { ("HashMap", ChildStyle::Keyed) } else { ("HashSet", ChildStyle::Plain) };
    Some(Container::Held { title: format!("{name}(size={items})"), style, values, more: items > members.most() })
}

/// Shows a B-tree: nodes of up to eleven keys, with child nodes except at the lowest level.
fn b_tree(members: &PrinterMembers<'_>, map: Value, valued: bool) -> Option<Container> {
    let length = members.word(&members.at(&map, &["length"])?)?;
    let (key, value) = (members.argument(map.ty(), 0)?, members.argument(map.ty(), 1)?);
    let mut walk = Walk { look: members, key, value, found: Vec::new() };
    if length > 0 {
        let root = members.at(&map, &["root", "0"])?;
        let node = members.at(&root, &["node", "pointer"])?;
        walk.node(&node, members.word(&members.at(&root, &["height"])?)?)?;
    }
    let values = walk.found.into_iter();
    let values = if valued {
        values.map(|(key, value)| (Some(key), value)).collect()
    } else {
        values.map(|(key, _)| (None, key)).collect()
    };
    let (name, style) = if valued { ("BTreeMap", ChildStyle::Keyed) } else { ("BTreeSet", ChildStyle::Plain) };
    Some(Container::Held { title: format!("{name}(size={length})"), style, values, more: length > members.most() })
}

/// Walks the nodes of a tree in the order of the keys.
struct Walk<'a> {
    look: &'a PrinterMembers<'a>,
    key: TypeRef,
    value: TypeRef,
    found: Vec<(Value, Value)>,
}

/// More levels than fit into memory.
const HIGHEST: u64 = 20;

impl Walk<'_> {
    fn node(&mut self, node: &Value, height: u64) -> Option<()> {
        let look = self.look;
        let leaf = look.pointed(node)?;
        let address = look.word(node)?;
        let here = PrinterMembers::placed(&leaf, address);
        let length = look.word(&look.at(&here, &["len"])?)?.min(11);
        let (keys, values) = (look.at(&here, &["keys"])?.address()?.0, look.at(&here, &["vals"])?.address()?.0);
        let sizes = (size_of(&self.key, look.context)?, size_of(&self.value, look.context)?);
        // An inner node begins with all the members of a leaf; its edges follow.
        let edges = address.wrapping_add(size_of(&leaf, look.context)?);
        for number in 0..=length {
            if height > 0 && height < HIGHEST {
                let mut below = [0; 8];
                look.context.read(VirtualAddress(edges.wrapping_add(8 * number)), &mut below).ok()?;
                self.node(&Value::known(node.ty().clone(), below.to_vec()), height - 1)?;
            }
            if self.found.len() as u64 >= look.most() {
                return Some(());
            }
            if number < length {
                let key = PrinterMembers::placed(&self.key, keys.wrapping_add(number * sizes.0));
                let value = PrinterMembers::placed(&self.value, values.wrapping_add(number * sizes.1));
                self.found.push((key, value));
            }
        }
        Some(())
    }
}

fn named(title: String, values: Vec<(&str, Value)>) -> Container {
    Container::Named { title, values: values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect() }
}
