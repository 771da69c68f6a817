//! Converts arrays to AIF: element by element, or as runs of equal elements.

use super::image_bytes::Image;
use super::value_to_aif::{Builder, Built, incomplete};
use crate::eval::strided::is_text;
use crate::types::{element_of, size_of};
use debuginfo::types::{Type, TypeRef};
use model::aif::{AifType, AifValue};

/// Returns the elements' common type and their values; elements with different bounds keep their own types.
pub(super) fn of_one_type(elements: Vec<(AifType, AifValue)>) -> (Option<AifType>, Vec<AifValue>) {
    let first = elements.first().map(|(ty, _)| ty.clone());
    if elements.iter().all(|(ty, _)| Some(ty) == first.as_ref()) {
        return (first, elements.into_iter().map(|(_, value)| value).collect());
    }
    let own = |(ty, value): (AifType, AifValue)| match ty {
        AifType::Own => value,
        ty => AifValue::Own(Box::new(ty), Box::new(value)),
    };
    (Some(AifType::Own), elements.into_iter().map(own).collect())
}

/// The place of an array's elements in the bytes read for it.
struct Elements<'a> {
    ty: &'a TypeRef,
    size: u64,
    lower: i64,
    count: u64,
    image: &'a Image,
    /// Offset of the first in the image.
    offset: u64,
}

impl Elements<'_> {
    /// Returns how many elements the image could hold; it may go on behind the array.
    fn available(&self) -> u64 {
        (self.image.bytes.len() as u64).saturating_sub(self.offset) / self.size
    }

    fn start(&self, number: u64) -> u64 {
        self.offset + number * self.size
    }

    fn bytes(&self, number: u64) -> &[u8] {
        self.image.slice(self.start(number), self.size)
    }
}

impl Builder<'_> {
    pub(crate) fn array(&self, found: &Type, image: &Image, offset: u64, depth: u32) -> Built {
        let s = self.context;
        let Some((element, lower, count)) = element_of(found, s) else { return Ok(incomplete()) };
        let size = size_of(&element, s).unwrap_or(0);
        let counted = s.language().texts_are_arrays();
        let is_empty_text = counted && size == 1 && count == Some(0) && self.shallow(&element, 0).is_character();
        let count = count.unwrap_or(0);
        let is_of_empty_texts = counted && size == 0 && is_text(&element, s);
        if is_of_empty_texts {
            let shown = count.min(s.limits().fetched());
            let texts = (0..shown).map(|_| self.built(&element, image, offset, depth + 1));
            let (ty, values) = of_one_type(texts.collect::<Result<_, _>>()?);
            let element = ty.unwrap_or_else(|| self.shallow(&element, 0));
            return Ok((AifType::array(lower, shown, element), AifValue::Elements(values)));
        }
        if is_empty_text {
            let ty = AifType::array(lower, 0, self.shallow(&element, 0));
            return Ok((ty, AifValue::Elements(Vec::new())));
        }
        if count == 0 || size == 0 {
            let ty = AifType::array(lower, 0, self.shallow(&element, 0));
            let elements = AifValue::Elements(Vec::new());
            let here = image.address.map(|address| address.wrapping_add(offset));
            return Ok(match (here, self.text_pointer(&element)) {
                // A character array of unknown length is shown like a character pointer.
                (Some(address), Some(pointer)) if count == 0 => self.pointer(pointer, found, address),
                (Some(address), _) => {
                    (AifType::Located { size: 8, ty: Box::new(ty) }, AifValue::Located(address, Box::new(elements)))
                }
                (None, _) => (ty, elements),
            });
        }
        let all = Elements { ty: &element, size, lower, count, image, offset };
        if count <= s.limits().fetched() && all.available() >= count {
            let mut elements = Vec::new();
            for number in 0..count {
                let seen = self.unreadable.get();
                elements.push(self.object(|| self.built(&element, image, all.start(number), depth + 1))?);
                if self.unreadable.get() > seen {
                    break;
                }
            }
            let is_cut = (elements.len() as u64) < count;
            let (ty, values) = of_one_type(elements);
            let element = ty.unwrap_or_else(|| self.shallow(&element, 0));
            if is_cut {
                // Only the first error is shown.
                let ty = AifType::Runs { index: Box::new(AifType::index(lower, count)), element: Box::new(element) };
                return Ok((ty, AifValue::Runs(values.into_iter().map(|value| (1, value)).collect())));
            }
            return Ok((AifType::array(lower, count, element), AifValue::Elements(values)));
        }
        self.runs(&all, depth)
    }

    /// Converts a long array to runs of equal elements, as many as gdb would show.
    fn runs(&self, all: &Elements<'_>, depth: u32) -> Built {
        let (image, available) = (all.image, all.available());
        let present = available.min(all.count);
        let is_text = self.shallow(all.ty, 0).is_character();
        let (mut elements, mut lengths) = (Vec::new(), Vec::new());
        let mut number = 0;
        let mut shown = 0;
        // A character may take four elements; a few more show where the last one ends.
        let limits = self.context.limits();
        let (limit, threshold) = (limits.fetched(), u64::from(limits.repeats));
        let most = if is_text { 4 * limit + 8 } else { limit };
        while number < present && shown < most {
            let this = all.bytes(number);
            let same = |n: &u64| image.known.is_empty() && all.bytes(*n) == this;
            let repetitions = 1 + (number + 1..present).take_while(same).count() as u64;
            let seen = self.unreadable.get();
            elements.push(self.object(|| self.built(all.ty, image, all.start(number), depth + 1))?);
            lengths.push(repetitions as u32);
            if self.unreadable.get() > seen {
                break;
            }
            shown += if is_text || repetitions <= threshold { repetitions } else { threshold };
            number += repetitions;
        }
        let (ty, values) = of_one_type(elements);
        let mut runs: Vec<(u32, AifValue)> = lengths.into_iter().zip(values).collect();
        let is_last = number + 1 == all.count && available == all.count;
        if is_text && is_last && image.bits(all.start(number), all.size) == 0 {
            // The terminating NUL marks the end of the string.
            runs.push((1, AifValue::Scalar(0)));
        }
        let element = ty.unwrap_or_else(|| self.shallow(all.ty, 0));
        let index = Box::new(AifType::index(all.lower, all.count));
        Ok((AifType::Runs { index, element: Box::new(element) }, AifValue::Runs(runs)))
    }
}
