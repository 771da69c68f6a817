//! Formats structures and arrays.

use super::layout::{Parts, is_text};
use super::literal::Encoding;
use super::options::FormatLetter;
use super::print::{LONGEST_STRING, Printer, encoding};
use crate::PrintSwitch;
use crate::aif::{AifError, AifType, AifValue, Field, Spelling};

/// The bytes of an index.
const INDEX_SIZE: u32 = 8;

/// What has been written of a structure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Nothing,
    Base,
    Member,
}

impl Printer {
    /// Writes a structure whose type has this name.
    pub(super) fn members<'a>(
        &mut self,
        class: &str,
        members: impl Iterator<Item = &'a Field>,
        values: &[AifValue],
    ) -> Result<(), AifError> {
        if values.is_empty() {
            self.push("{<No data fields>}");
            return Ok(());
        }
        self.push("{");
        let mut written = Written::Nothing;
        let mut only_bases = true;
        for (field, value) in members.zip(values) {
            let is_base = field.name.starts_with('<');
            only_bases &= is_base;
            let is_shared = field.name.starts_with("static ");
            if is_shared && !self.how.has(PrintSwitch::StaticMembers) {
                continue;
            }
            match written {
                Written::Nothing => self.before_part(Parts::Members, ""),
                // gdb leaves a blank at the end of the line of a base class.
                Written::Base => {
                    self.push(", ");
                    self.before_part(Parts::Members, "");
                    if !is_base && self.how.has(PrintSwitch::Pretty) {
                        self.push(format!("members of {class}:"));
                        self.before_part(Parts::Members, "");
                    }
                }
                Written::Member => {
                    self.push(",");
                    self.before_part(Parts::Members, " ");
                }
            }
            written = if is_base { Written::Base } else { Written::Member };
            self.member(field, value)?;
        }
        if only_bases {
            self.push(", <No data fields>}");
            return Ok(());
        }
        self.push(if written == Written::Base { ", " } else { "" });
        self.after_parts(Parts::Members);
        self.push("}");
        Ok(())
    }

    fn member(&mut self, field: &Field, value: &AifValue) -> Result<(), AifError> {
        if field.name.is_empty() {
            self.unnamed += 1;
            let written = self.part(&field.ty, value);
            self.unnamed -= 1;
            return written;
        }
        self.push(&field.name);
        self.push(" = ");
        match (&field.ty, value) {
            // gdb shows a static member as if it were not nested.
            (AifType::Aggregate { name, .. }, AifValue::Members(values)) if field.name.starts_with("static ") => {
                self.within(|printer| printer.members(name, field.ty.aggregate_members(), values))
            }
            _ => self.part(&field.ty, value),
        }
    }

    /// Writes at most `most` members that a pretty-printer has made; without names, they are elements.
    pub(super) fn made_members<'a>(
        &mut self,
        members: impl Iterator<Item = &'a Field>,
        values: &[AifValue],
        most: usize,
    ) -> Result<(), AifError> {
        if self.is_beyond_depth() {
            self.push("{...}");
            return Ok(());
        }
        let fields: Vec<&Field> = members.collect();
        let is_array = fields.iter().all(|field| field.name.is_empty());
        let parts = if is_array { Parts::Elements } else { Parts::Members };
        self.push("{");
        for (number, (field, value)) in fields.into_iter().zip(values).enumerate().take(most) {
            self.push(if number == 0 { "" } else { "," });
            self.before_part(parts, if number == 0 { "" } else { " " });
            if is_array {
                self.index(number as i64);
            } else if !field.name.is_empty() {
                self.push(&field.name);
                self.push(" = ");
            }
            self.part(&field.ty, value)?;
        }
        // gdb does not check whether there are more members than the limit.
        self.end_of_made(parts, values.len() >= most);
        Ok(())
    }

    /// Closes what a pretty-printer has made.
    pub(super) fn end_of_made(&mut self, parts: Parts, goes_on: bool) {
        if goes_on {
            self.before_part(parts, "");
            self.push("...");
        }
        self.after_parts(parts);
        self.push("}");
    }

    /// Writes the index of an element that a pretty-printer has made, if the user wants it.
    pub(super) fn index(&mut self, index: i64) {
        if self.how.has(PrintSwitch::ArrayIndexes) {
            self.push(format!("[{index}] = "));
        }
    }

    /// The index of an element of an array: the format letter applies to it, too.
    pub(super) fn index_text(&self, index: i64) -> String {
        let by_letter = self.how.letter.and_then(|letter| letter.integer(index as u128, INDEX_SIZE, true).ok());
        by_letter.unwrap_or_else(|| index.to_string())
    }

    pub(super) fn array<'a>(
        &mut self,
        element: &AifType,
        elements: impl Iterator<Item = (u64, &'a AifValue)>,
        index: &AifType,
    ) -> Result<(), AifError> {
        let mut runs: Vec<(u64, &AifValue)> = Vec::new();
        for (repetitions, value) in elements {
            match runs.last_mut() {
                Some((sum, last)) if *last == value => *sum += repetitions,
                _ => runs.push((repetitions, value)),
            }
        }
        let goes_on = runs.iter().map(|(repetitions, _)| *repetitions).sum::<u64>() < index.range_count();
        let rust = self.language == Some(Spelling::Rust);
        if let (true, None | Some(FormatLetter::String)) = (is_text(element, self.language), self.how.letter) {
            let units: Vec<u32> = runs
                .iter()
                .flat_map(|(repetitions, value)| std::iter::repeat_n(*value, *repetitions as usize))
                .take(LONGEST_STRING)
                .map(|value| if let AifValue::Scalar(bits) = value { *bits as u32 } else { 0 })
                .collect();
            self.text_of_array(&units, encoding(element), goes_on);
            return Ok(());
        }
        self.push(if rust { "[" } else { "{" });
        let mut shown = 0;
        let mut finished = true;
        let mut place = index.range_low();
        let mut is_first = true;
        for (repetitions, value) in runs {
            let threshold = self.how.threshold as u64;
            let times = if repetitions > threshold { 1 } else { repetitions };
            for _ in 0..times {
                if shown >= self.how.limit {
                    finished = false;
                    break;
                }
                self.push(if is_first { "" } else { "," });
                self.before_part(Parts::Elements, if is_first { "" } else { " " });
                is_first = false;
                if self.how.has(PrintSwitch::ArrayIndexes) {
                    self.push(format!("[{}] = ", self.index_text(place)));
                }
                self.part(element, value)?;
                place = place.saturating_add(1);
                shown += 1;
            }
            if repetitions > threshold && finished {
                self.push(format!(" <repeats {repetitions} times>"));
                place = place.saturating_add_unsigned(repetitions - 1);
                shown += self.how.threshold.saturating_sub(1);
            }
        }
        self.push(if goes_on || !finished { "..." } else { "" });
        self.after_parts(Parts::Elements);
        self.push(if rust { "]" } else { "}" });
        Ok(())
    }

    /// Writes an array of characters.
    fn text_of_array(&mut self, units: &[u32], encoding: Encoding, goes_on: bool) {
        if !self.how.has(PrintSwitch::NullStop) {
            self.string(units, encoding, goes_on);
            return;
        }
        let end = units.iter().take(self.how.limit).position(|unit| *unit == 0);
        let length = end.unwrap_or(units.len().min(self.how.limit));
        let text = units.get(..length).unwrap_or(units);
        let goes_on = end.is_none() && units.get(length).map_or(goes_on, |unit| *unit != 0);
        self.string(text, encoding, goes_on);
    }
}

#[cfg(test)]
mod tests;
