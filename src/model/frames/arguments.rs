//! The arguments of frames, as the stacks of many ranks show them.

use crate::aif::{AifType, Number};
use crate::{Datum, Variable, VariableValue};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Which arguments of frames are shown, and how; gdb's `set print frame-arguments`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ArgumentDetail {
    /// The values of all.
    All,
    /// The values of scalars; structures and arrays are `...`.
    #[default]
    Scalars,
    /// The names; each value is `...`.
    None,
    /// Only that there are some: `...`.
    Presence,
}

impl ArgumentDetail {
    /// All of them by gdb's words.
    pub const ALL: &[(&str, Self)] =
        &[("all", Self::All), ("scalars", Self::Scalars), ("none", Self::None), ("presence", Self::Presence)];

    /// Parses gdb's word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().find(|(word, _)| *word == text).map(|(_, detail)| *detail)
    }

    /// True if values are read.
    pub fn has_values(self) -> bool {
        matches!(self, Self::All | Self::Scalars)
    }
}

/// An argument of a frame, for all the ranks that share the frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FrameArgument {
    /// Its name in the source.
    pub name: String,
    /// Its value.
    pub value: ArgumentValue,
}

/// The value of an argument on one or more ranks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ArgumentValue {
    /// The value that all have, or why none has one.
    Shared(VariableValue),
    /// Numbers that differ: the least and the greatest.
    Range(Box<(Datum, Datum)>),
    /// Other values that differ.
    Differs {
        /// The type's name, empty if that differs.
        type_name: String,
    },
    /// Not read, since only scalars are shown, or only names.
    Hidden {
        /// The type's name as in DWARF.
        type_name: String,
    },
}

/// The arguments of a frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FrameArguments {
    /// The level of the frame.
    pub level: u32,
    /// Its arguments, in the order of the parameters.
    pub arguments: Vec<FrameArgument>,
}

impl ArgumentValue {
    /// The name of the type.
    pub fn type_name(&self) -> &str {
        match self {
            Self::Shared(VariableValue::Known(datum)) => &datum.type_name,
            Self::Range(ends) => &ends.0.type_name,
            Self::Shared(VariableValue::Unknown { type_name, .. })
            | Self::Differs { type_name }
            | Self::Hidden { type_name } => type_name,
        }
    }

    /// The least and the greatest value, if it is a number. Pointers, enumerations and characters are none: what is
    /// between two of them says nothing.
    fn ends(&self) -> Option<(&Datum, &Datum)> {
        match self {
            Self::Shared(VariableValue::Known(datum)) if is_plain_number(datum) => Some((datum, datum)),
            Self::Range(ends) => Some((&ends.0, &ends.1)),
            _ => None,
        }
    }

    fn joined(&self, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        let range = || {
            let ((least, greatest), (low, high)) = (self.ends()?, other.ends()?);
            if (&least.descriptor, &least.type_name) != (&low.descriptor, &low.type_name) {
                return None;
            }
            let least = if order(low, least)? == Ordering::Less { low } else { least };
            let greatest = if order(high, greatest)? == Ordering::Greater { high } else { greatest };
            Some(Self::Range(Box::new((least.clone(), greatest.clone()))))
        };
        let of_one_type = self.type_name() == other.type_name();
        range().unwrap_or_else(|| Self::Differs {
            type_name: if of_one_type { self.type_name().to_owned() } else { String::new() },
        })
    }
}

fn is_plain_number(datum: &Datum) -> bool {
    fn is_number(ty: &AifType) -> bool {
        match ty {
            AifType::Integer { .. } | AifType::Float { .. } | AifType::Extended | AifType::Brain => true,
            AifType::Named { ty, .. } | AifType::Spoken { ty, .. } => is_number(ty),
            AifType::Reference { target, .. } => is_number(target),
            _ => false,
        }
    }
    datum.descriptor.parse().is_ok_and(|ty| is_number(&ty))
}

