//! Commands that write data of the program to files, and read it back, parsed.

use model::{DataSource, ProcessSet};

/// The form of the data in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataForm {
    /// The bytes alone.
    Raw,
    /// An array of numpy, format 1.0.
    Npy,
    /// Numbers as text, separated by commas.
    Csv,
}

impl DataForm {
    /// Returns the form that the end of a file's name asks for.
    pub fn of_name(name: &str) -> Self {
        let end = name.rsplit_once('.').map_or("", |(_, end)| end);
        match end.to_ascii_lowercase().as_str() {
            "npy" => Self::Npy,
            "csv" => Self::Csv,
            _ => Self::Raw,
        }
    }

    /// Returns the form's name in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Raw => "binary",
            Self::Npy => "npy",
            Self::Csv => "csv",
        }
    }
}

/// Data to be written to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveOrder {
    /// The data.
    pub source: DataSource,
    /// The data as typed, for reports.
    pub text: String,
    /// The file, with `%r` for the rank's number.
    pub file: String,
    /// The form.
    pub form: DataForm,
    /// True to add to the file.
    pub append: bool,
}

/// The characters that stand for the number of the rank in the name of a file.
pub(crate) const RANK: &str = "%r";

impl SaveOrder {
    /// Returns the files that the ranks write.
    pub fn files(&self, ranks: &ProcessSet) -> Vec<String> {
        if !self.file.contains(RANK) {
            return vec![self.file.clone()];
        }
        ranks.iter().map(|rank| self.file.replace(RANK, &rank.0.to_string())).collect()
    }
}

/// A file whose bytes are to be written to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoreOrder {
    /// The file, with `%r` for the rank's number.
    pub file: String,
    /// An expression for the address of the file's first byte.
    pub offset: String,
    /// An expression for the first byte of the file to be written.
    pub start: Option<String>,
    /// An expression for the byte of the file after the last one.
    pub end: Option<String>,
}
