//! The types of one file.

use super::image::Image;
use crate::dwarf::debug_info::DebugInformation;
use crate::types::description::{Kind, Member, Type, TypeRef};
use crate::types::reader::{TypeReader, no_bound};
use std::ops::Range;
use std::sync::{Arc, PoisonError};

/// The types of one file, read on demand.
#[derive(Clone, Copy)]
pub(crate) struct ImageTypes<'a>(&'a Image);

impl Image {
    pub(crate) fn types(&self) -> ImageTypes<'_> {
        ImageTypes(self)
    }
}

impl ImageTypes<'_> {
    /// Returns the type at an offset of the debug information, cached.
    pub(crate) fn at(&self, offset: u64) -> Arc<Type> {
        let known = self.0.types.read().unwrap_or_else(PoisonError::into_inner).get(&offset).cloned();
        known.unwrap_or_else(|| {
            let read = |debug: &DebugInformation| {
                let reader = TypeReader { debug, image: self.0.index(), bound: &no_bound };
                debug.entry_at(offset).map(|entry| reader.read(entry))
            };
            let unknown = || Type { name: None, size: None, kind: Kind::Unknown("no debug information".into()) };
            let made = Arc::new(self.0.debug().and_then(read).unwrap_or_else(unknown));
            self.0.types.write().unwrap_or_else(PoisonError::into_inner).insert(offset, Arc::clone(&made));
            made
        })
    }

    /// Returns the type arguments of a template instance.
    pub(crate) fn template_arguments(&self, offset: u64) -> Vec<TypeRef> {
        let Some(debug) = self.0.debug() else { return Vec::new() };
        let reader = TypeReader { debug, image: self.0.index(), bound: &no_bound };
        debug.entry_at(offset).map_or(Vec::new(), |entry| reader.template_arguments(entry))
    }

    /// Looks up a type declared within another.
    pub(crate) fn nested(&self, offset: u64, name: &[u8]) -> Option<TypeRef> {
        let debug = self.0.debug()?;
        TypeReader { debug, image: self.0.index(), bound: &no_bound }.nested(debug.entry_at(offset)?, name)
    }

    /// Returns the size in bytes of a type of this image.
    pub(crate) fn size_of(&self, ty: &TypeRef) -> Option<u64> {
        match ty {
            TypeRef::Void => None,
            TypeRef::Entry(id) => self.at(id.entry).size,
            TypeRef::Made(made) => made.size,
        }
    }

    /// Returns the bit ranges of the members; `None` if the type is not an aggregate.
    pub(crate) fn bits_of_members(&self, ty: &TypeRef) -> Option<Vec<Range<usize>>> {
        let ty = match ty {
            TypeRef::Void => return None,
            TypeRef::Entry(id) => self.at(id.entry),
            TypeRef::Made(made) => Arc::clone(made),
        };
        match &ty.kind {
            Kind::Typedef(inner) | Kind::Qualified(_, inner) => self.bits_of_members(inner),
            Kind::Aggregate { members, .. } => {
                let range = |member: &Member| {
                    let (start, width) = member.bits.unwrap_or_else(|| {
                        let bytes = self.size_of(&member.ty).unwrap_or(0);
                        (member.offset.saturating_mul(8), bytes.saturating_mul(8).min(u64::from(u32::MAX)) as u32)
                    });
                    start as usize..(start as usize).saturating_add(width as usize)
                };
                Some(members.iter().filter(|member| !member.is_static).map(range).collect())
            }
            _ => None,
        }
    }
}
