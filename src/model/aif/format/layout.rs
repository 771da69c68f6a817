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
            self.push(line(self.depth + 1));
        } else {
            self.push(gap);
        }
    }

    /// Begins the line of what closes the value.
    pub(super) fn after_parts(&mut self, parts: Parts) {
        if self.is_broken(parts) {
            self.push(line(self.depth));
        }
    }

    /// Writes a value that is nested too deeply, without its parts; returns `false` for others.
    pub(super) fn is_closed(&mut self, ty: &AifType, value: &AifValue) -> bool {
        let closed = self.is_too_deep(ty, value);
        self.push(if closed { ellipsis(self.language) } else { "" });
        closed
    }

    /// True if the value has parts and is nested too deeply for them to be shown.
    pub(super) fn is_too_deep(&self, ty: &AifType, value: &AifValue) -> bool {
        self.is_beyond_depth() && has_parts(ty, value, self.language)
    }

    /// True if no structure is opened here.
    pub(super) fn is_beyond_depth(&self) -> bool {
        self.depth >= self.how.max_depth.saturating_add(self.unnamed)
    }
}

/// The start of a line.
fn line(level: usize) -> String {
    format!("\n{:width$}", "", width = 2 * level)
}

fn has_parts(ty: &AifType, value: &AifValue, language: Option<Spelling>) -> bool {
    match (ty, value) {
        (AifType::Named { ty, .. } | AifType::Spoken { ty, .. }, value) => has_parts(ty, value, language),
        (AifType::Own, AifValue::Own(ty, value)) => has_parts(ty, value, language),
        (AifType::Located { ty, .. }, AifValue::Located(_, value)) => has_parts(ty, value, language),
        (AifType::Reference { target, .. }, AifValue::Pointer(_)) => {
            matches!(**target, AifType::Aggregate { .. } | AifType::Union { .. } | AifType::Array { .. })
        }
        (AifType::Aggregate { .. } | AifType::Union { .. }, AifValue::Members(_)) => true,
        (AifType::Array { element, .. }, AifValue::Elements(_))
        | (AifType::Runs { element, .. }, AifValue::Runs(_)) => !is_text(element, language),
        _ => false,
    }
}

/// Stands for what is nested too deeply.
fn ellipsis(language: Option<Spelling>) -> &'static str {
    if language == Some(Spelling::Fortran) { "(...)" } else { "{...}" }
}

/// True if elements of this type form a text; in Rust, bytes are numbers, and characters are shown one by one.
pub(super) fn is_text(element: &AifType, language: Option<Spelling>) -> bool {
    element.is_character() && (language != Some(Spelling::Rust) || *element == AifType::Char)
}
