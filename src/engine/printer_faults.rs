//! Reports the user's printers that cannot be used, when they are loaded.

use expr::ParseCache;
use model::{ErrorCode, Failure, Printers};
use std::sync::Arc;

/// Most faults that are told at once.
const MOST: usize = 5;

/// Fails with the faults of new printers, if they have any. The others are used nevertheless.
pub(crate) fn printer_faults(before: &Arc<Printers>, now: &Arc<Printers>, cache: &ParseCache) -> Result<(), Failure> {
    if before == now || now.is_empty() {
        return Ok(());
    }
    let faults = cache.printers(now).faults();
    if faults.is_empty() {
        return Ok(());
    }
    let words: Vec<&str> = faults.iter().take(MOST).map(String::as_str).collect();
    Err(Failure::new(ErrorCode::DEBUGGER, words.join("; ")))
}
