//! Formats values in Fortran syntax, as gdb does in a Fortran frame.

use super::literal;
use super::print::{LONGEST_STRING, Printer, encoding};
use crate::PrintSwitch;
use crate::aif::{AifError, AifType, AifValue, Field};

/// True if a value is written part by part, so that a format letter applies only to the parts. A text has no parts.
fn has_parts(ty: &AifType, value: &AifValue) -> bool {
    match (ty, value) {
        (AifType::Located { .. }, AifValue::Located(_, inner)) => **inner == AifValue::Elements(Vec::new()),
        (AifType::Complex(_), AifValue::Complex(..)) => true,
        (_, AifValue::Members(_) | AifValue::Elements(_) | AifValue::Runs(_)) => true,
        _ => false,
    }
}

impl Printer {
    /// Writes the values that Fortran formats differently from C; returns `false` for the rest.
    pub(super) fn in_fortran(&mut self, ty: &AifType, value: &AifValue) -> Result<bool, AifError> {
        if self.how.letter.is_some() && !has_parts(ty, value) {
            return Ok(false);
        }
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
            // Fortran has no unions; this is one of C.
            (AifType::Union { members, .. }, AifValue::Members(values)) => self.components(members.iter(), values)?,
            (AifType::Array { .. }, AifValue::Elements(_)) | (AifType::Runs { .. }, AifValue::Runs(_)) => {
                return Elements::of(ty, value).map_or(Ok(false), |array| self.fortran_array(&array).map(|()| true));
            }
            (AifType::Located { .. }, AifValue::Located(_, inner)) if **inner == AifValue::Elements(Vec::new()) => {
                self.push("()");
            }
            (ty, AifValue::Scalar(bits)) if ty.is_character() => {
                self.push(literal::text(&[*bits as u32], encoding(ty), '\'', false, 200, 10));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn components<'a>(&mut self, fields: impl Iterator<Item = &'a Field>, values: &[AifValue]) -> Result<(), AifError> {
        self.push("( ");
        for (number, (field, value)) in fields.zip(values).enumerate() {
            self.push(if number == 0 { "" } else { ", " });
            // The parent type is a component with the name of that type.
            self.push(field.name.trim_start_matches('<').trim_end_matches('>'));
            self.push(" = ");
            self.part(&field.ty, value)?;
        }
        self.push(" )");
        Ok(())
    }

    fn fortran_array(&mut self, array: &Elements<'_>) -> Result<(), AifError> {
        if !array.element.is_character() {
            return self.dimension(array, true, &mut 0);
        }
        let mut units: Vec<u32> = array
            .values()
            .take(LONGEST_STRING)
            .map(|value| if let AifValue::Scalar(bits) = value { *bits as u32 } else { 0 })
            .collect();
        let goes_on = array.runs.iter().map(|(times, _)| times).sum::<u64>() < array.count;
        // C omits a trailing NUL; in Fortran it is a character like any other.
        if !goes_on && units.last() == Some(&0) {
            units.push(0);
        }
        let text = literal::text(&units, encoding(array.element), '\'', goes_on, self.how.limit, self.how.threshold);
        self.push(text);
        Ok(())
    }

    /// Writes one dimension of an array; `shown` counts elements over all dimensions.
    fn dimension(&mut self, array: &Elements<'_>, last: bool, shown: &mut usize) -> Result<(), AifError> {
        self.push("(");
        let (mut before, mut repeats, mut index) = (None, 0, 0);
        for value in array.values() {
            if *shown >= self.how.limit {
                break;
            }
            index += 1;
            let place = array.low.saturating_add_unsigned(index - 1);
            let of = Repeatable { value, before, is_last: index == array.count, place };
            match array.row(value) {
                Some(row) => self.row(array, &row, &of, &mut repeats, shown)?,
                None => self.element(array.element, &of, &mut repeats, shown)?,
            }
            before = Some(value);
        }
        self.push(if index < array.count { "...)" } else { ")" });
        self.push(if last { "" } else { " " });
        Ok(())
    }

    /// Writes a row of an array. Repeated rows count by their length alone, whatever their elements are.
    fn row(
        &mut self,
        array: &Elements<'_>,
        row: &Elements<'_>,
        of: &Repeatable<'_>,
        repeats: &mut usize,
        shown: &mut usize,
    ) -> Result<(), AifError> {
        let length = row.count as usize;
        let fits = shown.saturating_add((*repeats + 1).saturating_mul(length)) <= self.how.limit;
        let repeated = of.is_as_before() && fits;
        *repeats += usize::from(repeated);
        if repeated && !of.is_last {
            return Ok(());
        }
        let held = std::mem::take(repeats);
        if held >= self.how.threshold {
            self.push(format!("<repeats {} times>{}", held + 1, if repeated { "" } else { " " }));
            *shown = shown.saturating_add(held.saturating_mul(length));
        } else if let Some(before) = of.before.and_then(|before| array.row(before)) {
            for number in 1..=held {
                self.fortran_index(of.held_place(number, held));
                self.dimension(&before, repeated && number == held, shown)?;
            }
        }
        match repeated {
            true => Ok(()),
            false if *shown < self.how.limit => {
                self.fortran_index(of.place);
                self.dimension(row, of.is_last, shown)
            }
            false => {
                self.push(if of.is_last { "..." } else { "" });
                Ok(())
            }
        }
    }

    fn element(
        &mut self,
        ty: &AifType,
        of: &Repeatable<'_>,
        repeats: &mut usize,
        shown: &mut usize,
    ) -> Result<(), AifError> {
        let repeated = of.is_as_before();
        *repeats += usize::from(repeated);
        *shown += 1;
        if repeated && !of.is_last && *shown != self.how.limit {
            return Ok(());
        }
        let held = std::mem::take(repeats);
        if held >= self.how.threshold {
            self.push(format!("<repeats {} times>", held + 1));
        } else {
            for number in 1..=held {
                self.fortran_index(of.held_place(number, held));
                self.value(ty, of.before.unwrap_or(of.value))?;
                self.push(if number < held { ", " } else { "" });
            }
        }
        if !repeated {
            self.push(if held > 0 { ", " } else { "" });
            self.fortran_index(of.place);
            self.value(ty, of.value)?;
        }
        self.push(if of.is_last { "" } else { ", " });
        Ok(())
    }

    fn fortran_index(&mut self, index: i64) {
        if self.how.has(PrintSwitch::ArrayIndexes) {
            self.push(format!("({}) = ", self.index_text(index)));
        }
    }
}

struct Elements<'a> {
    element: &'a AifType,
    low: i64,
    count: u64,
    runs: Vec<(u64, &'a AifValue)>,
}

impl<'a> Elements<'a> {
    fn of(ty: &'a AifType, value: &'a AifValue) -> Option<Self> {
        let (index, element, runs) = match (ty, value) {
            (AifType::Array { index, element }, AifValue::Elements(values)) => {
                (index, element, values.iter().map(|value| (1, value)).collect())
            }
            (AifType::Runs { index, element }, AifValue::Runs(runs)) => {
                (index, element, runs.iter().map(|(times, value)| (u64::from(*times), value)).collect())
            }
            _ => return None,
        };
        Some(Self { element, low: index.range_low(), count: index.range_count(), runs })
    }

    /// The fetched elements one by one.
    fn values(&self) -> impl Iterator<Item = &'a AifValue> + use<'a, '_> {
        self.runs.iter().flat_map(|(times, value)| std::iter::repeat_n(*value, *times as usize))
    }

    /// The row, if the element is an array other than a text.
    fn row(&self, value: &'a AifValue) -> Option<Self> {
        Self::of(self.element, value).filter(|row| !row.element.is_character())
    }
}

/// An element and its predecessor.
struct Repeatable<'a> {
    value: &'a AifValue,
    before: Option<&'a AifValue>,
    is_last: bool,
    /// Its index.
    place: i64,
}

impl Repeatable<'_> {
    /// The index of one of the `held` equal elements that are still to be written; this one is the last of them if it
    /// is equal, too.
    fn held_place(&self, number: usize, held: usize) -> i64 {
        let after = held - number + usize::from(!self.is_as_before());
        self.place.saturating_sub_unsigned(after as u64)
    }

    fn is_as_before(&self) -> bool {
        self.before == Some(self.value)
    }
}
