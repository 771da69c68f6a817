//! Vector registers of 32 bytes (AVX), whose halves are in two places of the `XSAVE` area.

use crate::native::ptrace::{Tid, extended_state, set_extended_state};
use std::ops::Range;

/// Offset of the kernel's mask of the state components that the processor has (`sw_reserved`, `<asm/sigcontext.h>`).
const HAS: usize = 464;
/// Offset of the mask of components that are not in their initial state (Intel SDM volume 1, 13.4.2).
const IN_USE: usize = 512;
/// Offset of the lower halves: SSE state (table 13-1).
const LOWER: usize = 160;
/// Offset of the upper halves, in the AVX component (13.5.3), which is the same in every processor so far.
const UPPER: usize = 576;
/// The bits of both components in the masks.
const SSE: u64 = 2;
const AVX: u64 = 4;
const HALF: usize = 16;

fn word(state: &[u8], offset: usize) -> u64 {
    let bytes = state.get(offset..).and_then(|rest| rest.first_chunk::<8>());
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn halves(index: u16) -> [(u64, Range<usize>); 2] {
    let range = |start: usize| {
        let start = start + usize::from(index) * HALF;
        start..start + HALF
    };
    [(SSE, range(LOWER)), (AVX, range(UPPER))]
}

/// Reads a register by its number, from 0, in an `XSAVE` area.
pub(crate) fn wide_bytes(state: &[u8], index: u16) -> Option<Vec<u8>> {
    if word(state, HAS) & AVX == 0 {
        return None;
    }
    let in_use = word(state, IN_USE);
    let mut bytes = Vec::with_capacity(2 * HALF);
    for (part, range) in halves(index) {
        let half = state.get(range)?;
        // A component that was never used is zero, whatever the bytes are.
        bytes.extend(half.iter().map(|byte| if in_use & part == 0 { 0 } else { *byte }));
    }
    Some(bytes)
}

/// Changes a register. False if the processor has none.
fn change(state: &mut [u8], index: u16, data: &[u8]) -> bool {
    let Some(mut bytes) = wide_bytes(state, index) else { return false };
    bytes.iter_mut().zip(data).for_each(|(to, from)| *to = *from);
    let in_use = word(state, IN_USE);
    for ((part, range), half) in halves(index).into_iter().zip(bytes.chunks(HALF)) {
        // The other registers of a component that comes into use are zero.
        let start = if part == SSE { LOWER } else { UPPER };
        if in_use & part == 0
            && let Some(all) = state.get_mut(start..start + HALF * HALF)
        {
            all.fill(0);
        }
        if let Some(place) = state.get_mut(range) {
            place.copy_from_slice(half);
        }
    }
    let used = (in_use | SSE | AVX).to_le_bytes();
    if let Some(place) = state.get_mut(IN_USE..IN_USE + used.len()) {
        place.copy_from_slice(&used);
    }
    true
}

/// Reads a register of a stopped thread by its number, from 0; `None` if the processor has none.
pub(in crate::native) fn wide_register(tid: Tid, index: u16) -> Option<Vec<u8>> {
    wide_bytes(&extended_state(tid).ok()?, index)
}

/// Changes the first bytes of a register of a stopped thread. False on failure.
pub(in crate::native) fn set_wide_register(tid: Tid, index: u16, data: &[u8]) -> bool {
    let Ok(mut state) = extended_state(tid) else { return false };
    change(&mut state, index, data) && set_extended_state(tid, state).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(has: u64, in_use: u64) -> Vec<u8> {
        let mut state = vec![0x55; 1024];
        state[HAS..HAS + 8].copy_from_slice(&has.to_le_bytes());
        state[IN_USE..IN_USE + 8].copy_from_slice(&in_use.to_le_bytes());
        state
    }

    #[test]
    fn what_is_not_in_use_is_zero_and_what_is_not_there_is_nothing() {
        assert_eq!(wide_bytes(&state(3, 3), 0), None);
        assert_eq!(wide_bytes(&state(7, 7), 15), Some(vec![0x55; 32]));
        assert_eq!(wide_bytes(&state(7, 3), 1), Some([[0x55; 16], [0; 16]].concat()));
        assert_eq!(wide_bytes(&[], 0), None);
    }

    #[test]
    fn a_change_is_read_again_and_leaves_the_others() {
        let mut changed = state(7, 1);
        assert!(change(&mut changed, 3, &[1, 2, 3]));
        assert_eq!(wide_bytes(&changed, 3).unwrap()[..5], [1, 2, 3, 0, 0]);
        assert_eq!(wide_bytes(&changed, 2), Some(vec![0; 32]));
        assert!(!change(&mut state(1, 1), 3, &[1]));
    }
}
