//! The blocks around the program counter of a frame, and the variables declared in them.

use crate::dwarf::covered::has_addresses;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::Entry;
use crate::dwarf::entry::EntryId;
use crate::dwarf::unit::Unit;
use crate::functions::entries::scopes_at;
use crate::functions::ranges::Span;
use crate::images::loaded::LoadedImage;
use crate::unwind::caller::lookup_address;
use crate::unwind::registers::Registers;
use crate::unwind::stack::StackFrame;
use gimli::AttributeValue;
use model::{FileAddress, VirtualAddress};
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

/// The blocks around the program counter of a frame.
pub(crate) struct FrameScope<'a> {
    debug: &'a DebugInformation,
    unit: &'a Unit,
    function: Entry,
    /// The blocks of the frame's own function, which may be inlined, outermost first; the first is the function itself.
    blocks: Vec<Entry>,
    frame: &'a StackFrame,
    address: FileAddress,
    entry: VirtualAddress,
}

impl<'a> FrameScope<'a> {
    /// Returns `None` if there is no debug information.
    pub(crate) fn of(loaded: &'a LoadedImage, frame: &'a StackFrame) -> Option<Self> {
        let pc = frame.registers.pc()?;
        let address = loaded.bias.unloaded(lookup_address(pc, frame.interrupted));
        Self::around(loaded, address, frame.inline_depth, frame)
    }

    /// Returns the blocks around other code than the frame's, of the function with `inline_depth` others inlined there.
    /// Variables have their places in `frame`. `None` if there is no debug information.
    pub(crate) fn around(
        loaded: &'a LoadedImage,
        code: FileAddress,
        inline_depth: u32,
        frame: &'a StackFrame,
    ) -> Option<Self> {
        let pc = frame.registers.pc()?;
        let address = loaded.bias.unloaded(lookup_address(pc, frame.interrupted));
        let (debug, unit, span): (_, _, Span) = loaded.image.span_at(code)?;
        let function = unit.entry(span.offset)?;
        let entry = loaded.bias.loaded(FileAddress(span.entry));
        let mut blocks = vec![function.clone()];
        blocks.extend(scopes_at(debug, unit, span.offset, code).into_iter().map(|scope| scope.entry));
        // The frame's function is the one that has `inline_depth` others inlined into it around the program counter.
        let starts: Vec<usize> = (0..blocks.len())
            .filter(|index| {
                let tag = blocks.get(*index).map(Entry::tag);
                *index == 0 || tag == Some(gimli::DW_TAG_inlined_subroutine)
            })
            .collect();
        let own = starts.len().checked_sub(1 + inline_depth as usize)?;
        let end = starts.get(own + 1).copied().unwrap_or(blocks.len());
        blocks.truncate(end);
        blocks.drain(..starts.get(own).copied()?);
        Some(Self { debug, unit, function, blocks, frame, address, entry })
    }

