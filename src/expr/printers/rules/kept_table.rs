//! Keeps the prepared printers for the ranks of a server, which have the same ones.

use super::table::PrinterTable;
use model::Printers;
use std::sync::{Arc, Mutex, PoisonError};

/// The printers that were prepared last.
#[derive(Debug, Default)]
pub(crate) struct KeptTable(Mutex<Option<(Arc<Printers>, Arc<PrinterTable>)>>);

impl KeptTable {
    pub(crate) fn of(&self, printers: &Arc<Printers>) -> Arc<PrinterTable> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, table)) = kept.as_ref()
            && (Arc::ptr_eq(known, printers) || known == printers)
        {
            return Arc::clone(table);
        }
        let table = Arc::new(PrinterTable::new(printers));
        *kept = Some((Arc::clone(printers), Arc::clone(&table)));
        table
    }
}
