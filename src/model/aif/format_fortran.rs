//! Values as gdb writes them where the program is in Fortran.

use super::format::{Printer, encoding};
use super::literal;
use super::{AifError, AifType, AifValue, Field};

impl Printer {
    /// Writes what Fortran writes in another way than C; `false` for the rest.
    pub(super) fn in_fortran(&mut self, ty: &AifType, value: &AifValue) -> Result<bool, AifError> {
        match (ty, value) {
            (AifType::Bool { .. }, AifValue::Scalar(bits)) => self.push(if *bits == 0 { ".FALSE." } else { ".TRUE." }),
            (AifType::CharPointer { .. } | AifType::TextPointer { .. }, AifValue::Text(text)) => {
                self.address(text.address, text.symbol.as_deref());
            }
            (AifType::Complex(part), AifValue::Complex(real, imaginary)) => {
                self.push("(");
                self.value(part, &AifValue::Scalar(*real))?;
                self.push(",");
                self.value(part, &AifValue::Scalar(*imaginary))?;
                self.push(")");
            }
            (AifType::Aggregate { .. }, AifValue::Members(values)) => {
                self.components(ty.aggregate_members(), values)?;
            }
            (AifType::Array { index, element }, AifValue::Elements(values)) => {
                let runs: Vec<_> = values.iter().map(|value| (1, value)).collect();
                self.fortran_array(element, &runs, index.range_count())?;
            }
            (AifType::Runs { index, element }, AifValue::Runs(runs)) => {
                let runs: Vec<_> = runs.iter().map(|(times, value)| (u64::from(*times), value)).collect();
                self.fortran_array(element, &runs, index.range_count())?;
            }
            (AifType::Located { .. }, AifValue::Located(_, inner)) if **inner == AifValue::Elements(Vec::new()) => {
                self.push("()");
            }
            (ty, AifValue::Scalar(bits)) if ty.is_character() => {
                self.push(single_quoted(&literal::string(&[*bits as u32], encoding(ty), false, 200, 10)));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn components<'a>(&mut self, fields: impl Iterator<Item = &'a Field>, values: &[AifValue]) -> Result<(), AifError> {
        self.push("( ");
        for (number, (field, value)) in fields.zip(values).enumerate() {
            self.push(if number == 0 { "" } else { ", " });
            // What a type extends is a component under the name of its type.
            self.push(field.name.trim_start_matches('<').trim_end_matches('>'));
            self.push(" = ");
            self.value(&field.ty, value)?;
        }
        self.push(" )");
        Ok(())
    }

    fn fortran_array(&mut self, element: &AifType, values: &[(u64, &AifValue)], count: u64) -> Result<(), AifError> {
        let known: u64 = values.iter().map(|(times, _)| times).sum();
        if element.is_character() {
            let units = values.iter().flat_map(|(times, value)| std::iter::repeat_n(*value, *times as usize));
            let units: Vec<u32> = units
                .take(self.how.limit + 1)
                .map(|v| if let AifValue::Scalar(bits) = v { *bits as u32 } else { 0 })
                .collect();
            let goes_on = known < count;
            // A last NUL, which C leaves out, is a character like others.
            let mut units = units;
            if !goes_on && units.last() == Some(&0) {
                units.push(0);
            }
            let text = literal::string(&units, encoding(element), goes_on, self.how.limit, self.how.threshold);
            self.push(single_quoted(&text));
            return Ok(());
        }
        let mut runs: Vec<(u64, &AifValue)> = Vec::new();
        for (times, value) in values {
            match runs.last_mut() {
                Some((sum, last)) if *last == *value => *sum += times,
                _ => runs.push((*times, value)),
            }
        }
        let separator = if matches!(element, AifType::Array { .. } | AifType::Runs { .. }) && !is_text(element) {
            " "
        } else {
            ", "
        };
        self.push("(");
        let (mut shown, mut finished) = (0, true);
        for (times, value) in runs {
            let repeated = times > self.how.threshold as u64;
            for _ in 0..if repeated { 1 } else { times } {
                if shown >= self.how.limit {
                    finished = false;
                    break;
                }
                self.push(if shown == 0 { "" } else { separator });
                self.value(element, value)?;
                shown += 1;
            }
            if repeated && finished {
                self.push(format!(", <repeats {times} times>"));
                shown += self.how.threshold.saturating_sub(1);
            }
        }
        self.push(if finished && known >= count { ")" } else { "...)" });
        Ok(())
    }
}

fn is_text(ty: &AifType) -> bool {
    matches!(ty, AifType::Array { element, .. } | AifType::Runs { element, .. } if element.is_character())
}

/// A literal of C in the quotes of Fortran.
fn single_quoted(literal: &str) -> String {
    let mut text = String::with_capacity(literal.len());
    let mut characters = literal.chars();
    while let Some(c) = characters.next() {
        match c {
            '"' => text.push('\''),
            '\\' => match characters.next() {
                Some('"') => text.push('"'),
                Some(escaped) => text.extend(['\\', escaped]),
                None => text.push('\\'),
            },
            c => text.push(c),
        }
    }
    text
}
