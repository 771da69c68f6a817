//! The layout of structures and arrays: the lines they are broken into, and how deeply they are shown.

use super::print::Printer;
use crate::PrintSwitch;
use crate::aif::{AifError, AifType, AifValue, Spelling};

/// The parts of a value that can stand on lines of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    /// Members of a structure, and the like.
    Members,
    /// Elements of an array.
    Elements,
}

impl Printer {
    /// Writes a part of the value.
    pub(super) fn part(&mut self, ty: &AifType, value: &AifValue) -> Result<(), AifError> {
        self.within(|printer| printer.value(ty, value))
    }

    /// Writes something one level deeper.
    pub(super) fn within(&mut self, write: impl FnOnce(&mut Self) -> Result<(), AifError>) -> Result<(), AifError> {
        self.depth += 1;
        let written = write(self);
        self.depth -= 1;
        written
    }

    fn is_broken(&self, parts: Parts) -> bool {
        self.how.has(match parts {
            Parts::Members => PrintSwitch::Pretty,
            Parts::Elements => PrintSwitch::Array,
        })
    }

    /// Begins the line of the next part, or writes `gap` if all parts are on one line.
    pub(super) fn before_part(&mut self, parts: Parts, gap: &str) {
        if self.is_broken(parts) {
            self.line(self.depth + 1);
        } else {
            self.push(gap);
        }
    }

    /// Begins the line of what closes the value.
    pub(super) fn after_parts(&mut self, parts: Parts) {
        if self.is_broken(parts) {
            self.line(self.depth);
        }
    }

    fn line(&mut self, level: usize) {
        self.push(format!("\n{:width$}", "", width = 2 * level));
    }

    /// True if the value has parts and is nested too deeply for them to be shown.
    pub(super) fn is_too_deep(&self, ty: &AifType, value: &AifValue) -> bool {
        self.is_beyond_depth() && self.has_parts(ty, value)
    }

    /// True if no structure is opened here.
    pub(super) fn is_beyond_depth(&self) -> bool {
        self.depth >= self.how.max_depth.saturating_add(self.unnamed)
    }

    fn has_parts(&self, ty: &AifType, value: &AifValue) -> bool {
        match (ty, value) {
            (AifType::Named { ty, .. } | AifType::Spoken { ty, .. }, value) => self.has_parts(ty, value),
            (AifType::Own, AifValue::Own(ty, value)) => self.has_parts(ty, value),
            (AifType::Located { ty, .. }, AifValue::Located(_, value)) => self.has_parts(ty, value),
            (AifType::Reference { target, .. }, AifValue::Pointer(_)) => {
                matches!(**target, AifType::Aggregate { .. } | AifType::Union { .. } | AifType::Array { .. })
            }
            (AifType::Aggregate { .. } | AifType::Union { .. }, AifValue::Members(_)) => true,
            (AifType::Array { element, .. }, AifValue::Elements(_))
            | (AifType::Runs { element, .. }, AifValue::Runs(_)) => !self.is_text(element),
            _ => false,
        }
    }

    /// Stands for what is nested too deeply.
    pub(super) fn ellipsis(&self) -> &'static str {
        if self.language == Some(Spelling::Fortran) { "(...)" } else { "{...}" }
    }

    /// True if elements of this type form a text; in Rust, bytes are numbers, and characters are shown one by one.
    pub(super) fn is_text(&self, element: &AifType) -> bool {
        element.is_character() && (self.language != Some(Spelling::Rust) || *element == AifType::Char)
    }
}
