//! Pages of memory.

use super::StoppedThread;
use model::{Answer, Context, Failure, MemoryPage, VirtualAddress, literal_address};

/// Reads a page from an address on, or compares it with a digest.
pub(super) fn page(
    thread: &StoppedThread<'_>,
    context: &Context,
    (address, offset): (&str, i64),
    length: u32,
    compared: Option<u64>,
) -> Result<Answer, Failure> {
    let literal = literal_address(address);
    thread.at(literal.map_or(context.frame, |_| 0), |view| {
        let base = match literal {
            Some(base) => base,
            None => view.parse(address)?.evaluate(&view.eval())?.as_address(&view.eval())?,
        };
        let read = |at: VirtualAddress, count: usize| {
            let mut bytes = vec![0; count];
            if let Err(fault) = view.read(at, &mut bytes) {
                bytes.truncate(usize::try_from(fault.0.0.wrapping_sub(at.0)).unwrap_or(0).min(count));
                if view.read(at, &mut bytes).is_err() {
                    bytes.clear();
                }
            }
            bytes
        };
        Ok(Answer::of_page(MemoryPage::read(base, offset, length, read), compared))
    })
}
