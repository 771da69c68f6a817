//! Exception masks and flags of both units (Intel manual, volume 1, 8.1.3 to 8.1.5 and 10.2.3): bits 0 to 5 of a flag
//! or mask are invalid, denormal, zero, overflow, underflow, inexact.

use nix::libc::user_fpregs_struct;

/// All exception bits.
pub(super) const ALL: u8 = 0x3f;
/// The first mask in MXCSR.
const MXCSR_MASKS: u32 = 7;
/// Bits of the status word: an unmasked exception is waiting to be reported, and its copy in the busy bit.
const SUMMARY: u16 = 1 << 7 | 1 << 15;

/// The flags of SSE.
pub(super) fn sse_flags(registers: &user_fpregs_struct) -> u8 {
    registers.mxcsr as u8 & ALL
}

/// The masks of SSE.
pub(super) fn sse_masks(registers: &user_fpregs_struct) -> u8 {
    (registers.mxcsr >> MXCSR_MASKS) as u8 & ALL
}

/// The exceptions of SSE whose flags are set and that are not masked.
pub(super) fn sse_raised(registers: &user_fpregs_struct) -> u8 {
    sse_flags(registers) & !sse_masks(registers)
}

/// The exceptions of the x87 unit that it is about to report.
pub(super) fn x87_raised(registers: &user_fpregs_struct) -> u8 {
    registers.swd as u8 & !(registers.cwd as u8) & ALL
}

/// Makes the summary of the status word agree with flags and masks.
fn summarise(registers: &mut user_fpregs_struct) {
    registers.swd &= !SUMMARY;
    if x87_raised(registers) != 0 {
        registers.swd |= SUMMARY;
    }
}

/// Clears flags of SSE.
pub(super) fn clear_sse(registers: &mut user_fpregs_struct, flags: u8) {
    registers.mxcsr &= !u32::from(flags);
}

/// Clears flags of the x87 unit.
pub(super) fn clear_x87(registers: &mut user_fpregs_struct, flags: u8) {
    registers.swd &= !u16::from(flags);
    summarise(registers);
}

/// Masks exceptions of SSE, and of the x87 unit.
pub(super) fn mask_again(registers: &mut user_fpregs_struct, sse: u8, x87: u8) {
    registers.mxcsr |= u32::from(sse) << MXCSR_MASKS;
    registers.cwd |= u16::from(x87);
    summarise(registers);
}

/// The exceptions that the debugger has unmasked in a thread, which the program had masked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unmasked {
    pub(super) sse: u8,
    pub(super) x87: u8,
    /// Flags of the x87 unit that are hidden from it: once unmasked, it would report them again.
    pub(super) hidden: u8,
    /// The flags of SSE when the thread was resumed.
    pub(super) sse_flags: u8,
}

impl Unmasked {
    /// Unmasks these exceptions. Those of the x87 unit that are `waiting` are reported by its next instruction.
    pub(super) fn unmask(registers: &mut user_fpregs_struct, kinds: u8, waiting: u8) -> Self {
        let sse = sse_masks(registers) & kinds;
        registers.mxcsr &= !(u32::from(sse) << MXCSR_MASKS);
        let x87 = registers.cwd as u8 & kinds;
        registers.cwd &= !u16::from(x87);
        let hidden = registers.swd as u8 & x87 & !waiting;
        registers.swd &= !u16::from(hidden);
        summarise(registers);
        Self { sse, x87, hidden, sse_flags: sse_flags(registers) }
    }

    /// Restores masks and flags of the program. True if the program itself has masked some of the exceptions since.
    pub(super) fn mask(self, registers: &mut user_fpregs_struct) -> bool {
        let masked = sse_masks(registers) & self.sse != 0 || registers.cwd as u8 & self.x87 != 0;
        registers.mxcsr |= u32::from(self.sse) << MXCSR_MASKS;
        registers.cwd |= u16::from(self.x87);
        registers.swd |= u16::from(self.hidden);
        summarise(registers);
        masked
    }
}

/// True if masks and flags are as the kernel sets them for a program and for a signal handler.
pub(super) fn is_initial(registers: &user_fpregs_struct) -> bool {
    (registers.mxcsr, registers.cwd, registers.swd) == (0x1f80, 0x37f, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn registers(mxcsr: u32, cwd: u16, swd: u16) -> user_fpregs_struct {
        #[expect(unsafe_code, reason = "the structure has a private field")]
        // SAFETY: plain numbers, for which zeros are a value.
        let mut registers: user_fpregs_struct = unsafe { std::mem::zeroed() };
        (registers.mxcsr, registers.cwd, registers.swd) = (mxcsr, cwd, swd);
        registers
    }

    fn words(registers: &user_fpregs_struct) -> (u32, u16, u16) {
        (registers.mxcsr, registers.cwd, registers.swd)
    }

    proptest! {
        #[test]
        fn a_thread_that_computes_nothing_gets_its_environment_back(
            mxcsr in 0_u32..0x1_0000, cwd in 0_u16..0x2000, swd in any::<u16>(), kinds in 0_u8..0x40,
        ) {
            let mut registers = registers(mxcsr, cwd, swd);
            summarise(&mut registers);
            let before = words(&registers);
            let unmasked = Unmasked::unmask(&mut registers, kinds, 0);
            prop_assert_eq!(sse_masks(&registers) & kinds, 0);
            prop_assert_eq!(registers.cwd as u8 & kinds, 0);
            // Only what the program had unmasked itself is reported.
            prop_assert_eq!(x87_raised(&registers) & !(swd as u8 & !(cwd as u8)), 0);
            prop_assert!(!unmasked.mask(&mut registers));
            prop_assert_eq!(words(&registers), before);
        }
    }

    #[test]
    fn flags_raised_meanwhile_are_kept_and_masks_of_the_program_are_noticed() {
        // With an old flag, invalid.
        let mut state = registers(0x1f80, 0x37f, 1);
        assert!(!is_initial(&state));
        let unmasked = Unmasked::unmask(&mut state, 0b1101, 0);
        assert_eq!(words(&state), (0x1900, 0x372, 0));
        state.swd |= 4;
        state.mxcsr |= 4;
        assert_eq!((sse_raised(&state), x87_raised(&state)), (4, 4));
        assert!(!unmasked.mask(&mut state));
        assert_eq!(words(&state), (0x1f84, 0x37f, 5));
        let again = Unmasked::unmask(&mut state, 0b1101, 4);
        assert_eq!(words(&state), (0x1904, 0x372, 0x8084), "the one that waits is reported again");
        state.mxcsr = 0x1f80;
        assert!(again.mask(&mut state));
        clear_x87(&mut state, 0x3f);
        assert!(is_initial(&state));
    }
}
