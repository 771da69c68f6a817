//! Methods, access, typedefs and template arguments of classes (DWARF 5, 5.7).

use super::classes::{Access, ClassDetail, MemberDetail, MethodDetail};
use super::description::TypeRef;
use super::reader::TypeReader;
use crate::demangle::canonical::canonical_method;
use crate::demangle::itanium::{Extent, in_words};
use crate::demangle::template::template_parts;
use crate::dwarf::entry::Entry;
use crate::dwarf::entry::{EntryId, Slice};
use crate::dwarf::unit::Unit;
use gimli::AttributeValue;
use std::sync::Arc;

impl TypeReader<'_> {
    /// Reads the details of a class beyond its data members.
    pub(crate) fn class(&self, id: EntryId) -> Option<ClassDetail> {
        let (unit, entry) = self.debug.entry(self.debug.whole(id))?;
        let usual = if entry.tag() == gimli::DW_TAG_class_type { Access::Private } else { Access::Public };
        let name = self.own_name(unit, &entry);
        let mut class = ClassDetail::default();
        unit.for_each_child(&entry, |child| match child.tag() {
            gimli::DW_TAG_member | gimli::DW_TAG_variable | gimli::DW_TAG_inheritance
                if self.member(unit, child).is_some() =>
            {
                let artificial = flag(child, gimli::DW_AT_artificial);
                // As in gdb, members that the compiler made are private.
                let access = if artificial { Access::Private } else { access(child, usual) };
                class.members.push(MemberDetail { access, artificial });
            }
            gimli::DW_TAG_subprogram => class.methods.extend(self.method(unit, child, name.as_deref(), usual)),
            gimli::DW_TAG_typedef => {
                let named = self.own_name(unit, child).map(|name| (name, self.own(unit, child), access(child, usual)));
                class.typedefs.extend(named);
            }
            gimli::DW_TAG_template_type_parameter => {
                let named = self.own_name(unit, child).map(|name| (name, self.target(unit, child)));
                class.template.extend(named);
            }
            gimli::DW_TAG_structure_type
            | gimli::DW_TAG_class_type
            | gimli::DW_TAG_union_type
            | gimli::DW_TAG_enumeration_type => class.has_nested |= child.attr(gimli::DW_AT_name).is_some(),
            _ => {}
        });
        Some(class)
    }

    fn own(&self, unit: &Unit, entry: &Entry) -> TypeRef {
        self.reference(EntryId { unit: unit.index, offset: entry.offset() })
    }

    fn own_name(&self, unit: &Unit, entry: &Entry) -> Option<Arc<str>> {
        let name = self.debug.string(unit, entry.attr_value(gimli::DW_AT_name)?)?;
        Some(String::from_utf8_lossy(name).into())
    }

    /// The entry named by `DW_AT_abstract_origin`, in the same unit. The code of a method of a class within a function
    /// is a separate entry, which gdb lists as another method.
    fn described(&self, unit: &Unit, entry: &Entry) -> Option<Entry> {
        let origin = self.debug.follow(unit, entry.attr_value(gimli::DW_AT_abstract_origin)?)?;
        self.debug.entry(origin).filter(|(of, _)| of.index == unit.index).map(|(_, entry)| entry)
    }

    fn method(&self, unit: &Unit, entry: &Entry, class: Option<&str>, usual: Access) -> Option<MethodDetail> {
        let described = self.described(unit, entry);
        let (code, entry) = (entry, described.as_ref().unwrap_or(entry));
        let name = self.own_name(unit, entry)?;
        let mut parameters = Vec::new();
        let mut variadic = false;
        unit.for_each_child(code, |child| match child.tag() {
            gimli::DW_TAG_formal_parameter => {
                let described = self.described(unit, child);
                let child = described.as_ref().unwrap_or(child);
                parameters.push((self.target(unit, child), flag(child, gimli::DW_AT_artificial)));
            }
            gimli::DW_TAG_unspecified_parameters => variadic = true,
            _ => {}
        });
        let constructor = class.is_some_and(|class| template_parts(class).map_or(class, |parts| parts.0) == &*name);
        Some(MethodDetail {
            name: canonical_method(&name).into(),
            access: access(entry, usual),
            artificial: flag(entry, gimli::DW_AT_artificial),
            slot: entry.attr_value(gimli::DW_AT_vtable_elem_location).as_ref().and_then(slot),
            full_name: self.full_name_of_virtual(unit, entry),
            is_virtual: entry.attr(gimli::DW_AT_vtable_elem_location).is_some(),
            returns: (!constructor).then(|| self.target(unit, entry)),
            parameters,
            variadic,
        })
    }

    fn full_name_of_virtual(&self, unit: &Unit, method: &Entry) -> Option<Arc<str>> {
        method.attr(gimli::DW_AT_vtable_elem_location)?;
        let symbol = self.debug.string(unit, method.attr_value(gimli::DW_AT_linkage_name)?)?;
        in_words(std::str::from_utf8(symbol).ok()?, Extent::Parameters).map(Arc::from)
    }
}

/// Returns a number that is written as a location.
fn slot(value: &AttributeValue<Slice>) -> Option<u64> {
    let AttributeValue::Exprloc(expression) = value else { return None };
    let encoding = gimli::Encoding { address_size: 8, format: gimli::Format::Dwarf32, version: 4 };
    let mut bytes = expression.0;
    match gimli::Operation::parse(&mut bytes, encoding).ok()? {
        gimli::Operation::UnsignedConstant { value } => Some(value),
        _ => None,
    }
}

fn flag(entry: &Entry, name: gimli::DwAt) -> bool {
    matches!(entry.attr_value(name), Some(AttributeValue::Flag(true)))
}

fn access(entry: &Entry, usual: Access) -> Access {
    match entry.attr_value(gimli::DW_AT_accessibility) {
        Some(AttributeValue::Accessibility(gimli::DW_ACCESS_public)) => Access::Public,
        Some(AttributeValue::Accessibility(gimli::DW_ACCESS_protected)) => Access::Protected,
        Some(AttributeValue::Accessibility(gimli::DW_ACCESS_private)) => Access::Private,
        _ => usual,
    }
}
