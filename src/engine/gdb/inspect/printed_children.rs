//! Builds values from the output of pretty-printers: titles, the values they introduce, and members.

use super::script_answers::{ShownTold, StyleTold};
use super::values::Values;
use crate::gdb::session::fault::{GdbError, failure};
use crate::gdb::session::gdb::Gdb;
use model::Failure;
use model::aif::{AifType, AifValue, ChildStyle, Field, PointerValue};

type Part = (AifType, AifValue);

impl Values {
    pub(in crate::gdb) fn tree(&mut self, gdb: &mut Gdb, shown: &ShownTold) -> Result<Result<Part, Failure>, GdbError> {
        let mut refused = None;
        let part = self.part_of(gdb, shown, &mut refused)?;
        Ok(refused.map_or(Ok(part), Err))
    }

    /// Converts a part; `refused` keeps the first failure.
    fn part_of(&mut self, gdb: &mut Gdb, shown: &ShownTold, refused: &mut Option<Failure>) -> Result<Part, GdbError> {
        let void = || (AifType::Void { size: 0 }, AifValue::Scalar(0));
        Ok(match shown {
            ShownTold::Leaf { leaf } => match self.parts(gdb, leaf)? {
                Ok(part) => part,
                Err(failure) => {
                    refused.get_or_insert(failure);
                    void()
                }
            },
            ShownTold::String { bytes } => {
                (AifType::String, AifValue::String(model::aif::from_hex(bytes).unwrap_or_default()))
            }
            ShownTold::Titled { title, of } => {
                let (ty, value) = match of {
                    Some(of) => self.part_of(gdb, of, refused)?,
                    None => void(),
                };
                (AifType::Titled(Box::new(ty)), AifValue::Titled(title.clone(), Box::new(value)))
            }
            ShownTold::Reference { address, of } => {
                let (ty, value) = self.part_of(gdb, of, refused)?;
                let target = PointerValue::Target { address: *address, target: Box::new(value) };
                (AifType::Reference { size: 8, target: Box::new(ty) }, AifValue::Pointer(target))
            }
            ShownTold::Members { name, members } => {
                let (mut fields, mut values) = (Vec::new(), Vec::new());
                for (name, member) in members {
                    let (ty, value) = self.part_of(gdb, member, refused)?;
                    fields.push(Field { name: name.clone(), ty });
                    values.push(value);
                }
                (AifType::aggregate(name.as_str(), fields), AifValue::Members(values))
            }
            ShownTold::Held { style, held, more } => {
                let mut parts = Vec::new();
                for (key, value) in held {
                    let key = key.as_ref().map(|key| self.part_of(gdb, key, refused)).transpose()?;
                    parts.push((key, self.part_of(gdb, value, refused)?));
                }
                together(style.style(), parts, *more).unwrap_or_else(|| {
                    refused.get_or_insert(failure("elements of different types"));
                    void()
                })
            }
        })
    }
}

impl StyleTold {
    fn style(self) -> ChildStyle {
        match self {
            Self::Plain => ChildStyle::Plain,
            Self::Numbered => ChildStyle::Numbered,
            Self::Keyed => ChildStyle::Keyed,
        }
    }
}

/// Merges elements into one value; if their types differ, each keeps its own. `None` if there are none.
fn together(style: ChildStyle, parts: Vec<(Option<Part>, Part)>, more: bool) -> Option<Part> {
    if parts.is_empty() {
        return None;
    }
    let (keys, elements): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let (key, keys) = of_one_type(keys.into_iter().flatten().collect());
    let (element, elements) = of_one_type(elements);
    let mut keys = keys.into_iter();
    let held = elements.into_iter().map(|element| (keys.next(), element)).collect();
    let ty = AifType::Children { style, key: Box::new(key), element: Box::new(element) };
    Some((ty, AifValue::Children { held, more }))
}

/// Returns the common type of values and the values; values of different types keep their own.
fn of_one_type(parts: Vec<Part>) -> (AifType, Vec<AifValue>) {
    let first = parts.first().map_or(AifType::Void { size: 0 }, |(ty, _)| ty.clone());
    if parts.iter().all(|(ty, _)| *ty == first) {
        return (first, parts.into_iter().map(|(_, value)| value).collect());
    }
    let own = |(ty, value)| AifValue::Own(Box::new(ty), Box::new(value));
    (AifType::Own, parts.into_iter().map(own).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: u128, size: u32) -> Part {
        (AifType::Integer { signed: true, size }, AifValue::Scalar(value))
    }

    #[test]
    fn equal_types_are_said_once() {
        let parts = vec![(None, number(1, 4)), (None, number(2, 4))];
        let (ty, _) = together(ChildStyle::Plain, parts, true).unwrap();
        assert!(matches!(ty, AifType::Children { .. }), "{ty:?}");
    }

    #[test]
    fn values_of_different_types_keep_their_own() {
        let own = |(ty, value): Part| AifValue::Own(Box::new(ty), Box::new(value));
        let parts = vec![(Some(number(1, 4)), number(1, 4)), (Some(number(2, 8)), number(3, 4))];
        let (ty, value) = together(ChildStyle::Keyed, parts, true).unwrap();
        let AifType::Children { key, element, .. } = ty else { panic!("{ty:?}") };
        assert_eq!((*key, *element), (AifType::Own, AifType::Integer { signed: true, size: 4 }));
        let held = vec![(Some(own(number(1, 4))), AifValue::Scalar(1)), (Some(own(number(2, 8))), AifValue::Scalar(3))];
        assert_eq!(value, AifValue::Children { held, more: true });
        assert_eq!(together(ChildStyle::Plain, Vec::new(), false), None);
    }
}
