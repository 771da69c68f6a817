//! Compressed sections. Decompressed bytes are kept for good, like the file, except while a file is only scanned.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Bytes of a file. Files are mapped for good, so slices of them need no lifetime and no reference count.
pub(crate) type Bytes = &'static [u8];

/// Addresses and lengths of decompressed bytes that will be freed.
#[derive(Clone, Default)]
pub(crate) struct Lent(pub(super) Arc<Mutex<Vec<(usize, usize)>>>);

/// Decompresses a section; on failure, `refused` holds the reason.
pub(crate) fn decompressed(
    name: &str,
    format: object::CompressionFormat,
    data: Bytes,
    uncompressed_size: u64,
    refused: &OnceLock<String>,
    lent: Option<&Lent>,
) -> Option<Bytes> {
    if uncompressed_size > most(data.len() as u64) {
        let _ = refused
            .set(format!("ignoring its section {name}: {} bytes would decompress to {uncompressed_size}", data.len()));
        return None;
    }
    match (object::CompressedData { format, data, uncompressed_size }).decompress().ok()? {
        Cow::Borrowed(bytes) => Some(bytes),
        Cow::Owned(bytes) => {
            let bytes = Box::leak(bytes.into_boxed_slice());
            if let Some(Lent(lent)) = lent {
                let place = bytes.as_mut_ptr().expose_provenance();
                lent.lock().unwrap_or_else(PoisonError::into_inner).push((place, bytes.len()));
            }
            Some(bytes)
        }
    }
}

/// Returns the limit on a section's decompressed size. Debug information grows by a modest factor; a larger claim is
/// meant to exhaust memory, unless the size is small anyway.
fn most(compressed: u64) -> u64 {
    // zlib reaches 1032 to 1 at most, so a larger claim is false and must not be allocated.
    let possible = compressed.saturating_mul(1100);
    possible.min(compressed.saturating_mul(LIKELY).max(SMALL))
}

/// The limit on the growth of debug information.
const LIKELY: u64 = 40;
const SMALL: u64 = 32 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_to_fill_the_memory_is_not_decompressed() {
        // 1.2 GB of zeros compress to 1.3 MB.
        assert!(most(1_300_000) < 60 << 20);
        assert_eq!(most(1000), 1_100_000);
        assert!(most(300 << 20) > 3 << 30, "what is large may become large");
    }
}
