//! How values and memory are shown.

use model::PrintLimits;
use model::aif::FormatLetter;
use serde::{Deserialize, Serialize};

/// What `x` shows: how many units of how many bytes, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryFormat {
    /// Units; for `s` strings.
    pub count: u32,
    /// Bytes of a unit: 1, 2, 4 or 8.
    pub unit: u32,
    /// How a unit is printed.
    pub format: FormatLetter,
    /// Characters of a string that are shown at once.
    pub limit: u32,
    /// They lie before the address, and the next ones before them.
    pub back: bool,
}

/// How a command of memory shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// As units of this format.
    Values(FormatLetter),
    /// As instructions.
    Instructions,
}

/// What stands behind `print/`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrintForm {
    /// `None`: by its type.
    pub letter: Option<FormatLetter>,
    /// `r`: as it is made, containers not as what they hold.
    pub raw: bool,
    /// `-elements N`: at most so many of them; `None`: as the setting says.
    pub elements: Option<u32>,
    /// `-repeats N`: more equal ones in a row are shown once; `None`: as the setting says.
    pub repeats: Option<u32>,
}

impl PrintForm {
    /// How much of the value is shown where the options say so, and where they do not as usual.
    pub fn limits(&self, usual: PrintLimits) -> Option<PrintLimits> {
        let own = PrintLimits {
            elements: self.elements.unwrap_or(usual.elements),
            repeats: self.repeats.unwrap_or(usual.repeats),
        };
        (own != usual).then_some(own)
    }
}
