//! Converts Rust enums with data, and the bytes behind Rust references, to AIF.

use super::image_bytes::Image;
use super::value_to_aif::{Builder, Built};
use crate::eval::variants::chosen;
use debuginfo::types::{Type, TypeRef, Variants};
use model::aif::{AifType, AifValue};

/// Wraps a value with its own type, since its siblings may have other types.
pub(super) fn own((ty, value): (AifType, AifValue)) -> (AifType, AifValue) {
    (AifType::Own, AifValue::Own(Box::new(ty), Box::new(value)))
}

fn gone(why: &str) -> (AifType, AifValue) {
    own((AifType::Optional(Box::new(AifType::Void { size: 0 })), AifValue::Unavailable(why.to_owned())))
}

impl Builder<'_> {
    /// Converts an enum with data as its active alternative.
    pub(crate) fn variants(&self, found: &Type, variants: &Variants, image: &Image, offset: u64, depth: u32) -> Built {
        let name = found.name.as_deref().unwrap_or_default();
        if variants.alternatives.is_empty() {
            return Ok(own((AifType::aggregate(name, Vec::new()), AifValue::Members(Vec::new()))));
        }
        let mut known = true;
        let read = |at: u64, size: u64| {
            let at = offset.saturating_add(at);
            known = image.is_known(at, size);
            known.then(|| image.bits(at, size))
        };
        let Some(chosen) = chosen(variants, read, self.context) else {
            let unknown = "error reading variable: Could not find active enum variant";
            return Ok(gone(if known { unknown } else { "optimized out" }));
        };
        let start = offset.saturating_add(chosen.member.offset);
        let (ty, value) = self.built(&chosen.member.ty, image, start, depth + 1)?;
        let full = format!("{name}::{}", chosen.member.name.as_deref().unwrap_or_default());
        let ty = match ty {
            AifType::Aggregate { sections, trailing, .. } => AifType::Aggregate { name: full, sections, trailing },
            other => other,
        };
        Ok(own((ty, value)))
    }

    /// Returns the length of the `u8` array behind a pointer, which gdb shows as `b"raw"`.
    pub(crate) fn byte_text(&self, target: &TypeRef) -> Option<u64> {
        let (_, found) = crate::types::stripped(target, self.context);
        let (element, _, count) = crate::types::element_of(&found, self.context)?;
        let (_, byte) = crate::types::stripped(&element, self.context);
        count.filter(|_| !self.context.language().has_c_strings() && byte.name.as_deref() == Some("u8"))
    }
}
