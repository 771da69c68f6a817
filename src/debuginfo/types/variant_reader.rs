//! Enums whose alternatives carry data (DWARF 5, 5.7.10).

use super::description::{Alternative, Variants};
use super::reader::TypeReader;
use crate::dwarf::entry::Attribute;
use crate::dwarf::entry::Entry;
use crate::dwarf::unit::Unit;
use gimli::AttributeValue;

impl TypeReader<'_> {
    /// Reads the alternatives of a variant part.
    pub(crate) fn variants(&self, unit: &Unit, part: &Entry) -> Variants {
        let chooser = match part.attr_value(gimli::DW_AT_discr) {
            Some(AttributeValue::UnitRef(offset)) => Some(offset),
            _ => None,
        };
        let mut variants = Variants { discriminant: None, alternatives: Vec::new() };
        unit.for_each_child(part, |child| match child.tag() {
            gimli::DW_TAG_member if Some(child.offset()) == chooser => {
                variants.discriminant = self.member(unit, child);
            }
            gimli::DW_TAG_variant => variants.alternatives.extend(self.alternative(unit, child)),
            _ => {}
        });
        variants
    }

    fn alternative(&self, unit: &Unit, variant: &Entry) -> Option<Alternative> {
        let mut member = None;
        unit.for_each_child(variant, |child| {
            if member.is_none() && child.tag() == gimli::DW_TAG_member {
                member = self.member(unit, child);
            }
        });
        let value = variant.attr_value(gimli::DW_AT_discr_value).as_ref().and_then(bits);
        Some(Alternative { value, member: member? })
    }
}

/// Returns the bits of a constant of up to 16 bytes; a negative one is sign-extended.
fn bits(value: &Attribute) -> Option<u128> {
    match value {
        AttributeValue::Sdata(value) => Some(i128::from(*value) as u128),
        AttributeValue::Block(block) => {
            let mut bytes = [0; 16];
            bytes.iter_mut().zip(block.slice()).for_each(|(to, from)| *to = *from);
            Some(u128::from_le_bytes(bytes))
        }
        value => value.udata_value().map(u128::from),
    }
}
