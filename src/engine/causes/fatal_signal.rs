//! A fatal signal and its `siginfo_t`.

/// `si_code` of an access to an address without memory (sigaction(2)).
pub(super) const UNMAPPED: i32 = 1;
/// The offset of `si_code` in `siginfo_t`.
const CODE: usize = 8;
/// The offset of `si_addr` in that of a fault.
const ADDRESS: usize = 16;

/// A fatal signal as the kernel delivered it.
#[derive(Clone, Debug)]
pub(crate) struct FatalSignal {
    number: i32,
    code: Option<i32>,
    address: Option<u64>,
}

impl FatalSignal {
    /// Takes a signal with its `si_code` and `si_addr`, as far as they are known.
    pub(crate) fn new(number: i32, code: Option<i32>, address: Option<u64>) -> Self {
        Self { number, code, address }
    }

    /// Takes a signal with its `siginfo_t`, which is empty if it could not be read.
    pub(crate) fn with_information(number: i32, information: &[u8]) -> Self {
        let code = information.get(CODE..).and_then(|bytes| Some(i32::from_le_bytes(*bytes.first_chunk()?)));
        let address = information.get(ADDRESS..).and_then(|bytes| Some(u64::from_le_bytes(*bytes.first_chunk()?)));
        Self::new(number, code, address)
    }

    /// Returns the number of the signal.
    pub(super) fn number(&self) -> i32 {
        self.number
    }

    /// Returns `si_code`.
    pub(super) fn code(&self) -> Option<i32> {
        self.code
    }

    /// Returns the address of a fault.
    pub(super) fn address(&self) -> Option<u64> {
        self.address
    }
}
