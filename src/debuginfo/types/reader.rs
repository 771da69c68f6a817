//! Types from debugging information entries (DWARF 5, 5), each made once.

use super::description::{Aggregate, Dimension, Encoding, Kind, Member, Qualifier, Type, TypeId, TypeRef};
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::Attribute;
use crate::dwarf::entry::Entry;
use crate::dwarf::entry::EntryId;
use crate::dwarf::entry::Slice;
use crate::dwarf::unit::Unit;
use gimli::AttributeValue;
use std::sync::Arc;

/// The limit on nested types followed to find a size; a longer chain is a cycle.
const DEEPEST: u32 = 64;
/// Bytes of an address.
const WORD: u64 = 8;

/// Reads types of one file.
pub(crate) struct TypeReader<'a> {
    pub(crate) debug: &'a DebugInformation,
    pub(crate) image: u32,
    /// Computes a bound; gives `None` if there is no frame.
    pub(crate) bound: &'a Bound<'a>,
}

/// Computes an attribute's value: a constant, or an integer of the given number of bytes at a computed location.
pub(crate) type Bound<'a> = dyn Fn(&Unit, Attribute, Option<u64>) -> Option<i64> + 'a;

/// A [`Bound`] for use without a frame: computed bounds are unknown.
pub(crate) fn no_bound(_: &Unit, _: Attribute, _: Option<u64>) -> Option<i64> {
    None
}

