//! Converts arrays to AIF: element by element, or as runs of equal elements.

use super::image_bytes::Image;
use super::value_to_aif::{Builder, Built, incomplete};
use crate::lang::fortran::sections::is_text;
use crate::types::{element_of, size_of};
use debuginfo::types::{Type, TypeRef};
use model::aif::{AifType, AifValue};

/// Returns the elements' common type and their values; elements with different bounds keep their own types.
fn of_one_type(elements: Vec<(AifType, AifValue)>) -> (Option<AifType>, Vec<AifValue>) {
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
        let there = (image.bytes.len() as u64).saturating_sub(offset) / size;
        if count <= s.limits().fetched() && there >= count {
            let mut elements = Vec::new();
            for number in 0..count {
                elements.push(self.object(|| self.built(&element, image, offset + number * size, depth + 1))?);
            }
            let (ty, values) = of_one_type(elements);
            let element = ty.unwrap_or_else(|| self.shallow(&element, 0));
            return Ok((AifType::array(lower, count, element), AifValue::Elements(values)));
        }
        self.runs(&element, lower, count, there, size, image, offset, depth)
    }

    /// Converts a long array to runs of equal elements, as many as gdb would show.
    fn runs(
        &self,
        element: &TypeRef,
        lower: i64,
        count: u64,
        there: u64,
        size: u64,
        image: &Image,
        offset: u64,
        depth: u32,
    ) -> Built {
        let is_text = self.shallow(element, 0).is_character();
        let (mut elements, mut lengths) = (Vec::new(), Vec::new());
        let mut number = 0;
        let mut shown = 0;
        // A character may take four elements; a few more show where the last one ends.
        let limits = self.context.limits();
        let (limit, threshold) = (limits.fetched(), u64::from(limits.repeats));
        let most = if is_text { 4 * limit + 8 } else { limit };
        while number < there.min(count) && shown < most {
            let start = offset + number * size;
            let this = image.slice(start, size);
            let same = |n: &u64| image.known.is_empty() && image.slice(offset + n * size, size) == this;
            let repetitions = 1 + (number + 1..there.min(count)).take_while(same).count() as u64;
            elements.push(self.object(|| self.built(element, image, start, depth + 1))?);
            lengths.push(repetitions as u32);
            shown += if is_text || repetitions <= threshold { repetitions } else { threshold };
            number += repetitions;
        }
        let (ty, values) = of_one_type(elements);
        let mut runs: Vec<(u32, AifValue)> = lengths.into_iter().zip(values).collect();
        if is_text && number + 1 == count && there == count && image.bits(offset + number * size, size) == 0 {
            // The terminating NUL marks the end of the string.
            runs.push((1, AifValue::Scalar(0)));
        }
        let element = ty.unwrap_or_else(|| self.shallow(element, 0));
        let index = Box::new(AifType::index(lower, count));
        Ok((AifType::Runs { index, element: Box::new(element) }, AifValue::Runs(runs)))
    }
}
