//! Options for formatting a value.

use crate::PrintLimits;
use serde::{Deserialize, Serialize};

/// The format letter of `print/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FormatLetter {
    /// `x`: hexadecimal.
    Hexadecimal,
    /// `z`: hexadecimal with leading zeros.
    PaddedHexadecimal,
    /// `d`.
    Decimal,
    /// `u`: the bits as an unsigned number.
    Unsigned,
    /// `o`.
    Octal,
    /// `t`: binary.
    Binary,
    /// `c`: the lowest byte as a character.
    Character,
    /// `a`: an address, with its symbol if known.
    Address,
    /// `f`: the bits as a floating-point number.
    Float,
    /// `s`: bytes as strings; anything else as without a letter.
    String,
}

impl FormatLetter {
    /// All letters with their formats, for help and completion.
    pub const ALL: &[(char, Self)] = &[
        ('x', Self::Hexadecimal),
        ('z', Self::PaddedHexadecimal),
        ('d', Self::Decimal),
        ('u', Self::Unsigned),
        ('o', Self::Octal),
        ('t', Self::Binary),
        ('c', Self::Character),
        ('a', Self::Address),
        ('f', Self::Float),
        ('s', Self::String),
    ];

    /// The format for a letter; `None` if no format has it.
    pub fn of_letter(letter: char) -> Option<Self> {
        Self::ALL.iter().find(|(l, _)| *l == letter).map(|(_, format)| *format)
    }
}

/// How a value is formatted; the default is gdb's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FormatOptions {
    /// `None`: format by type.
    pub letter: Option<FormatLetter>,
    /// Limit on the elements of an array or the characters of a string.
    pub limit: usize,
    /// Longer runs of equal elements are shown once, with their number.
    pub threshold: usize,
}

impl Default for FormatOptions {
    fn default() -> Self {
        Self { letter: None, limit: 200, threshold: 10 }
    }
}

impl FormatOptions {
    /// The options for the user's print limits.
    pub fn within(limits: PrintLimits) -> Self {
        Self { letter: None, limit: limits.elements as usize, threshold: limits.repeats as usize }
    }

    /// The default options with a format letter.
    pub fn with_letter(letter: FormatLetter) -> Self {
        Self { letter: Some(letter), ..Self::default() }
    }
}