impl TypeReader<'_> {
    /// Reads the type at an entry; gives [`Kind::Unknown`] if it cannot be read.
    pub(crate) fn read(&self, id: EntryId) -> Type {
        let unknown = |what: &str| Type { name: None, size: None, kind: Kind::Unknown(what.to_owned()) };
        let id = self.debug.whole(id);
        let Some((unit, entry)) = self.debug.entry(id) else { return unknown("damaged debug information") };
        let name = || self.debug.qualified_name(id);
        let target = || self.target(unit, &entry);
        let size = self.size(id, 0);
        match entry.tag() {
            gimli::DW_TAG_base_type => Type { name: name(), size, kind: Kind::Base(self.encoding(&entry)) },
            gimli::DW_TAG_unspecified_type => Type { name: name(), size: None, kind: Kind::Void },
            gimli::DW_TAG_pointer_type => Type { name: None, size, kind: Kind::Pointer(target()) },
            gimli::DW_TAG_reference_type => Type { name: None, size, kind: Kind::Reference(target(), false) },
            gimli::DW_TAG_rvalue_reference_type => Type { name: None, size, kind: Kind::Reference(target(), true) },
            gimli::DW_TAG_ptr_to_member_type => {
                let class = entry.attr_value(gimli::DW_AT_containing_type);
                let class = class.and_then(|value| self.debug.follow(unit, value));
                let class = class.map_or(TypeRef::Void, |id| self.reference(self.debug.whole(id)));
                Type { name: None, size, kind: Kind::MemberPointer { class, target: target() } }
            }
            gimli::DW_TAG_typedef => Type { name: name(), size, kind: Kind::Typedef(target()) },
            gimli::DW_TAG_const_type => self.qualified(Qualifier::Const, target(), size),
            gimli::DW_TAG_volatile_type => self.qualified(Qualifier::Volatile, target(), size),
            gimli::DW_TAG_restrict_type => self.qualified(Qualifier::Restrict, target(), size),
            gimli::DW_TAG_atomic_type => self.qualified(Qualifier::Atomic, target(), size),
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {
                self.aggregate(id, unit, &entry, size)
            }
            gimli::DW_TAG_enumeration_type => self.enumeration(id, unit, &entry, size),
            gimli::DW_TAG_array_type => self.array(unit, &entry, target(), size),
            gimli::DW_TAG_string_type => self.string(unit, &entry, size),
            gimli::DW_TAG_subroutine_type | gimli::DW_TAG_subprogram => self.function(id, unit, &entry),
            tag => unknown(tag.static_string().unwrap_or("type")),
        }
    }

    fn qualified(&self, qualifier: Qualifier, target: TypeRef, size: Option<u64>) -> Type {
        Type { name: None, size, kind: Kind::Qualified(qualifier, target) }
    }

    pub(crate) fn reference(&self, id: EntryId) -> TypeRef {
        TypeRef::Entry(TypeId { image: self.image, entry: self.debug.offset_of(id) })
    }

    /// Returns the `DW_AT_type` of an entry, or of the entry it is an instance of.
    pub(crate) fn target(&self, unit: &Unit, entry: &Entry) -> TypeRef {
        let own = entry.attr_value(gimli::DW_AT_type).map(|value| (unit, value));
        let id = EntryId { unit: unit.index, offset: entry.offset() };
        let found = own.or_else(|| self.debug.inherited(id, gimli::DW_AT_type));
        let target = found.and_then(|(unit, value)| self.debug.follow(unit, value));
        target.map_or(TypeRef::Void, |id| self.reference(self.debug.whole(id)))
    }

    fn size(&self, id: EntryId, depth: u32) -> Option<u64> {
        if depth > DEEPEST {
            return None;
        }
        let (unit, entry) = self.debug.entry(self.debug.whole(id))?;
        if let Some(size) = entry.attr_value(gimli::DW_AT_byte_size).and_then(|value| unsigned(&value)) {
            return Some(size);
        }
        let of_target = || self.size(self.debug.follow(unit, entry.attr_value(gimli::DW_AT_type)?)?, depth + 1);
        match entry.tag() {
            gimli::DW_TAG_pointer_type | gimli::DW_TAG_reference_type | gimli::DW_TAG_rvalue_reference_type => {
                Some(WORD)
            }
            gimli::DW_TAG_ptr_to_member_type => {
                // Without a size: an offset, or for a method its address and an offset (Itanium C++ ABI, 2.3).
                let target = self.debug.follow(unit, entry.attr_value(gimli::DW_AT_type)?)?;
                let (_, target) = self.debug.entry(self.debug.whole(target))?;
                Some(if target.tag() == gimli::DW_TAG_subroutine_type { 2 * WORD } else { WORD })
            }
            gimli::DW_TAG_array_type => {
                let counts = self.dimensions(unit, &entry).into_iter().map(|dimension| dimension.count);
                counts.fold(of_target(), |size, count| size?.checked_mul(count?))
            }
            gimli::DW_TAG_typedef
            | gimli::DW_TAG_const_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_restrict_type
            | gimli::DW_TAG_atomic_type
            | gimli::DW_TAG_enumeration_type => of_target(),
            _ => None,
        }
    }

    fn encoding(&self, entry: &Entry) -> Encoding {
        let Some(AttributeValue::Encoding(encoding)) = entry.attr_value(gimli::DW_AT_encoding) else {
            return Encoding::Other(0);
        };
        match encoding {
            gimli::DW_ATE_signed => Encoding::Signed,
            gimli::DW_ATE_unsigned => Encoding::Unsigned,
            gimli::DW_ATE_signed_char => Encoding::SignedChar,
            gimli::DW_ATE_unsigned_char => Encoding::UnsignedChar,
            gimli::DW_ATE_UTF | gimli::DW_ATE_ASCII | gimli::DW_ATE_UCS => Encoding::Utf,
            gimli::DW_ATE_boolean => Encoding::Boolean,
            gimli::DW_ATE_float => Encoding::Float,
            gimli::DW_ATE_complex_float => Encoding::Complex,
            other => Encoding::Other(other.0),
        }
    }

    fn aggregate(&self, id: EntryId, unit: &Unit, entry: &Entry, size: Option<u64>) -> Type {
        let tag = match entry.tag() {
            gimli::DW_TAG_structure_type => Aggregate::Struct,
            gimli::DW_TAG_class_type => Aggregate::Class,
            _ => Aggregate::Union,
        };
        let mut members = Vec::new();
        let mut variants = None;
        unit.for_each_child(entry, |child| match child.tag() {
            gimli::DW_TAG_variant_part => variants = Some(self.variants(unit, child)),
            gimli::DW_TAG_member | gimli::DW_TAG_variable => members.extend(self.member(unit, child)),
            gimli::DW_TAG_inheritance => {
                members.extend(self.member(unit, child).map(|member| Member { base: true, ..member }));
            }
            _ => {}
        });
        let declaration = entry.attr(gimli::DW_AT_declaration).is_some();
        let size = if declaration { None } else { size };
        if let Some(variants) = variants {
            return Type { name: self.debug.qualified_name(id), size, kind: Kind::Variants(Box::new(variants)) };
        }
        Type { name: self.debug.qualified_name(id), size, kind: Kind::Aggregate { tag, members, declaration } }
    }

    pub(crate) fn member(&self, unit: &Unit, entry: &Entry) -> Option<Member> {
        let name = entry.attr_value(gimli::DW_AT_name).and_then(|value| self.debug.string(unit, value));
        // Fields of tuples are numbers in the source, which DWARF writes with a prefix of underscores.
        let numbered =
            |name: &'static [u8]| name.strip_prefix(b"__").filter(|_| unit.language.numbers_fields()).unwrap_or(name);
        let name = name.map(numbered);
        let ty = self.target(unit, entry);
        let shared = entry.attr(gimli::DW_AT_external).is_some() || entry.attr(gimli::DW_AT_declaration).is_some();
        if shared || entry.tag() == gimli::DW_TAG_variable {
            let name = name.map(|name| String::from_utf8_lossy(name).into());
            return Some(Member { name, ty, offset: 0, bits: None, base: false, is_static: true, virtual_at: None });
        }
        let location = entry.attr_value(gimli::DW_AT_data_member_location);
        let virtual_at = location.as_ref().and_then(virtual_distance);
        let known = location.map_or(Some(0), |location| member_offset(&location));
        let mut offset = known.or(virtual_at.map(|_| 0))?;
        let number = |name| entry.attr_value(name).and_then(|value| unsigned(&value));
        let bits = number(gimli::DW_AT_bit_size).map(|width| {
            let start = if let Some(start) = number(gimli::DW_AT_data_bit_offset) {
                start
            } else if let Some(from_top) = number(gimli::DW_AT_bit_offset) {
                // DWARF 2 and 3 count from the most significant bit of the storage unit.
                let storage = number(gimli::DW_AT_byte_size)
                    .or_else(|| self.size(self.debug.follow(unit, entry.attr_value(gimli::DW_AT_type)?)?, 0));
                let top = storage.unwrap_or(0).saturating_mul(8);
                offset.saturating_mul(8).saturating_add(top).saturating_sub(from_top).saturating_sub(width)
            } else {
                offset.saturating_mul(8)
            };
            offset = start / 8;
            (start, width as u32)
        });
        let name = name.map(|name| String::from_utf8_lossy(name).into());
        Some(Member { name, ty, offset, bits, base: false, is_static: false, virtual_at })
    }

    /// Finds a type by name among those declared within another.
    pub(crate) fn nested(&self, id: EntryId, name: &[u8]) -> Option<TypeRef> {
        let (unit, entry) = self.debug.entry(id)?;
        let mut found = None;
        unit.for_each_child(&entry, |child| {
            let id = EntryId { unit: unit.index, offset: child.offset() };
            let is_type = matches!(child.tag(), gimli::DW_TAG_typedef | gimli::DW_TAG_structure_type);
            if found.is_none() && is_type && self.debug.base_name(id) == Some(name) {
                found = Some(self.reference(id));
            }
        });
        found
    }

    /// Returns the template arguments that are types, including those in packs.
    pub(crate) fn template_arguments(&self, id: EntryId) -> Vec<TypeRef> {
        let mut arguments = Vec::new();
        let Some((unit, entry)) = self.debug.entry(id) else { return arguments };
        unit.for_each_child(&entry, |child| match child.tag() {
            gimli::DW_TAG_template_type_parameter => arguments.push(self.target(unit, child)),
            gimli::DW_TAG_GNU_template_parameter_pack => unit.for_each_child(child, |inner| {
                if inner.tag() == gimli::DW_TAG_template_type_parameter {
                    arguments.push(self.target(unit, inner));
                }
            }),
            _ => {}
        });
        arguments
    }

    fn enumeration(&self, id: EntryId, unit: &Unit, entry: &Entry, size: Option<u64>) -> Type {
        let mut enumerators = Vec::new();
        let mut negative = false;
        unit.for_each_child(entry, |child| {
            if child.tag() != gimli::DW_TAG_enumerator {
                return;
            }
            let name = child.attr_value(gimli::DW_AT_name).and_then(|value| self.debug.string(unit, value));
            let value = child.attr_value(gimli::DW_AT_const_value).as_ref().and_then(signed);
            if let (Some(name), Some(value)) = (name, value) {
                negative |= value < 0;
                enumerators.push((String::from_utf8_lossy(name).into(), value));
            }
        });
        let underlying = entry.attr_value(gimli::DW_AT_type).and_then(|value| self.debug.follow(unit, value));
        let underlying = underlying.and_then(|id| self.debug.entry(id)).map(|(_, entry)| self.encoding(&entry));
        let signed = match underlying {
            Some(Encoding::Signed | Encoding::SignedChar) => true,
            Some(_) => false,
            None => negative,
        };
        let scoped = entry.attr(gimli::DW_AT_enum_class).is_some();
        let name = self.debug.qualified_name(id);
        // An unnamed enumeration's enumerators are qualified by the scope around it.
        if let (None, Some(offset)) = (&name, unit.parent(id.offset)) {
            let scope = self.debug.qualified_name(EntryId { unit: unit.index, offset });
            for (name, _) in &mut enumerators {
                *name = scope.as_ref().map_or_else(|| Arc::clone(name), |scope| format!("{scope}::{name}").into());
            }
        }
        Type { name, size, kind: Kind::Enumeration { enumerators, signed, scoped } }
    }

    fn array(&self, unit: &Unit, entry: &Entry, element: TypeRef, size: Option<u64>) -> Type {
        // gdb marks arrays with `DW_AT_allocated` as allocatable.
        let name = entry.attr(gimli::DW_AT_allocated).map(|_| "allocatable".into());
        Type { name, size, kind: Kind::Array { element, dimensions: self.dimensions(unit, entry) } }
    }

    fn dimensions(&self, unit: &Unit, entry: &Entry) -> Vec<Dimension> {
        let mut dimensions = Vec::new();
        unit.for_each_child(entry, |child| {
            if matches!(child.tag(), gimli::DW_TAG_subrange_type | gimli::DW_TAG_generic_subrange) {
                dimensions.push(self.dimension(unit, child));
            }
        });
        if unit.language.is_column_major() {
            dimensions.reverse();
        }
        dimensions
    }

    fn dimension(&self, unit: &Unit, entry: &Entry) -> Dimension {
        let value =
            |name| entry.attr_value(name).and_then(|value| signed(&value).or_else(|| (self.bound)(unit, value, None)));
        let lower = value(gimli::DW_AT_lower_bound).unwrap_or_else(|| unit.language.first_index());
        let count = value(gimli::DW_AT_count).or_else(|| {
            let upper = value(gimli::DW_AT_upper_bound)?;
            upper.checked_sub(lower)?.checked_add(1).map(|count| count.max(0))
        });
        let stride = value(gimli::DW_AT_byte_stride);
        let says_end = [gimli::DW_AT_count, gimli::DW_AT_upper_bound].iter().any(|name| entry.attr(*name).is_some());
        let assumed = !says_end && unit.language.has_assumed_sizes();
        Dimension { lower, count: count.and_then(|count| u64::try_from(count).ok()), assumed, stride }
    }

    /// Makes the type of a Fortran string, an array of characters.
    fn string(&self, unit: &Unit, entry: &Entry, size: Option<u64>) -> Type {
        let length = entry.attr_value(gimli::DW_AT_string_length);
        let count = match length {
            // The size is then that of the integer that holds the length (DWARF 4, 5.9).
            Some(length) => {
                let own = entry.attr(gimli::DW_AT_string_length_byte_size).and_then(|attr| attr.udata_value());
                let held = own.or(size).unwrap_or(8);
                signed(&length).or_else(|| (self.bound)(unit, length, Some(held)))
            }
            None => size.and_then(|size| i64::try_from(size).ok()),
        };
        let count = count.and_then(|count| u64::try_from(count).ok());
        let size = size.filter(|_| length.is_none());
        // gdb treats a string with a computed length as an array.
        let name = if size.is_some() { "character(kind=1)" } else { "character" };
        let character = Type { name: Some(name.into()), size: Some(1), kind: Kind::Base(Encoding::SignedChar) };
        let dimensions = vec![Dimension { lower: 1, count, assumed: false, stride: None }];
        let element = TypeRef::Made(Arc::new(character));
        Type { name: None, size: count, kind: Kind::Array { element, dimensions } }
    }

    fn function(&self, id: EntryId, unit: &Unit, entry: &Entry) -> Type {
        let mut parameters = Vec::new();
        let mut variadic = false;
        unit.for_each_child(entry, |child| match child.tag() {
            gimli::DW_TAG_formal_parameter => {
                let ty = self.target(unit, child);
                // The type of a method, unlike the method itself, is described with a plain pointer for `this`, which
                // is `const` (as gdb has it).
                let is_this =
                    entry.tag() == gimli::DW_TAG_subroutine_type && child.attr_value(gimli::DW_AT_artificial).is_some();
                parameters.push(if is_this {
                    TypeRef::Made(Arc::new(self.qualified(Qualifier::Const, ty, Some(WORD))))
                } else {
                    ty
                });
            }
            gimli::DW_TAG_unspecified_parameters => variadic = true,
            _ => {}
        });
        let prototyped =
            !unit.language.has_old_style_functions() || self.debug.inherited(id, gimli::DW_AT_prototyped).is_some();
        let kind = Kind::Function { returns: self.target(unit, entry), parameters, variadic, prototyped };
        Type { name: None, size: Some(1), kind }
    }
}

