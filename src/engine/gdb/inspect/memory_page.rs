//! Pages of memory, read by gdb.

use super::queries::Inspector;
use crate::gdb::mi::Command;
use crate::gdb::session::fault::GdbError;
use model::{Answer, Context, MemoryPage, VirtualAddress, literal_address};

impl Inspector<'_> {
    /// Reads a page from an address on, or compares it with a digest.
    pub(super) fn memory_page(
        &mut self,
        context: Context,
        (address, offset): (&str, i64),
        length: u32,
        compared: Option<u64>,
    ) -> Result<Answer, GdbError> {
        let base = match literal_address(address) {
            Some(base) => base,
            None => self.address(context, address, 0)?,
        };
        let mut gone = None;
        let page = MemoryPage::read(base, offset, length, |at, count| readable(self, at, count, &mut gone));
        gone.map_or_else(|| Ok(Answer::of_page(page, compared)), Err)
    }
}

/// Reads the bytes before the first one that gdb cannot read. `gone` receives why gdb is of no more use.
fn readable(inspector: &mut Inspector<'_>, at: VirtualAddress, count: usize, gone: &mut Option<GdbError>) -> Vec<u8> {
    if gone.is_some() {
        return Vec::new();
    }
    let answered = match inspector.gdb.ask(&Command::new("data-read-memory-bytes").word(at).word(count)) {
        Ok(answered) => answered.results,
        Err(GdbError::Refused(_)) => return Vec::new(),
        Err(error) => {
            *gone = Some(error);
            return Vec::new();
        }
    };
    let first = answered.inside("memory").and_then(|memory| memory.parts().next());
    let first = first.filter(|part| part.number("begin") == Some(at.0));
    first.and_then(|part| model::aif::from_hex(part.text("contents")?)).unwrap_or_default()
}
