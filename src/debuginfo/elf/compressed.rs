//! Sections that are compressed. What comes of decompressing one is kept for good, as the file is; but for a time, where
//! a file is only looked through.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The bytes behind a reader. Files are mapped for good, so slices of them need no lifetime and no counter.
pub(crate) type Bytes = &'static [u8];

/// Decompressed bytes that are given back: addresses and lengths.
#[derive(Clone, Default)]
pub(crate) struct Lent(pub(super) Arc<Mutex<Vec<(usize, usize)>>>);

/// Decompresses a section; the reason of a failure is kept in `refused`.
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

/// The most bytes that a section may be decompressed to. Debug information becomes a few times as long; what becomes
/// more is made to fill the memory, unless it is small all the same.
fn most(compressed: u64) -> u64 {
    // zlib reaches 1032 to 1, so a larger claim is a lie that must not be allocated.
    let possible = compressed.saturating_mul(1100);
    possible.min(compressed.saturating_mul(LIKELY).max(SMALL))
}

/// How many times as long debug information becomes at most.
const LIKELY: u64 = 40;
const SMALL: u64 = 32 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_to_fill_the_memory_is_not_decompressed() {
        // 1.2 GB in 1.3 MB, as a file of zeros becomes.
        assert!(most(1_300_000) < 60 << 20);
        assert_eq!(most(1000), 1_100_000);
        assert!(most(300 << 20) > 3 << 30, "what is large may become large");
    }
}
