//! The user's printers of a rank.

use crate::parse_cache::ParseCache;
use crate::printers::rules::table::PrinterTable;
use model::Printers;
use std::cell::OnceCell;
use std::sync::Arc;

/// The user's printers of a rank, prepared when the first value is printed.
#[derive(Debug)]
pub struct RankPrinters<'a> {
    printers: &'a Arc<Printers>,
    cache: &'a ParseCache,
    table: OnceCell<Arc<PrinterTable>>,
}

impl<'a> RankPrinters<'a> {
    /// Keeps what is needed to prepare them.
    pub fn new(printers: &'a Arc<Printers>, cache: &'a ParseCache) -> Self {
        Self { printers, cache, table: OnceCell::new() }
    }

    /// Returns them; `None` if there are none.
    pub fn table(&self) -> Option<&PrinterTable> {
        (!self.printers.is_empty()).then(|| &**self.table.get_or_init(|| self.cache.printers(self.printers)))
    }
}