/// Compares two numbers of one type; `None` if they have no order, as NaN.
fn order(one: &Datum, other: &Datum) -> Option<Ordering> {
    match (one.number()?, other.number()?) {
        (Number::Signed(one), Number::Signed(other)) => Some(one.cmp(&other)),
        (Number::Unsigned(one), Number::Unsigned(other)) => Some(one.cmp(&other)),
        (Number::Float(layout, one), Number::Float(same, other)) => layout.to_f64(one).partial_cmp(&same.to_f64(other)),
        _ => None,
    }
}

impl FrameArgument {
    /// The argument of one rank.
    pub fn new(variable: Variable) -> Self {
        Self { name: variable.name, value: ArgumentValue::Shared(variable.value) }
    }

    /// Drops of the value what this detail does not show.
    #[must_use]
    pub fn in_detail(self, detail: ArgumentDetail) -> Self {
        let value = match (detail, &self.value) {
            (ArgumentDetail::All, _) => return self,
            (ArgumentDetail::Scalars, ArgumentValue::Shared(VariableValue::Known(datum))) => datum.summary(),
            (ArgumentDetail::Scalars, _) => return self,
            (ArgumentDetail::None | ArgumentDetail::Presence, _) => None,
        };
        let value = match value {
            Some(datum) => ArgumentValue::Shared(VariableValue::Known(datum)),
            None => ArgumentValue::Hidden { type_name: self.value.type_name().to_owned() },
        };
        Self { value, ..self }
    }
}

impl FrameArguments {
    /// The arguments without their values: what ranks that are at one frame have in common.
    #[must_use]
    pub fn without_values(&self) -> Self {
        let bare = |argument: &FrameArgument| FrameArgument {
            name: argument.name.clone(),
            value: ArgumentValue::Hidden { type_name: String::new() },
        };
        Self { level: self.level, arguments: self.arguments.iter().map(bare).collect() }
    }

    /// Drops the values that the same frame of other ranks does not share. Frames with other arguments have none left.
    pub fn keep_shared(&mut self, other: &Self) {
        let names = |of: &Self| of.arguments.iter().map(|argument| argument.name.clone()).collect::<Vec<_>>();
        if names(self) != names(other) {
            self.arguments.clear();
            return;
        }
        for (own, also) in self.arguments.iter_mut().zip(&other.arguments) {
            own.value = own.value.joined(&also.value);
        }
    }

    /// The bytes of the values in it, in order.
    pub(crate) fn byte_parts(&mut self) -> Vec<&mut Vec<u8>> {
        let parts = self.arguments.iter_mut().map(|argument| match &mut argument.value {
            ArgumentValue::Shared(VariableValue::Known(datum)) => vec![&mut datum.data],
            ArgumentValue::Range(ends) => vec![&mut ends.0.data, &mut ends.1.data],
            _ => Vec::new(),
        });
        parts.flatten().collect()
    }

    /// The approximate size of the message in bytes.
    pub fn weight(&self) -> usize {
        /// A frame with its level, an argument with its names.
        const NAMES: usize = 64;
        let of_value = |argument: &FrameArgument| match &argument.value {
            ArgumentValue::Shared(VariableValue::Known(datum)) => datum.descriptor.len() + datum.data.len(),
            ArgumentValue::Range(ends) => 2 * (ends.0.descriptor.len() + ends.0.data.len()),
            _ => 0,
        };
        NAMES + self.arguments.iter().map(|argument| NAMES + of_value(argument)).sum::<usize>()
    }
}