    pub(crate) fn debug(&self) -> &'a DebugInformation {
        self.debug
    }

    /// Returns the blocks of the frame's own function, outermost first.
    pub(crate) fn blocks(&self) -> &[Entry] {
        &self.blocks
    }

    pub(crate) fn registers(&self) -> &Registers {
        &self.frame.registers
    }

    pub(crate) fn interrupted(&self) -> bool {
        self.frame.interrupted
    }

    /// Addresses in the callers, if the function has given up its frame by a tail call.
    pub(crate) fn given_up_to(&self) -> &[VirtualAddress] {
        &self.frame.given_up_to
    }

    /// Returns the name of the function that is not inlined.
    pub(crate) fn function_name(&self) -> &'static [u8] {
        let id = EntryId { unit: self.unit.index, offset: self.function.offset() };
        self.debug.base_name(id).unwrap_or_default()
    }

    /// Returns the qualified name of the frame's own function, which may be inlined.
    pub(crate) fn own_name(&self) -> Option<Arc<str>> {
        let own = self.blocks.first()?;
        self.debug.qualified_name(EntryId { unit: self.unit.index, offset: own.offset() })
    }

    /// Returns the entry address, in memory, of the function that is not inlined.
    pub(crate) fn entry(&self) -> VirtualAddress {
        self.entry
    }

    pub(crate) fn cfa(&self) -> Option<VirtualAddress> {
        self.frame.cfa
    }

    /// Returns the file address to compare with ranges.
    pub(crate) fn address(&self) -> FileAddress {
        self.address
    }

    /// Returns the function that is not inlined, which owns the frame.
    pub(crate) fn function(&self) -> (&Unit, &Entry) {
        (self.unit, &self.function)
    }

    pub(crate) fn unit(&self) -> &'a Unit {
        self.unit
    }

    pub(crate) fn parameters(&self) -> Vec<(&'a Unit, Entry)> {
        let own = self.blocks.first();
        let all = own.map(|block| self.declared(block)).unwrap_or_default();
        all.into_iter().filter(|(_, entry)| entry.tag() == gimli::DW_TAG_formal_parameter).collect()
    }

    /// Returns the variables of all blocks, inner ones first.
    pub(crate) fn variables(&self) -> Vec<(&'a Unit, Entry)> {
        let blocks = self.blocks.iter().rev();
        blocks
            .flat_map(|block| self.declared(block))
            .filter(|(unit, entry)| {
                entry.tag() != gimli::DW_TAG_formal_parameter
                    && entry.attr(gimli::DW_AT_declaration).is_none()
                    && !self.is_constant_of_bytes(unit, entry)
            })
            .collect()
    }

    /// Returns the offsets of the entries of the outermost block's variables.
    pub(crate) fn own_variables(&self) -> Vec<gimli::UnitOffset> {
        let own = self.blocks.first().map(|block| self.declared(block)).unwrap_or_default();
        own.into_iter().map(|(_, entry)| entry.offset()).collect()
    }

    /// True for a constant that is not a plain number: gdb finds it by name but leaves it out of lists.
    fn is_constant_of_bytes(&self, unit: &Unit, entry: &Entry) -> bool {
        let id = EntryId { unit: unit.index, offset: entry.offset() };
        let value = self.debug.inherited(id, gimli::DW_AT_const_value).map(|(_, value)| value);
        value.is_some_and(|value| {
            matches!(value, AttributeValue::Block(_) | AttributeValue::Exprloc(_))
                || matches!(value, AttributeValue::String(_) | AttributeValue::DebugStrRef(_))
                || matches!(value, AttributeValue::DebugLineStrRef(_) | AttributeValue::DebugStrOffsetsIndex(_))
        })
    }

    /// Looks up a variable or parameter by name, inner blocks first; of a parameter pack, the last argument.
    pub(crate) fn named(&self, name: &[u8]) -> Option<(&'a Unit, Entry)> {
        self.blocks.iter().rev().find_map(|block| {
            let declared = self.declared(block).into_iter();
            let mut same = declared.filter(|(unit, entry)| {
                let id = EntryId { unit: unit.index, offset: entry.offset() };
                entry.attr(gimli::DW_AT_declaration).is_none() && self.debug.base_name(id) == Some(name)
            });
            let first = same.next()?;
            let is_parameter = |(_, entry): &(&Unit, Entry)| entry.tag() == gimli::DW_TAG_formal_parameter;
            if is_parameter(&first) { same.take_while(is_parameter).last().or(Some(first)) } else { Some(first) }
        })
    }

    /// True if the frame belongs to this function, inlined or not.
    pub(crate) fn is_of(&self, function: EntryId) -> bool {
        let Some(own) = self.blocks.first() else { return false };
        let id = EntryId { unit: self.unit.index, offset: own.offset() };
        id == function || self.debug.origin(self.unit, own) == Some(function)
    }

    /// Returns the function in which that of the frame is nested, and sees whose variables.
    pub(crate) fn host(&self) -> Option<EntryId> {
        let own = self.blocks.first()?;
        let id = EntryId { unit: self.unit.index, offset: own.offset() };
        self.host_of(id).or_else(|| self.host_of(self.debug.origin(self.unit, own)?))
    }

    /// Returns the function in which another of the file is nested.
    pub(crate) fn host_of(&self, function: EntryId) -> Option<EntryId> {
        let offset = self.debug.unit(function.unit)?.functions(self.debug).host_of(function.offset)?;
        Some(EntryId { unit: function.unit, offset })
    }

    /// Returns the contiguous parts of the code that has the frames of the function around the frame's: that of the
    /// whole function if both are inlined into it.
    pub(crate) fn code_of_host(&self, host: EntryId) -> Vec<Range<u64>> {
        let mut parts = Vec::new();
        if let Some((unit, entry)) = self.debug.entry(host) {
            self.debug.ranges_of(unit, &entry, &mut parts);
        }
        if parts.is_empty() { self.function_ranges() } else { parts }
    }

    /// True if the frame's own function is not inlined: it owns the frame.
    pub(crate) fn is_whole_function(&self) -> bool {
        self.blocks.first().is_some_and(|own| own.offset() == self.function.offset())
    }

    /// True if the frame's registers are those of its function, not of other code in which the names are looked up.
    pub(crate) fn has_own_registers(&self) -> bool {
        self.function_ranges().iter().any(|part| part.contains(&self.address.0))
    }

    /// True if the program counter is in this block.
    pub(crate) fn has_block(&self, block: EntryId) -> bool {
        block.unit == self.unit.index && self.blocks.iter().any(|known| known.offset() == block.offset)
    }

    /// Returns the innermost block that declares a variable, and the number of blocks around it; `None` for a constant.
    pub(crate) fn block_of(&self, name: &[u8]) -> Option<(usize, EntryId)> {
        let id = |unit: &Unit, entry: &Entry| EntryId { unit: unit.index, offset: entry.offset() };
        let (depth, block, of) = self.blocks.iter().enumerate().rev().find_map(|(depth, block)| {
            let mut declared = self.declared(block).into_iter();
            let (unit, entry) = declared.find(|(unit, entry)| {
                entry.attr(gimli::DW_AT_declaration).is_none() && self.debug.base_name(id(unit, entry)) == Some(name)
            })?;
            Some((depth, id(self.unit, block), id(unit, &entry)))
        })?;
        self.debug.inherited(of, gimli::DW_AT_const_value).is_none().then_some((depth, block))
    }

    /// Returns the contiguous parts of the function that is not inlined.
    pub(crate) fn function_ranges(&self) -> Vec<Range<u64>> {
        let mut ranges = Vec::new();
        self.debug.ranges_of(self.unit, &self.function, &mut ranges);
        ranges
    }

    /// Looks up a name in the function's outermost block.
    pub(crate) fn outermost_named(&self, name: &[u8]) -> Option<(&'a Unit, Entry)> {
        self.declared(self.blocks.first()?).into_iter().find(|(unit, entry)| {
            let id = EntryId { unit: unit.index, offset: entry.offset() };
            self.debug.base_name(id) == Some(name)
        })
    }

    /// Returns the types declared in the blocks, inner ones first.
    pub(crate) fn types(&self) -> Vec<EntryId> {
        let mut types = Vec::new();
        for block in self.blocks.iter().rev() {
            self.unit.for_each_child(block, |child| {
                if matches!(
                    child.tag(),
                    gimli::DW_TAG_typedef
                        | gimli::DW_TAG_structure_type
                        | gimli::DW_TAG_class_type
                        | gimli::DW_TAG_union_type
                        | gimli::DW_TAG_enumeration_type
                ) {
                    types.push(EntryId { unit: self.unit.index, offset: child.offset() });
                }
            });
        }

        types
    }

    /// Returns variables and parameters of one block, including those that only its abstract instance has because they
    /// were optimized out.
    fn declared(&self, block: &Entry) -> Vec<(&'a Unit, Entry)> {
        let mut declared = Vec::new();
        let mut origins = FxHashSet::default();
        self.collect(self.unit, block, &mut declared, &mut origins, 0);
        let origin = block.attr_value(gimli::DW_AT_abstract_origin);
        let origin = origin.and_then(|value| self.debug.follow(self.unit, value));
        if let Some((unit, abstract_form)) = origin.and_then(|id| self.debug.entry(id)) {
            inherit(unit, &abstract_form, &mut declared, &origins, 0);
        }
        declared
    }

    fn collect(
        &self,
        unit: &'a Unit,
        block: &Entry,
        into: &mut Vec<(&'a Unit, Entry)>,
        origins: &mut FxHashSet<EntryId>,
        depth: u32,
    ) {
        let mut inner = Vec::new();
        unit.for_each_child(block, |child| {
            // Like gdb, only direct children of a block count as instances of abstract entries.
            origins.extend(self.debug.origin(unit, child).filter(|_| depth == 0));
            if is_variable(child) {
                into.push((unit, child.clone()));
            } else if child.tag() == gimli::DW_TAG_common_block
                || child.tag() == gimli::DW_TAG_lexical_block && !has_addresses(child)
            {
                inner.push(child.clone());
            }
        });
        // Common blocks do not nest, and a block without addresses does not count: their variables belong to the block
        // around.
        if depth < DEEPEST {
            for block in &inner {
                self.collect(unit, block, into, origins, depth + 1);
            }
        }
    }
}

/// Adds the entries of an abstract block, except those that `origins` names.
fn inherit<'a>(
    unit: &'a Unit,
    block: &Entry,
    into: &mut Vec<(&'a Unit, Entry)>,
    origins: &FxHashSet<EntryId>,
    depth: u32,
) {
    let mut inner = Vec::new();
    unit.for_each_child(block, |child| {
        // Like gdb, check direct children of the abstract block only.
        if depth == 0 && origins.contains(&EntryId { unit: unit.index, offset: child.offset() }) {
            return;
        }
        if is_variable(child) {
            into.push((unit, child.clone()));
        } else if [gimli::DW_TAG_common_block, gimli::DW_TAG_lexical_block].contains(&child.tag()) {
            inner.push(child.clone());
        }
    });
    if depth < DEEPEST {
        for block in &inner {
            inherit(unit, block, into, origins, depth + 1);
        }
    }
}

/// No compiler nests blocks deeper than this.
const DEEPEST: u32 = 32;

fn is_variable(entry: &Entry) -> bool {
    let tags = [gimli::DW_TAG_variable, gimli::DW_TAG_formal_parameter, gimli::DW_TAG_constant];
    tags.contains(&entry.tag())
}
