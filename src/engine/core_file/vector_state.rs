//! The vector registers of a core file, in the one layout of the `XSAVE` area that all debuggers know.
//!
//! Where a processor saves a state component is its own choice, told by CPUID: those of AMD leave out the room of the
//! components that they lack, which gdb before version 14 refuses. In a core file, each component is where the
//! processors of Intel have it, as in the core files that gdb writes.

/// The parts that every processor has in one place: `FXSAVE`, and the header (Intel SDM volume 1, 13.4).
const FIXED: usize = 576;
/// Offset of the kernel's mask of the components that the process may use (`sw_reserved`, `<asm/sigcontext.h>`).
const HAS: usize = 464;

/// A state component: its bit in the mask, where it is in a core file, and its size.
struct Component {
    bit: u32,
    offset: usize,
    size: usize,
}

const fn component(bit: u32, offset: usize, size: usize) -> Component {
    Component { bit, offset, size }
}

/// AVX, MPX (2), AVX-512 (3) and PKRU.
const COMPONENTS: [Component; 7] = [
    component(2, 576, 256),
    component(3, 960, 64),
    component(4, 1024, 64),
    component(5, 1088, 64),
    component(6, 1152, 512),
    component(7, 1664, 1024),
    component(9, 2688, 8),
];

/// Returns where this processor saves a component.
pub(super) fn own_offset(bit: u32) -> usize {
    const PLACES: u32 = 0xd;
    std::arch::x86_64::__cpuid_count(PLACES, bit).ebx as usize
}

/// Returns an `XSAVE` area of a processor that saves components at `own_offset`, in the layout of core files.
pub(super) fn in_common_layout(state: &[u8], own_offset: impl Fn(u32) -> usize) -> Vec<u8> {
    let mask = state.get(HAS..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u64::from_le_bytes(*word));
    let present = || COMPONENTS.iter().filter(|component| mask & 1 << component.bit != 0);
    let moves = present().any(|component| own_offset(component.bit) != component.offset);
    let mut common = if moves { state.get(..FIXED).unwrap_or(state).to_vec() } else { state.to_vec() };
    for Component { bit, offset, size } in present() {
        if common.len() < offset + size {
            common.resize(offset + size, 0);
        }
        let own = own_offset(*bit);
        let place = common.get_mut(*offset..offset + size);
        if let (true, Some(own), Some(place)) = (moves, state.get(own..own + size), place) {
            place.copy_from_slice(own);
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(mask: u64, length: usize) -> Vec<u8> {
        let mut state: Vec<u8> = (0..length).map(|at| (at / 8 % 251) as u8).collect();
        state[HAS..HAS + 8].copy_from_slice(&mask.to_le_bytes());
        state
    }

    #[test]
    fn components_that_a_processor_saves_elsewhere_are_moved() {
        // As processors of AMD have it: no MPX, so what follows is closer.
        let own = |bit| [0, 0, 576, 0, 0, 832, 896, 1408, 0, 2432][bit as usize];
        let state = state(0x2e7, 2440);
        let common = in_common_layout(&state, own);
        assert_eq!(common.len(), 2696);
        assert_eq!(common[..832], state[..832]);
        assert_eq!(common[832..1088], [0; 256]);
        assert_eq!(common[1088..1152], state[832..896]);
        assert_eq!(common[1152..1664], state[896..1408]);
        assert_eq!(common[1664..2688], state[1408..2432]);
        assert_eq!(common[2688..], state[2432..]);
    }

    #[test]
    fn a_state_in_the_common_layout_stays_as_it_is() {
        let own = |bit| COMPONENTS.iter().find(|component| component.bit == bit).map_or(0, |found| found.offset);
        // With components behind those that are known.
        let state = state(0x6_02e7, 11008);
        assert_eq!(in_common_layout(&state, own), state);
        assert_eq!(in_common_layout(&[1; 512], own), [1; 512]);
    }
}
