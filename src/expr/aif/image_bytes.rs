//! The bytes read for a value.

/// The bytes of a value, and which of them are known.
pub(crate) struct Image {
    pub(crate) bytes: Vec<u8>,
    /// Empty if all bytes are known.
    pub(crate) known: Vec<bool>,
    /// Address of the first byte.
    pub(crate) address: Option<u64>,
}

impl Image {
    pub(crate) fn bits(&self, offset: u64, size: u64) -> u128 {
        let mut bytes = [0; 16];
        let from = self.bytes.get(offset as usize..).unwrap_or_default();
        bytes.iter_mut().zip(from.iter().take(size.min(16) as usize)).for_each(|(to, from)| *to = *from);
        u128::from_le_bytes(bytes)
    }

    pub(crate) fn is_known(&self, offset: u64, size: u64) -> bool {
        self.known.iter().skip(offset as usize).take(size as usize).all(|known| *known)
    }

    pub(crate) fn slice(&self, offset: u64, size: u64) -> &[u8] {
        self.bytes.get(offset as usize..).and_then(|rest| rest.get(..size as usize)).unwrap_or_default()
    }
}