/// Returns a constant as an unsigned number.
pub(crate) fn unsigned(value: &Attribute) -> Option<u64> {
    match value {
        AttributeValue::Sdata(value) => u64::try_from(*value).ok(),
        value => value.udata_value(),
    }
}

/// Returns a constant as a signed number; fixed-width forms have no sign (compilers write negative numbers with
/// `DW_FORM_sdata`).
pub(crate) fn signed(value: &Attribute) -> Option<i64> {
    match value {
        AttributeValue::Sdata(value) => Some(*value),
        value => value.udata_value().map(|value| value as i64),
    }
}

/// Returns the offset N in the location of a virtual base class: the address of the object plus the word found N bytes
/// before the address in its first word (`dup, deref, constu N, minus, deref, plus`, as compilers write it).
fn virtual_distance(value: &Attribute) -> Option<u64> {
    let AttributeValue::Exprloc(expression) = value else { return None };
    let encoding = gimli::Encoding { address_size: 8, format: gimli::Format::Dwarf32, version: 4 };
    let mut bytes: Slice = expression.0;
    let mut next = || gimli::Operation::parse(&mut bytes, encoding).ok();
    let (duplicate, pointer) = (next()?, next()?);
    let starts = matches!((duplicate, pointer), (gimli::Operation::Pick { index: 0 }, gimli::Operation::Deref { .. }));
    match (starts, next()?, next()?) {
        (true, gimli::Operation::UnsignedConstant { value }, gimli::Operation::Minus) => Some(value),
        _ => None,
    }
}

/// Returns the offset of a member: a constant, or an expression that adds one to the address of the aggregate (DWARF
/// 2).
fn member_offset(value: &Attribute) -> Option<u64> {
    let expression = match value {
        AttributeValue::Exprloc(expression) => expression.0,
        AttributeValue::Block(block) => *block,
        value => return unsigned(value),
    };
    let encoding = gimli::Encoding { address_size: 8, format: gimli::Format::Dwarf32, version: 4 };
    let mut bytes: Slice = expression;
    match gimli::Operation::parse(&mut bytes, encoding).ok()? {
        gimli::Operation::PlusConstant { value } => Some(value),
        gimli::Operation::UnsignedConstant { value } => Some(value),
        _ => None,
    }
}
