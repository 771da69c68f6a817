//! Values of Rust made into AIF: enums with data, and what its library holds.

use super::image_bytes::Image;
use super::value_to_aif::{Builder, Built};
use crate::eval::variants::chosen;
use crate::printers::rust_library::{RustContainer, rust_container};
use crate::types::size_of;
use crate::value::Value;
use debuginfo::types::builtin::array_of;
use debuginfo::types::{Kind, Place, Type, TypeRef, Variants};
use model::VirtualAddress;
use model::aif::{AifType, AifValue, Spelling};

/// With its own type, which others of its kind need not have.
fn own((ty, value): (AifType, AifValue)) -> (AifType, AifValue) {
    (AifType::Own, AifValue::Own(Box::new(ty), Box::new(value)))
}

fn gone(why: &str) -> (AifType, AifValue) {
    own((AifType::Optional(Box::new(AifType::Void { size: 0 })), AifValue::Unavailable(why.to_owned())))
}

impl Builder<'_> {
    /// Whether values are written as Rust writes them.
    pub(crate) fn is_rust(&self) -> bool {
        self.context.spelling() == Some(Spelling::Rust)
    }

    /// An enum with data as the alternative that it is.
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

    /// What the library of Rust has in a value, wherever that is; `None` for anything else.
    pub(crate) fn rust_library(
        &self,
        ty: &TypeRef,
        found: &Type,
        image: &Image,
        offset: u64,
        depth: u32,
    ) -> Option<Built> {
        if !matches!(found.kind, Kind::Aggregate { .. }) {
            return None;
        }
        let name = found.name.as_deref()?;
        let value = self.value_within(ty, image, offset)?;
        Some(match rust_container(&value, name, self.context)? {
            RustContainer::Shown(container) => self.contained(container, depth).map(own),
            RustContainer::Slice { name, address, length, element } => {
                let size = size_of(&element, self.context).unwrap_or(0);
                let place = Place::Memory(VirtualAddress(address));
                let array = Value::new(array_of(element, Some(size), Some(length)), place);
                let built = self.part(&array, depth + 1);
                built.map(|(ty, value)| own((AifType::Titled(Box::new(ty)), AifValue::Titled(name, Box::new(value)))))
            }
        })
    }

    /// The array that the bytes behind a pointer are, as gdb shows them: `b"raw"`.
    pub(crate) fn byte_text(&self, target: &TypeRef) -> Option<u64> {
        let (_, found) = crate::types::stripped(target, self.context);
        let (element, _, count) = crate::types::element_of(&found, self.context)?;
        let (_, byte) = crate::types::stripped(&element, self.context);
        count.filter(|_| self.is_rust() && byte.name.as_deref() == Some("u8"))
    }
}
