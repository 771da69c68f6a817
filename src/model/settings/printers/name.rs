//! The name of a printer.

use serde::{Deserialize, Serialize};

/// A printer by the file or library that has it, and by the type that it is for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PrinterName {
    /// The file, or the library.
    pub source: String,
    /// The pattern of the type, or its name without template arguments.
    pub ty: String,
}