/// Takes frames with their arguments as far as an answer has room for them: the others are shown without.
pub fn within_argument_limits(frames: impl IntoIterator<Item = FrameArguments>) -> Vec<FrameArguments> {
    /// In bytes; exceeded by at most one frame's arguments.
    const MOST_WEIGHT: usize = 1 << 20;
    /// Each is unwound, and its debug information is read.
    const MOST_FRAMES: usize = 1_000;
    let mut weight = 0;
    let has_room = |frame: &FrameArguments| {
        let had_room = weight < MOST_WEIGHT;
        weight += frame.weight();
        had_room
    };
    frames.into_iter().take(MOST_FRAMES).take_while(has_room).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Answer;
    use proptest::prelude::*;

    fn int(value: i32) -> VariableValue {
        let data = value.to_be_bytes().to_vec();
        VariableValue::Known(Datum { descriptor: "is4".into(), data, type_name: "int".into() })
    }

    fn answer(values: &[VariableValue]) -> Answer {
        let one = |(at, value): (usize, &VariableValue)| {
            FrameArgument::new(Variable { name: format!("a{at}"), value: value.clone() })
        };
        let arguments = values.iter().enumerate().map(one).collect();
        Answer::FrameArguments(vec![FrameArguments { level: 3, arguments }])
    }

    fn values(answer: &Answer) -> Vec<ArgumentValue> {
        let Answer::FrameArguments(frames) = answer else { panic!("{answer:?}") };
        frames[0].arguments.iter().map(|argument| argument.value.clone()).collect()
    }

    fn pointer(address: u64) -> VariableValue {
        let data = address.to_be_bytes().to_vec();
        VariableValue::Known(Datum { descriptor: "a8".into(), data, type_name: "void *".into() })
    }

    #[test]
    fn arguments_that_differ_are_a_range_of_numbers_or_differ() {
        let gone = VariableValue::Unknown { why: "optimized out".into(), type_name: "int".into() };
        let one = answer(&[int(-1), int(5), pointer(16), int(2)]);
        let other = answer(&[int(7), int(5), pointer(32), gone]);
        let both = one.joined(&other).unwrap();
        let (VariableValue::Known(least), VariableValue::Known(greatest)) = (int(-1), int(7)) else { panic!() };
        let differs = |name: &str| ArgumentValue::Differs { type_name: name.into() };
        let expected = [
            ArgumentValue::Range(Box::new((least, greatest))),
            ArgumentValue::Shared(int(5)),
            differs("void *"),
            differs("int"),
        ];
        assert_eq!(values(&both), expected);
        assert_eq!(answer(&[int(1)]).joined(&answer(&[int(1), int(2)])), None, "other arguments");
    }

    #[test]
    fn numbers_without_an_order_differ() {
        let float = |value: f64| {
            let data = value.to_be_bytes().to_vec();
            VariableValue::Known(Datum { descriptor: "f8".into(), data, type_name: "double".into() })
        };
        let joined = |one: f64, other: f64| values(&answer(&[float(one)]).joined(&answer(&[float(other)])).unwrap());
        assert!(matches!(&joined(2.5, -1.0)[..], [ArgumentValue::Range(ends)] if ends.0.as_f64() == Some(-1.0)));
        assert!(matches!(&joined(2.5, f64::NAN)[..], [ArgumentValue::Differs { .. }]));
    }

    #[test]
    fn details_are_gdbs() {
        let of = |detail| FrameArgument::new(Variable { name: "n".into(), value: int(4) }).in_detail(detail).value;
        assert_eq!(of(ArgumentDetail::Scalars), ArgumentValue::Shared(int(4)));
        assert_eq!(of(ArgumentDetail::None), ArgumentValue::Hidden { type_name: "int".into() });
        assert_eq!(ArgumentDetail::parse("presence"), Some(ArgumentDetail::Presence));
        assert_eq!(ArgumentDetail::parse("some"), None);
    }

    proptest! {
        #[test]
        fn ranks_are_joined_in_any_order(ranks in proptest::collection::vec((-3i32..3, 0u64..2), 1..8), turn in 0usize..8) {
            let answers: Vec<Answer> = ranks.iter().map(|(n, at)| answer(&[int(*n), pointer(*at)])).collect();
            let all = |answers: &[Answer]| {
                let (first, rest) = answers.split_first().unwrap();
                rest.iter().fold(first.clone(), |known, next| known.joined(next).unwrap())
            };
            let mut turned = answers.clone();
            turned.rotate_left(turn % answers.len());
            prop_assert_eq!(all(&turned), all(&answers));
            let half = answers.len() / 2;
            if half > 0 {
                prop_assert_eq!(all(&[all(&answers[..half]), all(&answers[half..])]), all(&answers));
            }
        }
    }
}
