//! Searches through a file.

use super::definitions::definitions;
use super::found::{FoundInFile, Interrupted, Sought};
use super::undescribed::undescribed;
use crate::images::image::Image;
use std::sync::{Arc, PoisonError};

/// Searches a file for definitions, and symbols without debug information, unless `described_only`, with names that
/// are wanted. `key` stands for the condition: a search with the same key as the last is answered at once. Other searches
/// of the file wait.
pub fn search_file(
    image: &Image,
    sought: Sought,
    described_only: bool,
    key: &str,
    is_wanted: &dyn Fn(&str) -> bool,
    goes_on: &dyn Fn() -> bool,
) -> Result<Arc<FoundInFile>, Interrupted> {
    let mut kept = image.searched.0.lock().unwrap_or_else(PoisonError::into_inner);
    let wanted = (sought, described_only);
    if let Some((last, of, found)) = kept.as_ref()
        && *last == wanted
        && **of == *key
    {
        return Ok(Arc::clone(found));
    }
    let found = Arc::new(FoundInFile {
        definitions: definitions(image, sought, is_wanted, goes_on)?,
        undescribed: if described_only { Vec::new() } else { undescribed(image, sought, is_wanted, goes_on)? },
    });
    *kept = Some((wanted, key.into(), Arc::clone(&found)));
    Ok(found)
}
