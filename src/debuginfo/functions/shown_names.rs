//! Names of functions as gdb shows them: in C++, from the mangled names, which include template arguments and enclosing
//! functions.

use crate::demangle::itanium::{Extent, in_words};
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::Entry;
use crate::dwarf::entry::EntryId;
use crate::dwarf::unit::Unit;
use std::sync::Arc;

/// The limit on nested types followed.
const DEEPEST: u32 = 16;

impl DebugInformation {
    /// Returns the name of a function without its parameters.
    pub(crate) fn shown_name(&self, id: EntryId) -> Option<Arc<str>> {
        let mangled = self.in_cplusplus(id).and_then(|name| in_words(name, Extent::Name));
        mangled.map_or_else(|| self.qualified_name(id), |name| Some(name.into()))
    }

    /// Returns the name of a function in the form used for symbols: in C++ with its parameters.
    pub(crate) fn shown_with_parameters(&self, id: EntryId) -> Option<Arc<str>> {
        let name = self.qualified_name(id)?;
        let (unit, entry) = self.entry(id)?;
        if !unit.language.has_overloads() {
            return Some(name);
        }
        let mangled = self.in_cplusplus(id).and_then(|name| in_words(name, Extent::Parameters));
        let computed = || self.parameters_of(unit, &entry).map(|parameters| format!("{name}{parameters}"));
        Some(mangled.or_else(computed).map_or(name, Arc::from))
    }

    fn in_cplusplus(&self, id: EntryId) -> Option<&'static str> {
        let (unit, value) = self.inherited(id, gimli::DW_AT_linkage_name)?;
        let name = self.string(unit, value).filter(|_| unit.language.has_overloads())?;
        std::str::from_utf8(name).ok()
    }

    /// Returns the parameters in parentheses; those that the compiler made are left out, as `this`.
    fn parameters_of(&self, unit: &Unit, function: &Entry) -> Option<String> {
        let mut all = Some(Vec::new());
        let mut is_const = false;
        unit.for_each_child(function, |child| {
            if child.tag() == gimli::DW_TAG_formal_parameter {
                let id = EntryId { unit: unit.index, offset: child.offset() };
                if self.inherited(id, gimli::DW_AT_artificial).is_some() {
                    is_const |= self.is_of_constant_object(unit, id);
                    return;
                }
                let one = self.spelled(unit, child, 0);
                all = all.take().zip(one).map(|(mut all, one)| {
                    all.push(one);
                    all
                });
            }
        });
        all.map(|all| format!("({}){}", all.join(", "), if is_const { " const" } else { "" }))
    }

    /// True if a parameter is `this` of a method that does not change its object.
    fn is_of_constant_object(&self, unit: &Unit, parameter: EntryId) -> bool {
        let Some((_, value)) = self.inherited(parameter, gimli::DW_AT_type) else { return false };
        let mut tags = Vec::new();
        let mut next = self.follow(unit, value);
        while let Some((unit, ty)) = next.and_then(|id| self.entry(id)).filter(|_| tags.len() < 3) {
            tags.push(ty.tag());
            next = ty.attr_value(gimli::DW_AT_type).and_then(|value| self.follow(unit, value));
        }
        let tags = tags.strip_prefix(&[gimli::DW_TAG_const_type]).unwrap_or(&tags);
        tags.starts_with(&[gimli::DW_TAG_pointer_type, gimli::DW_TAG_const_type])
    }

    /// Returns the type of an entry, with qualifiers after the type they apply to; `None` if it has no simple spelling.
    fn spelled(&self, unit: &Unit, entry: &Entry, depth: u32) -> Option<String> {
        let Some(value) = entry.attr_value(gimli::DW_AT_type) else { return Some("void".to_owned()) };
        let id = self.follow(unit, value).filter(|_| depth < DEEPEST)?;
        let (unit, ty) = self.entry(id)?;
        let of = |sign: &str| Some(self.spelled(unit, &ty, depth + 1)? + sign);
        match ty.tag() {
            gimli::DW_TAG_pointer_type => of("*"),
            gimli::DW_TAG_reference_type => of("&"),
            gimli::DW_TAG_rvalue_reference_type => of("&&"),
            gimli::DW_TAG_const_type => of(" const"),
            gimli::DW_TAG_volatile_type => of(" volatile"),
            gimli::DW_TAG_subroutine_type | gimli::DW_TAG_array_type | gimli::DW_TAG_ptr_to_member_type => None,
            _ => Some(model::aif::as_gdb_spells(&self.qualified_name(id)?)),
        }
    }
}
