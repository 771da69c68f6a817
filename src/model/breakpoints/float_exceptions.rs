//! Floating-point exceptions (IEEE 754): their kinds, and one that a catchpoint caught.

use crate::{Datum, SourcePlace, Variable, VariableValue};
use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

/// A kind of exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatException {
    /// An operation without a meaningful result, such as 0/0: the result is not a number.
    Invalid,
    /// The division of another number by zero: the result is infinite.
    Zero,
    /// A result too large for its format.
    Overflow,
    /// A result too small for the format's full precision.
    Underflow,
    /// A result that had to be rounded.
    Inexact,
}

impl FloatException {
    /// All kinds, in the order in which messages name them.
    pub const ALL: [Self; 5] = [Self::Invalid, Self::Zero, Self::Overflow, Self::Underflow, Self::Inexact];

    /// The word for it in commands and in batch output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Zero => "zero",
            Self::Overflow => "overflow",
            Self::Underflow => "underflow",
            Self::Inexact => "inexact",
        }
    }

    /// The words for it in messages.
    pub fn description(self) -> &'static str {
        match self {
            Self::Invalid => "invalid operation",
            Self::Zero => "division by zero",
            Self::Overflow => "overflow",
            Self::Underflow => "underflow",
            Self::Inexact => "inexact result",
        }
    }

    /// Its bit among the flags of the processor, which is also that of `FE_INVALID` and the like (`<fenv.h>`).
    fn bit(self) -> u8 {
        match self {
            Self::Invalid => 1,
            Self::Zero => 1 << 2,
            Self::Overflow => 1 << 3,
            Self::Underflow => 1 << 4,
            Self::Inexact => 1 << 5,
        }
    }
}

/// A set of kinds, as bits of the processor's flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FloatExceptions(u8);

impl FloatExceptions {
    /// Returns the set of these kinds.
    pub fn of(kinds: impl IntoIterator<Item = FloatException>) -> Self {
        Self(kinds.into_iter().fold(0, |bits, kind| bits | kind.bit()))
    }

    /// Returns the kinds whose bits are set in flags of the processor; other bits do not count.
    pub fn of_bits(bits: u8) -> Self {
        Self(bits & Self::of(FloatException::ALL).0)
    }

    /// The kinds that `catch fpe` waits for if none is named: those that make numbers wrong in most programs.
    pub fn usual() -> Self {
        Self::of([FloatException::Invalid, FloatException::Zero, FloatException::Overflow])
    }

    /// The bits of the kinds among the flags of the processor.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// The kinds in both sets.
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The kinds in either set.
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// True without any kind.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the kinds in their order.
    pub fn iter(self) -> impl Iterator<Item = FloatException> {
        FloatException::ALL.into_iter().filter(move |kind| self.0 & kind.bit() != 0)
    }

    /// Parses words separated by blanks; without a word, the usual kinds. Fails with the position of a word, in
    /// characters, that names no kind.
    pub fn parse(text: &str) -> Result<Self, (usize, String)> {
        if text.trim().is_empty() {
            return Ok(Self::usual());
        }
        let mut found = Self::default();
        for word in text.split_whitespace() {
            let Some(kind) = FloatException::ALL.into_iter().find(|kind| kind.word() == word) else {
                let before = word.as_ptr() as usize - text.as_ptr() as usize;
                let position = text.get(..before).map_or(0, |before| before.chars().count());
                return Err((position, word.to_owned()));
            };
            found = found.or(Self::of([kind]));
        }
        Ok(found)
    }
}

impl fmt::Display for FloatExceptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iter().map(FloatException::word).collect::<Vec<_>>().join(" "))
    }
}

/// A floating-point exception that a catchpoint caught.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FloatTrap {
    /// The kinds that the instruction raised and that are not masked.
    pub exceptions: FloatExceptions,
    /// The instruction as text; empty if it is not known, or if a function of the C library raises the exception
    /// because it was asked to.
    pub instruction: String,
    /// The operands that it reads.
    pub operands: Vec<Variable>,
    /// The place of the instruction, if the processor has executed others since: that of the frame comes later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<FloatPlace>,
}

/// The place of an instruction that the thread has passed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FloatPlace {
    /// The function that it is in, if known.
    pub function: Option<Arc<str>>,
    /// Its source line, if known.
    pub source: Option<SourcePlace>,
}

impl FloatTrap {
    /// True if both stand for the same instruction and exception, whatever the operands were.
    pub fn is_alike(&self, other: &Self) -> bool {
        (self.exceptions, &self.instruction, &self.before) == (other.exceptions, &other.instruction, &other.before)
    }

    /// Drops the values of operands that the other does not share, so that it stands for both.
    pub fn keep_shared(&mut self, other: &Self) {
        for (index, operand) in self.operands.iter_mut().enumerate() {
            if other.operands.get(index) != Some(operand) {
                let type_name = match &operand.value {
                    VariableValue::Known(Datum { type_name, .. }) | VariableValue::Unknown { type_name, .. } => {
                        type_name
                    }
                };
                operand.value = VariableValue::Unknown { why: "differs".to_owned(), type_name: type_name.clone() };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_as_they_are_written() {
        for bits in 0..64 {
            let kinds = FloatExceptions::of_bits(bits);
            assert_eq!(kinds.bits(), bits & !2, "denormal operands are no kind");
            if !kinds.is_empty() {
                assert_eq!(FloatExceptions::parse(&kinds.to_string()), Ok(kinds));
            }
        }
        assert_eq!(FloatExceptions::parse("  "), Ok(FloatExceptions::usual()));
        assert_eq!(FloatExceptions::usual().to_string(), "invalid zero overflow");
        assert_eq!(FloatExceptions::parse("zero  nan"), Err((6, "nan".to_owned())));
    }

    #[test]
    fn operands_that_differ_lose_their_values() {
        let operand = |name: &str, data: u8| Variable {
            name: name.to_owned(),
            value: VariableValue::Known(Datum {
                descriptor: "is1".to_owned(),
                data: vec![data],
                type_name: "int".to_owned(),
            }),
        };
        let trap = |b| FloatTrap {
            exceptions: FloatExceptions::usual(),
            instruction: "divsd".to_owned(),
            operands: vec![operand("a", 1), operand("b", b)],
            before: None,
        };
        let (mut one, two) = (trap(1), trap(2));
        assert!(one.is_alike(&two));
        one.keep_shared(&two);
        assert_eq!(one.operands[0], operand("a", 1));
        let differs = VariableValue::Unknown { why: "differs".to_owned(), type_name: "int".to_owned() };
        assert_eq!(one.operands[1].value, differs);
    }
}
