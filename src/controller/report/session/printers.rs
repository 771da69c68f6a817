//! The list of printers.

use crate::report::json_object::Object;
use std::collections::BTreeSet;

/// A file of printers, and the types that they are for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrinterListing {
    /// The file, or the library whose types they are for.
    pub file: String,
    /// True if they come with the program.
    pub shipped: bool,
    /// The patterns of the types.
    pub types: Vec<String>,
    /// Those of them that are disabled.
    pub disabled: BTreeSet<String>,
}

/// Formats the list: the printers of an earlier file are tried first.
pub(in crate::report) fn lines(rows: &[PrinterListing]) -> Vec<String> {
    if rows.is_empty() {
        return vec!["no printers".to_owned()];
    }
    let mut lines = Vec::new();
    for row in rows {
        lines.push(if row.shipped { format!("built-in {}:", row.file) } else { format!("{}:", row.file) });
        lines.extend(row.types.iter().map(|ty| {
            let mark = if row.disabled.contains(ty) { " [disabled]" } else { "" };
            format!("  {ty}{mark}")
        }));
    }
    lines
}

pub(in crate::report) fn json(rows: &[PrinterListing]) -> Object {
    let row = |row: &PrinterListing| {
        let object = Object::default().with("file", &row.file).with("types", &row.types);
        let object = object.maybe("built_in", Some(true).filter(|_| row.shipped));
        object.maybe("disabled", Some(&row.disabled).filter(|disabled| !disabled.is_empty()))
    };
    Object::of_type("printers").with("printers", rows.iter().map(row).collect::<Vec<_>>())
}
