//! Options for formatting a value.

use crate::{PrintOptions, PrintSwitch, PrintSwitches};
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
    /// Limit on the nesting of structures and arrays; deeper ones are shown as `{...}`.
    pub max_depth: usize,
    /// The options that are on.
    pub switches: PrintSwitches,
}

impl Default for FormatOptions {
    fn default() -> Self {
        Self::within(PrintOptions::default())
    }
}

impl FormatOptions {
    /// The options for the user's print options.
    pub fn within(print: PrintOptions) -> Self {
        Self {
            letter: None,
            limit: print.elements as usize,
            threshold: print.repeats as usize,
            max_depth: if print.max_depth == u32::MAX { usize::MAX } else { print.max_depth as usize },
            switches: print.switches,
        }
    }

    /// The default options with a format letter.
    pub fn with_letter(letter: FormatLetter) -> Self {
        Self { letter: Some(letter), ..Self::default() }
    }

    /// The same for a place that has one line for a value.
    #[must_use]
    pub fn on_one_line(self) -> Self {
        Self { switches: self.switches.with(PrintSwitch::Pretty, false).with(PrintSwitch::Array, false), ..self }
    }

    pub(super) fn has(&self, switch: PrintSwitch) -> bool {
        self.switches.has(switch)
    }
}
