//! How a value is to be written.

use crate::PrintLimits;
use serde::{Deserialize, Serialize};

/// The letter behind `print/`.
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
    /// `a`: an address, with what it is where that is known.
    Address,
    /// `f`: the bits as a floating-point number.
    Float,
    /// `s`: bytes as strings, the rest as without a letter.
    String,
}

impl FormatLetter {
    /// All letters, for help and completion.
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

    /// The format of a letter.
    pub fn of_letter(letter: char) -> Option<Self> {
        Self::ALL.iter().find(|(l, _)| *l == letter).map(|(_, format)| *format)
    }
}

/// How a value is written; the default is gdb's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FormatOptions {
    /// `None`: by its type.
    pub letter: Option<FormatLetter>,
    /// Elements of an array or characters of a string that are shown.
    pub limit: usize,
    /// More equal elements in a row are shown once.
    pub threshold: usize,
}

impl Default for FormatOptions {
    fn default() -> Self {
        Self { letter: None, limit: 200, threshold: 10 }
    }
}

impl FormatOptions {
    /// What the settings for printing ask for.
    pub fn within(limits: PrintLimits) -> Self {
        Self { letter: None, limit: limits.elements as usize, threshold: limits.repeats as usize }
    }

    /// The default with a letter.
    pub fn with_letter(letter: FormatLetter) -> Self {
        Self { letter: Some(letter), ..Self::default() }
    }
}
