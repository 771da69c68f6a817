//! Arrays with bounds or places computed at run time: variable-length arrays in C, arrays with descriptors in Fortran.

use super::locator::Locator;
use crate::dwarf::entry::Attribute;
use crate::dwarf::entry::Entry;
use crate::dwarf::entry::EntryId;
use crate::dwarf::unit::Unit;
use crate::types::description::{Kind, Place, Type, TypeRef};
use crate::types::dimensions::without_natural;
use crate::types::reader::{TypeReader, no_bound, signed};
use gimli::AttributeValue;
use model::VirtualAddress;
use std::sync::Arc;

impl Locator<'_> {
    /// Resolves an array whose bounds or place are computed; other values are unchanged.
    pub(crate) fn measured(&self, ty: TypeRef, place: Result<Place, String>) -> (TypeRef, Result<Place, String>) {
        let TypeRef::Entry(id) = &ty else { return (ty, place) };
        let as_declared = self.loaded.image.types().at(id.entry);
        let Kind::Array { dimensions, element } = &as_declared.kind else { return (ty, place) };
        let known = !dimensions.is_empty() && dimensions.iter().all(|one| one.count.is_some());
        // Without a frame, only arrays in memory can describe their own bounds.
        let alone = self.frame.is_none() && !matches!(place, Ok(Place::Memory(_)));
        if alone || known && self.loaded.image.types().size_of(element).is_some() {
            return (ty, place);
        }
        let Some(entry) = self.debug.entry_at(id.entry) else { return (ty, place) };
        let object = match &place {
            Ok(Place::Memory(address)) => Some(address.0),
            _ => None,
        };
        let locator = Locator { object, ..*self };
        let there = place.is_ok();
        let place = place.and_then(|place| locator.data_place(entry, place));
        if there && place.is_err() {
            // Bounds of an array that is not there are stale.
            return (ty, place);
        }
        let bound = |unit: &Unit, value: Attribute, held: Option<u64>| match held {
            Some(size) => locator.number_held(unit, value, size),
            None => locator.number(unit, value),
        };
        let reader = TypeReader { debug: self.debug, image: self.loaded.image.index(), bound: &bound };
        let mut measured: Type = reader.read(entry);
        if let Kind::Array { element, dimensions } = &mut measured.kind {
            // Strings may have a computed length, too.
            *element = locator.measured(element.clone(), Ok(Place::OptimizedOut)).0;
            let size = self.loaded.image.types().size_of(element).unwrap_or(0);
            *dimensions = without_natural(std::mem::take(dimensions), size);
            // An end that cannot be found counts as unspecified.
            let may_be_assumed = self.debug.entry(entry).is_some_and(|(unit, _)| unit.language.has_assumed_sizes());
            if may_be_assumed && place.is_ok() {
                dimensions.iter_mut().for_each(|one| one.assumed |= one.count.is_none());
            }
        }
        let ty = if measured == *as_declared { ty } else { TypeRef::Made(Arc::new(measured)) };
        (ty, place)
    }

    /// Returns the place of an array's elements; for an array with a descriptor, `place` is that of the descriptor.
    fn data_place(&self, array: EntryId, place: Place) -> Result<Place, String> {
        let Some((unit, entry)) = self.debug.entry(array) else { return Ok(place) };
        let number = |entry: &Entry, name| Some(self.number(unit, entry.attr_value(name)?));
        for (name, missing) in [(gimli::DW_AT_allocated, "not allocated"), (gimli::DW_AT_associated, "not associated")]
        {
            if number(&entry, name).flatten() == Some(0) {
                return Err(missing.into());
            }
        }
        let Some(data) = number(&entry, gimli::DW_AT_data_location) else { return Ok(place) };
        let data = data.ok_or("cannot compute the address of its elements")?;
        Ok(Place::Memory(VirtualAddress(data as u64)))
    }

    /// Computes a number from an attribute's expression, or reads it from the variable that holds it.
    fn number(&self, unit: &Unit, value: Attribute) -> Option<i64> {
        let expression = match value {
            AttributeValue::Exprloc(expression) => expression,
            AttributeValue::Block(block) => gimli::Expression(block),
            value => return signed(&value).or_else(|| self.number_in_variable(unit, value)),
        };
        let encoding = unit.dwarf.encoding();
        self.with_evaluator(unit, |evaluator| evaluator.number(expression, encoding, None)).ok().map(|n| n as i64)
    }

    /// Reads a number of `size` bytes at the place that an attribute gives, or from a variable.
    fn number_held(&self, unit: &Unit, value: Attribute, size: u64) -> Option<i64> {
        let expression = match value {
            AttributeValue::Exprloc(expression) => expression,
            AttributeValue::Block(block) => gimli::Expression(block),
            value => return self.number(unit, value),
        };
        let pieces = self.evaluate(unit, expression, None).ok()?;
        let [piece] = pieces.as_slice() else { return None };
        let place = self.single(&piece.location, Some(size)).ok()?;
        whole_number(&self.read_place(&place, usize::try_from(size).ok().filter(|size| *size <= 8)?)?)
    }

    fn number_in_variable(&self, unit: &Unit, value: Attribute) -> Option<i64> {
        let (unit, entry) = self.debug.entry(self.debug.follow(unit, value)?)?;
        let reader = TypeReader { debug: self.debug, image: self.loaded.image.index(), bound: &no_bound };
        let ty = reader.target(unit, &entry);
        let size = self.loaded.image.types().size_of(&ty).filter(|size| *size <= 8)? as usize;
        whole_number(&self.read_place(&self.place(unit, &entry, &ty).ok()?, size)?)
    }
}

/// Bounds in C are unsigned words; others are narrower and signed.
fn whole_number(bytes: &[u8]) -> Option<i64> {
    let mut word = [0; 8];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(match bytes.len() {
        4 => i64::from(i32::from_le_bytes(*word.first_chunk::<4>()?)),
        _ => i64::from_le_bytes(word),
    })
}
