//! The source files that the debug information of a file names.

use super::found::Interrupted;
use crate::images::image::Image;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns the paths of the source files of a file with paths that are wanted, in order, as long as `goes_on`.
pub fn source_files(
    image: &Image,
    is_wanted: &dyn Fn(&str) -> bool,
    goes_on: &dyn Fn() -> bool,
) -> Result<Vec<Arc<str>>, Interrupted> {
    let Some(debug) = image.debug() else { return Ok(Vec::new()) };
    let mut found = BTreeSet::new();
    for unit in debug.units() {
        for file in &unit.lines(debug).files {
            if !goes_on() {
                return Err(Interrupted);
            }
            let path = file.absolute();
            // Compilers name sources of their own in angle brackets.
            let is_file = !path.is_empty() && !path.ends_with('>');
            if is_file && !found.contains(path) && is_wanted(path) {
                found.insert(Arc::clone(path));
            }
        }
    }
    Ok(found.into_iter().collect())
}
