//! Reads call sites and the arguments they pass (DWARF 5, 3.4).

use super::call_sites::{CallSite, CallSites};
use super::entries::for_each_in_code;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::{Entry, EntryId, Slice};
use crate::dwarf::unit::Unit;
use gimli::{AttributeValue, Expression};
use model::FileAddress;

const TAGS: [gimli::DwTag; 2] = [gimli::DW_TAG_call_site, gimli::DW_TAG_GNU_call_site];

impl Unit {
    /// Returns the call sites by return address, reading them on first use.
    pub(crate) fn call_sites(&self, debug: &DebugInformation) -> &CallSites {
        self.call_sites.get_or_init(|| {
            self.reads("call sites");
            read(debug, self)
        })
    }
}

fn read(debug: &DebugInformation, unit: &Unit) -> CallSites {
    let mut sites = CallSites::default();
    for_each_in_code(debug, unit, &TAGS, |entry| {
        let at = entry.attr_value(gimli::DW_AT_call_return_pc).or_else(|| entry.attr_value(gimli::DW_AT_low_pc));
        let Some(address) = at.and_then(|value| debug.address(unit, value)) else { return };
        let target = entry
            .attr_value(gimli::DW_AT_call_origin)
            .or_else(|| entry.attr_value(gimli::DW_AT_abstract_origin))
            .and_then(|value| debug.follow(unit, value));
        let tail =
            entry.attr(gimli::DW_AT_call_tail_call).is_some() || entry.attr(gimli::DW_AT_GNU_tail_call).is_some();
        let return_address = FileAddress(address);
        let site = CallSite { offset: entry.offset(), return_address, target, tail };
        sites.by_return_address.insert(address, site);
    });
    sites
}

impl CallSite {
    /// Returns an expression for the address of the called function, if the call site names no function.
    pub(crate) fn target_expression(&self, unit: &Unit) -> Option<Expression<Slice>> {
        let site = unit.entry(self.offset)?;
        let target = site.attr_value(gimli::DW_AT_call_target);
        target.or_else(|| site.attr_value(gimli::DW_AT_GNU_call_site_target)).and_then(expression)
    }

    /// Returns the value passed in a register, which is identified by an expression.
    pub(crate) fn parameter_in(&self, unit: &Unit, register: Expression<Slice>) -> Option<Expression<Slice>> {
        let register = register_of(unit, register)?;
        self.parameter(unit, |child| {
            let place = child.attr_value(gimli::DW_AT_location).and_then(expression);
            place.and_then(|place| register_of(unit, place)) == Some(register)
        })
    }

    /// Returns the value passed in the register with this number.
    pub(crate) fn parameter_in_register(&self, unit: &Unit, number: u16) -> Option<Expression<Slice>> {
        self.parameter(unit, |child| {
            let place = child.attr_value(gimli::DW_AT_location).and_then(expression);
            place.and_then(|place| register_of(unit, place)) == Some(gimli::Register(number))
        })
    }

    /// Returns the value passed for a parameter of the function.
    pub(crate) fn parameter_for(
        &self,
        debug: &DebugInformation,
        unit: &Unit,
        parameter: EntryId,
    ) -> Option<Expression<Slice>> {
        self.parameter(unit, |child| {
            let of = child
                .attr_value(gimli::DW_AT_call_parameter)
                .or_else(|| child.attr_value(gimli::DW_AT_abstract_origin));
            of.and_then(|of| debug.follow(unit, of)) == Some(parameter)
        })
    }

    fn parameter(&self, unit: &Unit, is_wanted: impl Fn(&Entry) -> bool) -> Option<Expression<Slice>> {
        let site = unit.entry(self.offset)?;
        let mut found = None;
        unit.for_each_child(&site, |child| {
            if found.is_none() && is_wanted(child) {
                let value = child.attr_value(gimli::DW_AT_call_value);
                found = value.or_else(|| child.attr_value(gimli::DW_AT_GNU_call_site_value)).and_then(expression);
            }
        });
        found
    }
}

/// Returns the register that an expression consists of, with or without a type.
fn register_of(unit: &Unit, expression: Expression<Slice>) -> Option<gimli::Register> {
    let mut bytes = expression.0;
    match gimli::Operation::parse(&mut bytes, unit.dwarf.encoding()).ok()? {
        gimli::Operation::Register { register } => Some(register),
        gimli::Operation::RegisterOffset { register, offset: 0, base_type } if base_type.0 != 0 => Some(register),
        _ => None,
    }
}

fn expression(value: AttributeValue<Slice>) -> Option<Expression<Slice>> {
    match value {
        AttributeValue::Exprloc(expression) => Some(expression),
        AttributeValue::Block(block) => Some(Expression(block)),
        _ => None,
    }
}
