//! Formats containers as gdb does with the pretty-printers of their library: a title and the contents.

use super::layout::Parts;
use super::print::Printer;
use crate::aif::{AifError, AifType, AifValue, ChildStyle, Spelling};

impl Printer {
    /// Writes a title and the value after it; either may be missing.
    pub(super) fn titled(&mut self, ty: &AifType, title: &str, value: &AifValue) -> Result<(), AifError> {
        self.push(title);
        let nothing = match value {
            AifValue::Children { held, more } => held.is_empty() && !more,
            _ => matches!(ty, AifType::Void { .. }),
        };
        if nothing {
            // Without a title, the output would be empty.
            self.push(if title.is_empty() { "{}" } else { "" });
            return Ok(());
        }
        self.push(match ty {
            _ if title.is_empty() => "",
            // Slices are formatted by gdb itself, not by a pretty-printer.
            AifType::Array { .. } | AifType::Runs { .. } | AifType::Located { .. }
                if self.language == Some(Spelling::Rust) =>
            {
                " "
            }
            _ => " = ",
        });
        match (ty, value) {
            // Pretty-printers format the parts of a container the same way in every language.
            (AifType::Aggregate { name, .. }, AifValue::Members(values)) if name.is_empty() => {
                self.made_members(ty.aggregate_members(), values, self.how.limit)
            }
            _ => self.value(ty, value),
        }
    }

    pub(super) fn children(
        &mut self,
        style: ChildStyle,
        key_type: &AifType,
        element: &AifType,
        held: &[(Option<AifValue>, AifValue)],
        more: bool,
    ) -> Result<(), AifError> {
        if self.is_beyond_depth() {
            self.push("{...}");
            return Ok(());
        }
        let parts = if style == ChildStyle::Plain { Parts::Elements } else { Parts::Members };
        self.push("{");
        // A key counts as an element, too: gdb may stop after it.
        let keyed = style == ChildStyle::Keyed;
        let count = if keyed { 2 * held.len() } else { held.len() };
        let limit = self.how.limit;
        let shown = if keyed { limit.div_ceil(2) } else { limit };
        for (number, (key, value)) in held.iter().take(shown).enumerate() {
            self.push(if number == 0 { "" } else { "," });
            self.before_part(parts, if number == 0 { "" } else { " " });
            match (style, key) {
                (ChildStyle::Keyed, Some(key)) => {
                    self.push("[");
                    self.part(key_type, key)?;
                    self.push("] = ");
                }
                (ChildStyle::Numbered, _) => self.push(format!("[{number}] = ")),
                (ChildStyle::Plain, _) => self.index(number as i64),
                _ => {}
            }
            if !keyed || 2 * number + 1 < limit {
                self.part(element, value)?;
            }
        }
        // gdb does not check whether there are more elements than the limit.
        self.end_of_made(parts, more || count >= limit);
        Ok(())
    }
}
