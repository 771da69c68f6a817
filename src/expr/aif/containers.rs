//! Converts library containers to AIF: a title and their contents.

use super::arrays::of_one_type;
use super::image_bytes::Image;
use super::rust_values::own;
use super::value_to_aif::{Builder, Built, PrintedAs};
use crate::context::{EvalContext, TypePrinters};
use crate::eval::access::shared_member;
use crate::printers::container::{Container, Printed};
use crate::printers::containers::text_bytes;
use crate::types::{size_of, stripped};
use crate::value::Value;
use debuginfo::types::builtin::array_of;
use debuginfo::types::{Kind, Member, Place, Type, TypeRef};
use model::VirtualAddress;
use model::aif::{AifType, AifValue, ChildStyle, Field};

/// Nested containers are expanded up to this depth.
const DEEPEST: u32 = 16;

fn void() -> AifType {
    AifType::Void { size: 0 }
}

/// True for what a library's printers know although it is no aggregate.
fn is_library_value(found: &Type) -> bool {
    !matches!(found.kind, Kind::Base(_) | Kind::Enumeration { .. } | Kind::Array { .. } | Kind::Function { .. })
}

impl Builder<'_> {
    /// Converts a value that a printer knows, the user's or the library's, by its contents; anything else, or in raw mode,
    /// is converted by its members.
    pub(crate) fn printed(&self, ty: &TypeRef, found: &Type, image: &Image, offset: u64, depth: u32) -> PrintedAs {
        if self.raw || depth >= DEEPEST {
            return PrintedAs::Members;
        }
        if let Kind::Pointer(target) = &found.kind {
            return self.printed_pointer(target, image, offset, depth);
        }
        if let Kind::Reference(target, false) = &found.kind {
            return self.printed_reference(target, image, offset, depth);
        }
        let Some(name) = found.name.as_deref() else { return PrintedAs::Members };
        if !matches!(found.kind, Kind::Aggregate { .. } | Kind::Variants(_)) && !is_library_value(found) {
            return PrintedAs::Members;
        }
        let Some(value) = self.value_within(ty, image, offset) else { return PrintedAs::Members };
        let context = &self.charged();
        let of = |table: &dyn TypePrinters| table.printed(&value, false, context);
        let shown = match self.context.own_printers().map_or(Printed::Nothing, of) {
            Printed::Nothing => match self.library_container(&value, name) {
                Some(container) => Printed::Shown(container),
                None => self.context.shipped_printers().map_or(Printed::Nothing, of),
            },
            shown => shown,
        };
        self.as_printed(shown, depth)
    }

    /// Returns what the language's library shows, if the user has not disabled that.
    fn library_container(&self, value: &Value, name: &str) -> Option<Container> {
        let hidden = self.context.own_printers().is_some_and(|own| own.hides_library_type(name));
        if hidden { None } else { self.context.language().container(value, name, self.context) }
    }

    /// Converts a pointer whose target a printer shows.
    fn printed_pointer(&self, target: &TypeRef, image: &Image, offset: u64, depth: u32) -> PrintedAs {
        let tables = self.context.own_printers().into_iter().chain(self.context.shipped_printers());
        let tables: Vec<_> = tables.filter(|table| table.has_pointers()).collect();
        let address = image.bits(offset, 8) as u64;
        if tables.is_empty() || address == 0 || !matches!(stripped(target, self.context).1.kind, Kind::Aggregate { .. })
        {
            return PrintedAs::Members;
        }
        let object = Value::new(target.clone(), Place::Memory(VirtualAddress(address)));
        let context = &self.charged();
        for table in tables {
            match table.printed(&object, true, context) {
                Printed::Nothing => {}
                shown => return self.as_printed(shown, depth),
            }
        }
        PrintedAs::Members
    }

    /// Converts a reference within another value: a printer shows its target as if it were in its place; of any other
    /// target, gdb shows the address alone. The printers of the libraries leave out rvalue references.
    fn printed_reference(&self, target: &TypeRef, image: &Image, offset: u64, depth: u32) -> PrintedAs {
        let (_, found) = stripped(target, self.context);
        if !matches!(found.kind, Kind::Aggregate { .. }) {
            return PrintedAs::Members;
        }
        let address = Some(image.bits(offset, 8) as u64);
        self.printed(target, &found, &Image { bytes: Vec::new(), known: Vec::new(), address }, 0, depth)
    }

    fn as_printed(&self, shown: Printed, depth: u32) -> PrintedAs {
        match shown {
            Printed::Nothing => PrintedAs::Members,
            Printed::Failed(note) => PrintedAs::MembersWithNote(note),
            Printed::Shown(container) => {
                let built = self.contained(container, depth);
                PrintedAs::Built(if self.context.language().has_own_shapes() { built.map(own) } else { built })
            }
        }
    }

    /// Returns the context with the budget of this value.
    fn charged(&self) -> EvalContext<'_> {
        self.context.of_rank(self.context.value_history(), Some(self.budget))
    }

    /// Returns a part of an image as a value; `None` if it is in registers and not all of its bytes are known.
    pub(crate) fn value_within(&self, ty: &TypeRef, image: &Image, offset: u64) -> Option<Value> {
        let place = match image.address {
            Some(address) => Place::Memory(VirtualAddress(address.wrapping_add(offset))),
            None => {
                let size = size_of(ty, self.context)?;
                image.is_known(offset, size).then(|| Place::Bytes(image.slice(offset, size).to_vec()))?
            }
        };
        Some(Value::new(ty.clone(), place))
    }

    pub(crate) fn contained(&self, container: Container, depth: u32) -> Built {
        let titled = |title: String, (ty, value): (AifType, AifValue)| {
            (AifType::Titled(Box::new(ty)), AifValue::Titled(title, Box::new(value)))
        };
        match container {
            Container::Text { address, length, unit } => Ok(titled(String::new(), self.text(address, length, &unit))),
            Container::Held { title, style, values, more } => Ok(titled(title, self.held(style, &values, more, depth))),
            Container::Slice { name, address, length, element } => {
                let size = size_of(&element, self.context).unwrap_or(0);
                let place = Place::Memory(VirtualAddress(address));
                let array = Value::new(array_of(element, Some(size), Some(length)), place);
                self.part(&array, depth + 1).map(|built| titled(name, built))
            }
            Container::Shown(value) if self.context.language().unreadable_element().is_some() => {
                self.part(&value, depth + 1)
            }
            Container::Shown(value) => self.part(&value, depth + 1).or_else(|error| {
                let why = format!("error reading variable: {error}");
                Ok((AifType::Optional(Box::new(void())), AifValue::Unavailable(why)))
            }),
            Container::Wrapped { title, value } => {
                let built = self.part(&value, depth + 1)?;
                Ok(titled(title, built))
            }
            Container::Titled { title, container } => {
                self.contained(*container, depth).map(|built| titled(title, built))
            }
            Container::Parts { title, parts } => {
                let mut fields = Vec::new();
                let mut members = Vec::new();
                for (name, value) in parts {
                    let (ty, value) = match value {
                        Ok(value) => self.child(&value, depth),
                        Err(why) => {
                            let why = format!("error: {why}");
                            (AifType::Optional(Box::new(void())), AifValue::Unavailable(why))
                        }
                    };
                    fields.push(Field { name, ty });
                    members.push(value);
                }
                Ok(titled(title, (AifType::aggregate("", fields), AifValue::Members(members))))
            }
            Container::Words(words) => Ok(titled(words, (void(), AifValue::Scalar(0)))),
            Container::Named { title, values } if values.is_empty() => Ok(titled(title, (void(), AifValue::Scalar(0)))),
            Container::Named { title, values } => {
                let mut fields = Vec::new();
                let mut members = Vec::new();
                for (name, value) in values {
                    let (ty, value) = self.child(&value, depth);
                    fields.push(Field { name, ty });
                    members.push(value);
                }
                Ok(titled(title, (AifType::aggregate("", fields), AifValue::Members(members))))
            }
        }
    }

    /// Converts a member that is an array with a descriptor, by the bounds in its descriptor.
    pub(crate) fn described(&self, member: &Member, image: &Image, offset: u64, depth: u32) -> Option<Built> {
        let s = self.context;
        let is_array = matches!(crate::types::type_of(&member.ty, s).kind, Kind::Array { .. });
        let address = image.address.filter(|_| is_array)?.wrapping_add(offset).wrapping_add(member.offset);
        let (ty, place) = s.symbols().measured(&member.ty, VirtualAddress(address))?;
        let array = match place {
            // One uninitialized descriptor must not hide the other members.
            Ok(place) => self.part(&Value::new(ty, place), depth + 1).or_else(|error| {
                let why = format!("error reading variable: {error}");
                Ok((AifType::Optional(Box::new(void())), AifValue::Unavailable(why)))
            }),
            Err(why) => Ok((AifType::Optional(Box::new(void())), AifValue::Unavailable(why))),
        };
        Some(array)
    }

    /// Converts a static member, which all values of the type share.
    pub(crate) fn shared(&self, of: &Type, member: &Member, depth: u32) -> (AifType, AifValue) {
        let gone = |why: &str| (AifType::Optional(Box::new(void())), AifValue::Unavailable(why.to_owned()));
        let found = of.name.as_deref().and_then(|name| shared_member(name, member, self.context));
        let Some(value) = found.filter(|value| *value.place() != Place::OptimizedOut) else {
            return gone("optimized out");
        };
        // A type can have a static member of its own type: each one is expanded once.
        let (_, ty) = stripped(value.ty(), self.context);
        let (true, Some(address)) = (matches!(ty.kind, Kind::Aggregate { .. }), value.address()) else {
            return self.child(&value, depth);
        };
        if depth >= DEEPEST || self.shared.borrow().contains(&address.0) {
            return gone("same as static member of an already seen type");
        }
        let before = self.shared.borrow().len();
        self.shared.borrow_mut().push(address.0);
        let child = self.child(&value, depth);
        // The outermost static member is done: the next one starts with an empty list.
        if before == 0 {
            self.shared.borrow_mut().clear();
        }
        child
    }

    /// Converts a part; a part that cannot be read becomes the error text.
    fn child(&self, value: &Value, depth: u32) -> (AifType, AifValue) {
        self.part(value, depth + 1).unwrap_or_else(|error| {
            self.unreadable.set(self.unreadable.get() + 1);
            let why = format!("error: {error}");
            (AifType::Optional(Box::new(void())), AifValue::Unavailable(why))
        })
    }

    /// Converts an element; one that cannot be read becomes the error text of its language's printers.
    fn element(&self, value: &Value, depth: u32) -> (AifType, AifValue) {
        let Some(words) = self.context.language().unreadable_element() else { return self.child(value, depth) };
        let words = || AifValue::Titled(words.to_owned(), Box::new(AifValue::Scalar(0)));
        self.part(value, depth + 1).unwrap_or_else(|_| {
            self.unreadable.set(self.unreadable.get() + 1);
            (AifType::Titled(Box::new(void())), words())
        })
    }

    fn held(
        &self,
        style: ChildStyle,
        values: &[(Option<Value>, Value)],
        more: bool,
        depth: u32,
    ) -> (AifType, AifValue) {
        let (mut keys, mut elements) = (Vec::new(), Vec::new());
        let mut more = more;
        for (number, (key, value)) in values.iter().enumerate() {
            let seen = self.unreadable.get();
            if let Some(key) = key {
                keys.push(self.child(key, depth));
            }
            elements.push(self.element(value, depth));
            // gdb stops at the first error: garbage has thousands of them.
            if self.unreadable.get() > seen {
                more |= number + 1 < values.len();
                break;
            }
        }
        let is_keyed = style == ChildStyle::Keyed && !keys.is_empty();
        let (key, keys) = of_one_type(keys);
        let (element, elements) = of_one_type(elements);
        let mut keys = keys.into_iter();
        let held = elements.into_iter().map(|element| (keys.next().filter(|_| is_keyed), element)).collect();
        let (key, element) = (key.unwrap_or_else(void), element.unwrap_or_else(void));
        let ty = AifType::Children { style, key: Box::new(key), element: Box::new(element) };
        (ty, AifValue::Children { held, more })
    }

    fn text(&self, address: u64, length: u64, unit: &TypeRef) -> (AifType, AifValue) {
        let size = size_of(unit, self.context).unwrap_or(1).clamp(1, 4);
        if address == 0 && length > 0 && self.context.language().has_c_strings() {
            // gdb's words for a string that is not constructed yet.
            let why = "error reading variable: Cannot create a lazy string with address 0x0, and a non-zero length.";
            return (AifType::Optional(Box::new(void())), AifValue::Unavailable(why.to_owned()));
        }
        let bytes = match text_bytes(address, length, size, self.context) {
            Ok(bytes) => bytes,
            Err(error) => {
                let why = format!("error: {error}");
                return (AifType::Optional(Box::new(void())), AifValue::Unavailable(why));
            }
        };
        let unit = self.shallow(unit, 0);
        let whole = (bytes.len() as u64) == length.saturating_mul(size);
        if unit == AifType::Char && whole {
            return (AifType::String, AifValue::String(bytes));
        }
        let bits = |unit: &[u8]| unit.iter().rev().fold(0, |bits, byte| bits << 8 | u128::from(*byte));
        let units = bytes.chunks_exact(size as usize).map(|unit| AifValue::Scalar(bits(unit)));
        if whole {
            let units: Vec<AifValue> = units.collect();
            return (AifType::array(0, length, unit), AifValue::Elements(units));
        }
        // A long string is cut.
        let ty = AifType::Runs { index: Box::new(AifType::index(0, length)), element: Box::new(unit) };
        (ty, AifValue::Runs(units.map(|unit| (1, unit)).collect()))
    }
}
