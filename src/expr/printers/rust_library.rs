//! Containers of the Rust library as what they hold, with the words of the printers for gdb that come with its compiler.

use super::containers::Container;
use super::printer_members::PrinterMembers;
use crate::EvalError;
use crate::context::EvalContext;
use crate::types::{size_of, stripped};
use crate::value::Value;
use debuginfo::types::{Kind, TypeRef};
use model::VirtualAddress;
use model::aif::ChildStyle;

/// What a value of the library is.
pub(crate) enum RustContainer {
    /// As containers of other languages.
    Shown(Container),
    /// Elements behind the name of the type, as gdb itself shows what has a pointer and a length.
    Slice { name: String, address: u64, length: u64, element: TypeRef },
}

/// What a type of the library is called without the modules it is in; of other types nothing.
fn library_name(name: &str) -> Option<&str> {
    let path = name.split('<').next()?;
    let inside = path.strip_prefix("alloc::").or(path.strip_prefix("core::")).or(path.strip_prefix("std::"))?;
    inside.rsplit("::").next()
}

/// The container that a value is; `None` when it is none that is known, or not as the library makes it.
pub(crate) fn rust_container(value: &Value, name: &str, context: &EvalContext<'_>) -> Option<RustContainer> {
    let look = PrinterMembers { value, context };
    if matches!(name, "&str" | "&mut str") {
        return look.text(&["data_ptr"], &["length"]).map(RustContainer::Shown);
    }
    if name.starts_with("*mut [") || name.starts_with("*const [") {
        return look.plain_slice(name);
    }
    let is_reference = name.starts_with("&[") || name.starts_with("&mut [");
    if !is_reference && !name.starts_with("alloc::") && !name.starts_with("core::") && !name.starts_with("std::") {
        return None;
    }
    let container = match library_name(name) {
        _ if is_reference => look.slice(name),
        Some("String") => look.text(&["vec", "buf", "inner", "ptr", "pointer", "pointer"], &["vec", "len"]),
        Some("OsString") => {
            let vec = |rest: &[&'static str]| [&["inner", "inner"], rest].concat();
            look.text(&vec(&["buf", "inner", "ptr", "pointer", "pointer"]), &vec(&["len"]))
        }
        Some("Vec") => look.vec(),
        Some("VecDeque") => look.vec_deque(),
        Some("Rc") => look.counted("Rc", "value", &["value", "value"]),
        Some("Arc") => look.counted("Arc", "data", &["v", "value"]),
        Some("Cell") => look.cell(),
        Some("RefCell") => look.borrowed("RefCell", &["value", "value"], "value", &["borrow", "value", "value"]),
        Some("Ref" | "RefMut") => look.borrow_guard(),
        Some("NonZero") => look.only_field(),
        Some("HashMap") if name.starts_with("std::") => look.hash_table(&["base", "table"], true),
        Some("HashSet") if name.starts_with("std::") => look.hash_table(&["base", "map", "table"], false),
        Some("BTreeMap") => look.b_tree(value.clone(), true),
        Some("BTreeSet") => look.b_tree(look.part(&["map"])?, false),
        _ => None,
    };
    match container {
        Some(container) => Some(RustContainer::Shown(container)),
        None => look.plain_slice(name),
    }
}

/// The bytes of a text of the library, at most as many as are compared; `None` for what is no text.
pub(crate) fn text_bytes(value: &Value, s: &EvalContext<'_>) -> Result<Option<Vec<u8>>, EvalError> {
    let name = stripped(value.ty(), s).1.name.clone();
    let Some(RustContainer::Shown(Container::Text { address, length, .. })) =
        name.and_then(|name| rust_container(value, &name, s))
    else {
        return Ok(None);
    };
    let mut bytes = vec![0; length.min(LONGEST_TEXT) as usize];
    s.read(VirtualAddress(address), &mut bytes)?;
    Ok(Some(bytes))
}

/// Bytes of a text that are compared.
const LONGEST_TEXT: u64 = 1 << 20;

impl PrinterMembers<'_> {
    fn text(&self, pointer: &[&str], length: &[&str]) -> Option<Container> {
        let pointer = self.part(pointer)?;
        let unit = self.pointed(&pointer)?;
        Some(Container::Text { address: self.word(&pointer)?, length: self.number(length)?, unit })
    }

    /// Elements at addresses; the first that cannot be read ends them.
    fn elements(&self, title: String, element: &TypeRef, addresses: impl Iterator<Item = u64>) -> Container {
        let size = size_of(element, self.context).unwrap_or(0).min(crate::value::LONGEST) as usize;
        let mut bytes = vec![0; size];
        let mut values = Vec::new();
        for address in addresses.take(self.most() as usize) {
            values.push((None, Self::placed(element, address)));
            if self.context.read(VirtualAddress(address), &mut bytes).is_err() {
                break;
            }
        }
        Container::Held { title, style: ChildStyle::Plain, values, more: false }
    }

    fn slice(&self, name: &str) -> Option<Container> {
        let pointer = self.part(&["data_ptr"])?;
        let (element, first) = (self.pointed(&pointer)?, self.word(&pointer)?);
        let length = self.number(&["length"])?;
        let size = size_of(&element, self.context)?;
        let addresses = (0..length).map(|number| first.wrapping_add(number.wrapping_mul(size)));
        Some(self.elements(format!("{name}(size={length})"), &element, addresses))
    }

    /// What has a pointer and a length and nothing else, but is no reference.
    fn plain_slice(&self, name: &str) -> Option<RustContainer> {
        let (_, found) = stripped(self.value.ty(), self.context);
        let Kind::Aggregate { members, .. } = &found.kind else { return None };
        let [first, second] = members.as_slice() else { return None };
        if first.name.as_deref() != Some("data_ptr") || second.name.as_deref() != Some("length") {
            return None;
        }
        let pointer = self.part(&["data_ptr"])?;
        let (element, address, length) = (self.pointed(&pointer)?, self.word(&pointer)?, self.number(&["length"])?);
        Some(RustContainer::Slice { name: name.to_owned(), address, length, element })
    }

    /// Where the elements of a vector begin.
    fn buffer(&self) -> Option<u64> {
        self.number(&["buf", "inner", "ptr", "pointer", "pointer"])
    }

    fn vec(&self) -> Option<Container> {
        let element = self.argument(self.value.ty(), 0)?;
        let (first, length) = (self.buffer()?, self.number(&["len"])?);
        let size = size_of(&element, self.context)?;
        let addresses = (0..length).map(|number| first.wrapping_add(number.wrapping_mul(size)));
        Some(self.elements(format!("Vec(size={length})"), &element, addresses))
    }

    /// A ring.
    fn vec_deque(&self) -> Option<Container> {
        let element = self.argument(self.value.ty(), 0)?;
        let (first, length, head) = (self.buffer()?, self.number(&["len"])?, self.number(&["head"])?);
        let capacity = self.number(&["buf", "inner", "cap", "0"])?;
        let size = size_of(&element, self.context)?;
        let addresses = (0..length).map(|number| {
            let place = head.wrapping_add(number).checked_rem(capacity).unwrap_or(0);
            first.wrapping_add(place.wrapping_mul(size))
        });
        Some(self.elements(format!("VecDeque(size={length})"), &element, addresses))
    }

    /// A value with the numbers of those that share it.
    fn counted(&self, name: &str, held: &str, count: &[&str]) -> Option<Container> {
        let block = self.part(&["ptr", "pointer"])?;
        let value = self.at(&block, &[held])?;
        let strong = self.at(&self.at(&block, &["strong"])?, count)?;
        let weak = self.at(&self.at(&block, &["weak"])?, count)?;
        // All strong ones together count as a weak one.
        let others = self.word(&weak)?.wrapping_sub(1);
        let title = format!("{name}(strong={}, weak={others})", self.word(&strong)?);
        let others = Value::known(weak.ty().clone(), others.to_le_bytes().to_vec());
        let values = vec![("value", value), ("strong", strong), ("weak", others)];
        Some(named(title, values))
    }

    fn cell(&self) -> Option<Container> {
        Some(named("Cell".to_owned(), vec![("value", self.part(&["value", "value"])?)]))
    }

    fn borrowed(&self, name: &str, held: &[&str], word: &'static str, count: &[&str]) -> Option<Container> {
        let (value, borrow) = (self.part(held)?, self.part(count)?);
        let title = match self.word(&borrow)? as i64 {
            borrow @ 0.. => format!("{name}(borrow={borrow})"),
            borrow => format!("{name}(borrow_mut={})", borrow.wrapping_neg()),
        };
        Some(named(title, vec![(word, value), ("borrow", borrow)]))
    }

    /// What is borrowed, behind its pointer.
    fn borrow_guard(&self) -> Option<Container> {
        let pointer = self.part(&["value", "pointer"])?;
        let target = Self::placed(&self.pointed(&pointer)?, self.word(&pointer)?);
        let count = ["borrow", "borrow", "value", "value"];
        let guard = self.borrowed("Ref", &["value"], "*value", &count)?;
        let Container::Named { title, mut values } = guard else { return None };
        values.first_mut()?.1 = target;
        Some(Container::Named { title, values })
    }

    /// The number within the struct within the struct.
    fn only_field(&self) -> Option<Container> {
        let mut value = self.value.clone();
        for _ in 0..2 {
            let (_, found) = stripped(value.ty(), self.context);
            let Kind::Aggregate { members, .. } = &found.kind else { return None };
            let [only] = members.as_slice() else { return None };
            value = value.part(only.ty.clone(), only.offset, None);
        }
        Some(Container::Shown(value))
    }

    /// Buckets lie before the bytes that say which of them are full.
    fn hash_table(&self, path: &[&str], map: bool) -> Option<Container> {
        let table = self.part(path)?;
        let pair = self.argument(table.ty(), 0)?;
        let size = size_of(&pair, self.context)?;
        let of_table = |path: &[&str]| self.word(&self.at(&table, path)?);
        let (items, mask) = (of_table(&["table", "items"])?, of_table(&["table", "bucket_mask"])?);
        let control = of_table(&["table", "ctrl", "pointer"])?;
        let mut values = Vec::new();
        let mut bucket = 0_u64;
        while (values.len() as u64) < items.min(self.most()) && bucket <= mask {
            let mut byte = [0];
            self.context.read(VirtualAddress(control.wrapping_add(bucket)), &mut byte).ok()?;
            bucket += 1;
            if byte[0] & 0x80 == 0 {
                let pair = Self::placed(&pair, control.wrapping_sub(bucket.wrapping_mul(size)));
                let key = self.at(&pair, &["0"])?;
                values.push(if map { (Some(key), self.at(&pair, &["1"])?) } else { (None, key) });
            }
        }
        let (name, style) = if map { ("HashMap", ChildStyle::Keyed) } else { ("HashSet", ChildStyle::Plain) };
        Some(Container::Held { title: format!("{name}(size={items})"), style, values, more: items > self.most() })
    }

    /// Nodes of up to eleven keys, with nodes between them but in the lowest row.
    fn b_tree(&self, map: Value, valued: bool) -> Option<Container> {
        let length = self.word(&self.at(&map, &["length"])?)?;
        let (key, value) = (self.argument(map.ty(), 0)?, self.argument(map.ty(), 1)?);
        let mut walk = Walk { look: self, key, value, found: Vec::new() };
        if length > 0 {
            let root = self.at(&map, &["root", "0"])?;
            let node = self.at(&root, &["node", "pointer"])?;
            walk.node(&node, self.word(&self.at(&root, &["height"])?)?)?;
        }
        let values = walk.found.into_iter();
        let values = if valued {
            values.map(|(key, value)| (Some(key), value)).collect()
        } else {
            values.map(|(key, _)| (None, key)).collect()
        };
        let (name, style) = if valued { ("BTreeMap", ChildStyle::Keyed) } else { ("BTreeSet", ChildStyle::Plain) };
        Some(Container::Held { title: format!("{name}(size={length})"), style, values, more: length > self.most() })
    }
}

/// A walk through the nodes of a tree, in the order of the keys.
struct Walk<'a> {
    look: &'a PrinterMembers<'a>,
    key: TypeRef,
    value: TypeRef,
    found: Vec<(Value, Value)>,
}

/// More rows than memory has room for.
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
        // What is in no leaf begins with all that a leaf has.
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
