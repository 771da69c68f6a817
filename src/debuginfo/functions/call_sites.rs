//! Where functions call others, and what they pass (DWARF 5, 3.4); written by compilers that optimise.

use super::ranges::for_each_in_code;
use crate::dwarf::children::for_each_child;
use crate::dwarf::debug_info::{DebugInformation, Entry, EntryId, Slice};
use crate::dwarf::unit::Unit;
use crate::variables::locator::Locator;
use gimli::{AttributeValue, Expression, UnitOffset};
use model::{FileAddress, VirtualAddress};
use rustc_hash::FxHashMap;

/// A call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallSite {
    offset: UnitOffset,
    /// Behind the call instruction.
    pub(crate) return_address: FileAddress,
    /// The function that is called, when that is known.
    pub(crate) target: Option<EntryId>,
    /// The callee returns to the caller's caller.
    pub(crate) tail: bool,
}

/// The calls in a unit.
#[derive(Debug, Default)]
pub(crate) struct CallSites {
    by_return_address: FxHashMap<u64, CallSite>,
}

const TAGS: [gimli::DwTag; 2] = [gimli::DW_TAG_call_site, gimli::DW_TAG_GNU_call_site];

impl CallSites {
    pub(crate) fn read(debug: &DebugInformation, unit: &Unit) -> Self {
        let mut sites = Self::default();
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

    /// The call that returns to an address.
    pub(crate) fn at(&self, return_address: FileAddress) -> Option<&CallSite> {
        self.by_return_address.get(&return_address.0)
    }

    /// The tail calls whose code ends within a range.
    pub(crate) fn tail_calls(&self, start: u64, end: u64) -> Vec<CallSite> {
        let within = self.by_return_address.values().filter(|site| site.tail);
        let mut calls: Vec<_> =
            within.filter(|site| start < site.return_address.0 && site.return_address.0 <= end).copied().collect();
        calls.sort_by_key(|site| site.return_address);
        calls
    }
}

impl CallSite {
    /// Whether it is this function that is called: by its name where the call says it, else by its address.
    pub(crate) fn calls(
        &self,
        debug: &DebugInformation,
        caller: &Locator<'_>,
        function: &[u8],
        entry: VirtualAddress,
    ) -> bool {
        if let Some(target) = self.target {
            return debug.base_name(target) == Some(function);
        }
        let Some((unit, site)) = caller.frame.and_then(|frame| self.entry(frame.unit())) else { return false };
        let target = site
            .attr_value(gimli::DW_AT_call_target)
            .or_else(|| site.attr_value(gimli::DW_AT_GNU_call_site_target))
            .and_then(expression);
        target.and_then(|target| caller.address_of(unit, target)) == Some(entry)
    }

    fn entry<'a>(&self, unit: &'a Unit) -> Option<(&'a Unit, Entry)> {
        Some((unit, unit.entry(self.offset)?))
    }

    /// What is passed in a register, which is given by the expression that names it.
    pub(crate) fn parameter_in(&self, unit: &Unit, register: Expression<Slice>) -> Option<Expression<Slice>> {
        let register = register_of(unit, register)?;
        self.parameter(unit, |child| {
            let place = child.attr_value(gimli::DW_AT_location).and_then(expression);
            place.and_then(|place| register_of(unit, place)) == Some(register)
        })
    }

    /// What is passed for a parameter of the function.
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
        let (_, site) = self.entry(unit)?;
        let mut found = None;
        for_each_child(unit, &site, |child| {
            if found.is_none() && is_wanted(child) {
                let value = child.attr_value(gimli::DW_AT_call_value);
                found = value.or_else(|| child.attr_value(gimli::DW_AT_GNU_call_site_value)).and_then(expression);
            }
        });
        found
    }
}

/// The register that an expression is, with or without a type.
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
