//! Converts the program's numbers and characters to AIF.

use super::value_to_aif::Builder;
use crate::eval::operand::{complex_layout, float_layout};
use crate::types::{MAX_DEPTH, type_of};
use debuginfo::types::{Encoding, Kind, Type, TypeRef};
use model::aif::{AifType, CharStyle, FloatLayout};

impl Builder<'_> {
    pub(crate) fn base(&self, declared: &TypeRef, encoding: Encoding, found: &Type, size: u32) -> AifType {
        if let Some(character) = self.character(declared) {
            return character;
        }
        if found.name.as_deref() == Some("()") {
            return AifType::Void { size: 0 };
        }
        match encoding {
            Encoding::Boolean if (1..=16).contains(&size) => AifType::Bool { size },
            Encoding::Float => match float_layout(found) {
                Some(layout) if layout == FloatLayout::x87() => AifType::Extended,
                Some(layout) if layout == FloatLayout::brain() => AifType::Brain,
                Some(layout) => AifType::Float { size: layout.size },
                None => AifType::Unknown("float".to_owned()),
            },
            Encoding::Complex => match complex_layout(found) {
                Some((layout, _)) if layout == FloatLayout::x87() => AifType::Complex(Box::new(AifType::Extended)),
                Some((layout, _)) => AifType::Complex(Box::new(AifType::Float { size: layout.size })),
                None => AifType::Unknown("complex".to_owned()),
            },
            Encoding::Other(_) => AifType::Unknown(found.name.as_deref().unwrap_or("base type").replace('?', "")),
            _ if !(1..=16).contains(&size) => AifType::Unknown("integer".to_owned()),
            Encoding::Signed | Encoding::SignedChar => AifType::Integer { signed: true, size },
            _ => AifType::Integer { signed: false, size },
        }
    }

    /// Returns the AIF type of a pointer to characters; `None` for pointers to anything else.
    pub(crate) fn text_pointer(&self, target: &TypeRef) -> Option<AifType> {
        Some(match self.character(target)? {
            AifType::Char => AifType::CharPointer { size: 8 },
            unit => AifType::TextPointer { unit: Box::new(unit), size: 8 },
        })
    }

    /// Returns the character kind of a type that gdb shows as characters: by encoding, or by the names of the standard.
    pub(crate) fn character(&self, declared: &TypeRef) -> Option<AifType> {
        let s = self.context;
        let mut reference = declared.clone();
        let mut style = None;
        for _ in 0..MAX_DEPTH {
            let found = type_of(&reference, s);
            style = style.or(match found.name.as_deref() {
                Some("wchar_t") => Some(CharStyle::Wide),
                Some("char8_t") => Some(CharStyle::Utf8),
                Some("char16_t") => Some(CharStyle::Utf16),
                Some("char32_t") => Some(CharStyle::Utf32),
                _ => None,
            });
            match &found.kind {
                Kind::Typedef(next) | Kind::Qualified(_, next) => reference = next.clone(),
                Kind::Base(encoding) => {
                    let size = found.size.unwrap_or(0) as u32;
                    // In Fortran, characters from C are small numbers; Fortran's own types and those that an
                    // expression itself produces are characters.
                    if let (Some(own), TypeRef::Entry(_)) = (s.language().character_types(), &reference)
                        && !found.name.as_deref().is_some_and(|name| name.starts_with(own))
                    {
                        return None;
                    }
                    return match (encoding, size, style) {
                        (_, 1, Some(style @ CharStyle::Utf8)) => Some(AifType::Character { style, size }),
                        (_, 2 | 4, Some(style)) => Some(AifType::Character { style, size }),
                        (Encoding::SignedChar, 1, _) => Some(AifType::Char),
                        (Encoding::UnsignedChar, 1, _) => {
                            Some(AifType::Character { style: CharStyle::Unsigned, size: 1 })
                        }
                        (Encoding::Utf, 1, _) => Some(AifType::Character { style: CharStyle::Utf8, size }),
                        (Encoding::Utf, 2, _) => Some(AifType::Character { style: CharStyle::Utf16, size }),
                        (Encoding::Utf, 4, _) => Some(AifType::Character { style: CharStyle::Utf32, size }),
                        _ => None,
                    };
                }
                _ => return None,
            }
        }
        None
    }
}
