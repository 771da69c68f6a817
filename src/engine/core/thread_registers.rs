//! The registers of a thread in a core file.

use super::little_endian::{half, word};
use super::notes::CoreThread;
use crate::native::inspect::{general_bytes, wide_bytes};
use debuginfo::YMM;
use nix::libc::user_regs_struct;

/// DWARF numbers (System V ABI, AMD64 supplement, figure 3.36).
const XMM: u16 = 17;
const ST: u16 = 33;
const MXCSR: u16 = 64;
const CONTROL_WORD: u16 = 65;
const STATUS_WORD: u16 = 66;

impl CoreThread {
    /// Returns the general registers.
    pub(super) fn registers(&self) -> user_regs_struct {
        let [
            r15,
            r14,
            r13,
            r12,
            rbp,
            rbx,
            r11,
            r10,
            r9,
            r8,
            rax,
            rcx,
            rdx,
            rsi,
            rdi,
            orig_rax,
            rip,
            cs,
            eflags,
            rsp,
            ss,
            fs_base,
            gs_base,
            ds,
            es,
            fs,
            gs,
        ] = self.general;
        user_regs_struct {
            r15,
            r14,
            r13,
            r12,
            rbp,
            rbx,
            r11,
            r10,
            r9,
            r8,
            rax,
            rcx,
            rdx,
            rsi,
            rdi,
            orig_rax,
            rip,
            cs,
            eflags,
            rsp,
            ss,
            fs_base,
            gs_base,
            ds,
            es,
            fs,
            gs,
        }
    }

    /// Returns the bytes of a register by DWARF number.
    pub(super) fn register(&self, number: u16) -> Option<Vec<u8>> {
        if number >= YMM {
            return wide_bytes(&self.extended, number - YMM);
        }
        self.float_bytes(number).or_else(|| general_bytes(number, self.registers()))
    }

    /// Reads a register in the area that `FXSAVE` writes (Intel SDM volume 1, table 10-2).
    fn float_bytes(&self, number: u16) -> Option<Vec<u8>> {
        // XSAVE writes the same area first.
        let area = if self.floats.is_empty() { &self.extended } else { &self.floats };
        let bytes = |at: usize, length: usize| Some(area.get(at..at + length)?.to_vec());
        match number {
            XMM..ST => bytes(160 + 16 * usize::from(number - XMM), 16),
            ST..=40 => bytes(32 + 16 * usize::from(number - ST), 10),
            MXCSR => Some(word(area, 24)?.to_le_bytes().to_vec()),
            CONTROL_WORD => Some(half(area, 0)?.to_le_bytes().to_vec()),
            STATUS_WORD => Some(half(area, 2)?.to_le_bytes().to_vec()),
            _ => None,
        }
    }
}
